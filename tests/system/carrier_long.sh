#!/usr/bin/env bash
# Tests of a link that stays down after a PFC change: apply waits a minute, rolls back and reports.
. tests/system/lib.sh

stays_away() {
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	local start=$SECONDS
	connectx $port link stuck on
	expect 4 losslessctl --json apply $policy $port
	says 'the link did not come back within 60 s'
	says 'waiting for the link to come back'
	says "the settings are rolled back, but the link of $port is down"
	same PFC 'prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off' \
		"$(dcb pfc show dev $port prio-pfc | sed 's/ *$//')"
	[ $((SECONDS - start)) -ge 60 ] || echo 'it did not wait'
}

comes_back_late() {
	let_the_link_back
	wait_carrier
	connectx $port link train 20000
	expect 0 losslessctl apply $policy $port
	says 'waiting for the link to come back'
	connectx $port link train 20
	expect 0 losslessctl verify $policy $port
	expect 0 losslessctl rollback
}

# The link stays down after the step and comes back with the rollback.
comes_back_with_the_undo() {
	local before
	before=$(hardware $port)
	connectx $port link stuck on
	(sleep 65 && let_the_link_back) &
	expect 1 losslessctl apply $policy $port
	wait
	wait_carrier
	same 'as it was' "$before" "$(hardware $port)"
}

it 'a link that stays away: undone, and exit 4 says so' stays_away
it 'a link that takes 20 s: waited for, and said' comes_back_late
it 'a link that is back with the undo: exit 1, and as it was' comes_back_with_the_undo
tap_end
