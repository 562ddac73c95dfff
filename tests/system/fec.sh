#!/usr/bin/env bash
# short: 6.12
# Tests of the FEC counters: the agent counts corrected and uncorrectable blocks as ethtool does.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

# shown NAME: print ethtool's corrected_blocks or uncorrectable_blocks, if it has them.
shown() {
	ethtool -I --show-fec $port 2>/dev/null | sed -n "s/^ *$1: //p"
}

metric() {
	sed -n "s/^losslessctl_fec_$1_total{netdev=\"$port\"} //p" $run/metrics.prom 2>/dev/null
}

# agrees NAME COUNT: ethtool and the agent's next samples show COUNT.
agrees() {
	same "$1 by ethtool" "$2" "$(shown "$1")"
	quickly is_metric "$1" "$2"
}
is_metric() { [ "$(metric "$1")" = "$2" ]; }

silent() {
	grep -iE 'fec|blocks|counters' "$log"
}

# reads REGISTER COMMAND...: print how often the driver reads the register for COMMAND.
reads() {
	local before
	before=$(read_count "$1")
	expect 0 "${@:2}"
	echo $(($(read_count "$1") - before))
}
read_count() { connectx $port calls | sed -n "s/^$1:read //p"; }

# Remove the metrics of the agent before, which would pass for those of the new one.
begin() {
	agent_policy report '{}' '{"mtu":1500}' $port
	rm -f $run/metrics.prom
	start_agent --verify-interval 3600 --sample-interval 1
}

blocks_of_all_lanes() {
	begin
	agrees uncorrectable_blocks 0
	connectx $port counter rs_fec_corrected_blocks 5000000000
	connectx $port counter rs_fec_uncorrectable_blocks 7
	connectx $port counter fc_fec_uncorrectable_blocks_lane0 100
	agrees corrected_blocks 5000000000
	agrees uncorrectable_blocks 7
	stop_agent
}

# The kernel's total is the sum of the lanes.
blocks_by_lane() {
	connectx $port link fec baser
	begin
	connectx $port counter fc_fec_corrected_blocks_lane0 30
	connectx $port counter fc_fec_corrected_blocks_lane3 12
	connectx $port counter fc_fec_uncorrectable_blocks_lane2 11
	agrees corrected_blocks 42
	agrees uncorrectable_blocks 111
	stop_agent
	connectx $port link fec agreed
}

# has_none COMMAND...: then no block is shown, counted or logged, and other counters are read.
has_none() {
	"$@"
	same 'blocks by ethtool' '' "$(shown uncorrectable_blocks)"
	begin
	quickly grep -qs '^losslessctl_rx_crc_errors_total' $run/metrics.prom
	same 'blocks' ' ' "$(metric corrected_blocks) $(metric uncorrectable_blocks)"
	silent
	stop_agent
}

# The agent omits the counters after a failed read, until a read succeeds.
comes_back() {
	begin
	quickly is_metric uncorrectable_blocks 7
	connectx $port fault "$1" fail internal_err 0
	quickly is_metric uncorrectable_blocks ''
	quickly grep -qs '^losslessctl_rx_crc_errors_total' $run/metrics.prom
	connectx $port fault none
	quickly is_metric uncorrectable_blocks 7
	silent
	stop_agent
}

without_fec() {
	connectx $port firmware cap pplm off
	connectx $port restart
	wait_carrier
}

# The driver reads MPCNT for ethtool -S alone, and PPLM for the modes and the blocks of each request.
asked_once_a_sample() {
	local request sample
	make_policy '{"mtu":1500}' $port
	request=$(reads PPLM ethtool -I --show-fec $port)
	[ "$request" -gt 0 ] || echo 'the blocks are read without the mode'
	sample=(losslessctl verify --sample-for 1 "$work/policy.json")
	same 'reads of counters' 2 "$(reads MPCNT "${sample[@]}")"
	same 'reads of blocks' $((2 * request)) \
		$(($(reads PPLM "${sample[@]}") - $(reads PPLM losslessctl verify "$work/policy.json")))
}

it 'RS-FEC: blocks over all lanes' blocks_of_all_lanes
it 'BaseR: blocks by lane' blocks_by_lane
it 'without FEC there are none' has_none connectx $port link fec off
it 'nor without a driver that knows FEC' has_none without_fec
connectx $port firmware cap pplm on
connectx $port restart
connectx $port link fec agreed
it 'a driver that fails to read them leaves them out' comes_back PPCNT:read
it 'so does one that fails to read the mode' comes_back PPLM:read
it 'each sample asks once' asked_once_a_sample
tap_end
