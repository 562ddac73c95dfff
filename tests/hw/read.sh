# shellcheck shell=bash
# Facts that are checked by reading. To be sourced.
#
# A probe prints what it finds if that is not as expected, and nothing otherwise.

declare -A counted # counts by name

# unknowable WHY...: the fact is unknown here.
unknowable() {
	echo "$*"
	exit 3
}

# remark WORDS...: add a remark to a fact that is as expected.
remark() {
	echo "$*" >"$work/remark"
}

# look: read what most facts need; repeat it after a write. There are thousands of counters, and a
# shell reads from a pipe byte by byte, hence the file.
look() {
	local name number
	counted=()
	ethtool -S "$port" >"$work/counters"
	while IFS=' :' read -r name number; do
		[[ ! $number =~ ^[0-9]+$ ]] || counted[$name]=$number
	done <"$work/counters"
	words_pause
	pause_now=$words
	dcb_words pfc prio-pfc delay requests
	pfc_now=$words
	find_lossless
}

# find_lossless: set $lossless to the priorities that have PFC.
find_lossless() {
	local on prio=0
	lossless=
	list prio_pfc "$pfc_now"
	for on in $value; do
		[ "$on" != true ] || lossless+=" $prio"
		prio=$((prio + 1))
	done
	lossless=${lossless# }
}

has_pause() {
	[[ $pause_now == *'rx on'* || $pause_now == *'tx on'* ]]
}

driver_is() {
	local said
	said=$(ethtool -i "$port")
	[[ $said == *"driver: $1"$'\n'* ]] || echo "${said%%$'\n'*}"
	[[ $said == *"bus-info: $pci"* ]] || echo "sysfs says $pci, ethtool: ${said#*bus-info: }"
}

has_one_rdma_device() {
	local said
	[ -n "$rdma_name" ] || unknowable 'no RDMA device names it'
	said=$(rdma link show | grep -E "netdev $port( |\$)")
	[[ $said != *$'\n'* ]] || echo "$said"
}

speaks_dcb() {
	local object
	for object in pfc ets dcbx; do
		dcb_words $object
		[[ $words == '{"'* ]] || echo "no answer for $object"
	done
}

dcbx_is_known() {
	words_dcbx
	case $words in
	'{"host":true,"cee":true,"ieee":true}' | '{"cee":true,"ieee":true}') ;;
	'{"host":true,'*) remark "$words: somebody wrote it" ;;
	*) echo "$words" ;;
	esac
}

# is_within NUMBER LEAST MOST
is_within() {
	[[ $1 =~ ^[0-9]+$ ]] && (($1 >= $2 && $1 <= $3))
}

delay_is_metres() {
	field delay "$pfc_now"
	is_within "$value" 1 999 || echo "delay $value"
}

ets_has_no_more() {
	local name
	dcb_words ets
	field willing "$words"
	[ "$value" = false ] || echo "willing: $value"
	for name in reco_tc_bw reco_prio_tc; do
		list $name "$words"
		[[ $value =~ ^[0\ ]*$ ]] || echo "$name $value"
	done
}

others_have_no_share() {
	local kinds shares class
	words_ets
	list tc_tsa "$words"
	read -ra kinds <<<"$value"
	list tc_bw "$words"
	read -ra shares <<<"$value"
	[[ " ${kinds[*]} " =~ \ (strict|vendor)\  ]] || unknowable 'every class is ETS, or ETS is not told'
	for class in "${!kinds[@]}"; do
		[[ ${kinds[class]} == ets || ${shares[class]} -eq 0 ]] ||
			echo "class $class is ${kinds[class]} and has ${shares[class]} %"
	done
}

# dcb reads kbit/s or bytes/s, depending on its version: 100 Mb/s are 100000 or 12500000.
rates_are_whole_steps() {
	local rate
	words_maxrate
	list tc_maxrate "$words"
	for rate in $value; do
		((rate % 100000 == 0)) || echo "rate $rate"
	done
}

buffers_are_whole_cells() {
	local size sum=0
	words_buffer
	list buffer_size "$words"
	[ -n "$value" ] || unknowable 'buffers are not told'
	for size in $value; do
		((size % 128 == 0)) || echo "$size bytes"
		sum=$((sum + size))
	done
	field total_size "$words"
	[ $sum -le "$value" ] || echo "$sum bytes of $value"
}

entries_are_dscp_once() {
	local entry all=' '
	words_app
	entries "$words"
	[ -n "$value" ] || unknowable 'there are no APP entries'
	while read -r entry; do
		[[ $entry == dscp-prio* && $all != *" ${entry%:*}:"* ]] || echo "$entry"
		all+="$entry "
	done <<<"${value%?}"
}

pause_is_not_negotiated() {
	[[ $pause_now == 'autoneg off '* ]] || echo "$pause_now"
}

pause_or_pfc() {
	! has_pause || [ -z "$lossless" ] || echo "pause $pause_now, PFC on $lossless"
}

storm_is_in_range() {
	words_storm
	[ -n "$words" ] || unknowable 'ethtool does not tell it'
	[ "$words" = 0 ] || is_within "$words" 80 8000 || echo "$words ms"
}

cc_must_be_there() {
	[ -d "$cc_folder" ] || unknowable 'no congestion control parameters in debugfs'
	words_cc
	[ -n "$words" ] || unknowable 'debugfs cannot be read: kernel lockdown?'
}

cc_files_are_numbers() {
	local name number count=0
	cc_must_be_there
	while read -r name number; do
		[[ $number =~ ^[0-9]+$ ]] || echo "$name is $number"
		[[ $name != [rn]p_* ]] || count=$((count + 1))
	done <<<"${words%?}"
	[ $count -eq 20 ] || echo "$count of 20"
}

# is_counted NAME...: report the counters that are missing.
is_counted() {
	local name
	for name; do
		[ -n "${counted[$name]-}" ] || echo "$name is missing"
	done
}

# is_not_counted NAME...: report the counters that exist.
is_not_counted() {
	local name
	for name; do
		[ -z "${counted[$name]-}" ] || echo "$name is there"
	done
}

counters_are_always_there() {
	local prio
	for prio in 0 1 2 3 4 5 6 7; do
		is_counted rx_prio${prio}_{bytes,packets,discards} tx_prio${prio}_{bytes,packets}
	done
	is_counted {rx,tx}_pause_ctrl_phy link_down_events_phy rx_discards_phy
}

pause_counters_follow_pfc() {
	local prio is
	for prio in 0 1 2 3 4 5 6 7; do
		is=is_not_counted
		[[ " $lossless " != *" $prio "* ]] || is=is_counted
		$is {rx,tx}_prio${prio}_pause{,_duration} rx_prio${prio}_pause_transition
	done
}

global_counters_follow_pause() {
	local is=is_not_counted
	! has_pause || is=is_counted
	$is {rx,tx}_global_pause{,_duration} rx_global_pause_transition
}

dcb_counts_what_ethtool_does() {
	local prio requests sum=0
	list requests "$pfc_now"
	read -ra requests <<<"$value"
	for prio in $lossless; do
		sum=$((sum + ${counted[tx_prio${prio}_pause]}))
		[ "${requests[prio]}" = "${counted[tx_prio${prio}_pause]}" ] ||
			echo "priority $prio: dcb ${requests[prio]}, ethtool ${counted[tx_prio${prio}_pause]}"
	done
	[ $sum -gt 0 ] || unknowable 'no PFC frame was sent so far'
}

control_counts_pfc() {
	local prio sum=0
	for prio in $lossless; do
		sum=$((sum + ${counted[rx_prio${prio}_pause]}))
	done
	[ $sum -gt 0 ] || unknowable 'no PFC frame was received so far'
	[ "${counted[rx_pause_ctrl_phy]}" -ge $sum ] ||
		echo "$sum PFC frames received, rx_pause_ctrl_phy is ${counted[rx_pause_ctrl_phy]}"
}

rdma_must_be_there() {
	[ -n "$rdma_name" ] || unknowable 'there is no RDMA device'
}

cnps_are_counted() {
	local name counters
	rdma_must_be_there
	counters=" $(rdma statistic show link "$rdma_name/1") "
	for name in np_cnp_sent np_ecn_marked_roce_packets rp_cnp_handled rp_cnp_ignored; do
		[[ $counters == *" $name "* ]] || echo "$name is missing"
	done
}

rdma_files_are_netlink() {
	local folder=/sys/class/infiniband/$rdma_name/ports/1/hw_counters file counters
	rdma_must_be_there
	[ -d "$folder" ] || unknowable 'no counters by port in sysfs'
	counters=" $(rdma statistic show link "$rdma_name/1") "
	for file in "$folder"/*; do
		[[ ${file##*/} == lifespan || $counters == *" ${file##*/} "* ]] ||
			echo "${file##*/} is in sysfs alone"
	done
	for file in $counters; do
		[[ ! $file =~ ^[a-z]+_[a-z0-9_]+$ || $file == "$rdma_name" || -e $folder/$file ]] ||
			echo "$file is in netlink alone"
	done
}

roce_is_a_parameter() {
	local said
	said=$(devlink dev param show "pci/$pci" name enable_roce 2>&1) ||
		unknowable 'devlink has no such parameter here'
	[[ $said == *'cmode driverinit'* ]] || echo "$said"
}
