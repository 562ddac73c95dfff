#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# RoCE of the simulated adapter as packets: their numbers, loss, retries, refusals, ECN and CNPs, and
# what the counters of both ends make of them. All programs are Debian's.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_roce.sh

# frames PORT: print how many packets with the TOS of the messages passed each way.
frames() {
	passed "$1" | awk '/tos 0x6a/ { n[$1] += $NF }
		END { print "received " n["received"] + 0 ",sent " n["sent"] + 0 }'
}

# no_packet_is_lost TOOL PACKETS ANSWERS [OPTION]...
no_packet_is_lost() {
	perftest=$1
	move 0 "${@:4}"
	same "packets of $1" "received $3,sent $2" "$(frames $port)"
	quiet near
	quiet far
}

each_kind() {
	no_packet_is_lost ib_write_bw 20 5
	no_packet_is_lost ib_read_bw 5 20
	in_long no_packet_is_lost ib_send_bw 20 5
	in_long no_packet_is_lost ib_write_bw 20 0 -c UC
	few=(-F -n 5)
	in_long no_packet_is_lost ib_atomic_bw 5 5
	few=(-F -n 5 -s 1024)
	no_packet_is_lost ib_send_bw 5 0 -c UD
	in_long no_packet_is_lost ib_send_lat 10 10
}

# print_captured PORT: print each packet at its end of the cable.
print_captured() {
	connectx "$1" capture >"$work/pcap"
	"$tools"/print_roce "$work/pcap"
}

captured() {
	local each
	few=(-F -n 5 -s 3000)
	for each in $port $other; do connectx $each capture on; done
	move 0
	for each in $port $other; do connectx $each capture off; done
	print_captured $other >"$work/packets"
	same 'at both ends' "$(print_captured $port)" "$(<"$work/packets")"
	same 'opcodes, numbers, bytes' "$(printf '%s\n' '0x06 0 1024' '0x07 1 1024' '0x08 2 952' '0x11 2 0' \
		'0x06 3 1024' '0x07 4 1024' '0x08 5 952' '0x11 5 0')" \
		"$(awk 'NR == 1 { first = $5 } { print $4, ($5 - first + 16777216) % 16777216, $6 }' "$work/packets" | head -n 8)"
	same 'TOS' 0x6a "$(awk '{ print $2 }' "$work/packets" | sort -u)"
	grep -vE -- '^- 0x6a [0-9]+-4791 [^b]*$' "$work/packets"
}

tagged_and_rewritten() {
	local way
	few=(-F -n 5 -s 1024)
	connectx $port rewrite pcp 4 2
	connectx $port rewrite 26 10
	connectx $port capture on
	connectx $other capture on
	with_counters transfer 0 $near_vlan $far_vlan --tclass 106 --sl 4
	connectx $port rewrite off
	for way in "$port 4 0x6a" "$other 2 0x2a"; do
		same "messages at ${way%% *}" "${way#* }" \
			"$(print_captured "${way%% *}" | awk '$4 == "0x0a" { print $1, $2 }' | sort -u)"
	done
	same 'bad ICRC' '' "$(print_captured $other | grep bad)"
	connectx $port capture off
	connectx $other capture off
}

# Frames of an Ethernet type of their own, with a GRH. A switch does not see their class: it marks and
# rewrites none. With a tag they have its priority.
version_1() {
	local each
	gid_type='IB/RoCE v1'
	few=(-F -n 5 -s 3000)
	connectx $port rewrite 26 10
	connectx $port mark 1
	for each in $port $other; do connectx $each capture on; done
	move 0
	quiet near
	quiet far
	grew far np_ecn_marked_roce_packets 0
	print_captured $other >"$work/packets"
	same 'at both ends' "$(print_captured $port)" "$(<"$work/packets")"
	same 'packets and answers' 20 "$(wc -l <"$work/packets")"
	same 'class' '- 0x6a v1' "$(cut -d ' ' -f -3 "$work/packets" | sort -u)"
	same 'bad ICRC' '' "$(grep bad "$work/packets")"
	for each in $port $other; do connectx $each capture on; done
	with_counters transfer 0 $near_vlan $far_vlan --tclass 106 --sl 4
	same 'class with a tag' '4 0x6a v1' "$(print_captured $other | cut -d ' ' -f -3 | sort -u)"
	[[ "$(priorities $port tx)" == *4* ]] || echo "priorities: $(priorities $port tx)"
	perftest=ib_send_bw
	few=(-F -n 5 -s 1024)
	move 0 -c UD
	quiet far
	for each in $port $other; do connectx $each capture off; done
	connectx $port mark off
	connectx $port rewrite off
}

# The sender hears of a gap by the next packet, and goes back.
a_packet_is_lost() {
	connectx $port drop data 3 1
	move 0
	grew far out_of_sequence 1+
	grew near packet_seq_err 1 local_ack_timeout_err 0 req_transport_retries_exceeded 0
}

# Nobody complains of the last one, and the time is up.
the_last_packet_is_lost() {
	connectx $port drop data 20 1
	move 0
	grew near packet_seq_err 0 local_ack_timeout_err 1
	grew far duplicate_request 3 rx_write_requests 5
}

the_last_answer_is_lost() {
	connectx $other drop acks 5 1
	move 0
	grew near local_ack_timeout_err 1
	grew far duplicate_request 1+ rx_write_requests 5
}

# The data of a read has a gap: the requester asks for the rest again.
an_answer_of_a_read_is_lost() {
	perftest=ib_read_bw
	connectx $other drop data 2 1
	move 0
	grew near implied_nak_seq_err 1 local_ack_timeout_err 0
	grew far duplicate_request 1
}

# damaged CHECKSUM COUNTER: three frames that arrive have a wrong one, and what they carried comes again.
damaged() {
	connectx $other damage "$1" 5 3
	connectx $other capture on
	move 0
	connectx $other capture off
	grew far out_of_sequence 1+
	grew near packet_seq_err 1+ req_transport_retries_exceeded 0
	print_captured $other >"$work/packets"
}

frames_with_a_wrong_checksum() {
	damaged fcs
	same 'errors of the receiver' 3 "$(grown $other | sed -n 's/^rx_crc_errors_phy //p')"
	grew far rx_icrc_encapsulated 0
	same 'bad ICRC' '' "$(grep bad "$work/packets")"
}

packets_with_a_wrong_invariant_checksum() {
	connectx $port capture on
	damaged icrc
	connectx $port capture off
	grew far rx_icrc_encapsulated 3
	same 'errors of the receiver' 0 "$(grown $other | sed -n 's/^rx_crc_errors_phy //p')"
	same 'bad ICRC at the receiver' 3 "$(grep -c 'bad ICRC' "$work/packets")"
	same 'bad ICRC at the sender' '' "$(print_captured $port | grep bad)"
}

all_packets_are_lost() {
	connectx $port drop data 1
	move 1
	connectx $port drop data off
	says 'Failed status 12' # IBV_WC_RETRY_EXC_ERR
	grew near local_ack_timeout_err 7 req_transport_retries_exceeded 1 req_cqe_error 1+
	grew far rx_write_requests 0
}

a_link_is_lossy() {
	few=(-F -n 100 -s 16384)
	connectx $port drop any 50
	connectx $other drop any 50
	move 0
	connectx $port drop any off
	connectx $other drop any off
	grew near packet_seq_err 10+ req_transport_retries_exceeded 0
}

receiver_is_not_ready() {
	perftest=ib_send_bw
	few=(-F -n 300 -s 1024)
	move 0 -r 1
	grew far out_of_buffer 1+
	grew near rnr_nak_retry_err 1+ req_rnr_retries_exceeded 0
}

# through_a_proxy SCRIPT COMMAND...: the server's first message to the client, "LID:READS:QPN:PSN:RKEY:
# ADDRESS:GID", passes this script of perl.
through_a_proxy() {
	perl -MSocket -e '
		socket(my $listen, PF_INET, SOCK_STREAM, 0);
		setsockopt($listen, SOL_SOCKET, SO_REUSEADDR, 1);
		bind($listen, sockaddr_in(18600, INADDR_LOOPBACK)) && listen($listen, 5) or die;
		while (accept(my $client, $listen)) {
			socket(my $server, PF_INET, SOCK_STREAM, 0);
			connect($server, sockaddr_in(18515, INADDR_LOOPBACK)) or next;
			for (;;) {
				my $in = "";
				vec($in, fileno($_), 1) = 1 for $client, $server;
				select($in, undef, undef, undef);
				if (vec($in, fileno($client), 1)) {
					sysread($client, $_, 65536) or last;
					syswrite($server, $_);
				} else {
					sysread($server, $_, 65536) or last;
					'"$1"';
					syswrite($client, $_);
				}
			}
		}' &
	proxy=$!
	until grep -q ':48A8 00000000:0000 0A ' /proc/net/tcp || [ ! -e /proc/$proxy ]; do sleep 0.05; done
	dial=18600
	"${@:2}"
	kill $proxy
	wait $proxy 2>/dev/null
}

a_wrong_key() {
	through_a_proxy 's/^((?:[0-9a-f]+:){4})[0-9a-f]{8}/${1}00ffff00/' move 1
	says 'Failed status 10' # IBV_WC_REM_ACCESS_ERR
	grew near req_remote_access_errors 1 local_ack_timeout_err 0
	grew far resp_remote_access_errors 1
}

a_wrong_queue_pair() {
	through_a_proxy 's/^((?:[0-9a-f]+:){2})[0-9a-f]{6}/${1}00ffff/' move 1
	says 'Failed status 12'
	grew near local_ack_timeout_err 7 req_transport_retries_exceeded 1
	grew far out_of_sequence 0 rx_write_requests 0
}

# Each mark would have its CNP, if the time between them was none.
marked() {
	dcb app add dev $port dscp-prio 26:5 48:6
	dcb app add dev $other dscp-prio 26:5 48:6
	connectx $other cc np_min_time_between_cnps 0
	connectx $port mark 2
	move 0
	grew far np_ecn_marked_roce_packets 10 np_cnp_sent 10
	grew near rp_cnp_handled 10 rp_cnp_ignored 0
	same 'at the receiver' 'far 0x6a,far 0xc0,near 0x6a,near 0x6b' "$(on_the_wire $other)"
	same 'priorities at the sender' '5 6' "$(priorities $port rx)"
}

a_few_cnps() {
	connectx $other cc np_min_time_between_cnps 65535
	connectx $other cc np_cnp_dscp 26
	connectx $port mark 1
	few=(-F -n 5 -s 16384)
	move 0
	grew far np_ecn_marked_roce_packets 80 np_cnp_sent 1+
	[ "$(counted far np_cnp_sent)" -lt 10 ] || echo "$(counted far np_cnp_sent) CNPs"
	grew near rp_cnp_handled "$(counted far np_cnp_sent)"
	same 'at the receiver' 'far 0x68,far 0x6a,near 0x6b' "$(on_the_wire $other)"
	connectx $other cc np_cnp_dscp 48
}

ignored() {
	connectx $port ofed on
	echo 0 >/sys/class/net/$port/ecn/roce_rp/enable/5
	move 0
	grew near rp_cnp_handled 0 rp_cnp_ignored 1+
	connectx $other ofed on
	echo 0 >/sys/class/net/$other/ecn/roce_np/enable/5
	move 0
	grew far np_ecn_marked_roce_packets 20 np_cnp_sent 0
	connectx $port mark off
}

# A switch marks no packet whose sender does not take part.
not_of_ecn() {
	connectx $port mark 1
	with_counters transfer 0 $near $far --tclass 104
	connectx $port mark off
	grew far np_ecn_marked_roce_packets 0
}

pingpong() {
	perftest=ibv_$1_pingpong
	gid_option=-g
	few=(-n 20)
	transfer 0 $near $far "${@:2}"
	[ "$(frames_on_wire $port | cut -d ' ' -f 1)" -ge 40 ] || echo "$1: frames and bytes: $(frames_on_wire $port)"
}

# Queue pairs of each kind; those of "srq" share their receive requests.
pingpongs() {
	pingpong rc
	pingpong rc -e # waits for events
	pingpong uc
	pingpong ud
	pingpong srq -q 3
}

# Four queue pairs share the receive requests, and messages of several packets are mixed.
shared_requests() {
	perftest=ib_send_bw
	few=(-F -n 50 -s 16384)
	move 0 --use-srq -q 4
	grew near packet_seq_err 0 local_ack_timeout_err 0 req_rnr_retries_exceeded 0
	is_at 'packets' 3200+ "$(frames $port | sed 's/.* //')"
}

# UCX drives queue pairs by verbs, or by itself; it copies short messages and reads the memory of long ones.
of_ucx() {
	local transport
	for transport in rc_x rc_v ud_x ud_v; do
		ucx $transport 4096 UCX_IB_TRAFFIC_CLASS=106
		same "on the wire by $transport" 'far 0x6a,near 0x6a' "$(on_the_wire $other)"
	done
	ucx rc_x 1000000 UCX_IB_TRAFFIC_CLASS=106
	same 'on the wire by reads' 'far 0x6a,near 0x6a' "$(on_the_wire $other)"
}

queue_pairs() { rdma resource show qp | grep -cE 'type (RC|UC|UD)'; }

killed() {
	local before
	before=$(queue_pairs)
	few=(-F -D 60 -s 65536)
	serve verbs_listen
	ib_write_bw -d mlx5_0 "${few[@]}" 127.0.0.1 >"$work/out" 2>&1 &
	client=$!
	until [ "$(queue_pairs)" -ge $((before + 2)) ] || [ ! -e /proc/$client ]; do sleep 0.05; done
	kill -9 $client $server
	wait $client $server 2>/dev/null
	for _ in {1..100}; do
		[ "$(queue_pairs)" -gt "$before" ] || break
		sleep 0.1
	done
	same 'queue pairs' "$before" "$(queue_pairs)"
}

# cm PROGRAM SERVER_OPTION... -- CLIENT_OPTION...: both ends by rdma_cm.
cm() {
	local program=$1 own=()
	shift
	while [ "$1" != -- ]; do
		own+=("$1")
		shift
	done
	shift
	timeout 60 "$program" "${own[@]}" >"$work/server" 2>&1 &
	server=$!
	until rdma_cm_listens || [ ! -e /proc/$server ]; do sleep 0.05; done
	expect 0 timeout 60 "$program" "$@"
	wait $server || { echo "the server exits $?" && head "$work/server"; }
}

datagrams() {
	cm udaddy -b $far -C 5 -- -s $far -C 5
	cm rping -s -a $far -C 5 -- -c -a $far -C 5
	cm rstream -b $far -C 5 -S 4096 -- -s $far -C 5 -S 4096 # writes with immediate data
}

fast() {
	local began=$SECONDS
	few=(-F -n 1000 -s 65536)
	move 0
	[ $((SECONDS - began)) -le 30 ] || echo "$((SECONDS - began)) s"
	same 'packets and answers' 'received 1000,sent 64000' "$(frames $port)"
}

near_vlan=192.0.2.5 far_vlan=192.0.2.6
add_vlans() {
	local each
	for each in $port $other; do
		ip link add link "$each" name "$each.7" type vlan id 7
		ip link set "$each.7" up
		echo 0 >"/proc/sys/net/ipv4/conf/$each.7/rp_filter"
	done
	connect_ends $port.7 $near_vlan $other.7 $far_vlan
}

connect_ports
add_vlans
count_at_once
it 'each kind of transfer has its packets and answers' each_kind
it 'a capture has headers, numbers and checksums of each packet' captured
in_long it 'a switch rewrites the tag and the DSCP of a packet' tagged_and_rewritten
in_long it 'packets of RoCE v1 have a GRH, and no class that a switch sees' version_1
it 'a lost packet is sent again after the receiver complains' a_packet_is_lost
it 'the last packet is sent again when the time is up' the_last_packet_is_lost
it 'a lost answer is repeated, and the message carried out once' the_last_answer_is_lost
in_long it 'the rest of a read is asked for again' an_answer_of_a_read_is_lost
it 'a frame with a wrong checksum is counted, and sent again' frames_with_a_wrong_checksum
in_long it 'a packet with a wrong invariant checksum is, too' packets_with_a_wrong_invariant_checksum
it 'without any packet the sender gives up after its retries' all_packets_are_lost
in_long it 'a lossy link carries all messages' a_link_is_lossy
it 'a receiver that is not ready is asked again' receiver_is_not_ready
it 'a wrong key is refused, and counted at both ends' a_wrong_key
it 'a wrong queue pair does not answer' a_wrong_queue_pair
it 'a marked packet is answered by a CNP of its own DSCP' marked
it 'CNPs keep the least time between them' a_few_cnps
in_long it 'a reaction or notification point that is off ignores them' ignored
it 'a packet without ECN is not marked' not_of_ecn
it 'pingpongs of libibverbs end, over each kind of queue pair' pingpongs
in_long it 'queue pairs that share receive requests get all messages' shared_requests
it 'messages of UCX arrive, with the class that they ask for' of_ucx
in_long it 'a program that is killed leaves no queue pair' killed
in_long it 'datagrams and connections by rdma_cm work' datagrams
in_long it '1000 messages of 64 KiB take less than 30 s' fast
disconnect_ports
tap_end
