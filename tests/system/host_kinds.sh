#!/usr/bin/env bash
# only: 6.12
# Tests of the ports of real hosts: a bond with one RDMA device, the uplink of a switch, a BlueField
# that its Arm side configures, a virtual function in a virtual machine, representors.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_bond.sh

# becomes HEX: this PCI device, after a cold start.
becomes() {
	connectx $port pci device "$1"
	connectx $port power cycle
	wait_carrier
}

lossless='{"mtu":9000,"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}'

# The inbox driver creates DCQCN's files only for the member with the RDMA device.
a_lag_has_one_rdma_device() {
	bond
	make_policy '{"pfc":{"priorities":[3]},"cnp":{"dscp":40},"dcqcn":{"rpg_gd":10},"roce":{"mode":"v2"}}' bond9
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify --all "$work/policy.json"
	says 'the inbox driver sets it on the other member of the bond alone'
	says "the bond's RDMA device is on another member"
	same 'cnp.dscp' 40 "$(cat /sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params/np_cnp_dscp)"
	expect 0 losslessctl rollback
	unbond
}

# Kernel lockdown closes the files of the member that has them: apply must not skip them.
lockdown_is_no_lag() {
	bond
	echo integrity >/sys/kernel/security/lockdown
	make_policy '{"cnp":{"dscp":40}}' bond9
	expect 1 losslessctl apply "$work/policy.json"
	says 'kernel lockdown'
	unbond
}

an_uplink_of_a_switch_has_no_roce() {
	devlink dev eswitch set pci/${pci_of[$port]} mode switchdev
	make_policy '{"mtu":9000,"roce":{"mode":"v2","tos":106}}' $port
	local before
	before=$(hardware $port)
	expect 1 losslessctl plan "$work/policy.json"
	says 'RoCE is on its VFs and SFs'
	expect 1 losslessctl apply "$work/policy.json"
	says 'RoCE is on its VFs and SFs'
	same 'the port' "$before" "$(hardware $port)"
	sed -i 's/"mtu":9000/"optional":["roce.*"],&/' "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	devlink dev eswitch set pci/${pci_of[$port]} mode legacy
}

# The driver gives the RDMA device a port for each function, and counters to the device alone.
functions_hide_no_uplink() {
	echo 3 >/sys/bus/pci/devices/${pci_of[$port]}/sriov_numvfs
	devlink dev eswitch set pci/${pci_of[$port]} mode switchdev
	wait_carrier
	[ "$(rdma link show | grep -c "^link $(rdma_of $port)/")" -ge 4 ] || rdma link show
	expect 0 losslessctl --json show $port
	same uplink "$(rdma_of $port) switchdev" "$(jq -r '.ports[0].device | "\(.rdma) \(.eswitch_mode)"' "$work/out")"
	connectx $port counter np_cnp_sent 5
	expect 0 losslessctl --json watch --count 2 --interval 1 $port
	says '"cnp_sent_per_s":0'
	expect 0 losslessctl show
	says 'ignored: a representor'
	devlink dev eswitch set pci/${pci_of[$port]} mode legacy
	echo 0 >/sys/bus/pci/devices/${pci_of[$port]}/sriov_numvfs
	wait_carrier
}

in_dpu_mode_the_host_does_not_write() {
	connectx $port eswitch manager off
	becomes a2dc
	make_policy "$lossless" $port
	local before
	before=$(hardware $port)
	expect 1 losslessctl plan "$work/policy.json"
	says 'the BlueField is in DPU mode: its Arm side configures this port'
	expect 1 losslessctl apply "$work/policy.json"
	says 'the BlueField is in DPU mode: its Arm side configures this port'
	same 'the port' "$before" "$(hardware $port)"
	expect 2 losslessctl verify "$work/policy.json"
	says "run losslessctl on the BlueField's Arm side"
	found grep 'to repair' "$work/out"
	losslessctl bundle --anonymise >"$work/dpu.json"
	expect 1 losslessctl plan --state "$work/dpu.json" "$work/policy.json"
	says 'the BlueField is in DPU mode: its Arm side configures this port'
	connectx $port eswitch manager on
	becomes a2dc
	expect 0 losslessctl apply "$work/policy.json" # in NIC mode, or on the Arm side
	expect 0 losslessctl rollback
	becomes 1019
}

# The PCI id is the only sign of a VF.
in_a_vm_a_vf_is_a_vf() {
	becomes 101e
	make_policy '{"mtu":9000,"pfc":{"priorities":[3],"storm_timeout_ms":100},"pause":{"rx":false,"tx":false}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	says 'pause.rx, pause.tx, pfc.priorities, pfc.storm_timeout_ms: inherited from the PF'
	expect 0 losslessctl rollback
	becomes 1019
}

# A process for each packet would take longer than a sample on a busy machine.
traffic_stops_a_flap() {
	make_policy "$lossless" $port
	while echo "${pci_of[$port]} counter rx_vport_rdma_unicast_packets 7" >/proc/connectx/control; do :; done &
	local traffic=$!
	expect 1 losslessctl apply "$work/policy.json"
	says 'RDMA traffic passes through this port: '
	expect 0 losslessctl apply --allow-disruption "$work/policy.json"
	kill $traffic
	wait $traffic
	expect 0 losslessctl rollback
}

# lag_has PATTERN: a queue pair of the bond's RDMA device.
lag_has() { rdma res show qp | grep -q "^link mlx5_bond_0.*$1"; }

# One end's pair is ready to send, the other end's to receive: both are connected.
queue_pairs_of_a_lag_are_those_of_all_members() {
	local writers
	bond
	ip address add 192.0.2.1/24 dev bond9
	quickly lag_has RTS
	ib_write_bw -d mlx5_bond_0 -x 3 >/dev/null 2>&1 &
	writers=$!
	quickly eval 'ss -tln | grep -q :18515'
	ib_write_bw -d mlx5_bond_0 -x 3 -D 60 127.0.0.1 >/dev/null 2>&1 &
	writers+=" $!"
	quickly lag_has 'type RC state RTS'
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $other
	expect 1 losslessctl apply "$work/policy.json" $other
	says '2 RDMA queue pairs are connected through this port'
	kill $writers
	wait $writers 2>/dev/null
	unbond
}

# runs_as NAME: start a process of root with this name; set `pid`.
runs_as() {
	cp /bin/sleep "$work/$1"
	"$work/$1" 600 >/dev/null 2>&1 &
	pid=$!
}

# warns COUNT NAME COMMAND...: COMMAND warns COUNT times about program NAME.
warns() {
	local count=$1 name=$2
	shift 2
	"$@" >"$work/out" 2>"$work/err" || true
	same "warnings of $name by $*" "$count" "$(cat "$work/out" "$work/err" | grep -c "$name (pid $pid) also writes")"
}

another_writer() {
	local pid
	runs_as nic-configuration-daemon
	expect 0 losslessctl show $port
	says "other writer: nic-configuration-daemon (pid $pid): pause.rx, pause.tx, pfc.priorities, trust"
	expect 0 losslessctl --json show $port
	says '"other_writers":[{"name":"nic-configuration-daemon","pid":'$pid',"settings":["pause.rx",'
	make_policy '{"pfc":{"priorities":[3]},"roce":{"tos":106}}' $port
	warns 1 nic-configuration-daemon losslessctl plan "$work/policy.json"
	says 'also writes pfc.priorities, roce.tos: remove roceOptimized'
	warns 1 nic-configuration-daemon losslessctl apply "$work/policy.json"
	warns 1 nic-configuration-daemon losslessctl verify "$work/policy.json"
	losslessctl --json show >"$work/show.json"
	warns 1 nic-configuration-daemon losslessctl --state "$work/show.json" verify "$work/policy.json"
	make_policy '{"mtu":4200}' $port
	warns 0 nic-configuration-daemon losslessctl plan "$work/policy.json"
	kill $pid
	runs_as dmsd
	warns 1 dmsd losslessctl plan "$work/policy.json"
	kill $pid
	expect 0 losslessctl --json show $port
	says '"other_writers":[]'
	reset_ports
}

another_program() {
	local pid
	runs_as nic-configurations-viewer
	expect 0 losslessctl --json show $port
	says '"other_writers":[]'
	kill $pid
}

in_long it 'RDMA traffic stops a link flap' traffic_stops_a_flap
in_long it 'in a LAG the queue pairs of one device stop all members' queue_pairs_of_a_lag_are_those_of_all_members
# The simulated register alone shows whether a buffer is lossy.
no_buffer_stays_lossy_under_pfc() {
	connectx $port firmware cap buf_ownership off
	connectx $port restart
	wait_carrier
	make_policy '{"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]},"buffer":{"prio_buffer":[0,0,0,1,0,0,0,0],"size_bytes":[100096,100096,0,0,0,0,0,0]}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	same 'lossy buffers' 'lossy 1 0 1 1 1 1 1 1' "$(connectx $port state | grep '^lossy')"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	connectx $port firmware cap buf_ownership on
	connectx $port restart
	wait_carrier
}

# All priorities share one buffer; the other buffers are too small to hold a priority for a moment.
eight_lossless_priorities_share_a_buffer() {
	make_policy '{"mtu":1500,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[0,1,2,3,4,5,6,7],"cable_m":5},"buffer":{"prio_buffer":[0,0,0,0,0,0,0,0],"size_bytes":[53632,4224,0,5888,0,2432,0,0]}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
}

it 'no buffer stays lossy under PFC' no_buffer_stays_lossy_under_pfc
it 'eight lossless priorities share one buffer' eight_lossless_priorities_share_a_buffer
it 'a LAG has its congestion parameters on one member' a_lag_has_one_rdma_device
it 'the uplink of a switch has no RoCE of its own' an_uplink_of_a_switch_has_no_roce
it 'functions of a switch do not hide its uplink' functions_hide_no_uplink
it 'the host of a BlueField in DPU mode writes nothing' in_dpu_mode_the_host_does_not_write
it 'a VF in a virtual machine is known by its PCI id' in_a_vm_a_vf_is_a_vf
show_says_what_applies() {
	becomes a2dc
	devlink dev eswitch set pci/${pci_of[$port]} mode switchdev
	expect 0 losslessctl show $port
	says '  role                  uplink of a switch (switchdev): RoCE is on its VFs and SFs'
	says '  role                  BlueField: in DPU mode its Arm side configures this port'
	says "host: Linux $(uname -r), inbox mlx5 driver, kernel lockdown: none, RDMA namespaces: shared"
	expect 0 losslessctl --json show $port
	same facts 'switchdev true false inbox none shared' "$(jq -r \
		'[(.ports[0].device | .eswitch_mode, .bluefield, .lag), (.platform | .mlx5, .lockdown,
		.rdma_netns)] | map(tostring) | join(" ")' "$work/out")"
	devlink dev eswitch set pci/${pci_of[$port]} mode legacy
	becomes 1019
}

# The VF's interface is in a pod; its RDMA device remains where the host can set it.
a_vf_of_a_pod_is_set_through_its_rdma_device() {
	local rdma
	rdma=$(rdma_of $port)
	becomes 101e
	ip netns add pod
	ip link set $port netns pod
	ip -n pod link set $port up
	expect 0 losslessctl show $rdma
	says "$rdma  mlx5_core"
	says 'its interface is in another network namespace: roce.* alone can be set here'
	says 'host.tcp_ecn: its interface is in another network namespace'
	says 'roce.traffic_class: only MLNX_OFED can force a traffic class'
	expect 0 losslessctl show
	says "mtu                   $rdma unavailable; $other 1500"
	expect 0 losslessctl --json show $rdma
	same device 'false true' "$(jq -r '.ports[0].device | "\(.interface) \(.vf)"' "$work/out")"
	echo '{"version":1,"profiles":{"p":{"mtu":9000,"pfc":{"priorities":[3]},"roce":{"mode":"v2","tos":106}}},
		"rules":[{"match":{"rdma":"'$rdma'"},"profile":"p"}]}' >"$work/policy.json"
	expect 2 losslessctl plan "$work/policy.json"
	sed 's/"rdma":"[^"]*"/"name":"*"/' "$work/policy.json" >"$work/all.json"
	expect 2 losslessctl plan "$work/all.json"
	says "$rdma  mlx5_core"
	expect 0 losslessctl apply "$work/policy.json"
	same tos 106 "$(cat /sys/kernel/config/rdma_cm/$rdma/ports/1/default_roce_tos)"
	expect 0 losslessctl verify --all "$work/policy.json"
	says 'skipped     mtu                   its interface is in another network namespace'
	echo 0 >/sys/kernel/config/rdma_cm/$rdma/ports/1/default_roce_tos
	expect 2 losslessctl verify "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl watch --count 2 --interval 1 $rdma
	expect 3 losslessctl peer $rdma
	says 'its interface is in another network namespace (port-without-interface)'
	expect 0 losslessctl rollback
	same tos 0 "$(cat /sys/kernel/config/rdma_cm/$rdma/ports/1/default_roce_tos)"
	ip -n pod link set $port netns 1
	becomes 1019
	ip link set $port netns pod
	expect 0 losslessctl show
	says "$rdma  ignored: without an interface in this network namespace"
	ip -n pod link set $port netns 1
	ip netns del pod
	ip link set $port up
	wait_carrier
}

it 'a pod has the interface of a VF: its RDMA device is set' a_vf_of_a_pod_is_set_through_its_rdma_device

# Use uname's release and version of a kernel that has both changes, and of one that reverts both.
a_kernel_that_slows_mlx5() {
	local file
	make_policy '{"mtu":9000}'
	expect 0 losslessctl apply "$work/policy.json"
	echo '6.12.48+deb13-amd64' >"$work/osrelease"
	echo '#1 SMP PREEMPT_DYNAMIC Debian 6.12.48-1 (2025-09-20)' >"$work/version"
	for file in osrelease version; do
		mount --bind "$work/$file" /proc/sys/kernel/$file
	done
	expect 0 losslessctl show
	says "this kernel's mlx5 driver slows most traffic to a trickle (mlx5-xoff-regression)"
	expect 0 losslessctl --json show
	same faults '["mlx5-xoff-regression"]' "$(jq -c .platform.known_faults "$work/out")"
	expect 0 losslessctl verify "$work/policy.json"
	says 'this host'
	says 'Linux 6.12.48+deb13-amd64 has two changes of Xon and Xoff in mlx5'
	says 'upgrade the kernel'
	same 'warnings' 1 "$(grep -c 'mlx5-xoff-regression' "$work/out")"
	expect 2 losslessctl verify --strict "$work/policy.json"
	for file in plan apply; do
		expect 0 losslessctl $file "$work/policy.json"
		same "warnings of $file" 1 "$(grep -c 'mlx5-xoff-regression' "$work/err")"
	done
	echo '6.12.57+deb13-amd64' >"$work/osrelease"
	echo '#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)' >"$work/version"
	expect 0 losslessctl verify "$work/policy.json"
	same 'a fixed kernel' 0 "$(grep -c 'Xoff' "$work/out")"
	umount /proc/sys/kernel/osrelease /proc/sys/kernel/version
	expect 0 losslessctl rollback
}

it 'a kernel that slows mlx5 is a warning once a run' a_kernel_that_slows_mlx5
it 'show says what applies to this host and port' show_says_what_applies
it 'lockdown does not pass for a LAG' lockdown_is_no_lag
it 'a management program that writes the same settings is named' another_writer
it 'a program whose name begins with the same 15 bytes is not' another_program
tap_end
