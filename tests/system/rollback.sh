#!/usr/bin/env bash
# short: 6.1
# long: 7.3
# Tests of rollback past the last apply: which applies are listed, kept and restored.
. tests/system/lib.sh
. tests/system/lib_rollback.sh

# --- Further back ---

the_list_says_what_was_applied() {
	three_applies
	expect 0 losslessctl rollback --list
	grep -qE "^ +2  [0-9T:Z-]{20}  applied +test +root +$port$" "$work/out" || cat "$work/out"
	same states '3 applied,2 applied,1 applied' "$(states)"
	says 'rollback --to NUMBER'
	expect 64 losslessctl rollback --list $port
	SUDO_USER=alice losslessctl -q apply $policy $port
	expect 0 losslessctl --json rollback --list
	same user alice "$(json user)"
	same verb apply "$(json verb)"
	losslessctl -q rollback
}

back_to_a_number() {
	three_applies
	expect 0 losslessctl rollback --to 2
	same 'before apply 2' "$after_first" "$(both)"
	same states '3 rolled_back,2 rolled_back,1 applied' "$(states)"
	expect 0 losslessctl rollback
	says 'apply 3 is already rolled back'
	says 'rollback --to 1'
	same 'a plain rollback goes no further back by itself' "$after_first" "$(both)"
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
	expect 0 losslessctl rollback --to 1
	says 'already rolled back'
	expect 0 losslessctl rollback --list
	found grep -e '--to NUMBER' "$work/out"
	expect 1 losslessctl rollback --to 9
	says 'no apply of this boot has number 9'
	says 'rollback --list'
}

# The rollback restores the value before the oldest apply, whatever came between.
all_at_once() {
	three_applies
	set_up '{"roce":{"tos":108},"mtu":9000}' $port
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
}

one_port_after_an_apply_of_the_other() {
	three_applies
	expect 0 losslessctl rollback $port
	same 'the port' 100 "$(tos $port)"
	same 'the other' 96 "$(tos $other)"
	expect 1 losslessctl rollback $port
	says 'the last apply that changed it (number 2) is already rolled back'
	says 'rollback --list'
	same 'it goes no further back by itself' 100 "$(tos $port)"
	expect 0 losslessctl rollback --to 1 $port
	same 'the port' 0 "$(tos $port)"
	same 'the other' 96 "$(tos $other)"
	same states '3 applied,2 rolled_back,1 partly_rolled_back' "$(states)"
	expect 0 losslessctl rollback --to 1
	same 'before apply 1' "$before" "$(both)"
}

nothing_for_a_named_port() {
	local changed
	reset_ports
	set_up '{"roce":{"tos":104}}' $port
	changed=$(both)
	expect 1 losslessctl rollback $other
	says 'no apply in the journal has changed it'
	expect 1 losslessctl rollback $port $other
	same 'one of two: nothing is written' "$changed" "$(both)"
	expect 1 losslessctl rollback --keep-going $port $other
	same 'unless it is to keep going' 0 "$(tos $port)"
	set_up '{"roce":{"tos":104}}' $port
	expect 0 losslessctl rollback 'ens1*'
	same 'a pattern takes those that it finds' 0 "$(tos $port)"
	expect 1 losslessctl rollback 'ens1*'
}

ten_are_kept() {
	local n
	reset_ports
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		set_up "{\"roce\":{\"tos\":$((4 * n))}}" $port
	done
	set_up '{"roce":{"tos":48}}' $port
	same 'numbers' '12 11 10 9 8 7 6 5 4 3' \
		"$(states | grep -oE '[0-9]+' | paste -sd ' ')"
	same 'files' 11 "$(find $journal -type f | wc -l)"
	expect 1 losslessctl rollback --to 2
	expect 0 losslessctl rollback --to 3
	same 'before apply 3' 8 "$(tos $port)"
	set_up '{"roce":{"tos":64}}' $port
	same 'no number is used twice' 13 "$(states | sed 's/ .*//')"
}

# Failed applies do not displace the applies that can be rolled back.
failed_applies_are_listed() {
	local n
	reset_ports
	before=$(both)
	set_up '{"roce":{"tos":104}}' $port
	connectx $port fault PMTU fail internal_err 0
	make_policy '{"mtu":4200}' $port
	for n in 1 2 3 4 5 6 7 8 9 10 11; do
		expect 1 losslessctl -q apply "$work/policy.json"
	done
	connectx $port fault none
	same states "$(seq -s ' ' 12 -1 3) 1" "$(states | grep -oE '[0-9]+' | paste -sd ' ')"
	expect 0 losslessctl rollback --list
	grep -qE "^ +12  [0-9T:Z-]{20}  rolled back \(failed\)  test +root +$port$" "$work/out" || cat "$work/out"
	expect 0 losslessctl rollback
	same 'before the apply' "$before" "$(both)"
	expect 0 losslessctl rollback
	says 'apply 1 is already rolled back'
}

# One of two ports failed: the other port's part of the apply can be rolled back.
one_of_two_ports_failed() {
	reset_ports
	before=$(both)
	set_up '{"roce":{"tos":104}}' $other
	connectx $other fault PMTU fail internal_err 0
	make_policy '{"mtu":4200}'
	expect 1 losslessctl -q apply "$work/policy.json"
	connectx $other fault none
	same states '2 partly_rolled_back,1 applied' "$(states)"
	expect 0 losslessctl rollback --list
	says "$other (failed, rolled back)"
	expect 0 losslessctl --json rollback --list
	says "\"state\":\"rolled_back\",\"reason\":\"failed\"}"
	expect 0 losslessctl rollback $other
	same 'its last apply that was kept' 0 "$(tos $other)"
	expect 0 losslessctl rollback
	same 'both ports' "$before" "$(both)"
}

it 'the list has each apply with its time, state, policy, user and ports' the_list_says_what_was_applied
it 'rollback --to N restores the state before apply N; a plain one stops after the last' back_to_a_number
in_long it 'several applies at once: each setting is as before the oldest' all_at_once
it 'rollback PORT finds the last apply of that port, and no earlier one' one_port_after_an_apply_of_the_other
it 'a named port with nothing to roll back: exit 1, and what to do' nothing_for_a_named_port
in_long it 'the last ten applies are kept, and no file more' ten_are_kept
in_long it 'an apply that failed is listed, and is none of the ten' failed_applies_are_listed
in_long it 'where one port of two failed, the other can be rolled back' one_of_two_ports_failed
tap_end
