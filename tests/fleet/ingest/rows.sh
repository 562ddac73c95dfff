#!/usr/bin/env bash
# Tests of the rows that ingest makes of documents, in any order and repeatedly. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/fleet/ingest/lib.sh
. tests/fleet/ingest/lib.sh

each_document_becomes_rows() {
	documents >"$work/all.jsonl"
	quiet all.db "$work/all.jsonl"
	diff tests/fleet/ingest/expected.tsv <(rows all.db)
	is_whole all.db
}

a_second_time_changes_nothing() {
	sqlite3 "$work/all.db" .dump >"$work/before"
	fleet all.db ingest "$work/all.jsonl" >"$work/said"
	says '0 new, 14 known before, 1 of other kinds'
	sqlite3 "$work/all.db" .dump | diff "$work/before" -
}

any_order_is_one_result() {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		shuf --random-source=<(yes $i) "$work/all.jsonl" >"$work/some.jsonl"
		rm -f "$work"/some.db*
		quiet some.db "$work/some.jsonl"
		rows some.db | diff tests/fleet/ingest/expected.tsv - || echo "order $i"
	done
}

# Ingest documents on one line or several, from one file or many, from a directory or a pipe.
every_form_is_read() {
	local document n=0
	mkdir "$work/many"
	while read -r document; do
		n=$((n + 1))
		jq . <<<"$document" >"$work/many/$n.json"
	done <"$work/all.jsonl"
	echo 'not for us' >"$work/many/notes.txt"
	quiet many.db "$work/many"
	rows many.db | diff tests/fleet/ingest/expected.tsv -
	cat "$work/many"/*.json | quiet pipe.db -
	rows pipe.db | diff tests/fleet/ingest/expected.tsv -
	quiet fifo.db <(sed 's/$/\r/' "$work/all.jsonl")
	rows fifo.db | diff tests/fleet/ingest/expected.tsv -
}

golden_reports_are_read() {
	quiet golden.db tests/golden/v1/reports
	diff <(printf '%s\n' history peer probe probe-matrix ready show status verify) \
		<(sqlite3 "$work/golden.db" 'SELECT DISTINCT kind FROM reports ORDER BY 1')
}

each_commit_is_acknowledged() {
	fleet ack.db ingest --json "$work/all.jsonl" >"$work/said"
	jq -e -s '.[-1].complete and .[-1].new_count == 14 and .[-1].ignored_count == 1 and
		(.[0].complete | not) and (.[0].last_document | endswith("all.jsonl:15"))' "$work/said" >/dev/null ||
		cat "$work/said"
}

it 'each document becomes the rows that are expected' each_document_becomes_rows
it 'a second ingest changes nothing' a_second_time_changes_nothing
it 'documents in any order give one result' any_order_is_one_result
it 'documents are read from files, directories and pipes, on one line or several' every_form_is_read
it 'reports of version 1 are read' golden_reports_are_read
it 'each commit is acknowledged' each_commit_is_acknowledged
tap_end
