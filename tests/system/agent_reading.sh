#!/usr/bin/env bash
# waits
# only: 6.12
# Tests of the agent's log: settings that it can no longer read, the writer that ended a drift, and
# a symptom whose severity a new policy changes.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

in_sync() { grep -F "losslessctl_port_in_sync{netdev=\"$port\"" $run/metrics.prom | cut -d ' ' -f 2; }
compliant_is() { [ "$(in_sync)" = "$1" ]; }

begin() {
	reset_ports
	agent_policy report '{}' "$1" $port
	expect 0 losslessctl -q apply "$work/policy.json"
	wait_carrier
	start_agent --verify-interval 1 --sample-interval 1
}

a_failed_read_is_logged_once() {
	begin "$setup"
	connectx $port fault PFCC:read fail internal_err 0
	quickly in_log "warning reading-failed $port: pfc.priorities cannot be read: "
	quickly in_status '^  "verdict": "unknown"'
	sleep 2.5
	says_once 'reading-failed .*: pfc.priorities'
	connectx $port fault none
	quickly in_log "info reading-restored $port: pfc.priorities can be read again"
	quickly in_status '^  "verdict": "in_sync"'
	stop_agent
}

# The RoCE mode is in a configfs directory that apply creates.
what_apply_creates_is_no_failed_read() {
	reset_ports
	rmdir /sys/kernel/config/rdma_cm/mlx5_* 2>/dev/null || true
	agent_policy report '{}' '{"pfc":{"priorities":[3]},"roce":{"mode":"v2"}}' $port
	start_agent --verify-interval 1 --sample-interval 1
	quickly in_log "drift-detected $port: "
	sleep 1.5
	! grep reading-failed "$log"
	stop_agent
}

# The kernel omits buffers that the driver fails to read, as if the port had none.
an_optional_setting_that_was_read_is_not_missing() {
	begin '{"buffer":{"prio_buffer":[0,0,0,1,0,0,0,0],"size_bytes":[100096,100096,0,0,0,0,0,0]},"pfc":{"priorities":[3]},"optional":["buffer.*"]}'
	connectx $port register PPTB prio_x_buff 0
	quickly in_log "drift-detected $port: buffer.prio_buffer"
	connectx $port fault PPTB:read fail internal_err 0
	quickly in_log "reading-failed $port: buffer.prio_buffer"
	quickly in_status '^  "verdict": "unknown"'
	quickly compliant_is 0
	connectx $port fault none
	quickly in_log "reading-restored $port: buffer.prio_buffer"
	quickly in_status '^  "verdict": "drift"'
	stop_agent
}

our_own_apply_is_named_when_drift_ends() {
	begin "$setup"
	dcb ets set dev $port prio-tc 5:1
	quickly in_log "drift-detected $port: ets.prio_tc"
	sleep 1.2
	expect 0 losslessctl -q apply "$work/policy.json"
	quickly in_log "drift-resolved $port: ets.prio_tc"
	quickly grep -q '"event":"resolved"' $var/drift.jsonl
	grep '"event":"resolved"' $var/drift.jsonl | grep -v '"likely_writer":"losslessctl apply (root, '
	stop_agent
}

a_severity_that_a_reload_raises_is_logged() {
	agent_policy report '{}' "$setup" $port
	sed -i 's/"version":1,/&"thresholds":{"window_s":1},"severity":{"pause-storm-sent":"info"},/' "$work/policy.json"
	reset_ports
	expect 0 losslessctl -q apply "$work/policy.json"
	wait_carrier
	start_agent --verify-interval 1 --sample-interval 1
	connectx $port storm sent 3 97
	quickly in_log "info symptom-detected $port: pause-storm-sent"
	sed -i 's/"info"/"critical"/' "$work/policy.json"
	kill -HUP "$(agent)"
	quickly in_log "critical symptom-detected $port: pause-storm-sent"
	connectx $port storm sent 3 off
	quickly in_log "symptom-cleared $port: pause-storm-sent"
	stop_agent
}

it 'a setting that can no longer be read is logged once, and once it can be again' a_failed_read_is_logged_once
it 'what apply creates is no failed read' what_apply_creates_is_no_failed_read
in_long it 'an optional setting that was read before is unknown, not missing' an_optional_setting_that_was_read_is_not_missing
it 'our own apply is named when it ends a drift' our_own_apply_is_named_when_drift_ends
in_long it 'a severity that a reload raises is logged' a_severity_that_a_reload_raises_is_logged
tap_end
