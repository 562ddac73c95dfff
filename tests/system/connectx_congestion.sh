#!/usr/bin/env bash
# short: 6.12
# waits
# Congestion of RoCE in the simulated adapter, by traffic of Debian's perftest: a slow receiver's buffer
# fills, PFC or DCQCN holds the sender back, buffers overflow, and the symptoms that verify reports of it.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_roce.sh

# rose PORT [NAME N]...: like grew, of ethtool's counters during the transfer.
rose() {
	local at=$1
	shift
	while [ $# -gt 0 ]; do
		is_at "$1 of $at" "$2" "$(grown "$at" | awk -v name="$1" '$1 == name { print $2 }')"
		shift 2
	done
}

# slowly MBPS PORT COMMAND...: the port takes no more than that meanwhile.
slowly() {
	connectx "$2" slow "$1"
	"${@:3}"
	connectx "$2" slow off
}

# move_much CODE [OPTION]...: more at once than a buffer holds. It takes longer than a usual timeout.
move_much() {
	few=(-F -n "${messages:-32}" -s 65536)
	move "$1" --qp-timeout 18 "${@:2}"
}

a_slow_receiver() {
	slowly 4 $other move_much 0
	quiet near
	quiet far
	rose $other tx_prio3_pause 2+ tx_prio3_pause_duration 100000+ rx_prio3_pause 0 rx_discards_phy 0
	rose $port rx_prio3_pause 2+ rx_prio3_pause_duration 100000+ rx_prio3_pause_transition 1+ tx_prio3_pause 0
}

a_slow_reader() {
	perftest=ib_read_bw
	slowly 4 $port move_much 0
	quiet near
	quiet far
	rose $port tx_prio3_pause 2+ tx_prio3_pause_duration 100000+ rx_discards_phy 0
	rose $other rx_prio3_pause 2+ rx_prio3_pause_duration 100000+
}

global_pause() {
	slowly 4 $other move_much 0
	quiet far
	rose $other tx_global_pause 2+ rx_discards_phy 0
	rose $port rx_global_pause 2+ rx_global_pause_duration 100000+
}

# watchdog MS: of both ports; 0: off, as on a slow machine a storm lasts longer than the adapter lets it.
watchdog() {
	local each
	for each in $port $other; do ethtool --set-tunable $each pfc-prevention-tout "$1"; done
}

storms_of() { ethtool -S "$1" | sed -n 's/^ *tx_pause_storm_error_events: //p'; }

take_after_storm() {
	until [ "$(storms_of $other)" -gt 0 ]; do sleep 0.05; done
	connectx $other slow off
}

# The counters are those of priority 0, and of global pause.
a_storm_ends() {
	watchdog 100
	connectx $other slow 0
	take_after_storm &
	messages=6 move_much 0
	wait $!
	watchdog 0
	rose $other tx_pause_storm_warning_events 1 tx_pause_storm_error_events 1 tx_global_pause 200+ rx_discards_phy 10+
	rose $port rx_global_pause_duration 90000+
	grew near req_transport_retries_exceeded 0
}

a_lossy_priority() {
	messages=6 slowly 4 $other move_much 0 --tclass 2
	rose $other rx_prio0_discards 10+ rx_discards_phy 10+ rx_prio0_buf_discard 10+ tx_prio3_pause 0
	grew far out_of_sequence 1+
	grew near packet_seq_err 1+ req_transport_retries_exceeded 0
}

a_sender_ignores_pause() {
	connectx $port register PFCC pfcrx 0
	messages=6 slowly 4 $other move_much 0
	connectx $port register PFCC pfcrx 8
	rose $other rx_prio3_discards 10+ tx_prio3_pause 2+
	rose $port rx_prio3_pause 0
	grew near packet_seq_err 1+
}

without_headroom() {
	cut_headroom $other
	"$@"
	size_anew $other
}

a_buffer_without_headroom() {
	without_headroom slowly 4 $other move_much 0
	rose $other rx_prio3_discards 1+ rx_discards_phy 1+ tx_prio3_pause 2+
	rose $port rx_prio3_pause 2+
	grew near packet_seq_err 1+ req_transport_retries_exceeded 0
}

# during_a_transfer OPTION... -- COMMAND...: run it while messages flow for a minute, after their begin.
during_a_transfer() {
	local options=() from to before
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	few=(-F -D 60 -s 65536 --tclass 106 -m 1024 --qp-timeout 21 "${options[@]}")
	from=$(gid_index mlx5_0 $near) && to=$(gid_index mlx5_1 $far) || { echo "$from $to" && return; }
	serve verbs_listen -x "$to"
	$perftest -d mlx5_0 "${few[@]}" -x "$from" 127.0.0.1 >"$work/client" 2>&1 &
	client=$!
	before=$(sent_on_3)
	until [ "$(sent_on_3)" -ge $((before + 50000)) ] || [ ! -e /proc/$client ]; do sleep 0.05; done
	"$@"
	[ -e /proc/$client ] || { echo 'the transfer ended' && head "$work/client"; }
	kill -9 $client
	kill $server
	wait $client $server 2>/dev/null
}
sent_on_3() { ethtool -S $port | sed -n 's/^ *tx_prio3_bytes: //p'; }

# symptoms_are NEAR FAR: verify reports these of the two ports, and no other.
symptoms_are() {
	losslessctl --json verify --sample-for 2 $policy $port $other >"$work/out" 2>"$work/err"
	same 'symptoms of the sender' "$1" "$(symptoms_of $port)"
	same 'symptoms of the receiver' "$2" "$(symptoms_of $other)"
}
symptoms_of() {
	jq -r --arg port "$1" '[.ports[] | select(.port == $port) | .symptoms[]?.symptom] | sort | join(" ")' "$work/out"
}

storms_by_traffic() {
	slowly 2 $other during_a_transfer -- symptoms_are pause-storm-received pause-storm-sent
}

drops_by_traffic() {
	without_headroom slowly 2 $other during_a_transfer -- symptoms_are 'pause-storm-received rdma-out-of-order' \
		'lossless-drops pause-storm-sent rdma-out-of-order'
}

stuck_receiver() {
	connectx $other slow 0
	symptoms_are 'pause-deadlock-suspected pause-storm-received' pause-storm-sent
}

# The sender cannot tell it from a deadlock of switches.
nothing_is_taken() {
	slowly 2 $other during_a_transfer -- stuck_receiver
}

paused_us() { ethtool -S $port | sed -n 's/^ *rx_prio3_pause_duration: //p'; }

flap_while_paused() {
	local before
	connectx $other slow 0
	sleep 0.3
	before=$(paused_us)
	[ "$(paused_us)" -gt "$before" ] || echo 'not paused before'
	connectx $port link down
	wait_no_carrier
	connectx $port link up
	wait_carrier
	before=$(paused_us)
	sleep 0.2
	same 'pause' "$before" "$(paused_us)"
}

a_link_goes_down() { slowly 2 $other during_a_transfer -- flap_while_paused; }

# marking COMMAND...: the switch marks what finds more than 32 KiB in its queue.
marking() {
	connectx $port mark above 32
	"$@"
	connectx $port mark off
}

# DCQCN keeps the queue below xoff.
marked_by_depth() {
	marking slowly 4 $other move_much 0
	grew far np_ecn_marked_roce_packets 1+ np_cnp_sent 1+
	grew near rp_cnp_handled 1+ rp_cnp_ignored 0
	quiet near
	rose $other tx_prio3_pause 0 rx_discards_phy 0
}

unmarked() {
	marking move_much 0
	grew far np_ecn_marked_roce_packets 0
}

healthy_dcqcn() {
	marking slowly 4 $other during_a_transfer -- symptoms_are '' ''
}

# ecn PORT np|rp 0|1: this switch of DCQCN, as by MLNX_OFED.
ecn() {
	connectx "$1" ofed on
	echo "$3" >"/sys/class/net/$1/ecn/roce_$2/enable/3"
	connectx "$1" ofed off
}

no_notification_point() {
	ecn $other np 0
	marking slowly 4 $other during_a_transfer -- symptoms_are 'pause-storm-received pause-without-cnp' \
		'ecn-marks-without-cnp pause-storm-sent'
	ecn $other np 1
}

no_reaction_point() {
	ecn $port rp 0
	marking slowly 4 $other during_a_transfer -- symptoms_are 'cnp-ignored pause-storm-received' \
		'pause-storm-sent'
	ecn $port rp 1
}

# Symptoms that tests/system/scenes raises as well are left to the long tier.
connect_ports
count_at_once
in_long it 'a receiver that takes nothing ends its pause by itself, and loses what comes' a_storm_ends
in_long it 'a slow receiver pauses its peer by global pause' global_pause
losslessctl apply $policy >"$work/out" 2>&1 || cat "$work/out"
it 'a slow receiver pauses a priority, and the sender holds it back' a_slow_receiver
in_long it 'answers of a read are held back' a_slow_reader
it 'a lossy priority loses packets, and they are sent again' a_lossy_priority
in_long it 'a sender that ignores pause overflows the buffer' a_sender_ignores_pause
in_long it 'a buffer without headroom loses packets in spite of pause' a_buffer_without_headroom
in_long it 'a slow receiver shows a storm at both ends' storms_by_traffic
in_long it 'too small a buffer shows drops' drops_by_traffic
in_long it 'a receiver that takes nothing shows a deadlock' nothing_is_taken
in_long it 'a link that goes down ends pause' a_link_goes_down
it 'a switch marks packets that find a queue, and the sender slows down' marked_by_depth
in_long it 'a switch without a queue marks nothing' unmarked
in_long it 'DCQCN that works shows no symptom' healthy_dcqcn
in_long it 'marks without a notification point show that and a storm' no_notification_point
in_long it 'CNPs without a reaction point show that and a storm' no_reaction_point
disconnect_ports
tap_end
