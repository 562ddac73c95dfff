#!/usr/bin/env bash
# Tests of the reports to node-problem-detector (NPD) for every published status, by this host's sh
# and by busybox. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

kubernetes=packaging/kubernetes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOSSLESSCTL_STATUS=$work/status.json

# publish VERDICT [SECONDS_AGO [PORT=SETTING…]]: write a status as the agent does.
publish() {
	local verdict=$1 ago=${2:-5} ports=() one
	for one in "${@:3}"; do
		ports+=("$(jq -n --arg port "${one%=*}" --arg setting "${one#*=}" \
			'{port: $port, verdict: "drift", drifted_settings: [{setting: $setting, state: "drift"}]}')")
	done
	jq -s --arg verdict "$verdict" --arg at "$(date -u -d "-$ago sec" +%FT%TZ)" '
		{schema: "losslessctl/status/1", verified_at: $at, mode: "report",
		 policy: {name: "verdict"}, verdict: $verdict, unmet_rules: 0,
		 ports: (group_by(.port) | map(.[0] + {drifted_settings: map(.drifted_settings[])}))}' \
		<<<"${ports[*]-}" >"$LOSSLESSCTL_STATUS"
}

# npd CODE TEXT: compare the plugin's exit code and output, in either shell.
npd() {
	local shell code said
	for shell in sh 'busybox sh'; do
		code=0
		said=$($shell $kubernetes/npd/losslessctl-npd) || code=$?
		[ "$code $said" = "$1 $2" ] || echo "$shell: $code $said"
	done
}

ports_that_are_as_wished() {
	publish in_sync
	npd 0 'the ports are in sync with the policy'
}

drift() {
	publish drift 5 ens1f0np0=mtu ens1f0np0=pfc.priorities ens1f1np1=mtu
	npd 1 'drift: ens1f0np0 mtu pfc.priorities; ens1f1np1 mtu'
}

# A port in sync whose setup breaks a lint; a symptom and a warning are no drift.
a_finding() {
	publish drift 5 ens1f0np0=mtu
	jq '.ports += [{port: "ens1f1np1", verdict: "drift", drifted_settings: [],
		symptoms: [{symptom: "lossless-drops", severity: "critical"}],
		findings: [{lint: "pfc-storm-timeout-disabled", severity: "warning"},
			{lint: "pfc-with-global-pause", severity: "critical"}]}]' "$LOSSLESSCTL_STATUS" >"$work/more"
	mv "$work/more" "$LOSSLESSCTL_STATUS"
	npd 1 'drift: ens1f0np0 mtu; ens1f1np1 pfc-with-global-pause'
	jq '.ports |= .[1:]' "$LOSSLESSCTL_STATUS" >"$work/more"
	mv "$work/more" "$LOSSLESSCTL_STATUS"
	npd 1 'drift: ens1f1np1 pfc-with-global-pause'
}

at_most_80_characters() {
	publish drift 5 ens{1,2,3}f0np0={mtu,pfc.priorities,ets.prio_tc}
	npd 1 'drift: ens1f0np0 mtu pfc.priorities ets.prio_tc; ens2f0np0 mtu pfc.priorities et'
}

a_symptom() {
	publish symptom
	npd 0 'the ports are in sync with the policy'
	sed -i 's/^  "ports": .*/  "ports": [\n    {\n      "unknown_settings": [\n        "mtu"\n      ]\n    }\n  ]/' "$LOSSLESSCTL_STATUS"
	npd 2 'not all settings are known'
	publish symptom
	sed -i 's/^  "unmet_rules": 0/  "unmet_rules": 1/' "$LOSSLESSCTL_STATUS"
	npd 2 'not all settings are known'
}

what_cannot_be_told() {
	publish unknown
	npd 2 'not all settings are known'
	publish in_sync
	sed -i 's/"verified_at": .*/"verified_at": null,/' "$LOSSLESSCTL_STATUS"
	npd 2 'the agent has not verified the ports yet'
	publish in_sync
	sed -i '/^  "verdict"/d' "$LOSSLESSCTL_STATUS"
	npd 2 'not all settings are known'
	rm "$LOSSLESSCTL_STATUS"
	npd 2 "no agent runs on this node: $LOSSLESSCTL_STATUS is missing"
}

an_agent_that_looks_no_more() {
	publish in_sync 299
	npd 0 'the ports are in sync with the policy'
	publish in_sync 400
	npd 2 'the agent has not verified the ports for 400 s' | found grep -v '2 the agent has not verified the ports for 40[0-9] s'
}

# Check the plugin's configuration as NPD does at start, and for mistakes that NPD ignores silently.
the_plugin_is_whole() {
	jq -r '.conditions as $conditions
		| select(.plugin != "custom") | "plugin: \(.plugin)"' $kubernetes/npd/losslessctl-monitor.json
	jq -r '([.conditions[].type] as $known | .rules[] | select(.condition | IN($known[]) | not)
		| "no condition \(.condition)"),
		(keys - ["plugin", "pluginConfig", "source", "metricsReporting", "conditions", "rules"]
		| .[] | "no key \(.)")' $kubernetes/npd/losslessctl-monitor.json
	jq -r '(.conditions[] | "\(.reason): \(.message)"), (.rules[] | .reason)' \
		$kubernetes/npd/losslessctl-monitor.json |
		diff <(printf '%s\n' 'PortsInSync: the ports are in sync with the policy' PortsDrifted) -
	jq -r '(.conditions[] | "\(.reason): \(.message)"), (.rules[] | .reason)' \
		$kubernetes/npd/losslessctl-monitor.json |
		diff <(printf '%s\n' 'PortsInSync: the ports are in sync with the policy' PortsDrifted) -
	[ -x "$kubernetes/npd/$(jq -r '.rules[0].args[0] | ltrimstr("/custom-config/")' \
		$kubernetes/npd/losslessctl-monitor.json)" ] || echo 'it runs another script'
}

the_policy_is_sound_and_writes_nothing() {
	"${LOSSLESSCTL_BUILD:-build}/losslessctl" --quiet check $kubernetes/base/policy.json
	diff <(jq -S . $kubernetes/base/policy.json) \
		<(jq -S 'del(.. | .comment?) | .mode = "report" | .rules[].required = true' packaging/policies/nvidia-lossless.json)
}

it "NPD reports ports in sync" ports_that_are_as_wished
it "NPD reports drift, and where" drift
it "and a finding that makes the verdict" a_finding
it "in at most 80 characters" at_most_80_characters
it "NPD does not report a symptom as drift, nor hide what is unknown" a_symptom
it "NPD reports what is unknown" what_cannot_be_told
it "NPD reports an agent that checks no more" an_agent_that_looks_no_more
it "its configuration names what is there" the_plugin_is_whole
it "the DaemonSet's policy is sound, and only reports" the_policy_is_sound_and_writes_nothing
tap_end
