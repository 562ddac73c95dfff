#!/usr/bin/env bash
# Tests of the disruption by a change of trust. Debian's driver opens its channels anew, without a
# carrier meanwhile, only for adapters that need packet headers in their work requests: ConnectX-4.
. tests/system/lib.sh

carrier_changes() { cat /sys/class/net/$port/carrier_changes; }

# trust_flaps TIMES: a change of trust changes the carrier so often.
trust_flaps() {
	local before
	before=$(carrier_changes)
	dcb app add dev $port dscp-prio 26:3
	same 'carrier changes' $((before + $1)) "$(carrier_changes)"
	dcb app del dev $port dscp-prio 26:3
}

planned_disruption() {
	make_policy '{"trust":"dscp"}' $port
	expect 2 losslessctl --json plan "$work/policy.json"
	same 'the plan' "$1" "$(json disrupts)"
}

later_adapters() {
	same 'PCI device' 0x1019 "$(cat /sys/bus/pci/devices/"${pci_of[$port]}"/device)"
	trust_flaps 0
	planned_disruption none
	expect 2 losslessctl plan "$work/policy.json"
	! grep 'traffic will pause' "$work/out"
}

connectx4() {
	connectx $port pci device 1015
	connectx $port power cycle
	wait_carrier
	trust_flaps 2
	planned_disruption traffic
	expect 2 losslessctl plan "$work/policy.json"
	says 'traffic will pause briefly'
	losslessctl --json show $port >"$work/show"
	expect 2 losslessctl --json --state "$work/show" plan "$work/policy.json"
	same 'the plan of a document' traffic "$(json disrupts)"
}

it "a change of trust leaves the traffic of ConnectX-5 alone, and plan says nothing" later_adapters
it "a change of trust pauses the traffic of ConnectX-4 Lx, and plan says so" connectx4
tap_end
