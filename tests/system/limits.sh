#!/usr/bin/env bash
# short: 6.1
# Limits that the port reports: the run refuses settings beyond them before the first write.
. tests/system/lib.sh

becomes() {
	reset_ports
	mlx5sim $port kind "$1"
	[ -z "${2:-}" ] || { mlx5sim $port max_tc "$2" && mlx5sim $port reinit; }
	wait_carrier
	# Only mlx5 switches pause off with PFC.
	[ "$1" = mlx5 ] || ethtool -A $port rx off tx off
}

# refuses SETUP TEXT...: plan and apply refuse it, report limit, finding and fix, and write nothing.
refuses() {
	local before verb text
	make_policy "$1" $port
	before=$(changes)
	for verb in plan apply; do
		expect 1 losslessctl $verb "$work/policy.json"
		for text in refused "${@:2}"; do
			says "$text"
		done
	done
	same 'driver calls' "$before" "$(changes)"
}

accepts() {
	make_policy "$1" $port
	expect 0 losslessctl -q apply "$work/policy.json"
}

mtu_above() {
	becomes mlx5
	refuses '{"mtu":9979,"pfc":{"priorities":[3]}}' \
		"mtu: an MTU of 9979 is above the port's largest, 9978" 'set mtu to 9978 or less'
}

largest_mtu() {
	accepts '{"mtu":9978,"pfc":{"priorities":[3]}}'
}

classes_of() {
	becomes "$1" 3
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],"tsa":["ets","ets","ets","ets","strict","strict","strict","strict"],"bandwidth":[50,0,0,50,0,0,0,0]}}' \
		'priority 6 is in traffic class 6, and the port has 4 traffic classes' \
		'use traffic classes 0 to 3 only'
}

share_of_a_missing_class() {
	becomes mlx5 3
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,0,0],"tsa":["ets","ets","ets","ets","ets","ets","ets","ets"],"bandwidth":[50,0,0,25,0,0,25,0]}}' \
		'traffic class 6 has a share of 25 %, and the port has 4 traffic classes'
}

four_classes() {
	becomes "$1" 3
	accepts '{"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,2,0],"tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"bandwidth":[50,50,0,0,0,0,0,0]}}'
}

rate_of_a_missing_class() {
	becomes mlx5 3
	refuses '{"pfc":{"priorities":[3]},"maxrate":{"tc_mbps":[0,0,0,0,0,0,1000,0]}}' \
		'traffic class 6 has a rate limit, and the port has 4 traffic classes'
}

# The adapter keeps 8 or 16 bits of a rate limit; no interface reports which.
rates_in_16_bits() {
	becomes mlx5
	mlx5sim $port fwcaps maxrate16 on
	accepts '{"maxrate":{"tc_mbps":[400050,30500,6553500,0,0,0,0,0]}}'
	expect 0 losslessctl verify "$work/policy.json"
	same rates '400000000 30500000 6553500000 0 0 0 0 0' "$(mlx5sim $port state | sed -n 's/^maxrate //p')"
	expect 0 losslessctl rollback
	mlx5sim $port fwcaps maxrate16 off
}

# goes_back TEXT…: apply fails at the limit of 300 Gb/s, and the port is as before.
goes_back() {
	local before text
	accepts '{"maxrate":{"tc_mbps":[10000,0,0,0,0,0,0,0]}}'
	before=$(hardware $port)
	make_policy '{"maxrate":{"tc_mbps":[300000,0,0,0,0,0,0,0]}}' $port
	expect 0 losslessctl check "$work/policy.json"
	says maxrate-above-255-gbps
	expect 1 losslessctl apply "$work/policy.json"
	for text; do
		says "$text"
	done
	says 'set 255000 or less, or 0 for none'
	same 'the port' "$before" "$(hardware $port)"
}

rate_that_is_refused() {
	becomes mlx5
	goes_back 'Invalid argument'
}

rate_that_wraps() {
	becomes mlx5
	echo 1 >/sys/module/mlx5sim/parameters/legacy
	goes_back 'the driver made 44000 Mb/s of a limit of 300000 Mb/s for traffic class 0'
	echo 0 >/sys/module/mlx5sim/parameters/legacy
}

shaper() {
	becomes "$1"
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,0,0],"tsa":["ets","cbs","strict","strict","strict","strict","strict","strict"],"bandwidth":[100,0,0,0,0,0,0,0]}}' \
		'traffic class 1 is "cbs", and the port has no credit-based shaper'
}

algorithm_of_a_missing_class() {
	becomes bnxt 3
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,0,0],"tsa":["ets","ets","strict","strict","strict","strict","ets","strict"],"bandwidth":[50,50,0,0,0,0,0,0]}}' \
		'traffic class 6 is not "strict", and the port has 4 traffic classes'
}

too_many_lossless_classes() {
	becomes bnxt
	refuses '{"pfc":{"priorities":[3,4,5]},"ets":{"prio_tc":[0,0,0,1,2,3,0,0],"tsa":["ets","ets","ets","ets","strict","strict","strict","strict"],"bandwidth":[25,25,25,25,0,0,0,0]}}' \
		'more traffic classes are lossless than the port supports'
}

lossless_priorities_of_two_classes() {
	becomes bnxt
	accepts '{"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3,4,5]},"ets":{"prio_tc":[0,0,0,1,2,2,0,0],"tsa":["ets","ets","ets","strict","strict","strict","strict","strict"],"bandwidth":[50,25,25,0,0,0,0,0]}}'
}

dscp_priority_of_ice() {
	becomes ice 3
	refuses '{"trust":"dscp","dscp":{"prio":{"26":3,"48":6},"rest":0}}' \
		'DSCP 48 has priority 6, and the port has 4 traffic classes'
}

buffers_beyond_the_port() {
	becomes mlx5
	refuses '{"mtu":1600,"buffer":{"size_bytes":[200000,0,0,9000000,0,0,0,0],"prio_buffer":[0,0,0,3,0,0,0,0]},"pfc":{"priorities":[3]}}' \
		'the receive buffers need 9200000 bytes together, and the port has' 'lower buffer.size_bytes by'
}

it 'an MTU above the largest of the port is refused before the first write' mtu_above
it 'the largest MTU of the port is applied' largest_mtu
it 'a traffic class that an mlx5 port lacks is refused before the first write' classes_of mlx5
it 'a traffic class that a bnxt port lacks likewise' classes_of bnxt
it 'a traffic class that an ice port lacks likewise' classes_of ice
it 'a share for a class that the port lacks likewise' share_of_a_missing_class
it 'a rate limit for a class that the port lacks likewise' rate_of_a_missing_class
it 'a driver of 16 bits keeps limits above 255 Gb/s' rates_in_16_bits
it 'a limit that the driver refuses says what it keeps' rate_that_is_refused
it 'a limit that the driver cuts to 8 bits is rolled back' rate_that_wraps
it 'an algorithm for a class that a bnxt port lacks likewise' algorithm_of_a_missing_class
it 'a credit-based shaper that mlx5 does not report likewise' shaper mlx5
it 'a credit-based shaper that bnxt does not report likewise' shaper bnxt
it 'a DSCP whose priority an ice port refuses likewise' dscp_priority_of_ice
it 'three lossless classes on a bnxt port that can have two likewise' too_many_lossless_classes
it 'receive buffers larger than the port likewise' buffers_beyond_the_port
it 'four classes fit a port that has four' four_classes mlx5
it 'they fit a bnxt port that has four' four_classes bnxt
it 'three lossless priorities in two classes fit a bnxt port' lossless_priorities_of_two_classes
mlx5sim $port kind mlx5
tap_end
