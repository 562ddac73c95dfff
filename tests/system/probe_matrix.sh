#!/usr/bin/env bash
# only: 6.12
# vm: --ports 8
# losslessctl probe --hosts between three hosts: each is a port, and a bridge plays their switch. A
# stand-in for ssh runs the probe's servers here.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh

ends=(ens1f0np0 ens2f0np0 ens3f0np0)
switch=(ens1f1np1 ens2f1np1 ens3f1np1)
hosts=(gpu-1 gpu-2 gpu-3)
address() { echo "192.0.2.$(($1 + 1))"; }

# route FROM TO TABLE: set the route of host FROM to host TO.
route() {
	ip route replace "$(address "$2")" dev "${ends[$1]}" src "$(address "$1")" table "$3"
}

# address_host N: host N reaches the others by its own port alone. Without a source address, as
# rdma_cm asks, the route to a host starts at the host that begins: 1 from 0, 2 from 1, 0 from 2.
address_host() {
	local n=$1 each mac
	ip address replace "$(address "$n")" dev "${ends[n]}"
	for each in 0 1 2; do
		[ $each != "$n" ] || continue
		read -r mac <"/sys/class/net/${ends[each]}/address"
		ip neighbour replace "$(address $each)" lladdr "$mac" dev "${ends[n]}" nud permanent
		route "$n" $each $((table + 1 + n))
	done
	route "$n" $(((n + 1) % 3)) $table
}

connect_host() {
	local n=$1 port=${ends[$1]}
	echo 0 >"/proc/sys/net/ipv4/conf/$port/rp_filter"
	echo 1 >"/proc/sys/net/ipv4/conf/$port/accept_local"
	address_host "$n"
	ip rule add pref 1 oif "$port" table $((table + 1 + n))
	mkdir -p "/sys/kernel/config/rdma_cm/$(rdma_of "$port")"
}

# Connect the hosts by a bridge, which is their switch.
connect_hosts() {
	local n
	modprobe rdma_ucm
	echo 0 >/proc/sys/net/ipv4/conf/all/rp_filter
	ip link add switch type bridge
	for n in 0 1 2; do ip link set "${switch[n]}" master switch up; done
	ip link set switch up
	for n in 0 1 2; do connect_host $n; done
	ip rule add pref 1 iif lo table $table
	ip rule add pref 2 table local
	ip rule delete pref 0
}

# stand_in COMMANDS: write the stand-in for ssh, which runs COMMANDS first. The host is its last
# word but one. The commands for that host's server go to $work/asked.HOST.
stand_in() {
	cat >"$work/ssh" <<-END
		#!/bin/bash
		host=\${@: -2:1}
		$1
		case \$host in
		gpu-1) port=${ends[0]} ;;
		gpu-2) port=${ends[1]} ;;
		gpu-3) port=${ends[2]} ;;
		*) echo "ssh: connect to host \$host port 22: No route to host" >&2; exit 255 ;;
		esac
		exec losslessctl probe serve --stdio "\$port" < <(tee -a "$work/asked.\$host")
	END
	chmod +x "$work/ssh"
	[ -e /usr/bin/ssh ] || : >/usr/bin/ssh
	mount --bind "$work/ssh" /usr/bin/ssh
}

# matrix CODE HOST...: probe between these hosts.
matrix() {
	local code=$1
	shift
	printf '%s\n' "$@" >"$work/hosts"
	expect "$code" losslessctl probe --hosts "$work/hosts" --yes --messages $few_messages $more
}
more=

# draws ROW...: the matrix has these cells, a row for each host.
draws() {
	same 'the matrix' "$(printf '%s\n' "$@")" \
		"$(sed -nE 's/^ *[0-9]+ gpu-[0-9]+ +//p' "$work/out" | sed 's/ //g')"
}

left_over() {
	grep -lxE 'ib_write_bw|losslessctl|ssh' /proc/[0-9]*/comm 2>/dev/null
	rdma resource show qp | grep -E 'type (RC|UD)' | grep -vF 'comm ['
	grep -E '^ *[0-9]+: [0-9A-F]+:4853 [0-9A-F:]+ 0A' /proc/net/tcp
}

nothing_is_left() {
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		[ -n "$(left_over)" ] || return
		sleep 0.1
	done
	echo 'this is left:'
	left_over
}

all_in_class() {
	matrix 0 "${hosts[@]}"
	draws '-..' '.-.' '..-'
	says '3 hosts, 6 directions: 6 in_class'
	says '3 hosts, 12 runs of 2.0 MB in 3 rounds'
	nothing_is_left
}

# A wrong map affects both directions of its host, which is named as the receiver and as the sender.
wrong_map_of_one() {
	dcb app add dev "${ends[1]}" dscp-prio 26:2
	matrix 2 "${hosts[@]}"
	dcb app add dev "${ends[1]}" dscp-prio 26:3
	draws '-M.' 'M-M' '.M-'
	says 'M wrong_map: the receiver maps this mark to another priority'
	says 'M wrong_map: the sender maps this mark to another priority'
	says 'run `losslessctl verify` at the host that sends'
	says 'gpu-1 ens1f0np0 -> gpu-2 ens2f0np0 verbs, rdma_cm, rdma_cm_tos priority 3 -> 2'
	says 'losslessctl verify'
}

# The link of one port rewrites the traffic to its host.
one_direction_rewritten() {
	connectx "${switch[2]}" rewrite 26 10
	matrix 2 "${hosts[@]}"
	connectx "${switch[2]}" rewrite off
	draws '-.R' '.-R' '..-'
	says 'R rewritten: the mark was rewritten on the way'
}

without_link() {
	ip link set "${ends[2]}" down
	matrix 3 "${hosts[@]}"
	ip link set "${ends[2]}" up
	address_host 2
	draws '-.?' '.-?' '??-'
	says "gpu-3 ${ends[2]} -> gpu-1 ${ends[0]}"
	says "${ends[2]} has no link"
}

no_answer() {
	matrix 3 gpu-2 gpu-9 gpu-1
	draws '-?.' '?-?' '.?-'
	says '? not probed: no run was made, or not all of them gpu-9 ssh: connect to host gpu-9 port 22: No route to host'
	nothing_is_left
}

as_json() {
	more=--json
	matrix 3 gpu-2 gpu-9 gpu-1
	more=
	same schema losslessctl/probe-matrix/1 "$(json schema)"
	same addresses 'gpu-2 gpu-9 gpu-1' "$(tr -d '\n' <"$work/out" | sed 's/"rounds".*//' |
		grep -oE '"address": *"[^"]*"' | sed 's/.*: *"//; s/"//' | paste -sd ' ' -)"
	same rounds 3 "$(json rounds)"
	says '"message":"ssh: connect to host gpu-9 port 22: No route to host"'
}

# The host dies once perftest runs, and ssh prints the reason a moment later. The host's pairs
# report that reason, and the others are probed. The server dies first; else it reports the end of
# its standard input.
dies_in_the_middle() {
	umount /usr/bin/ssh
	# shellcheck disable=SC2016	# the stand-in's
	stand_in '[ $host != gpu-2 ] || { me=$$; (
		until grep -q "\"start\"" '"$work"'/asked.gpu-2; do sleep 0.05; done
		for each in $(</proc/$me/task/$me/children); do
			[ $(</proc/$each/comm) != tee ] || tee=$each
		done
		kill -KILL $me $tee
		sleep 0.3
		echo "packet_write_wait: Connection reset by peer" >&2
	) </dev/null >/dev/null & }'
	: >"$work/asked.gpu-2"
	matrix 3 "${hosts[@]}"
	draws '-?.' '?-?' '.?-'
	says 'gpu-2 packet_write_wait: Connection reset by peer'
	nothing_is_left
}

interrupted() {
	umount /usr/bin/ssh
	stand_in ''
	printf '%s\n' "${hosts[@]}" >"$work/hosts"
	losslessctl probe --hosts "$work/hosts" --yes --messages 100000 >"$work/out" 2>"$work/err" &
	local prober=$! code=0
	until [ "$(grep -lx ib_write_bw /proc/[0-9]*/comm 2>/dev/null | wc -l)" -ge 2 ]; do sleep 0.02; done
	kill -TERM $prober
	wait $prober || code=$?
	same 'exit code' 143 $code
	nothing_is_left
}

# The probe pings the servers while it waits for the user's answer.
user_thinks() {
	rm -f "$work"/asked.*
	printf '%s\n' gpu-1 gpu-2 >"$work/hosts"
	(sleep 23 && echo n) | script -qec "losslessctl probe --hosts $work/hosts" /dev/null >"$work/out" 2>"$work/err"
	says 'Start the traffic?'
	says 'nothing was sent'
	same 'asked' '{"command":"hello","protocol":1} {"command":"ping"}' "$(paste -sd ' ' "$work/asked.gpu-1")"
	nothing_is_left
}

# A port without a link is an error if it is named; else the other port is probed.
port_without_link() {
	ip link set $other down
	expect 3 losslessctl probe gpu-1 --via ssh --yes --messages $few_messages $other
	says "$other has no link"
	ip link set $other up
}

bad_files() {
	echo gpu-1 >"$work/hosts"
	expect 64 losslessctl probe --hosts "$work/hosts" --yes
	says "$work/hosts: found 1 host, expected 2 to 128"
	printf '%s\n' gpu-1 -oProxyCommand=id >"$work/hosts"
	expect 64 losslessctl probe --hosts "$work/hosts" --yes
	says "$work/hosts:2: found an option, expected one host as ssh takes it"
	expect 66 losslessctl probe --hosts /nowhere --yes
	expect 64 losslessctl probe --hosts "$work/hosts" --token 1 --yes
	nothing_is_left
}

connect_hosts
set_up_ports
stand_in ''
in_long it 'three hosts in order reach each other in class' all_in_class
it 'a wrong map of one host is in its row and in its column' wrong_map_of_one
paths '"verbs"' # the paths do not differ below
in_long it 'a DSCP that is rewritten on the way to one host is in its column' one_direction_rewritten
in_long it 'a host without a link is not probed' without_link
it 'a host that does not answer has its reason, and the others are probed' no_answer
in_long it 'in a document as well' as_json
in_long it 'a host that dies in the middle has its reason, and the others are probed' dies_in_the_middle
in_long it 'a signal ends all, and nothing is left' interrupted
it 'lines are kept alive while the user thinks' user_thinks
it 'a port without a link is an error if it is named' port_without_link
it 'a file of hosts that is wrong is refused' bad_files
tap_end
