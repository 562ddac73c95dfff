#!/usr/bin/env bash
# short: 6.1
# long: 7.3
# The simulated adapter's control adds to each counter that Debian's driver reads, by its name.
. tests/system/lib.sh

rdma_counters=/sys/class/infiniband/mlx5_0/ports/1/hw_counters

# Print the counters of the adapter: the driver's own come first, or have a queue's number.
adapter_counters() {
	ethtool -S $port | sed -n '/rx_out_of_buffer:/,$p' |
		sed -E 's/^ *//; s/://; /^(ch|rx|tx)[0-9]/d'
}

rdma_counters() { grep -H . $rdma_counters/* | sed 's|.*/||; s/:/ /; /^lifespan/d'; }

fec_counters() {
	ethtool -I --show-fec $port |
		sed -En 's/^ *(corrected|uncorrectable)_blocks: (.*)/rs_fec_\1_blocks \2/p'
}

# each_moves_alone READER: add to each counter that READER prints a number of its own. It has to
# move by that number; one that moved others, too, would spoil theirs.
each_moves_alone() {
	local name value n=0 before expected=
	before=$($1)
	while read -r name value; do
		connectx $port counter "$name" $((++n))
		expected+="$name $((value + n))"$'\n'
	done <<<"$before"
	same 'counters' "${expected%$'\n'}" "$($1)"
}

with_global_pause() {
	adapter_counters | grep '^rx_global_pause ' >/dev/null || echo 'no counters of global pause'
	each_moves_alone adapter_counters
}

with_pfc() {
	dcb pfc set dev $port prio-pfc all:on
	wait_carrier
	adapter_counters | grep '^rx_prio7_pause ' >/dev/null || echo 'no counters of PFC'
	each_moves_alone adapter_counters
}

unknown_names_are_refused() {
	expect 64 connectx $port counter rx_nonsense 7
}

sysctl -qw net.ipv6.conf.{all,$port,$other}.disable_ipv6=1
echo 0 >$rdma_counters/lifespan
in_long it "each counter of ethtool -S can be moved, alone" with_global_pause
in_long it "each counter of PFC can be moved, alone" with_pfc
it "each counter of the RDMA device can be moved, alone" each_moves_alone rdma_counters
it "the counters of FEC can be moved, alone" each_moves_alone fec_counters
it "a counter that the adapter lacks is refused" unknown_names_are_refused
tap_end
