#!/usr/bin/env bash
# short: 6.1
# long: 7.3
# Limits that the port reports: the run refuses settings beyond them before the first write.
. tests/system/lib.sh

# Four traffic classes, from the next start of the driver on.
has_four_classes() {
	connectx $port firmware cap eight_classes off
	connectx $port restart
	wait_carrier
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
	refuses '{"mtu":9979,"pfc":{"priorities":[3]}}' \
		"mtu: an MTU of 9979 is above the port's largest, 9978" 'set mtu to 9978 or less'
}

largest_mtu() {
	accepts '{"mtu":9978,"pfc":{"priorities":[3]}}'
}

a_missing_class() {
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],"tsa":["ets","ets","ets","ets","strict","strict","strict","strict"],"bandwidth":[50,0,0,50,0,0,0,0]}}' \
		'priority 6 is in traffic class 6, and the port has 4 traffic classes' \
		'use traffic classes 0 to 3 only'
}

share_of_a_missing_class() {
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,3,0,0,0,0],"tsa":["ets","ets","ets","ets","ets","ets","ets","ets"],"bandwidth":[50,0,0,25,0,0,25,0]}}' \
		'traffic class 6 has a share of 25 %, and the port has 4 traffic classes'
}

four_classes() {
	accepts '{"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,2,0],"tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"bandwidth":[50,50,0,0,0,0,0,0]}}'
}

rate_of_a_missing_class() {
	refuses '{"pfc":{"priorities":[3]},"maxrate":{"tc_mbps":[0,0,0,0,0,0,1000,0]}}' \
		'traffic class 6 has a rate limit, and the port has 4 traffic classes'
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
	goes_back 'Invalid argument'
}

# The driver of 7.3 asks the adapter whether rates have 16 bits (mlx5e_dcbnl_initialize()).
rate_of_16_bits() {
	connectx $port pci device 1023
	connectx $port power cycle
	wait_carrier
	accepts '{"maxrate":{"tc_mbps":[300000,31950,0,0,0,0,0,0]}}'
	dcb -j maxrate show dev $port | grep -q '"tc_maxrate":\[300000000,31900000,' ||
		dcb maxrate show dev $port
	connectx $port pci device 1019
	connectx $port power cycle
	wait_carrier
}

shaper() {
	refuses '{"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,0,0],"tsa":["ets","cbs","strict","strict","strict","strict","strict","strict"],"bandwidth":[100,0,0,0,0,0,0,0]}}' \
		'traffic class 1 is "cbs", and the port has no credit-based shaper'
}

buffers_beyond_the_port() {
	refuses '{"mtu":1600,"buffer":{"size_bytes":[200000,0,0,9000000,0,0,0,0],"prio_buffer":[0,0,0,3,0,0,0,0]},"pfc":{"priorities":[3]}}' \
		'the receive buffers need 9200000 bytes together, and the port has' 'lower buffer.size_bytes by'
}

it 'an MTU above the largest of the port is refused before the first write' mtu_above
it 'the largest MTU of the port is applied' largest_mtu
it 'a limit that the driver refuses says what it keeps' rate_that_is_refused
[[ $(uname -r) == 6.* ]] || it 'one above 255 Gb/s is applied to an adapter with rates of 16 bits' rate_of_16_bits
it 'a credit-based shaper that the port does not report is refused before the first write' shaper
it 'receive buffers larger than the port likewise' buffers_beyond_the_port
has_four_classes
it 'a traffic class that the port lacks likewise' a_missing_class
it 'a share for a class that the port lacks likewise' share_of_a_missing_class
it 'a rate limit for a class that the port lacks likewise' rate_of_a_missing_class
it 'four classes fit a port that has four' four_classes
tap_end
