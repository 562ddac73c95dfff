# shellcheck shell=bash
# Functions that kill or hold a command at one of its system calls. To be sourced after lib.sh.

# moments CALLS|all COMMAND...: list COMMAND's system calls as "CALL N THIRD": the N-th of that
# name, and its third argument, or 0 for a query to the kernel. Commas separate CALLS.
moments() {
	"$tools/hold_at" list "$@" 2>/dev/null | grep -E '^[a-z0-9_]+ [0-9]+ [0-9]+$'
}

# The system calls that change something outside; of openat and messages to the kernel some do.
changing='openat sendto sendmsg write fsync renameat mkdirat unlinkat'

# changes_of COMMAND...: list COMMAND's calls that change something as "CALL N". An openat does with
# O_WRONLY, O_RDWR or O_CREAT, and a message to the kernel if it is more than a query.
changes_of() {
	local call n third
	while read -r call n third; do
		case $call in
		openat) ((third & 0103)) || continue ;;
		send*) ((third)) || continue ;;
		esac
		echo "$call $n"
	done < <(moments "${changing// /,}" "$@")
}

# killed_at CALL N COMMAND...: kill COMMAND after its N-th CALL; false without an N-th.
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
