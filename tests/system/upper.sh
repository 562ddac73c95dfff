#!/usr/bin/env bash
# short: 6.12
# The MTU of devices above the port: its VLAN devices, its bond, and VLAN devices on the bond.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

# warns DEVICE MTU: verify warns of this device and prints the fix; run the fix.
warns() {
	local command="ip link set dev $1 mtu 9000"
	expect 0 losslessctl verify "$work/policy.json"
	says "$1 above the port has an MTU of $2, and the port has 9000: run \`$command\`"
	says 'upper-mtu-too-small'
	$command
}

is_silent() {
	expect 0 losslessctl verify "$work/policy.json"
	if grep -q 'upper-mtu-too-small' "$work/out" "$work/err"; then
		echo 'it warns'
		cat "$work/out" "$work/err"
	fi
}

vlan_on_the_port() {
	ip link add link $port name vlan5 type vlan id 5
	make_policy '{"mtu":9000}' $port
	expect 0 losslessctl apply "$work/policy.json"
	says 'ip link set dev vlan5 mtu 9000'
	warns vlan5 1500
	is_silent
	ip link del vlan5
}

without_mtu() {
	ip link add link $port name vlan5 type vlan id 5
	ip link set vlan5 mtu 1400
	make_policy '{"trust":"pcp"}' $port
	is_silent
	ip link del vlan5
}

bond_and_its_vlan() {
	reset_ports
	ip link add bond9 type bond mode active-backup miimon 50
	ip link set $port down
	ip link set $port master bond9
	ip link set bond9 up
	ip link add link bond9 name vlan5 type vlan id 5
	make_policy '{"mtu":9000}' $port
	wait_carrier
	expect 0 losslessctl apply --allow-disruption "$work/policy.json"
	warns bond9 1500
	warns vlan5 1500
	is_silent
}

the_agent_says_so() {
	ip link set vlan5 mtu 1500
	start_agent --verify-interval 1
	quickly in_status 'upper-mtu-too-small'
	in_status '^  "verdict": "in_sync"' || grep verdict $run/status.json
	ip link set vlan5 mtu 9000
	quickly lacks in_status 'upper-mtu-too-small'
	stop_agent
	ip link del bond9
	ip link set $port up
}

# keeps DEVICE: no apply lowers the port's MTU below that of this device, until it is lowered.
keeps() {
	make_policy '{"mtu":2000}' $port
	expect 1 losslessctl plan "$work/policy.json"
	expect 1 losslessctl apply "$work/policy.json"
	says "$1 above the port has an MTU of 9000, and the port has 2000"
	says 'upper-mtu-too-large'
	same 'MTU above' 9000 "$(cat /sys/class/net/$1/mtu)"
	ip link set dev $1 mtu 2000
	expect 0 losslessctl apply "$work/policy.json"
	same 'MTU' 2000 "$(cat /sys/class/net/$port/mtu)"
	ip link del $1
}

larger_above() {
	local kind
	for kind in 'vlan id 7' macvlan ipvlan; do
		reset_ports
		ip link set $port mtu 9000
		ip link add link $port name above type $kind
		ip link set above mtu 9000
		keeps above
	done
}

# Raised after the apply: the way back is not stopped, and names what it lowers.
raised_after_an_apply() {
	reset_ports
	make_policy '{"mtu":9000}' $port
	expect 0 losslessctl apply "$work/policy.json"
	ip link add link $port name above type vlan id 7
	ip link set above mtu 9000
	expect 0 losslessctl rollback
	says "$port: above above the port has an MTU of 9000: the kernel lowers it to 1500 along with the port"
	same 'MTU above' 1500 "$(cat /sys/class/net/above/mtu)"
	ip link del above
}

# A bond keeps its MTU when that of a port is lowered.
larger_bond() {
	reset_ports
	ip link add bond9 type bond mode active-backup miimon 50
	ip link set $port down
	ip link set $port master bond9
	ip link set bond9 mtu 9000 up
	wait_carrier
	ip link set $port mtu 2000
	make_policy '{"mtu":2000}' $port
	expect 2 losslessctl verify "$work/policy.json"
	says 'bond9 above the port has an MTU of 9000, and the port has 2000'
	says 'upper-mtu-too-large'
	ip link del bond9
	ip link set $port up
}

it 'a VLAN device with a smaller MTU than its port is a warning' vlan_on_the_port
it 'a policy without mtu asks for none above the port' without_mtu
it 'a bond and then its VLAN device likewise' bond_and_its_vlan
it 'the agent reports it, and its end' the_agent_says_so
it 'a port is not lowered below a device above it' larger_above
it 'a rollback names the device above that it lowers' raised_after_an_apply
it 'a bond with a larger MTU than its port is an error' larger_bond
tap_end
