#!/usr/bin/env bash
# short: 6.12
# The report of a failed apply agrees with other tools: exit 1 means unchanged, and exit 4 names
# exactly the settings that differ. This file has some faults; truth_long.sh has the whole table.
. tests/system/lib_truth.sh
# shellcheck source=tests/system/lib_moments.sh
. tests/system/lib_moments.sh

# The apply changed nothing, so it rolls nothing back.
a_refused_entry_changes_nothing() {
	bring_to first
	mlx5sim $port fail ieee_setapp EIO 0
	expect 1 losslessctl --json apply "$work/second.json" $port
	mlx5sim $port fail ieee_setapp 0
	same outcome failed "$(json outcome)"
	same 'the port' "$outside" "$(settings_outside)"
}

from_one_setup_to_another() {
	from=first to=second
	bring_to $from
	fails ieee_setapp EIO 0 5
	fails ieee_setapp_qpdpm EIO 0
	fails ieee_setapp_qpdpm EIO 0 3
	fails ieee_setapp_qpdpm ENODEV 1 3
	fails ieee_setets_bw EIO 0 1
	fails ieee_getets EIO 0 12
	fails set_tunable EOPNOTSUPP 1
}

from_power_on() {
	from=new to=first
	bring_to $from
	fails ieee_setapp_qpdpm EINVAL 0 1
	fails ieee_setpfc_buffer EIO 0
	fails cc_set EIO 0
}

back_to_no_entries() {
	from=first to=none
	bring_to $from
	fails ieee_delapp EIO 0
	fails ieee_delapp_qpdpm EIO 1
	fails ieee_delapp_qpdpm EIO 0 3
}

# The adapter lost trust, and the kernel still reads the old value: the journal's value counts. The
# driver refuses deletion before it writes anything, so that a later rollback can set all anew.
lost_trust_is_written_again() {
	bring_to first
	mlx5sim $port fail ieee_setapp_qpdpm EIO 0 3
	mlx5sim $port fail ieee_delapp EIO 0
	expect 4 losslessctl --json apply "$work/second.json" $port
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	expect 4 losslessctl --json rollback
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	mlx5sim $port fail ieee_setapp_qpdpm 0
	mlx5sim $port fail ieee_delapp 0
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'a journal is left'
}

# The driver counts an entry too many: no write restores trust until the driver starts again.
lost_trust_waits_for_the_driver() {
	bring_to first
	mlx5sim $port fail ieee_delapp_qpdpm EIO 1
	expect 4 losslessctl --json apply "$work/none.json" $port
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	expect 4 losslessctl --json rollback
	says '"setting":"trust","actual":"pcp","previous":"dscp","readable":false'
	expect 4 losslessctl rollback
	says "devlink dev reload pci/${pci_of[$port]}"
	mlx5sim $port reinit
	ip link set $port up
	wait_carrier
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
}

# Every verb reports the adapter's trust, not the kernel's value, until the driver starts again.
lost_trust_is_known_to_all() {
	bring_to none
	expect 0 losslessctl apply "$work/first.json" $port
	mlx5sim $port fail ieee_delapp_qpdpm EIO 1
	expect 4 losslessctl rollback
	expect 2 losslessctl --json verify "$work/first.json" $port
	says '"setting":"trust","status":"drift"'
	expect 2 losslessctl plan "$work/first.json" $port
	losslessctl --json show $port 2>/dev/null | grep -q '"trust":"pcp"' || echo 'show says otherwise'
	expect 0 losslessctl rollback
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	losslessctl apply "$work/first.json" $port >"$work/out" 2>&1 && echo 'apply set what it cannot set'
	says "devlink dev reload pci/${pci_of[$port]}"
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	mlx5sim $port reinit
	ip link set $port up
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
	moments sendto losslessctl -q apply "$work/second.json" $port | awk '$3 { print $2 }' >"$work/writes"
	expect 0 losslessctl -q apply "$work/first.json" $port
	while read -r n; do
		mlx5sim $port fail ieee_setapp_qpdpm EIO 1 2
		killed_at sendto "$n" losslessctl -q apply "$work/second.json" $port
		! grep -q '^trust pcp' "$device/state" || break
		mlx5sim $port fail ieee_setapp_qpdpm 0
		[ ! -e $pending ] || expect 0 losslessctl -q rollback
	done <"$work/writes"
	mlx5sim $port fail ieee_setapp_qpdpm 0
	same 'the register' 'trust pcp' "$(grep '^trust ' "$device/state")"
	expect 2 losslessctl -q verify "$work/first.json" $port
	expect 0 losslessctl rollback
	same 'the register' 'trust dscp' "$(grep '^trust ' "$device/state")"
	same 'the port' "$outside" "$(settings_outside)"
}

every_step_has_its_status() {
	bring_to first
	mlx5sim $port fail ieee_setets EIO 1
	expect 1 losslessctl --json apply "$work/second.json" $port
	same 'statuses' 'done failed not_attempted' \
		"$(grep -oE '"status":"[a-z_]*"' "$work/out" | cut -d'"' -f4 | uniq | xargs)"
	says '"feature":"ets","disrupts":"none","status":"failed","message":"the driver refused: Input/output error"'
	says '"rollback":{"attempts":1}'
	mlx5sim $port fail ieee_setets EIO 1
	expect 1 losslessctl apply "$work/second.json" $port
	says 'ets: failed: the driver refused: Input/output error'
	says 'dscp: not attempted'
	says 'mtu: done'
	says 'rollback: 1 attempt'
}

a_step_without_effect_has_failed() {
	bring_to first
	mlx5sim $port deaf ieee_setets on
	expect 1 losslessctl --json apply "$work/second.json" $port
	mlx5sim $port deaf ieee_setets off
	says '"feature":"ets","disrupts":"none","status":"failed","message":"accepted by the kernel but not in effect'
	same 'steps not attempted' 0 "$(grep -c not_attempted "$work/out")"
}

why_rolling_back_failed() {
	bring_to first
	mlx5sim $port fail ieee_setets EIO 0 1
	mlx5sim $port fail ieee_setmaxrate EIO 1
	expect 4 losslessctl apply "$work/second.json" $port
	mlx5sim $port fail ieee_setets 0
	says "rollback: 3 attempts; the last one failed: $port: writing ets: the driver refused"
	says 'ets.prio_tc           not rolled back: '
	expect 0 losslessctl rollback
	same 'the port' "$outside" "$(settings_outside)"
}

a_failed_rollback_that_is_undone_says_so() {
	bring_to second
	local before
	before=$(settings_outside)
	mlx5sim $port fail ieee_setets EIO 1
	expect 1 losslessctl rollback $port
	says "rollback failed; the settings from before it are restored and verified"
	says 'undo: 1 attempt'
	same 'the port' "$before" "$(settings_outside)"
}

an_errno_reads_the_same_everywhere() {
	bring_to first
	mlx5sim $port fail change_mtu EBUSY 1
	expect 1 losslessctl apply "$work/second.json" $port
	says 'mtu: failed: the driver refused: Device or resource busy'
}

without_a_link_none_flaps() {
	bring_to first
	mlx5sim $port carrier down
	make_policy '{"pfc":{"priorities":[5]}}' $port
	expect 2 losslessctl plan "$work/policy.json" $port
	says 'no link will flap'
	! grep 'the link will flap' "$work/out"
	mlx5sim $port carrier up
	wait_carrier
}

# The plan for other drivers announces their side effects, which are not those of mlx5.
as_other_driver() {
	reset_ports
	mlx5sim $port kind "$1"
	ip link set $port up
	wait_carrier
	ethtool -A $port rx on tx on
	make_policy '{"ets":{"prio_tc":[0,0,0,1,0,0,0,0],"bandwidth":[50,50,0,0,0,0,0,0],
		"tsa":["ets","ets","strict","strict","strict","strict","strict","strict"]},
		"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
}

only_mlx5_has_mlx5s_side_effects() {
	local flaps
	as_other_driver "$1"
	flaps=$(cat /sys/class/net/$port/carrier_down_count)
	expect 2 losslessctl plan "$work/policy.json" $port
	says 'no link will flap'
	! grep 'side effect' "$work/out"
	expect 0 losslessctl apply --no-link-flap "$work/policy.json" $port
	same 'times that the link went down' "$flaps" "$(cat /sys/class/net/$port/carrier_down_count)"
	# PFC leaves pause on here, so a policy without pause would end with both on.
	expect 0 losslessctl rollback
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 1 losslessctl apply "$work/policy.json" $port
	says 'PFC and 802.3x global pause are both on'
	mlx5sim $port kind mlx5
}

setup_dcb() {
	dcb ets show dev $port prio-tc tc-tsa tc-bw
	dcb pfc show dev $port prio-pfc
	dcb -N app show dev $port dscp-prio
}

# The first DSCP entry resets ETS on ice, and deleting the last one resets ETS and PFC.
on_ice() {
	as_other_driver ice
	mv "$work/policy.json" "$work/classes.json"
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	mv "$work/policy.json" "$work/only_pfc.json"
	make_policy '{"trust":"dscp","dscp":{"prio":{"26":3,"48":6},"rest":0}}' $port
	expect 0 losslessctl apply "$work/$1.json" $port
	outside=$(setup_dcb)
}

dscp_entries_reset_classes_on_ice() {
	on_ice "$1"
	expect 2 losslessctl plan "$work/policy.json" $port
	grep -q 'ets.prio_tc .* → 0 1 2 3 4 5 6 7 .*side effect' "$work/out" ||
		cat "$work/out"
	expect 0 losslessctl apply "$work/policy.json" $port
	expect 0 losslessctl rollback
	same 'the port after rollback' "$outside" "$(setup_dcb)"
}

a_failed_dscp_step_restores_classes_on_ice() {
	on_ice classes
	mlx5sim $port fail ieee_setapp EIO 1 20
	expect 1 losslessctl apply "$work/policy.json" $port
	mlx5sim $port fail ieee_setapp 0
	same 'the port after exit 1' "$outside" "$(setup_dcb)"
}

the_end_of_dscp_entries_shows_pfc() {
	on_ice classes
	expect 0 losslessctl apply "$work/policy.json" $port
	outside=$(setup_dcb)
	make_policy '{"trust":"pcp"}' $port
	expect 2 losslessctl plan "$work/policy.json" $port
	grep -q 'pfc.priorities .*3 → none .*side effect' "$work/out" || cat "$work/out"
	expect 0 losslessctl apply "$work/policy.json" $port
	expect 0 losslessctl rollback
	same 'the port after rollback' "$outside" "$(setup_dcb)"
	make_policy '{"trust":"pcp","pfc":{"priorities":[3]}}' $port
	expect 0 losslessctl apply "$work/policy.json" $port
	expect 0 losslessctl verify "$work/policy.json" $port
}

classes_that_ice_ignores_are_refused() {
	on_ice classes
	make_policy '{"trust":"dscp","dscp":{"prio":{"26":3},"rest":0},
		"ets":{"prio_tc":[0,0,0,1,0,0,0,0]}}' $port
	expect 1 losslessctl apply "$work/policy.json" $port
	says 'gives each priority the class of its own number'
	same 'the port' "$outside" "$(setup_dcb)"
	make_policy '{"trust":"dscp","dscp":{"prio":{"26":3},"rest":0},
		"ets":{"prio_tc":[0,1,2,3,4,5,6,7],"bandwidth":[50,0,0,50,0,0,0,0],
		"tsa":["ets","strict","strict","ets","strict","strict","strict","strict"]}}' $port
	expect 0 losslessctl apply "$work/policy.json" $port
	expect 0 losslessctl verify "$work/policy.json" $port
	mlx5sim $port kind mlx5
}

# The adapter lacks a side effect that its driver always had.
a_side_effect_that_does_not_come_is_found() {
	reset_ports
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 2 losslessctl plan "$work/policy.json" $port
	says 'side effect'
	mlx5sim $port keep_pause on
	expect 1 losslessctl apply "$work/policy.json" $port
	says 'not in effect: pause.rx (expected off, reads on), pause.tx'
	mlx5sim $port keep_pause off
}

write_policies
it 'a DSCP entry that is refused for good changes nothing: exit 1' a_refused_entry_changes_nothing
it 'faults between two setups: the report is what others see' from_one_setup_to_another
it 'faults from power-on: the report is what others see' from_power_on
it 'trust that the adapter lost is written again by the next rollback' lost_trust_is_written_again
it 'trust that no write brings back: exit 4 until the driver starts again' lost_trust_waits_for_the_driver
it 'a run that is killed while the driver refuses: the next one restores trust' killed_while_the_driver_refuses
it 'and is known to verify, plan, show and a later apply' lost_trust_is_known_to_all
it 'faults while DSCP entries are deleted: the report is what others see' back_to_no_entries
it "an errno reads as strerror's words, also through libnl" an_errno_reads_the_same_everywhere
it 'a failed apply says of each step: done, failed and why, or not attempted' every_step_has_its_status
it 'a step that has no effect has failed' a_step_without_effect_has_failed
it 'a failed rollback says why' why_rolling_back_failed
it 'a failed rollback that is undone says so' a_failed_rollback_that_is_undone_says_so
it 'without a link the plan says that none flaps' without_a_link_none_flaps
for kind in bnxt ice; do
	it "$kind: the plan has none of mlx5's side effects, and no link flaps" only_mlx5_has_mlx5s_side_effects $kind
done
for policy in classes only_pfc; do
	it "ice: DSCP entries reset ETS as planned, and rollback restores it ($policy)" \
		dscp_entries_reset_classes_on_ice $policy
done
it 'ice: ETS and PFC are restored after a DSCP entry failed' a_failed_dscp_step_restores_classes_on_ice
it 'ice: deleting all DSCP entries shows and rolls back ETS and PFC' the_end_of_dscp_entries_shows_pfc
it 'ice: classes that DSCP entries rule out are refused' classes_that_ice_ignores_are_refused
it 'a side effect that was announced and does not come is found' a_side_effect_that_does_not_come_is_found
tap_end
