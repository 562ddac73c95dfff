#!/usr/bin/env bash
# vm: --peer
# short: 6.1
# Tests of tests/hw/accept on a simulated port: it reports exactly the facts that differ.
. tests/system/lib.sh
. tests/hw/lib_guest.sh
. tests/system/lib_rdma.sh

reading_is_as_expected() {
	local before
	before=$(changes)
	expect 0 accept --only 'show.[mpseb]*' --only 'counters.[apgr]*' --only 'identity.*'
	same 'driver calls' "$before" "$(changes)"
	says ' 14 as expected, 0 differ, 0 cannot be told, 0 not tried'
	expect 0 accept --only 'pfc.flaps'
	says ' 0 as expected, 0 differ, 0 cannot be told, 1 not tried'
}

# Each fact is of another kind: a mask, an arbiter, a rounding, a limit, a name that show reports.
few=(--only pfc.flaps --only pause.keeps_pfc --only maxrate.limit --only cc.ai_rate)

writing_is_as_expected() {
	local before
	before=$(hardware $port)
	expect 0 accept_writing "${few[@]}"
	says ' 4 as expected, 0 differ'
	says 'is as it was: read back, word for word'
	same hardware "$before" "$(hardware $port)"
	nothing_is_left
}

# The firmware differs in several ways at once: exactly those facts differ.
firmware_of_another_mind() {
	local before
	connectx $port firmware pause ends_pfc
	connectx $port cc rp_ai_rate most 50000
	before=$(hardware $port)
	expect 2 accept_writing "${few[@]}" --only storm.takes --json
	same 'what differs' 'pause.keeps_pfc cc.ai_rate' "$(outcomes differs)"
	same 'what does not' 'pfc.flaps maxrate.limit storm.takes' "$(outcomes as_expected)"
	says '"says":"100000: refused"'
	same hardware "$before" "$(hardware $port)"
	firmware_as_it_was
}

# accept detects a show that prints a wrong value.
a_lie() {
	mkdir "$work/bin"
	cat >"$work/bin/losslessctl" <<-END
	#!/bin/sh
	$(type -P losslessctl) "\$@" | sed 's/"cable_m":7/"cable_m":8/'
	END
	chmod +x "$work/bin/losslessctl"
	PATH=$work/bin:$PATH expect 2 accept --only 'show.p*' --json
	same 'what differs' show.pfc "$(outcomes differs)"
}

what_is_missing_cannot_be_told() {
	expect 3 accept --only counters.control --only show.roce --json
	same 'what cannot be told' 'counters.control show.roce' "$(outcomes cannot_be_told)"
}

nobody_writes_unasked() {
	local before
	before=$(changes)
	expect 64 setsid -w tests/hw/accept $port --write "${few[@]}"
	says 'nobody can be asked here'
	expect 64 accept --write --yes-i-mean $other "${few[@]}"
	same 'driver calls' "$before" "$(changes)"
}

# typed CODE WORDS: answer the question at a terminal, and expect CODE.
typed() {
	expect "$1" script -qec "tests/hw/accept $port --write --only storm.takes" /dev/null <<<"$2"
}

a_name_is_typed() {
	typed 64 yes
	says '"yes" is not'
	typed 0 $port
	says ' 1 as expected'
}

refused_with() {
	expect 1 accept_writing --only storm.takes
	says "$1"
}

vital_ports_are_left_alone() {
	ip addr add 192.0.2.1/24 dev $port
	SSH_CONNECTION='192.0.2.9 50000 192.0.2.1 22' refused_with 'carries this session'
	ip route add default via 192.0.2.9
	refused_with 'carries the default route'
	ip route del default
	ip addr del 192.0.2.1/24 dev $port
}

connected_pairs_are_left_alone() {
	connect_rdma
	refused_with 'mlx5_0 has connected queue pairs'
	end_pairs
	end_addresses
	expect 0 accept_writing --only storm.takes
}

# begin_slowly: start a run with a slow link, and return once it has written. Its group is $run.
begin_slowly() {
	connectx $port link train 700
	setsid tests/hw/accept $port --write --yes-i-mean $port --only pfc.flaps >"$work/out" 2>"$work/err" &
	run=$!
	until [ "$(cat "/sys/class/net/$port/carrier")" = 0 ]; do sleep 0.02; done
	connectx $port link train 20
}

a_run_that_is_interrupted() {
	local before code=0
	before=$(hardware $port)
	begin_slowly
	kill -TERM $run
	wait $run || code=$?
	same 'exit code' 143 $code
	same hardware "$before" "$(hardware $port)"
	nothing_is_left
}

a_run_that_is_killed() {
	local before
	before=$(hardware $port)
	begin_slowly
	kill -KILL -- -$run
	wait $run 2>/dev/null
	wait_carrier
	[ "$before" != "$(hardware $port)" ] || echo 'it had not written yet'
	expect 1 accept --only identity.dcb
	says 'an earlier run'
	expect 0 accept --restore
	same hardware "$before" "$(hardware $port)"
	nothing_is_left
}

what_cannot_be_restored_is_said() {
	local before
	before=$(hardware $port)
	connectx $port fault PFCC fail internal_err 0 1
	expect 4 accept_writing --only pfc.flaps --only storm.takes
	says "could not be restored: pfc of $port"
	! grep -q storm.takes "$work/out" || echo 'and it went on'
	connectx $port fault none
	expect 0 accept --restore
	same hardware "$before" "$(hardware $port)"
	nothing_is_left
}

a_bundle_names_nobody() {
	local original
	expect 0 accept --only identity.dcb --bundle "$work/bundle.json"
	for original in "\"$(uname -n)\"" "$(cat /sys/class/net/$port/address)" ${pci_of[$port]} \
		"$(cat /sys/class/infiniband/mlx5_0/node_guid)"; do
		! grep -F "$original" "$work/bundle.json" || echo "$original is told"
	done
	same settings "$(settings_of losslessctl --json show $port | sed 's/,"port_differences.*//')" \
		"$(settings_of cat "$work/bundle.json" | sed 's/,"port_differences.*//')"
	expect 1 accept --only identity.dcb --bundle "$work/bundle.json"
	says 'exists, and is not overwritten'
}

it 'what is read is as expected, and nothing is written' reading_is_as_expected
it 'values that are written are read as expected, and restored' writing_is_as_expected
it 'a show that lies is found out' a_lie
it 'no check writes unasked, or to another port' nobody_writes_unasked
it 'a port that carries this session or the default route is left alone' vital_ports_are_left_alone
in_long it 'a port with connected queue pairs is left alone' connected_pairs_are_left_alone
in_long it 'an interrupted run restores the port' a_run_that_is_interrupted
it 'a bundle has the settings and no name of a host or person' a_bundle_names_nobody
if is_long; then
	it 'firmware of another mind is found out, fact by fact' firmware_of_another_mind
	it 'a missing port is unknown' what_is_missing_cannot_be_told
	it 'at a terminal the name is typed' a_name_is_typed
	it 'a killed run is reported, and rolled back by hand' a_run_that_is_killed
	it 'what could not be restored is said, and ends the run' what_cannot_be_restored_is_said
fi
tap_end
