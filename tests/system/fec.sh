#!/usr/bin/env bash
# Tests of the FEC counters: the agent counts corrected and uncorrectable blocks as ethtool does.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

slot=$(basename "$(readlink /sys/class/net/$port/device)")

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

# calls OPERATION: print how often the driver was asked.
calls() {
	sed -n "s/^$1 //p" "/proc/mlx5sim/$slot/calls"
}

# Remove the metrics of the agent before, which would pass for those of the new one.
begin() {
	agent_policy report '{}' '{"mtu":1500}' $port
	rm -f $run/metrics.prom
	start_agent --verify-interval 3600 --sample-interval 1
}

blocks_of_all_lanes() {
	begin
	agrees uncorrectable_blocks 0
	mlx5sim $port bump rs_fec_corrected_blocks 5000000000
	mlx5sim $port bump rs_fec_uncorrectable_blocks 7
	mlx5sim $port bump fc_fec_uncorrectable_blocks_lane0 100
	agrees corrected_blocks 5000000000
	agrees uncorrectable_blocks 7
	stop_agent
}

# The kernel's total is the sum of the lanes.
blocks_by_lane() {
	mlx5sim $port fec baser
	begin
	mlx5sim $port bump fc_fec_corrected_blocks_lane0 30
	mlx5sim $port bump fc_fec_corrected_blocks_lane3 12
	mlx5sim $port bump fc_fec_uncorrectable_blocks_lane2 11
	agrees corrected_blocks 42
	agrees uncorrectable_blocks 111
	stop_agent
	mlx5sim $port fec rs
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
	mlx5sim $port fail "$1" EIO 0
	quickly is_metric uncorrectable_blocks ''
	quickly grep -qs '^losslessctl_rx_crc_errors_total' $run/metrics.prom
	mlx5sim $port fail "$1" 0
	quickly is_metric uncorrectable_blocks 7
	silent
	stop_agent
}

asked_once_a_sample() {
	local stats fec
	make_policy '{"mtu":1500}' $port
	stats=$(calls get_ethtool_stats) fec=$(calls get_fec_stats)
	expect 0 losslessctl verify --sample-for 1 "$work/policy.json"
	same 'reads of counters' 2 $(($(calls get_ethtool_stats) - stats))
	same 'reads of blocks' 2 $(($(calls get_fec_stats) - fec))
}

it 'RS-FEC: blocks over all lanes' blocks_of_all_lanes
it 'BaseR: blocks by lane' blocks_by_lane
it 'without FEC there are none' has_none mlx5sim $port fec off
it 'nor without a driver that knows FEC' has_none mlx5sim $port fwcaps pplm off
mlx5sim $port fwcaps pplm on
mlx5sim $port fec rs
it 'a driver that fails to read them leaves them out' comes_back get_fec_stats
it 'so does one that fails to read the mode' comes_back get_fecparam
it 'each sample asks once' asked_once_a_sample
tap_end
