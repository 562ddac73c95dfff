#!/usr/bin/env bash
# short: 6.12
# The report of a failed apply agrees with other tools: exit 1 means unchanged, and exit 4 names
# exactly the settings that differ. This file has some faults; truth_long.sh has the whole table.
. tests/system/lib_truth.sh
# shellcheck source=tests/system/lib_moments.sh
. tests/system/lib_moments.sh

from_one_setup_to_another() {
	from=first to=second
	bring_to $from
	fails QPDPM internal_err 0 3
	fails QETCR internal_err 0 1
	fails QTCT:read internal_err 0 12
}

from_power_on() {
	from=new to=first
	bring_to $from
	fails QPTS internal_err 0
	fails MODIFY_CONG_PARAMS internal_err 0
}

back_to_no_entries() {
	from=first to=none
	bring_to $from
	fails QPDPM internal_err 1
	fails QPDPM internal_err 0 3
}

# An entry fails, for which the driver sets trust to PCP, and trust fails once the rollback has
# deleted all entries: a later rollback can set all anew.
lost_trust_is_written_again() {
	bring_to first
	connectx $port fault QPDPM fail internal_err 1 3
	connectx $port fault QPTS fail internal_err 0 2
	expect 4 losslessctl --json apply "$work/second.json" $port
	says '"setting":"trust","actual":"pcp","previous":"dscp"'
	expect 4 losslessctl --json rollback
	says '"setting":"trust","actual":"pcp","previous":"dscp"'
	connectx $port fault none
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'a journal is left'
}

# The driver counts an entry too many: no write restores trust until the driver starts again.
lost_trust_waits_for_the_driver() {
	bring_to first
	connectx $port fault QPDPM fail internal_err
	expect 4 losslessctl --json apply "$work/none.json" $port
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	expect 4 losslessctl --json rollback
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	expect 4 losslessctl rollback
	says "devlink dev reload pci/${pci_of[$port]}"
	connectx $port restart
	wait_carrier
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
}

# Every verb reports the adapter's trust, not the kernel's value, until the driver starts again.
lost_trust_is_known_to_all() {
	bring_to none
	expect 0 losslessctl apply "$work/first.json" $port
	connectx $port fault QPDPM fail internal_err
	expect 0 losslessctl rollback
	says 'the driver now counts one DSCP entry too many'
	expect 2 losslessctl --json verify "$work/first.json" $port
	says '"setting":"trust","status":"drift"'
	expect 2 losslessctl plan "$work/first.json" $port
	losslessctl --json show $port 2>/dev/null | grep -q '"trust":"pcp"' || echo 'show says otherwise'
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	losslessctl apply "$work/first.json" $port >"$work/out" 2>&1 && echo 'apply set what it cannot set'
	says "devlink dev reload pci/${pci_of[$port]}"
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	connectx $port restart
	wait_carrier
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || expect 0 losslessctl rollback
	expect 0 losslessctl apply "$work/first.json" $port
	same 'the register' 'trust dscp' "$(grep '^trust ' "$device/state")"
	expect 0 losslessctl verify "$work/first.json" $port
}

# The driver refuses an entry, and the run is killed before it can roll back.
killed_while_the_driver_refuses() {
	local n pending=/var/lib/losslessctl/journal/pending.json
	bring_to first
	changes_of sendto losslessctl -q apply "$work/second.json" $port >"$work/writes"
	expect 0 losslessctl -q apply "$work/first.json" $port
	while read -r _ n; do
		connectx $port fault QPDPM fail internal_err 1 2
		killed_at sendto "$n" losslessctl -q apply "$work/second.json" $port
		! grep -q '^trust pcp' "$device/state" || break
		connectx $port fault none
		[ ! -e $pending ] || expect 0 losslessctl -q rollback
	done <"$work/writes"
	connectx $port fault none
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	expect 2 losslessctl -q verify "$work/first.json" $port
	expect 0 losslessctl rollback
	same 'the register' 'trust dscp' "$(grep '^trust ' "$device/state")"
	same 'the port' "$outside" "$(settings_outside)"
}

every_step_has_its_status() {
	bring_to first
	connectx $port fault QTCT fail internal_err
	expect 1 losslessctl --json apply "$work/second.json" $port
	same 'statuses' 'done failed not_attempted' \
		"$(grep -oE '"status":"[a-z_]*"' "$work/out" | cut -d'"' -f4 | uniq | xargs)"
	says '"feature":"ets","disrupts":"none","status":"failed","message":"the driver refused: Input/output error"'
	says '"rollback":{"attempts":1}'
	connectx $port fault QTCT fail internal_err
	expect 1 losslessctl apply "$work/second.json" $port
	says 'ets: failed: the driver refused: Input/output error'
	says 'dscp: not attempted'
	says 'mtu: done'
	says 'rollback: 1 attempt'
}

a_step_without_effect_has_failed() {
	bring_to first
	connectx $port fault QTCT ignore 0
	expect 1 losslessctl --json apply "$work/second.json" $port
	connectx $port fault none
	says '"feature":"ets","disrupts":"none","status":"failed","message":"accepted by the kernel but not in effect'
	same 'steps not attempted' 0 "$(grep -c not_attempted "$work/out")"
}

why_rolling_back_failed() {
	bring_to first
	connectx $port fault QTCT fail internal_err 0 8 # each class is a write
	connectx $port fault QETCR fail internal_err 1 2 # the rates come third
	expect 4 losslessctl apply "$work/second.json" $port
	connectx $port fault none
	says "rollback: 3 attempts; the last one failed: $port: writing ets: the driver refused"
	says 'ets.prio_tc           not rolled back: '
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
}

a_rollback_tries_a_failed_write_again() {
	bring_to first
	local before
	before=$(settings_outside)
	expect 0 losslessctl apply "$work/second.json" $port
	connectx $port fault QTCT fail internal_err
	expect 0 losslessctl rollback $port
	says 'rolling back'
	same 'the port' "$before" "$(settings_outside)"
}

an_errno_reads_the_same_everywhere() {
	bring_to first
	connectx $port fault PMTU fail res_busy
	expect 1 losslessctl apply "$work/second.json" $port
	says 'mtu: failed: the driver refused: Device or resource busy'
}

without_a_link_none_flaps() {
	bring_to first
	connectx $port link down
	make_policy '{"pfc":{"priorities":[5]}}' $port
	expect 2 losslessctl plan "$work/policy.json" $port
	says 'no link will flap'
	! grep 'the link will flap' "$work/out"
	connectx $port link up
	wait_carrier
}

write_policies
in_long it 'faults between two setups: the report is what others see' from_one_setup_to_another
it 'faults from power-on: the report is what others see' from_power_on
in_long it 'trust that the adapter lost is written again by the next rollback' lost_trust_is_written_again
it 'trust that no write brings back: exit 4 until the driver starts again' lost_trust_waits_for_the_driver
it 'a run that is killed while the driver refuses: the next one restores trust' killed_while_the_driver_refuses
it 'and is known to verify, plan, show and a later apply' lost_trust_is_known_to_all
in_long it 'faults while DSCP entries are deleted: the report is what others see' back_to_no_entries
it "an errno reads as strerror's words, also through libnl" an_errno_reads_the_same_everywhere
it 'a failed apply says of each step: done, failed and why, or not attempted' every_step_has_its_status
it 'a step that has no effect has failed' a_step_without_effect_has_failed
it 'a failed rollback says why' why_rolling_back_failed
it 'a rollback tries a write that failed again' a_rollback_tries_a_failed_write_again
it 'without a link the plan says that none flaps' without_a_link_none_flaps
tap_end
