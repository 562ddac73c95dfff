# shellcheck shell=bash
# Facts that are told by reading. To be sourced.
#
# A probe says what it sees where that is not as expected, and nothing where it is.

declare -A counted # by name

# unknowable WHY...: the fact cannot be told here.
unknowable() {
	echo "$*"
	exit 3
}

# remark WORDS...: beside a fact that is as expected.
remark() {
	echo "$*" >"$work/remark"
}

# look: what most facts look at; again after a write.
look() {
	local name number
	counted=()
	while IFS=' :' read -r name number; do
		[[ ! $number =~ ^[0-9]+$ ]] || counted[$name]=$number
	done < <(ethtool -S "$port")
	words_pause
	pause_now=$words
	dcb_words pfc prio-pfc delay requests
	pfc_now=$words
	find_lossless
}

# find_lossless: the priorities that have PFC.
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

# What dcb reads is kbit/s or bytes/s, by its version: 100 Mb/s are 100000 or 12500000.
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

# is_counted NAME...: tells what is missing.
is_counted() {
	local name
	for name; do
		[ -n "${counted[$name]-}" ] || echo "$name is missing"
	done
}

# is_not_counted NAME...: tells what is there.
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

# see_shown: what show tells, asked for once.
see_shown() {
	[ -e "$work/show.json" ] || losslessctl --json show "$port" >"$work/show.json" ||
		{ rm "$work/show.json" && exit; }
	IFS= read -r -d '' shown <"$work/show.json"
}

# shown GROUP KEY: a value of show's one port.
shown() {
	value=
	[[ $shown =~ \"$1\":\{(\"prio\":\{[^}]*\}|[^{}])*\} ]] && field "$2" "${BASH_REMATCH[0]}"
}

# shown_all GROUP KEY...: their values in $theirs.
shown_all() {
	local key
	theirs=
	for key in "${@:2}"; do
		shown "$1" "$key"
		theirs+="$key $value "
	done
}

# fields JSON KEY NAME...: the values of others under show's names, in $words.
fields() {
	local json=$1 all=
	shift
	while [ $# -gt 0 ]; do
		field "$1" "$json"
		all+="$2 $value "
		shift 2
	done
	words=$all
}

# In each, what show says comes into $theirs, and what the others say into $words.
show_mtu() {
	field mtu "$shown"
	theirs=$value
	words_link
	words=${words#mtu }
	words=${words% *}
}

show_dcbx() {
	shown dcbx mode
	theirs=$value
	words_dcbx
	field host "$words"
	words='"firmware"'
	[ "$value" != true ] || words='"host"'
}

show_pause() {
	shown_all pause rx tx
	words=${pause_now#autoneg off }
	words=${words//on/true}
	words="${words//off/false} "
}

show_pfc() {
	shown_all pfc priorities cable_m
	field delay "$pfc_now"
	words="priorities [${lossless// /,}] cable_m $value "
}

show_storm() {
	shown pfc storm_timeout_ms
	theirs=$value
	words_storm
}

show_ets() {
	shown_all ets prio_tc tsa bandwidth
	words_ets
	fields "$words" prio_tc prio_tc tc_tsa tsa tc_bw bandwidth
}

show_buffer() {
	shown_all buffer size_bytes prio_buffer
	words_buffer
	fields "$words" buffer_size size_bytes prio_buffer prio_buffer
}

# In Mb/s; in dcb's units, whichever they are, that is a thousand or 125000: see put_maxrate.
show_maxrate() {
	local unit rate
	list tc_mbps "$shown"
	theirs=$value
	words_maxrate
	list tc_maxrate "$words"
	for unit in 1000 125000; do
		words=
		for rate in $value; do
			words+="$((rate / unit)) "
		done
		[ "$words" != "$theirs " ] || break
	done
	words=${words% }
}

# The DSCPs that show does not name follow a rule, or have no entry ("keep").
show_dscp() {
	local dscp entry rest
	local -A of_show=() of_dcb=()
	shown dscp rest
	rest=${value//\"/}
	[[ $shown =~ \"dscp\":\{\"prio\":\{([^}]*)\} ]] && value=,${BASH_REMATCH[1]//\"/}
	for ((dscp = 0; dscp < 64; dscp++)); do
		case $rest in
		class) of_show[$dscp]=$((dscp >> 3)) ;;
		[0-7]) of_show[$dscp]=$rest ;;
		esac
		[[ ! ,$value, =~ ,$dscp:([0-7]), ]] || of_show[$dscp]=${BASH_REMATCH[1]}
	done
	words_app
	entries "$words"
	while read -r entry; do
		[[ ! $entry =~ ^dscp-prio\ ([0-9]+):([0-7])$ ]] || of_dcb[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
	done <<<"$value"
	theirs='' words=''
	for ((dscp = 0; dscp < 64; dscp++)); do
		theirs+="${of_show[$dscp]--} "
		words+="${of_dcb[$dscp]--} "
	done
}

# What show calls them.
declare -A cc_names=(
	[rp_clamp_tgt_rate]=clamp_tgt_rate
	[rp_clamp_tgt_rate_ati]=clamp_tgt_rate_after_time_inc
	[rp_time_reset]=rpg_time_reset_us
	[rp_byte_reset]=rpg_byte_reset
	[rp_threshold]=rpg_threshold
	[rp_ai_rate]=rpg_ai_rate_mbps
	[rp_max_rate]=rpg_max_rate_mbps
	[rp_hai_rate]=rpg_hai_rate_mbps
	[rp_min_dec_fac]=rpg_min_dec_fac
	[rp_min_rate]=rpg_min_rate_mbps
	[rp_rate_to_set_on_first_cnp]=rate_to_set_on_first_cnp_mbps
	[rp_dce_tcp_g]=dce_tcp_g
	[rp_dce_tcp_rtt]=dce_tcp_rtt_us
	[rp_rate_reduce_monitor_period]=rate_reduce_monitor_period_us
	[rp_initial_alpha_value]=initial_alpha_value
	[rp_gd]=rpg_gd
	[np_min_time_between_cnps]=min_interval_us
	[np_cnp_dscp]=dscp
	[np_cnp_prio]=priority
	[np_cnp_prio_mode]=priority_mode
)

# A yes is 1. What show has no name for (6.12 has two more) is left out.
show_cc() {
	local name number group all=
	cc_must_be_there
	theirs=
	while read -r name number; do
		[ -n "${cc_names[$name]-}" ] || continue
		group=dcqcn
		[[ $name != np_* ]] || group=cnp
		shown $group "${cc_names[$name]}"
		value=${value/true/1}
		all+="$name $number "
		theirs+="$name ${value/false/0} "
	done <<<"${words%?}"
	words=$all
}

show_roce() {
	words_roce
	[ "$words" != absent ] || unknowable 'the rdma_cm folder in configfs was not made yet'
	shown roce tos
	theirs=$value
	shown roce mode
	value=${value/\"v1\"/IB\/RoCE v1}
	theirs+=" ${value/\"v2\"/RoCE v2}"
}

# show_tells WHAT
show_tells() {
	see_shown
	"show_$1"
	[ "$theirs" = "$words" ] || printf 'show: %s\nthe others: %s\n' "$theirs" "$words"
}

# traced COMMAND...: what it does that is no reading: messages that set, files that are written.
traced() {
	local calls='mkdir|mkdirat|unlink|unlinkat|rename|renameat2?|rmdir|symlink|link|chmod|fchmod|chown'
	calls+='|truncate|ftruncate|mount|finit_module|delete_module|execveat|fork|vfork'
	strace -f -o "$work/trace" -e trace=all "$@" >/dev/null 2>&1
	grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC)' "$work/trace" | grep -vE '"/dev/(null|tty)"' | cut -c1-200
	grep -oE "^[0-9]+ +($calls)\(.*" "$work/trace" | cut -c1-200
	grep -E '(sendto|sendmsg)\(' "$work/trace" |
		grep -oE 'nlmsg_type=(RTM_(NEW|DEL|SET)[A-Z]*|0x4f)|DCB_CMD_(IEEE_SET|IEEE_DEL|SDCBX)'
	grep -q exit_group "$work/trace" || echo "no trace of: $*"
}

reading_changes_nothing() {
	local verb
	type -P strace >/dev/null || unknowable 'strace is not installed'
	see_shown
	traced losslessctl show "$port"
	for verb in plan verify; do
		traced losslessctl $verb "$work/show.json" "$port"
	done
}

what_is_shown_is_kept() {
	local code=0
	see_shown
	losslessctl verify "$work/show.json" "$port" >"$work/said" 2>&1 || code=$?
	[ $code -eq 0 ] || { echo "verify exits $code" && head -n 5 "$work/said"; }
}
