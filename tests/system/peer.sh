#!/usr/bin/env bash
# vm: --ports 4 --peer
# only: 6.1
# The comparison with the switch, which is played by frames: the report names each mismatch and each
# reason for unknown, with its exit code.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_peer.sh

other=ens2f0np0 other_far=ens2f1np1
gone="$id 0602 0000"
hostile="$id 0602 0078 0a0d 1b5b324a 22 5c 0a e280ae 25 73 24"
garbled="$id 04ff 05 4574"
spine='0207 04 0c42a1b2c3d5  0405 05 73777031  0602 0078'
other_ets='fe19 0080c209 00 00030060 2800003c00000000 0202020202020002'
# nap reads from this FIFO: waiting must not start processes, as the guest has one processor.

# is_json: the last command's output is JSON, checked only where there is a Python.
is_json() {
	command -v python3 >/dev/null || return 0
	python3 -ISc 'import json, sys; json.load(sys.stdin)' <"$work/out" || cat "$work/out"
}

# plays FRAME CODE LINE...: the switch sends FRAME; peer exits with CODE and reports these lines.
plays() {
	local frame=$1 code=$2
	shift 2
	hears 1 losslessctl --json peer $port "$work/policy.json"
	sends $far "$frame"
	ended "$code"
	told "$@"
}

# ---- peer, with a switch that is played by frames ----

names_the_switch() {
	hears 1 losslessctl peer $port "$work/policy.json"
	sends $far "$leaf 0807 7261636b203432 fe06 0080c20b 08 18 $other_ets 0000"
	ended 2
	says "$port  differs  leaf-7 (0c:42:a1:b2:c3:d4), port Ethernet1/37 (rack 42), LLDP from the wire"
	says 'pfc.priorities  3                  3                  -           3, 4               differs'
	says 'lossless on this port: 3; on the switch: 3, 4 (peer-pfc-mismatch)'
	says 'ets.bandwidth   50,0,0,50,0,0,0,0  50,0,0,50,0,0,0,0  -           40,0,0,60,0,0,0,0'
	says 'dscp.prio       64 DSCPs           64 DSCPs           -           -                  unknown'
	grep -n ' $' "$work/out"
}

too_many() {
	poke_pfc $port 24
	hears 1 losslessctl --json peer $port
	sends $far "$leaf fe06 0080c20b 01 18 $ets $app 0000"
	ended 2
	told 'pfc differs peer-pfc-cap-exceeded' 'ets agrees' 'app agrees'
	plays "$leaf $all" 2 'pfc differs port-drifted' 'ets agrees' 'app agrees'
	poke_pfc $port 8
}

the_port_does_not_tell() {
	connectx $port fault PFCC:read fail internal_err 0
	plays "$leaf $all" 3 'pfc unknown port-setting-unknown' 'ets agrees' 'app agrees'
	connectx $port fault none
}

hostile_texts() {
	hears 1 losslessctl peer $port "$work/policy.json"
	sends $far "$hostile $all"
	ended 0
	says '\x1b[2J"\x5c\x0a\xe2\x80\xae%s$ (0c:42:a1:b2:c3:d4)'
	plays "$hostile $all" 0 "${agreed[@]}"
	is_json
	LC_ALL=C grep -n '[^ -~]' "$work/out"
}

# Print the commands for the switch in the last output, without comments.
commands() {
	sed -n '/^  commands for/,$s/^    \([^!#]\)/\1/p' "$work/out"
}

# fixes FRAME [OPTION]...: print the commands for a switch that sends FRAME.
fixes() {
	hears 1 losslessctl peer --fix-switch "${@:2}" $port "$work/policy.json"
	sends $far "$1"
	ended 2
}

commands_for_the_switch() {
	fixes "$leaf $eos fe06 0080c20b 08 10 $ets $app 0000"
	says '  commands for Arista EOS, by its system description; losslessctl does not run them:'
	same commands 'configure
interface Ethernet1/37
priority-flow-control on
priority-flow-control priority 3 no-drop
no priority-flow-control priority 4 no-drop
end' "$(commands)"
	says '    ! not certain: older releases: priority-flow-control mode on'
	fixes "$leaf $eos fe06 0080c20b 08 10 $ets $app 0000" --switch-os nxos
	says '  commands for Cisco NX-OS, as --switch-os says; losslessctl does not run them:'
	same 'other systems' 1 "$(grep -c '^  commands for' "$work/out")"
	fixes "$leaf $pfc $ets fe08 0080c20c 00 85001a 0000" --json
	same 'systems' 'cumulus unknown null
eos unknown Ethernet1/37
nxos unknown Ethernet1/37
sonic unknown null' "$(jq -r '.ports[].switch_commands[] | "\(.os) \(.os_from) \(.port_name)"' "$work/out" | sort)"
	same 'lines of EOS' '["app","qos map dscp 26 to traffic-class 3","holds for all ports of the switch"]' \
		"$(jq -c '.ports[].switch_commands[] | select(.os == "eos").lines[1] | [.subject, .command, .caveat]' "$work/out")"
	hears 1 losslessctl peer --fix-switch $port "$work/policy.json"
	sends $far "$leaf $all"
	ended 0
	says '  no commands for the switch: it is not known to differ'
	expect 64 losslessctl peer --switch-os eos
	expect 64 losslessctl peer --fix-switch --switch-os ios
	says '--switch-os takes cumulus, sonic, eos or nxos, not "ios"'
}

# The port's ID, its description and the system's name hold commands.
hostile_names_stay_out() {
	local reload='0207 04 0c42a1b2c3d4 0412 05 45746865726e6574313b72656c6f616420 0602 0078
		0811 45746865726e6574302428726f6f742960 0a09 61603b7265626f6f74'
	fixes "$reload fe06 0080c20b 08 10 $ets $app 0000"
	says 'Ethernet1;reload '
	commands | grep -nE 'reload|root|reboot|[;`$]'
	same 'stand-ins' 4 "$(grep -c 'replace PORT: ' "$work/out")"
	fixes "$reload fe06 0080c20b 08 10 $ets $app 0000" --json
	same 'port names' null "$(jq -c '[.ports[].switch_commands[].port_name] | unique[]' "$work/out")"
	jq -r '.ports[].switch_commands[].lines[].command' "$work/out" | grep -nE 'reload|root|reboot|[;`$]'
}

# TLVs that losslessctl does not know, such as Ultra Ethernet's.
unknown_tlvs() {
	hears 1 losslessctl -v peer $port "$work/policy.json"
	sends $far "$leaf $eos fe07 aabbcc07 0102ff fe06 00120f04 2414 $all"
	ended 0
	says '  system          Arista Networks EOS version 4.30.1F running o'
	says '  unknown TLV     AA-BB-CC, subtype 7, 3 bytes: 0102ff'
	says '  unknown TLV     00-12-0F (IEEE 802.3), subtype 4, 2 bytes: 2414'
	hears 1 losslessctl --json peer $port "$work/policy.json"
	sends $far "$leaf fe07 aabbcc07 0102ff $all"
	ended 0
	same 'unknown TLVs' '[{"oui":"AA-BB-CC","organization":null,"subtype":7,"length":3,"hex":"0102ff"}]' \
		"$(jq -c '.ports[].peer.unknown_tlvs' "$work/out")"
	is_json
}

silent_and_gone() {
	hears 2 losslessctl --json peer --listen-for 1 $port $other
	sends $other_far "$gone $all"
	ended 3
	told "$(all_three unknown peer-lldp-missing)" "$(all_three unknown peer-lldp-expired)"
	says 'LLDP agent shut down'
}

stale_and_not_alone() {
	hears 2 losslessctl --json peer --listen-for 2 $port $other
	sends $far "$brief $all"
	sends $other_far <<-END
		$leaf $all
		$spine $all
	END
	ended 3
	told "$(all_three unknown peer-lldp-expired)" "$(all_three unknown peer-not-unique)"
	says 'the switch stopped sending LLDP: its last LLDPDU was valid for 1 s'
	is_json
	says '2 devices send LLDP on this cable: 0c:42:a1:b2:c3:d4, and 0c:42:a1:b2:c3:d5'
}

# A garbled frame is no answer: peer goes on listening.
garbled_and_mended() {
	hears 2 losslessctl peer --listen-for 1 $port $other
	sends $far "$garbled"
	sends $other_far <<-END
		$garbled
		$leaf 0000
		$garbled
	END
	ended 3
	says "$port  unknown  the switch sends malformed LLDP: a TLV of type 2 and 255 bytes runs past"
	says "$other  unknown  leaf-7"
	same 'each reason once' 1 "$(grep -c peer-lldpdu-malformed "$work/out")"
}

no_link() {
	connectx $port link down
	expect 3 losslessctl --json peer $port "$work/policy.json"
	told "$(all_three unknown port-link-down)"
	connectx $port link up
	wait_carrier
}

without_privilege() {
	expect 3 setpriv --bounding-set=-net_raw losslessctl peer $port "$work/policy.json"
	says 'Operation not permitted (lldp-listen-failed)'
	says CAP_NET_RAW
}

interrupted() {
	expect 130 timeout --preserve-status -s INT 1 losslessctl --json peer $port
	same 'what comes out' '' "$(cat "$work/out")"
}

quietly() {
	hears 1 losslessctl -q peer - $port <"$work/policy.json"
	sends $far "$leaf $all"
	ended 0
	same 'what comes out' '' "$(cat "$work/out" "$work/err")"
}

no_such_port() {
	expect 3 losslessctl --json peer gone0 "$work/policy.json"
	same schema losslessctl/error/1 "$(json schema)"
	is_json
}

# ---- verify, where the policy has peer.must_agree ----

# verifies FRAME CODE [OPTION]...
verifies() {
	local frame=$1 code=$2
	shift 2
	hears 1 losslessctl "$@" verify "$work/policy.json" $port
	sends $far "$frame"
	ended "$code"
}

verified() {
	wants '"pfc","ets","app"'
	verifies "$leaf $all" 0 --json --all
	same verdict in_sync "$(json verdict)"
	says '{"subject":"pfc","status":"in_sync","desired":{"pfc":{"priorities":[3]}},"actual":{"pfc":{"priorities":[3]}},"lldp_source":"raw_socket"}'
	says '{"subject":"ets","status":"in_sync"'
	says '{"subject":"app","status":"in_sync"'
	is_json
}

not_verified() {
	verifies "$leaf fe06 0080c20b 08 18 $other_ets fe08 0080c20c 00 85001a 0000" 2
	says 'peer.pfc              lossless on this port: 3; on the switch: 3, 4'
	says 'peer.ets              ETS differs'
	says 'peer.app              DSCP 26 has priority 3 on this port and 4 on the switch'
	wants '"ets"'
	verifies "$leaf $pfc $other_ets 0000" 2 --nagios
	says " drifted ($port peer.ets"
	says 'drift=1;;0 unknown=0'
	wants '"pfc"'
	verifies "$leaf $pfc $other_ets 0000" 0 --nagios
	says 'LOSSLESSCTL OK'
	expect 3 setpriv --bounding-set=-net_raw losslessctl verify --nagios "$work/policy.json" $port
	says "LOSSLESSCTL UNKNOWN - 1 unknown or unsupported ($port peer.pfc)"
	expect 3 losslessctl --json verify --listen-for 1 "$work/policy.json" $port
	same verdict unknown "$(json verdict)"
	says '"subject":"pfc","status":"unknown"'
	says '"actual":null,"lldp_source":"raw_socket","message":"no LLDP frame of the switch arrived in 1 s"'
}

# With nothing to agree on, verify does not listen.
taken_back() {
	wants '"pfc"'
	sed -i 's/"profile":"p"}/"profile":"p","set":{"peer":{"must_agree":null}}}/' "$work/policy.json"
	expect 0 setpriv --bounding-set=-net_raw losslessctl verify "$work/policy.json" $port
	same 'no listening' '' "$(cat "$work/err")"
	wants
	sed -i 's/"profile":"p"}/"profile":"p","set":{"peer":{"must_agree":["app"]}}}/' "$work/policy.json"
	verifies "$leaf fe06 0080c20b 08 18 $app 0000" 0
	verifies "$leaf fe06 0080c20b 08 18 fe05 0080c20c 00 0000" 3
	says "the switch's APP TLV has no entries"
	wants
}

it 'a policy is applied, for all that follows' begin
it 'a switch that has the same agrees' plays "$leaf $all" 0 "${agreed[@]}"
it 'another mask is reported with switch and port' names_the_switch
it 'other shares are noted' plays "$leaf $pfc $other_ets $app 0000" 0 \
	'pfc agrees' 'ets differs_allowed peer-ets-mismatch' 'app agrees'
it 'another priority of the same traffic is reported' plays "$leaf $pfc $ets fe08 0080c20c 00 85001a 0000" 2 \
	'pfc agrees' 'ets agrees' 'app differs peer-app-conflict'
it 'no DCBX at all is reported, part by part' plays "$leaf 0000" 3 \
	'pfc unknown peer-tlv-missing' 'ets unknown peer-tlv-missing' \
	'app unknown peer-tlv-missing'
it 'a malformed part is reported, and the others count' plays "$leaf fe07 0080c20b 08 08ff $ets $app 0000" 3 \
	'pfc unknown peer-tlv-malformed' 'ets agrees' 'app agrees'
it 'the older version of DCBX is reported' plays "$leaf fe08 001b2102 02020000 0000" 2 "$(all_three differs peer-cee-only)"
it 'more than the switch has room for, and drift' too_many
it 'a port whose own values are unknown is reported' the_port_does_not_tell
it 'what the switch calls itself does no harm to a terminal, nor to JSON' hostile_texts
it 'commands for the switch, by its system' commands_for_the_switch
it 'a name off the wire is in no command' hostile_names_stay_out
it 'TLVs that are not known are printed raw' unknown_tlvs
it 'on two ports at once: silence, and who took leave' silent_and_gone
it 'on two ports at once: who fell silent, and two on one cable' stale_and_not_alone
it 'a malformed frame is reported, unless a valid one arrives' garbled_and_mended
it 'no link: no listening' no_link
it 'without the privilege it says which one it needs' without_privilege
it 'Ctrl-C ends it' interrupted
it 'a policy on standard input, and not a word' quietly
it 'an unknown port is an error, in JSON too' no_such_port
it 'verify: all that must agree does' verified
it 'verify: a mismatch is drift or unknown' not_verified
it 'verify: a rule takes the demand back, or asks for less' taken_back
tap_end
