# shellcheck shell=bash
# TAP for scripts: each test is a sentence and a command that prints its findings.
# To be sourced; end with `tap_end`, whose status is the script's.

tap_count=0
tap_failed=0

# it SENTENCE COMMAND…: report a test, which passes when the command succeeds and prints nothing.
it() {
	local tap_sentence=$1 tap_said tap_status
	shift
	tap_count=$((tap_count + 1))
	set +e
	tap_said=$(
		set -e
		"$@" 2>&1
	)
	tap_status=$?
	set -e
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
