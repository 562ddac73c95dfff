# shellcheck shell=bash
# Suites: commands that print TAP. Each becomes one line, and what failed in it is shown in full.
# To be sourced; set `logs`, a folder, before.

suite_passed=0
suite_failed=0
suite_red='' suite_green='' suite_dim='' suite_plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
	suite_red=$'\e[31m' suite_green=$'\e[32m' suite_dim=$'\e[2m' suite_plain=$'\e[0m'
fi

# suite_read LOG STATUS: "passed failed skipped" and then what failed, with all that it printed.
# A suite that crashed, or whose count is not its plan, has one failure more.
suite_read() {
	awk -v status="$2" '
		function flush() { printf "%s", held; held = "" }
		/^ok [0-9]+|^(not )?ok [0-9]+.*# SKIP/ {
			if (/# SKIP/) skipped++; else passed++
			held = ""; telling = 0; seen++; next
		}
		/^not ok [0-9]+/ { failed++; seen++; flush(); print; telling = 1; next }
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1; next }
		telling && /^#/ { print; next }
		{ held = held $0 "\n"; telling = 0 }
		END {
			if (!planned || plan != seen || !seen || (status != 0 && !failed)) {
				flush()
				printf "not ok - the suite came to its end\n# exit status %d, %d results, ", status, seen
				print planned ? plan " planned" : "no plan"
				failed++
			}
			print passed + 0, failed + 0, skipped + 0
		}' "$1"
}

suite_line() {
	local name=$1 passed=$2 failed=$3 skipped=$4 seconds=$5 colour=$suite_green word=ok more=
	[ "$failed" -eq 0 ] || { colour=$suite_red word=FAILED; }
	[ "$failed" -eq 0 ] || more=", $failed failed"
	[ "$skipped" -eq 0 ] || more+=", $skipped skipped"
	printf '%s%-6s%s %-26s %s%4d passed%s%s %4d s%s\n' "$colour" "$word" "$suite_plain" "$name" \
		"$suite_plain" "$passed" "$more" "$suite_dim" "$seconds" "$suite_plain"
}

# suite NAME COMMAND…: runs it, keeps its output in $logs, and counts.
suite() {
	local name=$1 log status=0 began=$SECONDS report passed failed skipped
	shift
	log=${logs:?}/${name//\//-}.log
	[ -z "$suite_plain" ] || printf '%s ...\r' "$name"
	(set +e; "$@"; exit) >"$log" 2>&1 </dev/null || status=$? # a crash is told in the log
	report=$(suite_read "$log" "$status")
	read -r passed failed skipped <<<"${report##*$'\n'}"
	suite_line "$name" "$passed" "$failed" "$skipped" $((SECONDS - began))
	if [ "$failed" -gt 0 ]; then
		sed '$d; s/^/       /' <<<"$report"
		echo "       ${suite_dim}all of it: $log$suite_plain"
	fi
	suite_passed=$((suite_passed + passed))
	suite_failed=$((suite_failed + failed))
}

# suites_end: the last line, and whether all is well.
suites_end() {
	echo "$suite_passed passed, $suite_failed failed"
	[ "$suite_failed" -eq 0 ]
}
