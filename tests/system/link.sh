#!/usr/bin/env bash
# short: 6.1
# Link settings: verified and never written, and reported with and without a policy for them.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

# verifies CODE SETUP [TEXT]...: verify the policy of SETUP on $port.
verifies() {
	local text
	make_policy "$2" $port
	expect "$1" losslessctl verify "$work/policy.json"
	for text in "${@:3}"; do
		says "$text"
	done
}

# settled CODE SETUP: apply SETUP, whose link settings must not block it, and expect CODE.
settled() {
	make_policy "$2" $port
	expect "$1" losslessctl apply "$work/policy.json"
}

pulled() {
	connectx $port link down
	"$@"
	connectx $port link up
	wait_carrier
}

everything_holds() {
	verifies 0 '{"link":{"up":true,"min_speed_mbps":100000,"fec":"rs"}}'
	verifies 0 '{"link":{"up":true,"min_speed_mbps":25000}}'
	expect 0 losslessctl verify --all "$work/policy.json"
	says 'link.min_speed_mbps'
}

ethtool_agrees() {
	ethtool --show-fec $port | grep -q 'Active FEC encoding: RS' || ethtool --show-fec $port
	ethtool --set-fec $port encoding off
	wait_carrier
	ethtool --show-fec $port | grep -q 'Active FEC encoding: Off' || ethtool --show-fec $port
	expect 0 losslessctl --json show $port
	same fec off "$(json fec)"
	verifies 2 '{"link":{"fec":"rs"}}' 'link.fec' 'ethtool --set-fec'
	ethtool --set-fec $port encoding rs
	wait_carrier
}

too_slow() {
	connectx $port link speed 25000
	verifies 2 '{"link":{"min_speed_mbps":100000}}' 'link.min_speed_mbps' '25000'
	verifies 0 '{"mtu":1500}' 'the link is slower than the port supports: 25000 of 100000 Mb/s'
	expect 0 losslessctl show $port
	says 'the link is slower than the port supports: 25000 of 100000 Mb/s'
	expect 0 losslessctl --json verify "$work/policy.json"
	same speed_mbps 25000 "$(json speed_mbps)"
	same best_speed_mbps 100000 "$(json best_speed_mbps)"
	connectx $port link speed 100000
}

down_is_drift() {
	verifies 2 '{"link":{"up":true}}' 'link.up' 'check the cable'
	expect 2 losslessctl verify --nagios "$work/policy.json"
	says 'LOSSLESSCTL CRITICAL'
	verifies 0 '{"link":{"up":false}}'
	verifies 3 '{"link":{"min_speed_mbps":100000}}' 'link.min_speed_mbps' 'no speed'
	verifies 3 '{"link":{"fec":"rs"}}' 'link.fec'
	verifies 0 '{"mtu":1500}' 'the link is down'
	expect 0 losslessctl show $port
	says 'link down'
}

apply_goes_on() {
	settled 0 '{"mtu":1600,"link":{"up":true,"min_speed_mbps":100000,"fec":"rs"}}'
	says 'link.up'
	same MTU 1600 "$(cat /sys/class/net/$port/mtu)"
	expect 2 losslessctl verify "$work/policy.json"
	expect 0 losslessctl plan "$work/policy.json"
	expect 0 losslessctl rollback
	same MTU 1500 "$(cat /sys/class/net/$port/mtu)"
}

a_saved_state_asks_for_no_link() {
	local hash
	expect 0 losslessctl --json show
	cp "$work/out" "$work/saved.json"
	hash=$(json state_hash)
	grep -q '"min_speed_mbps"' "$work/saved.json" && echo 'show asks for a speed'
	connectx $port link down
	expect 0 losslessctl verify "$work/saved.json"
	expect 0 losslessctl --json show
	same state_hash "$hash" "$(json state_hash)"
	connectx $port link up
	wait_carrier
}

no_fec_here() {
	connectx $port firmware cap pplm off
	connectx $port restart
	verifies 3 '{"link":{"fec":"rs"}}' unsupported
	connectx $port firmware cap pplm on
	connectx $port restart
	wait_carrier
}

the_agent_reports_it() {
	agent_policy enforce '{}' '{"link":{"up":true,"min_speed_mbps":100000}}' $port
	start_agent --verify-interval 1 --sample-interval 1
	quickly grep -qsx "losslessctl_port_carrier{netdev=\"$port\"} 1" $run/metrics.prom
	quickly grep -qsx "losslessctl_port_speed_bytes_per_second{netdev=\"$port\"} 12500000000" $run/metrics.prom
	connectx $port link down
	quickly in_log 'link.up'
	quickly grep -qx "losslessctl_port_carrier{netdev=\"$port\"} 0" $run/metrics.prom
	grep -q "^losslessctl_port_speed_bytes_per_second{" $run/metrics.prom && echo 'a speed without a link'
	quickly in_status '"verdict": "drift"'
	connectx $port link up
	quickly in_status '^  "verdict": "in_sync"'
	in_log 'not repaired' && echo 'it tried to repair a cable'
	stop_agent
}

it 'a link that is as fast as wanted, or faster, is right' everything_holds
it 'ethtool and verify agree on the error correction' ethtool_agrees
it 'a link that is too slow is drift, and noted without a policy' too_slow
it 'a link that is down is drift, and noted without a policy' pulled down_is_drift
it 'apply goes on while the cable is out' pulled apply_goes_on
it 'a saved state asks for no link' a_saved_state_asks_for_no_link
it 'a port that reports no error correction lacks it' no_fec_here
it 'the agent reports the link, and repairs none' the_agent_reports_it
tap_end
