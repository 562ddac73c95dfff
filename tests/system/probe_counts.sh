#!/usr/bin/env bash
# vm: --ports 4
# waits
# short: 6.12
# losslessctl probe where one end's counters miss the traffic.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh

third=ens2f0np0
fourth=ens2f1np1

# arrives_at PORT FOR: redirect RDMA that the switch carries to PORT to the RDMA device of the port
# FOR, as in a bond. The port FOR counts nothing of it.
arrives_at() {
	ip link set "$1" up promisc on
	tc qdisc add dev "$1" clsact
	tc filter add dev "$1" ingress protocol ip flower ip_proto udp dst_port 4791 \
		action skbedit ptype host pipe action mirred ingress redirect dev "$2"
}

in_class='in_class 3 -> 3'

# The port that RDMA does not reach counts a little of other traffic, or nothing.
without_others() { sed -i 's/-> none$/-> 0/' "$work/out"; }

lost_data() {
	arrives_at $fourth $other
	mlx5sim $port detour 3
	probe 2
	mlx5sim $port detour off
	without_others
	finds verbs 'lost 3 -> 0' "$in_class"
	finds rdma_cm 'lost 3 -> 0' "$in_class"
	finds control 'lost 0 -> 0' 'in_class 0 -> 0'
	says 'the receiver did not count what was sent'
}

lost_acknowledgements() {
	arrives_at $third $port
	mlx5sim $other detour 2
	probe 2
	mlx5sim $other detour off
	without_others
	finds verbs "$in_class" 'lost 3 -> 0'
	finds control 'in_class 0 -> 0' 'lost 0 -> 0'
}

# Counters that the driver cannot read stay as they were.
counters_that_stand_still() {
	mlx5sim $other fail get_ethtool_stats EIO 0
	probe 2
	mlx5sim $other fail get_ethtool_stats 0
	finds verbs 'lost 3 -> none' 'not_counted none -> 3'
}

# Broadcom's driver has its own names for the counters.
no_counters_by_priority() {
	disconnect_ports
	mlx5sim $other kind bnxt
	ip link set $other up
	wait_carrier
	connect_ports
	probe 3
	finds verbs 'not_counted 3 -> none' 'not_counted none -> 3'
	finds control 'not_counted 0 -> none' 'not_counted none -> 0'
	says 'a port does not count bytes by priority'
}

connect_ports
set_up_ports
it 'data that arrive at another port of the host are lost' lost_data

paths '"verbs"' # the paths do not differ below
it 'so are acknowledgements' lost_acknowledgements
it 'counters that stand still count nothing' counters_that_stand_still
it 'an adapter that does not count by priority is not_counted' no_counters_by_priority
disconnect_ports
tap_end
