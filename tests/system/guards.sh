#!/usr/bin/env bash
# short: 6.12
# vm: --peer
# Tests of the guards: apply refuses a harmful change before it writes anything.
. tests/system/lib.sh
. tests/system/lib_rdma.sh
other=$port # the peer's port is in another network namespace

journals() { ls /var/lib/losslessctl/journal 2>/dev/null; }

# refused OPTION...: apply refuses and writes nothing. Retry: other programs also write to the port
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
	expect 1 losslessctl rollback
	expect 0 losslessctl rollback --allow-disruption
	ip -6 route del default
	ip address flush dev $port
	rm -rf /var/lib/losslessctl
}

default_route_above() {
	ip link add link $port name $port.7 type vlan id 7
	ip link set $port.7 up
	ip address add 192.0.2.1/24 dev $port.7
	ip route add default via 192.0.2.254
	refused
	says "$port.7"
	ip link del $port.7
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

# from_session PEER SERVER: apply refuses, as the route from SERVER to PEER leads through the port.
from_session() {
	SSH_CONNECTION="$1 50000 $2 22" expect 1 losslessctl --json apply $policy $port
	says "SSH session, from $1"
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

rdma_connections() {
	connect_rdma
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 1 losslessctl --json apply "$work/policy.json"
	says '2 RDMA queue pairs are connected'
	says pfc.priorities
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
	says 'would overwrite it within 30 s'
	expect 2 losslessctl verify $policy $port
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
it 'a port below the default route' default_route_above
it 'a port that this SSH session comes through, also under sudo' ssh_session
it 'the rules of policy routing decide, in IPv4 and IPv6' policy_routing
it 'every next hop of the route to this session' several_next_hops
it 'a port that RDMA connections run through' rdma_connections
it 'a read-write lldpad: refused, but for what it does not touch' lldpad_that_writes
it 'an lldpad that only advertises is no objection' lldpad_that_only_speaks
it 'lints refuse changes of their settings, and no others' rules_stop_what_they_speak_of
it 'no carrier: no waiting, a warning' no_carrier
tap_end
