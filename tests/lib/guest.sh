# shellcheck shell=bash
# Sourced: a test in a guest.

# in_guest RUN OPTION…: RUN is tests/vm/run. Once in about a thousand runs the emulated processor
# jumps to an address that is no code's, and the guest's kernel dies (RIP and the value on the stack
# make no sense; the reason is not known). Such a guest has tested nothing: it is started once more,
# and that is reported. A crash with the simulated port in its trace, and a second one, fail.
in_guest() {
	local code=0 said
	said=$(mktemp)
	"$@" >"$said" 2>"$said.err" || code=$?
	if [ $code -eq 125 ] && grep -q 'the guest died;' "$said.err" &&
		! grep -qF '[mlx5sim]' "$said.err"; then
		sed 's/^/# /' "$said.err"
		echo "# started again: the guest's kernel died outside the simulated port"
		code=0
		"$@" >"$said" 2>"$said.err" || code=$?
	fi
	cat "$said" "$said.err"
	rm "$said" "$said.err"
	return $code
}
