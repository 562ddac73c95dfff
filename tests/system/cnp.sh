#!/usr/bin/env bash
# short: 6.12
# Tests of the settings of CNPs on Debian's driver. It sends priority and mode to the adapter by one
# select bit, with 0 for the one that a file is not about; adapters start with priority 6 and mode 1.
. tests/system/lib.sh

params=/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params

# policy SETTINGS: a policy of cnp.* alone.
policy() { make_policy "{\"cnp\":{$1}}" $port; }

# pair PRIORITY MODE: expect them in the adapter.
pair() { same 'priority and mode' "$1 $2" "$(cat $params/np_cnp_prio) $(cat $params/np_cnp_prio_mode)"; }

# Restore the pair of a cold start, which no file does.
cold_start() {
	connectx $port cc np_cnp_prio 6
	connectx $port cc np_cnp_prio_mode 1
	rm -rf /var/lib/losslessctl /run/losslessctl
	pair 6 1
}

files_share_a_select_bit() {
	pair 6 1
	echo 5 >$params/np_cnp_prio
	pair 5 0
	echo 1 >$params/np_cnp_prio_mode
	pair 0 1
	echo 7 >$params/np_cnp_prio
	echo 0 >$params/np_cnp_prio_mode
	pair 0 0
	cold_start
}

plan_names_the_loss() {
	policy '"priority":6,"priority_mode":0'
	expect 2 losslessctl plan "$work/policy.json"
	says 'not reversible: the driver cannot write cnp.priority_mode 1 with a priority'
	pair 6 1
}

recommended_pair_is_applied() {
	policy '"priority":6,"priority_mode":0'
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	pair 6 0
	cold_start
}

rollback_names_what_it_cannot_restore() {
	echo 4 >$params/np_min_time_between_cnps
	policy '"priority":6,"priority_mode":0,"min_interval_us":9'
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback
	says 'cnp.priority is not rolled back to 6'
	pair 0 1
	same interval 4 "$(cat $params/np_min_time_between_cnps)"
	expect 1 losslessctl rollback $port
	says 'already rolled back'
	cold_start
}

rollback_restores_what_it_can() {
	echo 3 >$params/np_cnp_prio
	policy '"priority":5'
	expect 0 losslessctl apply "$work/policy.json"
	pair 5 0
	expect 0 losslessctl rollback
	pair 3 0
	policy '"priority_mode":1'
	expect 2 losslessctl plan "$work/policy.json"
	says 'cnp.priority 3 → unknown (side effect)'
	expect 0 losslessctl apply "$work/policy.json"
	pair 0 1
	expect 0 losslessctl rollback
	pair 3 0
	cold_start
}

priority_alone_clears_the_mode() {
	policy '"priority":5'
	expect 2 losslessctl plan "$work/policy.json"
	says 'cnp.priority_mode 1 → 0 (side effect)'
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	says 'already in sync'
	pair 5 0
	cold_start
}

others_are_left_alone() {
	policy '"dscp":46,"min_interval_us":7'
	expect 0 losslessctl apply "$work/policy.json"
	pair 6 1
	expect 0 losslessctl rollback
	pair 6 1
	same DSCP 48 "$(cat $params/np_cnp_dscp)"
	policy '"priority":6'
	expect 0 losslessctl apply "$work/policy.json"
	says 'already in sync'
	pair 6 1
}

contradiction_is_refused() {
	local verb
	policy '"priority":5,"priority_mode":1'
	expect 0 losslessctl check "$work/policy.json"
	says cnp-priority-unused
	for verb in plan apply; do
		expect 1 losslessctl $verb "$work/policy.json"
		says 'the driver cannot write both values of the policy'
		says 'remove cnp.priority or cnp.priority_mode from the policy'
	done
	pair 6 1
}

# The adapter refuses the third command: of the interval, after those of the pair and the DSCP.
failed_apply_goes_back() {
	policy '"dscp":46,"priority":6,"priority_mode":0,"min_interval_us":9'
	connectx $port fault MODIFY_CONG_PARAMS fail bad_param 1 2
	expect 1 losslessctl apply "$work/policy.json"
	says 'failed; rolled back and verified'
	says 'cnp.priority not rolled back: 0'
	pair 0 1
	same DSCP 48 "$(cat $params/np_cnp_dscp)"
	cold_start
}

# Kernels before 6.3 lack the files of the RTT responses.
rtt_goes_back() {
	local before after file=$params/rtt_resp_dscp befores=17 afters='"unset" 46'
	! is_long || befores='unset 17 0' afters='"unset" 46 0'
	[ -e $file ] || return 0
	for before in $befores; do
		[ $before = unset ] && echo 0 >${file}_valid || echo $before >$file
		for after in $afters; do
			policy "\"rtt_resp_dscp\":$after"
			expect 0 losslessctl apply "$work/policy.json"
			expect 0 losslessctl verify "$work/policy.json"
			expect 0 losslessctl rollback
			expect 0 losslessctl --json show $port
			same "$before after $after" $before "$(json rtt_resp_dscp)"
		done
	done
}

it "the files of priority and mode write both" files_share_a_select_bit
it "plan says that mode 1 with a priority does not come back" plan_names_the_loss
it "priority 6 with mode 0 is applied" recommended_pair_is_applied
it "a rollback names the setting that it cannot restore, and restores the others" \
	rollback_names_what_it_cannot_restore
it "a rollback restores each pair that the driver can write" rollback_restores_what_it_can
it "a priority alone is applied, and plan shows that it clears the mode" priority_alone_clears_the_mode
it "a policy that asks for neither, or for what is there, leaves both alone" others_are_left_alone
it "a priority with mode 1 is refused before the write" contradiction_is_refused
it "an apply that fails names the setting that it cannot restore" failed_apply_goes_back
it "the DSCP of RTT responses is restored from any to any" rtt_goes_back
tap_end
