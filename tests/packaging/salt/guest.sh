#!/usr/bin/env bash
# only: 6.12
# Tests of the Salt state, called as a minion calls it.
. tests/system/lib.sh

minion() {
	python3 tests/packaging/salt/salt.py "$@" >"$work/answer" 2>"$work/err" || cat "$work/err"
}

# answers RESULT COMMENT: compare the answer, and store the changes of the port's MTU in $mtu.
answers() {
	local result comment
	{ read -r result && read -r comment && read -r mtu; } < <(
		jq -r --arg port $port '.result, .comment, (.changes[$port].mtu | tojson)' "$work/answer"
	)
	same result "$1" "$result"
	[[ $comment == *"$2"* ]] || echo "the comment is: $comment"
}

test_tells_what_would_change() {
	local before
	before=$(changes)
	minion --test "$policy" $port
	answers null 'settings would change'
	same MTU '{"old":1500,"new":9000}' "$mtu"
	same 'changes that drivers were asked for' "$before" "$(changes)"
}

a_failure_has_its_words() {
	connectx $port fault QTCT fail internal_err 1
	minion "$policy" $port
	answers false "losslessctl exited with 1: $port: writing ets"
	same changes null "$mtu"
}

it_applies() {
	minion "$policy" $port
	answers true 'in sync'
	same MTU '{"old":1500,"new":9000}' "$mtu"
	expect 0 losslessctl verify "$policy" $port
}

again_changes_nothing() {
	minion "$policy" $port
	answers true 'in sync'
	same changes '{}' "$(jq -c .changes "$work/answer")"
	minion --test "$policy" $port
	answers true 'in sync'
}

reset_ports
it 'with test=True the result is None, with what would change, and nothing does' \
	test_tells_what_would_change
it 'a failure is reported in the words of losslessctl' a_failure_has_its_words
it 'the state is applied, and reports what changed' it_applies
it 'a second time nothing changes' again_changes_nothing
tap_end
