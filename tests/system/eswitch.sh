#!/usr/bin/env bash
# short: 6.1
# Tests of the E-Switch's mode with Debian's own driver, whose ports have a switch ID in every mode.
. tests/system/lib.sh

nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl "$@"
}

modes() {
	jq -r '[.ports[].device.eswitch_mode] | join(" ")' "$work/out"
}

nothing_claims_switchdev() {
	grep -n switchdev "$work/out" "$work/err"
}

# settles FILE: apply and verify succeed, and plan finds nothing left to do.
settles() {
	expect 0 losslessctl apply - <"$1"
	expect 0 losslessctl verify - <"$1"
	expect 0 losslessctl plan - <"$1"
	expect 0 losslessctl rollback
}

show_reports_legacy() {
	expect 0 losslessctl --json show
	same modes 'legacy legacy' "$(modes)"
	expect 0 losslessctl show
	grep -n ' role ' "$work/out"
	nothing_claims_switchdev
}

# Asking devlink takes CAP_NET_ADMIN. A GID is a sign of legacy mode.
a_user_sees_no_switch() {
	expect 0 nobody --json show
	same modes 'legacy legacy' "$(modes)"
	expect 0 nobody show
	nothing_claims_switchdev
	expect 2 nobody verify - <"$policy"
	nothing_claims_switchdev
	expect 2 nobody plan - <"$policy"
	nothing_claims_switchdev
}

# sees MODE: root sees a switch's uplink and a port in legacy mode; a user sees MODE for the uplink.
sees() {
	expect 0 losslessctl --json show $port $other
	same 'modes for root' 'switchdev legacy' "$(modes)"
	expect 0 nobody --json show $port $other
	same 'modes for a user' "$1 legacy" "$(modes)"
}

# A user knows a switch by the representor of a VF.
a_switchs_uplink_has_no_roce() {
	local device=pci/${pci_of[$port]}
	expect 0 devlink dev eswitch set "$device" mode switchdev
	sees unknown
	make_policy '{"roce":{"mode":"v2"}}' $port
	expect 1 losslessctl plan - <"$work/policy.json"
	says 'RoCE is on its VFs and SFs'
	expect 1 losslessctl apply - <"$work/policy.json"
	says 'RoCE is on its VFs and SFs'
	make_policy '{"roce":{"tos":106},"optional":["roce.*"]}'
	losslessctl env - <"$work/policy.json" >"$work/out" 2>"$work/err"
	says 'is the uplink of a switch (switchdev), and RoCE is on its VFs and SFs: it is left out'
	! grep "$(rdma_of $port)" "$work/out" || echo 'jobs are given its device'
	echo 1 >/sys/class/net/$port/device/sriov_numvfs
	sees switchdev
	echo 0 >/sys/class/net/$port/device/sriov_numvfs
	expect 0 devlink dev eswitch set "$device" mode legacy
	show_reports_legacy
}

enabled() {
	jq -r '[.ports[].config.roce.enabled] | join(" ")' "$work/out"
}

# The driver has ten parameters, and since 6.12 each function has two devices in devlink.
each_port_has_its_own_parameter() {
	local pci=${pci_of[$other]}
	expect 0 devlink dev param set "pci/$pci" name enable_roce value false cmode driverinit
	expect 0 losslessctl --json show
	same 'enable_roce before a reload' 'true ' "$(enabled)"
	says 'devlink has the value for the next reload, off; RoCE is on now'
	says "devlink dev reload pci/$pci"
}

# Without RoCE a port has no GID. Its name is another one after the reload.
an_unknown_mode_refuses_nothing() {
	expect 0 devlink dev reload "pci/${pci_of[$other]}"
	make_policy '{"mtu":9000}'
	expect 0 nobody --json show
	same modes 'legacy unknown' "$(modes)"
	expect 2 nobody plan - <"$work/policy.json"
	expect 0 losslessctl --json show
	same modes 'legacy legacy' "$(modes)"
	same 'enable_roce after it' 'true false' "$(enabled)"
	expect 0 losslessctl apply - <"$work/policy.json"
	expect 0 nobody verify - <"$work/policy.json"
}

files=(packaging/policies/{nvidia-lossless,spectrum-x}.json packaging/examples/gpu-backend.json)
! is_long || files=(packaging/policies/*.json packaging/examples/*.json)
for file in "${files[@]}"; do
	it "${file##*/} applies and verifies in legacy mode" settles "$file"
done
it 'show reports legacy mode' show_reports_legacy
it 'a user without privileges sees no switch' a_user_sees_no_switch
it 'the uplink of a switch has no RoCE of its own' a_switchs_uplink_has_no_roce
it 'each port has its own enable_roce' each_port_has_its_own_parameter
it 'an unknown mode refuses nothing' an_unknown_mode_refuses_nothing
tap_end
