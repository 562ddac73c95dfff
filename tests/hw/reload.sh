# shellcheck shell=bash
# Facts about the settings that a driver reload keeps and resets. The reload happens once, before
# the first of these facts; the words before and after it are kept. To be sourced.

# set_apart: set values that differ from all defaults, so that a reset shows.
set_apart() {
	another_pfc
	quietly dcb pfc set dev "$port" delay 33
	quietly dcb maxrate set dev "$port" tc-maxrate 0:80000000bit
	quietly put_storm 200
	[ ! -d "$cc_folder" ] || written "$cc_folder/rp_time_reset" 301
	quietly set_ets 40,0,0,60,0,0,0,0
}

reload_once() {
	[ ! -e "$work/reloaded" ] || return 0
	set_apart
	link_is_back
	keep_words "$work/apart"
	devlink dev reload "pci/$pci" >"$work/said" 2>&1 || unknowable "devlink: $(<"$work/said")"
	port_is_there || return
	ip link set dev "$port" up
	link_is_back
	keep_words "$work/reloaded"
}

# reload_leaves SURFACE [FIELD]: the reload does not change it.
reload_leaves() {
	local before after
	reload_once
	before=$(<"$work/apart/$1") after=$(<"$work/reloaded/$1")
	[ "$before" != '{}' ] || unknowable 'there is nothing that could stay'
	if [ $# -gt 1 ]; then
		field "$2" "$before"
		before=$value
		field "$2" "$after"
		after=$value
	fi
	[ "$before" = "$after" ] || printf 'before: %s\nafter:  %s\n' "$before" "$after"
}

reload_resets_ets() {
	local after
	reload_once
	after=$(<"$work/reloaded/ets")
	[[ $after == '{"prio_tc":[1,0,2,3,4,5,6,7],"tc_tsa":["vendor","vendor",'* ]] || echo "$after"
}

reload_resets_cable() {
	reload_once
	field delay "$(<"$work/reloaded/pfc")"
	[ "$value" = 7 ] || echo "$value metres"
}
