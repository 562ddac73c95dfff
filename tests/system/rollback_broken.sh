#!/usr/bin/env bash
# only: 6.1
# Tests of rollback past a crash, past a device that no longer exists, and on a full disk.
. tests/system/lib.sh
. tests/system/lib_rollback.sh
. tests/system/lib_moments.sh

# --- Further back ---

# A setting that cannot be written is named, and all others are back, those of other ports, too.
one_setting_that_cannot_be_written() {
	three_applies
	connectx $port fault PMTU fail internal_err 0
	expect 4 losslessctl rollback --to 1
	says 'mtu                   not rolled back'
	grep -hE 'not rolled back: [0-9]+ → 1500$' "$work/out" "$work/err" >/dev/null || echo 'its line does not end'
	says 'run `losslessctl rollback`'
	same 'ToS of the port' 0 "$(tos $port)"
	same 'MTU of the other port' 1500 "$(cat /sys/class/net/$other/mtu)"
	connectx $port fault none
	expect 0 losslessctl rollback
	same 'before apply 1' "$before" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 rolled_back' "$(states)"
}

# A rollback that was killed continues, and then records what it rolled back.
killed_on_the_way_back() {
	local n
	three_applies
	for n in 1 2 3 4; do # the journal is one of the first files that the rollback renames
		"$tools/hold_at" kill renameat $n losslessctl -q rollback --to 1 >/dev/null 2>&1
		[ ! -e $journal/pending.json ] || break
	done
	same 'under way' incomplete "$(losslessctl --json rollback --list | grep -oE incomplete | head -n 1)"
	expect 1 losslessctl rollback --to 1
	says 'is incomplete'
	expect 0 losslessctl rollback --list
	grep -qE '^ +-  [^ ]+  incomplete rollback ' "$work/out" || cat "$work/out"
	says 'run `losslessctl rollback` to roll back a run without a number'
	expect 0 losslessctl rollback
	same 'before apply 1' "$before" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 rolled_back' "$(states)"
}

# The first rollback undid the last apply, though it was killed: the apply before it stays.
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
	says 'nothing to roll back: apply 2 is already rolled back'
	expect 1 losslessctl rollback $port
	says 'is already rolled back'
	same mtu 9000 "$(cat /sys/class/net/$port/mtu)"
	expect 0 losslessctl rollback --to 1
	same mtu 1500 "$(cat /sys/class/net/$port/mtu)"
}

# Pause stands in the register of PFC. It fits to PFC, and a failed read of it says off.
what_shares_an_unreadable_register_stays() {
	reset_ports
	set_up '{"pause":{"rx":true,"tx":true}}' $port
	set_up '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	connectx $port fault PFCC:read fail internal_err 0
	expect 3 losslessctl rollback
	says 'skipped  pause.rx, pause.tx, pfc.priorities:'
	says 'it cannot be read; its saved value is kept for a later rollback'
	same pause 'pause_rx 0 pause_tx 0' "$(connectx $port state | grep "^pause_[rt]x" | xargs)"
	connectx $port fault none
	expect 0 losslessctl rollback
}

# The entry of a rollback that is completed later has what it left out.
what_was_left_out_is_not_forgotten() {
	local n=0
	until [ -e $journal/pending.json ]; do
		reset_ports
		before=$(both)
		set_up '{"trust":"dscp","dscp":{"prio":{"26":3}},"pfc":{"priorities":[3]}}' $port
		connectx $port fault PFCC:read fail internal_err 0
		killed_at sendto $((n += 1)) losslessctl -q rollback || { echo 'no run is left' && break; }
		connectx $port fault none
	done
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(both)"
}

# One member of a LAG has no RDMA device. A mark of packets shares no register with what sorts them.
a_mark_that_cannot_be_read_stays_alone() {
	local p
	reset_ports
	before=$(both)
	set_up '{"pfc":{"priorities":[3]},"trust":"dscp","dscp":{"prio":{"26":3}},"roce":{"tos":106}}'
	ip link add bond9 type bond mode active-backup miimon 50
	for p in $port $other; do
		ip link set $p down
		ip link set $p master bond9
	done
	ip link set bond9 up
	wait_carrier
	expect 3 losslessctl rollback
	says 'skipped  roce.tos: it cannot be read; its saved value is kept for a later rollback'
	for p in $port $other; do
		says "$p  rolled back and verified"
		same "PFC of $p" '' "$(dcb pfc show dev $p prio-pfc | grep -o '3:on')"
		same "DSCP map of $p" '' "$(dcb app show dev $p dscp-prio)"
	done
	ip link del bond9
	ip link set $port up
	ip link set $other up
	wait_carrier
	expect 0 losslessctl rollback
	same 'after rollback' "$before" "$(both)"
}

a_damaged_file_stops_only_what_needs_it() {
	three_applies
	echo torn >$journal/apply-2.json
	same states '3 applied,2 damaged,1 applied' "$(states)"
	expect 1 losslessctl rollback --to 1
	says 'apply-2.json'
	same 'nothing is written' "$after_third" "$(both)"
	echo '{"schema":"losslessctl/journal/99","boot_id":"'"$(</proc/sys/kernel/random/boot_id)"'"}' \
		>$journal/apply-2.json
	same states '3 applied,2 later_version,1 applied' "$(states)"
	expect 0 losslessctl rollback
	same 'before apply 3' "$after_second" "$(both)"
	rm $journal/apply-2.json
}

# The process that loads rdma_cm is needed only where the module is missing.
no_process_can_be_started() {
	reset_ports
	before=$(both)
	set_up '{"mtu":4200,"pfc":{"priorities":[3]}}' $port
	umount /sys/kernel/config
	expect 0 strace -o /dev/null -e trace=clone,clone3,fork,vfork \
		-e inject=clone,clone3,fork,vfork:error=EAGAIN losslessctl rollback
	says 'Resource temporarily unavailable; the rollback goes on'
	mount -t configfs configfs /sys/kernel/config
	wait_carrier
	same 'after rollback' "$before" "$(both)"
}

# --- Past what no longer exists ---

a_vlan_device_that_is_gone() {
	reset_ports
	modprobe 8021q
	ip link add link $port name v100 type vlan id 100
	ip link add link $port name v200 type vlan id 200
	before=$(both)
	set_up '{"pfc":{"priorities":[3]},"vlan":{"egress":{"v100":{"2":3},"v200":{"2":3}}}}' $port
	ip link del v100
	ip link set v200 name storage
	expect 2 losslessctl verify "$work/policy.json"
	says 'the port has no VLAN device v100'
	says 'run `ip link add link '$port' name v100 type vlan id ID` first'
	expect 0 losslessctl rollback
	says "$port: VLAN device v100 no longer exists here, or is of another VLAN: its egress map is not rolled back"
	wait_carrier
	same 'after rollback' "$before" "$(both)"
	same 'the other device, renamed' '' "$(ip -d link show storage | grep -oE 'egress-qos-map.*2:3')"
	ip link del storage
}

# An apply that recovers a killed apply skips the missing device as well.
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

# A capability changes when the driver starts.
without_ets() {
	connectx $port firmware cap ets off
	connectx $port restart
	wait_carrier
}

# a_setting_that_cannot_be_read_now COMMAND...: the rollback of the rest keeps its saved value.
a_setting_that_cannot_be_read_now() {
	reset_ports
	set_up '{"maxrate":{"tc_mbps":[0,0,0,0,0,0,10000,0]},"roce":{"tos":104}}' $port
	"$@"
	expect 3 losslessctl rollback
	says 'maxrate.tc_mbps: it cannot be read; its saved value is kept'
	same 'the rest is rolled back' 0 "$(tos $port)"
	losslessctl --json rollback --list | grep -q '"state":"partly_rolled_back"' || losslessctl rollback --list
	expect 3 losslessctl rollback
	connectx $port fault none
	connectx $port firmware cap ets on
	[ "$1" != without_ets ] || connectx $port restart
	wait_carrier
	expect 0 losslessctl rollback -v
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

# roll_back_on_it COMMAND...: the command fills the disk; roll back whole, in part, further back.
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

# One page has room for the apply's journal, but not for its rollback.
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

it 'a setting that cannot be written is named, and all others are back' one_setting_that_cannot_be_written
in_long it 'cut short, a rollback goes on, and then says what it rolled back' killed_on_the_way_back
it 'a second rollback after a crash has nothing to do' a_second_rollback_has_nothing_to_do
it 'a setting that cannot be read stays, and what shares its register' what_shares_an_unreadable_register_stays
it 'what a killed rollback left out is restored by the next' what_was_left_out_is_not_forgotten
in_long it 'a mark that cannot be read holds nothing else back' a_mark_that_cannot_be_read_stays_alone
it 'a damaged file stops only the rollback that needs it' a_damaged_file_stops_only_what_needs_it
it 'no process can be started: what needs none is rolled back' no_process_can_be_started
it 'a VLAN device that is gone: named, and the rest is rolled back' a_vlan_device_that_is_gone
it 'a device that is gone after a crash does not stop the next apply' a_device_that_is_gone_after_a_crash
it 'a setting that is not there now is rolled back once it is' a_setting_that_cannot_be_read_now without_ets
in_long it 'a setting whose reading fails is rolled back once it can be read' a_setting_that_cannot_be_read_now \
	connectx $port fault QETCR:read fail internal_err 0
in_long it 'a full tmpfs: rollback works, and apply changes nothing' a_full_tmpfs
in_long it 'a disk without inodes: rollback works' a_disk_without_inodes
in_long it 'a full ext4: rollback works' a_full_ext4
it 'no room for the way back: nothing is written' no_room_for_the_way_back
tap_end
