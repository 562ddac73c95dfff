#!/usr/bin/env bash
# short: 6.1
# waits
# Counters of ports while verify samples: each symptom is provoked and named; an idle host and a
# healthy busy one show none.
. tests/system/lib.sh
. tests/system/lib_symptoms.sh

expect 0 losslessctl apply $policy

storm() {
	connectx $port storm "$1" 3 80
	shows 2 "$2 " true
	says "$3"
	connectx $port storm "$1" 3 off
}

# The port has sent on priority 3 before, is paused all the time, and sends the bytes of COMMAND.
deadlock() {
	connectx $port storm suffered 3 100
	shows 2 "$1" "${@:2}"
	connectx $port storm suffered 3 off
}

nothing_is_sent() {
	bump tx_prio3_bytes 1000000
	seconds=3 deadlock 'pause-deadlock-suspected pause-storm-received ' true
	grep -qE 'priority 3 was paused for (9[0-9]|100) %' "$work/out" || # the rule begins at 90 %
		says 'priority 3 was paused for 100 %'
	says "a deadlock is suspected, read the switches' watchdog statistics"
	same 'where to look' fabric "$(jq -r '.ports[].symptoms[] |
		select(.symptom == "pause-deadlock-suspected").origin' "$work/out")"
	same 'PFC is left on' '[3]' "$(losslessctl --json show $port | jq -c '.ports[0].config.pfc.priorities')"
}

counters_start_again() {
	connectx $port storm suffered 3 100
	counts 3 eval "bump tx_prio3_bytes -$(ethtool -S $port | sed -n 's/^ *tx_prio3_bytes: //p')"
	same symptoms '' "$(shown | grep -o deadlock)"
	connectx $port storm suffered 3 off
}

# A link flap explains the counters.
stuck_while_the_link_flaps() {
	connectx $port storm suffered 3 100
	seconds=3 counts 3 flaps
	same symptoms 'link-flapping symptoms ' "$(shown)"
	connectx $port storm suffered 3 off
}

a_short_storm() {
	connectx $port storm suffered 3 20
	silent true
	sed 's/"version": 1,/&"thresholds": {"pause_received_percent": 10},/' $policy >"$work/strict.json"
	rules=$work/strict.json shows 2 'pause-storm-received ' true
	connectx $port storm suffered 3 off
}

# The counters' names have priorities, but they count by traffic class.
drops_in_a_class() {
	local tc
	tc=$(dcb ets show dev $port prio-tc | grep -o '3:[0-7]')
	tc=${tc#3:}
	shows 2 'lossless-drops ' bump "rx_prio${tc}_buf_discard" 1
	says 'in the traffic class of lossless priority 3'
	silent bump "rx_prio$(((tc + 1) % 8))_cong_discard" 1
}

the_host_is_the_bottleneck() {
	bump outbound_pci_stalled_wr 40 # covers the last second only
	silent bump tx_prio3_pause_duration 20000
	silent bump outbound_pci_stalled_wr_events 1
	shows 0 'host-congestion ' busy_and outbound_pci_stalled_wr_events 1 tx_prio3_pause_duration 20000
	bump outbound_pci_stalled_wr -40
}

# forget_counters NAME...: set these RDMA counters to 0, as if the driver had just been loaded.
forget_counters() {
	local name
	for name; do
		bump "$name" -"$(<"/sys/class/infiniband/mlx5_0/ports/1/hw_counters/$name")"
	done
}

# Another algorithm may run, such as ZTR-RTT. CNPs of a slow restart are handled, and nobody sent them.
no_cnp_ever() {
	forget_counters np_cnp_sent rp_cnp_handled np_ecn_marked_roce_packets roce_slow_restart_cnps
	bump roce_slow_restart_cnps 144
	bump rp_cnp_handled 144
	silent busy_and rx_prio3_pause 500
	says '"symptoms_not_judged":[{"symptom":"pause-without-cnp","message":"'
	says 'no CNP since the driver was loaded'
	meanwhile losslessctl verify --sample-for 1 $policy $port -- busy_and rx_prio3_pause 500
	says '  not judged  pause-without-cnp'
	nagios 0 OK 0 busy_and rx_prio3_pause 500
	bump rp_cnp_handled 1
}

own_cable_first() {
	shows 0 'rdma-out-of-order rx-link-errors ' busy_and packet_seq_err 500 rx_crc_errors_phy 9
	says 'and rx_crc_errors_phy of this port rose by 9'
	same 'where to look' cable "$(jq -r '.ports[].symptoms[] |
		select(.symptom == "rdma-out-of-order").origin' "$work/out")"
}

slow_application() {
	shows 0 'receiver-not-ready ' bump "$1" 2000
	says "\"origin\":\"$2\""
}

# Pause for 30 % of the time is below every threshold.
rates_below_every_threshold() {
	connectx $port storm suffered 3 30
	silent bump rp_cnp_handled 40
	jq -e '.ports[].rates | .pause_received_percent > 20 and .pause_received_percent < 45 and
		.pause_received_priority == 3 and .pause_sent_percent == 0 and .pause_sent_priority == null and
		.cnp_handled_per_s > 5 and .link_errors_per_s == 0 and .drops_per_s == 0' "$work/out" >/dev/null ||
		jq -c '.ports[].rates' "$work/out"
	meanwhile losslessctl verify --sample-for 1 $policy $port -- true
	says 'rates over 1 s:'
	grep -qE "^  $port +0 % +[234][0-9] % \(p3\) +0 +0 +0 +0 +0$" "$work/out" || cat "$work/out"
	nagios 0 OK 0 true
	grep -qE ' pause_sent=0\.0% pause_received=[234][0-9]\.[0-9]% drops_per_s=0\.0 link_errors_per_s=0\.0$' \
		"$work/out" || cat "$work/out"
	connectx $port storm suffered 3 off
}

more_pause_than_is_wanted() {
	poke_pfc $port 0x18
	wait_carrier
	counts 2 bump rx_prio4_pause 3
	says '"symptom":"pause-on-lossy-priority","status":"warning"'
	says '"setting":"pfc.priorities","status":"drift"'
	poke_pfc $port 8
	wait_carrier
}

global_pause() {
	make_policy '{"mtu":9000}'
	ethtool -A $port rx on tx on
	wait_carrier
	rules=$work/policy.json shows 0 'global-pause-active ' bump rx_global_pause 500
	expect 0 losslessctl apply $policy
}

flaps() {
	local change
	for change in down=0 up=1 down=0 up=1 down=0 up=1; do
		echo "${pci_of[$port]} link ${change%=*}" >"$simulation/control"
		carrier_becomes ${change#*=} $port
	done
}

# Link flaps are a warning, but other counters cannot be judged meanwhile.
a_link_that_flaps() {
	seconds=3 counts 3 flaps
	same symptoms 'link-flapping symptoms ' "$(shown)"
	says 'the link flapped during the sample'
}

# Every counter that explain lists can be bumped. The adapter names its FEC blocks after a mode. The
# drivers have no statistics of pause storms, and no pci_bw_*.
all_counters_can_move() {
	local name
	losslessctl --json explain | jq -r '.counters[] | select(.command | test("^cat /sys|^ethtool -I -a") | not).counter | select(startswith("pci_bw_") | not)' |
		sed -E 's/#/3/; s/^.*_blocks$/rs_fec_&/' >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 40 ] || echo 'too few names'
	while read -r name; do
		bump "$name" 1 || echo "$name cannot be bumped"
	done <"$work/names"
	bump rx_nonsense 1 2>/dev/null && echo 'anything can be bumped'
	bump outbound_pci_stalled_wr -1
	bump outbound_pci_stalled_rd -1
}

it 'every counter can be moved in the simulation' all_counters_can_move
it 'an idle host is silent' silent true
it 'a busy host is silent' silent busy
it 'a busy host with some pause and CNPs is silent' silent busy_and rx_prio3_pause 2000 \
	rx_prio3_pause_duration 90000 tx_prio3_pause 300 tx_prio3_pause_duration 10000 np_cnp_sent 50 \
	np_ecn_marked_roce_packets 400 rp_cnp_handled 70
it 'a pause storm sent' storm sent pause-storm-sent 'the peer was paused on priority 3'
it 'a pause storm suffered' storm suffered pause-storm-received 'this port was paused on priority 3'
it 'a priority that is paused all the time and sends nothing' nothing_is_sent
it 'an incast, in which bytes flow, is no deadlock' deadlock 'pause-storm-received ' bump tx_prio3_bytes 1000000000
it 'counters that start again prove no deadlock' counters_start_again
it 'a priority that has sent nothing since is idle' deadlock 'pause-storm-received ' true
it 'a policy says what a storm is' a_short_storm
it 'the adapter warns of its storm' shows 2 'pause-storm-sent ' bump tx_pause_storm_warning_events 1
it 'the storm watchdog' shows 2 'storm-watchdog-tripped ' bump tx_pause_storm_error_events 1
it 'drops on a lossless priority' shows 2 'lossless-drops ' bump rx_prio3_discards 1
it 'drops on a lossy priority are silent' silent bump rx_prio0_discards 1000
it 'drops in the class of a lossless priority' drops_in_a_class
it 'the host as the bottleneck' the_host_is_the_bottleneck
it 'PFC without CNPs on a host that never counted one' no_cnp_ever
it 'PFC without CNPs' shows 0 'pause-without-cnp ' busy_and rx_prio3_pause 500
it 'marks without CNPs' shows 0 'ecn-marks-without-cnp ' bump np_ecn_marked_roce_packets 500
it 'CNPs that are ignored' shows 0 'cnp-ignored ' bump rp_cnp_ignored 500
it 'RoCE on the wrong priority' shows 0 'roce-on-wrong-priority ' both \
	tx_vport_rdma_unicast_bytes 1000000000 tx_vport_rdma_unicast_packets 250000
it 'packets out of sequence' shows 0 'rdma-out-of-order ' busy_and packet_seq_err 500
it 'checksum errors of the own cable' shows 0 'rx-link-errors ' bump rx_crc_errors_phy 4
it 'symbol errors of the own cable' shows 0 'rx-link-errors ' bump rx_symbol_err_phy 4
it 'symbols that FEC could not correct' shows 0 'rx-link-errors ' bump rx_pcs_symbol_err_phy 4
it 'blocks that FEC could not correct' shows 0 'rx-link-errors ' bump rs_fec_uncorrectable_blocks 4
it 'bits that FEC corrected are silent' silent both rx_corrected_bits_phy 100000 rx_err_lane_0_phy 5000
it 'blocks that FEC corrected are silent' silent bump rs_fec_corrected_blocks 100000
it 'packets out of sequence point to a cable with errors' own_cable_first
it 'RoCE packets damaged on the way' shows 0 'rdma-icrc-errors ' bump rx_icrc_encapsulated 4
it 'an application here that posts no buffers' slow_application out_of_buffer 'host'
it 'an application elsewhere that posts no buffers' slow_application rnr_nak_retry_err 'remote_host'
it 'rates are printed below every threshold' rates_below_every_threshold
it 'pause on a lossy priority, beside the drift' more_pause_than_is_wanted
it 'global pause at work' global_pause
it 'a link that flaps' a_link_that_flaps
it 'a link that flaps while a deadlock is suspected' stuck_while_the_link_flaps
tap_end
