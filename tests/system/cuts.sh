#!/usr/bin/env bash
# short: 6.1
# Tests of a power cut during an apply: the disk keeps only the data that was synced to it.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_moments.sh
. tests/system/lib_moments.sh

state=/var/lib/losslessctl
disk=$work/disk

# commit=300: the kernel writes nothing by itself for 300 s, and so nothing before the cut.
mount_disk() { mount -t ext4 -o loop,commit=300 "$disk" $state; }

new_disk() {
	rm -rf $state
	mkdir $state
	truncate -s 8M "$disk"
	mke2fs -q -F -t ext4 -b 1024 -J size=1 "$disk"
	mount_disk
}

# Lose what only the file system's cache has, and mount the disk as it was.
cut_power() {
	cp "$disk" "$disk.cut"
	umount $state
	mv "$disk.cut" "$disk"
	mount_disk
}

# Applying either policy after the other takes the same steps.
make_pair() {
	make_policy '{"mtu":4200,"dcbx":{"mode":"host"},"dscp":{"prio":{"26":3},"rest":1},"roce":{"tos":104}}' $port
	mv "$work/policy.json" "$work/policy0.json"
	make_policy '{"mtu":9000,"dcbx":{"mode":"host"},"dscp":{"prio":{"26":4},"rest":2},"roce":{"tos":106}}' $port
	mv "$work/policy.json" "$work/policy1.json"
}

step=8
! is_long || step=1

# List the calls of an apply that change the disk or the port: a cut between two of them finds what
# one after the first finds. The short run takes every eighth.
some_changes() {
	expect 0 losslessctl -q apply "$work/policy0.json"
	changes_of all losslessctl -q apply "$work/policy1.json" | awk -v step=$step 'NR % step == 0'
	expect 0 losslessctl -q rollback
}

# Alternately roll back and complete the apply; then the next cut finds the other policy in force.
cut_at_moments() {
	local call n from=0 to=1 way=0 before cuts=0
	some_changes >"$work/moments"
	expect 0 losslessctl -q apply "$work/policy$from.json"
	while read -r call n _; do
		before=$(hardware $port)
		killed_at "$call" "$n" losslessctl -q apply "$work/policy$to.json" || continue
		cut_power
		cuts=$((cuts + 1))
		same "cut at $call $n" '' "$(whole_journal)"
		if (((way += 1) % 2)) && [ -e $state/journal/pending.json ]; then
			expect 0 losslessctl -q rollback
			same "cut at $call $n, taken back" "$before" "$(hardware $port)"
		else
			[ -e $state/journal/pending.json ] || as_one_of_both "$before" "$to" "$call $n"
			expect 0 losslessctl -q apply "$work/policy$to.json"
			expect 0 losslessctl -q verify "$work/policy$to.json"
			from=$to
			to=$((1 - to))
		fi
		[ ! -e $state/journal/pending.json ] || echo "cut at $call $n: still under way"
	done <"$work/moments"
	echo "# $cuts cuts" >>"$work/tally"
	[ $((cuts * step)) -ge 38 ] || echo "only $cuts cuts"
}

# Without a pending journal on the disk the apply had not begun to write to the port, or had ended.
as_one_of_both() {
	[ "$(hardware $port)" = "$1" ] || losslessctl -q verify "$work/policy$2.json" >/dev/null 2>&1 ||
		same "cut at $3, and no journal" "$1" "$(hardware $port)"
}

# --- A power cut and the next boot ---

boot() {
	cat /proc/sys/kernel/random/uuid >"$work/boot_id"
	mount --bind "$work/boot_id" /proc/sys/kernel/random/boot_id
	connectx $port power cycle
	ip link set $port mtu 1500
	wait_carrier
}

# Cut the power as soon as the disk has the pending journal.
cut_under_way() {
	local n
	for n in 1 2 3 4 5 6; do
		killed_at fsync $n losslessctl -q apply "$work/policy1.json" || echo 'it ended'
		cut_power
		[ ! -e $state/journal/pending.json ] || return 0
	done
	echo 'there is no journal under way'
}

# The journal belongs to the kernel of an earlier boot: the next kernel does not have its settings.
after_a_boot() {
	local old
	old=$(cat /proc/sys/kernel/random/boot_id)
	expect 0 losslessctl -q apply "$work/policy0.json"
	cut_under_way
	boot
	before=$(hardware $port)
	expect 0 losslessctl "$@"
	[ -e "$state/journal/pending.json.$old" ] || echo 'the journal under way is not kept for whoever wonders'
	[ ! -e $state/journal/pending.json ] || echo 'a journal of another boot is under way'
	umount /proc/sys/kernel/random/boot_id
}

boot_and_rollback() {
	after_a_boot rollback
	same 'the port as it comes' "$before" "$(hardware $port)"
}

boot_and_apply() {
	after_a_boot -q apply "$work/policy1.json"
	expect 0 losslessctl verify "$work/policy1.json"
}

modprobe loop
modprobe ext4
reset_ports
make_pair
new_disk
it 'cut at any moment: unchanged or in sync, and no file is torn' cut_at_moments
cat "$work/tally"
it 'cut and booted: rollback takes nothing back, and the journal is put aside' boot_and_rollback
it 'cut and booted: apply begins anew' boot_and_apply
tap_end
