#!/usr/bin/env bash
# vm: --pcie
# only: 6.12
# The checks of `ready` that read PCI Express, in a guest with bridges, an IOMMU, two NUMA nodes and
# a GPU. lspci reads the same registers, and setpci runs the fixes.
. tests/system/lib.sh
. tests/system/lib_agent.sh
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
	same 'fix' "set ATS_ENABLED=0 in the firmware of device $own with mstconfig, then reboot" "$(field fix)"
	setpci -s "$own" ECAP_ATS+6.w=0000:8000
	judged ready pci-ats '"off"'
}

# Function 1 and not 2, as the port has a bus of its own. The driver does not ask for a VF's link:
# mlx5_core calls pcie_print_link_status() for PFs alone.
virtual_functions_share_the_bridge() {
	local vf=${own%.0}.1 name
	echo 1 >"$device/sriov_numvfs"
	name=$(ls "$device/virtfn0/net")
	lspci_says 'Speed unknown (downgraded), Width x0 (downgraded)' "$vf"
	judged not_applicable pci-link '"full"' "$name"
	judged ready pci-acs '"off"' "$name"
	judged ready iommu '"translated"' "$name"
	expect 0 losslessctl show "$name"
	says 'its PF has the DCB settings'
}

representors_share_the_bridge() {
	expect 0 devlink dev eswitch set "pci/$own" mode switchdev
	expect 0 losslessctl show
	says 'ignored: a representor: configure its uplink'
	says 'uplink of a switch (switchdev)'
	grep -qF 'No such file' "$work/out" && cat "$work/out"
	judged ready pci-acs '"off"'
	devlink dev eswitch set "pci/$own" mode legacy
	echo 0 >"$device/sriov_numvfs"
}

# counted FILE LINE: the kernel's counter of errors of the bus says so.
counted() { quickly grep -qx "$2" "$device/$1" || cat "$device/$1"; }

# Debian's aerdrv counts and clears what the root port signals; after the second error it makes
# mlx5_core start anew.
errors_of_the_bus_are_counted() {
	lspci_says 'CEMsk:	RxErr- BadTLP-'
	connectx $port pci error correctable
	counted aer_dev_correctable 'BadTLP 1'
	lspci_says 'CESta:	RxErr- BadTLP-'
	connectx $port pci error nonfatal
	counted aer_dev_nonfatal 'CmpltTO 1'
	same 'errors at the root port' 1 "$(cat "/sys/bus/pci/devices/$(bridge_above "$own")/aer_rootport_total_err_nonfatal")"
	quickly eval 'dmesg | grep -q "AER: device recovery successful"'
	ip link set "$(ls "$device/net")" name $port up
	expect 0 losslessctl show $port
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
it "a virtual function shares the bridge of its port" virtual_functions_share_the_bridge
it "switchdev mode works below a bridge" representors_share_the_bridge
it "errors of the bus are counted, and the driver recovers" errors_of_the_bus_are_counted
it "the type of the IOMMU's group is read" iommu_is_read
tap_end
