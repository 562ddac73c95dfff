#!/usr/bin/env bash
# vm: --peer
# only: 6.12
# Tests of LLDP reception: which frames count. print_lldp listens as the agent does; send_frame
# sends from the peer.
. tests/system/lib.sh

leaf='0207 04 0c42a1b2c3d4  040d 05 45746865726e6574312f3337  0602 0078'
spine='0207 04 0c42a1b2c3d5  0405 05 73777031  0602 0078'
pfc3='fe06 0080c20b 08 08'
pfc4='fe06 0080c20b 08 10'
heard_leaf='0c:42:a1:b2:c3:d4 Ethernet1/37 ttl 120'
heard_spine='0c:42:a1:b2:c3:d5 swp1 ttl 120'

# hears MS ENOUGH PORT...: start the listener, and return when it listens on every port.
hears() {
	"$tools/print_lldp" "$@" >"$work/out" 2>"$work/err" &
	listener=$!
	until [ "$(grep -c ' 88cc ' /proc/net/packet)" -eq $(($# - 2)) ]; do
		kill -0 $listener || return
		sleep 0.02
	done 2>/dev/null
}

# heard CODE [LINE]...: the listener exits with CODE and has printed exactly these lines.
heard() {
	local code=0 expected=$1
	shift
	wait $listener || code=$?
	[ $code -eq "$expected" ] || echo "exit code $code instead of $expected: $(cat "$work/err")"
	same 'heard' "$(printf '%s\n' "$@")" "$(cat "$work/out")"
}

sends() {
	ip netns exec peer "$tools/send_frame" "$@"
}

# Repeat until the listener ends: a link that has just come up drops the first frames.
keeps_sending() {
	while kill -0 $listener 2>/dev/null; do
		sends "$@"
		sleep 0.1
	done
}

a_neighbour() {
	hears 20000 1 $port
	sends $other "$leaf $pfc3 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1, PFC, pfc 0x08"
}

two_neighbours() {
	hears 20000 2 $port
	sends $other <<-END
	$leaf $pfc3 0000
	$leaf $pfc4 0000
	$spine $pfc4 0000
	END
	heard 0 "$port: 2 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 2, PFC, pfc 0x10" \
		"  $heard_spine frames 1, PFC, pfc 0x10"
}

silence() {
	local began=$SECONDS
	hears 1500 1 $port
	heard 0 "$port: 0 neighbours, 0 more, 0 malformed"
	[ $((SECONDS - began)) -le 15 ] || echo "it took $((SECONDS - began)) s"
}

# The frames that must not count precede the one that ends the listener.
only_the_nearest_bridge() {
	hears 20000 1 $port
	"$tools/send_frame" $port "$spine $pfc3 0000"
	sends --to 01:80:c2:00:00:00 $other "$spine 0000"
	sends --to 01:80:c2:00:00:03 $other "$spine 0000"
	sends --to ff:ff:ff:ff:ff:ff $other "$spine 0000"
	sends --to "$(cat /sys/class/net/$port/address)" $other "$spine 0000"
	sends --type 88b5 $other "$spine 0000"
	sends $other "$leaf 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1"
}

vlans() {
	ip -n peer link add link $other name v5 type vlan id 5
	ip -n peer link add link $other name v6 type vlan id 6
	ip -n peer link set v5 up
	ip -n peer link set v6 up
	ip link add link $port name v6 type vlan id 6
	ip link set v6 up
}

# VLAN 5 has no device on this host; VLAN 6 is a device on the port.
not_of_a_vlan() {
	vlans
	hears 20000 1 $port
	sends v5 "$spine 0000"
	sends v6 "$spine 0000"
	sends $other "$leaf 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1"
	ip link del v6
	ip -n peer link del v5
	ip -n peer link del v6
}

a_bond_member() {
	ip link add bond9 type bond mode 802.3ad
	ip link set $port down
	ip link set $port master bond9
	ip link set bond9 up
	hears 20000 1 $port
	keeps_sending $other "$leaf 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1"
	ip link del bond9
	ip link set $port up
	hears 20000 1 $port
	keeps_sending $other "$leaf 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1"
}

hostile() {
	hears 20000 2 $port
	sends $other <<-END
	0207 04 0c42a1b2c3d4  04ff 05 4574
	$leaf fe07 0080c20b 0808ff 0000
	$leaf fe06 0080c20b 0808 fe06 0080c20b 0808 $(printf '00%.0s' {1..1400})
	0205 07 1b5b324a  0404 07 e280ae  0602 0078  0000
	END
	heard 0 "$port: 2 neighbours, 0 more, 1 malformed: a TLV of type 2 and 255 bytes runs past the LLDPDU's end" \
		"  $heard_leaf frames 2, malformed PFC" '  \x1b[2J \xe2\x80\xae ttl 120 frames 1'
}

through_a_flap() {
	hears 20000 1 $port
	ip link set $port down
	sleep 0.5
	ip link set $port up
	keeps_sending $other "$leaf 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1"
}

two_ports() {
	ip link add d0 type veth peer name d1
	ip link set d0 up
	ip link set d1 up
	hears 20000 1 $port d0
	sends $other "$leaf 0000"
	"$tools/send_frame" d1 "$spine 0000"
	heard 0 "$port: 1 neighbours, 0 more, 0 malformed" "  $heard_leaf frames 1" \
		'd0: 1 neighbours, 0 more, 0 malformed' "  $heard_spine frames 1"
	ip link del d0
}

without_privilege() {
	expect 77 setpriv --bounding-set=-net_raw "$tools/print_lldp" 1000 0 $port
	says CAP_NET_RAW
}

interrupted() {
	local began=$SECONDS
	hears 60000 0 $port
	kill -INT $listener
	heard 130 ''
	says interrupted
	[ $((SECONDS - began)) -le 15 ] || echo "it took $((SECONDS - began)) s"
}

it 'the frame of the peer is received, padded as it arrives' a_neighbour
it 'two neighbours on one wire are distinguished and counted' two_neighbours
it 'silence is reported when the time is over' silence
it 'only what is for the nearest bridge counts, and not what this host sends' only_the_nearest_bridge
it 'what comes on a VLAN does not count' not_of_a_vlan
it 'a member of a bond receives its own frames' a_bond_member
it 'hostile frames are received, counted, and do no harm to a terminal' hostile
it 'a port that goes down and comes back receives again' through_a_flap
it 'several ports receive at once, each its own' two_ports
it 'a port that is gone is reported' expect 3 "$tools/print_lldp" 1000 0 gone0
it 'without the privilege it says which one it needs' without_privilege
it 'a signal ends it at once' interrupted
tap_end
