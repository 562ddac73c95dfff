#!/usr/bin/env bash
# Tests of bad documents, files and databases: each has a clear outcome, and ingest stores the good
# ones beside them. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/fleet/ingest/lib.sh
. tests/fleet/ingest/lib.sh

good='{"schema":"losslessctl/verify/1","host":"h","host_id":"i","boot_id":"b","losslessctl_version":"1","observed_at":"2026-11-24T10:00:00Z","policy":null,"verdict":"in_sync","state_hash":null,"ports":[]}'

# Replacing a device by a page would ruin the machine.
pages_replace_only_files() {
	local file=$work/page.html
	rm -rf "$work"/page* && echo "$good" >"$work/good.json"
	exits 0 fleet page.db ingest "$work/good.json"
	page "$file" && is_page "$file"
	ln -s page.html "$work/page.link"
	echo old >"$file"
	chown 65534 "$file" && chmod 600 "$file"
	page "$work/page.link"
	[ "$(stat -c '%u %a' "$file")" = '65534 600' ] || stat -c 'owner and mode: %u %a' "$file"
	[ -L "$work/page.link" ] || echo 'the link is gone'
	is_page "$file"
	echo secret >"$work/page.secret"
	ln -s page.secret "$work/.page.html.new"
	page "$file"
	[ "$(<"$work/page.secret")" = secret ] || echo 'a link in place of the draft was followed'
	mkfifo "$work/page.fifo"
	(timeout 10 cat "$work/page.fifo" >"$work/page.piped") &
	page "$work/page.fifo"
	wait $!
	[ -p "$work/page.fifo" ] || echo 'the FIFO is gone'
	is_page "$work/page.piped"
	ln -s /dev/null "$work/page.null" # never the device itself: a failure would ruin this machine
	page "$work/page.null"
	[ "$(readlink "$work/page.null")" = /dev/null ] || echo 'the link to a device is gone'
	page - && is_page "$work/said"
	ln -s page.db "$work/page.itself"
	cp "$work/page.db" "$work/page.before"
	for file in "$work/page.db" "$work/page.itself"; do
		exits 64 fleet page.db report --html "$file"
		says 'it is the database'
	done
	cmp "$work/page.db" "$work/page.before"
	ln -s /proc/self/fd/1 "$work/page.stdout" # as /dev/stdout
	page "$work/page.stdout" && is_page "$work/said"
	[ -L "$work/page.stdout" ] || echo 'the link to the standard output is gone'
	[ ! -e "$work/.page.html.new" ] || echo 'a draft is left'
	exits 64 "$program" report --db "$work/page.db" --html - --json
}

page() { exits 0 "$program" report --db "$work/page.db" --since 3650d --html "$1"; }
is_page() { grep -q '</html>' "$1" || echo "no page in $1"; }

a_database_is_a_file() {
	mkfifo "$work/fifo.db"
	exits 65 timeout 10 "$program" ingest --db "$work/fifo.db" /dev/null
	says 'it is not a regular file'
	exits 65 timeout 10 "$program" report --db "$work/fifo.db"
	[ -p "$work/fifo.db" ] || echo 'the FIFO is gone'
}

# changed FILTER: print the good document, changed by jq.
changed() { jq -c "$@" <<<"$good"; }

# Print a row for each bad document: its mistake, the expected reason, the document.
bad() {
	printf '%s\t%s\t%s\n' \
		'cut off' 'not JSON: ' "${good:0:100}" \
		'no JSON' 'not JSON: ' 'hello' \
		'a list' 'expected a document of losslessctl' "[$good]" \
		'two in a line' 'not JSON: end of file expected' "$good$good" \
		'duplicate keys' 'not JSON: duplicate object key' "${good%\}},\"host\":\"x\"}" \
		'a NUL' 'not JSON: ' "${good/:\"h\"/:\"h\\u0000x\"}" \
		'no UTF-8' 'not JSON: ' "${good/:\"h\"/:\"$'\xff'\"}" \
		'deep' 'not JSON: maximum parsing depth' "${good%\}},\"x\":$(printf '[%.0s' {1..3000})" \
		'a huge number' 'not JSON: too big' "${good%\}},\"x\":1$(printf '0%.0s' {1..400})}" \
		'no schema' '/schema: it is no document of losslessctl' "$(changed 'del(.schema)')" \
		'of others' '/schema: it is no document of losslessctl' "$(changed '.schema = "x/verify/1"')" \
		'a newer version' '/schema: the document is of a version' \
		"$(changed '.schema = "losslessctl/verify/2"')" \
		'no host' '"host" is missing' "$(changed 'del(.host)')" \
		'a number for a name' '/host: found the number 7, expected a text' "$(changed '.host = 7')" \
		'an empty name' '/host: found an empty string' "$(changed '.host = ""')" \
		'a long name' '/host: the text is longer than 65536 bytes' \
		"$(changed '.host = "x" * 65537')" \
		'no time' '/observed_at: found the string "yesterday", expected a time' \
		"$(changed '.observed_at = "yesterday"')" \
		'a wrong date' '/observed_at: found' "$(changed '.observed_at = "2026-02-30T10:00:00Z"')" \
		'a time to come' '/observed_at: the time is in the future' \
		"$(changed '.observed_at = (now + 600 | todate)')" \
		'a host without a name' '/anonymised: an anonymised bundle does not say which host' \
		"$(jq -c '{schema: "losslessctl/bundle/1", anonymised: true, verify: .}' <<<"$good")" \
		'no list of ports' '/ports: found an object' "$(changed '.ports = {a: 1}')" \
		'a port without settings' '"settings" is missing' \
		"$(changed '.ports = [{port: "p0"}]')" \
		'a setting without a name' '/ports/0/settings/0: "setting" is missing' \
		"$(changed '.ports = [{port: "p0", settings: [{status: "drift"}]}]')" \
		'a number that is none' '/policy/generation: found the number -1' \
		"$(changed '.policy = {name: "x", generation: -1}')"
}

each_bad_document_is_named() {
	local what reason document
	bad >"$work/bad"
	while IFS=$'\t' read -r what reason document; do
		rm -f "$work"/bad.db*
		printf '%s\n%s\n' "$document" "$good" >"$work/some.jsonl"
		exits 65 fleet bad.db ingest "$work/some.jsonl"
		grep -qE "some.jsonl:1: .*" "$work/said" || { echo "$what: not named" && cat "$work/said"; }
		sqlite3 "$work/bad.db" 'SELECT reason FROM rejected_documents' | grep -qF -- "$reason" ||
			{ echo "$what:" && cut -c 1-300 "$work/said"; }
		[ "$(sqlite3 "$work/bad.db" 'SELECT COUNT(*) FROM reports')" = 1 ] || echo "$what: not the other one"
	done <"$work/bad"
}

# A document with an error in its second port stores no row of its first.
a_bad_document_leaves_no_row() {
	changed '.verdict = "drift" | .ports = [{port: "p0", settings: [{setting: "mtu", status: "drift",
		desired: 1, actual: 2}]}, {port: 7, settings: []}]' >"$work/half.jsonl"
	exits 65 fleet half.db ingest "$work/half.jsonl"
	rows half.db | found grep -v '^rejected'
	exits 65 fleet half.db ingest "$work/half.jsonl"
	[ "$(rows half.db | wc -l)" = 1 ] || rows half.db
}

# Ingest reads a state again from a good document after a bad one of the same state.
the_next_one_of_its_state_is_whole() {
	local show='.schema = "losslessctl/show/1" | .state_hash = "s" | .ports = [{port: "p0", config: {mtu: 9000}}]'
	changed "$show | .ports += [{port: \"p1\", config: {nothing: 1}}]" >"$work/some.jsonl"
	changed "$show | .observed_at = \"2026-11-24T10:00:01Z\"" >>"$work/some.jsonl"
	exits 65 fleet state.db ingest "$work/some.jsonl"
	diff <(echo 9000) <(sqlite3 "$work/state.db" 'SELECT value FROM state_values')
}

# Garbage between documents is rejected with its line number; its neighbours are stored.
garbage_takes_nothing_with_it() {
	printf '\xef\xbb\xbf%s\nnoise\n\n%s\n{\n "a": 1,\n%s\n' "$good" \
		"$(changed '.host = "h2"')" "$(changed '.host = "h3"')" >"$work/mixed.jsonl"
	exits 65 fleet mixed.db ingest "$work/mixed.jsonl"
	diff <(printf '%s\n' 1 5) <(sqlite3 "$work/mixed.db" \
		"SELECT REPLACE(source, '$work/mixed.jsonl:', '') FROM rejected_documents ORDER BY 1")
	diff <(printf '%s\n' h2 h3) <(sqlite3 "$work/mixed.db" 'SELECT host FROM reports ORDER BY 1')
}

# Ingest a line of 1 GiB, and lists that need much memory, each with a good document behind it.
memory_is_bounded() {
	local peak
	{
		head -c 1G /dev/zero | tr '\0' x
		printf '\n%s\n{"a":[' "$good"
		head -c 8M /dev/zero | tr '\0' ' ' | sed 's/   /{},/g' | head -c 7999998
		printf '{}]}\n%s\n' "$(changed '.host = "h2"')"
	} | build/tests/peak "$program" ingest --db "$work/large.db" - 2>"$work/said" >"$work/peak" || true
	peak=$(tail -n 1 "$work/peak")
	[[ $peak =~ ^[0-9]+$ && $peak -lt $((256 << 10)) ]] || echo "peak: $peak KiB"
	diff <(printf '%s\n' 'the document is longer than 8 MiB' 'the document needs too much memory') \
		<(sqlite3 "$work/large.db" 'SELECT reason FROM rejected_documents ORDER BY 1')
	[ "$(sqlite3 "$work/large.db" 'SELECT COUNT(*) FROM reports')" = 2 ] || rows large.db
}

# A host that sends long lists keeps nobody waiting.
long_lists_take_no_time() {
	jq -nc '{schema: "losslessctl/probe-matrix/1", host: "h", losslessctl_version: "1",
		observed_at: "2026-11-24T10:00:00Z", policy: null,
		hosts: [range(100000) | {address: "a"}],
		pairs: [range(50000) | {address: "x", peer_address: "y", runs: []}]}' >"$work/matrix.json"
	exits 0 timeout 60 "$program" ingest --db "$work/matrix.db" "$work/matrix.json"
}

# Ingest waits for no file in a directory.
a_directory_may_have_anything() {
	local folder=$work/folder
	mkdir "$folder" "$folder/sub.json"
	mkfifo "$folder/fifo.json"
	ln -s /dev/zero "$folder/zero.json"
	ln -s gone "$folder/gone.json"
	ln -s loop.json "$folder/loop.json"
	: >"$folder/empty.json"
	echo "$good" >"$folder/good.json"
	exits 66 timeout 60 "$program" ingest --db "$work/folder.db" "$folder"
	says "fifo.json: it is not a regular file"
	says "zero.json: it is not a regular file"
	says "sub.json: it is not a regular file"
	says "gone.json: No such file or directory"
	says "5 files were not read"
	[ "$(sqlite3 "$work/folder.db" 'SELECT COUNT(*) FROM reports')" = 1 ] || rows folder.db
	exits 66 fleet folder.db ingest "$folder/none" "$folder/good.json"
	says "stored 1 document, up to"
	says "1 document: 0 new, 1 known before; 1 file was not read"
	exits 66 fleet none.db report
	says "run \`losslessctl-fleet ingest\`"
	exits 66 fleet folder.db ingest /dev/zero
	ln -s /proc/version "$work/version.json"
	exits 66 fleet folder.db ingest "$work/version.json"
	says "version.json: it is not a regular file"
	exits 0 fleet folder.db ingest "$folder/empty.json"
}

# Control characters and direction overrides in names do not reach the terminal.
names_do_no_harm() {
	changed '.verdict = "drift" | .host = "a\u001b[31mb\u202e\nc" | .ports = [{port: "p", settings:
		[{setting: "mtu", status: "drift", desired: "\u001b]0;x\u0007", actual: 1}]}]' >"$work/names.jsonl"
	quiet names.db "$work/names.jsonl"
	exits 2 fleet names.db report
	found grep -nP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae' "$work/said"
	fleet names.db report --csv hosts >"$work/said"
	fleet names.db sql 'SELECT * FROM current_drift' >>"$work/said"
	fleet names.db sql --json 'SELECT * FROM current_drift' >>"$work/said"
	found grep -nP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae' "$work/said"
	[ "$(wc -l <"$work/said")" = 5 ] || cat "$work/said"
	# The shell that `sql` starts prints what the tables have.
	sqlite3 -readonly -box "$work/names.db" 'SELECT * FROM current_drift' >"$work/said"
	grep -qF 'a\x1b[31mb\xe2\x80\xae\x0ac' "$work/said" || cat "$work/said"
	found grep -nP '[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae' "$work/said"
}

# Health is not what is not understood.
a_later_verdict_is_unknown() {
	changed '.verdict = "restless" | .observed_at = (now | todate)' >"$work/later.jsonl"
	quiet later.db "$work/later.jsonl"
	exits 3 fleet later.db report
}

# A report of another kind, as by a nightly show, does not renew the verdict.
an_old_verdict_is_unknown() {
	changed '.observed_at = (now | todate)' >"$work/new.jsonl"
	quiet new.db "$work/new.jsonl"
	exits 0 fleet new.db report
	{
		changed '.observed_at = (now - 100000 | todate)'
		changed '.observed_at = (now | todate) | .schema = "losslessctl/show/1" | .verdict = null'
	} >"$work/old.jsonl"
	quiet old.db "$work/old.jsonl"
	exits 3 fleet old.db report
	says 'Hosts that report, with an old verdict'
	exits 3 fleet old.db report --json
	jq -e '.old_verdicts | length == 1 and .[0].verdict == "in_sync"' "$work/said" >/dev/null || cat "$work/said"
}

# The shell of SQLite takes no "--".
the_shell_opens_any_name() {
	exits 64 "$program" ingest --db :memory: "$work/good.json"
	(cd "$work" && "$program" ingest --db -f.db "$work/good.json" >said 2>&1 && echo '.quit' |
		"$program" sql --db -f.db) || cat "$work/said"
}

no_program_gains_privileges() {
	mkdir -p "$work/bin"
	printf '#!/bin/sh\ngrep NoNewPrivs /proc/self/status\n' >"$work/bin/sqlite3"
	chmod +x "$work/bin/sqlite3"
	quiet gains.db - <<<"$good"
	PATH=$work/bin:$PATH exits 0 fleet gains.db sql
	says $'NoNewPrivs:\t1'
}

# CSV is for scripts: it has names as the host reported them, even if a spreadsheet sees a formula.
csv_keeps_values() {
	local names=('=HYPERLINK("http://x","y")' '+1' '-1' '@SUM(A1)' "'=1" 'a,b' 'a"b') name
	for name in "${names[@]}"; do
		changed --arg name "$name" '.host = $name | .host_id = $name'
	done >"$work/formulas.jsonl"
	quiet formulas.db "$work/formulas.jsonl"
	printf '%s\n' "${names[@]}" | LC_ALL=C sort >"$work/names"
	{ fleet formulas.db report --csv hosts && fleet formulas.db sql --csv 'SELECT host_id, host FROM hosts'; } |
		python3 -c 'import csv, sys; [print(row[1]) for row in csv.reader(sys.stdin) if row[1] != "host"]' |
		LC_ALL=C sort | uniq -c | sed 's/^ *2 //' | diff "$work/names" -
}

other_databases_are_refused() {
	quiet version.db - <<<"$good"
	sqlite3 "$work/version.db" 'PRAGMA user_version = 99'
	sqlite3 "$work/others.db" 'CREATE TABLE t (x)'
	sqlite3 "$work/numbered.db" 'CREATE TABLE t (x); PRAGMA user_version = 1'
	cp "$work/others.db" "$work/others.before"
	documents >"$work/text.db"
	: >"$work/empty.db"
	local verb
	for verb in "ingest $work/text.db" report 'sql SELECT(1)'; do
		# shellcheck disable=SC2086
		{
			exits 65 fleet version.db $verb
			says 'its tables are of another version of losslessctl-fleet'
			exits 65 fleet others.db $verb
			says 'it is a database of another program'
			exits 65 fleet numbered.db $verb
			says 'it is a database of another program'
			exits 65 fleet text.db $verb
		}
	done
	cmp "$work/others.db" "$work/others.before"
	exits 65 fleet empty.db report
	exits 66 fleet none.db report
	[ ! -e "$work/none.db" ] || echo 'report made a database'
}

it 'each bad document is named and set aside, and the next one is stored' each_bad_document_is_named
it 'a bad document leaves no row behind' a_bad_document_leaves_no_row
it 'the next document of its state is stored whole' the_next_one_of_its_state_is_whole
it 'garbage and a document that is cut off take no other with them' garbage_takes_nothing_with_it
it 'a line of 1 GiB and a document that becomes large need 256 MiB at most' memory_is_bounded
it 'long lists take no time' long_lists_take_no_time
it 'a directory may have pipes, devices, and links that lead nowhere' a_directory_may_have_anything
it 'a page replaces a file, and never a device, a pipe or a link' pages_replace_only_files
it 'a database is a regular file' a_database_is_a_file
it 'control characters of names reach no terminal' names_do_no_harm
it 'a verdict of a later version is unknown' a_later_verdict_is_unknown
it 'an old verdict is unknown, whatever else the host reports' an_old_verdict_is_unknown
it 'the shell of SQLite opens a database of any name' the_shell_opens_any_name
it 'no program that it starts gains privileges' no_program_gains_privileges
it 'CSV has the values as the hosts reported them, formulas or not' csv_keeps_values
it 'a database of another version or program is refused' other_databases_are_refused
tap_end
