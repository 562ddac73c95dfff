#!/usr/bin/env bash
# short: 6.1
# What ports count while verify waits: each symptom is provoked and named; an idle host, a healthy
# busy one, and counters that wrap, begin anew or change their names give no false alarm.
. tests/system/lib.sh

never=$work/never
mkfifo "$never"
simulation=/sys/kernel/debug/mlx5sim
slot=$(basename "$(readlink /sys/class/net/$port/device)")
expect 0 losslessctl apply $policy

# nap SECONDS: without a process, as there is one processor.
nap() {
	read -rt "$1" <>"$never" || true
}

# As mlx5sim does, without a process: all of it has to happen within the second that is counted.
bump() {
	echo "$port bump $1 $2" >"$simulation/control"
}

# Sets `reads`: how often this port's counters were read.
count_reads() {
	local name calls
	reads=0
	while read -r name calls _; do
		[ "$name" != get_ethtool_stats ] || reads=$calls
	done 2>/dev/null <"$simulation/$slot/calls"
}

# meanwhile COMMAND... -- COMMAND...: runs the second one once the first has begun to count.
meanwhile() {
	local verify=() reads before verifying code=0
	while [ "$1" != -- ]; do
		verify+=("$1")
		shift
	done
	shift
	count_reads
	before=$reads
	"${verify[@]}" >"$work/out" 2>"$work/err" &
	verifying=$!
	while [ "$reads" -eq "$before" ] && kill -0 $verifying 2>/dev/null; do
		nap 0.02
		count_reads
	done
	nap 0.2 # the RDMA device's come behind
	"$@"
	wait $verifying || code=$?
	return $code
}

# counts CODE COMMAND...: verifies for a second, in which the command runs.
counts() {
	local expected=$1 code=0
	shift
	meanwhile losslessctl --json verify --counters "${seconds:-1}" "${rules:-$policy}" $port -- "$@" || code=$?
	[ "$code" -eq "$expected" ] || {
		echo "exit code $code instead of $expected: $*"
		head -c 2000 "$work/out" "$work/err"
	}
}

# The names of what shows, sorted, in one line.
shown() {
	grep -oE '"knob":"symptom[a-z.-]*"' "$work/out" | cut -d'"' -f4 | sed 's/^symptom\.//' | sort | tr '\n' ' '
}

# shows CODE NAMES COMMAND...: these symptoms and no other.
shows() {
	local code=$1 names=$2
	shift 2
	counts "$code" "$@"
	same symptoms "$names" "$(shown)"
}

silent() {
	shows 0 '' "$@"
}

both() {
	bump "$1" "$2" && bump "$3" "$4"
}

# A second of much RDMA on priority 3, both ways.
busy() {
	local way
	for way in rx tx; do
		bump ${way}_vport_rdma_unicast_bytes 10000000000
		bump ${way}_vport_rdma_unicast_packets 2500000
		bump ${way}_prio3_bytes 10010000000
		bump ${way}_prio3_packets 2500000
	done
}

busy_and() {
	busy
	while [ $# -gt 0 ]; do
		bump "$1" "$2"
		shift 2
	done
}

storm() {
	mlx5sim $port storm "$1" 3 90
	shows 2 "$2 " true
	says "$3"
	mlx5sim $port storm "$1" 3 off
}

a_short_storm() {
	mlx5sim $port storm suffered 3 20
	silent true
	sed 's/"version": 1,/&"limits": {"pause_received_percent": 10},/' $policy >"$work/strict.json"
	rules=$work/strict.json shows 2 'pause-storm-suffered ' true
	mlx5sim $port storm suffered 3 off
}

the_host_is_the_bottleneck() {
	bump outbound_pci_stalled_wr 40
	silent true
	shows 0 'host-is-bottleneck ' bump tx_prio3_pause_duration 20000
	bump outbound_pci_stalled_wr -40
}

own_cable_first() {
	shows 0 'out-of-sequence rx-link-errors ' busy_and packet_seq_err 500 rx_crc_errors_phy 9
	says 'and rx_crc_errors_phy of this port rose by 9'
	same 'where to look' "this port's cable" "$(jq -r '.ports[].items[] |
		select(.knob == "symptom.out-of-sequence").look' "$work/out")"
}

slow_application() {
	shows 0 'receiver-not-ready ' bump "$1" 2000
	says "\"look\":\"$2\""
}

# At 30 % of the time nothing is wrong yet.
rates_below_every_threshold() {
	mlx5sim $port storm suffered 3 30
	silent bump rp_cnp_handled 40
	jq -e '.ports[].rates | .pause_received_percent > 20 and .pause_received_percent < 45 and
		.pause_received_priority == 3 and .pause_sent_percent == 0 and .pause_sent_priority == null and
		.cnp_handled_per_s > 5 and .link_errors_per_s == 0 and .drops_per_s == 0' "$work/out" >/dev/null ||
		jq -c '.ports[].rates' "$work/out"
	meanwhile losslessctl verify --counters 1 $policy $port -- true
	says 'counted for 1 s:'
	grep -qE "^$port  pause sent 0 %, received [234][0-9] % \(priority 3\); CNPs sent 0/s, handled 0/s, " \
		"$work/out" || cat "$work/out"
	nagios 0 OK 0 true
	grep -qE ' pause_sent=0\.0% pause_received=[234][0-9]\.[0-9]% drops_per_s=0\.0 link_errors_per_s=0\.0$' \
		"$work/out" || cat "$work/out"
	mlx5sim $port storm suffered 3 off
}

more_pause_than_is_wanted() {
	mlx5sim $port poke pfc 0x18
	wait_carrier
	counts 2 bump rx_prio4_pause 3
	says '"knob":"symptom.pause-on-lossy-priority","status":"advice"'
	says '"knob":"pfc.priorities","status":"drift"'
	mlx5sim $port poke pfc 8
	wait_carrier
}

global_pause() {
	make_policy '{"mtu":9000}'
	ethtool -A $port rx on tx on
	wait_carrier
	rules=$work/policy.json shows 0 'global-pause-at-work ' bump rx_global_pause 500
	expect 0 losslessctl apply $policy
}

flaps() {
	local carrier
	for _ in 1 2 3; do
		echo "$port carrier down" >"$simulation/control"
		echo "$port carrier up" >"$simulation/control"
		until read -r carrier </sys/class/net/$port/carrier && [ "$carrier" = 1 ]; do
			nap 0.02
		done
	done
}

# Link downs are a warning, but what was counted meanwhile cannot be judged.
a_link_that_flaps() {
	seconds=3 counts 3 flaps
	same symptoms 'link-flapping symptoms ' "$(shown)"
	says 'the link went down or came up meanwhile'
}

an_adapter_reset() {
	mlx5sim $port reinit
	wait_carrier
	bump rx_prio3_discards 9
	bump tx_prio3_pause_duration 900000
}

a_reset_is_no_symptom() {
	counts 3 an_adapter_reset
	same symptoms 'symptoms ' "$(shown)"
	says 'meanwhile'
	expect 0 losslessctl apply $policy
}

counters_that_begin_anew() {
	bump rx_prio0_bytes 1000000
	counts 3 bump rx_prio0_bytes -999999
	same symptoms 'symptoms ' "$(shown)"
	says "the port's counters began anew"
}

# 2^32 less 30, and 60 more: of some five million packets.
a_counter_that_wraps() {
	bump out_of_sequence 4294967266
	busy
	shows 0 'out-of-sequence ' busy_and out_of_sequence 60
	says '60 of 5000000 RDMA packets'
}

pfc_elsewhere() {
	mlx5sim $port poke pfc 0x10
}

# Five names go and five come: as many, and others.
names_that_change() {
	bump rx_prio4_pause_duration 77000000
	bump rx_prio3_pause_duration 5000
	silent pfc_elsewhere
	mlx5sim $port poke pfc 8
}

pfc_is_read_when_it_is_on_again() {
	pfc_elsewhere
	expect 2 losslessctl --json verify --counters 1 $policy $port
	same symptoms '' "$(shown)"
	mlx5sim $port poke pfc 8
}

without_rdma() {
	mlx5sim $port fwcaps rdma off
	make_policy '{"mtu":9000,"pfc":{"priorities":[3]}}' $port
	rules=$work/policy.json silent true
	rules=$work/policy.json shows 2 'lossless-drops ' bump rx_prio3_discards 1
	mlx5sim $port fwcaps rdma on
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 losslessctl apply $policy
}

by_device() {
	mlx5sim $port switchdev on
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 losslessctl apply $policy
	shows 0 'cnp-ignored ' bump rp_cnp_ignored 500
	mlx5sim $port switchdev off
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 losslessctl apply $policy
}

another_driver() {
	mlx5sim $port kind bnxt
	make_policy '{"mtu":1500}' $port
	ip link set $port mtu 1500
	rules=$work/policy.json counts 3 true
	says 'none of the counters'
	mlx5sim $port kind mlx5
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	wait_carrier
	expect 0 losslessctl apply $policy
}

goes_away() {
	mlx5sim $port unplug
}

a_port_that_goes() {
	counts 3 goes_away
	says '"knob":"symptoms","status":"unknown"'
	mlx5sim $port plug
	wait_carrier
	expect 0 losslessctl apply $policy
}

# Each name that explain knows can be moved, and is seen to have moved by others. The simulated
# adapter's registers of FEC blocks are those of a mode.
all_counters_can_move() {
	local name
	losslessctl --json explain | jq -r '.counters[] | select(.surface | test("^cat /sys") | not).counter' |
		sed -E 's/#/3/; s/^.*_blocks$/rs_fec_&/' >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 40 ] || echo 'too few names'
	while read -r name; do
		bump "$name" 1 || echo "$name cannot be bumped"
	done <"$work/names"
	bump rx_nonsense 1 2>/dev/null && echo 'anything can be bumped'
	bump outbound_pci_stalled_wr -1
	bump outbound_pci_stalled_rd -1
}

for_people() {
	meanwhile losslessctl verify --counters 1 $policy $port -- both rx_prio3_discards 3 rp_cnp_ignored 20
	says "$port  symptom"
	says '  symptom     lossless-drops          3 packets were lost on arrival on lossless priority 3'
	says '  warning     cnp-ignored             20 CNPs were ignored, and 0 handled'
	says '; 2 symptoms in 1 s'
	says 'does the switch have PFC on this priority'
	[ ! -s "$work/err" ] || cat "$work/err" # nobody waits at a terminal
}

for_programs() {
	counts 2 bump rx_prio3_discards 3
	says '"verdict":"symptom"'
	says '"knob":"symptom.lossless-drops","status":"symptom","want":null,"have":null,"source":"counters"'
	says '"look":"this host"'
}

# nagios CODE WORD SYMPTOMS COMMAND...
nagios() {
	local code=0
	meanwhile losslessctl verify --nagios --counters 1 $policy $port -- "${@:4}" || code=$?
	same code "$1" "$code"
	same lines 1 "$(wc -l <"$work/out")"
	says "LOSSLESSCTL $2 - "
	says "symptoms=$3"
}

for_monitors() {
	nagios 0 OK 0 true
	nagios 1 WARNING 1 bump rp_cnp_ignored 20
	nagios 2 CRITICAL 1 bump rx_prio3_discards 3
}

drift_goes_first() {
	mlx5sim $port poke cable 3
	counts 2 bump rx_prio3_discards 3
	says '"verdict":"drift"'
	same symptoms 'lossless-drops ' "$(shown)"
	mlx5sim $port poke cable 7
}

it_only_reads() {
	local before
	before=$(changes)
	counts 2 bump rx_prio3_discards 1
	same 'driver calls' "$before" "$(changes)"
}

as_anybody() {
	local code=0
	setpriv --reuid 65534 --regid 65534 --clear-groups losslessctl --json verify --counters 1 \
		"$work/anybody.json" $port >"$work/out" 2>"$work/err" || code=$?
	same code 0 "$code"
	same symptoms '' "$(shown)"
}

for_anybody() {
	make_policy '{"mtu":9000}' $port
	chmod 755 "$work"
	cp "$work/policy.json" "$work/anybody.json"
	chmod 644 "$work/anybody.json"
	as_anybody
}

wrong_times() {
	local seconds
	for seconds in 0 3601 -1 x 1.5; do
		expect 64 losslessctl verify --counters $seconds $policy
	done
	says 'from 1 to 3600'
	expect 64 losslessctl show --counters 1
}

it_can_be_interrupted() {
	local code=0
	timeout --signal INT 0.5 losslessctl verify --counters 60 $policy $port >"$work/out" 2>&1 || code=$?
	same 'timed out' 124 "$code"
}

it 'every counter can be moved in the simulation' all_counters_can_move
it 'an idle host is silent' silent true
it 'a busy host is silent' silent busy
it 'a busy host with some pause and CNPs is silent' silent busy_and rx_prio3_pause 2000 \
	rx_prio3_pause_duration 90000 tx_prio3_pause 300 tx_prio3_pause_duration 10000 np_cnp_sent 50 \
	np_ecn_marked_roce_packets 400 rp_cnp_handled 70
it 'a pause storm sent' storm sent pause-storm-sent 'the peer was held back on priority 3'
it 'a pause storm suffered' storm suffered pause-storm-suffered 'this port was held back on priority 3'
it 'a policy says what a storm is' a_short_storm
it 'the adapter warns of its storm' shows 2 'pause-storm-sent ' bump tx_pause_storm_warning_events 1
it 'the storm watchdog' shows 2 'storm-watchdog-tripped ' bump tx_pause_storm_error_events 1
it 'drops on a lossless priority' shows 2 'lossless-drops ' bump rx_prio3_discards 1
it 'drops on a lossy priority are silent' silent bump rx_prio0_discards 1000
it 'the host as the bottleneck' the_host_is_the_bottleneck
it 'PFC without CNPs' shows 0 'pause-without-cnp ' busy_and rx_prio3_pause 500
it 'marks without CNPs' shows 0 'marks-without-cnp ' bump np_ecn_marked_roce_packets 500
it 'CNPs that are ignored' shows 0 'cnp-ignored ' bump rp_cnp_ignored 500
it 'RoCE on the wrong priority' shows 0 'roce-on-wrong-priority ' both \
	tx_vport_rdma_unicast_bytes 1000000000 tx_vport_rdma_unicast_packets 250000
it 'packets out of sequence' shows 0 'out-of-sequence ' busy_and packet_seq_err 500
it 'checksum errors of the own cable' shows 0 'rx-link-errors ' bump rx_crc_errors_phy 4
it 'symbol errors of the own cable' shows 0 'rx-link-errors ' bump rx_symbol_err_phy 4
it 'symbols that FEC could not correct' shows 0 'rx-link-errors ' bump rx_pcs_symbol_err_phy 4
it 'blocks that FEC could not correct' shows 0 'rx-link-errors ' bump rs_fec_uncorrectable_blocks 4
it 'bits that FEC corrected are silent' silent both rx_corrected_bits_phy 100000 rx_err_lane_0_phy 5000
it 'blocks that FEC corrected are silent' silent bump rs_fec_corrected_blocks 100000
it 'packets out of sequence point to a cable with errors' own_cable_first
it 'RoCE packets damaged on the way' shows 0 'rdma-icrc-errors ' bump rx_icrc_encapsulated 4
it 'an application here that posts no buffers' slow_application out_of_buffer 'this host'
it 'an application elsewhere that posts no buffers' slow_application rnr_nak_retry_err 'the remote host'
it 'rates are printed below every threshold' rates_below_every_threshold
it 'pause on a lossy priority, beside the drift' more_pause_than_is_wanted
it 'global pause at work' global_pause
it 'a link that flaps' a_link_that_flaps
it 'a driver that starts again is no symptom' a_reset_is_no_symptom
it 'counters that begin anew tell nothing' counters_that_begin_anew
it 'a counter that wraps goes on' a_counter_that_wraps
it 'names that change under the reader mix nothing up' names_that_change
it 'nor do those that came before' pfc_is_read_when_it_is_on_again
it 'a port without RDMA device has its own counters' without_rdma
it 'RDMA counters by device' by_device
it 'a driver with other counters cannot be judged' another_driver
it 'a port that goes away cannot be judged' a_port_that_goes
it 'people read it' for_people
it 'programs read it' for_programs
it 'monitors read it' for_monitors
it 'drift goes before symptoms' drift_goes_first
it 'counting writes nothing' it_only_reads
it 'anybody may count' for_anybody
it 'the time is from a second to an hour' wrong_times
it 'Ctrl-C ends the waiting' it_can_be_interrupted
tap_end
