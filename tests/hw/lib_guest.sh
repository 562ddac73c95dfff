# shellcheck shell=bash
# Shared functions for the tests of tests/hw/accept. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port and work

accept() {
	tests/hw/accept "$port" "$@"
}

accept_writing() {
	accept --write --yes-i-mean "$port" "$@"
}

# outcomes OUTCOME: print the facts that have it in the last run with --json, in order.
outcomes() {
	sed -n "s/^{\"fact\":\"\([^\"]*\)\".*\"outcome\":\"$1\".*/\1/p" "$work/out" | tr '\n' ' ' | sed 's/ $//'
}

settings_of() {
	"$@" | grep -o '"config":{.*'
}

nothing_is_left() {
	[ ! -e "/run/losslessctl-accept/$port" ] || echo 'it left its record'
}

# Restore the default behaviour of the simulated firmware.
firmware_as_it_was() {
	connectx "$port" fault none
	connectx "$port" firmware forgetful off
	connectx "$port" firmware pause keeps_pfc
	connectx "$port" cc rp_ai_rate most 0
}
