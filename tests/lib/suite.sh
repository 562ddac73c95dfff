# shellcheck shell=bash
# Suites are commands that print TAP. Each gets one line, and its failed tests are shown in full.
# To be sourced; set the directory `logs` before.

suite_passed=0
suite_failed=0
suite_running=() # names of the suites, by process
suite_most=$((2 * $(nproc))) # suites in parallel
suite_spare=0    # how many more, one a second, while the processors are idle
suite_resume=0   # 1: report suites that passed before, without running them
suite_red='' suite_green='' suite_dim='' suite_plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
	suite_red=$'\e[31m' suite_green=$'\e[32m' suite_dim=$'\e[2m' suite_plain=$'\e[0m'
fi

# suite_read LOG STATUS: print the failed tests with their output, then "passed failed skipped".
# A crash of the suite, or a count that differs from its plan, is one more failure.
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
	local name=$1 passed=$2 failed=$3 skipped=$4 seconds=$5 busy=$6 colour=$suite_green word=ok more=
	[ "$failed" -eq 0 ] || { colour=$suite_red word=FAILED; }
	[ "$failed" -eq 0 ] || more=", $failed failed"
	[ "$skipped" -eq 0 ] || more+=", $skipped skipped"
	printf '%s%-6s%s %-40s %s%4d passed%s%s %4d s, processor %3d s%s\n' "$colour" "$word" "$suite_plain" \
		"$name" "$suite_plain" "$passed" "$more" "$suite_dim" "$seconds" "$busy" "$suite_plain"
}

suite_log() {
	echo "${logs:?}/${1//\//-}.log"
}

# suite_busy FILE: print the processor seconds of a shell and its children, from `times` output.
suite_busy() {
	awk -F '[ms ]+' '{ busy += 60 * ($1 + $3) + $2 + $4 } END { printf "%.0f", busy }' "$1"
}

# suite_execute NAME COMMAND…: run the command with its output in the suite's log. LOG.end gets the
# exit status, the seconds, and the processor seconds.
suite_execute() {
	local log status=0 began=$SECONDS
	log=$(suite_log "$1")
	shift
	(set +e; trap 'times >"$log.times"' EXIT; "$@"; exit) >"$log" 2>&1 </dev/null || status=$?
	echo "$status $((SECONDS - began)) $(suite_busy "$log.times")" >"$log.end"
}

# suite_tell NAME: print the suite's line and its failed tests, and add its counts to the totals.
suite_tell() {
	local log status seconds busy report passed failed skipped
	log=$(suite_log "$1")
	read -r status seconds busy <"$log.end"
	report=$(suite_read "$log" "$status")
	read -r passed failed skipped <<<"${report##*$'\n'}"
	suite_line "$1" "$passed" "$failed" "$skipped" "$seconds" "$busy"
	sed -n 's/^# started again: /       started again: /p' "$log"
	if [ "$failed" -gt 0 ]; then
		sed '$d; s/^/       /' <<<"$report"
		echo "       ${suite_dim}all of it: $log$suite_plain"
	fi
	suite_passed=$((suite_passed + passed))
	suite_failed=$((suite_failed + failed))
}

# suite_done NAME: report the suite if it passed before and need not run.
suite_done() {
	local log status
	log=$(suite_log "$1")
	((suite_resume)) && read -r status _ 2>/dev/null <"$log.end" &&
		[[ $(suite_read "$log" "$status") =~ ^[0-9]+' 0 '[0-9]+$ ]] && suite_tell "$1"
}

# suite NAME COMMAND…: run the suite, keep its output in $logs, and report it.
suite() {
	! suite_done "$1" || return 0
	[ -z "$suite_plain" ] || printf '%s ...\r' "$1"
	suite_execute "$@"
	suite_tell "$1"
}

# suite_idle: print how long the processors have been idle, and in all, since the start of the machine.
suite_idle() {
	awk '/^cpu / { print $5 + $6, $2 + $3 + $4 + $5 + $6 }' /proc/stat
}

# suite_is_idle BEFORE NOW: true if the processors were idle for a sixth of the time between two
# outputs of suite_idle.
suite_is_idle() {
	local before now
	read -ra before <<<"$1"
	read -ra now <<<"$2"
	((6 * (now[0] - before[0]) > now[1] - before[1]))
}

# suite_may_start: wait until one more suite may run.
suite_may_start() {
	local before
	while [ "${#suite_running[@]}" -ge $suite_most ]; do
		before=$(suite_idle)
		suite_await 1
		[ "${#suite_running[@]}" -ge $((suite_most + suite_spare)) ] ||
			! suite_is_idle "$before" "$(suite_idle)" || break
	done
}

# suite_beside NAME COMMAND…: run a suite in parallel with others.
suite_beside() {
	! suite_done "$1" || return 0
	suite_may_start
	suite_execute "$@" &
	suite_running[$!]=$1
}

# suite_await [SECONDS]: wait until one of the parallel suites ends, and report it, but no longer.
suite_await() {
	local process name tick=()
	[ $# -eq 0 ] || { sleep "$1" & tick=($!); }
	wait -n -p process "${!suite_running[@]}" "${tick[@]}" || true
	[[ -v suite_running[process] ]] || return 0
	name=${suite_running[process]}
	unset "suite_running[process]"
	suite_tell "$name"
}

suites_await() {
	while [ "${#suite_running[@]}" -gt 0 ]; do suite_await; done
}

# suites_end: print the last line; the status is 1 if a test failed.
suites_end() {
	echo "$suite_passed passed, $suite_failed failed"
	[ "$suite_failed" -eq 0 ]
}
