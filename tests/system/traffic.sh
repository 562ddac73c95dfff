#!/usr/bin/env bash
# short: 6.12
# RDMA between two ports by Debian's mlx5_ib and perftest: with which priority it leaves, arrives,
# and is counted.
. tests/system/lib.sh
. tests/system/lib_traffic.sh

# dscp_map PORT DSCP:PRIORITY…: set the map. With an entry the port trusts the DSCP, else the PCP.
dscp_map() {
	local each=$1
	shift
	dcb app flush dev "$each"
	[ $# -eq 0 ] || dcb app add dev "$each" dscp-prio "$@"
}

# moves TX_NEAR RX_FAR TX_FAR RX_NEAR: the priorities of the messages, and of the acknowledgements.
moves() {
	same 'messages leave' "$1" "$(priorities $port tx)"
	same 'messages arrive' "$2" "$(priorities $other rx)"
	same 'acknowledgements leave' "$3" "$(priorities $other tx)"
	same 'acknowledgements arrive' "$4" "$(priorities $port rx)"
}

# The driver counts its own frames besides RDMA, and the wire counts both. ethtool reads the driver's
# counters before the port's: one of the kernel's frames may pass in between.
every_frame_is_counted() {
	local each
	for each in $port $other; do
		same "frames and bytes of $each" "$(frames_on_wire "$each")" "$(rdma_frames "$each")"
		same "the rest of $each" 0 "$(grown "$each" | awk '
			/^[rt]x_packets_phy / { left += $2 }
			/^[rt]x_(packets|vport_rdma_unicast_packets) / { left -= $2 }
			END { print (left == 1 || left == -1) ? 0 : left }')"
	done
}

right_class() {
	dscp_map $port 26:5
	dscp_map $other 26:5
	transfer 0 $near $far --tclass 106
	moves 5 5 5 5
	same 'on the wire' 'far 0x6a,near 0x6a' "$(on_the_wire $other)"
	every_frame_is_counted
}

ipv6() {
	transfer 0 $near6 $far6 --tclass 106
	moves 5 5 5 5
	same 'on the wire' 'far 0x6a,near 0x6a' "$(on_the_wire $other)"
	every_frame_is_counted
}

no_class() {
	transfer 0 $near $far --tclass 0
	moves 0 0 0 0
	same 'on the wire' 'far 0x0,near 0x0' "$(on_the_wire $other)"
}

wrong_map() {
	dscp_map $other 26:2
	transfer 0 $near $far --tclass 106
	moves 5 2 2 5
	dscp_map $other 26:5
}

# The ECN bits stay. A wrong ICRC or a wrong IP header checksum would lose every frame.
rewritten() {
	connectx $port rewrite 26 10
	transfer 0 "$1" "$2" --tclass 106
	moves 5 1 5 5
	same 'at the sender' 'far 0x6a,near 0x6a' "$(on_the_wire $port)"
	same 'at the receiver' 'far 0x6a,near 0x2a' "$(on_the_wire $other)"
	connectx $port rewrite off
}

# The tag has the service level of the queue pair: no map of the VLAN device has a part in it.
trust_pcp() {
	dscp_map $port
	dscp_map $other
	transfer 0 $near $far --tclass 106
	moves 0 0 0 0
	transfer 0 $near_vlan $far_vlan --tclass 106 --sl 4
	moves 4 4 4 4
	same 'on the wire' 'far 0x6a p4,near 0x6a p4' "$(on_the_wire $other)"
	every_frame_is_counted
	transfer 0 $near_vlan $far_vlan --tclass 106
	moves 0 0 0 0
	same 'on the wire' 'far 0x6a p0,near 0x6a p0' "$(on_the_wire $other)"
}

trust_dscp_with_a_tag() {
	dscp_map $port 26:5
	dscp_map $other 26:5
	transfer 0 $near_vlan $far_vlan --tclass 106
	moves 5 5 5 5
}

near_vlan=192.0.2.5 far_vlan=192.0.2.6
add_vlans() {
	local each
	for each in $port $other; do
		ip link add link "$each" name "$each.7" type vlan id 7 egress-qos-map 0:4
		echo 1 >"/proc/sys/net/ipv6/conf/$each.7/disable_ipv6" # its frames are tagged
		ip link set "$each.7" up
		echo 0 >"/proc/sys/net/ipv4/conf/$each.7/rp_filter"
	done
	connect_ends $port.7 $near_vlan $other.7 $far_vlan
}

set_tos() { echo "$2" >"/sys/kernel/config/rdma_cm/$1/ports/1/default_roce_tos"; }

# The request of the connection carries the client's class, which the server takes (cma.c). mlx5_ib
# sets an ECN bit in each datagram (create_ib_ah()), and the requests are datagrams.
default_tos() {
	set_tos mlx5_0 104
	transfer_cm
	moves 5 5 5 5
	same 'on the wire' 'far 0x68,far 0x6a,near 0x68,near 0x6a' "$(on_the_wire $other)"
	set_tos mlx5_0 0
	set_tos mlx5_1 104
	transfer_cm
	moves 0 0 0 0
}

# perftest sets the TOS of the queue pairs that it measures, not of those that exchange its reports.
tos_of_the_program() {
	set_tos mlx5_0 104
	transfer_cm -T 184
	moves '5 6' '5 6' '5 6' '5 6'
	same 'on the wire' 'far 0x68,far 0x6a,far 0xb8,far 0xba,near 0x68,near 0x6a,near 0xb8,near 0xba' \
		"$(on_the_wire $other)"
	set_tos mlx5_0 0
}

# Variables of the environment win over the file.
the_file_of_env_decides() {
	losslessctl -q env --format ucx packaging/policies/nvidia-lossless.json >"$work/ucx.conf" 2>"$work/err"
	ucx rc_x 4096 UCX_CONFIG_DIR="$work"
	moves 5 5 5 5
	same 'on the wire' 'far 0x6a,near 0x6a' "$(on_the_wire $other)"
	ucx rc_x 4096 UCX_CONFIG_DIR="$work" UCX_IB_TRAFFIC_CLASS=0
	moves 0 0 0 0
}

blocked() {
	connectx $port rewrite 26 lost
	transfer 1 $near $far --tclass 106
	says 'Failed status 12' # IBV_WC_RETRY_EXC_ERR
	moves 5 '' '' ''
	connectx $port rewrite off
}

no_neighbour() {
	far_drops arp matchall
	ip neighbour delete $far dev $port
	transfer 1 $near $far
	says 'to RTR'
	far_takes
	add_end $port $near $other $far
}

nobody_serves() {
	expect 1 ib_write_bw -d mlx5_0 127.0.0.1
	says "Couldn't connect to 127.0.0.1:18515"
	expect 1 ib_write_bw -d mlx5_0 -R $far
	says 'Unexpected CM event'
}

connect_ports
add_vlans
it 'RDMA leaves and arrives with the priority of its DSCP, and counts as RDMA' right_class
in_long it 'so does RDMA over IPv6' ipv6
it 'without a traffic class all of it has priority 0' no_class
in_long it 'another map at the receiver gives another priority there' wrong_map
it 'a DSCP that a switch rewrites changes the class at the receiver alone' rewritten $near $far
in_long it 'so it does over IPv6' rewritten $near6 $far6
in_long it 'a port that trusts the PCP classifies by the tag' trust_pcp
it 'a port that trusts the DSCP ignores the tag' trust_dscp_with_a_tag
dscp_map $port 26:5 46:6
dscp_map $other 26:5 46:6
it "rdma_cm alone takes the client's default TOS, in both directions" default_tos
it 'a TOS that the program sets is taken instead' tos_of_the_program
it 'UCX takes the class from the file that env prints' the_file_of_env_decides
in_long it 'RDMA that is blocked on the way leaves, and nothing comes back' blocked
it 'without a neighbour perftest does not connect' no_neighbour
it 'without a server perftest does not connect' nobody_serves
disconnect_ports
tap_end
