#!/usr/bin/env bash
# vm: --connectx --peer
# Tests of the guest with simulated adapters: it is Debian's own driver that drives them.
. tests/system/lib.sh

pci=${pci_of[$port]}

# A module without Debian's signature taints the kernel.
debian_signed_the_driver() {
	local module
	for module in mlx5_core mlx5_ib; do
		grep -q "^$module .*Live" /proc/modules || echo "$module is not loaded"
		same "taint of $module" '' "$(cat /sys/module/$module/taint)"
	done
}

driver_is_bound() {
	same driver mlx5_core "$(basename "$(readlink /sys/bus/pci/devices/"$pci"/driver)")"
	same 'RDMA device' mlx5_0 "$(rdma_of $port)"
	dmesg | grep -E 'connectx: .*(unknown|does not fit)'
}

# mlx5e_devlink_port_register() asks for the manager of the E-Switch alone.
legacy_port_has_a_switch_id() {
	devlink dev eswitch show "pci/$pci" | grep -q 'mode legacy' || devlink dev eswitch show "pci/$pci"
	grep -qE '^[0-9a-f]{16}$' /sys/class/net/$port/phys_switch_id || echo 'no phys_switch_id'
}

peers_reach_each_other() {
	ip addr add 192.0.2.1/24 dev $port
	ip -n peer addr add 192.0.2.2/24 dev $other
	expect 0 /run/vm/busybox ping -c 3 192.0.2.2
}

received_on_3() { ethtool -S $port | awk '$1 == "rx_prio3_packets:" { print $2 }'; }

frames_count_by_dscp() {
	dcb app add dev $port dscp-prio 0:3
	same 'rx_prio3_packets before' 0 "$(received_on_3)"
	expect 0 /run/vm/busybox ping -c 2 192.0.2.2
	[ "$(received_on_3)" -ge 2 ] || echo "rx_prio3_packets after two replies: $(received_on_3)"
	dcb app del dev $port dscp-prio 0:3
}

reload_brings_it_back() {
	expect 0 devlink dev reload "pci/$pci"
	[ -e /sys/bus/pci/devices/"$pci"/net ] || echo 'no netdev after devlink reload'
}

it "mlx5_core and mlx5_ib are Debian's own, unmodified" debian_signed_the_driver
it "the driver has bound the adapter and knows all that it asks" driver_is_bound
it "a port in legacy mode has a switch ID" legacy_port_has_a_switch_id
it "frames pass between the ports of a card" peers_reach_each_other
it "priorities are counted by DSCP" frames_count_by_dscp
it "devlink reload brings netdev and RDMA device back" reload_brings_it_back
tap_end
