#!/usr/bin/env bash
# vm: --connectx
# waits
# The E-Switch of simulated adapters as Debian's own driver shows it: the host of a DPU, switchdev,
# virtual functions, link aggregation; and ports of type InfiniBand, which have no E-Switch.
. tests/system/lib.sh

pci=${pci_of[$port]}
device=/sys/bus/pci/devices/$pci

# settles COMMAND...: wait up to 5 s until it succeeds; show what it says if it never does.
settles() {
	local tries=0
	until "$@" >"$work/settling" 2>&1; do
		[ $((tries += 1)) -lt 100 ] || { echo "not within 5 s: $*" && cat "$work/settling" && return; }
		sleep 0.05
	done
}

mode() { devlink dev eswitch show "pci/$pci" | awk '{ print $3 }'; }

echo 'the tests begin' >/dev/kmsg

# Commands that the adapter does not know, and what the driver says of answers that it did not expect.
# The driver always looks for a VSC in the configuration space, and here there is none. mlx5_ib of 6.1
# leaves directories of its representors' key caches in debugfs, and stumbles over them the next time.
complaints() {
	dmesg | sed '1,/the tests begin/d' | grep -vE "mlx5_pci_vsc_init|debugfs: Directory '[0-9]+' with parent" |
		grep -iE 'unknown|does not fit|fail|error|err=|invalid|timeout|zero|bitmask|present'
}

host_of_a_dpu_has_no_switch() {
	connectx $port eswitch manager off
	connectx $port pci device 0xa2dc
	connectx $port power cycle
	same device 0xa2dc "$(cat "$device/device")"
	expect 1 devlink dev eswitch show "pci/$pci"
	says 'Operation not supported'
	expect 1 cat /sys/class/net/$port/phys_switch_id
	expect 0 dcb pfc show dev $port
	expect 0 losslessctl show $port
	says 'BlueField'
}

adapter_gets_its_switch_back() {
	connectx $port eswitch manager on
	connectx $port pci device 0x1019
	connectx $port power cycle
	same device 0x1019 "$(cat "$device/device")"
	same mode legacy "$(mode)"
}

gids() { cat /sys/class/infiniband/"$1"/ports/*/gids/* 2>/dev/null | grep -v 0000:0000:0000:0000$; }

# The netdev stays; the RDMA device has a port for each port of the switch, and RoCE on none.
switchdev_mode_is_there() {
	local ifindex
	ifindex=$(cat /sys/class/net/$port/ifindex)
	[ -n "$(gids mlx5_0)" ] || echo 'no GIDs in legacy mode'
	expect 0 devlink dev eswitch set "pci/$pci" mode switchdev
	same mode switchdev "$(mode)"
	same ifindex "$ifindex" "$(cat /sys/class/net/$port/ifindex)"
	same 'RDMA device' mlx5_0 "$(rdma_of $port)"
	same GIDs '' "$(gids mlx5_0)"
	settles carrier_is_up
	expect 0 losslessctl show $port
	says 'uplink of a switch (switchdev)'
}

carrier_is_up() { [ "$(cat /sys/class/net/$port/carrier 2>/dev/null)" = 1 ]; }

dcb_stays_in_switchdev_mode() {
	expect 0 dcb pfc set dev $port prio-pfc 3:on
	dcb pfc show dev $port | grep -q '3:on' || echo 'PFC is not on'
	expect 0 dcb pfc set dev $port prio-pfc 3:off
}

legacy_mode_comes_back() {
	expect 0 devlink dev eswitch set "pci/$pci" mode legacy
	same mode legacy "$(mode)"
	settles has_gids
}

has_gids() { [ -n "$(gids mlx5_0)" ]; }

reload_ends_switchdev_mode() {
	expect 0 devlink dev eswitch set "pci/$pci" mode switchdev
	expect 0 devlink dev reload "pci/$pci"
	same mode legacy "$(mode)"
	ip link set "$(basename "$device"/net/*)" name $port
	ip link set $port up
	settles has_gids
}

it "the host of a BlueField has DCB and no E-Switch" host_of_a_dpu_has_no_switch
it "an adapter outside a DPU manages its E-Switch" adapter_gets_its_switch_back
it "switchdev mode keeps the netdev and takes RoCE from it" switchdev_mode_is_there
it "switchdev mode keeps DCB" dcb_stays_in_switchdev_mode
it "legacy mode brings RoCE back" legacy_mode_comes_back
it "devlink reload ends switchdev mode" reload_ends_switchdev_mode
it "the driver has no complaints" complaints
tap_end
