#!/usr/bin/env bash
# short: 6.1
# waits long
# vm: --peer
# Nothing that stops an apply stops its way back: some rows; recovery_long.sh has all.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh
. tests/system/lib_recovery.sh

recovery_rows <<'END'
unconfirmed before off none
unconfirmed within off watchdog
unconfirmed none off readonly-run
killed before enforce run
killed none off journal
applied none off readonly
applied dying-R off none
applied hanging off none
END

# The second apply changes what lldpad sends, not that it does.
from_one_advertisement_to_another() {
	local before held
	reset_ports
	recovery_policy before report
	start
	expect 0 losslessctl -q apply "$work/policy.json" $port
	before=$(now) held=$(lldp_of "$work/here.conf")
	sed -i 's/50,0,0,50/40,0,0,60/' "$work/policy.json"
	expect 0 losslessctl -q apply "$work/policy.json" $port
	end_kept
	expect 4 losslessctl rollback
	says 'start lldpad, then run `losslessctl rollback`'
	says 'dcbx.advertise not rolled back: unknown'
	start_again
	expect 0 losslessctl rollback
	sleep 20 # lldpad waits 15 s for a switch before it writes
	same 'the port' "$before" "$(now)"
	same 'what lldpad holds' "$held" "$(lldp_of "$work/here.conf")"
	end_kept
}
it 'an ended lldpad is given the advertisement before the last apply' from_one_advertisement_to_another
tap_end
