#!/usr/bin/env bash
# vm: --pcie
# only: 6.12
# The metric of ready under the agent's unit: its sandbox hides only the checks that the manual
# names.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_systemd.sh

service=losslessctl.service
judged='"pci-link":"full","pci-max-read-request":4096,"pci-relaxed-ordering":"off","pci-acs":"off","pci-ats":"off","iommu":"off","numa-node":"known","gpu-distance":"switch","rdma-mtu":4096,"fec-errors":0,"symbol-errors":0,"link-downs":1000,"gpu-memory":"dmabuf","memlock-services":"unlimited","hugepages":0,"gid":"uniform","shared-subnet":"routed","rdma-netns":"exclusive","firmware":"uniform"'

# Two checks are not ready: ports in one subnet share a route, and a port has symbol errors.
install_policy() {
	ip addr add 10.0.1.1/24 dev $port
	ip addr add 10.0.1.2/24 dev $other
	sysctl -qw net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2
	connectx $port counter rx_symbol_err_phy 1
	agent_policy report '{}' '{"mtu":9000}'
	mkdir -p /etc/losslessctl
	sed "s/\"version\":1,/&\"ready\":{$judged},/" "$work/policy.json" >/etc/losslessctl/policy.json
}

# outside: print "CHECK PORT 1" for each check that is ready, and 0 for each that is not.
outside() {
	losslessctl ready /etc/losslessctl/policy.json --json --all |
		jq -r '.checks[] | select(.expected != null and (.status == "ready" or .status == "not_ready")) |
			"\(.check) \(.port // "host") \(if .status == "ready" then 1 else 0 end)"' | sort
}

# inside: print the same from the unit's metrics.
inside() {
	sed -nE 's/^losslessctl_ready\{netdev="(.*)",check="(.*)"\} (.)$/\2 \1 \3/p
		s/^losslessctl_ready\{check="(.*)"\} (.)$/\1 host \2/p' $run/metrics.prom | sort
}

# Checks of PCI configuration space, which needs CAP_SYS_ADMIN.
hidden='^pci-(max-read-request|relaxed-ordering|acs|ats) '

# Start a service whose name is that of a service for jobs.
start_slurmd() {
	printf '[Service]\nExecStart=/bin/sleep 600\n' >/run/systemd/system/slurmd.service
	in_systemd systemctl start slurmd.service
}

the_unit_reads_what_a_user_reads() {
	install_policy
	start_slurmd
	expect 0 in_systemd systemctl start $service
	quickly grep -qs '^losslessctl_ready{' $run/metrics.prom
	outside >"$work/outside"
	same 'hidden checks, of two ports' 8 "$(grep -cE "$hidden" "$work/outside")"
	same 'checks of the unit' "$(grep -vE "$hidden" "$work/outside")" "$(inside)"
	grep -q '^symbol-errors.* 0$' "$work/outside" || cat "$work/outside"
	grep -q '^shared-subnet host 0$' "$work/outside" || cat "$work/outside"
	expect 0 in_systemd systemctl stop $service
	in_systemd systemctl stop slurmd.service
}

# gpu-memory has no value, as the guest's GPU is not NVIDIA's.
every_other_check_has_a_value() {
	tr , '\n' <<<"$judged" | sed 's/"\(.*\)":.*/\1/' | sort >"$work/judged"
	same 'checks without a value' "gpu-memory" \
		"$(cut -d' ' -f1 "$work/outside" | sort -u | comm -13 - "$work/judged")"
}

boot_systemd
it 'the unit reads what a user reads, but for PCI configuration space' the_unit_reads_what_a_user_reads
it 'every other check has a value' every_other_check_has_a_value
tap_end
