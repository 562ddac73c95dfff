#!/usr/bin/env bash
# short: 6.1
# Tests of apply --confirm-within: an unconfirmed apply is rolled back even if a process is killed,
# the disk is full or the clock jumps.
. tests/system/lib.sh
. tests/system/lib_confirm.sh

journal=/var/lib/losslessctl/journal
# No step of this policy flaps a link, so that the tests wait for confirmation alone.
make_policy '{"mtu":4200,"trust":"dscp"}'
mv "$work/policy.json" "$ours"

session_of() {
	awk '{ print $6 }' "/proc/$1/stat"
}

is_taken_back() {
	[ ! -e $waiting ] && [ ! -e $journal/pending.json ]
}

taken_back_within() {
	soon $(($1 * 10)) is_taken_back || echo "not taken back within $1 s"
	same 'both ports' "$before" "$(state)"
}

it_returns_at_once_and_says_what_to_do() {
	local at=$SECONDS guard
	begin
	expect 0 losslessctl apply --confirm-within 600 "$ours"
	[ $((SECONDS - at)) -lt 20 ] || echo "returned after $((SECONDS - at)) s"
	says 'losslessctl confirm'
	says 'awaiting confirmation until'
	says "$(sed -n 's/.*"expires_at": "\(.*\)".*/\1/p' $waiting)"
	expect 0 losslessctl verify "$ours"
	guard=$(guard)
	[ "$(session_of "$guard")" != "$(session_of $$)" ] || echo 'it belongs to our session'
	same 'its parent' 1 "$(awk '{ print $4 }' "/proc/$guard/stat")"
	same 'its standard input, output and error' '/dev/null /dev/null /dev/null' \
		"$(readlink "/proc/$guard/fd/0" "/proc/$guard/fd/1" "/proc/$guard/fd/2" | tr '\n' ' ' | sed 's/ $//')"
	losslessctl -q rollback
}

confirmed_in_time_it_stays() {
	local guard
	begin
	apply 2
	guard=$(guard)
	expect 0 losslessctl --json confirm
	same outcome confirmed "$(json outcome)"
	soon 60 is_gone "$guard" || echo 'the process that waited is still there'
	sleep 2.5
	expect 0 losslessctl verify "$ours"
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(state)"
}

a_second_confirm_has_nothing_to_keep() {
	expect 1 losslessctl confirm
	says 'no apply awaits'
	expect 1 losslessctl --json confirm
	same outcome nothing_pending "$(json outcome)"
}

not_confirmed_both_ports_go_back() {
	begin
	apply 1
	taken_back_within 20
	expect 1 losslessctl confirm
	expect 0 losslessctl rollback
	says 'nothing to roll back'
}

the_earlier_undo_is_kept() {
	begin
	make_policy '{"mtu":3000}'
	expect 0 losslessctl apply "$work/policy.json"
	apply 1
	soon 600 is_taken_back || echo 'not taken back'
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(state)"
}

# line NUMBER: print that line of the list, without the time.
line() {
	losslessctl rollback --list | sed -nE "s/^ +$1  [^ ]+  +//p" | tr -s ' '
}

# The list has the unconfirmed apply, and no later rollback rolls it back again.
it_is_listed_as_not_confirmed() {
	local n mtu
	begin
	mtu=$(cat /sys/class/net/$port/mtu)
	make_policy '{"mtu":3000}'
	expect 0 losslessctl apply "$work/policy.json"
	apply 1
	soon 600 is_taken_back || echo 'not taken back'
	same 'in the list' "rolled back (not confirmed) test root $other, $port" "$(line 2)"
	expect 0 losslessctl --json rollback --list
	says '"number":2,"state":"rolled_back","reason":"not_confirmed","verb":"apply"'
	expect 0 losslessctl rollback $port
	same 'the port, before the apply that was kept' "$mtu" "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback --to 2
	says 'already rolled back'
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
	expect 0 losslessctl rollback
	says 'apply 1 is already rolled back'
	for n in 3 4; do
		apply 600
		losslessctl -q rollback
		same 'rolled back before anybody confirmed' "rolled back (not confirmed) test root $other, $port" "$(line $n)"
	done
}

# End the session as sshd does: send SIGHUP to the whole of it, then close its pipes.
the_session_may_die() {
	local shell guard
	begin
	setsid sh -c "losslessctl apply --confirm-within 3 $ours; sleep 100" </dev/null 2>&1 | cat >"$work/out" &
	soon 600 grep -q 'awaiting confirmation' "$work/out" || echo 'the apply did not end'
	guard=$(guard)
	shell=$(ps -e -o pid=,args= | awk -v ours="$ours" '/sleep 100/ && $0 ~ ours && !/awk/ { print $1; exit }')
	kill -HUP -- "-$shell"
	kill -KILL -- "-$shell" 2>/dev/null
	kill -HUP "$guard"
	wait
	expect 0 losslessctl verify "$ours"
	taken_back_within 20
}

asked_to_end_it_takes_back_at_once() {
	begin
	apply 600
	kill -TERM "$(guard)"
	taken_back_within 10
}

# An apply renames three files: the pending confirmation, the journal, and, once all is written, the
# deadline. Omit -f: strace would follow the process that waits, and wait for it.
the_apply_may_be_killed_before_it_ends() {
	begin
	expect 137 strace -o /dev/null -e trace=renameat -e "inject=renameat:signal=KILL:when=$1" \
		losslessctl -q apply --confirm-within 600 "$ours"
	taken_back_within 20
}

the_disk_may_be_full() {
	begin
	mkdir -p /var/lib/losslessctl
	mount -t tmpfs -o size=64k,mode=755 tmpfs /var/lib/losslessctl
	apply 3
	cat /dev/zero >/var/lib/losslessctl/fill 2>/dev/null
	mkdir -p $journal/x 2>/dev/null && echo x >$journal/x/y 2>/dev/null && echo 'it is not full'
	taken_back_within 20
	same 'in the list' "rolled back (not confirmed) test root $other, $port" "$(line 1)"
	umount /var/lib/losslessctl
}

clocks_may_jump() {
	begin
	apply 3
	date -s '+400 days' >/dev/null
	sleep 1
	expect 0 losslessctl verify "$ours"
	date -s '800 days ago' >/dev/null
	taken_back_within 20
	date -s '+400 days' >/dev/null
}

it 'it returns at once, says what to do, and leaves a process of no session' it_returns_at_once_and_says_what_to_do
it 'confirmed in time it stays, and rollback takes it back later' confirmed_in_time_it_stays
it 'a second confirm has nothing to keep: 1' a_second_confirm_has_nothing_to_keep
in_long it 'without confirmation both ports roll back' not_confirmed_both_ports_go_back
in_long it 'an earlier apply can still be rolled back' the_earlier_undo_is_kept
it 'it is listed as not confirmed, and is no apply to roll back' it_is_listed_as_not_confirmed
in_long it 'the session that applied may die' the_session_may_die
in_long it 'SIGTERM takes it back at once' asked_to_end_it_takes_back_at_once
in_long it 'the apply may be killed before it writes' the_apply_may_be_killed_before_it_ends 2
it 'the apply may be killed when it has written: it is rolled back at once' the_apply_may_be_killed_before_it_ends 3
it 'the disk may be full' the_disk_may_be_full
in_long it 'the clock may jump either way' clocks_may_jump
tap_end
