#!/usr/bin/env bash
# vm: --ports 8
# only: 6.12
# A host with 8 ports: reports print identical ports once, and patterns select ports.
. tests/system/lib.sh
policy=packaging/policies/nvidia-lossless.json
setup='{"mtu":9000,"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}'

# prints_below MOST: the last command printed fewer than MOST lines on standard output.
prints_below() {
	local lines
	lines=$(wc -l <"$work/out")
	[ "$lines" -lt "$1" ] || { echo "$lines lines:" && head -n 5 "$work/out"; }
}

# names_all VERB: the last report names each port exactly once.
names_all() {
	same "the ports of $1" "$(sort <<<"${!pci_of[@]}" | tr ' ' '\n' | sort)" \
		"$(grep -oE '\bens[0-9]+f[01]np[01]\b' "$work/out" | sort)"
}

# folds VERB EXIT_CODE [WORD...]
folds() {
	local verb=$1
	expect "$2" losslessctl "$verb" "${@:3}"
	says '8 identical ports'
	prints_below 60
	names_all "$verb"
}

every_verb_folds() {
	folds show 0
	folds peer 3 --listen-for 1
	folds plan 2 $policy
	folds verify 2 $policy
	folds apply 0 --allow-disruption - <$policy
	says 'applied and verified'
	folds verify 0 $policy
	folds rollback 0 --allow-disruption
}

# head_of PORT: print the first line of PORT's own report.
head_of() { grep "^$1  " "$work/out"; }

odd_ports_are_printed_in_full() {
	local end
	ip link set $other mtu 4200
	connectx ens2f0np0 link down
	expect 0 losslessctl show
	says '5 identical ports'
	says '7 ports 1500; ens1f1np1 4200'
	same 'its line' "$(losslessctl show $other | head -n 1)" "$(head_of $other)"
	for end in ens2f0np0 ens2f1np1; do # of one cable
		head_of $end | grep -q 'link down$' || head_of $end
	done
	ip link set $other mtu 1500
	connectx ens2f0np0 link up
	for end in ens2f0np0 ens2f1np1; do
		until [ "$(</sys/class/net/$end/carrier)" = 1 ]; do sleep 0.02; done
	done
}

# 3 ports are applied, the 4th fails, and 4 are not attempted.
a_failure_is_not_hidden() {
	make_policy "$setup"
	connectx ens2f1np1 fault PFCC fail internal_err 0
	expect 1 losslessctl apply --allow-disruption - 'ens[1-9]f*' <"$work/policy.json"
	connectx ens2f1np1 fault none
	says '3 identical ports'
	says '4 identical ports'
	head_of ens2f1np1 >/dev/null || cat "$work/out"
	sed -n '/^ens2f1np1 /,$p' "$work/out" >"$work/last"
	grep -q '^  failed; rolled back' "$work/last" || cat "$work/last"
	grep -E ' identical ports|^ens' "$work/last" | grep -v '^ens2f1np1 '
	expect 0 losslessctl -q rollback --allow-disruption
}

# count_in_full: count the ports that have their own report.
count_in_full() { grep -cE '^ens[0-9]+f[01]np[01]  ' "$work/out"; }

a_port_that_is_named_is_printed_in_full() {
	expect 0 losslessctl show ens1f0np0 ens1f1np1 ens2f0np0
	same 'in full' 3 "$(count_in_full)"
	expect 0 losslessctl show 'ens[2-3]*' "${pci_of[ens4f0np0]}"
	says '4 identical ports'
	same 'in full' 1 "$(count_in_full)"
}

json_is_not_folded() {
	expect 0 losslessctl --json show
	same 'ports in JSON' 8 "$(grep -o '"port":' "$work/out" | wc -l)"
}

# asks_for COUNT VERB [WORD...]: the verb's report has COUNT ports, whatever its exit code.
asks_for() {
	losslessctl --json "${@:2}" >"$work/out" 2>"$work/err"
	same "ports of $2 ${*:3}" "$1" "$(grep -o '"port":' "$work/out" | wc -l)"
}

every_verb_takes_patterns() {
	asks_for 4 show 'ens[23]f*'
	asks_for 5 plan $policy 'ens?f0np0' ens2f1np1 "${pci_of[ens4f0np0]}"
	asks_for 2 verify $policy 'ens3f*'
	asks_for 2 peer --listen-for 1 'ens3f*'
	asks_for 2 watch --count 1 'ens3f*'
	asks_for 2 apply --allow-disruption - 'ens3f*' <"$work/policy.json"
	asks_for 2 apply --allow-disruption - 'ens4f*' <"$work/policy.json"
	asks_for 2 rollback --allow-disruption 'ens4*'
	asks_for 0 drift 'ens*'
}

a_pattern_without_a_port_is_an_error() {
	expect 3 losslessctl show 'xx*'
	says 'no port with DCB or RDMA matches xx*'
	expect 3 losslessctl apply - 'ens1*' 'xx*' <"$work/policy.json"
	says 'matches xx*'
	expect 3 losslessctl agent "$work/policy.json" 'xx*'
	says 'matches xx*'
}

a_pattern_skips_ports_without_a_rule() {
	make_policy "$setup" 'ens2*'
	asks_for 2 plan "$work/policy.json" 'ens*'
	expect 3 losslessctl plan "$work/policy.json" 'ens1*'
	says 'matches a port that ens1* names'
	expect 3 losslessctl plan "$work/policy.json" 'ens2*' ens1f0np0
	says 'matches port ens1f0np0'
}

it 'show, plan, verify, apply and rollback print 8 equal ports in under 60 lines' every_verb_folds
it 'odd ports are printed in full: another setting, or a link that is down' odd_ports_are_printed_in_full
it 'a port that failed is printed by itself, and last' a_failure_is_not_hidden
it 'a port that is named is printed in full' a_port_that_is_named_is_printed_in_full
it 'JSON has every port' json_is_not_folded
it 'every verb that takes ports takes patterns' every_verb_takes_patterns
it 'a pattern that matches no port is an error' a_pattern_without_a_port_is_an_error
it 'a pattern passes over ports that no rule matches; a name does not' a_pattern_skips_ports_without_a_rule
tap_end
