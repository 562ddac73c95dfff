#!/usr/bin/env bash
# short: 6.1
# vm: --ports 4 --peer
# Kinds of ports: bonds, virtual functions, representors, InfiniBand; and whether ports are alike.
. tests/system/lib.sh
. tests/system/lib_agent.sh

port=ens1f0np0
other=ens2f0np0

in_peer() {
	ip -n peer "$@"
}

# enslave IP PORT...: make a bond with LACP of these ports, by IP (ip, or ip in the peer).
enslave() {
	local ip=$1 p
	shift
	$ip link add bond9 type bond mode 802.3ad miimon 50 lacp_rate fast
	for p; do
		$ip link set "$p" down
		$ip link set "$p" master bond9
	done
	$ip link set bond9 up
}

in_use() {
	[ $(($(cat "/sys/class/net/$1/bonding_slave/ad_actor_oper_port_state") & 56)) -eq 56 ]
}

make_bonds() {
	enslave ip $port $other
	enslave in_peer ens1f1np1 ens2f1np1
	for _ in $(seq 200); do
		in_use $port && in_use $other && return
		sleep 0.05
	done
	echo 'LACP did not come up'
}

drop_bonds() {
	in_peer link del bond9
	ip link del bond9
	local p
	for p in $port $other; do ip link set $p up; done
	for p in ens1f1np1 ens2f1np1; do in_peer link set $p up; done
	wait_carrier
}

# member_by_member SETTINGS STEP: that step of a member comes only while the other member is in use.
member_by_member() {
	make_policy "$1" both-rails
	: >"$work/err"
	losslessctl -v apply "$work/policy.json" >"$work/out" 2>"$work/err" &
	local applying=$!
	until grep -q "^$other: writing $2" "$work/err"; do
		kill -0 $applying 2>/dev/null || break
		sleep 0.02
	done
	in_use $port || echo "$other is written while $port is not in use"
	wait $applying || echo "apply ended with $?"
	in_use $port && in_use $other || echo 'a member is not in use afterwards'
	expect 0 losslessctl verify "$work/policy.json"
}

one_member_at_a_time() {
	make_bonds
	ip link property add dev bond9 altname both-rails
	member_by_member '{"mtu":4200}' mtu
	member_by_member '{"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]}}' pfc
}

# The link of the first member stays down: the other one is the last of its bond.
the_last_member_is_left_alone() {
	cp "$work/policy.json" "$work/kept.json"
	make_policy '{"mtu":4200,"pfc":{"priorities":[4]}}' both-rails
	connectx $port link stuck on
	expect 4 losslessctl --json apply --keep-going "$work/policy.json"
	same 'ports in use' 1 "$(in_use $other && echo 1)"
	same 'the other member' not_attempted "$(jq -r ".ports[] | select(.port == \"$other\") | .outcome" "$work/out")"
	connectx $port link stuck off
	ip link set $port down
	ip link set $port up
	for _ in $(seq 200); do in_use $port && break; sleep 0.05; done
	expect 0 losslessctl rollback
	mv "$work/kept.json" "$work/policy.json"
}

# RoCE LAG exists within one adapter: each RDMA device keeps to its own port, with the bond's address.
a_bond_of_two_adapters_has_no_lag() {
	expect 0 losslessctl verify "$work/policy.json"
	says "bond9 has no RoCE LAG, as it has ports of several adapters: mlx5_0 uses $port alone"
	expect 0 losslessctl --json show $port $other
	same "the members' own addresses" 2 "$(grep -o '"mac":"[^"]*"' "$work/out" | sort -u | wc -l)"
	make_policy '{"roce":{"tos":106}}' bond9
	expect 2 losslessctl ready "$work/policy.json"
	says 'rdma-lag'
	ip address add 192.0.2.1/24 dev bond9
	quickly has_gid mlx5_2
	losslessctl env "$work/policy.json" >"$work/out" 2>"$work/err"
	says "mlx5_2 uses $other alone"
	says 'NCCL_IB_HCA==mlx5_0:1,mlx5_2:1'
}

has_gid() { grep -qs ffff:c000:0201 "/sys/class/infiniband/$1/ports/1/gids/"[2-3]; }

# An active-backup bond has its address on the active member alone.
a_standby_carries_nothing() {
	ip link add bond9 type bond mode active-backup miimon 50
	local p
	for p in $port $other; do
		ip link set "$p" down
		ip link set "$p" master bond9
	done
	ip link set bond9 up
	wait_carrier
	ip address add 192.0.2.1/24 dev bond9
	quickly has_gid mlx5_0
	make_policy '{"roce":{"tos":106}}' bond9
	losslessctl env "$work/policy.json" >"$work/out" 2>"$work/err"
	says "mlx5_2 uses $other alone, and is left out"
	says 'NCCL_IB_HCA==mlx5_0:1'
	ip link del bond9
	for p in $port $other; do ip link set $p up; done
	wait_carrier
}

# While the other member has no link, the bond has only this one.
the_agent_leaves_the_last_link() {
	make_policy '{"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]}}' bond9
	sed -i 's/"version":1/&,"mode":"enforce","enforce":{"allow_link_flap":true}/' "$work/policy.json"
	connectx $other link down
	poke_pfc $port 0
	start_agent --verify-interval 1 --sample-interval 3600
	quickly in_log "repair-refused $port: pfc.priorities .* another bond member is down"
	same 'PFC of the last one' 0x00 "$(truth $port pfc_en)"
	connectx $other link up
	stop_agent
}

# No rule matches it any more: it is gone, and no member that is down.
the_agent_repairs_what_a_member_left() {
	poke_pfc $port 8
	start_agent --verify-interval 1 --sample-interval 3600
	ip link set $other nomaster
	ip link set $other up
	quickly in_log "port-removed $other"
	poke_pfc $port 0
	quickly in_log "drift-repaired $port: pfc.priorities"
	stop_agent
	ip link set $other down
	ip link set $other master bond9
	wait_carrier
}

members_must_be_alike() {
	cat >"$work/policy.json" <<-END
		{"version":1,"profiles":{"p":{"mtu":9000}},"rules":[
		{"match":{"name":"bond9"},"profile":"p"},
		{"match":{"name":"$other"},"profile":"p","set":{"mtu":4200}}]}
	END
	local before
	before=$(changes)
	expect 1 losslessctl plan "$work/policy.json"
	says 'the members of bond9 need the same value'
	expect 1 losslessctl apply "$work/policy.json"
	says 'the members of bond9 need the same value'
	same 'nothing is written' "$before" "$(changes)"
	sed -i 's/"version":1/&,"mode":"enforce"/' "$work/policy.json"
	start_agent --verify-interval 1 --sample-interval 3600
	quickly in_log 'mtu is not repaired: the policy asks for different values on the members of one bond'
	stop_agent
	same 'nor by the agent' "$before" "$(changes)"
	drop_bonds
}

a_port_goes_by_its_alternative_names() {
	local alt=rail-0-of-a-host-whose-names-are-longer-than-the-15-characters-that-a-name-has
	ip link property add dev $port altname $alt
	make_policy '{"mtu":4200}' $alt
	expect 2 losslessctl plan "$work/policy.json" $alt
	says "$port  mlx5_core"
	expect 0 losslessctl apply "$work/policy.json" $alt
	expect 0 losslessctl verify "$work/policy.json" $alt
	expect 0 losslessctl history $alt
	expect 0 losslessctl show $alt
	says "alt_names"
	expect 0 losslessctl rollback 'rail-0-*'
	expect 2 losslessctl verify "$work/policy.json"
	ip link property del dev $port altname $alt
	expect 3 losslessctl show $alt
}

a_virtual_function_inherits() {
	local vf device=/sys/bus/pci/devices/${pci_of[$other]}
	echo 1 >"$device/sriov_numvfs"
	vf=$(ls "$device/virtfn0/net")
	ip link set "$vf" up
	make_policy '{"mtu":9000,"pfc":{"priorities":[3]}}' "$vf"
	expect 0 losslessctl apply "$work/policy.json"
	says 'inherited from the PF'
	expect 0 losslessctl verify --all "$work/policy.json"
	says 'inherited from the PF'
	expect 0 losslessctl show "$vf"
	says 'inherited from the PF'
	make_policy '{"mtu":9000,"peer":{"must_agree":["pfc"]}}' "$vf"
	expect 0 losslessctl verify "$work/policy.json" # the cable is the PF's
	expect 0 losslessctl rollback
	echo 0 >"$device/sriov_numvfs"
}

# Print the netdev of the port's first virtual function's representor.
representor() {
	grep -l 'pf0vf0' /sys/class/net/*/phys_port_name 2>/dev/null | cut -d / -f 5
}

a_representor_is_passed_over() {
	local rep device=/sys/bus/pci/devices/${pci_of[$other]}
	echo 1 >"$device/sriov_numvfs"
	devlink dev eswitch set "pci/${pci_of[$other]}" mode switchdev
	rep=$(representor)
	ip link set "$rep" up
	expect 0 losslessctl show
	says "$rep  ignored: a representor"
	expect 3 losslessctl show "$rep"
	says "$rep is a representor"
	make_policy '{"mtu":9000}' "$rep"
	expect 3 losslessctl plan "$work/policy.json"
	says 'no port of this host matches a rule'
	devlink dev eswitch set "pci/${pci_of[$other]}" mode legacy
	echo 0 >"$device/sriov_numvfs"
}

infiniband_is_passed_over() {
	local rdma
	rdma=$(rdma_of $other)
	connectx $other type infiniband
	connectx $other power cycle
	expect 0 losslessctl show
	says "$rdma  ignored: in InfiniBand mode"
	connectx $other type ethernet
	connectx $other power cycle
}

alike_or_not() {
	reset_ports
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_2
	expect 0 losslessctl show $port $other
	says 'both ports have the same configuration'
	dcb pfc set dev $other delay 55
	expect 0 losslessctl show $port $other
	says 'the ports differ in'
	says "$other 55"
	make_policy '{"mtu":1500}' 'ens*'
	expect 0 losslessctl verify "$work/policy.json"
	says 'the ports differ in settings that the policy does not have: pfc.cable_m'
	expect 0 losslessctl --json verify "$work/policy.json"
	says '"port_differences":[{"setting":"pfc.cable_m"'
}

it 'a bond: one member at a time, with LACP back in between' one_member_at_a_time
in_long it 'a member whose mate lost its link is left alone' the_last_member_is_left_alone
it 'a bond of two adapters has no LAG: verify, ready and env say so' a_bond_of_two_adapters_has_no_lag
it 'the agent takes no link down that is the last of a bond' the_agent_leaves_the_last_link
in_long it 'it repairs the port that a member left alone in it' the_agent_repairs_what_a_member_left
it 'a policy that would make its members different is refused' members_must_be_alike
it 'a port goes by its alternative names, too' a_port_goes_by_its_alternative_names
it 'a virtual function inherits from its PF' a_virtual_function_inherits
it 'a representor is named and passed over' a_representor_is_passed_over
it 'a device in InfiniBand mode is named and passed over' infiniband_is_passed_over
it 'show and verify report whether ports are alike' alike_or_not
in_long it 'the standby of a bond without LAG is left out of env' a_standby_carries_nothing
tap_end
