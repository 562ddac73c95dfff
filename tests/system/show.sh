#!/usr/bin/env bash
# short: 6.12
# Tests of show: it reads the values that dcb, ethtool, ip and configfs set.
. tests/system/lib.sh

shows() {
	expect 0 losslessctl --json show $port
	same "$1" "$2" "$(json "$1")"
}

pfc_of_dcb() {
	dcb pfc set dev $port prio-pfc 2:on 5:on
	shows priorities '[2,5]'
}

cable_of_dcb() {
	dcb pfc set dev $port delay 77
	shows cable_m 77
}

ets_of_dcb() {
	dcb ets set dev $port prio-tc 0:0 1:1 2:2 3:3 4:0 5:1 6:2 7:3
	dcb ets set dev $port tc-tsa 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict tc-bw 0:30 1:70 2:0 3:0 4:0 5:0 6:0 7:0
	shows prio_tc '[0,1,2,3,0,1,2,3]'
	shows tsa '["ets","ets","strict","strict","strict","strict","strict","strict"]'
	shows bandwidth '[30,70,0,0,0,0,0,0]'
}

dscp_of_dcb() {
	dcb app replace dev $port dscp-prio 26:3 46:5
	shows trust dscp
	grep -qF '"prio":{"26":3,"46":5}' "$work/out" || cat "$work/out"
	shows rest keep
	dcb app flush dev $port dscp-prio
	shows trust pcp
}

dcbx_of_dcb() {
	dcbx_by_firmware $port
	expect 0 losslessctl --json show $port
	grep -qF '"dcbx":{"mode":"firmware"' "$work/out" || cat "$work/out"
	dcb dcbx set dev $port host ieee
	expect 0 losslessctl --json show $port
	grep -qF '"dcbx":{"mode":"host"' "$work/out" || cat "$work/out"
}

pause_of_ethtool() {
	ethtool -A $port rx on tx off
	expect 0 losslessctl --json show $port
	grep -qF '"pause":{"rx":true,"tx":false}' "$work/out" || cat "$work/out"
}

mtu_of_ip() {
	ip link set $port mtu 4200
	shows mtu 4200
}

roce_of_configfs() {
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	echo 'IB/RoCE v1' >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode
	echo 122 >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos
	expect 0 losslessctl --json show $port
	grep -qE '"roce":\{[^}]*"mode":"v1","tos":122' "$work/out" || cat "$work/out"
}

without_a_folder_it_says_so() {
	[ ! -e /sys/kernel/config/rdma_cm/mlx5_1 ] || rmdir /sys/kernel/config/rdma_cm/mlx5_1
	expect 0 losslessctl show $other
	says 'not created yet'
	[ ! -e /sys/kernel/config/rdma_cm/mlx5_1 ] || echo 'show made a folder'
}

device_facts() {
	shows driver mlx5_core
	shows rdma mlx5_0
	shows speed_mbps 100000
	shows carrier true
	connectx $port link down
	shows carrier false
	shows speed_mbps null
	connectx $port link up
	wait_carrier
}

# A stand-in for DOCA's program, which names its RDMA or PCI device on the command line.
a_program_that_controls_congestion() {
	local program
	expect 0 losslessctl show $port
	grep -n 'congestion control' "$work/out"
	cat >"$work/doca_spcx_cc" <<-'END'
		#!/bin/sh
		read -r _ <>"$2"
	END
	chmod 755 "$work/doca_spcx_cc"
	"$work/doca_spcx_cc" "${pci_of[$port]}" "$work/never" &
	program=$!
	until [ "$(<"/proc/$program/comm")" = doca_spcx_cc ]; do sleep 0.05; done
	expect 0 losslessctl show
	same 'lines about it' '  congestion control by doca_spcx_cc, not DCQCN: losslessctl never writes it' \
		"$(grep 'congestion control' "$work/out")"
	shows congestion_program doca_spcx_cc
	expect 0 losslessctl --json show $other
	same 'of the other port' null "$(json congestion_program)"
	kill $program
	wait $program 2>/dev/null
	shows congestion_program null
}

a_virtual_function_says_why() {
	local vfs=/sys/bus/pci/devices/${pci_of[$port]}/sriov_numvfs netdev
	echo 1 >"$vfs"
	netdev=$(basename "$(readlink -f "${vfs%/*}"/virtfn0)"/net/*)
	expect 0 losslessctl show "$netdev"
	says 'VF or SF: its PF has the DCB settings'
	says unsupported
	echo 0 >"$vfs"
}

anybody_may_look() {
	chmod a+rx "$work" # only root may write there
	expect 0 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl show
	expect 2 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl plan $policy
	expect 77 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl apply $policy
	says 'sudo'
}

# Only root reads debugfs, which has the parameters of CNPs and DCQCN.
what_cannot_be_read_has_its_reason_once() {
	expect 0 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl show $port
	says "dcqcn.*: dcqcn.clamp_tgt_rate cannot be read, and all of its group are read together"
	same 'lines about CNPs' 1 "$(grep -c 'cnp[.].*cannot be read' "$work/out")"
	same 'lines of settings' '' "$(grep '^  cnp[.]' "$work/out")"
	expect 0 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl draft $port
	same 'warnings' 2 "$(grep -c 'left out' "$work/err")"
	says "dcqcn.* is left out: dcqcn.clamp_tgt_rate cannot be read"
}

it 'PFC that dcb set' pfc_of_dcb
it 'the cable length that dcb set' cable_of_dcb
it 'ETS that dcb set' ets_of_dcb
it 'DSCP entries that dcb set, and trust with them' dscp_of_dcb
it 'the DCBX mode that dcb set, and firmware' dcbx_of_dcb
it 'global pause that ethtool set' pause_of_ethtool
it 'the MTU that ip set' mtu_of_ip
it 'RoCE mode and ToS that configfs has' roce_of_configfs
it 'without a configfs directory it says so and creates none' without_a_folder_it_says_so
it 'driver, RDMA device, speed and carrier' device_facts
it 'a program that controls congestion is named' a_program_that_controls_congestion
it 'a virtual function says what it lacks' a_virtual_function_says_why
it 'what cannot be read has its reason once' what_cannot_be_read_has_its_reason_once
it 'anybody may look, only root may apply' anybody_may_look
tap_end
