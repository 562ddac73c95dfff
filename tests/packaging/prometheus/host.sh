#!/usr/bin/env bash
# Tests of rules, dashboard and collector in packaging/prometheus and packaging/opentelemetry, by
# promtool and by metrics.prom, an agent's page from tests/packaging/prometheus/record. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

folder=packaging/prometheus
rules=$folder/losslessctl.rules.yml
tests=$folder/losslessctl.test.yml
page=tests/packaging/prometheus/metrics.prom
collector=packaging/opentelemetry/collector.yaml
yaml='{extends: default, rules: {document-start: disable, line-length: {max: 100},
 braces: {max-spaces-inside: 1}}}'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

promtool() { "${LOSSLESSCTL_BUILD:-build}/vm/prometheus/promtool" "$@"; }

# Print the output only if the command fails.
quietly() { "$@" >"$work/said" 2>&1 || cat "$work/said"; }

alerts() { sed -n 's/^ *- alert: //p' "$rules" | sort; }
records() { sed -n 's/^ *- record: //p' "$rules" | sort; }

rules_are_sound() { quietly promtool check rules --lint=all --lint-fatal "$rules"; }
tests_hold() { quietly promtool test rules "$tests"; }

# asked HOW: print the alerts whose tests expect that they fire (fires) or do not (silent).
asked() {
	awk -v how="$1" '
		$1 == "alertname:" { name = $2 }
		$1 == "exp_alerts:" && (($2 == "[]") == (how == "silent")) { print name }' "$tests" | sort -u
}

every_alert_is_tried() {
	diff <(alerts) <(asked fires)
	diff <(alerts) <(asked silent)
}

every_record_is_tried() {
	diff <(records) <(sed -n 's/^ *- expr: //p' "$tests" | sort -u)
}

# alerts_with KEY: print "ALERT VALUE" of each alert with the key.
alerts_with() {
	awk -v key="$1:" '$2 == "alert:" { name = $3 } $1 == key { print name, $2 }' "$rules" | sort
}

every_alert_says_what_to_do() {
	local key
	for key in summary description; do
		diff <(alerts) <(alerts_with $key | cut -d ' ' -f 1)
	done
	diff <(alerts | sed 's|.*|& packaging/docs/runbook.md#\L&|') <(alerts_with runbook_url)
	diff <(alerts) <(alerts_with severity | sed -nE 's/ (critical|warning)$//p')
}

readme_tells_every_alert() {
	diff <(alerts_with severity) \
		<(sed -nE 's/^\| `(Losslessctl[A-Za-z]+)` \| ([a-z]+) \|.*/\1 \2/p' $folder/README.md | sort)
}

queries() { jq -r -f tests/packaging/prometheus/queries.jq $folder/dashboard.json; }

# Check each query in a recording rule, as promtool checks rules.
every_query_parses() {
	queries | cut -f 2 | jq -Rs '{groups: [{name: "queries", rules:
		[split("\n")[:-1] | to_entries[] | {record: "query:\(.key)", expr: .value}]}]}' \
		>"$work/queries.yml"
	[ "$(jq '.groups[].rules | length' "$work/queries.yml")" -gt 30 ] || echo 'too few queries'
	quietly promtool check rules "$work/queries.yml"
}

# Print the metrics in queries: the agent's, the recorded ones, and node_exporter's.
metrics_in() { grep -oE '\<([a-z_]+:)?(losslessctl|node_textfile)_[a-z_]+(:[a-z0-9_]+)?\>' "$@" | sort -u; }

known_metrics() {
	sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' $page
	records
	echo node_textfile_mtime_seconds
	echo node_textfile_scrape_error
}

only_metrics_that_exist() {
	{ queries | cut -f 2 && grep -v runbook_url "$rules"; } >"$work/text"
	[ "$(metrics_in "$work/text" | wc -l)" -gt 30 ] || echo 'too few metrics'
	comm -23 <(metrics_in "$work/text") <(known_metrics | sort -u)
}

every_drop_is_on_the_dashboard() {
	queries | cut -f 2 >"$work/text"
	comm -23 <(known_metrics | grep -E '^losslessctl_(rx|port)_([a-z]+_)?drops_total$' | sort) \
		<(metrics_in "$work/text")
}

# Print LABEL="VALUE" of each label in rules whose values losslessctl defines.
values_in_rules() {
	grep -oE '\<(symptom|severity|status|outcome)=~?"[^"]*"' "$rules" |
		sed -E 's/=~?"/ /; s/"//; s/\|/ /g' |
		awk '{ for (i = 2; i <= NF; i++) print $1 "=\"" $i "\"" }' | sort -u
}

only_values_that_exist() {
	[ "$(values_in_rules | wc -l)" -ge 7 ] || values_in_rules
	values_in_rules | while read -r value; do
		grep -qF "$value" $page || echo "$value"
	done
}

page_is_well_formed() { quietly promtool check metrics <$page; }

dashboard_can_be_imported() {
	jq -e '.uid == "losslessctl" and .schemaVersion >= 36 and .__inputs[0].name == "DS_PROMETHEUS"
		and ([.templating.list[].name] == ["cluster", "host", "port"])' $folder/dashboard.json \
		>/dev/null || echo 'uid, schemaVersion, __inputs or variables'
	jq -r '[.. | .datasource? // empty | .uid] | unique - ["${DS_PROMETHEUS}"] | .[]' $folder/dashboard.json
	jq -r '[.panels[].id] | group_by(.)[] | select(length > 1) | "panel \(.[0]) twice"' $folder/dashboard.json
	jq -r '.panels[] | select(any(.targets[]?.expr; test("rate\\(|increase\\(") and
		(test("\\$__rate_interval") | not))) | .title' $folder/dashboard.json
	panels_that_overlap
}

panels_that_overlap() {
	jq -r '[.panels[] | .gridPos + {title}] as $all | $all[] as $a | $all[] | select(.title > $a.title
		and .x < $a.x + $a.w and $a.x < .x + .w and .y < $a.y + $a.h and $a.y < .y + .h) |
		"\(.title) lies over \($a.title)"' $folder/dashboard.json
}

# The agent must send all journal fields that the collector reads.
collector_knows_the_fields() {
	grep -oE 'body\.[A-Z_]+|SYSLOG_IDENTIFIER' $collector | sed 's/^body\.//' | sort -u >"$work/taken"
	[ "$(wc -l <"$work/taken")" -eq 10 ] || cat "$work/taken"
	comm -23 "$work/taken" <(grep -oE '[A-Z_]+=%?' agent/host/log.c | cut -d = -f 1 | sort -u)
	grep -q '"SYSLOG_IDENTIFIER=", "losslessctl"' agent/host/log.c || echo 'another identifier'
}

# The collector must map exactly the priorities that events have.
collector_knows_the_weights() {
	diff <(sed -nE 's/.*\[SEVERITY_[A-Z]+\] = \{ "[a-z]+", ([0-9]) \}.*/\1/p' policy/util/status_word.c | sort -u) \
		<(sed -n '/mapping:/,/- {/p' $collector | grep -oE "'[0-9]'" | tr -d "'" | sort)
}

tests/vm/programs
it 'the rules are valid' rules_are_sound
it 'their unit tests hold' tests_hold
it 'every alert is tried where it fires, and where it just does not' every_alert_is_tried
it 'every recording rule is tried' every_record_is_tried
it 'every alert has a severity, says what is wrong, and where to read on' every_alert_says_what_to_do
it 'the README has every alert with its severity' readme_tells_every_alert
it 'every query of the dashboard parses' every_query_parses
it 'rules and dashboard ask only for what the agent reports' only_metrics_that_exist
it 'rules ask only for values that labels have' only_values_that_exist
it 'the dashboard shows every packet that a port drops' every_drop_is_on_the_dashboard
it 'the recorded page is well-formed' page_is_well_formed
it 'the dashboard can be imported' dashboard_can_be_imported
if [ "${LOSSLESSCTL_TEST_LONG-0}" = 1 ]; then
	it 'yamllint finds nothing' quietly yamllint --strict -d "$yaml" $collector $rules $tests
fi
it 'the collector takes only fields that the agent sends' collector_knows_the_fields
it 'the collector knows how grave each event is' collector_knows_the_weights
tap_end
