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
	until [ -e /sys/class/infiniband/mlx5_bond_0 ] || [ $((tries += 1)) -gt 200 ]; do
		sleep 0.02
	done
}

unbond() {
	ip link del bond9
	ip link set "$port" up
	ip link set "$other" up
	wait_carrier
}
