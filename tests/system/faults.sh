#!/usr/bin/env bash
# short: 6.12
# Tests of apply with each fault of the simulated adapter: exit 1 with the exact prior state, or
# exit 4 with a correct report.
. tests/system/lib.sh

# Calls that can fail, and later stages of mlx5's.
callbacks='change_mtu set_pauseparam ieee_setpfc ieee_setpfc_buffer ieee_setets ieee_setets_partial
	ieee_setets_group ieee_setets_bw ieee_setapp ieee_setapp_qpdpm'

moved() {
	make_policy '{"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[4],"cable_m":100},
		"ets":{"prio_tc":[0,0,0,0,4,0,6,0],"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],
		"bandwidth":[30,0,0,0,70,0,0,0]},"dscp":{"prio":{"30":4},"rest":1},"roce":{"tos":122}}'
}

# comes_back OP ERRNO [COUNT [SKIP]]: apply exits 1 and leaves the port as it was.
comes_back() {
	local before
	before=$(witness $port; hardware $port)
	mlx5sim $port fail "$@"
	expect 1 losslessctl apply "$work/policy.json" $port
	mlx5sim $port fail "$1" 0
	wait_carrier
	same "after $*" "$before" "$(witness $port; hardware $port)"
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'the journal says that it has not ended'
}

from_power_on() {
	reset_ports
	cp $policy "$work/policy.json"
	comes_back "$1" EIO 1
}

from_another_setup() {
	reset_ports
	expect 0 losslessctl apply $policy
	moved
	comes_back "$1" EINVAL 1
}

# A permanent fault: if a setting that was written cannot be rolled back, exit 4 names it.
for_good() {
	local before code=0
	reset_ports
	expect 0 losslessctl apply $policy
	moved
	before=$(witness $port; hardware $port)
	mlx5sim $port fail "$1" EIO 0
	losslessctl --json apply "$work/policy.json" $port >"$work/out" 2>"$work/err" || code=$?
	case $code in
	1) same "$1 for good" "$before" "$(witness $port; hardware $port)" ;;
	4) grep -q 'not rolled back' "$work/out" || echo 'stranded, and does not say what' ;;
	*) echo "exit code $code"; cat "$work/out" "$work/err" ;;
	esac
	mlx5sim $port fail "$1" 0
}

a_refused_dcbx_mode() {
	reset_ports
	mlx5sim $port poke dcbx fw
	cp $policy "$work/policy.json"
	comes_back setdcbx EINVAL 1
}

deaf() {
	reset_ports
	mlx5sim $port poke dcbx fw
	cp $policy "$work/policy.json"
	local before
	before=$(witness $port; hardware $port)
	mlx5sim $port deaf "$1" on
	expect 1 losslessctl apply $policy $port
	says 'not in effect'
	mlx5sim $port deaf "$1" off
	wait_carrier
	same "deaf $1" "$before" "$(witness $port; hardware $port)"
}

silent_on_pause() {
	reset_ports
	make_policy '{"pfc":{"priorities":[3]},"roce":{"tos":106},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
		"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}}' $port
	comes_back ieee_setets EIO 1
	same 'pause after an undo' on "$(ethtool -a $port | awk '/^RX:/ { print $2 }')"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	same 'pause after a rollback' on "$(ethtool -a $port | awk '/^RX:/ { print $2 }')"
}

the_second_port_fails() {
	reset_ports
	local before
	before=$(witness $other; hardware $other)
	mlx5sim $other fail ieee_setets EIO 1
	expect 1 losslessctl --json apply $policy
	same "$other" "$before" "$(witness $other; hardware $other)"
	expect 0 losslessctl verify $policy $port
	expect 0 losslessctl rollback
	expect 2 losslessctl verify $policy $port
}

the_first_port_fails() {
	reset_ports
	local before
	before=$(changes | tail -n +20)
	mlx5sim $port fail ieee_setets EIO 1
	expect 1 losslessctl --json apply $policy
	grep -q '"outcome":"not_attempted"' "$work/out" || cat "$work/out"
	reset_ports
	mlx5sim $port fail ieee_setets EIO 1
	expect 1 losslessctl --json apply --keep-going $policy
	expect 0 losslessctl verify $policy $other
}

a_failed_rollback_is_partial() {
	reset_ports
	cp $policy "$work/policy.json"
	mlx5sim $port fail ieee_setets EIO 1
	mlx5sim $port fail ieee_setpfc EIO 0 2 # the change and its repetition work; then none
	expect 4 losslessctl --json apply "$work/policy.json" $port
	same outcome rollback_failed "$(json outcome)"
	says pfc.priorities
	mlx5sim $port fail ieee_setpfc 0
	expect 0 losslessctl rollback
	same PFC 'prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off' \
		"$(dcb pfc show dev $port prio-pfc | sed 's/ *$//')"
}

for op in $callbacks; do
	it "$op fails on a port as it comes: exit 1, and as it was" from_power_on "$op"
	# Pause is off on that port already, so that apply does not ask the driver for it again.
	[ "$op" = set_pauseparam ] ||
		it "$op fails on a port set up before: exit 1, and as it was" from_another_setup "$op"
done
for op in change_mtu ieee_setpfc ieee_setets ieee_setapp; do
	it "$op fails for good: exit 1 and as it was, or exit 4 and what" for_good "$op"
done
# Omit set_pauseparam: the PFC change that follows hides that it was ignored.
for op in change_mtu ieee_setpfc ieee_setets ieee_setapp setdcbx; do
	it "$op says yes and does nothing: found by reading back" deaf "$op"
done
it 'a refused DCBX mode: exit 1, and as it was' a_refused_dcbx_mode
it 'a policy silent on pause survives a PFC change, its undo and its rollback' silent_on_pause
it 'the second port fails: the first stays set, the second is as it was' the_second_port_fails
it 'the first port fails: the second is not reached, unless we keep going' the_first_port_fails
it 'a failed rollback leaves the port partially configured, and the next rollback ends it' a_failed_rollback_is_partial
tap_end
