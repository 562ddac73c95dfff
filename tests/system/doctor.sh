#!/usr/bin/env bash
# only: 6.12
# Tests of `doctor`: one page with the findings of verify, peer and ready, and the counters.
. tests/system/lib.sh

lossless=$work/lossless.json
sed 's/"version": 1,/&"ready":{"gid":"ignore"},/' packaging/policies/nvidia-lossless.json >"$lossless"

# The policy recommends TCP ECN.
sysctl -qw net.ipv4.tcp_ecn=1

# examine CODE [OPTION…]: run doctor with short samples.
examine() {
	expect "$1" losslessctl doctor --sample-for 1 --listen-for 1 "${@:2}"
}

lines_are_at_most() {
	[ "$(wc -l <"$work/out")" -le "$1" ] || wc -l "$work/out"
}

a_host_without_findings_has_five_lines() {
	expect 0 losslessctl apply --allow-disruption "$lossless"
	examine 0 "$lossless"
	lines_are_at_most 5
	says 'ok (policy nvidia-lossless) settings 28 of 28 in sync on 2 ports switches 0 of 2 heard by LLDP'
	says 'counters 0 symptoms in 1 s'
	examine 0 --json "$lossless"
	says '"verdict":"ok","sampled_s":1,"findings":[],"omitted_count":0}'
}

break_it() {
	dcb pfc set dev $port prio-pfc all:off
	dcb pfc set dev $other prio-pfc all:off
	ip link set $other mtu 1500
	echo 'NCCL_IB_TC="106"' >/etc/nccl.conf
}

a_bad_host_has_all_findings_on_a_page() {
	break_it
	sysctl -qw net.ipv4.tcp_ecn=2
	examine 2 "$lossless"
	says 'info host.tcp_ecn 2 found, 1 expected run `sysctl -w net.ipv4.tcp_ecn=1`'
	sysctl -qw net.ipv4.tcp_ecn=1
	lines_are_at_most 60
	says "critical drift $port, $other (2 ports) 3 settings: pfc.priorities none (expected 3), mtu 1500 (expected 9000)"
	says "run \`losslessctl apply $lossless\`"
	says 'warning NCCL_IB_TC /etc/nccl.conf:1: traffic class 0 is DSCP 0'
	[ "$(grep -nm1 critical "$work/out" | cut -d: -f1)" -lt "$(grep -nm1 warning "$work/out" | cut -d: -f1)" ] ||
		cat "$work/out"
	examine 2 --json "$lossless"
	says "{\"level\":\"critical\",\"from\":\"verify\",\"subject\":\"drift\",\"ports\":[\"$port\",\"$other\"]"
	rm /etc/nccl.conf
	expect 0 losslessctl apply --allow-disruption "$lossless"
	examine 0 "$lossless"
}

# Two settings are refused for two reasons: each has its own fix.
each_refusal_has_its_fix() {
	make_policy '{"mtu":9999,"pause":{"rx":true},"pfc":{"priorities":[3]}}' $port
	examine 2 "$work/policy.json" $port
	says "an MTU of 9999 is above the port's largest"
	says 'set mtu to'
	says 'set pause.rx and pause.tx to false'
	make_policy '{"firmware":{"nvconfig":{"CNP_DSCP":48}}}' $port
	losslessctl doctor --sample-for 1 --listen-for 1 "$work/policy.json" $port >"$work/out" 2>"$work/err"
	says 'each setting of these ports is skipped: nothing was verified'
}

# doctor listens for the switch while it samples the counters.
both_last_as_long_as_the_longer() {
	local began=$SECONDS
	expect 0 losslessctl doctor --sample-for 4 --listen-for 8 --json "$lossless"
	says '"sampled_s":8'
	[ $((SECONDS - began)) -lt 12 ] || echo "it took $((SECONDS - began)) s"
}

# The page fits into a ticket, even if nearly every setting drifts.
the_page_is_bounded() {
	make_policy '{"mtu":4200,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[1,2],"cable_m":99},"maxrate":{"tc_mbps":[1000,2000,0,0,0,0,0,0]},"ets":{"prio_tc":[0,1,2,3,4,5,6,7],"tsa":["ets","ets","ets","ets","ets","ets","ets","ets"],"bandwidth":[10,10,10,10,10,10,20,20]},"trust":"dscp","dscp":{"prio":{"1":1},"rest":0},"cnp":{"dscp":1,"priority":1},"dcqcn":{"rpg_time_reset_us":1,"rpg_gd":10},"roce":{"mode":"v1","tos":3}}'
	reset_ports
	examine 2 "$work/policy.json"
	lines_are_at_most 60
	same 'findings without a fix' '' "$(losslessctl doctor --json --sample-for 1 --listen-for 1 \
		"$work/policy.json" 2>"$work/err" | jq -r '.findings[] | select(.fix == null) | .subject')"
	same 'entries for drift' 1 "$(grep -c 'critical  drift' "$work/out")"
	same 'commands to apply' 1 "$(grep -c 'losslessctl apply' "$work/out")"
}

a_port_without_a_link_is_critical() {
	expect 0 losslessctl apply --allow-disruption "$lossless"
	connectx $other link down
	examine 2 "$lossless"
	says "critical link $port, $other"
	connectx $other link up
	wait_carrier
	sed 's/"match"/"count": 8, &/' "$lossless" >"$work/eight.json"
	examine 2 "$work/eight.json"
	says 'critical ports missing: rule 1 expects 8 ports'
	[ "$(grep -c 'expects 8' "$work/out")" -eq 1 ] || cat "$work/out"
}

# Symptoms happen now, so the page lists them before another port's drift.
a_symptom_comes_before_drift() {
	expect 0 losslessctl apply --allow-disruption "$lossless"
	ip link set $port mtu 1500
	losslessctl doctor --sample-for 4 --listen-for 1 "$lossless" >"$work/out" 2>"$work/err" &
	for _ in {1..50}; do
		connectx $other counter rx_prio3_discards 1000
		sleep 0.1
	done
	wait
	says "critical lossless-drops $other"
	same 'the first finding' lossless-drops "$(grep -m1 -oE 'lossless-drops|drift' "$work/out")"
}

# The port has sent before, and sends nothing while it is paused continuously.
a_suspected_deadlock_is_named() {
	expect 0 losslessctl apply --allow-disruption "$lossless"
	connectx $other counter tx_prio3_bytes 1000000
	connectx $other storm suffered 3 100
	examine 2 "$lossless"
	says "critical pause-deadlock-suspected $other"
	says "a deadlock is suspected, read the switches' watchdog statistics; this is one window, the agent reports it after 3 of 3"
	losslessctl doctor --sample-for 4 --listen-for 1 "$lossless" >"$work/out" 2>"$work/err" &
	for _ in {1..50}; do
		connectx $other counter tx_prio3_bytes 1000000
		sleep 0.1
	done
	wait
	says "critical pause-storm-received $other"
	grep -n deadlock "$work/out"
	connectx $other storm suffered 3 off
}

without_a_policy_no_setting_is_compared() {
	examine 0
	says 'settings no policy: nothing to compare with'
	expect 66 losslessctl doctor "$work/none.json"
}

a_port_may_be_named() {
	examine 0 "$lossless" $port
	says 'on 1 port'
	expect 3 losslessctl doctor "$lossless" no-such-port
}

an_apply_that_waits_is_named() {
	reset_ports
	expect 0 losslessctl apply --allow-disruption --confirm-within 600 "$lossless"
	examine 0 "$lossless"
	says 'warning confirm an apply waits for its confirmation'
	ip link set $other mtu 1500
	examine 2 "$lossless"
	same 'the first finding' confirm "$(grep -m1 -oE 'confirm|drift' "$work/out")"
	says 'confirm or roll back the apply that waits, then run'
	ip link set $other mtu 9000
	expect 0 losslessctl confirm
}

nothing_is_written() {
	local before
	before=$(changes)
	examine 0 "$lossless"
	same "changes of the ports" "$before" "$(changes)"
}

# keys FILE: print the keys of a bundle.
keys() {
	jq -c 'keys' "$1"
}

a_bundle_is_written_beside_the_page() {
	examine 0 "$lossless" --bundle "$work/ticket.json"
	says 'ok (policy nvidia-lossless) settings 28 of 28 in sync'
	lines_are_at_most 5
	same mode 600 "$(stat -c %a "$work/ticket.json")"
	expect 0 losslessctl bundle "$work/bundle.json"
	same 'what it holds' "$(keys "$work/bundle.json")" "$(keys "$work/ticket.json")"
	same 'files of the kernel' "$(jq -c '.files | keys' "$work/bundle.json")" \
		"$(jq -c '.files | keys' "$work/ticket.json")"
	same 'what show says' "$(jq -c .show.ports "$work/bundle.json")" \
		"$(jq -c .show.ports "$work/ticket.json")"
	rm "$work/ticket.json" "$work/bundle.json"
	examine 0 --json --bundle "$work/ticket.json" --anonymise "$lossless"
	says '"schema":"losslessctl/doctor/1"'
	same anonymised true "$(jq .anonymised "$work/ticket.json")"
	examine 1 --bundle "$work/ticket.json" "$lossless"
	says 'exists, and is not overwritten'
	rm "$work/ticket.json"
}

its_exit_code_is_of_the_findings_or_of_the_bundle() {
	examine 2 --bundle "$work/ticket.json" packaging/policies/nvidia-lossless.json
	same schema losslessctl/bundle/1 "$(jq -r .schema "$work/ticket.json")"
	mkdir "$work/small"
	mount -t tmpfs -o size=8k tmpfs "$work/small"
	examine 1 "$lossless" --bundle "$work/small/ticket.json"
	says 'ok (policy nvidia-lossless) settings 28 of 28 in sync'
	says "write $work/small/ticket.json: No space left on device"
	same 'files that are left' '' "$(ls "$work/small")"
	umount "$work/small"
	expect 64 losslessctl doctor --bundle -
	expect 64 losslessctl doctor --anonymise
	rm "$work/ticket.json"
}

it "a host without findings has five lines" a_host_without_findings_has_five_lines
it "a bad host has its findings on one page, the worst first" a_bad_host_has_all_findings_on_a_page
in_long it "each refusal has its own fix, and nothing verified is said" each_refusal_has_its_fix
it "counters are sampled while it listens" both_last_as_long_as_the_longer
in_long it "the page has at most 60 lines" the_page_is_bounded
it "a port without a link is critical, and a missing one" a_port_without_a_link_is_critical
in_long it "a symptom comes before drift" a_symptom_comes_before_drift
in_long it "a suspected deadlock is named, and an incast is none" a_suspected_deadlock_is_named
it "without a policy no setting is compared" without_a_policy_no_setting_is_compared
it "an apply that waits for its confirmation is named" an_apply_that_waits_is_named
it "a port may be named" a_port_may_be_named
it "doctor writes nothing" nothing_is_written
in_long it "a bundle is written beside the page" a_bundle_is_written_beside_the_page
it "its exit code is that of the findings, or of the bundle" its_exit_code_is_of_the_findings_or_of_the_bundle
tap_end
