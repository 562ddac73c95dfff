# shellcheck shell=bash
# A command cut off, or held, at one of its system calls. To be sourced after lib.sh.
# (Not with strace --seccomp-bpf: strace 6.1 then sends no signal.)

# moments CALL|all COMMAND...: its system calls, each as "CALL N", the N-th of its name.
moments() {
	strace -f -o "$work/trace" -e "trace=$1" "${@:2}" >/dev/null 2>&1
	sed -nE 's/^[0-9]+ +([a-z0-9_]+)\(.*/\1/p' "$work/trace" | awk '$1 != "execve" { print $1, ++n[$1] }'
}

# killed_at CALL N COMMAND...: the N-th call is answered by kill -9; false when there is no N-th.
killed_at() {
	strace -f -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" "${@:3}" >/dev/null 2>&1
	[ $? -eq 137 ]
}

# stopped_after CALL N COMMAND...: runs it until its N-th call is done, and holds it there; false,
# with its exit code in $code: it has ended before. Its output is in $work/out and $work/err.
stopped_after() {
	: >"$work/trace"
	code=
	strace -f -o "$work/trace" -e "trace=$1" -e "inject=$1:signal=STOP:when=$2" "${@:3}" \
		>"$work/out" 2>"$work/err" &
	tracer=$!
	until grep -q 'stopped by SIGSTOP' "$work/trace"; do
		if ! kill -0 $tracer 2>/dev/null; then
			code=0
			wait $tracer || code=$?
			return 1
		fi
		sleep 0.01
	done
}

# What is held goes on to its end: $code.
goes_on() {
	kill -CONT "$(tr -d ' ' <"/proc/$tracer/task/$tracer/children")"
	code=0
	wait $tracer || code=$?
}
