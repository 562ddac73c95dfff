#!/usr/bin/env bash
# A kernel in lockdown, as on every host that Secure Boot started: debugfs is closed to root, so the
# inbox driver's DCQCN and CNP parameters are unsupported, and all other settings work.
. tests/system/lib.sh

shipped=$work/nvidia-lossless.json
cat packaging/policies/nvidia-lossless.json >"$shipped"

lock() {
	echo integrity >/sys/kernel/security/lockdown
	! cat /sys/kernel/debug/mlx5/*/cc_params/np_cnp_prio 2>/dev/null || echo 'debugfs is open'
}

show_lists_them() {
	expect 0 losslessctl show $port
	says 'cnp.*, dcqcn.*: kernel lockdown (Secure Boot) closes debugfs'
}

the_shipped_policy_is_applied() {
	expect 0 losslessctl apply $shipped $port
	grep -q 'skipped .*cnp.dscp' "$work/out" || cat "$work/out"
	expect 0 losslessctl verify $shipped $port
	same pfc 0x08 "$(connectx $port state | sed -n 's/^pfc_en //p')"
	expect 0 losslessctl rollback $port
}

# make_policy writes a policy without "optional".
a_policy_that_needs_them_is_refused() {
	make_policy '{"pfc":{"priorities":[3]},"cnp":{"dscp":48}}' $port
	local before
	before=$(hardware $port)
	expect 1 losslessctl plan "$work/policy.json"
	says 'kernel lockdown'
	expect 1 losslessctl apply "$work/policy.json"
	same 'the port' "$before" "$(hardware $port)"
	says 'cnp.dscp'
	says 'kernel lockdown'
	expect 2 losslessctl verify "$work/policy.json"
	says 'kernel lockdown'
}

ofed_is_not_closed() {
	connectx $port ofed on
	make_policy '{"cnp":{"dscp":40}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	connectx $port ofed off
}

it 'lockdown closes debugfs, and nothing of the simulated port' lock
it 'show lists them as unsupported' show_lists_them
it 'the ready-made policy is applied and verified without them' the_shipped_policy_is_applied
it 'a policy that needs them changes nothing' a_policy_that_needs_them_is_refused
it "MLNX_OFED's files are not closed" ofed_is_not_closed
tap_end
