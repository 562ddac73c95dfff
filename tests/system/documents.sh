#!/usr/bin/env bash
# only: 6.12
# Tests of the README's sessions, typed and recorded, and the cookbook's recipes on simulated ports.
. tests/system/lib.sh

# blocks LANGUAGE FILE DIRECTORY: write each code block of FILE to a file in DIRECTORY.
blocks() {
	mkdir -p "$3"
	awk -v begin="^\`\`\`$1\$" -v folder="$3" '
		/^```/ { within = !within && $0 ~ begin; if (within) n++; next }
		within { print >(folder "/" n) }' "$2"
}

# Install the README's policy where its commands expect it.
readme_policy() {
	blocks json README.md "$work/policy"
	install -D -m 0644 "$work/policy/1" /etc/losslessctl/policy.json
}

plan_prints_the_session() {
	local line
	expect 2 losslessctl plan /etc/losslessctl/policy.json $port
	blocks '' README.md "$work/session"
	grep '^   [0-9]*\. ' "$work/session/1" >"$work/steps"
	[ "$(wc -l <"$work/steps")" -ge 3 ] || echo 'the session has no steps'
	while IFS= read -r line; do
		grep -qF -- "$line" "$work/out" || echo "plan does not print: $line"
	done <"$work/steps"
}

apply_and_verify_end_as_it_says() {
	expect 0 losslessctl apply
	expect 0 losslessctl verify
}

# Exit code 2: steps; 3: the host has fewer ports than the recipe requires; 1: no lldpad runs here.
recipes_are_planned() {
	local recipe name code
	ip link add link $port name v100 type vlan id 100
	blocks json packaging/docs/cookbook.md "$work/recipes"
	jq -r '"\(input_filename) \(.name)"' "$work"/recipes/* >"$work/names"
	while read -r recipe name; do
		code=0
		losslessctl plan "$recipe" >"$work/out" 2>&1 || code=$?
		case $name:$code in
		*:0 | *:2 | eight-ports:3 | advertise:1) ;;
		*) echo "$name: exit code $code" && cat "$work/out" ;;
		esac
	done <"$work/names"
}

# words FILE: print a picture's text without blanks, as the picture cuts it into rows.
words() {
	sed -e 's/<[^>]*>//g' -e 's/&#160;//g' -e 's/&#8594;/→/g' -e 's/&gt;/>/g' -e 's/&lt;/</g' \
		-e 's/&quot;/"/g' -e 's/&amp;/\&/g' "$1" | tr -d ' \n\302\240'
}

# The picture has the text of every frame of its animation.
the_picture_shows_what_is_printed() {
	local line
	ip link delete v100
	reset_ports
	rmdir /sys/kernel/config/rdma_cm/mlx5_* # as on a host where apply never ran
	export -f dcb with_dcb # lib.sh's dcb, which retries what Debian's gives up
	work=$work LANG=C.UTF-8 packaging/pictures/session session >"$work/out" 2>&1
	words packaging/pictures/session.svg >"$work/words"
	sed $'s/\e\\[[0-9;]*m//g' "$work/out" | tr -d ' \302\240' >"$work/lines"
	[ "$(wc -l <"$work/lines")" -ge 20 ] || cat "$work/out"
	while IFS= read -r line; do
		grep -qF -- "$line" "$work/words" || echo "the picture does not show: $line"
	done <"$work/lines"
}

readme_policy
it 'plan prints the steps of the session in the README' plan_prints_the_session
it 'its apply and its verify exit 0' apply_and_verify_end_as_it_says
it 'every recipe of the cookbook can be planned' recipes_are_planned
it 'the recorded session in the README shows what the program prints' the_picture_shows_what_is_printed
tap_end
