#!/usr/bin/env bash
# Tests of the reports to node-feature-discovery (NFD) and node-problem-detector (NPD) for every
# published status, by this host's sh and by busybox, which the DaemonSet has. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

kubernetes=packaging/kubernetes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LOSSLESSCTL_STATUS=$work/status.json LOSSLESSCTL_FEATURES=$work/features.d

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

# labelled VALUE: check the node's label, which expires 15 minutes after the agent's verify.
labelled() {
	local shell verified_at
	verified_at=$(jq -r .verified_at "$LOSSLESSCTL_STATUS")
	for shell in sh 'busybox sh'; do
		rm -rf "$LOSSLESSCTL_FEATURES"
		mkdir "$LOSSLESSCTL_FEATURES"
		$shell $kubernetes/base/losslessctl-nfd
		[ "$(ls -A "$LOSSLESSCTL_FEATURES")" = losslessctl ] || ls -A "$LOSSLESSCTL_FEATURES"
		diff - "$LOSSLESSCTL_FEATURES/losslessctl" <<-END || echo "by $shell"
			# +expiry-time=$(date -u -d "$verified_at 900 sec" +%FT%TZ)
			losslessctl.in-sync=$1
		END
	done
}

labels() {
	publish in_sync
	labelled true
	publish drift 5 ens1f0np0=mtu
	labelled false
	publish symptom
	labelled true
	sed -i 's/^  "unmet_rules": 0/  "unmet_rules": 1/' "$LOSSLESSCTL_STATUS"
	labelled unknown
	publish unknown 3000
	labelled unknown
}

# fails: check that the script fails; the previous label stays until it expires.
fails() {
	! sh $kubernetes/base/losslessctl-nfd 2>/dev/null || echo 'it succeeded'
	[ "$(ls -A "$LOSSLESSCTL_FEATURES")" = losslessctl ] || ls -A "$LOSSLESSCTL_FEATURES"
	diff "$work/before" "$LOSSLESSCTL_FEATURES/losslessctl"
}

no_label_without_a_look() {
	publish in_sync
	labelled true
	cp "$LOSSLESSCTL_FEATURES/losslessctl" "$work/before"
	sed -i 's/"verified_at": .*/"verified_at": null,/' "$LOSSLESSCTL_STATUS"
	fails
	sed -i 's/"verified_at": .*/"verified_at": "soon",/' "$LOSSLESSCTL_STATUS"
	fails
	rm "$LOSSLESSCTL_STATUS"
	fails
}

# soon WORD: wait until the label has this word.
soon() {
	local tries=0
	until grep -q "$1" "$LOSSLESSCTL_FEATURES/losslessctl" 2>/dev/null; do
		[ $((tries += 1)) -lt 100 ] || { echo "never: $1" && return; }
		sleep 0.1
	done
}

stays_and_ends_at_sigterm() {
	local shell pid
	for shell in sh 'busybox sh'; do
		rm -f "$LOSSLESSCTL_STATUS" "$LOSSLESSCTL_FEATURES/losslessctl"
		$shell $kubernetes/base/losslessctl-nfd 0.2 2>/dev/null &
		pid=$!
		publish in_sync
		soon true
		publish drift
		soon false
		kill $pid
		wait $pid || echo "$shell: exit code $?"
	done
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
it "in at most 80 characters" at_most_80_characters
it "NPD does not report a symptom as drift, nor hide what is unknown" a_symptom
it "NPD reports what is unknown" what_cannot_be_told
it "NPD reports an agent that checks no more" an_agent_that_looks_no_more
it "its configuration names what is there" the_plugin_is_whole
it "NFD gets the verdict, and until when it holds" labels
it "NFD gets nothing new before the agent has checked" no_label_without_a_look
it "the feature writer of NFD goes on, and ends at SIGTERM" stays_and_ends_at_sigterm
it "the DaemonSet's policy is sound, and only reports" the_policy_is_sound_and_writes_nothing
tap_end
