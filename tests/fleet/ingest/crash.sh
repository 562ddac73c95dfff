#!/usr/bin/env bash
# Tests of interrupted and parallel ingests: a kill or a full disk at any write loses no
# acknowledged report, and the next ingest completes the database. Prints TAP.
set -euo pipefail

cd "$(dirname "$0")/../../.."
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh
# shellcheck source=tests/fleet/ingest/lib.sh
. tests/fleet/ingest/lib.sh

writes=pwrite64,fdatasync,fsync,ftruncate,unlink
stride=$((${LOSSLESSCTL_TEST_LONG:-0} ? 1 : 5))

# Print the documents with pauses, so that there are several commits.
slowly() {
	split -l 4 "$work/all.jsonl" --filter='cat; sleep 0.1'
}

# broken WHAT: ingest while strace injects the fault WHAT; $work/acks gets the acknowledgements.
broken() {
	rm -f "$work"/broken.db*
	slowly | strace -f -qq -o /dev/null -e trace=$writes -e inject="$1" \
		"$program" ingest --db "$work/broken.db" - >"$work/acks" 2>"$work/said"
}

# Check that all reports among the acknowledged documents are stored.
acknowledged_is_stored() {
	local count
	count=$(sed -n 's/^stored \([0-9]*\) .*/\1/p' "$work/acks" | tail -n 1)
	[ -n "$count" ] || return 0
	[ -e "$work/first$count" ] || {
		head -n "$count" "$work/all.jsonl" | quiet "first$count.db" -
		rows "first$count.db" | grep '^reports' >"$work/first$count"
	}
	comm -23 "$work/first$count" <(rows broken.db) | sed "s/^/lost of $count: /"
}

# broken_anywhere FAULT CODE: break an ingest at each of its writes; FAULT is a format for strace.
broken_anywhere() {
	local n=1 count=0 code
	while code=0 && broken "$writes:$(printf "$1" $n)" || code=$?; [ $code -ne 0 ]; do
		[ "$code" -eq "$2" ] || { echo "write $n: exit code $code" && cat "$work/said"; }
		[ ! -s "$work/broken.db" ] || is_whole broken.db
		[ ! -s "$work/acks" ] || acknowledged_is_stored
		quiet broken.db "$work/all.jsonl"
		rows broken.db | diff tests/fleet/ingest/expected.tsv - || echo "write $n"
		n=$((n + stride))
		count=$((count + 1))
	done
	[ "$count" -ge $((30 / stride)) ] || echo "only $count writes"
	rows broken.db | diff tests/fleet/ingest/expected.tsv -
}

# The delay is where each has found a new file and holds a lock that the others want.
several_at_once_are_safe() {
	local i
	for i in 1 2 3 4; do
		shuf --random-source=<(yes $i) "$work/all.jsonl" |
			strace -f -qq -o /dev/null -e trace=fcntl -e inject=fcntl:delay_exit=300000:when=7 \
				"$program" ingest -q --db "$work/once.db" - &
	done
	wait
	rows once.db | diff tests/fleet/ingest/expected.tsv -
	is_whole once.db
}

# as_nobody COMMAND...: run the command without root's right to write everywhere.
as_nobody() {
	if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}

what_cannot_be_written_is_named() {
	local folder
	folder=$(mktemp -d)
	cp "$program" "$folder/program"
	"$program" ingest -q --db "$folder/fleet.db" "$work/all.jsonl"
	chmod 755 "$folder" "$folder/program" && chmod 444 "$folder/fleet.db"
	exits 77 as_nobody "$folder/program" ingest --db "$folder/fleet.db" /dev/null
	says 'make the file and its directory writable'
	exits 2 as_nobody "$folder/program" report --db "$folder/fleet.db"
	rm -rf "$folder"
}

# Half a page never replaces a complete one, even if only one write fails.
a_page_without_room_is_none() {
	local n
	quiet page.db "$work/all.jsonl"
	for n in 1 2 5; do
		echo old >"$work/page.html"
		exits 1 strace -f -qq -o /dev/null -e trace=write -e inject="write:error=ENOSPC:when=$n" \
			"$program" report --db "$work/page.db" --html "$work/page.html"
		says "$work/page.html: "
		cmp -s <(echo old) "$work/page.html" || echo "write $n: the older page is gone"
		[ ! -e "$work/.page.html.new" ] || echo 'its draft is left'
	done
}

documents >"$work/all.jsonl"
it 'an ingest that is killed at any write has stored what it acknowledged' \
	broken_anywhere 'signal=KILL:when=%d' 137
it 'so has one that finds the disk full, and it exits 1' broken_anywhere 'error=ENOSPC:when=%d+' 1
it 'several at once give the result of one' several_at_once_are_safe
it 'a database that cannot be written is named, and can be read' what_cannot_be_written_is_named
it 'a page for which there is no room leaves the older one' a_page_without_room_is_none
tap_end
