#!/usr/bin/env bash
# Facts about kinds of hosts, each checked on a simulated port of the kind, and on a port that only
# claims to be.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/hw/lib_guest.sh

# is OUTCOME FACT...: accept reports OUTCOME for these facts, in its own order.
is() {
	local outcome=$1 only=() fact
	shift
	for fact; do only+=(--only "$fact"); done
	accept --json "${only[@]}" >"$work/out" 2>"$work/err"
	same "$outcome" "$*" "$(outcomes "$outcome")"
	[ "$(outcomes "$outcome")" = "$*" ] || cat "$work/out" "$work/err"
}

# becomes HEX: this PCI device, after a cold start.
becomes() {
	connectx $port pci device "$1"
	connectx $port power cycle
	wait_carrier
}

a_plain_host() {
	is as_expected host.lockdown host.driver host.kernel counted.storms counted.stalls counted.volume \
		counted.names host.rdma
	is cannot_be_told host.lag host.switchdev host.dpu host.vf counted.uplink counted.cnps \
		counted.classes counted.pci host.representors host.writers host.traffic_class
}

congestion_control_of_newer_kernels() {
	if [[ $(uname -r) == 6.1.* ]]; then
		is cannot_be_told cc.rtt
	else
		is as_expected cc.rtt
		connectx $port firmware cap rtt off
		connectx $port restart
		is differs cc.rtt
		connectx $port firmware cap rtt on
		connectx $port restart
		wait_carrier
	fi
}

another_writer() {
	cp /bin/sleep "$work/dmsd"
	"$work/dmsd" 600 >/dev/null 2>&1 &
	is as_expected host.writers
	kill $!
}

a_lag() {
	local p
	ip link add bond9 type bond mode active-backup miimon 50
	for p in $port $other; do
		ip link set $p down
		ip link set $p master bond9
		ip link set $p up
	done
	quickly grep -qs . /sys/class/infiniband/mlx5_bond_0/node_guid
	is as_expected host.lag
	ip link del bond9
	ip link set $port up
	ip link set $other up
	wait_carrier
}

an_uplink() {
	devlink dev eswitch set pci/${pci_of[$port]} mode switchdev
	is as_expected host.switchdev counted.uplink
	devlink dev eswitch set pci/${pci_of[$port]} mode legacy
	wait_carrier
}

a_bluefield() {
	becomes a2dc
	is as_expected host.dpu
	grep -q 'NIC mode' "$work/out" || echo 'NIC mode is not told'
	connectx $port eswitch manager off
	becomes a2dc
	is as_expected host.dpu
	grep -q 'DPU mode' "$work/out" || echo 'DPU mode is not told'
	connectx $port eswitch manager on
	becomes 1019
}

a_vf_in_a_vm() {
	becomes 101e
	is as_expected host.vf
	becomes 1019
}

representors() {
	echo 1 >/sys/bus/pci/devices/${pci_of[$other]}/sriov_numvfs
	devlink dev eswitch set pci/${pci_of[$other]} mode switchdev
	is as_expected host.representors
	devlink dev eswitch set pci/${pci_of[$other]} mode legacy
	echo 0 >/sys/bus/pci/devices/${pci_of[$other]}/sriov_numvfs
	wait_carrier
}

ofed_files() {
	connectx $port ofed on
	is cannot_be_told host.traffic_class
	echo 106 >/sys/class/infiniband/mlx5_0/tc/1/traffic_class
	is as_expected host.traffic_class
	connectx $port ofed off
}

queue_pairs() {
	local writers
	ip address add 192.0.2.1/24 dev $port
	ib_write_bw -d mlx5_0 -x 3 >/dev/null 2>&1 &
	writers=$!
	quickly eval 'ss -tln | grep -q :18515'
	ib_write_bw -d mlx5_0 -x 3 -D 60 127.0.0.1 >/dev/null 2>&1 &
	writers+=" $!"
	quickly eval 'rdma res show qp | grep -q "type RC state RTS"'
	is as_expected host.pairs
	kill $writers 2>/dev/null # a slow machine may have let them end
	wait $writers 2>/dev/null
	ip address flush dev $port
}

drops_by_class() {
	connectx $port counter rx_prio0_buf_discard 5
	is as_expected counted.classes
	dcb ets set dev $port prio-tc all:1
	is differs counted.classes
	connectx $port counter rx_prio0_buf_discard -5
	reset_ports
}

cnps_without_marks() {
	connectx $port counter np_cnp_sent 5
	is differs counted.cnps
	connectx $port counter np_ecn_marked_roce_packets 9
	is as_expected counted.cnps
	connectx $port counter np_cnp_sent -5
	connectx $port counter np_ecn_marked_roce_packets -9
}

# crossings HIGH LOW: what ethtool -S adds, as drivers newer than these have the counters.
crossings() {
	mkdir -p "$work/newer"
	cat >"$work/newer/ethtool" <<-END
	#!/bin/sh
	$(type -P ethtool) "\$@" || exit
	[ "\$1" != -S ] || printf '     pci_bw_%s: %d\n' inbound_high 0 inbound_low 0 outbound_high $1 outbound_low $2
	END
	chmod +x "$work/newer/ethtool"
}

pcie_thresholds() {
	crossings 3 2
	PATH=$work/newer:$PATH is as_expected counted.pci
	crossings 3 4
	PATH=$work/newer:$PATH is differs counted.pci
}

a_show_that_is_wrong() {
	mkdir -p "$work/bin"
	cat >"$work/bin/losslessctl" <<-END
	#!/bin/sh
	$(type -P losslessctl) "\$@" | sed 's/"mlx5":"inbox"/"mlx5":"rhel"/; s/"lockdown":"none"/"lockdown":null/
		s/"known_faults":\[\]/"known_faults":["mlx5-xoff-regression"]/'
	END
	chmod +x "$work/bin/losslessctl"
	PATH=$work/bin:$PATH is differs host.lockdown host.driver host.kernel
}

# This test is the last: nothing reverts a lockdown.
a_lockdown() {
	echo integrity >/sys/kernel/security/lockdown
	is as_expected host.lockdown
}

reset_ports
it 'a plain host' a_plain_host
it 'newer kernels have a DSCP of answers' congestion_control_of_newer_kernels
it 'another program that writes settings' another_writer
it 'a LAG' a_lag
it 'the uplink of a switch' an_uplink
it 'a BlueField, in NIC mode and in DPU mode' a_bluefield
it 'a VF in a virtual machine' a_vf_in_a_vm
it 'representors' representors
it "MLNX_OFED's files" ofed_files
in_long it 'queue pairs' queue_pairs
it 'drops by class' drops_by_class
it 'CNPs without marks' cnps_without_marks
it 'thresholds of PCIe traffic' pcie_thresholds
it 'a show that is wrong is found out' a_show_that_is_wrong
it 'a kernel in lockdown' a_lockdown
tap_end
