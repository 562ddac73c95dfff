# shellcheck shell=bash
# Dependence runs one way, and what is outside comes in by named doors.

# includes FILE…: "file:line: what" of every #include.
includes() {
	awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*/) {
		print FILENAME ":" FNR ": " substr($0, RLENGTH + 1)
	}' "$@"
}

# room_knows ROOM OTHERS: the rooms that its own headers come from; OTHERS is "a|b", or "" for none.
room_knows() {
	includes "$1"/*.[ch] | awk -v others="^\"[.][.]/($2)/[a-z0-9_]+[.]h\"" \
		'$2 ~ /^"/ && $2 !~ /^"[a-z0-9_]+[.]h"/ && $2 !~ others'
}

# door LIBRARY FILES: only these files include the library; both are regular expressions.
door() {
	includes "${rooms[@]}" | awk -v library="^<$1" -v files="^($2):" \
		'$2 ~ library && $1 !~ files'
}

policy_is_pure() {
	includes policy/*.[ch] | awk '$2 ~ /^</ && $2 !~ /^<(assert|ctype|errno|inttypes|limits)[.]h>/ &&
		$2 !~ /^<(stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|fnmatch|jansson)[.]h>/'
}

only_cli_knows_both() {
	includes "${below[@]}" | awk '$2 ~ /(dcb|roce)\// { print $0 ": only cli/ knows the adapters" }'
}

# Both are found by name alone: a member or a comment that is called so is a bad idea, too.
calls() {
	found grep -nE "(^|[^a-zA-Z0-9_])($1)[[:space:]]*\\(" "${@:2}"
}

# Sections that a program can write to; a constant table with pointers is in .data.rel.ro.
writable() {
	local objects=("$build"/{policy,agent,dcb,roce}/lib*.a.p/*.o "$build"/{libcli.a,losslessctl}.p/*.o)
	[ "${#objects[@]}" -gt 40 ] || echo "only ${#objects[@]} objects in $build"
	objdump -t "${objects[@]}" | awk '
		/file format/ { file = $1; sub(/.*\//, "", file); sub(/[.]o:$/, "", file) }
		/ O / && /[ \t](\.t?data|\.t?bss|\*COM\*)/ && !/[.]data[.]rel[.]ro/ {
			if (file " " $NF !~ /^(cli_(main|agent)[.]c caught|memory[.]c was_short)$/)
				print file ": " $NF
		}'
}

every_source_is_built() {
	local room file name
	for room in policy agent dcb roce cli; do
		for file in "$room"/*.c; do
			grep -qF "'${file##*/}'" "$room/meson.build" || echo "$file is not in $room/meson.build"
		done
	done
	for file in tests/unit/test_*.c; do
		name=${file#*/test_}
		grep -qE "^	\['${name%.c}',|'${file##*/}'" tests/meson.build || echo "$file is not in tests/meson.build"
	done
}

layering_tests() {
	it "policy includes only its own headers" room_knows policy ""
	it "policy includes only ISO C, fnmatch and jansson: no socket, no clock" policy_is_pure
	it "agent includes only policy" room_knows agent policy
	it "dcb includes only agent and policy" room_knows dcb "agent|policy"
	it "roce includes only agent and policy" room_knows roce "agent|policy"
	it "cli includes only the rooms" room_knows cli "agent|dcb|policy|roce"
	it "only cli knows dcb and roce" only_cli_knows_both
	it "libmnl comes in by its doors" door libmnl/ \
		'agent/host[a-z_]*[.]c|dcb/(cee|wire|ethtool|facts)[.]c|roce/(counters|device|enabled)[.]c'
	it "libnl comes in by its doors" door netlink/ 'agent/(ports|host_linux)[.]c'
	it "jansson comes in by its doors" door jansson \
		'policy/(json|keys|limits|memory|policy|schema|severity|shape)[.][ch]|agent/(history|journal|waiting)[.]c|cli/[a-z_]+[.][ch]'
	it "libconfig comes in by its door" door libconfig 'dcb/lldpad_conf[.]c'
	it "libseccomp comes in by its door" door seccomp 'cli/calls[.]c'
	it "nothing below cli reads the environment or runs a shell" \
		calls 'getenv|secure_getenv|setenv|putenv|system|popen' "${below[@]}"
	it "no string is written without its bound" \
		calls 'strcpy|strcat|sprintf|vsprintf|gets|stpcpy|strtok|alloca' "${rooms[@]}"
	it "no number from outside is read without a check" calls 'atoi|atol|atoll|atof' "${below[@]}"
	it "no variable outlives a function but the caught signal and what jansson lacked" writable
	it "every source stands in a meson.build" every_source_is_built
}
