# shellcheck shell=bash
# Facts that are checked by writing; the caller restores what they change. To be sourced.

# quietly COMMAND...: ignore its output and exit code: the value that is read back counts.
quietly() {
	"$@" >/dev/null 2>&1
	true
}

# unchanged SURFACE COMMAND...: the command, refused or ignored, changes nothing.
unchanged() {
	local surface=$1 was
	shift
	"words_$surface"
	was=$words
	quietly "$@"
	"words_$surface"
	[ "$was" = "$words" ] || printf 'was: %s\nis:  %s\n' "$was" "$words"
}

# downs: read how often the link went down, by the kernel's count and by the adapter's.
downs() {
	read -r downs_seen <"/sys/class/net/$port/carrier_down_count"
	downs_counted=$(ethtool -S "$port")
	downs_counted=${downs_counted#*link_down_events_phy: }
	downs_counted=${downs_counted%%[!0-9]*}
}

# flaps COUNT COMMAND...: the command takes the link down COUNT times.
flaps() {
	local expected=$1 seen counted_before began
	shift
	link_is_up || unknowable 'the link is down'
	downs
	seen=$downs_seen counted_before=$downs_counted began=${EPOCHREALTIME/./}
	quietly "$@"
	await 60 link_is_up || { echo 'the link has not come back within 60 s' && return; }
	((expected == 0)) || remark "back after $(((${EPOCHREALTIME/./} - began) / 1000)) ms"
	downs
	seen=$((downs_seen - seen))
	[ $seen -eq "$expected" ] || echo "the link went down $seen times"
	[ $((downs_counted - counted_before)) -eq $seen ] ||
		echo "it went down $seen times, and link_down_events_phy rose by $((downs_counted - counted_before))"
}

# set_pfc PRIORITY...: switch PFC on for exactly these.
set_pfc() {
	local prio arguments=(all:off)
	for prio; do
		arguments+=("$prio:on")
	done
	quietly dcb pfc set dev "$port" prio-pfc "${arguments[@]}"
}

set_pause() {
	quietly ethtool -A "$port" rx "$1" tx "$1"
}

# another_pfc: switch PFC on for one priority, a different one than now.
another_pfc() {
	if [ "$lossless" = 3 ]; then
		set_pfc 4
	else
		set_pfc 3
	fi
}

pfc_must_be_told() {
	[[ $pfc_now == *prio_pfc* ]] || unknowable 'PFC is not told'
}

dcbx_refuses_managed() {
	unchanged dcbx dcb dcbx set dev "$port" lld-managed ieee
}

same_pfc_is_quiet() {
	pfc_must_be_told
	pfc_words "$pfc_now"
	# shellcheck disable=SC2086	# words are what they are
	flaps 0 dcb pfc set dev "$port" prio-pfc $value
	words_pause
	[ "$pause_now" = "$words" ] || echo "pause was $pause_now, is $words"
}

pfc_flaps_once() {
	pfc_must_be_told
	flaps 1 another_pfc
}

pfc_ends_pause() {
	pfc_must_be_told
	set_pfc
	set_pause on
	look
	has_pause || unknowable 'global pause cannot be switched on'
	set_pfc 3
	look
	! has_pause || echo "pause is $pause_now"
	[ "$lossless" = 3 ] || echo "PFC is on: ${lossless:-none}"
}

all_priorities_can_pause() {
	pfc_must_be_told
	set_pfc 0 1 2 3 4 5 6 7
	look
	[ "$lossless" = '0 1 2 3 4 5 6 7' ] || echo "PFC is on: ${lossless:-none}"
}

names_come_with_pfc() {
	pfc_must_be_told
	set_pfc 3 5
	look
	[ "$lossless" = '3 5' ] || unknowable "PFC 3 and 5 became ${lossless:-none}"
	pause_counters_follow_pfc
	set_pfc
	look
	pause_counters_follow_pfc
}

cable_takes() {
	local metres
	field delay "$pfc_now"
	is_within "$value" 1 999 || unknowable 'the port has no cable length'
	for metres in 1 999; do
		flaps 0 dcb pfc set dev "$port" delay $metres
		words_pfc
		field delay "$words"
		[ "$value" = $metres ] || echo "$metres became $value"
	done
}

cable_ignores() {
	local metres
	for metres in 0 1000; do
		unchanged pfc dcb pfc set dev "$port" delay $metres
	done
}

pause_keeps_pfc() {
	pfc_must_be_told
	set_pfc 3
	set_pause on
	look
	has_pause || echo 'global pause is refused'
	[ "$lossless" = 3 ] || echo 'PFC is cleared'
}

pause_is_quiet() {
	local word=on
	! has_pause || word=off
	flaps 0 set_pause $word
	words_pause
	[ "$words" = "autoneg off rx $word tx $word" ] || echo "$words"
}

# set_ets SHARES: set three classes, one of them strict.
set_ets() {
	put_ets "{\"prio_tc\":[0,0,0,3,0,0,6,0],\"tc_tsa\":[$three_classes],\"tc_bw\":[$1]}"
}
three_classes='"ets","ets","ets","ets","ets","ets","strict","ets"'

ets_is_exact() {
	local shares=40,0,0,60,0,0,0,0
	flaps 0 set_ets $shares
	words_ets
	[ "$words" = "{\"prio_tc\":[0,0,0,3,0,0,6,0],\"tc_tsa\":[$three_classes],\"tc_bw\":[$shares]}" ] ||
		echo "$words"
}

ets_refuses_other_sums() {
	unchanged ets set_ets 30,0,0,60,0,0,0,0
}

ets_refuses_shapers() {
	unchanged ets dcb ets set dev "$port" tc-tsa 5:cbs
}

# rate_of_0: set $value to the limit that dcb reads for class 0.
rate_of_0() {
	words_maxrate
	list tc_maxrate "$words"
	value=${value%% *}
}

# learn_units: find the units that dcb writes and reads, which depend on its version: an older dcb
# takes 80 Mb/s for 10 Gb/s, and reads kbit/s.
learn_units() {
	quietly dcb maxrate set dev "$port" tc-maxrate all:0bit
	quietly dcb maxrate set dev "$port" tc-maxrate 0:80000000bit
	rate_of_0
	case $value in
	10000000) to_dcb=8 from_dcb=1 ;;
	12500000) to_dcb=1000 from_dcb=125 ;;
	0) echo 'no limit is taken' && exit ;;
	*) unknowable "80 Mb/s became $value: neither a rate nor an older dcb's" ;;
	esac
}

# rate_becomes KBIT: set the limit, and $value to what the port makes of it.
rate_becomes() {
	quietly dcb maxrate set dev "$port" tc-maxrate "0:$(($1 * to_dcb))bit"
	rate_of_0
	value=$((value / from_dcb))
}

# of_either 8_BITS 16_BITS KBIT: the limit became the value of a driver and adapter of either width.
of_either() {
	case $value in
	"$1") remark '8 bits' ;;
	"$2") remark '16 bits' ;;
	*) echo "$3 kbit/s became $value" ;;
	esac
}

rates_are_floored() {
	local row
	learn_units
	for row in 1:100000 199999:100000 25500000:25500000 255000000:255000000; do
		rate_becomes "${row%:*}"
		[ "$value" = "${row#*:}" ] || echo "${row%:*} kbit/s became $value"
	done
	rate_becomes 25600000
	of_either 25000000 25600000 25600000
}

rates_end_at_255() {
	learn_units
	rate_becomes 100000
	rate_becomes 256000000
	of_either 100000 256000000 256000000
}

only_dscp_is_taken() {
	unchanged app dcb app add dev "$port" ethtype-prio 0x8906:3
}

# Use DSCP 0: its priority in the adapter is 0 before the first entry, and after the last is gone.
last_entry_wins() {
	local prio
	words_app
	[ "$words" = '{}' ] || unknowable 'the port has APP entries: theirs are not touched'
	for prio in 0 1 1 0; do
		dcb app add dev "$port" dscp-prio 0:$prio || echo "priority $prio is refused: $words"
		words_app
		entries "$words"
		[ "$value" = "dscp-prio 0:$prio"$'\n' ] || echo "after 0:$prio: $value"
	done
}

storm_takes() {
	local row
	words_storm
	[ -n "$words" ] || unknowable 'ethtool does not tell it'
	for row in 80:80 79:80 8000:8000 8001:8000 65535:100; do
		quietly put_storm "${row%:*}"
		words_storm
		[ "$words" = "${row#*:}" ] || echo "after ${row%:*} it is $words"
	done
}

# written FILE VALUE: write it, and set $value to what the file then has, or to "refused".
written() {
	value=refused
	{ echo "$2" >"$1"; } 2>/dev/null && read -r value <"$1"
}

# The driver writes the mode 1 with priority 0: no file restores a priority with that mode.
pair_must_be_restorable() {
	local priority mode
	read -r priority <"$cc_folder/np_cnp_prio"
	read -r mode <"$cc_folder/np_cnp_prio_mode"
	((!priority || !mode)) || unknowable "debugfs restores no np_cnp_prio $priority beside np_cnp_prio_mode $mode"
}

cc_cuts() {
	local row
	cc_must_be_there
	pair_must_be_restorable
	for row in np_cnp_dscp:64 np_cnp_prio:8; do
		written "$cc_folder/${row%:*}" "${row#*:}"
		[ "$value" = 0 ] || echo "${row#*:} as ${row%:*}: $value"
	done
}

priority_clears_mode() {
	cc_must_be_there
	pair_must_be_restorable
	written "$cc_folder/np_cnp_prio_mode" 1
	[ "$value" = 1 ] || unknowable "np_cnp_prio_mode 1: $value"
	read -r value <"$cc_folder/np_cnp_prio"
	written "$cc_folder/np_cnp_prio" "$value"
	read -r value <"$cc_folder/np_cnp_prio_mode"
	[ "$value" = 0 ] || echo "np_cnp_prio_mode is $value"
}

# cc_takes NAME LEAST MOST: the firmware takes both; the result of MOST + 1 is only a remark.
cc_takes() {
	local name=$1 most=$3 number
	cc_must_be_there
	[[ $name != np_cnp_prio* ]] || pair_must_be_restorable
	if [ "$most" = line ]; then
		read -r most 2>/dev/null <"/sys/class/net/$port/speed"
		is_within "$most" 1 1000000 || unknowable 'the link is down: no line rate'
	fi
	for number in "$2" "$most"; do
		written "$cc_folder/$name" "$number"
		[ "$value" = "$number" ] || echo "$number: $value"
	done
	written "$cc_folder/$name" $((most + 1))
	remark "$((most + 1)): $value"
}

roce_is_taken() {
	local row
	make_roce_folder || unknowable 'rdma_cm has no folder for it in configfs'
	for row in 'mode:IB/RoCE v1' 'mode:RoCE v2' tos:255 tos:106; do
		written "$roce_folder/ports/1/default_roce_${row%%:*}" "${row#*:}"
		[ "$value" = "${row#*:}" ] || echo "${row#*:}: $value"
	done
	written "$roce_folder/ports/1/default_roce_tos" 256
	[ "$value" = refused ] || echo "ToS 256: $value"
}

# policy_to_apply PRIORITY
policy_to_apply() {
	cat <<-END
	{ "version": 1, "profiles": { "accept": {
	  "pause": { "rx": false, "tx": false },
	  "pfc": { "priorities": [$1], "storm_timeout_ms": 100 },
	  "ets": { "prio_tc": [0, 0, 0, 3, 0, 0, 6, 0], "bandwidth": [40, 0, 0, 60, 0, 0, 0, 0],
	    "tsa": [$three_classes] },
	  "roce": { "tos": 106 } } },
	  "rules": [ { "match": { "name": "$port" }, "profile": "accept" } ] }
	END
}

# must_succeed COMMAND...
must_succeed() {
	local code=0
	"$@" >"$work/said" 2>&1 || code=$?
	[ $code -eq 0 ] || { echo "$* exits $code" && tail -n 5 "$work/said"; }
}

# Create the configfs directory as apply would, so that all is as before after the rollback.
apply_and_back() {
	local prio=3
	[ ! -e /var/lib/losslessctl/journal ] ||
		unknowable 'an apply of before could then no longer be rolled back'
	make_roce_folder || unknowable 'rdma_cm has no folder for it in configfs'
	[ "$lossless" != 3 ] || prio=4
	policy_to_apply $prio >"$work/policy.json"
	keep_words "$work/before"
	must_succeed losslessctl apply "$work/policy.json" "$port"
	must_succeed losslessctl verify "$work/policy.json" "$port"
	must_succeed losslessctl rollback "$port"
	rm -rf /var/lib/losslessctl/journal
	keep_words "$work/after"
	diff -r "$work/before" "$work/after"
}
