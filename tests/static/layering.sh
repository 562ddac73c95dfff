# shellcheck shell=bash
# Tests of the layers: dependencies run one way, and only named files include outside libraries.

# includes FILE…: print "file:line: header" of every #include.
includes() {
	awk 'match($0, /^[ \t]*#[ \t]*include[ \t]*/) {
		print FILENAME ":" FNR ": " substr($0, RLENGTH + 1)
	}' "$@"
}

# The directories that each directory may include beside its own files, with their subdirectories.
may_include=(
	"policy/util:"
	"policy/model: policy/util"
	"policy/lint: policy/util policy/model"
	"policy/document: policy/util policy/model policy/lint"
	"policy/job: policy/util policy/model policy/lint policy/document"
	"agent/host: policy"
	"agent/monitor: policy agent/host"
	"agent/engine: policy agent/host agent/monitor"
	"agent/daemon: policy agent/host agent/monitor agent/engine"
	"dcb: policy agent/host agent/monitor agent/engine"
	"roce: policy agent/host agent/monitor agent/engine"
	"cli: policy agent dcb roce"
)

# edges FILE…: print "file:line from to" with the directories of every include of our headers.
edges() {
	includes "$@" | awk '$2 ~ /^"/ {
		file = $1; sub(/:.*/, "", file); from = file; sub(/\/[^\/]*$/, "", from)
		to = from "/" substr($2, 2, length($2) - 2); sub(/\/[^\/]*$/, "", to)
		while (match(to, /[^\/.]+\/[.][.](\/|$)/))
			to = substr(to, 1, RSTART - 1) substr(to, RSTART + RLENGTH)
		sub(/\/$/, "", to)
		print $1, from, to
	}'
}

includes_point_down() {
	edges "${rooms[@]}" | awk -v rules="$(printf '%s\n' "${may_include[@]}")" '
		function is_in(folder, top) { return folder == top || index(folder, top "/") == 1 }
		BEGIN {
			n = split(rules, rule, "\n")
			for (i = 1; i <= n; i++) {
				split(rule[i], side, ":")
				top[i] = side[1]
				count[i] = split(side[2], list, " ")
				for (k = 1; k <= count[i]; k++) may[i, k] = list[k]
			}
		}
		{
			ok = 0
			for (i = 1; i <= n; i++) {
				if (!is_in($2, top[i])) continue
				ok = is_in($3, top[i])
				for (k = 1; k <= count[i]; k++) ok = ok || is_in($3, may[i, k])
			}
			if (!ok) print $1 " includes a header of " $3
		}'
}

# A module is a source and its header.
small_folders() {
	printf '%s\n' "${rooms[@]}" | sed 's/[.][ch]$//' | sort -u | sed 's|/[^/]*$||' | uniq -c |
		awk '$1 > 27 { print $2 " holds " $1 " modules" }'
}

# Find directories of the product without a sentence in the table of rooms.
rooms_are_on_the_map() {
	git ls-files agent dcb roce policy cli | sed -n 's|/[^/]*$|/|p' | sort -u | found grep -vxFf <(
		grep -E '^\|.*\| [^|]+ \|$' packaging/docs/architecture.md | grep -oE '`[a-z_/]+/`' | tr -d '`'
	)
}

no_circle() {
	python3 tests/static/circles.py "$build" | sed 's/^/a circle: /'
}

# door LIBRARY FILES: only these files may include the library; both are regular expressions.
door() {
	includes "${rooms[@]}" | awk -v library="^<$1" -v files="^($2):" \
		'$2 ~ library && $1 !~ files'
}

policy_is_pure() {
	includes "${policy[@]}" | awk '$2 ~ /^</ && $2 !~ /^<(assert|ctype|errno|inttypes|limits)[.]h>/ &&
		$2 !~ /^<(stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|fnmatch|jansson)[.]h>/'
}

# The search is by name alone: members and comments must not have such a name either.
calls() {
	found grep -nE "(^|[^a-zA-Z0-9_])($1)[[:space:]]*\\(" "${@:2}"
}

# Find objects in writable sections; a constant table with pointers is in .data.rel.ro.
writable() {
	local objects=("$build"/{policy,agent,dcb,roce}/lib*.a.p/*.o "$build"/{libcli.a,losslessctl}.p/*.o)
	[ "${#objects[@]}" -gt 40 ] || echo "only ${#objects[@]} objects in $build"
	objdump -t "${objects[@]}" | awk '
		/file format/ { file = $1; sub(/.*\//, "", file); sub(/[.]o:$/, "", file) }
		/ O / && /[ \t](\.t?data|\.t?bss|\*COM\*)/ && !/[.]data[.]rel[.]ro/ {
			if (file " " $NF !~ /^((cli_interrupt|daemon_daemon)[.]c caught|util_oom[.]c allocation_failed)$/)
				print file ": " $NF
		}'
}

waits_elsewhere() {
	calls 'sleep_ms' "${rooms[@]}" | found grep -vE '^agent/host/host(_linux)?[.]c:'
}

# not_in FOLDER: print the names on standard input that FOLDER/meson.build does not have in quotes.
not_in() {
	found grep -vxFf <(grep -oE "'[^']+'" "$1/meson.build" | sed "s/'//g; s|^unit/||") |
		sed "s|\$| is not in $1/meson.build|"
}

every_source_is_built() {
	local room
	for room in agent cli dcb policy roce; do
		printf '%s\n' "${rooms[@]}" | sed -n "s|^$room/\(.*[.]c\)$|\1|p" | not_in $room
	done
	printf '%s\n' tests/{unit/**,integration}/test_*.c |
		sed -E 's|^tests/(unit/)?||; s|^integration/||; s|test_||; s|[.]c$||' | not_in tests
}

# tests/unit/ROOM/test_SOURCE.c or test_SOURCE_ASPECT.c: ROOM/SOURCE is a file of the product.
unit_tests_mirror_the_product() {
	local file stem
	for file in tests/unit/**/test_*.c; do
		stem=${file#tests/unit/}
		stem=${stem/test_/}
		stem=${stem%.c}
		while [ ! -e "$stem.c" ] && [ ! -e "$stem.h" ] && [[ ${stem##*/} == *_* ]]; do
			stem=${stem%_*}
		done
		[ -e "$stem.c" ] || [ -e "$stem.h" ] || echo "$file is named after no file of the product"
	done
}

layering_tests() {
	it "includes point down, from directory to directory" includes_point_down
	it "no circle between files" no_circle
	it "architecture.md says of every directory what it has" rooms_are_on_the_map
	it "no directory holds more than 27 modules" small_folders
	it "policy includes only ISO C, fnmatch and jansson: no socket, no clock" policy_is_pure
	it "libmnl comes in by its doors" door libmnl/ \
		'agent/host/[a-z_]+[.]c|dcb/(dcbnl|ethtool)[.]c|dcb/owner/guard_route[.]c|roce/(rdma_counter_reader|device|devlink|ready/addresses)[.]c'
	it "libnl comes in by its door" door netlink/ 'agent/host/rtnl[.]c'
	it "jansson comes in by its doors" door jansson \
		'policy/(document|util)/[a-z_]+[.][ch]|policy/(model/type|lint/severities)[.][ch]|agent/daemon/[a-z_]+[.][ch]|agent/monitor/rates[.][ch]|agent/engine/journal/[a-z_]+[.]c|cli/[a-z_/]+[.][ch]'
	it "libconfig comes in by its door" door libconfig 'dcb/lldpad/config_text[.]c'
	it "libsqlite3 comes in by its door" door sqlite3 'cli/fleet/[a-z_/]+[.][ch]'
	it "libseccomp comes in by its door" door seccomp 'cli/sandbox/seccomp_compile[.]c'
	it "nothing below cli reads the environment or runs a shell" \
		calls 'getenv|secure_getenv|setenv|putenv|system|popen' "${below[@]}"
	it "no string is written without its bound" \
		calls 'strcpy|strcat|sprintf|vsprintf|gets|stpcpy|strtok|alloca' "${rooms[@]}"
	it "no number from outside is read without a check" calls 'atoi|atol|atoll|atof' "${below[@]}"
	it "no variable outlives a function but the caught signal and what jansson lacked" writable
	it "only host_sleep() waits: it forgets what was known of the host" waits_elsewhere
	it "every source stands in a meson.build" every_source_is_built
	it "every unit test is named after a file of the product" unit_tests_mirror_the_product
}
