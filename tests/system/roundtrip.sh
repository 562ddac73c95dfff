#!/usr/bin/env bash
# short: 6.1
# Other programs change every readable setting of a port to an unusual value: check, plan and apply
# accept the output of show, and find nothing to do.
. tests/system/lib.sh

pci=$(basename "$(readlink "/sys/class/net/$port/device")")
params=/sys/kernel/debug/mlx5/$pci/cc_params
rdma_cm=/sys/kernel/config/rdma_cm/mlx5_0/ports/1

# The adapter's own settings.
unusual_port() {
	ip link set $port mtu 4321
	ethtool -A $port rx off tx off
	dcb pfc set dev $port prio-pfc 2:on 5:on
	dcb pfc set dev $port delay 77
	wait_carrier
	ethtool --set-tunable $port pfc-prevention-tout 4321
	dcb buffer set dev $port buffer-size 0:50048 2:120064 6:80000
	dcb buffer set dev $port prio-buffer 2:2 5:2 7:6
	dcb ets set dev $port prio-tc 0:7 1:6 2:5 3:4 4:3 5:2 6:1 7:0
	dcb ets set dev $port tc-tsa 0:ets 1:strict 2:ets 3:ets 4:strict 5:ets 6:strict 7:strict \
		tc-bw 0:1 1:0 2:33 3:0 4:0 5:66 6:0 7:0
	# Debian 12's dcb sends bytes per second as if they were Kbit/s: 12.3 and 101 Gb/s.
	dcb maxrate set dev $port tc-maxrate 1:98400kbit 7:808000kbit
	dcb app replace dev $port dscp-prio 1:7 26:2 46:5 63:0
}

unusual_host() {
	ip link add link $port name $port.42 type vlan id 42 egress-qos-map 0:1 2:2 5:5
	ip link add link $port name storage type vlan id 43 egress-qos-map 7:3
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0
	echo 'IB/RoCE v1' >$rdma_cm/default_roce_mode
	echo 97 >$rdma_cm/default_roce_tos
	echo 1 >/proc/sys/net/ipv4/tcp_ecn
}

# Set each parameter to another valid number.
unusual_parameters() {
	local file number=100 n
	for file in "$params"/{rp,np}_*; do
		case $file in
		*clamp*) n=$((1 - $(cat "$file"))) ;;
		*prio_mode) n=0 ;;
		*prio | *threshold) n=3 ;;
		*_gd) n=10 ;;
		*dscp | *min_dec_fac) n=42 ;;
		*reduce_monitor_period) n=4294967295 ;;
		*) n=$((number += 3)) ;;
		esac
		echo "$n" >"$file"
	done
	[ ! -e "$params/rtt_resp_dscp" ] || echo 41 >"$params/rtt_resp_dscp"
}

unusual_ofed() {
	local ecn=/sys/class/net/$port/ecn
	connectx $port ofed on
	for n in 0 2 3; do
		echo 0 >"$ecn/roce_rp/enable/$n"
	done
	echo 0 >"$ecn/roce_np/enable/1"
	echo 97 >/sys/class/infiniband/mlx5_0/tc/1/traffic_class
}

# unchanged WORD…: exactly these settings still have the values that show printed at first.
unchanged() {
	losslessctl -v show $port >"$work/now"
	same 'as it came' "$*" "$(grep -Fxf "$work/fresh" "$work/now" |
		grep -E '^  [a-z]' | awk '{ sub(/:$/, "", $1); printf "%s%s", sep, $1; sep = " " }')"
}

# check, plan, apply and verify find nothing to do.
is_a_policy() {
	local before
	before=$(changes)
	losslessctl --json show $port >"$work/shown.json"
	expect 0 losslessctl check "$work/shown.json"
	expect 0 losslessctl --json plan "$work/shown.json"
	same change_count 0 "$(json change_count)"
	expect 0 losslessctl --json apply "$work/shown.json"
	same outcome unchanged "$(json outcome)"
	expect 0 losslessctl --json verify "$work/shown.json"
	same verdict in_sync "$(json verdict)"
	same 'driver calls' "$before" "$(changes)"
}

# Print the settings to be restored; DCBX belongs to the host meanwhile.
settings() {
	connectx $port state | grep -vE '^(commands|objects|link|fw_dcbx|xo|pool)'
	cat /sys/class/net/$port/mtu
}

# From other values, an apply of show's output restores the port's state.
brings_it_back() {
	local state
	state=$(settings)
	dcb dcbx set dev $port host ieee
	sed -i 's/"mode":"firmware"/"mode":"host"/' "$work/shown.json"
	poke_pfc $port 0
	connectx $port register QTCT tclass 3 0
	ethtool --set-tunable $port pfc-prevention-tout 200
	echo 9 >"$1"
	expect 2 losslessctl verify "$work/shown.json"
	expect 0 losslessctl apply "$work/shown.json"
	same state "$state" "$(settings)"
}

losslessctl -v show $port >"$work/fresh"
dcbx_by_firmware $port
unusual_host
unusual_port
unusual_parameters
older=
[ -e "$params/rtt_resp_dscp" ] || older=cnp.rtt_resp_dscp # kernels before 6.3
# shellcheck disable=SC2086 # `older` may be empty
# The adapter divides another 100 % among the classes without a share; the driver reports none.
all_for_one_class() {
	dcb ets set dev $port tc-tsa 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict \
		tc-bw 0:100 1:0 2:0 3:0 4:0 5:0 6:0 7:0
	is_a_policy
	expect 0 losslessctl --json show $port
	says '"bandwidth":[100,0,0,0,0,0,0,0]'
}

it 'every setting of an upstream kernel was changed, but those that are verified only' unchanged dcbx.advertise dcbx.willing \
	ets.reco_prio_tc ets.reco_tsa ets.reco_bandwidth app.entries app.trust ecn.np \
	ecn.rp_priorities $older roce.enabled roce.v2_gid roce.traffic_class gids
it 'what show prints of it is a policy with nothing to do' is_a_policy
it 'and one that brings the port back' brings_it_back "$params/rp_ai_rate"
it 'a class with all bandwidth beside some without is a policy with nothing to do' all_for_one_class
it 'and one that brings the shares back' brings_it_back "$params/rp_ai_rate"
unusual_ofed
mount -t tmpfs none /sys/kernel/debug/mlx5
it 'every setting of MLNX_OFED was changed' unchanged dcbx.mode dcbx.advertise dcbx.willing \
	ets.reco_prio_tc ets.reco_tsa ets.reco_bandwidth app.entries app.trust roce.enabled \
	roce.v2_gid gids
it 'what show prints of that is a policy with nothing to do' is_a_policy
it 'and one that brings that back' brings_it_back "/sys/class/net/$port/ecn/roce_rp/rpg_ai_rate"
umount /sys/kernel/debug/mlx5
tap_end
