#!/usr/bin/env bash
# vm: --ports 16
# Long tests of the agent: many kills, a contest with a real lldpad, and 2,000 rounds of samples.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

# lldptool makes lldpad write ETS, and the agent repairs ETS until the setting is contested.
contested_by_lldpad() {
	local n
	reset_ports
	agent_policy enforce '{"allow_link_flap":true}' '{"ets":{"prio_tc":[0,0,0,3,0,0,6,0]}}' $port
	applied
	start_agent --verify-interval 1 --sample-interval 3600
	start
	soon 90 lldptool -L -i $port adminStatus=rxtx
	for n in $(seq 8); do
		lldptool -T -i $port -V ETS-CFG up2tc="0:0,1:$((n % 2 + 1)),2:0,3:3,4:0,5:0,6:6,7:0" >/dev/null
		sleep 2
	done
	in_log 'drift-detected ens1f0np0: ets.prio_tc is .*likely writer: lldpad \(pid' || cat "$log"
	in_log 'critical drift-contested ens1f0np0: ets.prio_tc .*likely writer: lldpad \(pid|repair-refused|repair-failed' || tail "$log"
	stop_agent
	end_kept
}

# rounds COUNT PORT...: sample the ports COUNT times; the samples must request no memory.
rounds() {
	expect 0 "$tools/tick_ports" "$@"
	echo "$1 rounds of $(($# - 1)) ports: $(cat "$work/out")" >>"$work/rounds"
	awk -v ports=$(($# - 1)) '{ for (i = 1; i < NF; i += 2) v[$i] = $(i + 1) } END {
		if (v["mallocs"] != 0) print v["mallocs"] " times memory was asked for"
		if (v["half_kb"] != v["late_kb"]) print "resident: " v["half_kb"] " kB, then " v["late_kb"]
		if (v["with_rdma"] != ports) print v["with_rdma"] " ports with counters of RDMA" }' "$work/out"
}

many_rounds() {
	local ports
	ports=$(cd /sys/class/net && echo ens*)
	rounds 2000 $port $other
	# shellcheck disable=SC2086
	rounds 150 $ports
}

stays_well_formed() {
	goes_on_after_kill 40
	cp $run/metrics.prom "$work/page"
	promtool check metrics <"$work/page"
}

# Run this first, while RDMA devices are numbered like ports: re-initialising a driver changes that.
it '2,000 rounds of samples, and 150 of 16 ports, ask for no memory, and stay as large as they were' \
	many_rounds
sed 's/^/# /' "$work/rounds"
it 'killed at 40 moments: files are whole, and the next one goes on' stays_well_formed
it 'a real lldpad that writes ETS is named, and left alone' contested_by_lldpad
tap_end
