#!/usr/bin/env bash
# only: 6.1
# Tests of findings, the lints that a port's actual settings break: verify, monitors, the agent's
# log, status.json and metrics agree on them, and a policy may change their severity.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

pfc='{"dcbx":{"mode":"host"},"pfc":{"priorities":[3]}}'

# severity_policy SEVERITY [SETUP]: SEVERITY is the object, or empty.
severity_policy() {
	agent_policy report '{}' "${2:-$pfc}" "$port"
	[ -z "$1" ] || sed -i "s/\"version\":1,/&\"severity\":$1,/" "$work/policy.json"
}

pause_on() {
	ethtool -A $port rx on tx on
	wait_carrier
}

pause_off() {
	ethtool -A $port rx off tx off
	wait_carrier
	poke_pfc $port 8
	wait_carrier
}

# Turn both on at once by a poke: the driver turns one off when the other is set.
both_on() {
	pause_on
	poke_pfc $port 8
	wait_carrier
}

an_error_is_drift() {
	severity_policy ''
	applied
	both_on
	expect 2 losslessctl verify "$work/policy.json"
	says "$port  drift"
	says 'critical    PFC and 802.3x global pause are both on (pfc-with-global-pause)'
	says '; 1 critical finding'
	expect 2 losslessctl --json verify "$work/policy.json"
	says '"verdict":"drift","warning_count":0'
	says '"settings":[],"comparisons":[],"symptoms":[],"findings":[{"lint":"pfc-with-global-pause","severity":"critical"'
	expect 2 losslessctl verify --nagios "$work/policy.json"
	says "LOSSLESSCTL CRITICAL - 1 critical finding ($port pfc-with-global-pause), 2 of 2 settings on 1 port in sync|drift=0;;0 unknown=0 ports=1 critical=1;;0 warnings=0;0"
	pause_off
	expect 0 losslessctl verify --nagios "$work/policy.json"
}

the_agent_agrees() {
	severity_policy ''
	applied
	start_agent --verify-interval 1 --sample-interval 1
	quickly in_metrics 'losslessctl_port_in_sync{netdev="ens1f0np0"} 1'
	both_on
	quickly in_log "critical finding-detected $port: pfc-with-global-pause: PFC and 802.3x global pause are both on; fix: set pause.rx"
	quickly in_status '"verdict": "drift"'
	in_status '"lint": "pfc-with-global-pause"' || cat $run/status.json
	quickly in_metrics 'losslessctl_port_in_sync{netdev="ens1f0np0"} 0'
	in_metrics 'losslessctl_finding_active{netdev="ens1f0np0",lint="pfc-with-global-pause",severity="critical"} 1' ||
		grep finding $run/metrics.prom
	sleep 2
	pause_off
	quickly in_log "info finding-cleared $port: pfc-with-global-pause: no longer found"
	quickly in_status '"verdict": "in_sync"'
	quickly in_metrics 'losslessctl_port_in_sync{netdev="ens1f0np0"} 1'
	in_metrics '^losslessctl_finding_active' && grep finding $run/metrics.prom
	says_once finding-detected
	says_once finding-cleared
	stop_agent
}

in_metrics() { grep -qE -- "${1//\{/\\\{}" $run/metrics.prom 2>/dev/null; }

the_policy_lowers_it() {
	severity_policy '{"pfc-with-global-pause":"warning"}'
	applied
	both_on
	expect 0 losslessctl verify "$work/policy.json"
	says "$port  in sync"
	says 'warning     PFC and 802.3x global pause are both on (pfc-with-global-pause)'
	says '; 1 warning'
	expect 1 losslessctl verify --nagios "$work/policy.json"
	says "LOSSLESSCTL WARNING - 1 warning ($port pfc-with-global-pause), 2 of 2 settings on 1 port in sync|"
	expect 2 losslessctl verify --strict "$work/policy.json"
	expect 2 losslessctl verify --strict --nagios "$work/policy.json"
	says "LOSSLESSCTL CRITICAL - 1 warning ($port pfc-with-global-pause)"
	start_agent --verify-interval 1 --sample-interval 1
	quickly in_log "warning finding-detected $port: pfc-with-global-pause"
	in_status '"verdict": "in_sync"' || cat $run/status.json
	quickly in_metrics 'losslessctl_port_in_sync{netdev="ens1f0np0"} 1'
	severity_policy '{"pfc-with-global-pause":"ignore"}'
	kill -HUP "$(agent)"
	quickly in_log "finding-cleared $port"
	stop_agent
	expect 0 losslessctl --json verify --strict "$work/policy.json"
	grep pfc-with-global-pause "$work/out"
	pause_off
}

# A lint of severity critical stops apply until the policy lowers the severity.
apply_follows() {
	local shares='{"dcbx":{"mode":"host"},"mtu":9000,"pfc":{"priorities":[2,3,4]}}'
	reset_ports
	severity_policy '{"lossless-too-many":"critical"}' "$shares"
	expect 65 losslessctl check "$work/policy.json"
	expect 1 losslessctl plan "$work/policy.json"
	says 'more than two priorities are lossless'
	expect 1 losslessctl apply "$work/policy.json"
	severity_policy '{"lossless-too-many":"info"}' "$shares"
	expect 0 losslessctl check "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	wait_carrier
	expect 0 losslessctl verify --strict "$work/policy.json"
}

check_shows_what_is_lowered() {
	severity_policy '{"pfc-with-global-pause":"ignore"}' \
		'{"dcbx":{"mode":"host"},"pause":{"rx":true},"pfc":{"priorities":[3]}}'
	expect 0 losslessctl check "$work/policy.json"
	says 'severity: "pfc-with-global-pause" is lowered from critical to ignore: it no longer stops apply (lint-lowered)'
}

# A written buffer stays manual: the firmware no longer separates what a later policy makes lossless.
own='"buffer":{"size_bytes":[131072,262144,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
shared='shares its receive buffer with a lossy one (lossless-buffer-shared)'

a_shared_buffer_is_found_by_every_verb() {
	reset_ports
	severity_policy '' "${pfc%\}},$own}"
	expect 0 losslessctl apply "$work/policy.json"
	wait_carrier
	expect 0 losslessctl rollback
	says 'buffer.size_bytes, buffer.prio_buffer stay as they are rolled back'
	severity_policy '' "$pfc"
	expect 0 losslessctl apply "$work/policy.json"
	says "$shared"
	wait_carrier
	expect 0 losslessctl apply "$work/policy.json"
	says "$shared"
	expect 0 losslessctl plan "$work/policy.json"
	says "$shared"
	expect 2 losslessctl verify --strict "$work/policy.json"
	says "$shared"
	losslessctl doctor --sample-for 1 --listen-for 1 "$work/policy.json" >"$work/out" 2>"$work/err"
	says 'lossless-buffer-shared'
}

a_cold_start_gives_buffers_back() {
	cold_start $port
	wait_carrier
	expect 0 losslessctl apply "$work/policy.json"
	grep lossless-buffer-shared "$work/err"
	wait_carrier
	expect 0 losslessctl verify --strict "$work/policy.json"
}

# --- Symptoms ---

# ignored SEVERITY CODE COMMAND...: COMMAND exits with CODE while CNPs are ignored.
ignored() {
	local ignoring
	severity_policy "$1" '{"mtu":9000}'
	losslessctl -q apply "$work/policy.json"
	while sleep 0.1; do connectx $port counter rp_cnp_ignored 9; done &
	ignoring=$!
	expect "$2" losslessctl "${@:3}" --sample-for 1 "$work/policy.json"
	kill $ignoring
	wait $ignoring 2>/dev/null
}

symptoms_follow() {
	ignored '' 0 --json verify
	says '"symptom":"cnp-ignored","status":"warning"'
	says '"severity":"warning"'
	ignored '' 2 verify --strict
	says '  warning     cnp-ignored'
	ignored '{"cnp-ignored":"critical"}' 2 --json verify
	says '"symptom":"cnp-ignored","status":"symptom"'
	ignored '{"cnp-ignored":"info"}' 0 verify --strict --nagios
	says 'LOSSLESSCTL OK'
	ignored '{"cnp-ignored":"ignore"}' 0 --json verify
	says '"symptoms":[]'
}

the_agents_symptoms_follow() {
	local ignoring
	severity_policy '{"cnp-ignored":"critical","lossless-drops":"ignore"}'
	sed -i 's/"version":1,/&"thresholds":{"window_s":1},/' "$work/policy.json"
	applied
	start_agent --verify-interval 3600 --sample-interval 1
	while sleep 0.2; do
		connectx $port counter rp_cnp_ignored 200
		connectx $port counter rx_prio3_discards 9
	done &
	ignoring=$!
	quickly in_log "critical symptom-detected $port: cnp-ignored"
	quickly in_metrics 'losslessctl_symptom_active{netdev="ens1f0np0",symptom="cnp-ignored",severity="critical"} 1'
	in_log lossless-drops && grep lossless-drops "$log"
	in_metrics lossless-drops && echo 'the metrics have it'
	kill $ignoring
	wait $ignoring 2>/dev/null
	stop_agent
}

# --- Advice about the host ---

a_stock_host_is_fine() {
	local ready=$work/nvidia-lossless.json
	reset_ports
	cat packaging/policies/nvidia-lossless.json >"$ready"
	echo 2 >/proc/sys/net/ipv4/tcp_ecn
	expect 0 losslessctl apply "$ready"
	wait_carrier
	same 'how often apply says it' 1 "$(grep -c host.tcp_ecn "$work/out" "$work/err" | awk -F: '{ n += $2 } END { print n }')"
	expect 2 losslessctl verify --strict "$ready"
	says 'fails because of --strict: 1 host setting advised'
	# shellcheck disable=SC2016
	says 'run `sysctl -w net.ipv4.tcp_ecn=1`'
	expect 0 losslessctl verify "$ready"
	same 'how often verify says it' 1 "$(grep -c host.tcp_ecn "$work/out")"
	says 'this host'
	says '; 1 host setting advised'
	expect 0 losslessctl verify --nagios "$ready"
	says 'LOSSLESSCTL OK - '
	says ', 1 host setting advised|'
	expect 0 losslessctl --json verify "$ready"
	same 'in JSON, for each port' 2 "$(grep -o '"setting":"host.tcp_ecn","status":"advice"' "$work/out" | wc -l)"
	echo 1 >/proc/sys/net/ipv4/tcp_ecn
	expect 0 losslessctl verify --strict "$ready"
	echo 2 >/proc/sys/net/ipv4/tcp_ecn
}

it 'a critical finding makes the verdict drift' an_error_is_drift
it 'the agent logs it once, and its status and metrics agree' the_agent_agrees
it 'a policy lowers it to a warning, or has it ignored' the_policy_lowers_it
it 'apply stops at errors, whatever the lint was by itself' apply_follows
it 'check shows which errors the policy lowers' check_shows_what_is_lowered
it 'a lossless priority in a shared buffer is found by apply, plan, verify and doctor' a_shared_buffer_is_found_by_every_verb
it 'a cold start gives buffers back to the firmware' a_cold_start_gives_buffers_back
it 'symptoms have the severity that the policy gives them' symptoms_follow
it 'and in the agent, too' the_agents_symptoms_follow
it 'advice about the host is given once, and is no warning to a monitor' a_stock_host_is_fine
tap_end
