#!/usr/bin/env bash
# vm: --peer
# Tests of the priority on which the kernel's own traffic leaves Debian's driver: 0 while the
# interface has one traffic class, else that of trust and the DSCP map (mlx5e_select_queue()).
. tests/system/lib.sh

ip addr add 192.0.2.1/24 dev $port
ip -n peer addr add 192.0.2.2/24 dev $other
ping() { /run/vm/busybox ping -c 4 192.0.2.2; }

sent_on_3() { ethtool -S $port | awk '$1 == "tx_prio3_packets:" { print $2 }'; }

# packets_on_3: count what leaves on priority 3 while four echo requests do; ARP can add to them.
packets_on_3() {
	local before
	before=$(sent_on_3)
	expect 0 ping
	echo $(($(sent_on_3) - before))
}

one_class() {
	dcb app add dev $port dscp-prio 0:3
	dcb ets set dev $port prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
	same 'sent on priority 3' 0 "$(packets_on_3)"
}

eight_classes() {
	tc qdisc add dev $port root mqprio num_tc 8 map 0 1 2 3 4 5 6 7 hw 1
	[ "$(packets_on_3)" -ge 4 ] || echo 'the echo requests did not leave on priority 3'
	dcb app del dev $port dscp-prio 0:3
	same 'sent on priority 3 without the map' 0 "$(packets_on_3)"
	tc qdisc del dev $port root
}

it "without mqprio it leaves on priority 0, whatever ETS and the DSCP map are" one_class
it "with mqprio it leaves on the priority of its DSCP" eight_classes
tap_end
