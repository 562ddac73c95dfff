# shellcheck shell=bash
# A command cut off, or held, at one of its system calls. To be sourced after lib.sh.

# moments CALLS|all COMMAND...: its system calls, each as "CALL N THIRD": the N-th of its name, and
# its third argument, or 0 for a question to the kernel. CALLS has commas between them.
moments() {
	"$tools/hold_at" list "$@" 2>/dev/null | grep -E '^[a-z0-9_]+ [0-9]+ [0-9]+$'
}

# killed_at CALL N COMMAND...: kill -9 after its N-th call; false when there is no N-th.
killed_at() {
	"$tools/hold_at" kill "$@" >/dev/null 2>&1
	[ $? -eq 137 ]
}

# stopped_after CALL N COMMAND...: runs it until its N-th call is done, and holds it there; false,
# with its exit code in $code: it has ended before. Its output is in $work/out and $work/err.
stopped_after() {
	rm -f "$work/held"
	code=
	"$tools/hold_at" hold "$1" "$2" "$work/held" "${@:3}" >"$work/out" 2>"$work/err" &
	holder=$!
	until [ -e "$work/held" ]; do
		if ! kill -0 $holder 2>/dev/null; then
			code=0
			wait $holder || code=$?
			return 1
		fi
		sleep 0.01
	done
}

# What is held goes on to its end: $code.
goes_on() {
	rm "$work/held"
	code=0
	wait $holder || code=$?
}

# No half of a journal is left.
whole_journal() {
	local file
	for file in /var/lib/losslessctl/journal/*.json; do
		[ ! -e "$file" ] || "$tools/is_json" "$file"
	done
}
