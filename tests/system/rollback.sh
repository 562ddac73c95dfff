#!/usr/bin/env bash
# short: 6.1
# Rollback further back than the last apply, past what no longer exists, and on a full disk.
. tests/system/lib.sh

state=/var/lib/losslessctl
journal=$state/journal

# set_up SETTINGS [PORT]: one apply.
set_up() {
	make_policy "$@"
	expect 0 losslessctl -q apply "$work/policy.json"
}

both() { hardware $port; hardware $other; }
tos() { cat "/sys/kernel/config/rdma_cm/$(rdma_of "$1")/ports/1/default_roce_tos"; }

# Apply 1 is of both ports, 2 of the first and 3 of the second.
three_applies() {
	reset_ports
	before=$(both)
	set_up '{"mtu":4200,"roce":{"tos":100}}'
	after_first=$(both)
	set_up '{"roce":{"tos":104}}' $port
	after_second=$(both)
	set_up '{"roce":{"tos":96}}' $other
	after_third=$(both)
}

# The states in the list, newest first.
states() {
	losslessctl --json rollback --list >"$work/list"
	tr -d '\n' <"$work/list" | grep -oE '"number": *[0-9]+, *"state": *"[a-z_]*"' |
		sed -E 's/.*: *([0-9]+), *"state": *"([a-z_]*)"/\1 \2/' | paste -sd ,
}

# --- Further back ---

the_list_says_what_was_applied() {
	three_applies
	expect 0 losslessctl rollback --list
	grep -qE "^ +2  [0-9T:Z-]{20}  applied +test +root +$port$" "$work/out" || cat "$work/out"
	same states '3 applied,2 applied,1 applied' "$(states)"
	expect 64 losslessctl rollback --list $port
	SUDO_USER=alice losslessctl -q apply $policy $port
	expect 0 losslessctl --json rollback --list
	same user alice "$(json user)"
	same verb apply "$(json verb)"
	losslessctl -q rollback
}

back_to_a_number() {
	three_applies
	expect 0 losslessctl rollback --to 2
	same 'before apply 2' "$after_first" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 applied' "$(states)"
	expect 0 losslessctl rollback
	says 'apply number 3 is already rolled back'
	says 'rollback --to 1'
	same 'a plain rollback goes no further back by itself' "$after_first" "$(both)"
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
	expect 0 losslessctl rollback --to 1
	says 'already rolled back'
	expect 1 losslessctl rollback --to 9
	says 'no apply of this boot has number 9'
	says 'rollback --list'
}

# The value before the oldest of them, whatever came between.
all_at_once() {
	three_applies
	set_up '{"roce":{"tos":108},"mtu":9000}' $port
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
}

one_port_after_an_apply_of_the_other() {
	three_applies
	expect 0 losslessctl rollback $port
	same 'the port' 100 "$(tos $port)"
	same 'the other' 96 "$(tos $other)"
	expect 1 losslessctl rollback $port
	says 'the last apply that changed it (number 2) is already rolled back'
	says 'rollback --list'
	same 'it goes no further back by itself' 100 "$(tos $port)"
	expect 0 losslessctl rollback --to 1 $port
	same 'the port' 0 "$(tos $port)"
	same 'the other' 96 "$(tos $other)"
	same states '3 applied,2 rolled_back,1 partly_rolled_back' "$(states)"
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
}

nothing_for_a_named_port() {
	local changed
	reset_ports
	set_up '{"roce":{"tos":104}}' $port
	changed=$(both)
	expect 1 losslessctl rollback $other
	says 'no apply in the journal has changed it'
	expect 1 losslessctl rollback $port $other
	same 'one of two: nothing is written' "$changed" "$(both)"
	expect 1 losslessctl rollback --keep-going $port $other
	same 'unless it is to keep going' 0 "$(tos $port)"
	set_up '{"roce":{"tos":104}}' $port
	expect 0 losslessctl rollback 'ens1*'
	same 'a pattern takes those that it finds' 0 "$(tos $port)"
	expect 1 losslessctl rollback 'ens1*'
}

ten_are_kept() {
	local n
	reset_ports
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		set_up "{\"roce\":{\"tos\":$((4 * n))}}" $port
	done
	set_up '{"roce":{"tos":48}}' $port
	same 'numbers' '12 11 10 9 8 7 6 5 4 3' \
		"$(states | grep -oE '[0-9]+' | paste -sd ' ')"
	same 'files' 11 "$(find $journal -type f | wc -l)"
	expect 1 losslessctl rollback --to 2
	expect 0 losslessctl rollback --to 3
	same 'before apply 3' 8 "$(tos $port)"
	set_up '{"roce":{"tos":64}}' $port
	same 'no number is used twice' 13 "$(states | sed 's/ .*//')"
}

# A list of failures leaves the applies that can be rolled back.
failed_applies_are_listed() {
	local n
	reset_ports
	before=$(both)
	set_up '{"roce":{"tos":104}}' $port
	mlx5sim $port fail change_mtu EIO 0
	make_policy '{"mtu":4200}' $port
	for n in 1 2 3 4 5 6 7 8 9 10 11; do
		expect 1 losslessctl -q apply "$work/policy.json"
	done
	mlx5sim $port fail change_mtu 0
	same states "$(seq -s ' ' 12 -1 3) 1" "$(states | grep -oE '[0-9]+' | paste -sd ' ')"
	expect 0 losslessctl rollback --list
	grep -qE "^ +12  [0-9T:Z-]{20}  rolled back \(failed\)  test +root +$port$" "$work/out" || cat "$work/out"
	expect 0 losslessctl rollback
	same 'before the apply' "$before" "$(both)"
	expect 0 losslessctl rollback
	says 'apply number 1 is already rolled back'
}

# One port of two: the apply of the other is what can be rolled back.
one_of_two_ports_failed() {
	reset_ports
	before=$(both)
	set_up '{"roce":{"tos":104}}' $other
	mlx5sim $other fail change_mtu EIO 0
	make_policy '{"mtu":4200}'
	expect 1 losslessctl -q apply "$work/policy.json"
	mlx5sim $other fail change_mtu 0
	same states '2 partly_rolled_back,1 applied' "$(states)"
	expect 0 losslessctl rollback --list
	says "$port, $other (failed, rolled back)"
	expect 0 losslessctl --json rollback --list
	says "\"state\":\"rolled_back\",\"reason\":\"failed\"}"
	expect 0 losslessctl rollback $other
	same 'its last apply that was kept' 0 "$(tos $other)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(both)"
}

# A rollback that is cut short goes on, and then knows what it rolled back.
killed_on_the_way_back() {
	local n
	three_applies
	mlx5sim $port fail change_mtu EIO 0
	expect 1 losslessctl rollback --to 1 $port
	mlx5sim $port fail change_mtu 0
	same states '3 applied,2 applied,1 applied' "$(states)"
	for n in 1 2 3 4; do # the journal is one of the first files that it puts in place
		"$tools/hold_at" kill renameat $n losslessctl -q rollback --to 1 >/dev/null 2>&1
		[ ! -e $journal/pending.json ] || break
	done
	same 'under way' incomplete "$(losslessctl --json rollback --list | grep -oE incomplete | head -n 1)"
	expect 1 losslessctl rollback --to 1
	says 'did not end'
	expect 0 losslessctl rollback --list
	grep -qE '^ +-  [^ ]+  incomplete rollback ' "$work/out" || cat "$work/out"
	says '`losslessctl rollback` rolls back a run that is incomplete'
	expect 0 losslessctl rollback
	same 'before apply 1' "$before" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 rolled_back' "$(states)"
}

# What was rolled back was the last apply, though it did not end: the one before it stays.
a_second_rollback_has_nothing_to_do() {
	local n
	reset_ports
	set_up '{"mtu":9000}' $port
	make_policy '{"mtu":4200}' $port
	for n in 1 2 3 4; do
		"$tools/hold_at" kill renameat $n losslessctl -q apply "$work/policy.json" >/dev/null 2>&1
		[ ! -e $journal/pending.json ] || break
	done
	expect 0 losslessctl rollback
	expect 0 losslessctl rollback
	says 'nothing to roll back: apply number 2 is already rolled back'
	expect 1 losslessctl rollback $port
	says 'is already rolled back'
	same mtu 9000 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback --to 1
	same mtu 1500 "$(cat /sys/class/net/$port/mtu)"
}

# Pause comes on with PFC off, and PFC cannot be read.
what_must_fit_to_an_unreadable_setting_stays() {
	reset_ports
	set_up '{"pause":{"rx":true,"tx":true}}' $port
	set_up '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	mlx5sim $port fail ieee_getpfc EIO 0
	expect 1 losslessctl rollback
	says 'it must fit to a setting that cannot be read now'
	same pause 'pause_rx 0 pause_tx 0' "$(mlx5sim $port state | grep "^pause_[rt]x" | xargs)"
	mlx5sim $port fail ieee_getpfc 0
	expect 0 losslessctl rollback
}

a_damaged_file_stops_only_what_needs_it() {
	three_applies
	echo torn >$journal/apply-2.json
	same states '3 applied,2 damaged,1 applied' "$(states)"
	expect 1 losslessctl rollback --to 1
	says 'apply-2.json'
	same 'nothing is written' "$after_third" "$(both)"
	expect 0 losslessctl rollback
	same 'before apply 3' "$after_second" "$(both)"
	rm $journal/apply-2.json
}

# --- Past what no longer exists ---

a_vlan_device_that_is_gone() {
	reset_ports
	modprobe 8021q
	ip link add link $port name v100 type vlan id 100
	ip link add link $port name v200 type vlan id 200
	before=$(both)
	set_up '{"pfc":{"priorities":[3]},"vlan":{"egress":{"v100":{"3":3},"v200":{"3":3}}}}' $port
	ip link del v100
	expect 2 losslessctl verify "$work/policy.json"
	says 'the port has no VLAN device v100'
	says 'ip link add link PORT name v100 type vlan id ID; then `losslessctl apply`'
	expect 0 losslessctl rollback
	says "$port: VLAN device v100 no longer exists: its egress map is not rolled back"
	wait_carrier
	same 'after rollback' "$before" "$(both)"
	same 'the other device' '' "$(ip -d link show v200 | grep -oE 'egress-qos-map.*3:3')"
	ip link del v200
}

# So does an apply that recovers one that did not end.
a_device_that_is_gone_after_a_crash() {
	local n
	reset_ports
	ip link add link $port name v100 type vlan id 100
	make_policy '{"mtu":4200,"vlan":{"egress":{"v100":{"3":3}}}}' $port
	for n in 1 2 3 4; do
		"$tools/hold_at" kill renameat $n losslessctl -q apply "$work/policy.json" >/dev/null 2>&1
		[ ! -e $journal/pending.json ] || break
	done
	[ -e $journal/pending.json ] || echo 'it was not cut short'
	ip link del v100
	set_up '{"mtu":9000}' $port
	same mtu 9000 "$(cat /sys/class/net/$port/mtu)"
	losslessctl -q rollback
}

# a_setting_that_cannot_be_read_now REQUEST...: its saved value is not lost with what was rolled back.
a_setting_that_cannot_be_read_now() {
	reset_ports
	set_up '{"maxrate":{"tc_mbps":[0,0,0,0,0,0,10000,0]},"roce":{"tos":104}}' $port
	mlx5sim $port "$@"
	expect 3 losslessctl rollback
	says 'maxrate.tc_mbps: it cannot be read now, and its saved value is kept'
	same 'the rest is rolled back' 0 "$(tos $port)"
	losslessctl --json rollback --list | grep -q '"state":"partly_rolled_back"' || losslessctl rollback --list
	expect 3 losslessctl rollback
	mlx5sim $port fwcaps ets on
	mlx5sim $port fail ieee_getmaxrate 0
	expect 0 losslessctl rollback
	says maxrate.tc_mbps
	expect 0 losslessctl rollback
	says 'nothing to roll back'
}

# --- On a full disk ---

new_state() {
	reset_ports
	before=$(both)
	mkdir -p $state
	mount "$@" $state
}

drop_state() {
	umount $state
	rm -rf $state
}

fill_up() {
	local n
	cat /dev/zero >$state/full 2>/dev/null
	for n in $(seq 100); do
		sync -f $state
		echo more >>$state/more$n || return
	done 2>/dev/null
	echo 'the disk is not full'
}

# On a disk that is full by now: whole, in part, and further back.
roll_back_on_it() {
	local after_one
	set_up '{"mtu":4200,"roce":{"tos":100}}'
	after_one=$(both)
	set_up '{"mtu":2000,"roce":{"tos":104}}'
	set_up '{"roce":{"tos":96}}' $other
	"$@"
	expect 0 losslessctl rollback
	same 'the last' 104 "$(tos $other)"
	expect 0 losslessctl rollback $port
	same 'one port' 100 "$(tos $port)"
	same 'its apply' '3 rolled_back,2 partly_rolled_back,1 applied' "$(states)"
	expect 0 losslessctl rollback --to 2
	same 'before apply 2' "$after_one" "$(both)"
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 rolled_back' "$(states)"
}

a_full_tmpfs() {
	new_state -t tmpfs -o mode=755,size=128k tmpfs
	roll_back_on_it fill_up
	expect 1 losslessctl apply "$work/policy.json"
	says 'No space left on device'
	same 'nothing is written' "$before" "$(both)"
	[ ! -e $journal/pending.json ] || echo 'a journal is left'
	drop_state
}

no_inode() {
	local n
	for n in $(seq 40); do : >"$state/$n"; done 2>/dev/null
	! [ -e $state/40 ] || echo 'there is still an inode'
}

a_disk_without_inodes() {
	new_state -t tmpfs -o mode=755,nr_inodes=12 tmpfs
	roll_back_on_it no_inode
	drop_state
}

a_full_ext4() {
	modprobe loop
	modprobe ext4
	truncate -s 8M "$work/disk"
	mke2fs -q -F -t ext4 -m 0 -b 1024 -J size=1 "$work/disk"
	new_state -o loop "$work/disk"
	roll_back_on_it fill_up
	drop_state
}

# One page is enough for what an apply writes, and not for its way back.
no_room_for_the_way_back() {
	new_state -t tmpfs -o mode=755,size=8k tmpfs
	make_policy '{"mtu":4200}'
	mkdir $journal
	expect 1 losslessctl apply "$work/policy.json"
	says 'No space left on device'
	same 'nothing is written' "$before" "$(both)"
	[ ! -e $journal/pending.json ] || echo 'a journal is left'
	drop_state
}

it 'the list has each apply with its time, state, policy, user and ports' the_list_says_what_was_applied
it 'rollback --to N restores the state before apply N; a plain one stops after the last' back_to_a_number
it 'several applies at once: each setting is as before the oldest' all_at_once
it 'rollback PORT finds the last apply of that port, and no earlier one' one_port_after_an_apply_of_the_other
it 'a named port with nothing to roll back: exit 1, and what to do' nothing_for_a_named_port
it 'the last ten applies are kept, and no file more' ten_are_kept
it 'an apply that failed is listed, and is none of the ten' failed_applies_are_listed
it 'where one port of two failed, the other can be rolled back' one_of_two_ports_failed
it 'cut short, a rollback goes on, and then says what it rolled back' killed_on_the_way_back
it 'a second rollback after a crash has nothing to do' a_second_rollback_has_nothing_to_do
it 'what must fit to a setting that cannot be read stays' what_must_fit_to_an_unreadable_setting_stays
it 'a damaged file stops only the rollback that needs it' a_damaged_file_stops_only_what_needs_it
it 'a VLAN device that is gone: named, and the rest is rolled back' a_vlan_device_that_is_gone
it 'a device that is gone after a crash does not stop the next apply' a_device_that_is_gone_after_a_crash
it 'a setting that is not there now is rolled back once it is' a_setting_that_cannot_be_read_now fwcaps ets off
it 'a setting whose reading fails is rolled back once it can be read' a_setting_that_cannot_be_read_now \
	fail ieee_getmaxrate EIO 0
it 'a full tmpfs: rollback works, and apply changes nothing' a_full_tmpfs
it 'a disk without inodes: rollback works' a_disk_without_inodes
it 'a full ext4: rollback works' a_full_ext4
it 'no room for the way back: nothing is written' no_room_for_the_way_back
tap_end
