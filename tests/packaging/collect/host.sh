#!/usr/bin/env bash
# Tests of the examples that collect reports: the systemd unit and the collectors' YAML. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

PATH=$(realpath "${LOSSLESSCTL_BUILD:-build}"):$PATH
work=build/collect
server=packaging/opentelemetry/fleet-server.yaml

systemd_takes_the_unit() {
	systemd-analyze verify packaging/collect/losslessctl-send.{service,timer}
	systemd-analyze security --offline=true --threshold=15 --no-pager \
		packaging/collect/losslessctl-send.service >$work/said || tail -n 1 $work/said
}

pipelines_name_what_is_defined() {
	local file
	for file in packaging/opentelemetry/fleet-{host,server}.yaml; do
		/usr/bin/python3 - "$file" <<-'END'
			import sys
			import yaml
			config = yaml.safe_load(open(sys.argv[1]))
			for pipeline in config["service"]["pipelines"].values():
			    for kind, names in pipeline.items():
			        missing = set(names) - set(config[kind])
			        if missing:
			            print(f"{sys.argv[1]}: no {kind} {missing}")
		END
	done
}

# Run the command from the file's comment on an export of two hosts, as a file exporter writes it.
exports_are_ingested() {
	local command
	command=$(sed -nE '/^#   jq/,/ingest -/s/^# +//p' $server)
	rm -f $work/fleet.db*
	head -n 1 tests/golden/v1/reports/status.jsonl | jq --indent 2 . >$work/one.json # as the agent writes it
	[ "$(grep -c '^{' $work/one.json)" -eq 1 ] || echo 'a record has several beginnings'
	jq --indent 2 '.host = "other" | .host_id = "0123456789abcdef0123456789abcdef"' $work/one.json >$work/other.json
	jq -nc --rawfile one $work/one.json --rawfile other $work/other.json '
		def record: {timeUnixNano: "0", body: {stringValue: .}};
		{resourceLogs: [$one, $other | {resource: {}, scopeLogs: [{scope: {}, logRecords: [record]}]}]}' \
		>$work/reports.jsonl
	(cd $work && bash -euo pipefail -c "$command" >ingested)
	diff <(printf '%s\n' host gpu-node-1 other) \
		<(losslessctl-fleet sql --db $work/fleet.db --csv 'SELECT host FROM hosts ORDER BY host')
}

mkdir -p $work
it "systemd takes the unit that sends, and finds it hardened" systemd_takes_the_unit
it "the collectors' pipelines name what is defined" pipelines_name_what_is_defined
it "what the collector exports is ingested" exports_are_ingested
tap_end
