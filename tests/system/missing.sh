#!/usr/bin/env bash
# only: 6.12
# Rules whose ports are missing: verify, its line for Nagios, the agent, plan and apply agree.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

# rules RULE...: write a policy for MTU 1500, which every port has.
rules() {
	local IFS=,
	printf '{"version":1,"profiles":{"p":{"mtu":1500}},"rules":[%s]}\n' "$*" >"$work/policy.json"
}

# rule NAME [MORE]: print a rule for the ports of this name.
rule() { printf '{"match":{"name":"%s"},"profile":"p"%s}' "$1" "${2-}"; }

# judged CODE VERDICT UNMET [TEXT]: verify, its line for Nagios, and the agent report this.
judged() {
	local word=OK
	case $1 in 2) word=CRITICAL ;; 3) word=UNKNOWN ;; esac
	expect "$1" losslessctl verify "$work/policy.json"
	[ -z "${4-}" ] || says "$4"
	expect "$1" losslessctl --json verify "$work/policy.json"
	same verdict "$2" "$(json verdict)"
	same unmet_rules "$3" "$(json unmet_rules)"
	expect "$1" losslessctl verify --nagios "$work/policy.json"
	says "LOSSLESSCTL $word - ${4-}"
	start_agent
	in_status "^  \"verdict\": \"$2\"" || grep verdict $run/status.json
	in_status "^  \"unmet_rules\": $3" || echo 'status.json has another unmet_rules'
	quickly grep -qsx "losslessctl_policy_rules_unmet $3" $run/metrics.prom
	[ -z "${4-}" ] || says_once "$4"
	stop_agent
}

# nothing_done TEXT: plan and apply report TEXT as the reason, and write nothing.
nothing_done() {
	local before verb
	sed -i 's/1500/1600/' "$work/policy.json"
	before=$(changes)
	for verb in plan apply; do
		expect 3 losslessctl $verb "$work/policy.json"
		says "$1"
	done
	same 'driver calls' "$before" "$(changes)"
}

nothing_matches() {
	rules "$(rule nope)" "$(rule neither ',"required":false')"
	judged 3 unknown 1 'no port of this host matches a rule: nothing was verified'
	nothing_done 'no port of this host matches a rule'
	expect 3 losslessctl peer --listen-for 1 "$work/policy.json"
}

no_rules() {
	rules
	judged 3 unknown 1 'the policy has no rules: nothing was verified'
	nothing_done 'the policy has no rules'
}

nothing_need_match() {
	rules "$(rule nope ',"required":false')" "$(rule neither ',"required":false')"
	judged 0 in_sync 0
	expect 0 losslessctl plan "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl peer --listen-for 1 "$work/policy.json"
}

one_of_two_matches() {
	rules "$(rule 'ens1*')" "$(rule nope)"
	judged 0 in_sync 0
	expect 0 losslessctl verify "$work/policy.json"
	says 'rule 2 matches no port of this host'
}

required_matches_none() {
	rules "$(rule 'ens1*')" "$(rule nope ',"required":true')"
	judged 3 unknown 1 'rule 2 is required, and no port of this host matches it'
	nothing_done 'rule 2 is required, and no port of this host matches it: name nope'
}

as_many() {
	rules "$(rule 'ens1*' ',"count":2')"
	judged 0 in_sync 0
}

too_few() {
	rules "$(rule 'ens1*' ',"count":8')"
	judged 3 unknown 1 'rule 1 expects 8 ports, and 2 of this host match'
	nothing_done 'rule 1 expects 8 ports'
}

too_many() {
	rules "$(rule 'ens1*' ',"count":1')"
	judged 3 unknown 1 'rule 1 expects 1 port, and 2 of this host match'
}

taken_by_a_later_rule() {
	rules "$(rule 'ens1*' ',"count":2')" "$(rule $other)"
	judged 0 in_sync 0
}

drift_outranks() {
	rules "$(rule 'ens1*' ',"count":8')"
	ip link set $port mtu 1400
	judged 2 drift 1 'rule 1 expects 8 ports'
	ip link set $port mtu 1500
}

named_on_the_command_line() {
	rules "$(rule 'ens1*' ',"count":8')"
	expect 0 losslessctl verify "$work/policy.json" $port
	expect 0 losslessctl apply "$work/policy.json" $port
}

lost_while_the_agent_runs() {
	rules "$(rule 'ens1*' ',"count":2')"
	start_agent --verify-interval 1
	in_status '^  "verdict": "in_sync"' || cat $run/status.json
	connectx $other unplug
	quickly in_status '^  "unmet_rules": 1'
	in_status '^  "verdict": "unknown"' || grep verdict $run/status.json
	stop_agent
	judged 3 unknown 1 'rule 1 expects 2 ports, and 1 of this host matches'
	connectx $other plug
	quickly [ -e "/sys/class/net/$other/mtu" ]
	judged 0 in_sync 0
}

# The agent verifies the others, also if the port is missing at its start.
named_and_lost() {
	rules "$(rule 'ens1*')"
	start_agent --verify-interval 1 $port $other
	in_status '^  "verdict": "in_sync"' || cat $run/status.json
	connectx $other unplug
	quickly in_status '^  "unmet_rules": 1'
	ip link set $port mtu 1400
	quickly in_log "drift-detected $port: mtu is 1400"
	quickly in_log "this host has no port $other that a rule of the policy matches"
	stop_agent
	start_agent --verify-interval 1 $port $other
	in_status '^  "unmet_rules": 1' || cat $run/status.json
	ip link set $port mtu 1500
	quickly in_status '^  "verdict": "unknown"'
	connectx $other plug
	quickly in_status '^  "verdict": "in_sync"'
	stop_agent
}

virtual_functions() {
	rules "$(rule '*' ',"count":2')"
	echo 1 >"/sys/bus/pci/devices/${pci_of[$other]}/sriov_numvfs"
	expect 0 losslessctl verify "$work/policy.json"
	echo 0 >"/sys/bus/pci/devices/${pci_of[$other]}/sriov_numvfs"
}

no_port_has_no_peer() {
	ip netns add away
	ip link set $port netns away
	ip link set $other netns away
	expect 3 losslessctl --json peer --listen-for 1
	same verdict unknown "$(json verdict)"
	says 'no port of this host has DCB or RDMA: nothing was compared'
	ip netns del away
}

it 'a run in which no rule matches any port verifies nothing' nothing_matches
it 'a policy without rules likewise' no_rules
it 'where every rule says required false, a host without ports is right' nothing_need_match
it 'one rule of two that matches is enough' one_of_two_matches
it 'a required rule without a port is unknown' required_matches_none
it 'a rule that finds as many ports as it wants' as_many
it 'a rule that finds fewer is unknown' too_few
it 'a rule that finds more likewise' too_many
it 'ports that a later rule takes count, too' taken_by_a_later_rule
it 'drift outranks a missing port' drift_outranks
it 'ports named on the command line are judged alone' named_on_the_command_line
it 'an adapter that is lost while the agent runs is missed at once' lost_while_the_agent_runs
it 'a port that the agent was given and that is lost costs the others nothing' named_and_lost
it 'virtual functions are not counted' virtual_functions
it 'without a port peer compares nothing, and says so' no_port_has_no_peer
tap_end
