#!/usr/bin/env bash
# only: 6.12
# The start of a verb: it reads few files, and examines its environment only where needed.
. tests/system/lib.sh

# The names are of locales that this host lacks: ssh passes them on.
utf8_goes_by_the_name_of_the_locale() {
	local name
	expect 2 losslessctl plan "$policy" $port
	for name in xx_YY.UTF-8 xx.utf8@euro C.UTF-8; do
		expect 2 env LC_ALL=$name losslessctl plan "$policy" $port
		grep -q → "$work/out" || echo "no arrow in $name"
	done
	for name in C xx_YY xx_YY.ISO-8859-1 UTF-8; do
		expect 2 env LC_ALL=$name losslessctl plan "$policy" $port
		LC_ALL=C grep '[^ -~]' "$work/out"
	done
	expect 2 env LC_ALL= LC_CTYPE= LANG=xx.UTF-8 losslessctl plan "$policy" $port
	grep -q → "$work/out" || echo 'no arrow by LANG'
	expect 2 env LC_ALL=C LANG=xx.UTF-8 losslessctl plan "$policy" $port
	LC_ALL=C grep '[^ -~]' "$work/out"
}

# opens WHAT COMMAND...: print the command's calls of openat and ioctl that match WHAT.
opens() {
	local what=$1
	shift
	strace -f -e trace=openat,ioctl -o "$work/calls" "$@" >"$work/out" 2>"$work/err"
	grep -E "$what" "$work/calls"
}

a_start_reads_only_its_libraries() {
	LC_ALL=C.UTF-8 opens 'locale|gconv|LC_|TCGETS' losslessctl --version
	LC_ALL=C.UTF-8 opens 'locale|gconv|LC_' losslessctl --json check "$policy"
}

only_who_may_write_looks_for_the_session() {
	local verb
	for verb in show "verify $policy" history; do
		opens 'proc/[0-9]+/environ' losslessctl $verb
	done
	opens 'proc/[0-9]+/environ' losslessctl plan "$policy" >"$work/plan"
	[ -s "$work/plan" ] || echo 'plan does not'
}

it 'UTF-8 goes by the name of the locale' utf8_goes_by_the_name_of_the_locale
it 'a start reads its libraries, and no locale' a_start_reads_only_its_libraries
it 'only verbs that may write, and plan, look for the SSH session' \
	only_who_may_write_looks_for_the_session
tap_end
