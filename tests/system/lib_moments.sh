# shellcheck shell=bash
# Functions that kill or hold a command at one of its system calls. To be sourced after lib.sh.

# moments CALLS COMMAND...: list COMMAND's system calls as "CALL N": the N-th of that name. Commas
# separate CALLS.
moments() {
	"$tools/hold_at" list "$@" 2>/dev/null | grep -E '^[a-z0-9_]+ [0-9]+$'
}

# changes_of CALLS|all COMMAND...: list COMMAND's calls that change something as "CALL N".
changes_of() {
	local calls=${1/#all/openat,sendto,sendmsg,write,fsync,renameat,mkdirat,unlinkat}
	"$tools/hold_at" changes "$calls" "${@:2}" 2>/dev/null | grep -E '^[a-z0-9_]+ [0-9]+$'
}

# killed_at CALL N COMMAND...: kill COMMAND after its N-th CALL that changes something; false
# without an N-th.
killed_at() {
	"$tools/hold_at" kill "$@" >/dev/null 2>&1
	[ $? -eq 137 ]
}

# stopped_after CALL N COMMAND...: run COMMAND until its N-th CALL is done, and hold it there.
# False, with the exit code in $code, if it ended before. Its output is in $work/out and $work/err.
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

# Let the held command run to its end, and set $code.
goes_on() {
	rm "$work/held"
	code=0
	wait $holder || code=$?
}

# No file of the journal is half written.
whole_journal() {
	local file
	for file in /var/lib/losslessctl/journal/*.json; do
		[ ! -e "$file" ] || "$tools/is_json" "$file"
	done
}
