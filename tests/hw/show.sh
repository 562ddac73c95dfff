# shellcheck shell=bash
# Facts about show: it reports the values that other tools read. To be sourced.

# see_shown: set $shown to the output of show, which runs only once.
see_shown() {
	[ -e "$work/show.json" ] || losslessctl --json show "$port" >"$work/show.json" ||
		{ rm "$work/show.json" && exit; }
	IFS= read -r -d '' shown <"$work/show.json"
}

# shown GROUP KEY: set $value to this value of show's only port.
shown() {
	value=
	[[ $shown =~ \"$1\":\{(\"prio\":\{[^}]*\}|[^{}])*\} ]] && field "$2" "${BASH_REMATCH[0]}"
}

# shown_all GROUP KEY...: set $theirs to these keys and their values.
shown_all() {
	local key
	theirs=
	for key in "${@:2}"; do
		shown "$1" "$key"
		theirs+="$key $value "
	done
}

# fields JSON KEY NAME...: set $words to the other tool's values under show's names.
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

# Each of these functions sets $theirs to show's values, and $words to those of the other tools.
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

# show reports Mb/s: 1000 or 125000 of dcb's units, depending on its version; see put_maxrate.
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

# DSCPs that show does not list follow a rule, or have no entry ("keep").
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

# The parameters' names in show.
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

# A second file shows whether the DSCP of RTT responses is set.
show_rtt() {
	local number valid
	read -r valid 2>/dev/null <"$cc_folder/rtt_resp_dscp_valid" && read -r number <"$cc_folder/rtt_resp_dscp" || return 0
	[ "$valid" = 1 ] || number='"unset"'
	shown cnp rtt_resp_dscp
	all+="rtt_resp_dscp $number "
	theirs+="rtt_resp_dscp $value "
}

# The files have 1 and 0 for show's true and false.
show_cc() {
	local name number group all=
	cc_must_be_there
	theirs=
	show_rtt
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

# traced COMMAND...: print its calls that do not only read: messages that set, files that it writes.
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
