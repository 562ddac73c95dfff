#!/usr/bin/env bash
# vm: --pcie
# only: 6.12
# Tests of NVIDIA's rdma_topo, which `ready` runs where it is installed. Debian 12 has none, and the
# guest is no platform that it supports: a script prints recorded output. Not tested on hardware.
. tests/system/lib.sh
. tests/system/lib_programs.sh
. tests/system/lib_ready.sh

recorded=tests/fuzz/corpus/firmware/rdma-topo-
tool=/usr/sbin/rdma_topo
asked=$work/asked

programs_can_be_added /usr/sbin

# Cover the vendor file: the guest's GPU is AMD's.
gpu_is_nvidias() {
	echo 0x10de >"$work/vendor"
	mount --bind "$work/vendor" "/sys/bus/pci/devices/0000:84:00.0/vendor"
}
gpu_is_nvidias

# does COMMAND...: the stand-in runs COMMAND from now on.
does() {
	printf '#!/bin/sh\necho "$0 $*" >>%s\n%s\n' "$asked" "$*" >$tool
	chmod 755 $tool
	: >"$asked"
}

# prints RECORDED CODE: the stand-in prints this recording and exits with CODE.
prints() {
	cp "$recorded$1" "$work/printed"
	does "cat $work/printed; exit $2"
}

is_asked_where_it_is_installed() {
	judged not_applicable rdma-topo '"passed"'
	same 'message' 'rdma_topo is not installed (rdma-core 61 or later)' "$(field message)"
	prints passed 0
	judged ready rdma-topo '"passed"'
	same 'asked' "$tool check" "$(cat "$asked")"
	judged not_ready rdma-topo '"failed"'
	: >"$asked"
	expect 2 losslessctl ready
	same 'asked once for two ports' "$tool check" "$(cat "$asked")"
	: >"$asked"
	losslessctl show >/dev/null
	losslessctl verify "$work/ready.json" >/dev/null
	same 'other verbs ask' '' "$(cat "$asked")"
}

# The real rdma_topo reads the configuration space and the VPD of every device.
it_may_read_what_it_must() {
	cat >$tool <<-END
		#!/usr/bin/env python3
		import os
		root = "/sys/bus/pci/devices/"
		sizes = {len(open(root + d + "/config", "rb").read()) for d in os.listdir(root)}
		print("OK\tread", sorted(sizes)) if 4096 in sizes else print("FAIL\tread", sizes)
	END
	judged ready rdma-topo '"passed"'
	field message
}

its_failure_is_the_reason() {
	local acs='ACS for grace_rp 0006:00:00.0 has incorrect values 0011101 != xx111x0, (0x1d != 0x1c)'
	prints acs 100
	judged not_ready rdma-topo '"passed"'
	same 'message' "$acs" "$(field message)"
	same 'fix' 'let rdma_topo write the boot parameters of ACS (write-grub-acs), then reboot' "$(field fix)"
	prints iommu-group 100
	judged not_ready rdma-topo '"passed"'
	same 'message' 'Kernel iommu_group for DMA 0006:03:00.0 and GPU 0006:05:00.0 are not equal 12 != 13' \
		"$(field message)"
	prints several 100
	judged not_ready rdma-topo '"passed"'
	[[ $(field message) == *'(0x1d != 0x0) (and 2 more)' ]] || field message
	expect 2 losslessctl doctor --sample-for 1
	says 'rdma-topo'
	says 'let rdma_topo write the boot parameters'
}

acs_is_judged_by_one() {
	judged not_applicable pci-acs '"off"'
	same 'message' 'rdma_topo judges ACS here: see rdma-topo' "$(field message)"
	prints no-topology 100
	judged not_ready pci-acs '"off"'
	rm $tool
	judged not_ready pci-acs '"off"'
}

unknown_platforms_are_not_applicable() {
	local name
	for name in no-topology no-dma; do
		prints $name 100
		judged not_applicable rdma-topo '"passed"'
	done
	same 'message' 'No ConnectX DMA Direct functions detected' "$(field message)"
}

other_output_is_no_judgement() {
	prints traceback 1
	judged unknown rdma-topo '"passed"'
	same 'message' \
		'rdma_topo: ValueError: CX DMA function PCIDevice(0006:03:00.0) does not have a nearby GPU' \
		"$(field message)"
	does 'head -c 100000 /dev/urandom'
	judged unknown rdma-topo '"passed"'
	losslessctl ready --all | grep -q '[[:cntrl:]]' && echo 'control characters'
	does 'yes "OK	fine"'
	judged unknown rdma-topo '"passed"'
	does 'exec sleep 600'
	judged unknown rdma-topo '"passed"'
	same 'message' "rdma_topo: $tool did not end within 15 s" "$(field message)"
	! pgrep -x sleep || echo 'it still runs'
}

users_do_not_start_it() {
	prints passed 0
	printf '{"version":1,"ready":{"memlock":"ignore","gpu-memory":"ignore","gid":"ignore","numa-node":"ignore"},"profiles":{"p":{"mtu":1500}},"rules":[{"match":{"name":"ens*"},"profile":"p"}]}\n' \
		>"$work/ready.json"
	expect 3 setpriv --reuid 65534 --clear-groups losslessctl ready "$work/ready.json"
	says 'rdma_topo needs root'
	says 'sudo losslessctl ready'
	chown 65534 $tool
	judged unknown rdma-topo '"passed"'
	chown 0 $tool
	same 'asked' '' "$(cat "$asked")"
}

it "it is asked where it is installed, once a run" is_asked_where_it_is_installed
it "it may read the configuration space of all devices" it_may_read_what_it_must
it "its failure is the reason" its_failure_is_the_reason
it "where it judges ACS, pci-acs does not" acs_is_judged_by_one
it "a platform that it does not know is not applicable" unknown_platforms_are_not_applicable
it "other output is no judgement" other_output_is_no_judgement
it "users do not start it, and nobody's own is started" users_do_not_start_it
tap_end
