#!/usr/bin/env bash
# short: 6.12
# The PCP of RDMA and TCP through a VLAN device, measured at both ports, beside what losslessctl says
# of it: rdma_cm goes by the kernel's priority of its ToS, verbs by their service level.
. tests/system/lib.sh
. tests/system/lib_traffic.sh

near_vlan=192.0.2.5 far_vlan=192.0.2.6
near_port=$near far_port=$far
pfc_without() { for p in 0 1 2 4 5 6 7; do printf ' %d:off' $p; done; }

set_up_ports() {
	local each
	connect_ports
	for each in $port $other; do
		# shellcheck disable=SC2046	# words
		dcb pfc set dev "$each" prio-pfc 3:on $(pfc_without)
		ip link add link "$each" name "$each.7" type vlan id 7
		echo 1 >"/proc/sys/net/ipv6/conf/$each.7/disable_ipv6" # its frames are tagged
		ip link set "$each.7" up
		echo 0 >"/proc/sys/net/ipv4/conf/$each.7/rp_filter"
	done
	wait_carrier
	connect_ends $port.7 $near_vlan $other.7 $far_vlan
	near=$near_vlan far=$far_vlan
}

# sends TOS FROM:TO…: set the map of the near VLAN device, and the default ToS of rdma_cm.
sends() {
	local p
	echo "$1" >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos
	for p in {0..7}; do
		ip link set $port.7 type vlan egress-qos-map $p:0
	done
	ip link set $port.7 type vlan egress-qos-map "${@:2}"
}

# judged TOS MAP: print the lints about VLAN devices of a policy with this ToS and this map.
judged() {
	printf '{"version":1,"name":"pcp","profiles":{"p":{"pfc":{"priorities":[3]},"trust":"pcp",
		"roce":{"tos":%d},"vlan":{"egress":{"%s":%s}}}},
		"rules":[{"match":{"name":"%s"},"profile":"p"}]}' "$1" $port.7 "$2" $port >"$work/policy.json"
	losslessctl --json verify "$work/policy.json" >"$work/verify.json" || true
	grep -oE '"lint":"(vlan-egress|mqprio|vf-vlan)[a-z-]*"[^}]*"message":"[^"]*"' "$work/verify.json" |
		sed -E 's/"lint":"([a-z-]*)".*"message":"(.*)"/\1: \2/' | sort -u
}

# carries PRIORITY: all of rdma_cm's messages, acknowledgements and requests have it at both ends.
carries() {
	transfer_cm
	same 'messages leave' "$1" "$(priorities $port tx)"
	same 'messages arrive' "$1" "$(priorities $other rx)"
}

shared='vlan-egress-lossless-sockets: TCP through'

a_map_of_pfc_priorities() {
	sends 106 3:3 6:6
	carries 0
	same judged "vlan-egress-not-lossless: rdma_cm sends ToS 106 through $port.7 with PCP 0, which is not lossless: the kernel gives this ToS the priority 2" \
		"$(judged 106 '{"3":3,"6":6}')"
}

map_of_tos_0() {
	sends 0 0:3 1:0 2:0 3:0
	carries 3
	same judged "$shared $port.7 with ToS 0, the default has PCP 3: it is in the lossless class" \
		"$(judged 0 '{"0":3,"1":0,"2":0,"3":0}')"
}

map_of_tos_106() {
	sends 106 2:3 6:6
	carries 3
	same judged "$shared $port.7 with ToS 8, 72 or 104 has PCP 3: it is in the lossless class" \
		"$(judged 106 '{"2":3,"6":6}')"
}

# tcp TOS: print the priorities other than 0 on which a connection's frames arrive. They leave on 0
# without mqprio, whatever their tag (tests/system/kernel_priority.sh).
tcp() {
	transfer_begins
	perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); setsockopt(S, IPPROTO_IP, IP_TOS, 0 + $ARGV[0]) or die $!;
		$SIG{ALRM} = sub { exit }; alarm 1; connect(S, pack_sockaddr_in(9, inet_aton($ARGV[1])))' "$1" $far_vlan
	transfer_ends
	grown $other | awk '$1 ~ /^rx_prio[1-7]_packets$/ && $2 > 0 { printf "%s ", substr($1, 8, 1) }'
}

sockets_share_it() {
	sends 106 2:3 6:6
	same 'ToS 72' '3 ' "$(tcp 72)"
	same 'ToS 96' '' "$(tcp 96)"
}

verbs_go_by_the_service_level() {
	sends 106 2:3 6:6
	transfer 0 $near_vlan $far_vlan --tclass 106
	same 'without a service level' 0 "$(priorities $other rx)"
	transfer 0 $near_vlan $far_vlan --tclass 106 --sl 3
	same 'with service level 3' 3 "$(priorities $other rx)"
}

# Each ToS of the table, by a map that tells the kernel's priorities apart.
table_of_tos() {
	local tos all='8:3 32:1 104:3'
	! is_long || all='8:3 16:7 24:5 32:1 96:1 104:3 184:5 192:1'
	sends 0 0:1 2:3 4:5 6:7
	for tos in $all; do
		echo ${tos%:*} >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos
		transfer_cm
		same "ToS ${tos%:*}" ${tos#*:} "$(priorities $other rx)"
	done
}

mqprio_instead_of_the_map() {
	sends 106 2:3 6:6
	tc qdisc add dev $port root mqprio num_tc 8 map 0 1 5 3 4 2 6 7 hw 1
	carries 5
	same judged "mqprio-not-lossless: rdma_cm sends ToS 106 through $port.7 with PCP 5, which is not lossless: mqprio gives its priority 2 the class 5" \
		"$(judged 106 '{"2":3,"6":6}' | grep -v "^$shared")"
	expect 0 losslessctl --json show $port
	jq -e '.ports[0].capabilities.mqprio == [0,1,5,3,4,2,6,7]' "$work/out" >/dev/null || cat "$work/out"
	tc qdisc del dev $port root
	tc qdisc add dev $port root mqprio num_tc 8 map 0 1 3 2 4 5 6 7 hw 1
	same judged '' "$(judged 106 '{"2":0}' | grep -v "^$shared")"
	tc qdisc del dev $port root
	same judged '' "$(judged 106 '{"2":3}' | grep -v "^$shared")"
	expect 0 losslessctl --json show $port
	jq -e '.ports[0].capabilities.mqprio == null' "$work/out" >/dev/null || cat "$work/out"
}

# mlx5 itself takes eight classes or none (mlx5e_setup_tc_mqprio_dcb()).
mqprio_of_the_kernel_alone() {
	sends 106 2:3
	! tc qdisc add dev $port root mqprio num_tc 1 map 0 0 0 0 0 0 0 0 hw 1 2>/dev/null || echo 'mlx5 has one class'
	tc qdisc add dev $port root mqprio num_tc 1 map 0 0 0 0 0 0 0 0 queues 1@0 hw 0
	carries 0
	expect 0 losslessctl --json show $port
	jq -e '.ports[0].capabilities.mqprio == [0,0,0,0,0,0,0,0]' "$work/out" >/dev/null || cat "$work/out"
	tc qdisc del dev $port root
}

a_vf_in_a_vlan_is_noted() {
	sends 106 2:3
	echo 2 >/sys/class/net/$port/device/sriov_numvfs
	ip link set $port vf 0 vlan 100 qos 3
	same judged '' "$(judged 106 '{"2":3}' | grep -v "^$shared")"
	ip link set $port vf 1 vlan 3000
	same judged 'vf-vlan-not-lossless: the port puts VF 1 into VLAN 3000 with qos 0: all its packets have that PCP, which is not lossless' \
		"$(judged 106 '{"2":3}' | grep -v "^$shared")"
	expect 0 losslessctl --json show $port
	jq -e '.ports[0].capabilities.vf_vlans == [{vf:1,vlan:3000,qos:0},{vf:0,vlan:100,qos:3}]' "$work/out" >/dev/null ||
		cat "$work/out"
	echo 0 >/sys/class/net/$port/device/sriov_numvfs
	expect 0 losslessctl --json show $port
	jq -e '.ports[0].capabilities.vf_vlans == []' "$work/out" >/dev/null || cat "$work/out"
}

# env_of_a_job: print the exit code of env, the warning, and what JSON says of the port.
env_of_a_job() {
	local code=0
	losslessctl --json env "$work/policy.json" >"$work/env.json" 2>"$work/env.err" || code=$?
	echo "$code $(sed -n 's/^losslessctl: warning: //p' "$work/env.err" | head -n 1)"
	jq -c '.ports[0] | [.priority, .lossless]' "$work/env.json"
}

# A job's GID is that of the port while the port has an address, whatever VLAN devices it has.
a_job_takes_the_ports_gid() {
	sends 106 2:3
	judged 106 '{"2":3}' >/dev/null
	transfer 0 $near_port $far_port --tclass 106 --sl 3
	same 'without a tag' 0 "$(priorities $other rx)"
	same env "2 $port: it trusts PCP, and the GID that jobs take has no VLAN: packets without a tag have priority 0
[0,false]" "$(env_of_a_job)"
	ip address flush dev $port scope global
	same env "0 
[3,true]" "$(env_of_a_job)"
}

set_up_ports
it "A: a map of PFC's priorities leaves ToS 106 with PCP 0: critical" a_map_of_pfc_priorities
it 'B: a map of priority 0 gives ToS 0 PCP 3' map_of_tos_0
it 'C: a map of priority 2 gives ToS 106 PCP 3' map_of_tos_106
it 'D: TCP of ToS 72 has that PCP, too: a note' sockets_share_it
it 'E: verbs send their service level, and the map has no part in it' verbs_go_by_the_service_level
it 'each ToS has the priority of the kernel' table_of_tos
it 'with mqprio the class of the priority is the PCP' mqprio_instead_of_the_map
it 'so is that of mqprio without the driver' mqprio_of_the_kernel_alone
it 'a VF whose VLAN has a lossy qos is noted' a_vf_in_a_vlan_is_noted
it "F: a job's GID of the port itself has no tag, beside a VLAN device: env says so" a_job_takes_the_ports_gid
tap_end
