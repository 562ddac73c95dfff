# shellcheck shell=bash
# TAP for scripts: each test is a sentence and a command that prints its findings.
# To be sourced; end with `tap_end`, whose status is the script's.

tap_count=0
tap_failed=0

# tap_busy NAME: set NAME to the hundredths of processor seconds of this shell and of its children that
# ended. tests/system/lib.sh has those of the whole guest.
tap_busy() {
	local stat
	read -ra stat </proc/$$/stat
	printf -v "$1" %d $((stat[13] + stat[14] + stat[15] + stat[16]))
}

# it SENTENCE COMMAND…: report a test, which passes when the command succeeds and prints nothing.
# With LOSSLESSCTL_TEST_TIMES=1, a comment has what it took of the processor.
it() {
	local tap_sentence=$1 tap_said tap_status tap_began tap_ended
	shift
	tap_busy tap_began
	tap_count=$((tap_count + 1))
	set +e
	tap_said=$(
		set -e
		"$@" 2>&1
	)
	tap_status=$?
	set -e
	tap_busy tap_ended
	[ -z "${LOSSLESSCTL_TEST_TIMES-}" ] || echo "# $((tap_ended - tap_began)) of the processor: $tap_sentence"
	if [ "$tap_status" -eq 0 ] && [ -z "$tap_said" ]; then
		echo "ok $tap_count - $tap_sentence"
		return
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $tap_sentence"
	[ -z "$tap_said" ] || sed 's/^/# /' <<<"$tap_said"
	[ "$tap_status" -eq 0 ] || echo "# exit status $tap_status"
}

# found COMMAND…: run a search. Exit status 1, which means no match, is a success.
found() {
	"$@" || [ $? -eq 1 ]
}

tap_end() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
}
