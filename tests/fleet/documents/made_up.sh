#!/usr/bin/env bash
# Tests of the benchmark's fleet: its documents conform to the schema of reports. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

build=${LOSSLESSCTL_BUILD:-build}
folder=build/fleet/documents

make_documents() {
	mkdir -p $folder/schemas
	cp packaging/schema/report.json "$build/packaging/papers/policy.json" $folder/schemas/
	python3 tests/bench/fleet_documents.py 1000 8 $folder
}

# Select every thirtieth document, and half of those with drift, symptoms or differences, and of the
# rare kinds.
sample() {
	cat $folder/{state,links}-0.ndjson |
		awk 'NR % 30 == 0 || /"drift"|"symptom"|"differs"|\/(show|ready|history)\// && ++told % 2'
}

every_kind_is_there() {
	diff <(printf 'losslessctl/%s/1\n' history peer ready show status verify) \
		<(jq -r .schema $folder/sample | sort -u)
}

they_conform() {
	/usr/bin/python3 -W ignore tests/schema/judge.py $folder/schemas $folder/sample
}

all_are_stored() {
	rm -f $folder/fleet.db*
	"$build/losslessctl-fleet" ingest --quiet --db $folder/fleet.db $folder
	"$build/losslessctl-fleet" sql --db $folder/fleet.db --csv 'SELECT COUNT(*) FROM reports' |
		diff <(printf 'COUNT(*)\n%d\n' "$(cat $folder/{state,links}-0.ndjson | wc -l)") -
}

it "the generator makes documents" make_documents
sample >$folder/sample
it "every kind is among them" every_kind_is_there
it "they are as the schema says" they_conform
it "all of them are stored" all_are_stored
tap_end
