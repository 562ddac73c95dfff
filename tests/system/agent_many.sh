#!/usr/bin/env bash
# vm: --ports 8
# only: 6.12
# Tests of the agent with 8 ports: its memory and processor time, its sockets and its metrics.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

no_ear_but_the_kernels() {
	start_agent --verify-interval 1 --sample-interval 1
	same 'listening sockets' "$(cat "$work/ears")" "$(ears)"
	stop_agent
}

ears() {
	tail -qn +2 /proc/net/{tcp,tcp6,udp,udp6,raw,raw6,packet} 2>/dev/null
	grep -v '^Num' /proc/net/unix | awk '$4 == "00010000"'
}

takes_little() {
	local start ticks
	start_agent --verify-interval 30 --sample-interval 1
	sleep 3
	ticks=$(ticks)
	start=${EPOCHREALTIME//./}
	sleep "${1:-5}"
	{
		echo "kb $(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(agent)/status")"
		echo "peak $(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$(agent)/status")"
		echo "share $((($(ticks) - ticks) * 1000000 / (${EPOCHREALTIME//./} - start)))"
	} >"$work/takes"
	same 'samples of ports' 8 "$(grep -c '^losslessctl_port_in_sync{' $run/metrics.prom)"
	awk '$1 == "kb" && $2 >= 4096 { print "it takes " $2 " kB" }' "$work/takes"
	awk '$1 == "peak" && $2 >= 5120 { print "it took " $2 " kB" }' "$work/takes"
	stop_agent
}

# Print the agent's processor time in hundredths of a second.
ticks() { awk '{ print $14 + $15 }' "/proc/$(agent)/stat"; }

footprint() {
	awk '{ v[$1] = $2 } END { print "# 8 ports, a sample each second: " v["kb"] " kB resident, " v["peak"] " kB at its peak, " v["share"] " % of a processor" }' "$work/takes"
}

# Print the memory requests since the agent started: of all code, and of its own code.
requests() { od -An -t u8 -w16 "$work/allocations"; }

# ticks_ask_for MOST OPTION...: in steady state the agent's own code requests memory at most MOST
# times a second.
ticks_ask_for() {
	local most=$1 before after
	agent_environment=("ALLOCATIONS=$work/allocations" "LD_PRELOAD=$tools/liballocations.so")
	rm -f "$work/allocations"
	start_agent "${@:2}"
	sleep 3
	read -ra before < <(requests)
	sleep 4
	read -ra after < <(requests)
	agent_environment=()
	[ "${before[1]}" -gt 0 ] || echo 'no request was counted'
	echo "$((after[1] - before[1])) $((after[0] - before[0])) ${*:2}" >>"$work/asked"
	[ $((after[1] - before[1])) -le $((most * 4)) ] ||
		echo "$((after[1] - before[1])) requests of its own in 4 seconds, at most $most a second"
	stop_agent
}

page_is_well_formed() {
	start_agent --verify-interval 1 --sample-interval 1
	connectx $port counter tx_prio3_pause_duration 100000
	quickly grep -q 'pfc_pause_seconds_total{.*} 0.100000' $run/metrics.prom
	cp $run/metrics.prom "$work/page"
	stop_agent
	promtool check metrics <"$work/page"
	for name in policy_info port_info port_in_sync settings last_verify_timestamp_seconds \
		pfc_pause_frames_total pfc_pause_seconds_total pause_storm_watchdog_trips_total \
		cnp_sent_total cnp_handled_total build_info; do
		grep -q "^losslessctl_$name{\|^losslessctl_$name " "$work/page" || echo "no $name"
	done
}

# Print how often PFC was read from each port, which every check of a port does.
checks() {
	grep '^PFCC:read' $simulation/*/calls
}

stops_at_once() {
	local before
	rm $run/metrics.prom
	start_agent $hour
	quickly [ -e $run/metrics.prom ] # the first round ends with it
	before=$(checks)
	stop_agent
	same 'reads of ports' "$before" "$(checks)"
	same ports 8 "$(wc -l <<<"$before")"
}

agent_policy report '{}' "$setup" '*'
expect 0 losslessctl -q apply "$work/policy.json"
wait_carrier
ears >"$work/ears" || true
in_long it 'no socket listens' no_ear_but_the_kernels
it '8 ports, a sample each second: less than 4 MiB, and than 5 at its peak' takes_little
footprint
it 'a tick that samples 8 ports asks for no memory of its own' ticks_ask_for 0 \
	--verify-interval 3600 --sample-interval 1
awk '{ print "# " $1 " requests for memory in 4 seconds, " $2 " with libraries:", $3, $4, $5, $6 }' "$work/asked"
in_long it 'promtool finds nothing in the page of metrics' page_is_well_formed
in_long it 'SIGTERM: it does not look at all ports first' stops_at_once
tap_end
