#!/usr/bin/env bash
# only: 6.12
# Paused repairs: settings that an operator applied stay until the agent reloads its policy, or
# starts with another one.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

dscp_48() { dcb -N app show dev $port dscp-prio | grep -o '48:[0-7]'; }

killed() {
	kill -9 "$(agent)"
	quickly agent_ended
}

# An operator makes an emergency change to the first port while the agent enforces its policy.
emergency() {
	reset_ports
	agent_policy enforce
	applied
	sed 's/"48":6/"48":5/' "$work/policy.json" >"$work/other.json"
	start_agent --verify-interval 1 --sample-interval 3600
	SUDO_USER=alice losslessctl -q apply --lock-timeout 10 "$work/other.json" $port
	quickly in_status '"repair_paused": true'
}

a_killed_agent_respects_it() {
	emergency
	killed
	start_agent --verify-interval 1 --sample-interval 3600
	says_once "repair-paused $port: another policy was applied after the agent loaded its policy .apply at [0-9TZ:-]*, by alice.: repairs are paused"
	in_log 'systemctl reload losslessctl' || echo 'it does not say how to resume'
	in_status '"repair_paused": true' || echo 'the status does not say it'
	sleep 3
	same 'the change' 48:5 "$(dscp_48)"
	dcb app replace dev $other dscp-prio 48:5
	quickly in_log "info drift-repaired $other: dscp.prio"
	same 'the change' 48:5 "$(dscp_48)"
}

a_reload_resumes() {
	kill -HUP "$(agent)"
	quickly in_log "info drift-repaired $port: dscp.prio"
	same 'the policy' 48:6 "$(dscp_48)"
	quickly in_status '"repair_paused": false'
	killed
	start_agent --verify-interval 1 --sample-interval 3600
	in_log 'repairs are paused' && echo 'it was resumed before'
	stop_agent
}

a_rollback_is_respected() {
	reset_ports
	agent_policy enforce
	applied
	start_agent --verify-interval 1 --sample-interval 3600
	expect 0 losslessctl -q rollback --lock-timeout 10
	killed
	start_agent --verify-interval 1 --sample-interval 3600
	says_once "repair-paused $port: an apply was rolled back after"
	says_once "repair-paused $other: an apply was rolled back after"
	sleep 2
	same 'what was rolled back' '' "$(dscp_48)"
	stop_agent
}

# What was not rolled back stays as well: its repair would write over the rest.
a_rollback_in_part_is_respected() {
	reset_ports
	agent_policy enforce
	applied
	start_agent --verify-interval 1 --sample-interval 3600
	connectx $port fault QPDPM fail internal_err 0
	expect 4 losslessctl -q rollback --lock-timeout 10
	connectx $port fault none
	quickly in_log "repair-paused $port: an apply was rolled back after"
	stop_agent
}

another_policy_at_the_start_resumes() {
	emergency
	killed
	sed -i 's/"generation":1/"generation":2/' "$work/policy.json"
	start_agent --verify-interval 1 --sample-interval 3600
	quickly in_log "info drift-repaired $port: dscp.prio"
	stop_agent
}

# The operator applies four times within the window; a reload reverts each change.
an_operator_is_no_opponent() {
	local n
	reset_ports
	agent_policy enforce
	applied
	sed 's/"48":6/"48":5/' "$work/policy.json" >"$work/other.json"
	start_agent --verify-interval 1 --sample-interval 3600
	for n in 1 2 3 4; do
		expect 0 losslessctl -q apply --lock-timeout 10 "$work/other.json" $port
		quickly in_status '"repair_paused": true'
		kill -HUP "$(agent)"
		quickly in_status '"repair_paused": false'
		quickly eval '[ "$(dscp_48)" = 48:6 ]'
	done
	in_log drift-contested && grep drift-contested "$log"
	stop_agent
}

it 'killed and started again, the agent says what is paused, and leaves it' a_killed_agent_respects_it
it 'a reload resumes repairs' a_reload_resumes
it 'a rollback stays, too' a_rollback_is_respected
in_long it 'a rollback that left something out stays as well' a_rollback_in_part_is_respected
it 'a start with another policy resumes repairs' another_policy_at_the_start_resumes
in_long it 'an operator who applies something else four times is no opponent' an_operator_is_no_opponent
tap_end
