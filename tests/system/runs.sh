#!/usr/bin/env bash
# short: 6.12
# Tests of runs in parallel, while the clock jumps, and without a place for the journal.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_agent.sh
. tests/system/lib_agent.sh

long=0; ! is_long || long=1
state=/var/lib/losslessctl
days=$((400 * 86400))

# --- In parallel ---

# Make eight policies that differ in everything that one step writes, and flap no link.
make_eight() {
	local n
	for n in 1 2 3 4 5 6 7 8; do
		make_policy "{\"mtu\":$((2000 + n)),\"dcbx\":{\"mode\":\"host\"},
			\"ets\":{\"bandwidth\":[$((10 + n)),0,0,$((90 - n)),0,0,0,0],\"prio_tc\":[0,0,0,3,0,0,6,0],
			\"tsa\":[\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"strict\",\"ets\"]},
			\"dscp\":{\"prio\":{\"$n\":7},\"rest\":$((n - 1))},\"roce\":{\"tos\":$((4 * n))}}"
		mv "$work/policy.json" "$work/policy$n.json"
	done
}

# all_at_once [OPTION]...: apply all eight, and set `codes` to the exit codes in their order.
all_at_once() {
	local n pids=()
	codes=()
	for n in 1 2 3 4 5 6 7 8; do
		losslessctl -q apply "$@" "$work/policy$n.json" >"$work/said$n" 2>&1 &
		pids+=($!)
	done
	for n in 0 1 2 3 4 5 6 7; do
		wait "${pids[n]}"
		codes+=($?)
	done
}

# The ports have exactly one of the policies, whole, and its apply reported success.
one_of_them_whole() {
	local n whole=''
	for n in 1 2 3 4 5 6 7 8; do
		! losslessctl verify "$work/policy$n.json" >/dev/null 2>&1 || whole+=$n
	done
	[[ $whole == ? ]] || echo "$1: the ports have of policies: '$whole'"
	[ "${codes[whole - 1]-}" = 0 ] || echo "$1: policy $whole is in force, and ended with ${codes[whole - 1]-}"
	[ ! -e $state/journal/pending.json ] || echo "$1: the journal says that it has not ended"
}

losers_say_so() {
	local n
	for n in 1 2 3 4 5 6 7 8; do
		case ${codes[n - 1]} in
		0) ;;
		75) grep -q 'another losslessctl.* is writing' "$work/said$n" || cat "$work/said$n" ;;
		*) echo "round $1: exit code ${codes[n - 1]}: $(cat "$work/said$n")" ;;
		esac
	done
}

eight_at_once() {
	local round lost=0
	reset_ports
	make_eight
	for round in $(seq $((long ? 20 : 1))); do
		all_at_once
		losers_say_so "$round"
		one_of_them_whole "round $round"
		[[ ${codes[*]} != *75* ]] || lost=$((lost + 1))
	done
	[ $lost -gt 0 ] || echo 'nobody ever found the lock taken'
}

eight_in_a_row() {
	all_at_once --lock-timeout 60
	same 'exit codes' '0 0 0 0 0 0 0 0' "${codes[*]}"
	one_of_them_whole 'one after another'
}

eight_killed_at_once() {
	local round
	for round in $(seq $((long ? 20 : 1))); do
		for n in 1 2 3 4 5 6 7 8; do
			losslessctl -q apply --lock-timeout 60 "$work/policy$n.json" >/dev/null 2>&1 &
		done
		sleep "0.$((RANDOM % 8 + 1))"
		mapfile -t pids < <(jobs -p)
		kill -9 "${pids[@]}" 2>/dev/null
		wait 2>/dev/null
		expect 0 losslessctl -q apply "$work/policy1.json"
		codes=(0)
		one_of_them_whole "killed, round $round"
	done
}

# --- While the clock jumps ---

uptime_s() { sed 's/[.].*//' /proc/uptime; }

# Move the clock back and forth until the file is gone.
let_the_clock_jump() {
	touch "$work/jumping"
	(
		while [ -e "$work/jumping" ]; do
			date -s "@$(($(date +%s) + days))" >/dev/null
			sleep 0.05
			date -s "@$(($(date +%s) - 2 * days))" >/dev/null
			sleep 0.05
			date -s "@$(($(date +%s) + days))" >/dev/null
		done
	) &
	jumper=$!
}

let_the_clock_rest() {
	rm "$work/jumping"
	wait "$jumper"
}

# A wait that uses bash's SECONDS must not run meanwhile.
jumps_for_a_second() {
	let_the_clock_jump
	sleep 1.5
	let_the_clock_rest
}

# Every duration is zero or more, and none is longer than the test.
no_odd_times() {
	local odd
	odd=$(grep -ohE '"[a-z_]*_(s|ms)": ?(-[0-9.]+|[0-9]{6,})' "$@")
	[ -z "$odd" ] || echo "$odd"
}

apply_while_it_jumps() {
	local start
	reset_ports
	start=$(uptime_s)
	let_the_clock_jump
	expect 0 losslessctl --json apply $policy
	expect 0 losslessctl --json verify $policy
	expect 0 losslessctl --json verify --sample-for 1 $policy
	no_odd_times "$work/out"
	expect 0 losslessctl rollback
	let_the_clock_rest
	[ $(($(uptime_s) - start)) -lt 30 ] || echo "it took $(($(uptime_s) - start)) s"
}

# The longest wait of an apply lasts a minute, whatever the clock reads. An apply has three: after
# the change, after its rollback, and before it reports that the rollback failed.
link_that_stays_away() {
	local start
	reset_ports
	start=$(uptime_s)
	connectx $port link stuck on
	let_the_clock_jump
	expect 4 losslessctl apply $policy $port
	let_the_clock_rest
	says 'the link did not come back within 60 s'
	[ $(($(uptime_s) - start)) -ge 60 ] || echo 'it did not wait'
	[ $(($(uptime_s) - start)) -lt 230 ] || echo "it took $(($(uptime_s) - start)) s"
	let_the_link_back
}

agent_while_it_jumps() {
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 1 --sample-interval 1
	jumps_for_a_second
	connectx $port register QTCT tclass 5 2
	quickly in_status '^  "verdict": "drift"'
	jumps_for_a_second
	connectx $port register QTCT tclass 5 0
	quickly in_status '^  "verdict": "in_sync"'
	no_odd_times $run/status.json $var/drift.jsonl
	! grep -E '^[a-z_{}="0-9:.,]* -' $run/metrics.prom
	files_are_whole 'after the jumps'
	stop_agent
}

# --- Without a place for the journal ---

untouched() {
	same 'nothing is written' "$before" "$(hardware $port; hardware $other; changes)"
}

# refused WORDS: apply refuses before the first change, and verify, which only reads, works.
refused() {
	before=$(hardware $port; hardware $other; changes)
	expect 1 losslessctl apply $policy
	says "$1"
	untouched
	expect 2 losslessctl verify $policy
}

# no_place WORDS COMMAND...: the command makes the state directory, $state, unusable.
no_place() {
	"${@:2}"
	refused "$1"
	while umount $state 2>/dev/null; do :; done
	rm -rf $state
}

mounted() { mkdir -p $state && mount -t tmpfs -o "mode=755,$1" tmpfs $state; }
full() { mounted size=4k && mkdir $state/journal && head -c 4096 /dev/zero >$state/full; }
without_inodes() { mounted nr_inodes=2; }
read_only() { mounted ro; }
a_file() { : >$state; }
a_file_within() { mkdir $state && : >$state/journal; }
# Follow the printed fixes to the end.
what_was_given_to_somebody_else_comes_back() {
	reset_ports
	expect 0 losslessctl apply $policy
	chown -R 65534 "$1"
	expect "$2" losslessctl rollback
	grep -oE '`ch(own|mod)[^`]*`' "$work/err" | tr -d '`' >"$work/fix"
	sh "$work/fix"
	expect 0 losslessctl rollback
	same 'whose files they are' '' "$(find $state ! -uid 0)"
}

somebody_elses() { mkdir -p $state/journal && chown 65534 "$1"; }
anybodys() { mkdir -p $state/journal && chmod 0777 "$1"; }
a_link_elsewhere() { mkdir -m 0777 "$work/elsewhere" && ln -s "$work/elsewhere" $state; }

# what_is_no_journal COMMAND...: the command puts it in the place of the journal.
what_is_no_journal() {
	reset_ports
	mkdir -p $state/journal
	"$@"
	expect 4 losslessctl rollback
	says 'run `losslessctl apply`'
	expect 0 losslessctl apply $policy
	says 'pending.json.damaged'
	[ ! -e $state/journal/pending.json ] || echo 'it is still there'
	expect 0 losslessctl rollback
	rm -rf $state
}

# One file is the journal, which becomes the newest apply; the other reserves room for the rollback.
room_for_two_files() {
	local before
	reset_ports
	before=$(hardware $port; hardware $other; changes)
	mounted nr_inodes=3
	expect 1 losslessctl apply $policy
	says 'before the first change'
	untouched
	[ ! -e $state/journal/pending.json ] || echo 'a journal is left'
	before=$(hardware $port; hardware $other)
	mount -o remount,nr_inodes=4 $state
	expect 0 losslessctl apply $policy
	expect 0 losslessctl verify $policy
	[ ! -e $state/journal/pending.json ] || echo 'it is still under way'
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(hardware $port; hardware $other)"
	umount $state
	rm -rf $state
}

it 'eight at once: one of them whole, the others say that they were late' eight_at_once
in_long it 'eight that wait: all are applied, one after another' eight_in_a_row
it 'eight killed at once: the lock is free, and the next one ends in sync' eight_killed_at_once
in_long it 'apply, verify, rollback: a clock that jumps by 400 days changes nothing' apply_while_it_jumps
((!long)) || it 'a link that stays away is waited for a minute, whatever the clock says' link_that_stays_away
in_long it 'the agent: a clock that jumps by 400 days changes nothing' agent_while_it_jumps
reset_ports
it 'a full state directory is refused before the first change' no_place 'No space left on device' full
it 'one without inodes, likewise' no_place 'No space left on device' without_inodes
it 'one that is read-only, likewise' no_place 'Read-only file system' read_only
it 'one that is a file, likewise' no_place "$state: Not a directory" a_file
it 'one whose journal is a file, likewise' no_place "$state/journal: Not a directory" a_file_within
it "somebody else's, likewise" no_place 'belongs to user 65534' somebody_elses $state
it "a journal of somebody else's, likewise" no_place 'belongs to user 65534' somebody_elses $state/journal
it 'a journal that anybody may write, likewise' no_place 'mode 0777' anybodys $state/journal
it 'a link to a directory that anybody may write, likewise' no_place 'mode 0777' a_link_elsewhere
it 'what the fix for it says is enough' what_was_given_to_somebody_else_comes_back $state 1
it 'so is that for a file of somebody else' what_was_given_to_somebody_else_comes_back $state/journal/apply-1.json 77
it 'a directory in place of the journal is set aside' what_is_no_journal mkdir $state/journal/pending.json
in_long it 'so is a FIFO' what_is_no_journal mkfifo $state/journal/pending.json
in_long it 'so is a file that is too long' what_is_no_journal truncate -s 9M $state/journal/pending.json
it 'room for two files is room enough for an apply and its rollback' room_for_two_files
tap_end
