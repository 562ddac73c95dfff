#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Tests of apply with each fault of the simulated adapter: exit 1 with the exact prior state, or
# exit 4 with a correct report.
. tests/system/lib.sh

# Writes that can fail, by register: the n-th of QTCT, QETCR and PFCC are stages of one request.
writes='PMTU PFCC PFCC:2 QTCT QTCT:5 QETCR QETCR:2 QPTS QPDPM'

moved() {
	make_policy '{"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[4],"cable_m":100},
		"ets":{"prio_tc":[0,0,0,0,4,0,6,0],"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],
		"bandwidth":[30,0,0,0,70,0,0,0]},"dscp":{"prio":{"30":4},"rest":1},"roce":{"tos":122}}'
}

# fail REGISTER[:NTH] STATUS [COUNT]: fail from the NTH write on.
fail() {
	local nth=1
	[[ $1 != *:* ]] || nth=${1#*:}
	connectx $port fault "${1%:*}" fail "$2" "${3:-1}" $((nth - 1))
}

# comes_back REGISTER STATUS: apply exits 1 and leaves the port as it was.
comes_back() {
	local before
	before=$(witness $port; hardware $port)
	fail "$@"
	expect 1 losslessctl apply "$work/policy.json" $port
	connectx $port fault none
	wait_carrier
	same "after $*" "$before" "$(witness $port; hardware $port)"
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'the journal says that it has not ended'
}

from_power_on() {
	reset_ports
	cp $policy "$work/policy.json"
	comes_back "$1" internal_err
}

from_another_setup() {
	reset_ports
	expect 0 losslessctl apply $policy
	moved
	comes_back "$1" bad_param
}

# A permanent fault: if a setting that was written cannot be rolled back, exit 4 names it.
for_good() {
	local before code=0
	reset_ports
	expect 0 losslessctl apply $policy
	moved
	before=$(witness $port; hardware $port)
	fail "$1" internal_err 0
	losslessctl --json apply "$work/policy.json" $port >"$work/out" 2>"$work/err" || code=$?
	case $code in
	1) same "$1 for good" "$before" "$(witness $port; hardware $port)" ;;
	4) grep -q 'not rolled back' "$work/out" || echo 'stranded, and does not say what' ;;
	*) echo "exit code $code"; cat "$work/out" "$work/err" ;;
	esac
	connectx $port fault none
}

a_refused_dcbx_mode() {
	reset_ports
	dcbx_by_firmware $port
	cp $policy "$work/policy.json"
	comes_back DCBX_PARAM bad_param
}

# ignored REGISTER: the adapter reports success and does nothing.
ignored() {
	reset_ports
	dcbx_by_firmware $port
	local before
	before=$(witness $port; hardware $port)
	connectx $port fault "$1" ignore 0
	expect 1 losslessctl apply $policy $port
	says 'not in effect'
	connectx $port fault none
	wait_carrier
	same "ignored $1" "$before" "$(witness $port; hardware $port)"
}

# hidden REGISTER: MTU, trust, DSCP map and DCBX mode are read from the kernel's and driver's memory.
hidden() {
	reset_ports
	dcbx_by_firmware $port
	local before
	before=$(changes)
	connectx $port fault "$1" ignore 0
	expect 0 losslessctl apply $policy $port
	connectx $port fault none
	wait_carrier
	expect 0 losslessctl verify $policy $port
	[ "$before" != "$(changes)" ] || echo 'nothing was written'
}

silent_on_pause() {
	reset_ports
	make_policy '{"pfc":{"priorities":[3]},"roce":{"tos":106},"ets":{"prio_tc":[0,0,0,3,0,0,6,0],
		"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}}' $port
	comes_back QTCT internal_err
	same 'pause after an undo' on "$(ethtool -a $port | awk '/^RX:/ { print $2 }')"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	same 'pause after a rollback' on "$(ethtool -a $port | awk '/^RX:/ { print $2 }')"
}

the_second_port_fails() {
	reset_ports
	local before
	before=$(witness $other; hardware $other)
	connectx $other fault QTCT fail internal_err 1
	expect 1 losslessctl --json apply $policy
	same "$other" "$before" "$(witness $other; hardware $other)"
	expect 0 losslessctl verify $policy $port
	expect 0 losslessctl rollback
	expect 2 losslessctl verify $policy $port
}

the_first_port_fails() {
	reset_ports
	local before
	before=$(changes | tail -n +20)
	connectx $port fault QTCT fail internal_err 1
	expect 1 losslessctl --json apply $policy
	grep -q '"outcome":"not_attempted"' "$work/out" || cat "$work/out"
	reset_ports
	connectx $port fault QTCT fail internal_err 1
	expect 1 losslessctl --json apply --keep-going $policy
	expect 0 losslessctl verify $policy $other
}

a_failed_rollback_is_partial() {
	reset_ports
	cp $policy "$work/policy.json"
	connectx $port fault QTCT fail internal_err 1
	connectx $port fault PFCC fail internal_err 0 2 # the change and its repetition work; then none
	expect 4 losslessctl --json apply "$work/policy.json" $port
	same outcome rollback_failed "$(json outcome)"
	says pfc.priorities
	connectx $port fault none
	expect 0 losslessctl rollback
	same PFC 'prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off' \
		"$(dcb pfc show dev $port prio-pfc | sed 's/ *$//')"
}

# The short run has one register.
is_long || writes='PFCC'
for each in $writes; do
	it "$each fails on a port as it comes: exit 1, and as it was" from_power_on "$each"
	# Pause is off and trust is DSCP on that port already: apply writes PFCC once, and no QPTS.
	[ "$each" = PFCC:2 ] || [ "$each" = QPTS ] ||
		it "$each fails on a port set up before: exit 1, and as it was" from_another_setup "$each"
done
for each in PMTU PFCC QPDPM; do
	in_long it "$each fails for good: exit 1 and as it was, or exit 4 and what" for_good "$each"
done
it 'QTCT fails for good: exit 1 and as it was, or exit 4 and what' for_good QTCT
it 'PFCC says yes and does nothing: found by reading back' ignored PFCC
for each in QTCT QETCR; do
	in_long it "$each says yes and does nothing: found by reading back" ignored "$each"
done
it 'QPTS says yes and does nothing: nobody can see it, as the driver answers from memory' hidden QPTS
for each in PMTU QPDPM DCBX_PARAM; do
	in_long it "$each says yes and does nothing: nobody can see it, as the driver answers from memory" hidden "$each"
done
it 'a refused DCBX mode: exit 1, and as it was' a_refused_dcbx_mode
it 'a policy silent on pause survives a PFC change, its undo and its rollback' silent_on_pause
it 'the second port fails: the first stays set, the second is as it was' the_second_port_fails
in_long it 'the first port fails: the second is not reached, unless we keep going' the_first_port_fails
it 'a failed rollback leaves the port partially configured, and the next rollback ends it' a_failed_rollback_is_partial
tap_end
