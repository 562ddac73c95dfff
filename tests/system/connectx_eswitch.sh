#!/usr/bin/env bash
# short: 6.12
# The E-Switch of simulated adapters as Debian's own driver shows it: the host of a DPU, switchdev,
# virtual functions, link aggregation; and ports of type InfiniBand, which have no E-Switch.
. tests/system/lib.sh

pci=${pci_of[$port]}
device=/sys/bus/pci/devices/$pci

# settles COMMAND...: wait up to 30 s until it succeeds; show what it says if it never does.
settles() {
	local tries=0
	until "$@" >"$work/settling" 2>&1; do
		[ $((tries += 1)) -lt 600 ] || { echo "never: $*" && cat "$work/settling" && return; }
		sleep 0.05
	done
}

mode() { devlink dev eswitch show "pci/$pci" | awk '{ print $3 }'; }

echo 'the tests begin' >/dev/kmsg

# Commands that the adapter does not know, and what the driver says of answers that it did not expect.
# The driver always looks for a VSC in the configuration space, and here there is none. mlx5_ib of 6.1
# leaves directories of its representors' key caches in debugfs, and stumbles over them the next time.
complaints() {
	{ cat "$work/log" && dmesg; } | sed '1,/the tests begin/d' | grep -vE "mlx5_pci_vsc_init|debugfs: Directory '[0-9]+' with parent" |
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
	dcb pfc show dev $port | grep '3:on' >"$work/out" || echo 'PFC is not on'
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

# netdev_of_vf NUMBER
netdev_of_vf() { basename "$device/virtfn$1"/net/*; }

restart_vf() {
	local vf
	vf=$(basename "$(readlink "$device/virtfn$1")")
	echo "$vf" >/sys/bus/pci/drivers/mlx5_core/unbind
	echo "$vf" >/sys/bus/pci/drivers/mlx5_core/bind
}

virtual_functions_appear() {
	echo 2 >"$device/sriov_numvfs"
	same 'first VF' 0000:3b:00.2 "$(basename "$(readlink "$device/virtfn0")")"
	same 'second VF' 0000:3b:00.4 "$(basename "$(readlink "$device/virtfn1")")"
	same 'device of a VF' 0x101a "$(cat "$device/virtfn0/device")"
	same 'physical function' "$pci" "$(basename "$(readlink -f "$device/virtfn0/physfn")")"
	same 'RDMA devices' 2 "$(ls -d "$device"/virtfn?/infiniband/* | wc -l)"
	echo 4 2>/dev/null >"$device/sriov_numvfs" && echo 'there are 4 VFs'
	same 'VFs' 2 "$(cat "$device/sriov_numvfs")"
}

virtual_function_has_no_dcb() {
	local vf
	vf=$(netdev_of_vf 0)
	expect 1 dcb pfc show dev "$vf"
	says 'Operation not supported'
	expect 0 losslessctl show "$vf"
	says 'its PF has the DCB settings'
}

# The driver of the physical function decides address and link of a virtual one.
physical_function_rules_virtual_ones() {
	local vf
	ip link set $port vf 0 mac 02:00:00:00:00:01
	restart_vf 0
	same MAC 02:00:00:00:00:01 "$(cat /sys/class/net/"$(netdev_of_vf 0)"/address)"
	vf=$(netdev_of_vf 1)
	ip link set $port vf 1 state disable
	ip link set "$vf" up
	same 'carrier of a disabled VF' 0 "$(cat /sys/class/net/"$vf"/carrier)"
	ip link set $port vf 1 state auto
	settles grep -q 1 /sys/class/net/"$vf"/carrier
	connectx $port link down
	settles grep -q 0 /sys/class/net/"$vf"/carrier
	connectx $port link up
	settles grep -q 1 /sys/class/net/"$vf"/carrier
	ip link set "$vf" down
}

# A VF, its port, and the other side of the cable.
virtual_function_reaches_the_wire() {
	local vf
	vf=$(netdev_of_vf 0)
	ip netns add vf
	ip netns add far
	ip link set "$vf" netns vf
	ip link set $other netns far
	ip addr add 192.0.2.1/24 dev $port
	ip -n vf addr add 192.0.2.2/24 dev "$vf"
	ip -n far addr add 192.0.2.3/24 dev $other
	ip -n vf link set "$vf" up
	ip -n far link set $other up
	settles carrier_is_up
	settles ip netns exec vf /run/vm/busybox ping -c 1 -W 1 192.0.2.1
	settles ip netns exec vf /run/vm/busybox ping -c 1 -W 1 192.0.2.3
	settles /run/vm/busybox ping -c 1 -W 1 192.0.2.3
	ip addr del 192.0.2.1/24 dev $port
	ip -n far link set $other netns 1
	ip -n vf link set "$vf" netns 1
	ip netns del far
	ip netns del vf
	ip link set $other up
}

names_of_representors() {
	cat /sys/class/net/*/phys_port_name 2>/dev/null | grep vf | sort | tr '\n' ' '
}

representors_appear() {
	expect 0 devlink dev eswitch set "pci/$pci" mode switchdev
	same representors 'pf0vf0 pf0vf1 ' "$(names_of_representors)"
	expect 0 devlink port show
	says 'flavour pcivf controller 0 pfnum 0 vfnum 1'
	expect 0 losslessctl show
	expect 0 devlink dev eswitch set "pci/$pci" mode legacy
	same 'representors in legacy mode' '' "$(names_of_representors)"
}

virtual_functions_go() {
	connectx $port unplug
	[ ! -e /sys/bus/pci/devices/0000:3b:00.2 ] || echo 'a VF outlives its PF'
	connectx $port plug
	same VFs 0 "$(cat "$device/sriov_numvfs")"
	echo 1 >"$device/sriov_numvfs"
	echo 0 >"$device/sriov_numvfs"
	[ ! -e /sys/bus/pci/devices/0000:3b:00.2 ] || echo 'the VF is still there'
}

rdma_devices() { rdma dev | awk '{ print $2 }' | tr '\n' ' '; }
rdma_devices_are() { [ "$(rdma_devices)" = "$1" ] || { rdma dev && false; }; }

bond() {
	local member
	ip link add bond0 type bond mode "$1" miimon 100
	for member in $port $other; do
		ip link set $member down
		ip link set $member master bond0
	done
	ip link set bond0 up
}

# The map leads both ports to the active one, which is that whose link is there first.
# bonds_in MODE: one RDMA device for the bond, while it is there.
bonds_in() {
	dmesg -c >>"$work/log"
	bond "$1"
	settles rdma_devices_are 'mlx5_bond_0: '
	expect 0 losslessctl show $port
	says "LAG: one RDMA device for the bond's members"
	connectx $port calls | grep '^CREATE_LAG' >"$work/out" || echo 'no CREATE_LAG'
	ip link del bond0
	settles rdma_devices_are 'mlx5_0: mlx5_1: '
	dmesg | grep 'lag map: port 1:[12] port 2:[12]' >"$work/out" || echo 'the driver tells no map of ports'
}

# The driver makes no RDMA device of it: that stays with the representors.
switchdev_ports_bond() {
	devlink dev eswitch set "pci/$pci" mode switchdev
	devlink dev eswitch set "pci/${pci_of[$other]}" mode switchdev
	dmesg -c >>"$work/log"
	bond active-backup
	settles eval 'dmesg | grep "lag map: port 1:\([12]\) port 2:\1"'
	ip link del bond0
	devlink dev eswitch set "pci/$pci" mode legacy
	devlink dev eswitch set "pci/${pci_of[$other]}" mode legacy
}

ports_part() {
	settles rdma_devices_are 'mlx5_0: mlx5_1: '
	ip link set $port up
	ip link set $other up
	settles carrier_is_up
}

# becomes TYPE PORT...
becomes() {
	local one type=$1
	shift
	for one; do connectx "$one" type "$type"; done
	for one; do connectx "$one" power cycle; done
}

# of_rdma FILE: of the first port's RDMA device.
of_rdma() { cat "$device"/infiniband/*/ports/1/"$1"; }
rdma_state_is() { [ "$(of_rdma state)" = "$1" ] || { of_rdma state && false; }; }

infiniband_ports_have_no_netdev() {
	becomes infiniband $port $other
	[ ! -e "$device/net" ] || echo 'there is a netdev'
	same class 0x020700 "$(cat "$device/class")"
	same 'link layer' InfiniBand "$(of_rdma link_layer)"
	settles rdma_state_is '4: ACTIVE'
	same rate '100 Gb/sec (4X EDR)' "$(of_rdma rate)"
	same LID 0x2 "$(of_rdma lid)"
	same GID fe80:0000:0000:0000:b859:9f03:00c0:ff00 "$(of_rdma gids/0)"
	same P_Keys '0xffff 0x0000' "$(of_rdma pkeys/0) $(of_rdma pkeys/1)"
	expect 0 losslessctl show
	says 'in InfiniBand mode, which is lossless by design'
}

cable_of_infiniband_goes() {
	connectx $port link down
	settles rdma_state_is '1: DOWN'
	connectx $port link up
	settles rdma_state_is '4: ACTIVE'
}

mixed_card_gets_no_link() {
	becomes ethernet $other
	ip link set $other up
	same carrier 0 "$(cat /sys/class/net/$other/carrier)"
	rdma_state_is '1: DOWN'
	expect 0 losslessctl show $other
	becomes ethernet $port
	ip link set $port up
	same class 0x020000 "$(cat "$device/class")"
	settles carrier_is_up
}

it "the host of a BlueField has DCB and no E-Switch" host_of_a_dpu_has_no_switch
it "an adapter outside a DPU manages its E-Switch" adapter_gets_its_switch_back
it "switchdev mode keeps the netdev and takes RoCE from it" switchdev_mode_is_there
it "switchdev mode keeps DCB" dcb_stays_in_switchdev_mode
it "legacy mode brings RoCE back" legacy_mode_comes_back
it "devlink reload ends switchdev mode" reload_ends_switchdev_mode
it "virtual functions appear with the driver's own names" virtual_functions_appear
it "a virtual function has no DCB" virtual_function_has_no_dcb
it "the physical function rules the virtual ones" physical_function_rules_virtual_ones
it "a virtual function reaches its port and the wire" virtual_function_reaches_the_wire
it "switchdev mode shows a representor of each virtual function" representors_appear
it "virtual functions go with their physical function" virtual_functions_go
modprobe bonding
it "an active-backup bond has one RDMA device" bonds_in active-backup
it "a bond by LACP has one RDMA device" bonds_in 802.3ad
it "a bond of ports in switchdev mode is a LAG, too" switchdev_ports_bond
it "ports of a former bond work alone" ports_part
it "ports of InfiniBand have an RDMA device and no netdev" infiniband_ports_have_no_netdev
it "the cable takes the state of InfiniBand down and up" cable_of_infiniband_goes
it "a port of each type is a card without a link" mixed_card_gets_no_link
it "the driver has no complaints" complaints
tap_end
