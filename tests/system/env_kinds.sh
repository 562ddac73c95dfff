#!/usr/bin/env bash
# only: 6.12
# Tests of the environment of jobs on a bond, and on a virtual function in a virtual machine.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_bond.sh

roce='{"mtu":9000,"trust":"dscp","dscp":{"prio":{"26":3},"rest":0},"pfc":{"priorities":[3]}}'

# has_gid DEVICE: it has the address's GID for RoCE v2. There are 256, so looking starts no process.
has_gid() {
	local place gid type at=/sys/class/infiniband/$1/ports/1
	for place in "$at/gids/"*; do
		read -r gid <"$place" && [[ $gid == *c000:0201 ]] || continue
		read -r type <"$at/gid_attrs/types/${place##*/}"
		[[ $type != 'RoCE v2' ]] || return 0
	done
	return 1
}

# The core adds the GID a moment after the address, and after a change of the MTU.
gid_comes() { quickly has_gid "$1"; }

address_comes() {
	ip address add 192.0.2.1/24 dev "$1"
	gid_comes "$2"
}

# lists DEVICE: it is the only one for NCCL and UCX.
lists() {
	same devices "NCCL_IB_HCA==$1:1 UCX_NET_DEVICES=$1:1" \
		"$(sed -n "s/^export //; s/'//g; /^NCCL_IB_HCA/p; /^UCX_NET/p" "$work/out" | paste -sd ' ')"
}

a_bond_has_one_device() {
	bond
	address_comes bond9 mlx5_bond_0
	make_policy "$roce" bond9
	expect 0 losslessctl apply "$work/policy.json"
	gid_comes mlx5_bond_0
	expect 0 losslessctl env --format sh "$work/policy.json"
	lists mlx5_bond_0
	dcb pfc set dev $other prio-pfc all:off # this member alone would drop packets
	expect 2 losslessctl env --format sh "$work/policy.json"
	says "$other: DSCP 26 is not in the class of the policy now"
	expect 0 losslessctl rollback
	unbond
}

# mlx5 merges the devices of a bond of its own ports, but not in this mode.
a_bond_that_does_not_merge() {
	ip link add bond9 type bond mode balance-rr miimon 50
	local p
	for p in $port $other; do
		ip link set "$p" down
		ip link set "$p" master bond9 2>/dev/null # mlx5 warns of the mode
	done
	ip link set bond9 up
	wait_carrier
	make_policy '{"pfc":{"priorities":[]}}' bond9
	losslessctl verify "$work/policy.json" >"$work/out" 2>"$work/err"
	says "bond9 has no RoCE LAG, as the RDMA devices of its ports did not merge"
	losslessctl ready "$work/policy.json" >"$work/out" 2>"$work/err"
	says 'bond all ports of the adapter in mode active-backup, balance-xor or 802.3ad'
	unbond
}

# The virtual machine cannot read trust, map and PFC, which the VF's PF has.
a_vf_has_the_class_of_the_policy() {
	connectx $port pci device 0x101e
	connectx $port power cycle
	address_comes $port mlx5_0
	make_policy "$roce" $port
	expect 0 losslessctl env --format sh "$work/policy.json"
	says "NCCL_IB_TC='106'"
	lists mlx5_0
	expect 0 losslessctl --json env "$work/policy.json"
	says '"priority":null,"lossless":null'
	echo NCCL_IB_TC=0 >"$work/environ"
	expect 2 losslessctl env "$work/policy.json" --check "$work/environ"
	says "traffic class 0 is DSCP 0, which $port puts into priority 0"
	connectx $port pci device 0x1019
	connectx $port power cycle
	address_comes $port mlx5_0
	expect 2 losslessctl env "$work/policy.json"
	says "$port: DSCP 26 is not in the class of the policy now"
}

it 'jobs see one device of a bond' a_bond_has_one_device
in_long it 'a bond whose devices did not merge: verify and ready say so' a_bond_that_does_not_merge
it 'jobs on a VF have the class of the policy' a_vf_has_the_class_of_the_policy
tap_end
