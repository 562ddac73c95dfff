#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Every setting of RoCE: debugfs, sysfs and devlink read the values that apply writes, and show
# reads the values that they write.
. tests/system/lib.sh
. tests/system/lib_settings.sh

pci=$(basename "$(readlink "/sys/class/net/$port/device")")
upstream=/sys/kernel/debug/mlx5/$pci/cc_params
ofed=/sys/class/net/$port/ecn

# fill FOLDER NAME=VALUE…: write each VALUE to the file NAME.
fill() {
	local folder=$1 pair
	shift
	for pair; do
		echo "${pair#*=}" >"$folder/${pair%=*}"
	done
}

# The same DCQCN settings as a policy, debugfs and MLNX_OFED name them.
dcqcn='"clamp_tgt_rate":true,"clamp_tgt_rate_after_time_inc":false,"rpg_time_reset_us":1201'
dcqcn+=',"rpg_byte_reset":1202,"rpg_threshold":3,"rpg_ai_rate_mbps":1204,"rpg_max_rate_mbps":1205'
dcqcn+=',"rpg_hai_rate_mbps":1206,"rpg_min_dec_fac":37,"rpg_min_rate_mbps":1208'
dcqcn+=',"rate_to_set_on_first_cnp_mbps":1209,"dce_tcp_g":1010,"dce_tcp_rtt_us":1211'
dcqcn+=',"rate_reduce_monitor_period_us":1212,"initial_alpha_value":1013,"rpg_gd":10'
in_debugfs=(rp_clamp_tgt_rate=1 rp_clamp_tgt_rate_ati=0 rp_time_reset=1201 rp_byte_reset=1202
	rp_threshold=3 rp_ai_rate=1204 rp_max_rate=1205 rp_hai_rate=1206 rp_min_dec_fac=37
	rp_min_rate=1208 rp_rate_to_set_on_first_cnp=1209 rp_dce_tcp_g=1010 rp_dce_tcp_rtt=1211
	rp_rate_reduce_monitor_period=1212 rp_initial_alpha_value=1013 rp_gd=10)
in_ofed=("${in_debugfs[@]/#rp_/}")
in_ofed=("${in_ofed[@]/clamp_tgt_rate_ati/clamp_tgt_rate_after_time_inc}")
for name in time_reset byte_reset threshold ai_rate max_rate hai_rate min_dec_fac min_rate gd; do
	in_ofed=("${in_ofed[@]/#$name=/rpg_$name=}")
done

files_read_dcqcn() {
	sets '"dcqcn":{'"$dcqcn"'}'
	files "$@"
}

files_write_dcqcn() {
	fill "$@"
	shows '"dcqcn":{"clamp_tgt_rate":false,"clamp_tgt_rate_after_time_inc":true,"rpg_time_reset_us":301,"rpg_byte_reset":302,"rpg_threshold":5,"rpg_ai_rate_mbps":304,"rpg_max_rate_mbps":305,"rpg_hai_rate_mbps":306,"rpg_min_dec_fac":77,"rpg_min_rate_mbps":308,"rate_to_set_on_first_cnp_mbps":309,"dce_tcp_g":310,"dce_tcp_rtt_us":311,"rate_reduce_monitor_period_us":312,"initial_alpha_value":313,"rpg_gd":11}'
}

# changed NAME=VALUE…: print the names with the values that files_write_dcqcn expects.
changed() {
	local values=(0 1 301 302 5 304 305 306 77 308 309 310 311 312 313 11) pair i=0
	for pair; do
		echo "${pair%=*}=${values[i++]}"
	done
}

the_largest_numbers() {
	sets '"dcqcn":{"rate_reduce_monitor_period_us":4294967295,"rpg_time_reset_us":131071}'
	files "$@"
	shows '"rate_reduce_monitor_period_us":4294967295'
}

files_read_cnp() {
	local folder=$1
	shift
	sets '"cnp":{"dscp":'"$1"',"priority":'"$2"',"min_interval_us":'"$3"'}'
	shift 3
	files "$folder" "$@"
}

mode_comes_back() {
	local before
	echo 1 >"$upstream/np_cnp_prio_mode"
	before=$(everything)
	sets '"cnp":{"priority":2}'
	files "$upstream" np_cnp_prio=2 np_cnp_prio_mode=0
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
}

mode_is_set_with_priority() {
	sets '"cnp":{"priority":5,"priority_mode":0}'
	files "$upstream" np_cnp_prio=5 np_cnp_prio_mode=0
	sets '"cnp":{"priority_mode":1}'
	files "$upstream" np_cnp_prio=0 np_cnp_prio_mode=1
}

cnp_of_files() {
	fill "$@"
	shows '"cnp":{"dscp":13,"priority":1,'
	shows '"min_interval_us":19'
}

# The DSCP of RTT responses has two files. Kernels before 6.3 have none.
files_read_rtt() {
	sets '"cnp":{"rtt_resp_dscp":46}'
	files "$upstream" rtt_resp_dscp=46 rtt_resp_dscp_valid=1
	sets '"cnp":{"rtt_resp_dscp":"unset"}'
	files "$upstream" rtt_resp_dscp_valid=0
	sets '"cnp":{"rtt_resp_dscp":0}'
	files "$upstream" rtt_resp_dscp=0 rtt_resp_dscp_valid=1
}

files_write_rtt() {
	echo 17 >"$upstream/rtt_resp_dscp"
	shows '"rtt_resp_dscp":17'
	echo 0 >"$upstream/rtt_resp_dscp_valid"
	shows '"rtt_resp_dscp":"unset"'
}

rtt_goes_back() {
	local before
	echo 0 >"$upstream/rtt_resp_dscp_valid"
	before=$(everything)
	sets '"cnp":{"rtt_resp_dscp":46}'
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
	echo 17 >"$upstream/rtt_resp_dscp"
	before=$(everything)
	sets '"cnp":{"rtt_resp_dscp":"unset"}'
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
}

# The write to either of the two files fails.
rtt_that_fails_goes_back() {
	local before op
	before=$(everything)
	make_policy '{"cnp":{"dscp":9,"rtt_resp_dscp":"unset"}}' $port
	for op in 'fail internal_err 1 1' 'ignore 0'; do
		# shellcheck disable=SC2086	# words
		connectx $port fault MODIFY_CONG_PARAMS $op
		expect 1 losslessctl apply "$work/policy.json"
		connectx $port fault none
		same "the port after $op" "$before" "$(everything)"
	done
}

rtt_is_unsupported() {
	refuses '"cnp":{"rtt_resp_dscp":46}'
	says cnp.rtt_resp_dscp
	says 'the port has no such parameter'
	make_policy '{"cnp":{"dscp":46,"rtt_resp_dscp":46},"optional":["cnp.rtt_resp_dscp"]}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
	files "$upstream" np_cnp_dscp=46
}

# rtt on|off: the adapter's capability, which the driver reads when it starts.
rtt() {
	connectx $port firmware cap rtt "$1"
	connectx $port restart
	wait_carrier
}

without_ofed_it_says_so() {
	refuses '"ecn":{"np":true}'
	says 'MLNX_OFED'
	refuses '"roce":{"traffic_class":106}'
	says 'MLNX_OFED'
	make_policy '{"ecn":{"np":true},"roce":{"traffic_class":106},"optional":["ecn.*","roce.traffic_class"]}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 3 losslessctl verify "$work/policy.json"
}

without_debugfs() {
	connectx $port ofed on
	mount -t tmpfs none /sys/kernel/debug/mlx5
}

ofed_reads_ecn() {
	sets '"ecn":{"np":false,"rp_priorities":[1,3]}'
	same np 00000000 "$(cat "$ofed"/roce_np/enable/? | tr -d '\n')"
	same rp 01010000 "$(cat "$ofed"/roce_rp/enable/? | tr -d '\n')"
	sets '"ecn":{"np":true,"rp_priorities":[3,5,7]}'
	same np 11111111 "$(cat "$ofed"/roce_np/enable/? | tr -d '\n')"
	same rp 00010101 "$(cat "$ofed"/roce_rp/enable/? | tr -d '\n')"
}

ofed_writes_ecn() {
	echo 1 >"$ofed/roce_rp/enable/0"
	echo 0 >"$ofed/roce_rp/enable/7"
	echo 0 >"$ofed/roce_np/enable/4"
	shows '"ecn":{"np":false,"rp_priorities":[0,3,5]}'
}

ofed_reads_traffic_class() {
	local file=/sys/class/infiniband/mlx5_0/tc/1/traffic_class
	sets '"roce":{"traffic_class":106}'
	same file 'Global tclass=106' "$(cat $file)"
	echo 162 >$file
	shows '"traffic_class":162'
	echo 'dst_ip=10.0.0.1,tclass=8' >$file
	shows '"traffic_class":162'
	sets '"roce":{"traffic_class":"unset"}'
	grep -n Global $file
	shows '"traffic_class":"unset"'
}

only_verified() {
	local before
	before=$(changes)
	make_policy "{$1}" $port
	expect 2 losslessctl verify "$work/policy.json"
	refuses "$1"
	says "$2"
	same 'driver calls' "$before" "$(changes)"
}

it 'debugfs reads all sixteen of DCQCN' files_read_dcqcn "$upstream" "${in_debugfs[@]}"
mapfile -t pairs < <(changed "${in_debugfs[@]}")
it 'show reads all sixteen of DCQCN that debugfs got' files_write_dcqcn "$upstream" "${pairs[@]}"
it 'debugfs reads the largest numbers' the_largest_numbers "$upstream" \
	rp_rate_reduce_monitor_period=4294967295 rp_time_reset=131071
it 'debugfs reads what CNPs look like' files_read_cnp "$upstream" 46 5 17 \
	np_cnp_dscp=46 np_cnp_prio=5 np_min_time_between_cnps=17
it 'show reads what CNPs look like from debugfs' cnp_of_files "$upstream" \
	np_cnp_dscp=13 np_cnp_prio=1 np_min_time_between_cnps=19
it 'the mode of CNPs comes back with a rollback of their priority' mode_comes_back
it 'mode and priority are set together' mode_is_set_with_priority
if [ -e "$upstream/rtt_resp_dscp" ]; then
	it 'debugfs reads the DSCP of RTT responses' files_read_rtt
	it 'show reads the DSCP of RTT responses from debugfs' files_write_rtt
	it 'the DSCP of RTT responses is restored, and unset again' rtt_goes_back
	it 'the DSCP of RTT responses is restored when it cannot be unset' rtt_that_fails_goes_back
	rtt off
	newer=1
fi
it 'without a file for it the DSCP of RTT responses is refused, or skipped where optional' rtt_is_unsupported
[ -z "${newer-}" ] || rtt on
it 'without MLNX_OFED its settings are refused, or skipped where optional' without_ofed_it_says_so
without_debugfs
it 'sysfs reads all sixteen of DCQCN' files_read_dcqcn "$ofed/roce_rp" "${in_ofed[@]}"
mapfile -t pairs < <(changed "${in_ofed[@]}")
it 'show reads all sixteen of DCQCN that sysfs got' files_write_dcqcn "$ofed/roce_rp" "${pairs[@]}"
it 'sysfs reads the largest numbers, in its manner' the_largest_numbers "$ofed/roce_rp" \
	rate_reduce_monitor_period=-1 rpg_time_reset=131071
it 'sysfs reads what CNPs look like' files_read_cnp "$ofed/roce_np" 46 5 17 \
	cnp_dscp=46 cnp_802p_prio=5 min_time_between_cnps=17
it 'show reads what CNPs look like from sysfs' cnp_of_files "$ofed/roce_np" \
	cnp_dscp=13 cnp_802p_prio=1 min_time_between_cnps=19
it 'sysfs reads who takes part in ECN' ofed_reads_ecn
it 'show reads who takes part in ECN' ofed_writes_ecn
it 'sysfs and losslessctl read the same traffic class' ofed_reads_traffic_class
umount /sys/kernel/debug/mlx5
connectx $port ofed off
it 'RoCE that should be off is refused and never written' \
	only_verified '"roce":{"enabled":false}' devlink
it 'a RoCE v2 GID that should not be there is refused' only_verified '"roce":{"v2_gid":false}' v2_gid
tap_end
