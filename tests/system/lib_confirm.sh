# shellcheck shell=bash
# Applies that await confirmation, for confirm.sh and confirm_others.sh.

waiting=/run/losslessctl/pending-confirm.json
ours=$work/ours.json

state() {
	hardware $port
	hardware $other
}

# apply SECONDS [OPTION]...: start an apply that awaits confirmation.
apply() {
	expect 0 losslessctl --json apply --confirm-within "$@" "$ours"
	same outcome awaiting_confirmation "$(json outcome)"
}

begin() {
	reset_ports
	before=$(state)
}

guard() {
	sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' $waiting
}

# soon TRIES COMMAND...: repeat COMMAND until it succeeds.
soon() {
	local tries=$1
	shift
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
}
