#!/usr/bin/env bash
# short: 6.12
# Facts about kinds of hosts, each checked on a simulated port of the kind, and on a port that only
# claims to be.
. tests/system/lib.sh
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

a_plain_host() {
	is as_expected host.lockdown host.driver host.kernel counted.storms counted.stalls counted.volume \
		counted.names host.rdma
	is cannot_be_told host.lag host.switchdev host.dpu host.vf counted.uplink counted.cnps \
		counted.classes host.pairs counted.pci host.representors host.writers host.traffic_class
}

congestion_control_of_newer_kernels() {
	if [[ $(uname -r) == 6.1.* ]]; then
		is cannot_be_told cc.rtt
	else
		is as_expected cc.rtt
		mlx5sim $port fwcaps rtt off
		is differs cc.rtt
		mlx5sim $port fwcaps rtt on
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
	is cannot_be_told host.lag
	mlx5sim $port lag on
	is as_expected host.lag
	mlx5sim $port lag off
	ip link del bond9
	ip link set $port up
	ip link set $other up
	wait_carrier
}

an_uplink() {
	mlx5sim $port switchdev on
	is as_expected host.switchdev counted.uplink
	mlx5sim $port vport_stats on
	is as_expected counted.uplink
	mlx5sim $port vport_stats off
	mlx5sim $port switchdev off
}

a_bluefield() {
	mlx5sim $port pci_device a2dc
	is as_expected host.dpu
	grep -q 'NIC mode' "$work/out" || echo 'NIC mode is not told'
	mlx5sim $port dpu_host on
	is as_expected host.dpu
	grep -q 'DPU mode' "$work/out" || echo 'DPU mode is not told'
	mlx5sim $port dpu_host off
	mlx5sim $port pci_device 0
}

a_vf_in_a_vm() {
	mlx5sim $port vm on
	mlx5sim $port pci_device 101e
	is as_expected host.vf
	mlx5sim $port vm off
	mlx5sim $port vf on
	mlx5sim $port pci_device 1017
	is differs host.vf
	mlx5sim $port pci_device 0
	mlx5sim $port vf off
}

representors() {
	mlx5sim $other rep on
	mlx5sim $other port_name c1pf0
	is as_expected host.representors
	mlx5sim $other port_name off
	mlx5sim $other rep off
}

ofed_files() {
	mlx5sim $port ofed on
	is cannot_be_told host.traffic_class
	echo 106 >/sys/class/infiniband/mlx5_0/tc/1/traffic_class
	is as_expected host.traffic_class
	mlx5sim $port ofed off
}

queue_pairs() {
	mlx5sim $port qps rc 3
	is as_expected host.pairs
	mlx5sim $port qps rc 0
}

drops_by_class() {
	mlx5sim $port bump rx_prio0_buf_discard 5
	is as_expected counted.classes
	dcb ets set dev $port prio-tc all:1
	is differs counted.classes
	mlx5sim $port bump rx_prio0_buf_discard -5
	reset_ports
}

cnps_without_marks() {
	mlx5sim $port bump np_cnp_sent 5
	is differs counted.cnps
	mlx5sim $port bump np_ecn_marked_roce_packets 9
	is as_expected counted.cnps
	mlx5sim $port bump np_cnp_sent -5
	mlx5sim $port bump np_ecn_marked_roce_packets -9
}

pcie_thresholds() {
	mlx5sim $port fwcaps pcie_cong on
	mlx5sim $port bump pci_bw_outbound_high 3
	mlx5sim $port bump pci_bw_outbound_low 2
	is as_expected counted.pci
	mlx5sim $port bump pci_bw_outbound_low 2
	is differs counted.pci
	mlx5sim $port bump pci_bw_outbound_low -4
	mlx5sim $port bump pci_bw_outbound_high -3
	mlx5sim $port fwcaps pcie_cong off
}

many_counters() {
	mlx5sim $port channels 128
	is as_expected counted.names
	mlx5sim $port channels 0
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
it 'a VF in a virtual machine, and one with another id' a_vf_in_a_vm
it 'representors' representors
it "MLNX_OFED's files" ofed_files
it 'queue pairs' queue_pairs
it 'drops by class' drops_by_class
it 'CNPs without marks' cnps_without_marks
it 'thresholds of PCIe traffic' pcie_thresholds
it 'many counters' many_counters
it 'a show that is wrong is found out' a_show_that_is_wrong
it 'a kernel in lockdown' a_lockdown
tap_end
