# shellcheck shell=bash
# Facts about kinds of hosts, checked by reading: rows of "Real hosts" in
# packaging/docs/hardware.md. A host is of few kinds: facts about others are unknown. To be sourced.

# show_has KEY VALUE: show's device or platform has this value.
show_has() {
	field "$1" "$shown"
	[ "$value" = "$2" ] || echo "show: $1 is ${value:-not told}"
}

# only_if TRUTH KEY: show's KEY equals TRUTH.
only_if() {
	see_shown
	show_has "$2" "$1"
}

# what_is COMMAND...: set $value to "true" if the command succeeds, else to "false".
what_is() {
	value=false
	! "$@" >/dev/null 2>&1 || value=true
}

pci_device_id() {
	read -r value <"/sys/bus/pci/devices/$pci/device" || value=
	value=${value#0x}
}

# R1. Lockdown closes debugfs, and nothing else does.
lockdown_closes_debugfs() {
	local level
	[ -d "$cc_folder" ] || unknowable 'no congestion control parameters in debugfs'
	read -r level 2>/dev/null </sys/kernel/security/lockdown || unknowable 'the kernel tells no lockdown'
	level=${level#*[} level=${level%%]*}
	see_shown
	show_has lockdown "\"$level\""
	what_is cat "$cc_folder/np_cnp_dscp"
	case $level:$value in
	none:true | integrity:false | confidentiality:false) remark "lockdown: $level" ;;
	*) echo "lockdown is $level, and debugfs can be read: $value" ;;
	esac
}

bond_of_port() {
	value=$(readlink "/sys/class/net/$port/master")
	value=${value##*/}
}

# R2. The members of a LAG have one RDMA device; one member has congestion control parameters.
lag_has_one_device() {
	local member devices=0 folders=0 links
	bond_of_port
	[ -n "$value" ] || unknowable 'the port is in no bond'
	links=$(rdma link show)
	for member in $(<"/sys/class/net/$value/bonding/slaves"); do
		[[ " $links " != *" netdev $member "* ]] || devices=$((devices + 1))
		member=$(readlink "/sys/class/net/$member/device")
		[ ! -e "/sys/kernel/debug/mlx5/${member##*/}/cc_params" ] || folders=$((folders + 1))
	done
	[ $devices -le 1 ] || unknowable "its members have $devices RDMA devices: no LAG"
	[ $folders -le 1 ] || echo "$folders members have congestion control parameters"
	only_if true lag
}

is_uplink() {
	[[ $(devlink dev eswitch show "pci/$pci" 2>/dev/null) == *'mode switchdev'* ]]
}

# R3. RoCE needs a GID.
uplink_has_no_gid() {
	is_uplink || unknowable 'the adapter is no switch (switchdev)'
	rdma_must_be_there
	! grep -hv '^[0:]*$' "/sys/class/infiniband/$rdma_name/ports/1/gids/"* 2>/dev/null |
		head -n 1 | grep . || echo 'is a GID of the uplink'
	see_shown
	show_has eswitch_mode '"switchdev"'
}

# R5. Only the eswitch shows the mode; the remark reports it to users who know the mode.
dpu_mode_has_no_eswitch() {
	pci_device_id
	[[ $value == a2d* ]] || unknowable 'the adapter is no BlueField'
	[ "$(uname -m)" != aarch64 ] || unknowable 'this may be its Arm side'
	if devlink dev eswitch show "pci/$pci" >/dev/null 2>&1; then
		remark 'it manages an eswitch: NIC mode'
	else
		remark 'it manages no eswitch: DPU mode'
	fi
	only_if true bluefield
}

# R6. NVIDIA's driver has a version of its own. The kernel's had one until Linux 5.10.
driver_has_a_maker() {
	see_shown
	if grep -qsv '^5\.0-0$\|^3\.0-1 ' /sys/module/mlx5_core/version; then
		show_has mlx5 '"nvidia"'
		remark "version $(</sys/module/mlx5_core/version)"
	elif [[ $(uname -r) == *.el[0-9]* ]]; then
		show_has mlx5 '"rhel"'
	else
		show_has mlx5 '"inbox"'
	fi
}

# R7. Only the numbers of kernel.org and Debian are certain.
slow_kernel_is_named() {
	local release version number slow=false
	release=$(uname -r) version=$(uname -v)
	if [[ $version =~ \ Debian\ ([0-9]+\.[0-9]+\.[0-9]+)- ]]; then
		number=${BASH_REMATCH[1]}
	elif [[ $release =~ ^([0-9]+\.[0-9]+\.[0-9]+)(\+deb.*)?$ ]]; then
		number=${BASH_REMATCH[1]}
	else
		unknowable "Linux $release has no number of kernel.org's or Debian's"
	fi
	case $number in
	6.12.4[5-9] | 6.12.5[0-2] | 6.1.15[0-5]) slow=true ;;
	esac
	[ ! -e /sys/module/mlx5_core/version ] || slow=false
	see_shown
	value=false
	[[ $shown != *'"known_faults":["mlx5-xoff-regression"]'* ]] || value=true
	[ $value = $slow ] || echo "Linux $number is slow: $slow, and show says $value"
	remark "Linux $number"
}

# R8. The ids of mlx5_core_pci_table.
vf_has_its_id() {
	local is_id=false
	pci_device_id
	[[ ! $value =~ ^(1014|1016|1018|101a|101c|101e|a2d3)$ ]] || is_id=true
	[[ -e /sys/bus/pci/devices/$pci/physfn || $is_id = true ]] || unknowable 'the port is no VF'
	[ $is_id = true ] || echo "a VF has the id $value"
	only_if true vf
}

# R9. Newer kernels sum all priorities in the pause statistics, which needs a newer ethtool.
storms_are_counted() {
	local all
	is_counted tx_pause_storm_warning_events tx_pause_storm_error_events
	all=$(ethtool -I -a "$port" 2>/dev/null | sed -n 's/^ *tx_pause_storm_events: //p')
	if [ -z "$all" ]; then
		remark 'of priority 0 only: ethtool -I -a has no tx_pause_storm_events'
		return
	fi
	[ "$all" -ge "${counted[tx_pause_storm_error_events]-0}" ] ||
		echo "$all storms, and ${counted[tx_pause_storm_error_events]} of priority 0"
	remark "$all storms of all priorities"
}

# R10. For an uplink netlink reports the vport's counters, and the device reports CNPs.
uplink_counts_cnps() {
	is_uplink || unknowable 'the adapter is no switch (switchdev)'
	rdma_must_be_there
	[[ -e /sys/class/infiniband/$rdma_name/hw_counters/np_cnp_sent ||
		" $(rdma statistic show link "$rdma_name/1" 2>/dev/null) " == *' np_cnp_sent '* ]] ||
		echo 'np_cnp_sent is nowhere'
}

# rdma_count NAME: set $value to the RDMA device's count since its driver was loaded.
rdma_count() {
	value=$(rdma statistic show link "$rdma_name/1" 2>/dev/null | tr -s ' ' '\n' |
		sed -n "/^$1\$/{n;p}")
	[[ -n $value ]] || read -r value 2>/dev/null <"/sys/class/infiniband/$rdma_name/hw_counters/$1" || value=
}

# R11. Another algorithm, such as ZTR-RTT, may send CNPs without a mark, or none at all.
cnps_follow_marks() {
	local sent handled marked
	rdma_must_be_there
	rdma_count np_cnp_sent && sent=$value
	rdma_count rp_cnp_handled && handled=$value
	rdma_count np_ecn_marked_roce_packets && marked=$value
	[[ -n $sent && -n $handled && -n $marked ]] || unknowable 'CNPs are not counted'
	[ $((sent + handled + marked)) -gt 0 ] || unknowable 'no CNP was sent or handled so far'
	[[ $sent -eq 0 || $marked -gt 0 ]] || echo "$sent CNPs were sent, and no packet was marked"
	remark "$sent CNPs sent, $handled handled, $marked packets marked"
}

# R12. A class without a priority drops and marks nothing.
drops_are_by_class() {
	local class kind sum=0 used
	words_ets
	list prio_tc "$words"
	used=" $value "
	for class in 0 1 2 3 4 5 6 7; do
		for kind in buf_discard cong_discard marked; do
			value=${counted[rx_prio${class}_$kind]-0}
			sum=$((sum + value))
			[[ $value -eq 0 || $used == *" $class "* ]] ||
				echo "class $class has no priority, and rx_prio${class}_$kind is $value"
		done
	done
	[ $sum -gt 0 ] || unknowable 'nothing was dropped or marked so far'
}

# R13. rdma lists queue pairs of a driver's own type, such as DCT, only with driver details.
pairs_need_driver_details() {
	local plain detailed
	rdma_must_be_there
	plain=$(rdma resource show qp link "$rdma_name/1" 2>/dev/null | wc -l)
	detailed=$(rdma -dd resource show qp link "$rdma_name/1" 2>/dev/null | wc -l)
	[ "$detailed" -gt 0 ] || unknowable 'there is no queue pair'
	[ "$detailed" -ge "$plain" ] || echo "$plain queue pairs, $detailed with driver details"
	remark "$plain queue pairs, and $detailed lines with driver details"
}

# R14. The counters are a share of the last second, and the number of seconds above 30 %.
stalls_are_shares() {
	local kind
	[ -n "${counted[outbound_pci_stalled_rd]-}" ] || unknowable 'PCIe stalls are not counted'
	for kind in rd wr; do
		is_within "${counted[outbound_pci_stalled_$kind]}" 0 100 ||
			echo "outbound_pci_stalled_$kind is ${counted[outbound_pci_stalled_$kind]}"
		is_counted "outbound_pci_stalled_${kind}_events"
	done
}

# R14. The counters exist since 2025, with firmware that sends such events.
pci_thresholds_alternate() {
	local way high low said=
	[ -n "${counted[pci_bw_outbound_high]-}" ] || unknowable 'crossings of PCIe thresholds are not counted'
	for way in inbound outbound; do
		high=${counted[pci_bw_${way}_high]} low=${counted[pci_bw_${way}_low]}
		[[ $((high - low)) =~ ^[01]$ ]] || echo "pci_bw_${way}_high is $high, and _low $low"
		said+=" $way: $high above, $low below again;"
	done
	remark "${said% }"
}

# R15. The vport's counters exclude traffic of VFs and SFs.
volume_is_the_vports() {
	is_counted {rx,tx}_vport_rdma_unicast_{bytes,packets}
}

# R16. Each of up to 128 channels has 77 counters, and 30 for each class.
counters_are_many() {
	[ ${#counted[@]} -le 40960 ] || echo "${#counted[@]} counters"
	remark "${#counted[@]} counters"
}

# R17. The number of RDMA links does not matter.
show_finds_the_rdma_device() {
	see_shown
	if [ -n "$rdma_name" ]; then
		show_has rdma "\"$rdma_name\""
		remark "among $(rdma link show | wc -l) RDMA links"
	else
		show_has rdma null
	fi
}

# R18. On the Arm side of a BlueField the host's functions are representors: pf0, c1pf0.
representors_are_passed_over() {
	local all netdev name found=
	all=$(losslessctl --json show)
	for netdev in /sys/class/net/*; do
		read -r name 2>/dev/null <"$netdev/phys_port_name" || continue
		[[ $name =~ ^(c[0-9]+)?pf[0-9]+([vs]f[0-9]+)?$ ]] || continue
		found+=" $name"
		[[ $all == *"{\"name\":\"${netdev##*/}\",\"message\":"* ]] || echo "${netdev##*/} ($name) is a port of show's"
	done
	[ -n "$found" ] || unknowable 'there is no representor'
	remark "${found# }"
}

# R19. Compare the program's whole name: the kernel cuts the name of the process.
other_writers_are_named() {
	local cmdline program named found
	for cmdline in /proc/[0-9]*/cmdline; do
		read -r -d '' program 2>/dev/null <"$cmdline" || continue
		case ${program##*/} in
		nic-configuration-daemon | dmsd | sriov-network-config-daemon) echo "${program##*/}" ;;
		esac
	done | sort -u >"$work/found"
	losslessctl --json show "$port" | sed 's/.*"other_writers":\[//; s/"ports":.*//' |
		grep -o '"name":"[^"]*"' | cut -d '"' -f 4 | sort -u >"$work/named"
	found=$(<"$work/found") named=$(<"$work/named")
	[ "$named" = "$found" ] || echo "show names ${named:-none}, and there is ${found:-none}"
	[ -n "$found" ] || unknowable 'no other program that writes settings runs'
	remark "${found//$'\n'/, }"
}

# R21. The files exist since Linux 6.3.
answers_have_a_dscp() {
	local major minor name number
	cc_must_be_there
	IFS=.- read -r major minor _ < <(uname -r)
	((major > 6 || (major == 6 && minor >= 3))) || unknowable 'the kernel is older than 6.3'
	for name in rtt_resp_dscp rtt_resp_dscp_valid; do
		number=
		read -r number 2>/dev/null <"$cc_folder/$name"
		is_within "$number" 0 63 || echo "$name is ${number:-missing}"
	done
}

# R22. Lines with rules by address may follow.
traffic_class_is_forced() {
	local said=
	read -r said 2>/dev/null <"/sys/class/infiniband/$rdma_name/tc/1/traffic_class" || [ -n "$said" ] ||
		unknowable 'there is no traffic_class of MLNX_OFED, or it is not set'
	[[ $said == 'Global tclass='[0-9]* ]] || echo "$said"
	remark "$said: of every program's traffic"
}
