#!/usr/bin/env bash
# vm: --peer
# waits
# short: 6.12
# long: 7.3
# Tests of the DCBX modes: host, switch and firmware. In mode host, losslessctl advertises through
# an lldpad that only advertises (-R), by its file, and through one that writes, by its socket. A
# second lldpad is the peer.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
other=$port # the peer's port is in another network namespace

lossless() {
	make_policy '{"dcbx":{"mode":"host","advertise":true,"willing":false},"pause":{"rx":false,"tx":false},
		"pfc":{"priorities":['"$1"']},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
		"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}}' $port
}

nobody_to_speak() {
	lossless 3
	expect 1 losslessctl apply "$work/policy.json"
	says 'no lldpad runs on this host'
	says 'advertise-only'
}

speaks_for_us() {
	local before
	start_service -R
	cp "$work/here.conf" "$work/before.conf"
	chmod 640 "$work/here.conf"
	lossless 3
	expect 0 losslessctl apply "$work/policy.json"
	same "the mode of lldpad's file" 640 "$(stat -c %a "$work/here.conf")"
	expect 0 losslessctl verify "$work/policy.json"
	has_pfc 3
	before=$(changes)
	expect 0 losslessctl --json apply "$work/policy.json"
	same outcome unchanged "$(json outcome)"
	same 'driver calls' "$before" "$(changes)"
	losslessctl --json peer --listen-for 1 $port >"$work/out" 2>&1
	grep -q '"advertised":{"pfc":{"priorities":\[3\]}}' "$work/out" || head -c 900 "$work/out"
}

has_pfc() {
	dcb pfc show dev $port prio-pfc | grep -q " $1:on" || dcb pfc show dev $port prio-pfc
}

# A boot resets the kernel's settings, but lldpad's file remains.
cut_short_by_a_boot() {
	local journal=/var/lib/losslessctl/journal newest
	lossless 3
	expect 0 losslessctl apply "$work/policy.json"
	newest=$(find $journal -name 'apply-*.json' | sort -V | tail -n 1)
	sed 's/"boot_id": "[^"]*"/"boot_id": "another"/' "$newest" >$journal/pending.json
	rm $journal/apply-*.json
	cold_start $port
	wait_carrier
	expect 0 losslessctl rollback
	says 'the run of an earlier boot was incomplete'
	same "lldpad's file" "$(lldp_of "$work/before.conf")" "$(lldp_of "$work/here.conf")"
	[ ! -e /var/lib/losslessctl/lldpad/$port ] || echo 'its part of the file is still kept'
	[ -e $journal/pending.json.another ] || echo 'the journal is not archived'
	soon 90 is_silent # lldpad finds the port that came back
	soon 90 ask $port ping # SIGHUP may have ended it: its unit, or our loop, starts it again
}

follows_the_port() {
	lossless 3
	expect 0 losslessctl apply "$work/policy.json"
	lossless 3,4
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	losslessctl --json peer --listen-for 1 $port >"$work/out" 2>&1
	grep -q '"advertised":{"pfc":{"priorities":\[3,4\]}}' "$work/out" || head -c 900 "$work/out"
	dcb pfc set dev $port prio-pfc 4:off
	expect 2 losslessctl verify "$work/policy.json"
	says dcbx.advertise
	expect 0 losslessctl apply "$work/policy.json"
	end_kept
}

# lldpad is willing by itself; losslessctl lets it advertise an unwilling port instead.
a_willing_lldpad_is_named_with_its_dialect() {
	start_service -R
	start_far
	soon 90 both_are_willing
	make_policy '{"dcbx":{"mode":"host"},"peer":{"must_agree":["pfc"]}}' $port
	expect 2 losslessctl verify "$work/policy.json"
	says 'the port tells the switch by IEEE 802.1Qaz that it is willing (dcbx-host-mode-willing)'
	says 'peer.pfc this port does not advertise its actual settings set dcbx.advertise to true'
	grep 'to repair the drift' "$work/out"
	make_policy '{"dcbx":{"mode":"host","advertise":true,"willing":false},"peer":{"must_agree":["pfc"]}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	soon 90 agreed # the peer adopts the advertised PFC, and advertises it
	expect 0 losslessctl rollback
	end_kept
}

both_are_willing() {
	ask $port sent | grep -q 0080c20b8 && ask $port received | grep -q 0080c20b8
}

is_silent() {
	losslessctl --json show $port >"$work/out"
	[ "$(json advertise)" = false ]
}

goes_silent_again() {
	expect 0 losslessctl rollback
	is_silent || cat "$work/out"
	[ ! -e /var/lib/losslessctl/lldpad/$port ] || echo 'its part of the file is still kept'
	same "lldpad's file" "$(lldp_of "$work/before.conf")" "$(lldp_of "$work/here.conf")"
}

# apply refuses beside an lldpad that writes, unless it can give lldpad the values to write.
one_that_writes() {
	start_service
	soon 90 pending_is_over
	expect 1 losslessctl apply $policy $port
	says 'would overwrite them'
	lossless 3
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	has_pfc 3
	sleep 3
	expect 0 losslessctl verify "$work/policy.json"
}

pending_is_over() {
	ask $port ping
}

a_driver_that_refuses_what_lldpad_writes() {
	lossless 4
	connectx $port fault PFCC fail internal_err 0
	expect 1 losslessctl apply "$work/policy.json"
	says 'not in effect in the kernel'
	same 'what lldpad holds' 8 "$(ask $port get pfc enabled)"
	connectx $port fault none
	lossless 3
	expect 0 losslessctl apply "$work/policy.json"
	end_kept
}

# After a rollback lldpad may not send, and so writes nothing while the link stays up.
one_that_may_not_send() {
	reset_ports
	start
	lossless 3
	expect 0 losslessctl -q apply "$work/policy.json"
	expect 0 losslessctl -q rollback
	cold_start $port
	wait_carrier
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	is_silent || cat "$work/out"
	end_kept
}

# Nothing restarts this lldpad. When a person does, its file has the settings of the apply.
one_that_ends_meanwhile() {
	local before code=0
	reset_ports
	rm -rf /var/lib/losslessctl
	start
	before=$(witness $port)
	lossless 3
	: >"$work/err"
	losslessctl apply "$work/policy.json" >"$work/out" 2>"$work/err" &
	soon 90 grep -q 'writing pfc' "$work/err"
	end_kept
	wait $! || code=$?
	same 'exit code' 4 "$code"
	says 'ended while it was given the settings'
	says 'the kernel has all settings from before; not rolled back: dcbx.mode'
	says 'rolled back and verified in the kernel; ROLLBACK FAILED in lldpad'
	wait_carrier
	same 'the kernel' "$before" "$(witness $port)"
	start_again
	expect 0 losslessctl rollback
	sleep 20 # lldpad waits 15 s for a switch before it writes
	same 'the kernel, when lldpad is back' "$before" "$(witness $port)"
	end_kept
}

# policy_of_the_switch PRIORITIES: the switch decides and must advertise what the policy desires.
policy_of_the_switch() {
	make_policy '{"dcbx":{"mode":"switch"},"pause":{"rx":false,"tx":false},
		"pfc":{"priorities":['"$1"']},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
		"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}}' $port
}

the_switch_says() {
	ip netns exec peer lldptool -T -i $far -V PFC willing=no enabled="$1" enableTx=yes >/dev/null
}

# lldpad reports the switch's previous values until its next frame.
is_heard() {
	ask $port received | grep -q "0080c20b..$1"
}

nobody_to_follow() {
	policy_of_the_switch 3
	expect 1 losslessctl apply "$work/policy.json"
	says 'no lldpad runs on this host'
}

the_switch_decides() {
	start_service
	start_far
	the_switch_says 3
	soon 90 is_heard 08
	policy_of_the_switch 3
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl --json apply "$work/policy.json"
	same outcome unchanged "$(json outcome)"
	losslessctl --json show $port >"$work/out"
	same mode switch "$(json mode)"
}

# verify reports the drift, and apply does not repair it behind lldpad's back.
the_switch_changes_its_mind() {
	the_switch_says 4
	soon 90 drifted
	expect 2 losslessctl verify "$work/policy.json"
	says pfc.priorities
	expect 1 losslessctl apply "$work/policy.json"
	says 'the switch controls'
	says 'no setting was written'
	the_switch_says 3
	soon 90 agreed
}

# The change of PFC takes the link down, at both ends of the cable: lldpad then waits for the switch
# again, and advertises nothing meanwhile.
drifted() {
	policy_of_the_switch 3
	losslessctl verify "$work/policy.json" >"$work/drift" 2>&1
	[ $? -eq 2 ] && grep -q 'drift *pfc.priorities' "$work/drift" &&
		! grep -q dcbx.advertise "$work/drift" && is_heard 10
}

agreed() {
	losslessctl -q verify "$work/policy.json"
}

the_switch_is_forgotten() {
	[ -z "$(ask $port received 2>/dev/null)" ]
}

# When the switch is gone, lldpad falls back to the values that losslessctl configured.
the_switch_goes_away() {
	ip netns exec peer "$tools/ask_lldpad" $far admin disabled
	soon 90 the_switch_is_forgotten
	expect 0 losslessctl verify "$work/policy.json"
	end_kept
}

# policy_of_firmware PRIORITIES: the firmware controls DCB; losslessctl reads it and never writes.
policy_of_firmware() {
	make_policy '{"dcbx":{"mode":"firmware"},"pfc":{"priorities":['"$1"']}}' $port
}

firmware_decides() {
	cold_start $port
	wait_carrier
	ethtool -A $port rx off tx off
	poke_pfc $port 8
	dcbx_by_firmware $port
	policy_of_firmware 3
	expect 0 losslessctl verify "$work/policy.json"
	local before
	before=$(changes)
	expect 0 losslessctl --json apply "$work/policy.json"
	same outcome unchanged "$(json outcome)"
	same 'driver calls' "$before" "$(changes)"
}

# leaves_alone VERB: VERB changes nothing, and reports what controls DCB and how to fix it.
leaves_alone() {
	local before
	before=$(changes)
	expect 1 losslessctl "$1" "$work/policy.json"
	says "pfc.priorities: the adapter's firmware controls DCB on this port"
	says 'or configure the switch'
	same 'driver calls' "$before" "$(changes)"
}

firmware_decides_otherwise() {
	poke_pfc $port 0x10
	expect 2 losslessctl --json verify "$work/policy.json"
	says '"setting":"pfc.priorities","status":"drift"'
	says '"fix":"set dcbx.mode to host to take control, or configure the switch and run `losslessctl verify`"'
	says '"lint":"dcbx-firmware-mode"'
	expect 2 losslessctl verify "$work/policy.json"
	grep 'losslessctl apply' "$work/out"
	leaves_alone plan
	leaves_alone apply
}

firmware_does_not_decide() {
	poke_pfc $port 8
	dcbx_by_host $port
	expect 2 losslessctl verify "$work/policy.json"
	says 'dcbx.mode             firmware  host'
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
}

it 'without an lldpad advertising is refused' nobody_to_speak
it 'an lldpad that only advertises has the values of the port, and a second apply writes nothing' speaks_for_us
it 'rollback: it is silent again, and its file is as it was' goes_silent_again
it 'after a boot that cut a run short only that file is restored' cut_short_by_a_boot
it 'what it says follows the port, and drift of it is found' follows_the_port
it 'a willing lldpad that only advertises: what the switch hears, and a fix that repairs it' a_willing_lldpad_is_named_with_its_dialect
it 'an lldpad that writes receives the values to write' one_that_writes
it 'a driver that refuses what lldpad writes is found out' a_driver_that_refuses_what_lldpad_writes
in_long it 'one that may not send writes after a restart of the driver as well' one_that_may_not_send
it 'one that ends during an apply is named, and the kernel is as before' one_that_ends_meanwhile
it 'no agent here could follow the switch: refused' nobody_to_follow
it 'the switch decides, and says what the policy wants' the_switch_decides
it 'it changes its mode: drift, and never repaired' the_switch_changes_its_mind
it 'it goes away: what the policy wants is what is left' the_switch_goes_away
it 'firmware decides, and has what the policy wants: nothing is written' firmware_decides
it 'firmware has another mode: drift, and never repaired' firmware_decides_otherwise
it 'the host decides where firmware is to: drift, and given back' firmware_does_not_decide
tap_end
