#!/usr/bin/env bash
# short: 6.1
# An apply that nobody confirms is taken back: whoever dies, whatever is full, whichever clock jumps.
. tests/system/lib.sh

waiting=/run/losslessctl/waiting.json
journal=/var/lib/losslessctl/journal

# No step of this one takes a link down: the waits here are those for confirmation.
make_policy '{"mtu":4200,"trust":"dscp"}'
ours=$work/ours.json
mv "$work/policy.json" "$ours"

state() {
	hardware $port
	hardware $other
}

# apply SECONDS [OPTION]...: leaves it waiting.
apply() {
	expect 0 losslessctl --json apply --confirm-within "$@" "$ours"
	same outcome awaiting_confirmation "$(json outcome)"
}

begin() {
	reset_ports
	before=$(state)
}

guard() {
	sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' $waiting
}

session_of() {
	awk '{ print $6 }' "/proc/$1/stat"
}

# soon TRIES COMMAND...: until it succeeds.
soon() {
	local tries=$1
	shift
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

is_taken_back() {
	[ ! -e $waiting ] && [ ! -e $journal/pending.json ]
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
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
	says 'waits for confirmation until'
	says "$(sed -n 's/.*"until": "\(.*\)".*/\1/p' $waiting)"
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
	soon 20 is_gone "$guard" || echo 'the process that waited is still there'
	sleep 2.5
	expect 0 losslessctl verify "$ours"
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(state)"
}

a_second_confirm_has_nothing_to_keep() {
	expect 1 losslessctl confirm
	says 'no apply waits'
	expect 1 losslessctl --json confirm
	same outcome nothing_waits "$(json outcome)"
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
	soon 200 is_taken_back || echo 'not taken back'
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(state)"
}

# A line of the list, by its number, without the time.
line() {
	losslessctl rollback --list | sed -nE "s/^ +$1  [^ ]+  +//p" | tr -s ' '
}

# What was not confirmed is in the list, and nothing takes it back again.
it_is_listed_as_not_confirmed() {
	local n mtu
	begin
	mtu=$(cat /sys/class/net/$port/mtu)
	make_policy '{"mtu":3000}'
	expect 0 losslessctl apply "$work/policy.json"
	apply 1
	soon 200 is_taken_back || echo 'not taken back'
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
	says 'apply number 1 is already rolled back'
	for n in 3 4; do
		apply 600
		losslessctl -q rollback
		same 'rolled back before anybody confirmed' "rolled back (not confirmed) test root $other, $port" "$(line $n)"
	done
}

# As sshd ends a session: the whole of it hears SIGHUP, then its pipes are gone.
the_session_may_die() {
	local shell guard
	begin
	setsid sh -c "losslessctl apply --confirm-within 3 $ours; sleep 100" </dev/null 2>&1 | cat >"$work/out" &
	soon 200 grep -q 'waits for confirmation' "$work/out" || echo 'the apply did not end'
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

# Files are put in place three times: what waits, the journal, and once all is written until when.
# Without -f: strace would follow the process that waits, and wait for it.
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

one_waits_and_others_are_told() {
	local what=$1
	shift
	apply 600
	expect "$@"
	says "$what"
	losslessctl -q rollback
}

a_second_apply_is_refused() {
	begin
	one_waits_and_others_are_told 'waits for confirmation' 75 losslessctl apply "$ours"
	one_waits_and_others_are_told 'waits for confirmation' 75 losslessctl apply --confirm-within 5 "$ours"
	one_waits_and_others_are_told 'only be taken back whole' 75 losslessctl rollback $port
	same 'both ports' "$before" "$(state)"
}

who_reads_is_told() {
	begin
	one_waits_and_others_are_told 'waits for confirmation until' 0 losslessctl plan "$ours"
	one_waits_and_others_are_told 'waits for confirmation until' 0 losslessctl verify "$ours"
	one_waits_and_others_are_told 'waits for confirmation until' 0 losslessctl show $port
}

rollback_ends_it() {
	local guard
	begin
	apply 600
	guard=$(guard)
	expect 0 losslessctl rollback
	says 'waited for confirmation'
	same 'both ports' "$before" "$(state)"
	soon 20 is_gone "$guard" || echo 'the process that waited is still there'
	expect 1 losslessctl confirm
	apply 600
	losslessctl -q rollback
}

killed_guard() {
	local guard
	begin
	apply "$1"
	guard=$(guard)
	kill -KILL "$guard"
	soon 20 is_gone "$guard"
}

a_killed_guard_is_noticed() {
	killed_guard 600
	expect 0 losslessctl verify "$ours"
	says 'is gone'
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl apply "$work/policy.json"
	says 'is gone'
	same 'the MTU that is wished' 3000 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

too_late_is_too_late() {
	killed_guard 1
	sleep 1.5
	expect 1 losslessctl confirm
	says 'too late'
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

too_late_is_too_late_for_a_slow_one() {
	local guard
	begin
	apply 1
	guard=$(guard)
	kill -STOP "$guard"
	sleep 1.5
	expect 1 losslessctl confirm
	says 'too late'
	expect 0 losslessctl plan "$ours"
	says 'was not confirmed by 20'
	says 'it is being rolled back'
	expect 75 losslessctl apply "$ours"
	says 'and is being rolled back'
	kill -CONT "$guard"
	soon 20 is_gone "$guard"
	same 'both ports' "$before" "$(state)"
}

what_changes_nothing_waits_for_nothing() {
	begin
	expect 0 losslessctl apply "$ours"
	expect 0 losslessctl --json apply --confirm-within 600 "$ours"
	same outcome unchanged "$(json outcome)"
	[ ! -e $waiting ] || echo 'something waits'
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

what_failed_waits_for_nothing() {
	begin
	mlx5sim $port fail change_mtu EIO
	expect 1 losslessctl --json apply --confirm-within 600 "$ours" $port
	same outcome rolled_back "$(json outcome)"
	[ ! -e $waiting ] || echo 'something waits'
	mlx5sim $port fail change_mtu 0
}

# The runs that did not end, as the list has them: state, verb, user, time and ports with their states.
left() {
	losslessctl --json rollback --list >"$work/list"
	tr -d '\n' <"$work/list" | sed 's/{ *"number"/\n&/g' | grep '^{ *"number": *null' |
		grep -oE '"(state|verb|user|started_at|port)": *"[^"]*"' | cut -d'"' -f4 | xargs
}

unbind_other() {
	echo "${pci_of[$other]}" >/sys/bus/pci/drivers/mlx5_core/unbind
}

bind_other() {
	echo "${pci_of[$other]}" >/sys/bus/pci/drivers/mlx5_core/bind
	ip link set "$(ls "/sys/bus/pci/devices/${pci_of[$other]}/net")" name $other up
	wait_carrier
}

# alice's apply leaves the other port, which is gone, for another run.
leave_other() {
	local guard
	SUDO_USER=alice apply 1
	guard=$(guard)
	unbind_other
	soon 200 is_over || echo 'it still waits'
	kill -KILL "$guard"
	soon 20 is_gone "$guard"
	expect 3 losslessctl rollback
}

is_over() {
	[ ! -e $waiting ]
}

# The process that waits tries again; once it is gone, nothing but the test writes.
a_port_may_go_away() {
	local left
	begin
	leave_other
	left=$(left)
	same 'what is left' "incomplete apply alice $other incomplete" "$(sed -E 's/ [^ ]*Z / /' <<<"$left")"
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl apply "$work/policy.json" $port
	same 'what an apply of the other port leaves' "$left" "$(left)"
	bind_other
	expect 0 losslessctl rollback
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

# Each has its own ports: confirming one run keeps nothing of the other.
each_run_has_its_own_ports() {
	local left
	begin
	leave_other
	left=$(left)
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl --json apply --confirm-within 600 "$work/policy.json" $port
	same outcome awaiting_confirmation "$(json outcome)"
	left | grep -q "^awaiting_confirmation apply root [^ ]* $port awaiting_confirmation $left$" || left
	expect 0 losslessctl plan "$work/policy.json" $port
	says 'waits for confirmation until'
	says 'did not end'
	expect 0 losslessctl confirm
	same 'what confirming it leaves' "$left" "$(left)"
	expect 0 losslessctl --json rollback --list
	says "\"number\":1,\"state\":\"applied\",\"verb\":\"apply\",\"user\":\"root\""
	expect 0 losslessctl --json apply --confirm-within 600 "$work/policy.json" $port
	same 'with nothing to change' unchanged "$(json outcome)"
	[ ! -e $waiting ] || echo 'something waits'
	same 'what it leaves' "$left" "$(left)"
	bind_other
	expect 0 losslessctl rollback
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

# Nobody asked for the other port: the next run that writes rolls it back.
not_confirmed_it_goes_back_alone() {
	local left other_left
	begin
	leave_other
	left=$(left)
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl apply --confirm-within 2 "$work/policy.json" $port
	bind_other
	other_left=$(hardware $other)
	soon 200 is_over || echo 'it still waits'
	soon 50 is_back || left
	same 'the other port' "$other_left" "$(hardware $other)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

is_back() {
	[ "$(left)" = "$left" ]
}

# Neither as before nor as desired: that is nothing to keep.
a_stranded_apply_cannot_be_confirmed() {
	begin
	make_policy '{"trust":"dscp","dscp":{"prio":{"26":3},"rest":0}}' $port
	expect 0 losslessctl -q apply "$work/policy.json"
	make_policy '{"trust":"pcp"}' $port
	mlx5sim $port fail ieee_delapp_qpdpm EIO 1
	expect 4 losslessctl apply --confirm-within 600 "$work/policy.json"
	says 'it cannot be confirmed'
	expect 1 losslessctl confirm
	says 'a port could not be put back'
	mlx5sim $port reinit
	ip link set $port up
	wait_carrier $port
	expect 0 losslessctl rollback
	[ ! -e $waiting ] || echo 'it still waits'
}

it 'it returns at once, says what to do, and leaves a process of no session' it_returns_at_once_and_says_what_to_do
it 'confirmed in time it stays, and rollback takes it back later' confirmed_in_time_it_stays
it 'a second confirm has nothing to keep: 1' a_second_confirm_has_nothing_to_keep
it 'not confirmed, both ports go back' not_confirmed_both_ports_go_back
it 'what an earlier apply did can still be taken back' the_earlier_undo_is_kept
it 'it is listed as not confirmed, and is no apply to roll back' it_is_listed_as_not_confirmed
it 'the session that applied may die' the_session_may_die
it 'SIGTERM takes it back at once' asked_to_end_it_takes_back_at_once
it 'the apply may be killed before it writes' the_apply_may_be_killed_before_it_ends 2
it 'the apply may be killed when it has written: it is taken back at once' the_apply_may_be_killed_before_it_ends 3
it 'the disk may be full' the_disk_may_be_full
it 'the clock may jump either way' clocks_may_jump
it 'while one waits, another apply, and half a rollback, exit 75' a_second_apply_is_refused
it 'while one waits, who only reads is told' who_reads_is_told
it 'rollback takes it back at once, and the next may wait' rollback_ends_it
it 'kill -9 of the process that waits: the next run that writes puts it right' a_killed_guard_is_noticed
it 'after its time nothing can be confirmed' too_late_is_too_late
it 'nor while the process that waits is slow to take it back' too_late_is_too_late_for_a_slow_one
it 'what changes nothing waits for nothing' what_changes_nothing_waits_for_nothing
it 'what failed waits for nothing' what_failed_waits_for_nothing
it 'a port may go away: its saved state keeps the name of the run that left it' a_port_may_go_away
it 'an apply that waits beside it has its own ports, and only those are confirmed' each_run_has_its_own_ports
it 'an apply that left a port stranded cannot be confirmed' a_stranded_apply_cannot_be_confirmed
it 'not confirmed, it alone goes back' not_confirmed_it_goes_back_alone
tap_end
