#!/usr/bin/env bash
# Every knob beyond the first: what apply writes is what dcb, ethtool, ip and the files read, and
# what those write, show reads.
. tests/system/lib.sh

pci=$(basename "$(readlink "/sys/class/net/$port/device")")
upstream=/sys/kernel/debug/mlx5/$pci/cc_params
ofed=/sys/class/net/$port/ecn
lossless='"mtu":1500,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3],"cable_m":7}'

# sets SETTINGS: the port gets them, and verify agrees.
sets() {
	make_policy "{$1}" $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
}

# refuses SETTINGS: exit 1, and no driver was asked for a change.
refuses() {
	local before
	make_policy "{$1}" $port
	before=$(writes)
	expect 1 losslessctl apply "$work/policy.json"
	same 'driver calls' "$before" "$(writes)"
}

shows() {
	expect 0 losslessctl --json show $port
	says "$1"
}

# has TEXT COMMAND…: what the command prints holds the text.
has() {
	local text=$1
	shift
	"$@" >"$work/out" 2>"$work/err"
	says "$text"
}

# Calls of all setters, those of DCQCN and OFED's files, too.
writes() {
	mlx5sim $port state | grep '^writes '
}

# All there is, but for what only counts.
everything() {
	mlx5sim $port state | grep -vE '^(link_down_events|writes|dcbx) '
	ip -d link show type vlan
}

# files FOLDER NAME=VALUE…: what the files read.
files() {
	local folder=$1 pair
	shift
	for pair; do
		same "${pair%=*}" "${pair#*=}" "$(cat "$folder/${pair%=*}")"
	done
}

# fill FOLDER NAME=VALUE…: writes the files.
fill() {
	local folder=$1 pair
	shift
	for pair; do
		echo "${pair#*=}" >"$folder/${pair%=*}"
	done
}

# The same DCQCN settings in the words of a policy, of debugfs and of MLNX_OFED.
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

# Buffers.

dcb_reads_buffers() {
	sets "$lossless,"'"buffer":{"size_bytes":[100000,200100,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	has '"prio_buffer":[0,0,0,1,0,0,0,0],"buffer_size":[99968,200064,0,0,0,0,0,0]' \
		dcb -j buffer show dev $port
}

buffers_move_at_once() {
	sets "$lossless,"'"buffer":{"size_bytes":[60000,0,70000,0,0,0,0,90000],"prio_buffer":[0,0,2,7,0,0,0,2]}'
	has '"prio_buffer":[0,0,2,7,0,0,0,2],"buffer_size":[59904,0,69888,0,0,0,0,89984]' \
		dcb -j buffer show dev $port
}

dcb_writes_buffers() {
	dcb buffer set dev $port buffer-size 0:150016 7:250112
	dcb buffer set dev $port prio-buffer 1:2
	shows '"buffer":{"size_bytes":[150016,0,69888,0,0,0,0,250112],"prio_buffer":[0,2,2,7,0,0,0,2]}'
}

# The driver goes by the largest MTU that the port would take, 9978: 45786 bytes at 100 Gb/s and 7 m.
a_small_buffer_is_refused_by_the_driver() {
	local before size=${1:-45700}
	sets "$lossless,"'"buffer":{"size_bytes":[100096,50048,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	before=$(everything)
	make_policy '{"mtu":1400,"pfc":{"cable_m":9,"priorities":[3,4]},"maxrate":{"tc_mbps":[0,0,0,0,0,0,0,800]},"buffer":{"size_bytes":[100096,'"$size"',0,0,0,0,0,0],"prio_buffer":[0,0,0,1,1,0,0,0]}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	says 'losslessctl headroom'
	same 'the port' "$before" "$(everything)"
}

a_tiny_buffer_is_refused_beforehand() {
	refuses "$lossless,"'"buffer":{"size_bytes":[100096,9000,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	says 'losslessctl headroom'
}

a_firmware_that_refuses() {
	local before
	before=$(everything)
	mlx5sim $port fail dcbnl_setbuffer ENOMEM 1 1
	make_policy "{$lossless,"'"buffer":{"size_bytes":[120064,60032,0,0,0,0,0,0],"prio_buffer":[0,1,0,1,0,0,0,0]}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	mlx5sim $port fail dcbnl_setbuffer 0
	same 'the port' "$before" "$(everything)"
}

# The size is kept in whole cells, and judged again by the next change.
headroom_is_enough() {
	local size
	expect 0 losslessctl --json headroom --speed 100000 --mtu 1500 --cable 7
	size=$(json min_buffer_bytes)
	sets "$lossless,"'"buffer":{"size_bytes":[100096,'"$size"',0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	has "\"buffer_size\":[100096,$size,0," dcb -j buffer show dev $port
	sets '"pfc":{"cable_m":6}'
	sets '"pfc":{"cable_m":7}'
	sets '"pfc":{"priorities":[3,4]},"buffer":{"prio_buffer":[0,0,0,1,1,0,0,0]}'
}

# A new cable length is judged by the sizes in force, 65886 bytes for 100 m.
room_comes_before_the_cable() {
	local before
	sets "$lossless,"'"buffer":{"size_bytes":[100096,50048,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	before=$(everything)
	sets '"mtu":1600,"pfc":{"cable_m":100},"buffer":{"size_bytes":[100096,0,0,0,0,0,0,70016],"prio_buffer":[0,0,0,7,0,0,0,0]}'
	has '"delay":100' dcb -j pfc show dev $port
	has '"buffer_size":[100096,0,0,0,0,0,0,70016]' dcb -j buffer show dev $port
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
}

# The driver does not follow an MTU by itself: 2.72 bytes of headroom for each of 7500.
headroom_follows_the_mtu() {
	local before after
	sets "$lossless,"'"buffer":{"size_bytes":[100096,90112,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	before=$(mlx5sim $port state | awk '/^drv_xoff/ { print $2 }')
	sets '"mtu":9000'
	after=$(mlx5sim $port state | awk '/^drv_xoff/ { print $2 }')
	same headroom $((before + 20400)) "$after"
	expect 0 losslessctl rollback
	same 'headroom after rollback' "$before" "$(mlx5sim $port state | awk '/^drv_xoff/ { print $2 }')"
}

# Rates.

dcb_reads_rates() {
	sets '"maxrate":{"tc_mbps":[0,50,199,25500,26999,100000,255000,100]}'
	has '"tc_maxrate":[0,100000,100000,25500000,26000000,100000000,255000000,100000]' \
		dcb -j maxrate show dev $port
}

# Debian 12's dcb sends bytes per second as if they were Kbit/s: 12345000 and 31900000 of them.
dcb_writes_rates() {
	dcb maxrate set dev $port tc-maxrate all:0bit 1:98760kbit 5:255200kbit
	shows '"tc_mbps":[0,12300,0,0,0,31000,0,0]'
}

# Storm.

ethtool_reads_storm() {
	ethtool --set-tunable $port pfc-prevention-tout 777
	sets '"pfc":{"storm_timeout_ms":'"$1"'}'
	same timeout "pfc-prevention-tout: $2" "$(ethtool --get-tunable $port pfc-prevention-tout)"
}

ethtool_writes_storm() {
	ethtool --set-tunable $port pfc-prevention-tout 1234
	shows '"storm_timeout_ms":1234'
	ethtool --set-tunable $port pfc-prevention-tout 65535
	shows '"storm_timeout_ms":100'
	ethtool --set-tunable $port pfc-prevention-tout 0
	shows '"storm_timeout_ms":0'
}

# DCQCN.

files_read_dcqcn() {
	sets '"dcqcn":{'"$dcqcn"'}'
	files "$@"
}

files_write_dcqcn() {
	fill "$@"
	shows '"dcqcn":{"clamp_tgt_rate":false,"clamp_tgt_rate_after_time_inc":true,"rpg_time_reset_us":301,"rpg_byte_reset":302,"rpg_threshold":5,"rpg_ai_rate_mbps":304,"rpg_max_rate_mbps":305,"rpg_hai_rate_mbps":306,"rpg_min_dec_fac":77,"rpg_min_rate_mbps":308,"rate_to_set_on_first_cnp_mbps":309,"dce_tcp_g":310,"dce_tcp_rtt_us":311,"rate_reduce_monitor_period_us":312,"initial_alpha_value":313,"rpg_gd":11}'
}

# changed NAME=VALUE…: the same names with the values that files_write_dcqcn expects.
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

mode_survives_priority() {
	local before
	echo 6 >"$upstream/np_cnp_prio"
	echo 1 >"$upstream/np_cnp_prio_mode"
	before=$(everything)
	sets '"cnp":{"priority":2}'
	files "$upstream" np_cnp_prio=2 np_cnp_prio_mode=1
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
}

mode_is_set_with_priority() {
	sets '"cnp":{"priority":5,"priority_mode":0}'
	files "$upstream" np_cnp_prio=5 np_cnp_prio_mode=0
	sets '"cnp":{"priority":4,"priority_mode":1}'
	files "$upstream" np_cnp_prio=4 np_cnp_prio_mode=1
}

cnp_of_files() {
	fill "$@"
	shows '"cnp":{"dscp":13,"priority":1,'
	shows '"min_interval_us":19}'
}

# MLNX_OFED.

without_ofed_it_says_so() {
	refuses '"ecn":{"np":true}'
	says 'MLNX_OFED'
	refuses '"roce":{"traffic_class":106}'
	says 'MLNX_OFED'
	make_policy '{"ecn":{"np":true},"roce":{"traffic_class":106},"optional":["ecn.*","roce.traffic_class"]}' $port
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json"
}

without_debugfs() {
	mlx5sim $port ofed on
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

# VLAN devices.

egress_of() {
	ip -d link show "$1" | grep -o 'egress-qos-map {[^}]*}'
}

ip_reads_egress() {
	ip link add link $port name $port.100 type vlan id 100
	ip link add link $port name storage type vlan id 200 egress-qos-map 1:1 4:7
	sets '"vlan":{"egress":{"'$port.100'":{"3":3,"6":7},"storage":{"0":2,"1":5}}}'
	same $port.100 'egress-qos-map { 3:3 6:7 }' "$(egress_of $port.100)"
	same storage 'egress-qos-map { 0:2 1:5 }' "$(egress_of storage | sed 's/ 4:0//')"
}

ip_writes_egress() {
	ip link set storage type vlan egress-qos-map 2:6 1:0
	shows '"storage":{"0":2,"2":6}'
}

one_device_leaves_the_other() {
	sets '"vlan":{"egress":{"storage":{"5":5}}}'
	same $port.100 'egress-qos-map { 3:3 6:7 }' "$(egress_of $port.100)"
}

a_device_that_is_not_there() {
	local before
	before=$(everything)
	refuses '"mtu":4200,"maxrate":{"tc_mbps":[0,0,0,0,0,0,0,700]},"vlan":{"egress":{"storage":{"7":7},"nowhere":{"3":3}}}'
	says 'nowhere'
	says 'ip link add'
	same 'the port' "$before" "$(everything)"
}

egress_goes_back() {
	local before
	before=$(everything)
	sets '"vlan":{"egress":{"storage":{"1":1,"2":2,"3":3},"'$port.100'":{}}}'
	same storage 'egress-qos-map { 1:1 2:2 3:3 }' "$(egress_of storage | sed -E 's/ [0-7]:0//g')"
	expect 0 losslessctl rollback
	same 'the port' "$before" "$(everything)"
	ip link del storage
	ip link del $port.100
}

# Only verified.

only_verified() {
	local before
	before=$(writes)
	make_policy "{$1}" $port
	expect 2 losslessctl verify "$work/policy.json"
	refuses "$1"
	says "$2"
	same 'driver calls' "$before" "$(writes)"
}

tcp_ecn_is_advice() {
	echo 2 >/proc/sys/net/ipv4/tcp_ecn
	make_policy '{"host":{"tcp_ecn":1}}' $port
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl verify --nagios "$work/policy.json"
	says 'LOSSLESSCTL OK'
	expect 2 losslessctl verify --strict "$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	same tcp_ecn 2 "$(cat /proc/sys/net/ipv4/tcp_ecn)"
	echo 1 >/proc/sys/net/ipv4/tcp_ecn
	expect 0 losslessctl verify --nagios "$work/policy.json"
	says 'LOSSLESSCTL OK'
	shows '"tcp_ecn":1'
	echo 2 >/proc/sys/net/ipv4/tcp_ecn
}

# Other drivers.

becomes() {
	mlx5sim $port kind "$1"
	wait_carrier
}

# It wants classes first, and gives them queues by the PFC mask that comes last.
bnxt_as_it_comes_takes_pfc() {
	becomes bnxt
	sets '"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]}'
	has '"prio_pfc":[false,false,false,true,' dcb -j pfc show dev $port
	expect 0 losslessctl rollback
	has '"prio_pfc":[false,false,false,false,' dcb -j pfc show dev $port
}

dcb_reads_app() {
	becomes bnxt
	sets '"app":{"entries":[{"selector":"ethertype","protocol":35093,"priority":3},{"selector":"tcp","protocol":860,"priority":4},{"selector":"udp","protocol":4791,"priority":3},{"selector":"any","protocol":3260,"priority":5}]}'
	has '"ethtype_prio":[[35093,3]]' dcb -N -j app show dev $port
	says '"stream_port_prio":[[860,4]]'
	says '"dgram_port_prio":[[4791,3]]'
	says '"port_prio":[[3260,5]]'
}

dcb_writes_app() {
	dcb app del dev $port stream-port-prio 860:4
	dcb app add dev $port dgram-port-prio 4791:6
	shows '"entries":[{"selector":"ethertype","protocol":35093,"priority":3},{"selector":"udp","protocol":4791,"priority":3},{"selector":"udp","protocol":4791,"priority":6},{"selector":"any","protocol":3260,"priority":5}]'
}

entries_move() {
	sets '"app":{"entries":[{"selector":"udp","protocol":4791,"priority":5}]}'
	has '"dgram_port_prio":[[4791,5]]' dcb -N -j app show dev $port
	sets '"app":{"entries":[]}'
	same entries '{}' "$(dcb -j app show dev $port)"
}

firmware_dcbx_says_what_to_do() {
	local before
	becomes "$1"
	mlx5sim $port poke fwlldp 1
	before=$(everything)
	make_policy '{"dcbx":{"mode":"host"},"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3]},"ets":{"prio_tc":[0,0,0,1,0,0,0,0],"tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"bandwidth":[50,50,0,0,0,0,0,0]}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	says 'LLDP'
	same 'the port' "$before" "$(everything)"
	mlx5sim $port poke fwlldp 0
}

mlx5_takes_no_app() {
	becomes mlx5
	make_policy '{"app":{"entries":[{"selector":"udp","protocol":4791,"priority":3}]}}' $port
	local before
	before=$(everything)
	expect 1 losslessctl apply "$work/policy.json"
	same 'the port' "$before" "$(everything)"
}

dcb_reads_reco() {
	mlx5sim $port reco on
	sets '"ets":{"reco_prio_tc":[0,0,0,1,0,0,2,0],"reco_tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"reco_bandwidth":[40,60,0,0,0,0,0,0]}'
	has '"reco_tc_bw":[40,60,0,0,0,0,0,0],"reco_tc_tsa":["ets","ets","strict","strict","strict","strict","strict","strict"],"reco_prio_tc":[0,0,0,1,0,0,2,0]' \
		dcb -j ets show dev $port
	dcb ets set dev $port reco-prio-tc 4:1
	shows '"reco_prio_tc":[0,0,0,1,1,0,2,0]'
	mlx5sim $port reco off
}

app_trust_of_a_newer_kernel() {
	mlx5sim $port apptrust on
	sets '"app":{"trust":["pcp"]}'
	has 'trust pcp' mlx5sim $port state
	sets '"app":{"trust":["dscp","pcp"]}'
	has 'trust dscp' mlx5sim $port state
	shows '"trust":["dscp","pcp"]'
	sets '"app":{"trust":[]}'
	has 'trust none' mlx5sim $port state
	mlx5sim $port apptrust off
}

no_app_trust_here() {
	refuses '"app":{"trust":["dscp"]}'
	says 'app.trust'
}

it 'dcb reads the buffers that apply wrote, in cells' dcb_reads_buffers
it 'a lossless priority moves to another buffer' buffers_move_at_once
it 'show reads the buffers that dcb wrote' dcb_writes_buffers
it 'a buffer too small for the driver ends in exit 1, as it was' a_small_buffer_is_refused_by_the_driver
it 'a buffer far too small is refused before anything is written' a_tiny_buffer_is_refused_beforehand
it 'a buffer that firmware refuses in the middle leaves all as it was' a_firmware_that_refuses
it 'the size that headroom tells is enough, for the next change, too' headroom_is_enough
it 'a longer cable and the room for it come in one apply, and go back' room_comes_before_the_cable
it 'headroom follows the MTU' headroom_follows_the_mtu
it 'dcb reads the rates that apply wrote, rounded as the adapter rounds' dcb_reads_rates
it 'show reads the rates that dcb wrote' dcb_writes_rates
it 'ethtool reads a storm timeout of 80' ethtool_reads_storm 80 80
it 'ethtool reads a storm timeout of 8000' ethtool_reads_storm 8000 8000
it 'ethtool reads auto as 100' ethtool_reads_storm '"auto"' 100
it 'ethtool reads no storm timeout' ethtool_reads_storm 0 0
it 'show reads the storm timeout that ethtool wrote' ethtool_writes_storm
it 'debugfs reads all sixteen of DCQCN' files_read_dcqcn "$upstream" "${in_debugfs[@]}"
mapfile -t pairs < <(changed "${in_debugfs[@]}")
it 'show reads all sixteen of DCQCN that debugfs got' files_write_dcqcn "$upstream" "${pairs[@]}"
it 'debugfs reads the largest numbers' the_largest_numbers "$upstream" \
	rp_rate_reduce_monitor_period=4294967295 rp_time_reset=131071
it 'debugfs reads what CNPs look like' files_read_cnp "$upstream" 46 5 17 \
	np_cnp_dscp=46 np_cnp_prio=5 np_min_time_between_cnps=17
it 'show reads what CNPs look like from debugfs' cnp_of_files "$upstream" \
	np_cnp_dscp=13 np_cnp_prio=1 np_min_time_between_cnps=19
it 'the mode of the priority of CNPs survives a change of the priority' mode_survives_priority
it 'the mode is set beside the priority' mode_is_set_with_priority
it 'without MLNX_OFED its knobs are refused, or skipped where optional' without_ofed_it_says_so
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
mlx5sim $port ofed off
it 'ip reads the egress maps that apply wrote' ip_reads_egress
it 'show reads the egress map that ip wrote' ip_writes_egress
it 'a VLAN device that is not named keeps its map' one_device_leaves_the_other
it 'a VLAN device that does not exist is refused before anything is written' a_device_that_is_not_there
it 'rollback takes egress maps back' egress_goes_back
it 'RoCE that should be off is refused and never written' \
	only_verified '"roce":{"enabled":false}' devlink
it 'a RoCE v2 GID that should not be there is refused' only_verified '"roce":{"v2_gid":false}' v2_gid
it 'TCP without the ECN that is wanted is advice' tcp_ecn_is_advice
it 'PFC on a bnxt port whose classes nobody has set' bnxt_as_it_comes_takes_pfc
it 'dcb reads APP entries of all selectors' dcb_reads_app
it 'show reads the APP entries that dcb wrote' dcb_writes_app
it 'an APP entry moves, and goes' entries_move
it 'a firmware agent of bnxt that refuses: what to do is told' firmware_dcbx_says_what_to_do bnxt
it 'a firmware agent of ice that refuses: what to do is told' firmware_dcbx_says_what_to_do ice
it 'mlx5 takes no APP entry, and stays as it was' mlx5_takes_no_app
if mlx5sim --help | grep -q 'reco on'; then
	it 'dcb reads the ETS recommendation' dcb_reads_reco
fi
it 'without an APP trust list that is refused' no_app_trust_here
if mlx5sim --help | grep -q apptrust && [[ $(uname -r) != 6.1.* ]]; then
	it 'a newer kernel has an APP trust list' app_trust_of_a_newer_kernel
fi
tap_end
