#!/usr/bin/env bash
# vm: --peer
# only: 6.12
# An lldpad that ends deletes the APP entries it knows, at most 32 of the 64 that the policy writes:
# verify finds the loss and names lldpad, and apply repairs it.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh

conf=/var/lib/lldpad/lldpad.conf
mkdir -p ${conf%/*}

# knows ENTRY...: start an lldpad with these APP entries in its file; it passes them to the kernel.
# Debian's lldpad dies of its own list after it has sent, so this one never sends.
knows() {
	local i=0 entry
	{
		echo "lldp : { $port : { adminStatus = 2; tlvid0080c20c : {"
		for entry in "$@"; do echo "APP$((i++)) = \"$entry\";"; done
		echo '}; }; };'
	} >$conf
	keep unshare -m sh -c "$daemon $conf"
	soon 90 ask $port ping
}

# End lldpad by SIGTERM, as systemctl stop does.
ends() {
	local pid
	pid=$(kept)
	kill -TERM "$pid"
	soon 90 eval "! [ -e /proc/$pid/exe ]"
	rm "$work/kept"
}

entries() {
	dcb -j app show dev $port dscp-prio | grep -o '"' | wc -l
}

wants() {
	make_policy "{$1}" $port
	expect 0 losslessctl apply "$work/policy.json"
}

repairs() {
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
}

half_of_them() {
	wants '"trust":"dscp"'
	mapfile -t first < <(for i in $(seq 0 31); do echo "$((i / 8)),5,$i"; done)
	knows "${first[@]}"
	ends
	expect 2 losslessctl verify "$work/policy.json"
	says 'dscp.prio             0-7:0 8-15:1 16-23:2 24-31:3  0-31:none'
	says '32 DSCP entries are gone, 32 of them in lldpad'\''s file: an lldpad that ends'
	expect 2 losslessctl --json verify "$work/policy.json"
	says '"message":"32 DSCP entries are gone'
	repairs
}

the_last_one() {
	expect 0 losslessctl rollback
	wants '"trust":"dscp","dscp":{"prio":{"26":3},"rest":"none"}'
	knows 3,5,26
	ends
	same trust 'trust pcp' "$(connectx $port state | grep ^trust)"
	expect 2 losslessctl verify "$work/policy.json"
	says 'trust                 dscp     pcp'
	says '1 DSCP entry is gone, 1 of them in lldpad'
	says 'the last one resets trust'
	repairs
}

# Entries that lldpad learned from the switch are not in its file.
of_the_switch() {
	wants '"trust":"dscp"'
	dcb app del dev $port dscp-prio 26:3
	expect 2 losslessctl verify "$work/policy.json"
	says '1 DSCP entry is gone, 1 of them'
	printf 'lldp : { };\n' >$conf
	expect 2 losslessctl verify "$work/policy.json"
	says '1 DSCP entry is gone and the others remain'
	repairs
}

accuses_nobody() {
	expect 2 losslessctl verify "$work/policy.json"
	if grep -q 'lldpad that ends' "$work/out"; then cat "$work/out"; fi
}

something_else() {
	dcb app replace dev $port dscp-prio 26:5
	dcb app del dev $port dscp-prio 0:0
	accuses_nobody
	dcb app flush dev $port dscp-prio
	accuses_nobody
	repairs
}

no_lldpad_was_here() {
	rm -r ${conf%/*}
	dcb app del dev $port dscp-prio 26:3
	accuses_nobody
}

it 'it takes along 32 of 64 entries' half_of_them
it 'it takes along the last one, and the trust with it' the_last_one
it 'it takes along what it had of the switch' of_the_switch
it 'other drift is not said to be its work' something_else
it 'nor any where no lldpad was' no_lldpad_was_here
tap_end
