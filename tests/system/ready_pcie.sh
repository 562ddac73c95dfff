#!/usr/bin/env bash
# vm: --pcie
# short: 6.12
# The checks of `ready` that read PCI Express, in a guest with bridges, an IOMMU, two NUMA nodes and
# a GPU. lspci reads the same registers, and setpci runs the fixes.
. tests/system/lib.sh
. tests/system/lib_ready.sh

own=${pci_of[$port]}
device=/sys/bus/pci/devices/$own

# bridge_above ADDRESS
bridge_above() {
	basename "$(readlink -f "/sys/bus/pci/devices/$1/..")"
}

# fixed CHECK EXPECTED: the check is not ready until the command that `ready` prints has run.
fixed() {
	local fix
	judged not_ready "$1" "$2"
	fix=$(field fix)
	[[ $fix == 'run `setpci '*'`' ]] || { echo "no command: $fix" && return; }
	fix=${fix#run \`}
	${fix%\`}
	judged ready "$1" "$2"
}

# lspci_says TEXT [ADDRESS]
lspci_says() {
	[[ $(lspci -vvs "${2:-$own}") == *"$1"* ]] || echo "lspci does not say $1"
}

link_is_compared_with_adapter_and_slot() {
	judged ready pci-link '"full"' $other
	same 'details' '16.0 GT/s x16 of 16.0 GT/s x16' "$(field details)"
	lspci_says 'Speed 8GT/s, Width x8' "$(bridge_above "$own")"
	judged not_ready pci-link '"full"'
	same 'details' '8.0 GT/s x8 of 16.0 GT/s x16' "$(field details)"
	same 'message' 'the slot supports 8.0 GT/s x8' "$(field message)"
	judged ready pci-link '"slot"'
	connectx $port pci link 8 4
	lspci_says 'Speed 8GT/s (downgraded), Width x4 (downgraded)'
	judged not_ready pci-link '"slot"'
	same 'actual' reduced "$(field actual)"
}

largest_read_request_is_raised() {
	lspci_says 'MaxReadReq 512 bytes'
	judged ready pci-max-read-request 512
	fixed pci-max-read-request 4096
	lspci_says 'MaxReadReq 4096 bytes'
}

relaxed_ordering_is_switched() {
	lspci_says 'RlxdOrd+'
	fixed pci-relaxed-ordering '"off"'
	lspci_says 'RlxdOrd-'
	fixed pci-relaxed-ordering '"on"'
	lspci_says 'RlxdOrd+'
	lspci_says 'MaxReadReq 4096 bytes'
}

acs_of_the_bridge_is_switched_off() {
	local bridge
	bridge=$(bridge_above "$own")
	lspci_says 'ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-' "$bridge"
	judged ready pci-acs '"on"'
	same 'details' "on in $bridge" "$(field details)"
	fixed pci-acs '"off"'
	lspci_says 'SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd+' "$bridge"
	judged not_ready pci-acs '"on"'
	says 'BIOS'
}

# Two bridges of the switch, which have no ACS, are between this port and the root port.
acs_is_found_above_a_switch() {
	judged not_ready pci-acs '"off"' $other
	same 'details' 'on in 0000:80:00.0' "$(field details)"
}

ats_is_read() {
	lspci_says 'ATSCtl:	Enable+'
	judged ready pci-ats '"on"'
	judged not_ready pci-ats '"off"'
	same 'fix' "run \`mstconfig -d $own set ATS_ENABLED=0\`, then reboot" "$(field fix)"
	setpci -s "$own" ECAP_ATS+6.w=0000:8000
	judged ready pci-ats '"off"'
}

# The type of a group changes while no driver has the device, which then is a new port.
iommu_is_read() {
	lspci_says 'IOMMU group'
	judged ready iommu '"translated"'
	judged not_ready iommu '"passthrough"'
	[[ $(field fix) == *iommu.passthrough=1* ]] || field fix
	echo "$own" >"$device/driver/unbind"
	echo identity >"$device/iommu_group/type"
	echo "$own" >/sys/bus/pci/drivers/mlx5_core/bind
	ip link set "$(ls "$device/net")" name $port up
	judged ready iommu '"passthrough"'
	judged not_ready iommu '"translated"'
}

numa_node_is_found() {
	lspci_says 'NUMA node: 1' "${pci_of[$other]}"
	judged ready numa-node '"known"' $other
	same 'details' 'node 1' "$(field details)"
	judged not_ready numa-node '"known"'
}

gpu_behind_the_same_switch_is_near() {
	lspci -D | grep -q '^0000:84:00.0 VGA .*AMD' || lspci -D
	judged ready gpu-distance '"switch"' $other
	same 'details' 'switch to 0000:84:00.0' "$(field details)"
	judged not_ready gpu-distance '"same-node"'
	same 'details' 'other-node to 0000:84:00.0' "$(field details)"
	judged ready gpu-distance '"other-node"'
}

# The kernel shows the first 64 bytes of configuration space to everybody, and no more.
users_need_sudo() {
	local check
	chmod 755 "$work"
	for check in pci-relaxed-ordering pci-acs pci-ats; do
		judged ready $check '"on"' $other
		expect 2 setpriv --reuid 65534 --clear-groups losslessctl ready "$work/ready.json"
		says 'only root may read PCI configuration space beyond 64 bytes'
		says 'sudo losslessctl ready'
	done
}

it "the speed of the link is compared with adapter and slot" link_is_compared_with_adapter_and_slot
it "the largest read request is raised by the fix" largest_read_request_is_raised
it "relaxed ordering is switched by the fix" relaxed_ordering_is_switched
it "ACS of the bridge is switched off by the fix" acs_of_the_bridge_is_switched_off
it "ACS is found above a switch" acs_is_found_above_a_switch
it "ATS is read" ats_is_read
it "the NUMA node is found" numa_node_is_found
it "a GPU behind the same switch is near, another is not" gpu_behind_the_same_switch_is_near
it "the fix for users is sudo" users_need_sudo
it "the type of the IOMMU's group is read" iommu_is_read
tap_end
