#!/usr/bin/env bash
# short: 6.12
# vm: --peer
# Tests of the guards: apply refuses a harmful change before it writes anything.
. tests/system/lib.sh
. tests/system/lib_rdma.sh
other=$port # the peer's port is in another network namespace

journals() { ls /var/lib/losslessctl/journal 2>/dev/null; }

refusals() { grep -oE '"refusals":\[[^]]*\]' "$1"; }

# refused OPTION...: apply refuses and writes nothing, and plan has said why. Retry: other programs also write to the port
# at their own times, so one run between two equal states is proof.
refused() {
	local before after
	for _ in $(seq 10); do
		before=$(hardware $port; changes; journals)
		expect 1 losslessctl --json apply "$@" $policy $port
		after=$(hardware $port; changes; journals)
		[ "$before" != "$after" ] || break
		sleep 1
	done
	same outcome refused "$(json outcome)"
	same 'nothing is written' "$before" "$after"
	losslessctl --json plan "$@" $policy $port >"$work/planned" 2>&1
	same "plan's refusals" "$(refusals "$work/out")" "$(refusals "$work/planned")"
}

no_link_flap() {
	refused --no-link-flap
	says 'flaps the link'
	expect 1 losslessctl plan --no-link-flap $policy $port
	make_policy '{"mtu":9000}' $port
	expect 0 losslessctl apply --no-link-flap "$work/policy.json"
	expect 0 losslessctl rollback --no-link-flap
}

default_route() {
	ip address add 192.0.2.1/24 dev $port
	ip route add default via 192.0.2.254
	refused
	says 'default route'
	ip route del default
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip -6 route add default via 2001:db8::fe
	refused
	says 'default route'
	expect 0 losslessctl apply --allow-disruption $policy $port
	expect 0 losslessctl rollback
	says 'default route'
	says 'it is rolled back nevertheless'
	ip -6 route del default
	ip address flush dev $port
	rm -rf /var/lib/losslessctl
}

# Ways to sit on a port: name, then commands that make the device "over"; P is the port. The link of
# a pair in a bridge and the route of a tunnel lead to the port as well.
ways='vlan: link add link P name over type vlan id 7
macvlan: link add link P name over type macvlan mode bridge
macvtap: link add link P name over type macvtap
ipvlan: link add link P name over type ipvlan
macsec: link add link P name over type macsec
vxlan: link add over type vxlan id 7 dev P group 239.0.0.7 dstport 4789
vxlan by its remote: link add over type vxlan id 7 remote 203.0.113.9 dstport 4789
geneve: link add over type geneve id 7 remote 203.0.113.9
gre: link add over type gre remote 203.0.113.9 local 203.0.113.1
gretap: link add over type gretap remote 203.0.113.9 local 203.0.113.1
ipip: link add over type ipip remote 203.0.113.9 local 203.0.113.1
sit: link add over type sit remote 203.0.113.9 local 203.0.113.1
ip6gre: link add over type ip6gre remote 2001:db8:5::9 local 2001:db8:5::1
ip6tnl: link add over type ip6tnl remote 2001:db8:5::9 local 2001:db8:5::1
bridge: link add over type bridge; link set P master over
VRF: link add over type vrf table 100; link set P master over
veth behind a bridge: link add br9 type bridge; link set P master br9; link add over type veth peer name in9; link set in9 master br9 up; link set br9 up
macvlan on a VLAN: link add link P name v9 type vlan id 9; link set v9 up; link add link v9 name over type macvlan
gre on a VLAN: link add link P name v9 type vlan id 9; link set v9 up; address add 203.0.114.1/24 dev v9; link add over type gre remote 203.0.114.9 local 203.0.114.1
hsr: link add v9 type dummy; link set v9 up; link add name over type hsr slave1 P slave2 v9
hsr by its second port: link add v9 type dummy; link set v9 up; link add name over type hsr slave1 v9 slave2 P
VLAN on a bridge: link add br9 type bridge; link set P master br9; link set br9 up; link add link br9 name over type vlan id 9'
is_long || ways=$(grep -E '^(macvlan on|vxlan by|hsr by|gre on|bridge|VRF)' <<<"$ways")

modprobe -q hsr || ways=$(grep -v '^hsr' <<<"$ways") # Debian's 6.1 has none

# make_way COMMANDS: as $ways has them.
make_way() {
	sed 's/; */\n/g; s/\bP\b/'$port'/g' <<<"$1" | ip -batch - || echo "cannot make $1"
}

every_way_to_sit_on_a_port() {
	local way
	ip address add 203.0.113.1/24 dev $port
	ip -6 address add 2001:db8:5::1/64 dev $port nodad
	while IFS= read -r way; do
		make_way "${way#*: }"
		ip link set over up
		ip route add default dev over metric 9
		losslessctl plan $policy $port >"$work/out" 2>&1
		grep -q 'carries the default route (over)' "$work/out" || echo "not guarded: $way"
		ip route del default 2>/dev/null
		ip link set $port nomaster
		for made in over v9 br9; do ip link del $made 2>/dev/null; done
	done <<<"$ways"
	ip rule del pref 1000 # the first VRF made it
	ip -6 rule del pref 1000
	ip address flush dev $port
	ip link set $port up
	wait_carrier
}

# Nothing but the kind joins an internal port of Open vSwitch to the ports of its datapath, whose
# master is the datapath's own interface.
below_open_vswitch() {
	modprobe openvswitch
	expect 0 "$tools/datapath" ovs-system $port br-ex
	grep -q "master ovs-system" <<<"$(ip link show $port)" || echo 'no port of the datapath'
	ip link set br-ex up
	ip address add 203.0.113.1/24 dev br-ex
	accepted
	ip link add link br-ex name over type vlan id 7
	ip link set over up
	for way in br-ex over; do
		ip route add default dev $way
		refused
		says "carries the default route ($way)"
		ip route del default
	done
	from_session 203.0.113.9 203.0.113.1
	ip link del over
	"$tools/datapath" ovs-system
}

# Fabrics advertise a default route on every rail.
routes_that_are_not_in_use() {
	ip link add mgmt type dummy
	ip link set mgmt up
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip -6 route add default via 2001:db8::fe dev $port proto ra metric 1024
	refused
	says 'default route'
	ip route add default dev mgmt
	expect 2 losslessctl plan $policy $port
	says "note  the default route over $port is not in use"
	ip route del default
	ip address add 192.0.2.1/24 dev $port
	ip route add default via 192.0.2.254 dev $port metric 200
	refused
	ip route add default dev mgmt metric 100
	expect 2 losslessctl plan $policy $port
	ip link set mgmt down # its route goes
	refused
	ip link del mgmt
	ip -6 route del default
	ip address flush dev $port
	rm -rf /var/lib/losslessctl
}

# Routed fabrics give each rail a table, for packets from the rail's address.
tables_of_rails() {
	ip link add mgmt type dummy
	ip link set mgmt up
	ip route add default dev mgmt
	ip address add 192.0.2.1/24 dev $port
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip route add default via 192.0.2.254 dev $port table 100
	ip -6 route add default via 2001:db8::fe dev $port table 100
	ip rule add from 192.0.2.1 table 100
	ip -6 rule add from 2001:db8::/64 table 100
	accepted
	says "note  the default route over $port is for some packets only"
	from_session 203.0.113.9 192.0.2.1
	from_session 2001:db8:9::9 2001:db8::1
	# A tunnel's own packets are from its address here.
	ip link add over type gre local 192.0.2.1 remote 198.51.100.9
	ip link set over up
	ip route replace default dev over
	refused
	says 'carries the default route (over)'
	ip link del over
	ip route add default dev mgmt
	ip address add 192.0.2.2/32 dev mgmt
	accepted
	ip rule add from 192.0.2.0/24 table 100 # others' packets, too
	refused
	says "carries the default route ($port)"
	ip rule del from 192.0.2.0/24 table 100
	ip route del default
	refused
	ip route add default dev mgmt table 200
	ip rule add fwmark 1 table 200 # marked packets alone
	refused
	ip rule del fwmark 1 table 200
	ip rule del from 192.0.2.1 table 100
	ip -6 rule del from 2001:db8::/64 table 100
	ip route flush table 100
	ip -6 route flush table 100
	ip link del mgmt
	ip address flush dev $port
}

# The way goes on in another network namespace, which may have a device on the port.
through_another_namespace() {
	ip netns add router
	ip link add over type veth peer name inside netns router
	ip link set over up
	ip -n router link set inside up
	ip address add 203.0.113.1/30 dev over
	ip -n router address add 203.0.113.2/30 dev inside
	ip route add default via 203.0.113.2
	accepted
	says 'the default route over over may lead through this port: the device below over is unknown'
	SSH_CONNECTION='198.51.100.9 50000 203.0.113.1 22' accepted
	says 'this SSH session, from 198.51.100.9, may come through this port: the device below over is unknown'
	ip route del default
	SSH_CONNECTION='203.0.113.2 50000 198.51.100.1 22' accepted
	says 'may come through this port'
	# The link of a container beside a port in a bridge is no way out.
	ip link add br9 type bridge
	ip link set over master br9
	ip link set br9 up
	ip route add default dev br9
	accepted
	if grep -q 'may lead' "$work/out"; then cat "$work/out"; fi
	ip link del br9
	ip link del over
	ip netns del router
}

# As a session of a container or a socket without an address names its ends.
session_by_other_addresses() {
	ip address add 192.0.2.1/24 dev $port
	SSH_CONNECTION='::ffff:192.0.2.9 50000 ::ffff:192.0.2.1 22' expect 1 losslessctl plan $policy $port
	says 'this SSH session, from 192.0.2.9, comes through this port'
	SSH_CONNECTION='192.0.2.9 50000 198.51.100.1 22' expect 1 losslessctl plan $policy $port
	ip address flush dev $port
	SSH_CONNECTION='UNKNOWN 65535 UNKNOWN 65535' accepted
	says 'this SSH session, from UNKNOWN, may come through this port'
}

# Hosts with several ports often have rules from and to the addresses of each; networks of containers have two
# rules for each.
rules_that_are_not_the_hosts() {
	local rule n theirs=('to 192.0.2.1' "iif $port") hosts=('not to 10.0.0.0/8' 'iif mgmt')
	! is_long || theirs+=('to 192.0.2.0/24' 'to 10.0.0.0/8') hosts+=('iif lo' 'to 0.0.0.0/1')
	ip link add mgmt type dummy
	ip link set mgmt up
	ip route add default dev mgmt
	ip address add 192.0.2.1/24 dev $port
	ip route add default via 192.0.2.254 dev $port table 100
	ip rule add from 192.0.2.1 table 100
	for rule in "${theirs[@]}"; do
		ip rule add $rule table 100
		accepted
		says "note  the default route over $port is for some packets only"
		ip rule del $rule table 100
	done
	for n in $(seq 120); do echo "rule add from 10.0.1.$n table main pref 2000"; done | ip -batch -
	accepted
	for n in $(seq 120); do echo 'rule del pref 2000'; done | ip -batch -
	for rule in "${hosts[@]}"; do
		ip rule add $rule table 100
		refused
		says "carries the default route ($port)"
		ip rule del $rule table 100
	done
	ip rule del from 192.0.2.1 table 100
	ip route flush table 100
	ip link del mgmt
	ip address flush dev $port
}

# The kernel tells no way of an overlay whose ends are in a forwarding table.
overlays() {
	ip link add name over type bridge
	ip link add vx9 type vxlan id 9 local 127.0.0.1 nolearning dstport 4789
	ip link set vx9 master over
	ip link set vx9 up
	ip link set over up
	ip address add 192.0.2.1/24 dev over
	ip route add default via 192.0.2.254
	accepted
	says 'the default route over over may lead through this port: the device below vx9 is unknown'
	SSH_CONNECTION='192.0.2.9 50000 192.0.2.1 22' accepted
	says 'this SSH session, from 192.0.2.9, may come through this port: the device below vx9 is unknown'
	ip link del over
	ip link del vx9
}

ssh_session() {
	ip address add 192.0.2.1/24 dev $port
	local before
	before=$(changes)
	SSH_CONNECTION='192.0.2.9 50000 192.0.2.1 22' expect 1 losslessctl --json apply $policy $port
	says 'SSH session, from 192.0.2.9'
	# sudo drops the variable, but a parent still has it.
	SSH_CONNECTION='192.0.2.9 50000 192.0.2.1 22' expect 1 \
		sh -c "env -u SSH_CONNECTION losslessctl --json apply $policy $port; exit \$?"
	says 'SSH session, from 192.0.2.9'
	same 'nothing is written' "$before" "$(changes)"
	SSH_CONNECTION='198.51.100.9 50000 192.0.2.1 22' expect 0 losslessctl apply $policy $port
	expect 0 losslessctl rollback
	ip address flush dev $port
	rm -rf /var/lib/losslessctl
}

# accepted: plan foresees changes and no refusal.
accepted() { expect 2 losslessctl plan $policy $port; }

# The port's wire is also that of its virtual functions.
traffic_of_virtual_functions() {
	local device=/sys/bus/pci/devices/${pci_of[$port]} vf address
	ip address flush dev $port # or RoCE connects from there
	echo 2 >"$device/sriov_numvfs"
	vf=$(basename "$device"/virtfn0/net/*)
	address=$(basename "$(readlink "$device/virtfn0")")
	ip link set "$vf" up
	accepted
	ip address add 192.0.2.1/24 dev "$vf"
	from_session 192.0.2.9 192.0.2.1
	ip link add link "$vf" name over type vlan id 7
	ip link set over up
	ip route add default dev over
	refused
	says 'carries the default route (over)'
	ip link del over
	accepted
	ip netns add pod
	ip link set "$vf" netns pod
	refused
	says "has the VF or SF $address (mlx5_core) of this port: it may carry traffic"
	expect 0 losslessctl apply --allow-disruption $policy $port
	expect 0 losslessctl rollback
	says 'is rolled back nevertheless'
	rm -rf /var/lib/losslessctl
	echo "$address" >/sys/bus/pci/drivers/mlx5_core/unbind
	accepted # a function without a driver carries nothing
	echo 0 >"$device/sriov_numvfs"
	ip netns del pod
}

# The RDMA devices of VFs have queue pairs of their own. No packet of these arrives.
rdma_connections_of_a_virtual_function() {
	local device=/sys/bus/pci/devices/${pci_of[$port]} vf rdma pids=()
	echo 1 >"$device/sriov_numvfs"
	vf=$(basename "$device"/virtfn0/net/*)
	rdma=$(rdma_of "$vf")
	ip link set "$vf" up
	ip address add 192.0.2.1/24 dev "$vf"
	accepted
	ib_send_bw -d "$rdma" -c UD -D 60 >"$work/server" 2>&1 &
	pids+=($!)
	sleep 1
	ib_send_bw -d "$rdma" -c UD -D 60 127.0.0.1 >"$work/client" 2>&1 &
	pids+=($!)
	until_rdma_has 2 "^link $rdma.* type UD state RT[RS]" qp
	kill -STOP "${pids[@]}"
	refused
	says '2 RDMA queue pairs are connected'
	kill -KILL "${pids[@]}"
	wait "${pids[@]}" 2>/dev/null
	echo 0 >"$device/sriov_numvfs"
}

# from_session PEER SERVER: apply refuses, as the route from SERVER to PEER leads through the port.
from_session() {
	SSH_CONNECTION="$1 50000 $2 22" expect 1 losslessctl --json apply $policy $port
	says "SSH session, from $1"
}

# sshd names the interface of a link-local peer, which no route tells.
link_local_session() {
	ip link add link $port name over type vlan id 7
	ip link set over up
	from_session "fe80::9%$port" "fe80::1%$port"
	from_session "fe80::9%over" "fe80::1%over"
	from_session "fe80::9%$(cat /sys/class/net/$port/ifindex)" fe80::1
	SSH_CONNECTION='fe80::9%lo 50000 fe80::1%lo 22' expect 0 losslessctl apply $policy $port
	expect 0 losslessctl rollback
	ip link del over
	rm -rf /var/lib/losslessctl
}

# Remove the VRF, with its rules and the link of the management.
without_vrf() {
	ip link set $port nomaster
	ip link del vrf9
	ip link del mgmt
	ip rule del pref 1000
	ip -6 rule del pref 1000
	ip address flush dev $port
}

# sshd runs in the VRF of the management, or accepts what comes from any VRF. The same addresses may be in
# several.
session_in_a_vrf() {
	ip link add mgmt type dummy
	ip link set mgmt up
	ip address add 192.0.2.1/24 dev mgmt
	ip link add vrf9 type vrf table 9
	ip rule add l3mdev pref 1000 2>/dev/null # the first VRF alone makes it
	ip -6 rule add l3mdev pref 1000 2>/dev/null
	ip link set vrf9 up
	ip link set $port master vrf9
	accepted
	ip address add 192.0.2.1/24 dev $port
	ip -6 address add 2001:db8::1/64 dev $port nodad
	from_session 192.0.2.9 192.0.2.1
	from_session 2001:db8::9 2001:db8::1
	ip route add 198.51.100.0/24 via 192.0.2.254 dev $port table 9
	from_session 198.51.100.9 192.0.2.1
	ip address add 192.0.2.7/32 dev vrf9
	from_session 198.51.100.9 192.0.2.7
	without_vrf
}

# table_of_the_session COMMAND…: COMMAND is IPv4's or IPv6's ip; $peer, $server and $gateway are its
# addresses. Table 100 alone has the route to $peer; a rule for $server or port 22 chooses it.
table_of_the_session() {
	"$@" route add default via $gateway table 100
	expect 0 losslessctl apply $policy $port
	expect 0 losslessctl rollback
	"$@" rule add from $server table 100
	refused
	says 'default route'
	"$@" route del default table 100
	"$@" route add $peer via $gateway table 100
	from_session $peer $server
	"$@" rule del from $server table 100
	SSH_CONNECTION="$peer 50000 $server 22" expect 0 losslessctl apply $policy $port
	expect 0 losslessctl rollback
	"$@" rule add ipproto tcp sport 22 table 100
	from_session $peer $server
	"$@" rule del ipproto tcp sport 22 table 100
	rm -rf /var/lib/losslessctl
}

policy_routing() {
	local gateway=192.0.2.254 server=192.0.2.1 peer=198.51.100.9
	ip address add $server/24 dev $port
	table_of_the_session ip -4
	gateway=2001:db8::fe server=2001:db8::1 peer=2001:db8:9::9
	ip -6 address add $server/64 dev $port nodad
	table_of_the_session ip -6
	ip route flush table 100
	ip -6 route flush table 100
	ip address flush dev $port
}

# every_peer PREFIX SERVER: apply refuses for each of six peers. If it followed only one of the two
# next hops, it would accept half of them.
every_peer() {
	local i
	for i in 1 2 3 4 5 6; do
		from_session "$1$i" "$2"
	done
}

several_next_hops() {
	ip link add bond9 type bond
	ip link set bond9 up
	ip address add 192.0.2.1/24 dev $port
	ip address add 203.0.113.1/24 dev bond9
	ip route add 198.51.100.0/24 nexthop via 203.0.113.254 dev bond9 onlink \
		nexthop via 192.0.2.254 dev $port
	every_peer 198.51.100. 192.0.2.1
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip -6 address add 2001:db8:1::1/64 dev bond9 nodad
	ip -6 route add 2001:db8:9::/64 table 100 nexthop via 2001:db8:1::fe dev bond9 onlink \
		nexthop via 2001:db8::fe dev $port
	ip -6 rule add from 2001:db8::1 table 100
	every_peer 2001:db8:9:: 2001:db8::1
	ip -6 rule del from 2001:db8::1 table 100
	ip -6 route flush table 100
	ip link del bond9
	ip address flush dev $port
	rm -rf /var/lib/losslessctl
}

# The routes name only the object, as FRR has them.
next_hop_objects() {
	local id
	sysctl -qw net.ipv4.nexthop_compat_mode=0
	ip link add mgmt type dummy
	ip link set mgmt up
	ip address add 192.0.2.1/24 dev $port
	ip address add 203.0.113.1/24 dev mgmt
	ip nexthop add id 1 via 192.0.2.254 dev $port
	ip nexthop add id 2 via 203.0.113.254 dev mgmt
	ip nexthop add id 3 group 2/1
	ip nexthop add id 4 group 2
	ip nexthop add id 5 blackhole
	for id in 1 3; do
		ip route replace default nhid $id
		refused
		says "carries the default route ($port)"
	done
	for id in 2 4 5; do
		ip route replace default nhid $id
		accepted
	done
	ip route del default
	ip route add 198.51.100.0/24 nhid 3
	every_peer 198.51.100. 192.0.2.1
	ip nexthop flush >/dev/null
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip nexthop add id 6 via 2001:db8::fe dev $port
	ip -6 route add default nhid 6
	refused
	says "carries the default route ($port)"
	ip nexthop flush >/dev/null
	ip link del mgmt
	ip address flush dev $port
	sysctl -qw net.ipv4.nexthop_compat_mode=1
	rm -rf /var/lib/losslessctl
}

# VPNs leave the default route in place, and divide its addresses among two routes of their own. The
# packets of a VPN leave by another route, which the kernel's links do not tell.
default_routes_of_a_vpn() {
	ip link add vpn type wireguard
	ip link set vpn up
	ip address add 192.0.2.1/24 dev $port
	ip route add 0.0.0.0/1 via 192.0.2.254
	refused
	says "carries the default route ($port)"
	ip route del 0.0.0.0/1
	ip -6 address add 2001:db8::1/64 dev $port nodad
	for half in 8000::/1 2000::/3; do
		ip -6 route add $half via 2001:db8::fe
		refused
		says "carries the default route ($port)"
		ip -6 route del $half
	done
	ip route add default dev vpn metric 1
	accepted
	says 'note  the default route over vpn may lead through this port: the device below vpn is unknown'
	ip route add default via 192.0.2.254 metric 200
	refused
	says "carries the default route ($port)"
	ip route del default metric 1
	ip route del default
	ip route add 198.51.100.0/24 dev vpn
	SSH_CONNECTION='198.51.100.9 50000 192.0.2.1 22' accepted
	says 'this SSH session, from 198.51.100.9, may come through this port: the device below vpn is unknown'
	ip link del vpn
	modprobe tun
	perl -e 'my $r = pack("a16s", "tap7", 0x1002); open(T, "+<", "/dev/net/tun"); ioctl(T, 0x400454ca, $r); sleep 60' &
	for _ in {1..50}; do ip link set tap7 up 2>/dev/null && break || nap 0.1; done # as OpenVPN that carries frames
	ip route add default dev tap7 metric 1
	ip route add default via 192.0.2.254 metric 200
	refused
	says "carries the default route ($port)"
	kill $!
	wait $! 2>/dev/null
	ip route del default via 192.0.2.254 metric 200
	modprobe l2tp_eth # which has no kind, and hides its tunnel
	ip l2tp add tunnel tunnel_id 7 peer_tunnel_id 7 encap ip local 192.0.2.1 remote 192.0.2.254
	ip l2tp add session name vpn tunnel_id 7 session_id 7 peer_session_id 7
	ip link set vpn up
	ip route add 198.51.100.0/24 dev vpn
	SSH_CONNECTION='198.51.100.9 50000 192.0.2.1 22' accepted
	says 'this SSH session, from 198.51.100.9, may come through this port: the device below vpn is unknown'
	ip l2tp del tunnel tunnel_id 7
	ip address flush dev $port
}

# The default route of a VRF is not for what is outside it.
default_route_of_a_management_vrf() {
	ip link add mgmt type dummy
	ip link add vrf9 type vrf table 9
	ip rule add l3mdev pref 1000 2>/dev/null # the first VRF alone makes it
	ip -6 rule add l3mdev pref 1000 2>/dev/null
	ip link set mgmt master vrf9
	ip link set mgmt up
	ip link set vrf9 up
	ip route add default dev mgmt table 9
	ip -6 address add 2001:db8::1/64 dev $port nodad
	ip -6 route add default via 2001:db8::fe dev $port proto ra metric 1024
	refused
	says "carries the default route ($port)"
	ip link set $port master vrf9 # here it is for both
	ip -6 address replace 2001:db8::1/64 dev $port nodad
	ip -6 route add default via 2001:db8::fe dev $port proto ra metric 1024 table 9
	accepted
	says "note  the default route over $port is not in use"
	without_vrf
}

rdma_connections() {
	connect_rdma
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 1 losslessctl --json apply "$work/policy.json"
	says '2 RDMA queue pairs are connected'
	says pfc.priorities
	connectx $port fault PTYS:read fail internal_err 0 # the kernel lists no port of the device
	expect 1 losslessctl apply "$work/policy.json"
	says '2 RDMA queue pairs are connected'
	connectx $port fault none
	ip link set $port mtu 9000
	make_policy '{"mtu":1500}' $port
	expect 1 losslessctl plan "$work/policy.json"
	says 'RDMA connections with larger packets will break'
	expect 1 losslessctl apply "$work/policy.json"
	says '2 RDMA queue pairs are connected'
	make_policy '{"mtu":4200}' $port # their packets have 4096 bytes at most
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback
	ip link set $port mtu 1500
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 0 losslessctl apply --allow-disruption "$work/policy.json"
	end_pairs
	expect 0 losslessctl rollback
	end_addresses
	rm -rf /var/lib/losslessctl
}

lldpad_that_writes() {
	lldpad -p -t -f "$work/lldpad.conf" >/dev/null 2>&1 &
	local pid=$!
	sleep 1
	refused
	says 'would overwrite them within 30 s'
	expect 2 losslessctl verify $policy $port
	says "lldpad (pid $pid) manages the host's ports"
	make_policy '{"mtu":9000}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback
	kill "$pid"
	wait "$pid" 2>/dev/null
	rm -rf /var/lib/losslessctl
}

lldpad_that_only_speaks() {
	lldpad -p -t -R -f "$work/lldpad.conf" >/dev/null 2>&1 &
	local pid=$!
	sleep 1
	expect 0 losslessctl apply $policy $port
	expect 0 losslessctl rollback
	kill "$pid"
	wait "$pid" 2>/dev/null
	rm -rf /var/lib/losslessctl
}

rules_stop_what_they_speak_of() {
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":true,"tx":true}}' $port
	expect 65 losslessctl check "$work/policy.json"
	expect 1 losslessctl apply "$work/policy.json"
	says 'PFC and 802.3x global pause are both on'
	# Existing violations do not block an apply that does not touch them.
	make_policy '{"mtu":4200}' $port
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	ethtool -A $port rx on
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback
	dcb pfc set dev $port prio-pfc 3:off
	wait_carrier
	ethtool -A $port rx on tx on
	rm -rf /var/lib/losslessctl
}

no_carrier() {
	connectx $port link down
	local start=$SECONDS
	expect 0 losslessctl apply $policy $port
	says 'has no link'
	[ $((SECONDS - start)) -lt 20 ] || echo 'it waited for a link that was not there before'
	connectx $port link up
	wait_carrier
	expect 0 losslessctl rollback
	rm -rf /var/lib/losslessctl
}

mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
it '--no-link-flap refuses what would flap, and lets the rest through' no_link_flap
it 'a port with the default route' default_route
it 'a port below the default route, in every way that the kernel knows' every_way_to_sit_on_a_port
in_long it 'a port of a bridge of Open vSwitch' below_open_vswitch
in_long it 'default routes that are not in use' routes_that_are_not_in_use
it 'default routes of rails, each for its own addresses' tables_of_rails
in_long it 'rules of other packets are not those of the host' rules_that_are_not_the_hosts
it 'a default route and a session in an overlay' overlays
it 'a default route and a session in another network namespace' through_another_namespace
it 'a session whose addresses say little' session_by_other_addresses
it 'a port that this SSH session comes through, also under sudo' ssh_session
it 'a port that a session by link-local addresses comes through' link_local_session
it 'a session in a VRF' session_in_a_vrf
it 'the rules of policy routing decide, in IPv4 and IPv6' policy_routing
it 'every next hop of the route to this session' several_next_hops
in_long it 'routes by objects of next hops' next_hop_objects
it 'halves of the default route, and those that lead into a VPN' default_routes_of_a_vpn
it 'a default route of the management VRF is not that of the host' default_route_of_a_management_vrf
it 'a port that RDMA connections run through' rdma_connections
it 'a port whose VFs carry a route, this session, or what cannot be seen' traffic_of_virtual_functions
it 'a port that RDMA connections of a VF run through' rdma_connections_of_a_virtual_function
it 'a read-write lldpad: refused, but for what it does not touch' lldpad_that_writes
it 'an lldpad that only advertises is no objection' lldpad_that_only_speaks
it 'lints refuse changes of their settings, and no others' rules_stop_what_they_speak_of
it 'no carrier: no waiting, a warning' no_carrier
tap_end
