# shellcheck shell=bash
# Run a test in a guest. To be sourced.

# in_guest RUN OPTION…: call RUN, which is tests/vm/run. In about one of a thousand runs, the
# emulated processor jumps to an address without code, and the guest's kernel dies (RIP and the
# value on the stack make no sense), or it traps as if told to go step by step (exc_debug_kernel; the
# flags are a part of an address, seen after cmpxchg16b; without that instruction guests take a sixth
# more time). Such a guest has tested nothing: restart it once, and report that. A second crash
# fails, and one with the simulated port in its trace.
in_guest() {
	local code=0 said
	said=$(mktemp)
	"$@" >"$said" 2>"$said.err" || code=$?
	if [ $code -eq 125 ] && grep -qE 'the guest died;|WARNING: .* exc_debug_kernel' "$said.err" &&
		! grep -qE '\[connectx\]' "$said.err"; then
		sed 's/^/# /' "$said.err"
		echo "# started again: the guest's kernel failed outside the simulated port"
		code=0
		"$@" >"$said" 2>"$said.err" || code=$?
	fi
	cat "$said" "$said.err"
	rm "$said" "$said.err"
	return $code
}
