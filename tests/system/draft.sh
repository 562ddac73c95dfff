#!/usr/bin/env bash
# vm: --ports 4 --peer
# short: 6.12
# draft: a policy of what a port has, of which verify is in sync; or of what its switch advertises.
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

# Only classes, and what they cannot say.
each_ready_made_policy() {
	local p
	for p in packaging/policies/*.json; do
		losslessctl -q apply "$p" $port >"$work/applied" 2>&1 || cat "$work/applied"
		in_sync $port
	done
}

classes_are_classes() {
	losslessctl -q apply packaging/policies/nvidia-lossless.json $port
	in_sync $port
	grep -q '"dscp": \[26, 24, 25, ' "$drafted" || cat "$drafted"
	grep -n '"tsa"\|"trust"\|"dscp": {\|"pfc": {"priorities' "$drafted"
}

# Ports that differ have a profile each, and ports alike have one, with one rule.
ports_are_grouped() {
	losslessctl draft >"$drafted"
	expect 0 grep -c '"profile": "host' "$drafted"
	ip link set $port mtu 4200
	in_sync
	same 'rules by name' 2 "$(grep -c '"match": {"name"' "$drafted")"
	same 'profiles' 2 "$(grep -c '^    "host-' "$drafted")"
	ip link set $port mtu 1500
}

another_machine_drafts_the_same() {
	losslessctl --json show >"$work/show.json"
	losslessctl draft | grep -v '"comment"' >"$work/here"
	losslessctl draft --state "$work/show.json" | grep -v '"comment"' >"$work/there"
	cmp "$work/here" "$work/there"
}

# A getter that fails leaves its settings out, and says so.
what_cannot_be_read_is_left_out() {
	mlx5sim $port fail ieee_getpfc EIO 0
	expect 0 losslessctl draft $port
	says "$port: pfc.priorities is left out: "
	grep -n '"classes"' "$work/out"
	mlx5sim $port fail ieee_getpfc 0
}

the_switch_is_described() {
	hears 1 losslessctl draft --from switch $port
	sends $far "$leaf $all"
	ended 0
	says '"lossless": true'
	cp "$work/out" "$drafted"
	expect 0 losslessctl check "$drafted"
	hears 1 losslessctl draft --from switch --listen-for 1 $port
	ended 3
	says 'no switch was heard on any port'
	says 'let the switches send LLDP'
}

options_are_judged() {
	expect 64 losslessctl draft --from router
	says '--from takes host or switch, not "router"'
	expect 64 losslessctl draft --fabric cumulus-lossles
	says '--fabric: no fabric is named'
	losslessctl --json show >"$work/show.json"
	expect 64 losslessctl draft --from switch --state "$work/show.json"
	says '--state has no part in it'
	expect 3 losslessctl draft nobody0
	losslessctl draft --fabric cumulus-lossless $port >"$drafted"
	grep -q '"fabric": "cumulus-lossless"' "$drafted" || cat "$drafted"
	expect 0 losslessctl --json draft $port
	says '{"version":1,'
}

it 'verify of a draft is in sync, as the host started' as_started
it 'verify of a draft is in sync, after each ready-made policy' each_ready_made_policy
it 'what classes say is no setting' classes_are_classes
it 'ports alike share a profile' ports_are_grouped
it 'a host is drafted by its document as by itself' another_machine_drafts_the_same
it 'what cannot be read is left out, with a warning' what_cannot_be_read_is_left_out
it 'what the switch advertises is drafted' the_switch_is_described
it 'options that cannot be are refused' options_are_judged
tap_end
