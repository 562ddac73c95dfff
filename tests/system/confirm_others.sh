#!/usr/bin/env bash
# only: 6.1
# Tests of an apply that awaits confirmation: other commands, other runs and late confirmations.
. tests/system/lib.sh
. tests/system/lib_confirm.sh

# No step of this policy flaps a link, so that the tests wait for confirmation alone.
make_policy '{"mtu":4200,"trust":"dscp"}'
mv "$work/policy.json" "$ours"

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
	one_waits_and_others_are_told 'only be rolled back as a whole' 75 losslessctl rollback $port
	same 'both ports' "$before" "$(state)"
}

# The rollback of one port flaps no link, and that of the other would.
a_rollback_without_flaps_is_whole_or_none() {
	reset_ports
	ethtool -A $port rx off tx off
	dcb pfc set dev $port prio-pfc 3:on
	wait_carrier
	before=$(state)
	make_policy '{"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]}}'
	expect 0 losslessctl -q apply --confirm-within 600 "$work/policy.json"
	expect 1 losslessctl rollback --no-link-flap
	says 'rolled back as a whole, or goes on waiting'
	[ -e $waiting ] || echo 'it waits no longer'
	same 'the MTU of the first' 4200 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback
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
	soon 60 is_gone "$guard" || echo 'the process that waited is still there'
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
	soon 60 is_gone "$guard"
}

a_killed_guard_is_noticed() {
	killed_guard 600
	expect 0 losslessctl verify "$ours"
	says 'has ended'
	expect 1 losslessctl verify --nagios "$ours"
	says 'LOSSLESSCTL WARNING - a run is incomplete (`losslessctl rollback --list`), '
	! grep -n 'host settings advised' "$work/out"
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl apply "$work/policy.json"
	says 'has ended before it rolled back'
	same 'the MTU that is wished' 3000 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

# The disk becomes read-only while the apply waits.
confirmed_on_a_disk_that_is_read_only() {
	begin
	mkdir -p /var/lib/losslessctl
	mount -t tmpfs -o mode=755 tmpfs /var/lib/losslessctl
	apply 600
	mount -o remount,ro /var/lib/losslessctl
	expect 1 losslessctl confirm
	says 'Read-only file system'
	says 'the apply goes on waiting'
	expect 0 losslessctl verify --nagios "$ours"
	mount -o remount,rw /var/lib/losslessctl
	expect 0 losslessctl confirm
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
	umount /var/lib/losslessctl
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
	expect 1 flock /run/losslessctl/lock losslessctl confirm --lock-timeout 0
	says 'too late'
	expect 0 losslessctl plan "$ours"
	says 'was not confirmed by 20'
	says 'and is rolling back'
	expect 0 losslessctl rollback --list
	says ' rolling back '
	expect 75 losslessctl apply "$ours"
	says 'and is rolling back'
	kill -CONT "$guard"
	soon 60 is_gone "$guard"
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
	connectx $port fault PMTU fail internal_err
	expect 1 losslessctl --json apply --confirm-within 600 "$ours" $port
	same outcome failed "$(json outcome)"
	[ ! -e $waiting ] || echo 'something waits'
	connectx $port fault none
}

# A killed run had begun with both ports; the one that completes it fails on the first.
what_was_not_reached_waits_for_nothing() {
	begin
	connectx $port fault PMTU slow 3000000
	losslessctl -q apply "$ours" &
	sleep 1.5
	kill -KILL $!
	wait $! 2>/dev/null
	connectx $port fault none
	connectx $port fault QPTS fail internal_err 1
	expect 1 losslessctl --json apply --confirm-within 600 "$ours"
	same outcome failed "$(json outcome)"
	[ ! -e $waiting ] || echo 'something waits'
	connectx $port fault none
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

# Print the list's incomplete runs: state, verb, user, time and ports with their states.
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

# alice's apply leaves the other port, which was removed, to a later run.
leave_other() {
	local guard
	SUDO_USER=alice apply 1
	guard=$(guard)
	unbind_other
	soon 600 is_over || echo 'it still waits'
	kill -KILL "$guard"
	soon 60 is_gone "$guard"
	expect 3 losslessctl rollback
}

is_over() {
	[ ! -e $waiting ]
}

# The process that waits tries again; once it is killed, only the test writes.
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

# Each run has its own ports: confirming one keeps nothing of the other.
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
	says 'is incomplete'
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

# The rollback of the unconfirmed apply skips the other port; the next writing run rolls that back.
not_confirmed_it_goes_back_alone() {
	local left other_left
	begin
	leave_other
	left=$(left)
	make_policy '{"mtu":3000}' $port
	expect 0 losslessctl apply --confirm-within 2 "$work/policy.json" $port
	bind_other
	other_left=$(hardware $other)
	soon 600 is_over || echo 'it still waits'
	soon 150 is_back || left
	same 'the other port' "$other_left" "$(hardware $other)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(state)"
}

is_back() {
	[ "$(left)" = "$left" ]
}

# A partially configured port is neither as before nor as desired: confirm must refuse to keep it.
a_partial_apply_cannot_be_confirmed() {
	begin
	make_policy '{"trust":"dscp","dscp":{"prio":{"26":3},"rest":0}}' $port
	expect 0 losslessctl -q apply "$work/policy.json"
	make_policy '{"trust":"pcp"}' $port
	connectx $port fault QPDPM fail internal_err
	expect 4 losslessctl apply --confirm-within 600 "$work/policy.json"
	says 'this cannot be confirmed'
	expect 1 losslessctl confirm
	says 'and so did its rollback'
	connectx $port restart
	wait_carrier
	expect 0 losslessctl rollback
	[ ! -e $waiting ] || echo 'it still waits'
}

it 'while one waits, another apply, and half a rollback, exit 75' a_second_apply_is_refused
it 'while one waits, a rollback that may not flap links takes all of it back, or nothing' \
	a_rollback_without_flaps_is_whole_or_none
in_long it 'while one waits, verbs that only read report it' who_reads_is_told
in_long it 'rollback takes it back at once, and the next may wait' rollback_ends_it
it 'kill -9 of the process that waits: the next run that writes puts it right' a_killed_guard_is_noticed
in_long it 'confirmed on a disk that is read-only: it says that it still waits' confirmed_on_a_disk_that_is_read_only
in_long it 'after its time nothing can be confirmed' too_late_is_too_late
in_long it 'nor while the process that waits is slow to take it back' too_late_is_too_late_for_a_slow_one
it 'what changes nothing waits for nothing' what_changes_nothing_waits_for_nothing
it 'what failed waits for nothing' what_failed_waits_for_nothing
in_long it 'nor does what a killed run left, and the next one did not reach' what_was_not_reached_waits_for_nothing
in_long it 'a port may go away: its saved state keeps the name of the run that left it' a_port_may_go_away
in_long it 'an apply that waits beside it has its own ports, and only those are confirmed' each_run_has_its_own_ports
in_long it 'an apply that left a port partially configured cannot be confirmed' a_partial_apply_cannot_be_confirmed
it 'without confirmation it alone rolls back' not_confirmed_it_goes_back_alone
tap_end
