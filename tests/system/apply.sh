#!/usr/bin/env bash
# long: 7.3
# Tests of apply and rollback: independent readers see that apply writes a policy and that rollback
# restores the state before.
. tests/system/lib.sh

before_port=$(hardware $port) before_other=$(hardware $other)

plan_tells_the_steps() {
	expect 2 losslessctl --json plan $policy
	same link_flap_count 2 "$(json link_flap_count)"
	same 'first step' mtu "$(json feature)"
}

plan_writes_nothing() {
	local before
	before=$(changes)
	expect 2 losslessctl plan $policy
	same 'driver calls' "$before" "$(changes)"
	[ ! -e /var/lib/losslessctl ] || echo 'plan made a state folder'
	[ ! -e /sys/kernel/config/rdma_cm/mlx5_0 ] || echo 'plan made a configfs folder'
}

apply_succeeds() {
	expect 0 losslessctl --json apply $policy
	same outcome applied "$(json outcome)"
}

dcb_sees_pfc() {
	same $port '{"pfc_cap":8' "$(dcb -j pfc show dev $port | cut -d, -f1)"
	same 'PFC of 3' 'prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off' \
		"$(dcb pfc show dev $port prio-pfc | sed 's/ *$//')"
	same "cable of $port" 'delay 7' "$(dcb pfc show dev $port delay | sed 's/ *$//')"
	same "cable of $other" 'delay 30' "$(dcb pfc show dev $other delay | sed 's/ *$//')"
}

dcb_sees_ets() {
	same classes 'prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:6 7:0' "$(dcb ets show dev $port prio-tc | sed 's/ *$//')"
	same algorithms 'tc-tsa 0:ets 1:ets 2:ets 3:ets 4:ets 5:ets 6:strict 7:ets' \
		"$(dcb ets show dev $port tc-tsa | sed 's/ *$//')"
	same shares 'tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0' "$(dcb ets show dev $port tc-bw | sed 's/ *$//')"
}

dcb_sees_all_64_dscps() {
	local map
	map=$(dcb -N app show dev $port dscp-prio)
	same entries 64 "$(grep -oE '[0-9]+:[0-9]+' <<<"$map" | wc -l)"
	grep -qE '(^| )26:3( |$)' <<<"$map" || echo '26 is not 3'
	grep -qE '(^| )48:6( |$)' <<<"$map" || echo '48 is not 6'
	grep -qE '(^| )24:0( |$)' <<<"$map" || echo '24 is not 0'
}

dcb_sees_the_host_in_charge() {
	dcb -j dcbx show dev $port | grep -q '"host":true' || dcb dcbx show dev $port
}

ethtool_sees_pause_off() {
	same rx off "$(ethtool -a $port | awk '/^RX:/ { print $2 }')"
	same tx off "$(ethtool -a $port | awk '/^TX:/ { print $2 }')"
}

ip_sees_the_mtu() {
	same mtu 9000 "$(cat /sys/class/net/$port/mtu)"
}

configfs_has_mode_and_tos() {
	same mode 'RoCE v2' "$(cat /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode)"
	same tos 106 "$(cat /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos)"
}

verify_agrees() {
	expect 0 losslessctl --json verify $policy
	same verdict in_sync "$(json verdict)"
}

a_second_apply_changes_nothing() {
	local before
	before=$(changes)
	expect 0 losslessctl --json apply $policy
	same outcome unchanged "$(json outcome)"
	same 'driver calls' "$before" "$(changes)"
}

# One cable joins the ports: each goes down with the other.
the_link_went_down_once_a_port() {
	same $port 2 "$(connectx $port state | awk '/^link_down_events/ { print $2 }')"
	same $other 2 "$(connectx $other state | awk '/^link_down_events/ { print $2 }')"
}

show_is_a_policy() {
	losslessctl --json show >"$work/shown.json"
	expect 0 losslessctl verify "$work/shown.json"
	expect 0 losslessctl plan "$work/shown.json"
	expect 0 losslessctl check "$work/shown.json"
}

rollback_takes_it_back() {
	expect 0 losslessctl rollback
	same $port "$before_port" "$(hardware $port)"
	same $other "$before_other" "$(hardware $other)"
}

a_second_rollback_has_nothing_to_do() {
	local before
	before=$(changes)
	expect 0 losslessctl rollback
	says 'nothing to roll back'
	same 'driver calls' "$before" "$(changes)"
}

rollback_of_one_port_leaves_the_other() {
	expect 0 losslessctl apply $policy
	expect 0 losslessctl rollback $port
	same $port "$before_port" "$(hardware $port)"
	expect 0 losslessctl verify $policy $other
	expect 0 losslessctl rollback
	same $other "$before_other" "$(hardware $other)"
}

# The policy of the other port needs a VLAN device that does not exist.
one_refused_port_stops_all_unless_told_otherwise() {
	printf '{"version":1,"name":"two","profiles":{"a":{"mtu":4200},"b":{"mtu":4200,"vlan":{"egress":{"v9":{"3":3}}}}},
		"rules":[{"match":{"name":"%s"},"profile":"a"},{"match":{"name":"%s"},"profile":"b"}]}' \
		$port $other >"$work/two.json"
	expect 1 losslessctl --json apply "$work/two.json"
	same 'outcome' refused "$(json outcome)"
	same 'MTU of what was not refused' 1500 "$(cat /sys/class/net/$port/mtu)"
	expect 1 losslessctl apply --keep-going "$work/two.json"
	same 'MTU of what was not refused' 4200 "$(cat /sys/class/net/$port/mtu)"
	same 'MTU of what was refused' 1500 "$(cat /sys/class/net/$other/mtu)"
	expect 0 losslessctl rollback
}

it 'plan prints the steps and the flaps, and exits 2' plan_tells_the_steps
it 'plan writes nothing' plan_writes_nothing
it 'apply succeeds' apply_succeeds
it 'dcb sees PFC and cable length' dcb_sees_pfc
it 'dcb sees ETS' dcb_sees_ets
it 'dcb sees all 64 DSCPs' dcb_sees_all_64_dscps
it 'dcb sees the host in charge of DCBX' dcb_sees_the_host_in_charge
it 'ethtool sees global pause off' ethtool_sees_pause_off
it 'the kernel has the MTU' ip_sees_the_mtu
it 'configfs has the RoCE mode and ToS' configfs_has_mode_and_tos
it 'verify agrees' verify_agrees
it 'the link of each port went down once' the_link_went_down_once_a_port
it 'a second apply asks no driver for a change' a_second_apply_changes_nothing
it 'what show prints is accepted as a policy' show_is_a_policy
it 'rollback takes it back exactly' rollback_takes_it_back
it 'a second rollback has nothing to do and says so' a_second_rollback_has_nothing_to_do
it 'rollback of one port leaves the other' rollback_of_one_port_leaves_the_other
it 'one refused port stops all, unless --keep-going is set' one_refused_port_stops_all_unless_told_otherwise
tap_end
