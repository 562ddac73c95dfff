#!/usr/bin/env bash
# Tests of the report of a fleet: which hosts count, its exit code, and the recipes of fleet.md that
# delete reports. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/fleet/ingest/lib.sh
. tests/fleet/ingest/lib.sh

# report_of KIND HOST ID [FILTER]: print a report of a minute ago, changed by jq.
report_of() {
	jq -nc --arg kind "$1" --arg host "$2" --arg id "$3" '{schema: "losslessctl/\($kind)/1", host: $host,
		host_id: $id, boot_id: "b", losslessctl_version: "1", observed_at: (now - 60 | todate),
		policy: {name: "p"}, verdict: "in_sync", state_hash: "policy-ports", ports: []} | '"${4:-.}"
}

old='.observed_at = (now - 100000 | todate)'
all='.ports = [{port: "p0", settings: [{setting: "mtu", status: "in_sync", desired: 9000, actual: 9000}]}]'

# A port without a rule is of the state_hash of show, and not of that of verify.
outliers_need_values_of_the_policys_ports() {
	{
		report_of verify a id-a
		report_of show a id-a '.state_hash = "every-port" | .ports = [{port: "p0", config: {mtu: 9000}}]'
	} | quiet values.db -
	exits 0 fleet values.db report
	says "Outliers: no host has reported \`show\` or \`verify --all\` of the ports of its policy"
	report_of verify b id-b ".state_hash = \"b\" | $all" | quiet values.db -
	exits 0 fleet values.db report
	says "Outliers: hosts without \`show\` or \`verify --all\` of the ports of their policy: 1"
	report_of verify a id-a "$all | .observed_at = (now - 30 | todate)" | quiet values.db -
	exits 0 fleet values.db report
	says 'No host is an outlier.'
}

a_verdict_has_a_reason() {
	report_of verify a id-a '.verdict = "unknown"' | quiet reason.db -
	exits 3 fleet reason.db report
	says 'Settings that are not in sync: hosts that are not in sync for another reason: 1'
	report_of verify a id-a '.verdict = "unknown" | .observed_at = (now | todate) |
		.unmet_message = "rule 2 found no port"' | quiet reason.db -
	exits 3 fleet reason.db report
	grep -Eq '^ +p +rules +unknown' "$work/said" || cat "$work/said"
}

an_inventory_makes_no_database() {
	echo a >"$work/inventory"
	echo page >"$work/page.html"
	exits 66 fleet none.db report --expect "$work/inventory" --html "$work/page.html"
	[ ! -e "$work/none.db" ] || echo 'report made a database'
	diff <(echo page) "$work/page.html"
}

every_silent_host_is_in_the_view() {
	report_of verify a id-a "$old" | quiet silent.db -
	exits 2 fleet silent.db report
	says 'Silent hosts'
	diff <(echo host && echo a) <(fleet silent.db sql --csv 'SELECT host FROM silent_hosts')
}

a_host_that_was_installed_anew_is_not_silent() {
	{
		report_of verify a id-old "$old"
		report_of verify a id-new
	} | quiet anew.db -
	exits 0 fleet anew.db report
	says 'No host is silent.'
	echo a >"$work/inventory"
	exits 0 fleet anew.db report --expect "$work/inventory"
}

clones_are_unknown() {
	{
		report_of verify a id
		report_of verify b id
	} | quiet clones.db -
	exits 3 fleet clones.db report
	says 'Hosts that share a machine-id'
	report_of verify a id "$old" >"$work/renamed.jsonl"
	report_of verify b id >>"$work/renamed.jsonl"
	quiet renamed.db "$work/renamed.jsonl"
	exits 0 fleet renamed.db report
}

a_machine_that_probes_is_no_host() {
	{
		report_of verify a id-a
		report_of probe-matrix prober id-p '.observed_at = (now - 100000 | todate) | .hosts = [] | .pairs = []'
	} | quiet prober.db -
	exits 0 fleet prober.db report
	diff <(echo host && echo a) <(fleet prober.db sql --csv 'SELECT host FROM hosts')
}

documents_that_were_set_aside_are_csv() {
	echo '{"schema": "losslessctl/verify/9"}' >"$work/bad.jsonl"
	exits 65 fleet bad.db ingest "$work/bad.jsonl"
	exits 0 fleet bad.db report --csv rejected_documents
	says 'sha256,source,reason,document'
	says 'bad.jsonl:1'
}

# recipe HEADING DB: run the block of code below this heading of fleet.md.
recipe() {
	awk -v heading="### $1" '/^##/ { here = $0 == heading } !here { next }
		/^```/ { within = $0 == "```sh"; next } within' packaging/docs/fleet.md |
		sed "s,fleet\.db,$work/$2," >"$work/recipe"
	[ -s "$work/recipe" ] || echo "no recipe: $1"
	exits 0 bash -euo pipefail "$work/recipe"
}

# count DB: print how many rows each table has.
count() {
	local table
	sqlite3 "$work/$1" "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1" | while read -r table; do
		sqlite3 -tabs "$work/$1" "SELECT '$table', COUNT(*) FROM $table"
	done | grep -v $'\t0$'
}

everything_of_a_host() {
	report_of verify "$@" '.verdict = "drift" | .ports = [{port: "p0", settings: [{setting: "mtu",
		status: "drift", desired: 1, actual: 2}], symptoms: [{symptom: "pause-storm-sent", severity: "critical"}]}]'
	report_of peer "$@" '.ports = [{port: "p0", verdict: "agrees", comparisons: []}]'
	report_of ready "$@" '.checks = [{check: "gid", status: "not_ready"}]'
	report_of history "$@" '.records = [{port: "p0", setting: "mtu", event: "detected",
		recorded_at: .observed_at, first_seen_at: .observed_at}]'
	report_of probe "$@" '.peer = "b" | .pairs = [{runs: []}]'
}

a_host_is_forgotten() {
	everything_of_a_host a id-a | quiet forget.db -
	count forget.db >"$work/before"
	everything_of_a_host b id-b | quiet forget.db -
	host_id=id-b recipe 'Forget a host' forget.db
	count forget.db | diff "$work/before" -
	[ "$(wc -l <"$work/before")" = 8 ] || cat "$work/before"
}

a_month_is_kept() {
	{
		everything_of_a_host a id-a
		echo 'not a report'
	} >"$work/month.jsonl"
	exits 65 fleet month.db ingest "$work/month.jsonl"
	count month.db | grep -v rejected >"$work/before"
	everything_of_a_host a id-a | sed 's/"20[0-9-]*T/"2020-01-02T/g' | quiet month.db -
	recipe 'Keep a month' month.db
	count month.db | diff "$work/before" -
}

it 'outliers need values of the ports of the policy' outliers_need_values_of_the_policys_ports
it 'a verdict without a setting has a reason, or is counted' a_verdict_has_a_reason
it 'an inventory alone makes no database and no page' an_inventory_makes_no_database
it 'every silent host is in the view, without an inventory' every_silent_host_is_in_the_view
it 'a host that was installed anew is not silent' a_host_that_was_installed_anew_is_not_silent
it 'clones that hide each other are unknown' clones_are_unknown
it 'a machine that only probes others is no host' a_machine_that_probes_is_no_host
it 'the table of documents that were set aside is printed as CSV' documents_that_were_set_aside_are_csv
it "fleet.md's recipe forgets a host, and no other" a_host_is_forgotten
it "fleet.md's recipe keeps a month" a_month_is_kept
tap_end
