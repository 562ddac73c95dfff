# shellcheck shell=bash
# A bond of both ports. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port and other

# The driver makes the bond's RDMA device a moment after both members have their links.
bond() {
	ip link add bond9 type bond mode active-backup miimon 50
	local p tries=0
	for p in $port $other; do
		ip link set "$p" down
		ip link set "$p" master bond9
		ip link set "$p" up
	done
	ip link set bond9 up
	wait_carrier
	until [ -e /sys/class/infiniband/mlx5_bond_0 ] || [ $((tries += 1)) -gt 1000 ]; do
		sleep 0.02
	done
	follow_the_device
}

# If another member becomes active while the driver makes the device, Linux 6.12 keeps the first one as
# the device's, which then has no GIDs of the bond's addresses. Make that member the active one.
follow_the_device() {
	local member
	member=$(rdma link show mlx5_bond_0/1 | sed -n 's/.* netdev \([^ ]*\).*/\1/p')
	ip link set bond9 type bond active_slave "$member"
}

unbond() {
	ip link del bond9
	ip link set "$port" up
	ip link set "$other" up
	wait_carrier
}
