#!/usr/bin/env bash
# only: 6.12
# waits
# A kernel that falls silent: from some request on it answers nothing, though it still carries out
# commands. Every verb ends within seconds, reports the silence and no success; once the kernel
# answers again, rollback restores the state before.
. tests/system/lib.sh

limit=60 # seconds: one full wait, and a short one for each further request
# Requests between one silence and the next: a verb that reads sends few, a verb that writes many.
read_step=6 step=40
! is_long || read_step=1 step=4

# deaf_from N COMMAND…: run it with a kernel that is silent from request N on; its exit code is in
# $code, its output in $work/{out,err}. False if it ended before: how often it looks at a link that
# comes back differs from run to run.
deaf_from() {
	code=0
	echo 0 >"$work/deaf"
	echo "$1" >>"$work/silences"
	DEAF_MARK=$work/deaf DEAF_FROM=$1 LD_PRELOAD=$tools/libdeaf.so timeout $limit "${@:2}" \
		>"$work/out" 2>"$work/err" || code=$?
	[ $code -ne 124 ] || echo "silent from question $1: not ended after $limit s: ${*:2}"
	[ "$(cat "$work/deaf")" = 1 ]
}

# Count the requests of a command that gets answers.
questions() {
	"$tools/hold_at" list sendto,sendmsg "$@" 2>/dev/null | grep -cE '^send(to|msg) '
}

# reader COMMAND…: it reports the silence, unless the missing answers do not change its output.
reader() {
	local n last whole said=0
	last=$(questions "$@")
	[ "$last" -gt 10 ] || echo "only $last questions: $*"
	whole=$("$@" 2>&1)
	for ((n = last; n > 0; n -= read_step)); do
		deaf_from $n "$@" || echo "ended before question $n"
		[ "$(cat "$work/out" "$work/err")" != "$whole" ] || continue
		said=$((said + 1))
		[ $code -ne 0 ] || echo "silent from question $n of $last: exit code 0"
		says 'does not answer'
	done
	[ $((said * read_step)) -gt $((last / 2)) ] || echo "said of $said silences only"
}

state() {
	hardware $port
	cat /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_{mode,tos}
}

# Success means that every setting was read back before the silence, and is there: only what the
# driver makes of them is unknown.
applied_before_the_silence() {
	says 'applied and verified; whether '
	wait_carrier
	expect 0 losslessctl verify $policy $port
}

# An exit code of 1 means that the port is as $before; the only others are 4 and success.
writer_tells_the_truth() {
	[ $code -ne 0 ] || { applied_before_the_silence && return; }
	[ $code -ne 1 ] || same "silent from question $n, exit code 1" "$before" "$(state)"
	[ $code -eq 1 ] || [ $code -eq 4 ] || echo "silent from question $n of $last: exit code $code"
}

an_apply() {
	local n last before silences=0
	reset_ports
	before=$(state)
	last=$(questions losslessctl -q apply $policy $port)
	# The last few are asked after all is read back.
	for n in $(seq 1 $step "$last") $((last - 5)); do
		reset_ports
		deaf_from $n losslessctl apply $policy $port || continue
		silences=$((silences + 1))
		says 'does not answer'
		writer_tells_the_truth
		wait_carrier
		losslessctl -q rollback >/dev/null 2>&1
		wait_carrier
		same "silent from question $n of $last, rolled back" "$before" "$(state)"
	done
	[ $((silences * step)) -gt $((last / 2)) ] || echo "only $silences silences in $last questions"
}

# The next rollback repairs a partially configured port.
a_rollback() {
	local before
	reset_ports
	before=$(state)
	expect 0 losslessctl apply $policy $port
	wait_carrier
	deaf_from 30 losslessctl rollback || echo 'it ended before'
	[ $code -ne 0 ] || echo 'exit code 0'
	says 'does not answer'
	wait_carrier
	expect 0 losslessctl rollback
	wait_carrier
	same 'rolled back again' "$before" "$(state)"
}

reset_ports
it 'show' reader losslessctl show $port
it 'plan' reader losslessctl plan $policy $port
it 'verify' reader losslessctl verify $policy $port
it 'apply calls nothing done, and rollback restores what was' an_apply
it 'rollback calls nothing done, and can be asked again' a_rollback
echo "# $(wc -l <"$work/silences") silences"
tap_end
