#!/usr/bin/env bash
# only: 6.1
# Counters that wrap, restart, change names or go away are no symptom; and the output of symptoms.
. tests/system/lib.sh
. tests/system/lib_symptoms.sh

expect 0 losslessctl apply $policy

an_adapter_reset() {
	connectx $port restart
	wait_carrier
	bump rx_prio3_discards 9
	bump tx_prio3_pause_duration 900000
}

a_reset_is_no_symptom() {
	counts 3 an_adapter_reset
	same symptoms 'symptoms ' "$(shown)"
	grep -qE '"symptoms_message":"[^"]*(during the sample|No such device)' "$work/out" || # still away
		says 'during the sample'
	expect 0 losslessctl apply $policy
}

counters_that_begin_anew() {
	bump rx_prio0_bytes 1000000
	counts 3 bump rx_prio0_bytes -999999
	same symptoms 'symptoms ' "$(shown)"
	says "the port's counters were reset"
}

# The counter goes from 2^32 - 30 up by 60, of some five million packets.
a_counter_that_wraps() {
	bump out_of_sequence 4294967266
	busy
	shows 0 'rdma-out-of-order ' busy_and out_of_sequence 60
	says '60 of 5000000 RDMA packets'
}

pfc_elsewhere() {
	poke_pfc $port 0x10
}

# Five names go and five others come: the number of names stays the same.
names_that_change() {
	bump rx_prio4_pause_duration 77000000
	bump rx_prio3_pause_duration 5000
	silent pfc_elsewhere
	poke_pfc $port 8
}

pfc_is_read_when_it_is_on_again() {
	pfc_elsewhere
	expect 2 losslessctl --json verify --sample-for 1 $policy $port
	same symptoms '' "$(shown)"
	poke_pfc $port 8
}

# with_rdma true|false: devlink makes or removes the RDMA device.
with_rdma() {
	devlink dev param set "pci/${pci_of[$port]}" name enable_rdma value "$1" cmode driverinit
	connectx $port restart
	wait_carrier
}

without_rdma() {
	with_rdma false
	make_policy '{"mtu":9000,"pfc":{"priorities":[3]}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	rules=$work/policy.json silent true
	rules=$work/policy.json shows 2 'lossless-drops ' bump rx_prio3_discards 1
	with_rdma true
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 losslessctl apply $policy
}

by_device() {
	devlink dev eswitch set "pci/${pci_of[$port]}" mode switchdev
	sed 's/"mtu"/"optional": ["roce.*"], &/' $policy >"$work/uplink.json"
	expect 0 losslessctl apply "$work/uplink.json"
	rules=$work/uplink.json shows 0 'cnp-ignored ' bump rp_cnp_ignored 500
	devlink dev eswitch set "pci/${pci_of[$port]}" mode legacy
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 losslessctl apply $policy
}

goes_away() {
	connectx $port unplug
}

a_port_that_goes() {
	counts 3 goes_away
	says '"symptoms_message":"'
	connectx $port plug
	wait_carrier
	expect 0 losslessctl apply $policy
}

for_people() {
	meanwhile losslessctl verify --sample-for 1 $policy $port -- both rx_prio3_discards 3 rp_cnp_ignored 20
	says "$port  symptom"
	says '  symptom     lossless-drops          3 packets were dropped on arrival on lossless priority 3'
	says '  warning     cnp-ignored             20 CNPs were ignored, 0 handled'
	says '; 2 symptoms in 1 s'
	says 'check PFC of this priority on the switch'
	[ ! -s "$work/err" ] || cat "$work/err" # no progress without a terminal
}

for_programs() {
	counts 2 bump rx_prio3_discards 3
	says '"verdict":"symptom"'
	says '"symptom":"lossless-drops","status":"symptom"'
	says '"origin":"host"'
}

for_monitors() {
	nagios 0 OK 0 true
	nagios 1 WARNING 1 bump rp_cnp_ignored 20
	nagios 2 CRITICAL 1 bump rx_prio3_discards 3
}

drift_goes_first() {
	dcb pfc set dev $port delay 3
	counts 2 bump rx_prio3_discards 3
	says '"verdict":"drift"'
	same symptoms 'lossless-drops ' "$(shown)"
	dcb pfc set dev $port delay 7
}

it_only_reads() {
	local before
	before=$(changes)
	counts 2 bump rx_prio3_discards 1
	same 'driver calls' "$before" "$(changes)"
}

as_anybody() {
	local code=0
	setpriv --reuid 65534 --regid 65534 --clear-groups losslessctl --json verify --sample-for 1 \
		"$work/anybody.json" $port >"$work/out" 2>"$work/err" || code=$?
	same code 0 "$code"
	same symptoms '' "$(shown)"
}

for_anybody() {
	make_policy '{"mtu":9000}' $port
	chmod 755 "$work"
	cp "$work/policy.json" "$work/anybody.json"
	chmod 644 "$work/anybody.json"
	as_anybody
}

wrong_times() {
	local seconds
	for seconds in 0 3601 -1 x 1.5; do
		expect 64 losslessctl verify --sample-for $seconds $policy
	done
	says 'takes 1 to 3600 seconds'
	expect 64 losslessctl show --sample-for 1
}

it_can_be_interrupted() {
	local code=0
	timeout --signal INT 0.5 losslessctl verify --sample-for 60 $policy $port >"$work/out" 2>&1 || code=$?
	same 'timed out' 124 "$code"
}

it 'a driver that starts again is no symptom' a_reset_is_no_symptom
it 'counters that begin anew prove nothing' counters_that_begin_anew
it 'a counter that wraps goes on' a_counter_that_wraps
it 'names that change under the reader mix nothing up' names_that_change
it 'nor do those that came before' pfc_is_read_when_it_is_on_again
it 'a port without RDMA device has its own counters' without_rdma
it 'RDMA counters by device' by_device
it 'a port that goes away cannot be judged' a_port_that_goes
it 'people read it' for_people
it 'programs read it' for_programs
it 'monitors read it' for_monitors
it 'drift goes before symptoms' drift_goes_first
it 'counting writes nothing' it_only_reads
it 'anybody may count' for_anybody
it 'the time is from a second to an hour' wrong_times
it 'Ctrl-C ends the waiting' it_can_be_interrupted
tap_end
