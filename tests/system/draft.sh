#!/usr/bin/env bash
# vm: --ports 8 --peer
# only: 6.12
# Tests of `draft`: it writes a policy of a port's settings, which verify finds in sync, or of what
# the switch advertises.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_peer.sh

drafted="$work/drafted.json"

# in_sync ARGUMENT...: check, verify and plan agree with the draft of these ports.
in_sync() {
	losslessctl draft "$@" >"$drafted" || echo "draft $* fails"
	expect 0 losslessctl check "$drafted"
	expect 0 losslessctl verify "$drafted" "$@"
	says 'in sync'
	expect 0 losslessctl plan "$drafted" "$@"
}

as_started() { in_sync; }

# The draft has classes, and settings for what classes cannot express.
each_ready_made_policy() {
	local p policies=(packaging/policies/{azure-local,spectrum-x}.json)
	! is_long || policies=(packaging/policies/*.json)
	for p in "${policies[@]}"; do
		losslessctl -q apply - $port <"$p" >"$work/applied" 2>&1 || cat "$work/applied"
		in_sync $port
	done
}

classes_are_classes() {
	losslessctl -q apply - $port <packaging/policies/nvidia-lossless.json
	in_sync $port
	grep -q '"dscp": \[26, 24, 25, ' "$drafted" || cat "$drafted"
	grep -n '"tsa"\|"trust"\|"dscp": {\|"pfc": {"priorities' "$drafted"
}

# Ports that differ have a profile each; equal ports share one, with one rule.
ports_are_grouped() {
	losslessctl draft >"$drafted"
	expect 0 grep -c '"profile": "host' "$drafted"
	ip link set $port mtu 4200
	in_sync
	same 'rules by name' 4 "$(grep -c '"match": {"name"' "$drafted")"
	same 'profiles' 2 "$(grep -c '^    "host-' "$drafted")"
	ip link set $port mtu 1500
}

another_machine_drafts_the_same() {
	losslessctl --json show >"$work/show.json"
	losslessctl draft | grep -v '"comment"' >"$work/here"
	losslessctl draft --state "$work/show.json" | grep -v '"comment"' >"$work/there"
	cmp "$work/here" "$work/there"
}

# draft omits the settings of a getter that fails, with a warning.
what_cannot_be_read_is_left_out() {
	connectx $port fault PFCC:read fail internal_err 0
	expect 0 losslessctl draft $port
	says "$port: pause.*, pfc.priorities, pfc.cable_m are left out: "
	grep -n '"classes"' "$work/out"
	connectx $port fault none
}

# The host may be unconfigured and trust no DSCP.
the_switch_is_described() {
	hears 1 losslessctl draft --from switch $port
	sends $far "$leaf $all"
	ended 0
	says '"lossless": true'
	cp "$work/out" "$drafted"
	expect 0 losslessctl check "$drafted"
	hears 1 losslessctl draft --from switch --listen-for 1 $port
	ended 3
	says 'no switch was heard with DCBX on any port'
	says 'let the switches send LLDP'
}

# Its policy would be the unconfigured host's own.
a_switch_without_dcbx_is_none() {
	hears 1 losslessctl draft --from switch --listen-for 3 $port
	sends $far "$leaf 0000"
	ended 3
	says "$port: "
	says ': the port is left out'
	hears 1 losslessctl draft --from switch $port
	sends $far "$leaf fe06 0080c20b 08 10 0000"
	ended 0
	says "$port: the switch does not advertise ets: the port's own is drafted"
}

# A rule for the driver would have the VF, too.
what_is_left_out_has_no_rule() {
	local device=/sys/bus/pci/devices/${pci_of[$port]}
	losslessctl draft >"$drafted"
	grep -q '"match": {"driver"' "$drafted" || cat "$drafted"
	echo 1 >"$device/sriov_numvfs"
	losslessctl draft >"$drafted"
	! grep -n '"match": {"driver"' "$drafted"
	expect 0 losslessctl verify "$drafted"
	echo 0 >"$device/sriov_numvfs"
}

# collect FRAMES FILE: write a bundle of a host that receives FRAMES.
collect() {
	hears 1 losslessctl bundle --listen-for 3 $port
	sends $far "$1"
	ended 0
	cp "$work/out" "$2"
}

# peers_of FILE: print the document's comparisons with the switch, for the only port.
peers_of() {
	grep -o '"comparisons":\[{"subject":"pfc".*' "$1" | sed 's/\]}\]}.*//'
}

a_bundle_has_the_switch() {
	losslessctl -q apply - $port <packaging/policies/nvidia-lossless.json
	wants '"pfc"'
	expect 0 losslessctl -q apply - $port <"$work/policy.json"
	collect "$leaf $all" "$work/bundle.json"
	expect 0 losslessctl --json peer --state "$work/bundle.json"
	same 'of the switch' "$(peers_of "$work/bundle.json")" "$(peers_of "$work/out")"
	says '"system_name":"leaf-7"'
	expect 0 losslessctl verify --state "$work/bundle.json" "$work/policy.json"
	collect "$leaf fe06 0080c20b 08 10 $ets $app 0000" "$work/bundle.json"
	expect 2 losslessctl verify --state "$work/bundle.json" "$work/policy.json"
	says 'lossless on this port: 3; on the switch: 4'
	hears 1 losslessctl draft --from switch $port
	sends $far "$leaf $all"
	ended 0
	grep -v '"comment"' "$work/out" >"$work/here"
	collect "$leaf $all" "$work/bundle.json"
	losslessctl draft --from switch --state "$work/bundle.json" $port | grep -v '"comment"' >"$work/there"
	cmp "$work/here" "$work/there"
}

# The bundle has the switch's system description, by which --fix-switch chooses the commands, and
# TLVs that are not decoded.
a_bundle_has_the_details() {
	collect "$leaf $eos fe07 aabbcc07 0102ff fe06 0080c20b 08 10 $ets $app 0000" "$work/bundle.json"
	expect 2 losslessctl -v peer --state "$work/bundle.json" $port "$work/policy.json"
	says '  system          Arista Networks EOS version 4.30.1F running o'
	says '  unknown TLV     AA-BB-CC, subtype 7, 3 bytes: 0102ff'
	expect 2 losslessctl peer --fix-switch --state "$work/bundle.json" $port "$work/policy.json"
	says '  commands for Arista EOS, by its system description; losslessctl does not run them:'
	says '    priority-flow-control priority 3 no-drop'
}

# A real lldpad plays the switch, and draft writes a policy of its port.
an_lldpad_is_described() {
	cat >"$work/far.conf" <<-END
	lldp : { $far : { adminStatus = 3;
	  tlvid0080c209 : { willing = 0; enableTx = true; up2tc = "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0";
	    tsa = "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets"; tcbw = "40,0,0,60,0,0,0,0"; };
	  tlvid0080c20b : { willing = 0; enableTx = true; enabled = 8; };
	  tlvid0080c20c : { enableTx = true; }; }; };
	END
	peer_dcb app add dev $far dscp-prio 26:3
	start_far
	expect 0 losslessctl draft --from switch --fabric cumulus-lossless $port
	cp "$work/out" "$drafted"
	end_kept
	says '"lossless": true, "bandwidth": 60'
	says '"fabric": "cumulus-lossless"'
	losslessctl -q check "$drafted" || [ $? -eq 65 ] || echo 'no policy'
	expect 0 losslessctl -q apply - $port <"$drafted"
	expect 0 losslessctl verify "$drafted" $port
}

options_are_judged() {
	expect 64 losslessctl draft --from router
	says '--from takes host or switch, not "router"'
	expect 64 losslessctl draft --fabric cumulus-lossles
	says '--fabric: no fabric is named'
	expect 3 losslessctl draft nobody0
	losslessctl draft --fabric cumulus-lossless $port >"$drafted"
	grep -q '"fabric": "cumulus-lossless"' "$drafted" || cat "$drafted"
	expect 0 losslessctl --json draft $port
	says '{"version":1,'
}

it 'verify of a draft is in sync, as the host started' as_started
it 'what the switch advertises is drafted, for a host that nobody set up' the_switch_is_described
in_long it 'a switch that sends no DCBX is none' a_switch_without_dcbx_is_none
in_long it 'a port that is left out is in no rule' what_is_left_out_has_no_rule
it 'verify of a draft is in sync, after each ready-made policy' each_ready_made_policy
it 'what classes say is no setting' classes_are_classes
it 'ports alike share a profile' ports_are_grouped
it 'a host is drafted by its document as by itself' another_machine_drafts_the_same
it 'what cannot be read is left out, with a warning' what_cannot_be_read_is_left_out
it 'what the switch advertises is drafted' the_switch_is_described
it 'a bundle has what the switch advertised' a_bundle_has_the_switch
it 'and its description, and TLVs that are not decoded' a_bundle_has_the_details
it 'what a real lldpad advertises is drafted, and in sync' an_lldpad_is_described
it 'options that cannot be are refused' options_are_judged
tap_end
