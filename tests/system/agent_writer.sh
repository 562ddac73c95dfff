#!/usr/bin/env bash
# waits
# only: 6.12
# Tests of the likely writer: the agent names one only if an event or a run of our own can have made
# the change. It repairs a re-initialised driver, whose settings are not contested.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

# shellcheck disable=SC2154 # of lib_agent.sh
whole='{"dcbx":{"mode":"host"},"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3],
	"cable_m":10,"storm_timeout_ms":1000},'$ets',"dscp":{"prio":{"26":3,"48":6}},
	"dcqcn":{"rpg_ai_rate_mbps":7},"roce":{"tos":106}}'
by_dcb="a program on this host, through the kernel's DCB interface"
by_ethtool='a program on this host, through ethtool'
by_mtu="a program on this host, which set the link's MTU"

ai_rate=/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params/rp_ai_rate

# Apply the policy, and wait until the agent has seen the port in sync.
begin() {
	expect 0 losslessctl -q apply "$work/policy.json"
	wait_carrier
	quickly in_status '^  "verdict": "in_sync"'
	sleep 1.2
	: >"$log"
}

# named SETTING WRITER COMMAND...: COMMAND changes SETTING, and the agent names WRITER and no other.
named() {
	local setting=$1 writer=$2
	shift 2
	begin
	"$@" 2>&1
	quickly in_log "drift-detected $port: $setting "
	sleep 0.3
	grep -F "drift-detected $port: $setting " "$log" | grep -vF "(likely writer: $writer)"
	in_log 'link flap' && grep 'link flap' "$log"
	true
}

start_once() {
	reset_ports
	agent_policy report '{}' "$whole" $port
	expect 0 losslessctl -q apply "$work/policy.json"
	wait_carrier
	start_agent --verify-interval 2 --sample-interval 3600
}

# named_run VERB COMMAND...: the agent names our own run as the writer of each setting it changes.
named_run() {
	local verb=$1
	shift
	begin
	expect 0 "$@"
	quickly in_log "drift-detected $port: "
	sleep 2.5
	grep -F "drift-detected $port" "$log" | grep -vE "likely writer: losslessctl $verb \(root, [0-9:]{8}Z\)"
	same 'lines about the port' 1 "$(grep -c " drift-[a-z]* $port: " "$log")"
}

poke_and_write_dcb() {
	echo 5 >"$ai_rate"
	dcb ets set dev $port prio-tc 5:1
}

# The agent logs the return to the policy in one line.
resolved_in_one_line() {
	: >"$log"
	expect 0 losslessctl -q apply "$work/policy.json"
	quickly in_log "drift-resolved $port: 3 settings are in sync again: mtu, dscp.prio, .* \(likely writer: losslessctl apply \(root, "
	sleep 2.5
	same 'lines about the port' 1 "$(grep -c " drift-[a-z]* $port: " "$log")"
}

# Apply another policy while no agent runs: the next agent names that run.
named_by_the_next_agent() {
	begin
	stop_agent
	expect 0 losslessctl -q apply "$work/other.json"
	start_blindly --verify-interval 2 --sample-interval 3600
	quickly in_log "drift-detected $port: 3 settings differ from the policy: mtu, .*likely writer: losslessctl apply \(root, "
}

# Apply the same policy before another program changes the port: the agent does not name that run.
not_named_by_the_next_agent() {
	begin
	stop_agent
	expect 0 losslessctl -q apply "$work/policy.json"
	ip link set $port mtu 1500
	start_blindly --verify-interval 2 --sample-interval 3600
	quickly in_log "drift-detected $port: mtu is 1500, expected 4200 \(likely writer: unknown\)"
}

another_value_is_another_record() {
	begin
	ip link set $port mtu 1500
	quickly in_log "drift-detected $port: mtu is 1500, was 4200"
	ip link set $port mtu 2000
	quickly in_log "drift-detected $port: mtu is 2000, was 1500 \(likely writer: $by_mtu\)"
	sleep 2.5
	same 'lines about the port' 2 "$(grep -c " drift-[a-z]* $port: " "$log")"
}

other_policy() {
	sed 's/"rpg_ai_rate_mbps":7/"rpg_ai_rate_mbps":9/; s/4200/1500/; s/"26":3/"26":4/' \
		"$work/policy.json" >"$work/other.json"
	named_run apply losslessctl -q apply "$work/other.json"
}

taken_back() { named_run rollback losslessctl -q rollback; }

# The agent does not name our own run for a change after it.
after_our_own() {
	begin
	echo 5 >"$ai_rate"
	quickly in_log "drift-detected $port: dcqcn"
	same 'likely writer' unknown "$(sed -n 's/.*dcqcn.*likely writer: \(.*\))$/\1/p' "$log")"
}

# The agent names a running management program for a setting that it writes, if the kernel announced
# the change or never announces such changes. The kernel cuts the name to 15 bytes.
beside_another_writer() {
	local tos=/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos pid
	cp /bin/sleep "$work/nic-configuration-daemon"
	"$work/nic-configuration-daemon" 600 >/dev/null 2>&1 &
	pid=$!
	named pfc.priorities "nic-configuration-daemon (pid $pid)" dcb pfc set dev $port prio-pfc 3:off
	named roce.tos "nic-configuration-daemon (pid $pid)" sh -c "echo 0 >$tos"
	named mtu "$by_mtu" ip link set $port mtu 1500
	named ets.prio_tc unknown connectx $port register QTCT tclass 5 4
	named dcqcn.rpg_ai_rate_mbps unknown connectx $port cc rp_ai_rate 5
	kill $pid
	named roce.tos unknown sh -c "echo 0 >$tos"
}

one_cause_for_one_beginning() {
	local n
	for n in 1 2 3; do
		begin
		rm -f $var/drift.jsonl
		connectx $port restart
		quickly in_log "driver-reinitialized $port: "
		quickly grep -q '"roce.tos"' $var/drift.jsonl
		sleep 1
		same "writers $n" 'driver re-initialised' "$(jq -r .likely_writer $var/drift.jsonl | sort -u)"
		in_log "drift-detected $port" && grep drift-detected "$log"
	done
}

# The agent waits 16 s after the fifth restart, or 32 s if a busy guest takes over a second for one,
# and the agent counts it as two.
no_opponent() {
	local n limit=60
	stop_agent
	reset_ports
	agent_policy enforce '{}' '{"dcbx":{"mode":"host"},'"$ets"'}' $port
	expect 0 losslessctl -q apply "$work/policy.json"
	start_agent --verify-interval 1 --sample-interval 3600
	for n in 1 2 3 4 5; do
		connectx $port restart
		sleep 2
	done
	quickly in_log "drift-repaired $port: 3 settings are in sync again: ets.prio_tc, "
	quickly in_status '^  "verdict": "in_sync"'
	in_log drift-contested && grep drift-contested "$log"
	same 'what the history says' '' "$(grep '"event":"contested"' $var/drift.jsonl)"
	stop_agent
}

it 'the agent starts, with all as the policy says' start_once
in_long it 'another MTU was set by a program' named mtu "$by_mtu" ip link set $port mtu 1500
in_long it 'a write to cc_params is unknown' named dcqcn.rpg_ai_rate_mbps unknown \
	sh -c "echo 5 >$ai_rate"
in_long it 'it is unknown also while DCB is written' named dcqcn.rpg_ai_rate_mbps unknown \
	poke_and_write_dcb
in_long it 'global pause was set through ethtool' named pause.rx "$by_ethtool" ethtool -A $port rx on
it 'PFC was set through DCB' named pfc.priorities "$by_dcb" dcb pfc set dev $port prio-pfc 3:off
it 'a poked register is unknown, also when the link flaps' named ets.prio_tc unknown \
	sh -c "connectx $port register QTCT tclass 5 2; connectx $port link down; sleep 0.2; connectx $port link up"
in_long it 'a management program that runs is named for what it writes' beside_another_writer
it 'our own apply is named, with caller and time' other_policy
it 'our own apply that ends the drift, in one line' resolved_in_one_line
in_long it 'our own rollback, likewise' taken_back
it 'a drift whose value changes again is reported again' another_value_is_another_record
in_long it 'our own apply before the agent starts is named' named_by_the_next_agent
it 'unless it applied the policy of the agent' not_named_by_the_next_agent
it 'a change after our own run is not put down to it' after_our_own
in_long it 'a driver that begins anew is one cause for all that it resets' one_cause_for_one_beginning
in_long it 'five times within a minute it is repaired once it has settled, and not contested' no_opponent
tap_end
