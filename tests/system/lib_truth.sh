# shellcheck shell=bash
# Checks of a failed apply from outside: the report names exactly the settings that dcb, ethtool,
# sysfs, configfs and debugfs read differently than before.
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

device=/proc/connectx/${pci_of[$port]}

# Start from a pair of CNPs' priority and mode that a rollback can restore: a cold adapter's is none.
eval "cold_$(declare -f reset_ports)"
reset_ports() {
	local file
	cold_reset_ports
	for file in /sys/kernel/debug/mlx5/*/cc_params/np_cnp_prio; do
		echo 6 >"$file"
	done
}
for file in /sys/kernel/debug/mlx5/*/cc_params/np_cnp_prio; do
	echo 6 >"$file"
done
params=/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params

# Two setups that differ in nearly every setting, and one that resets what they share.
declare -A setup=(
	[first]='"mtu":9000,"pause":{"rx":false,"tx":false},
		"pfc":{"priorities":[3],"cable_m":7,"storm_timeout_ms":100},
		"ets":{"prio_tc":[0,0,0,3,0,0,6,0],"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],
		"bandwidth":[50,0,0,50,0,0,0,0]},"maxrate":{"tc_mbps":[10000,0,0,0,0,0,0,0]},
		"trust":"dscp","dscp":{"prio":{"26":3,"48":6},"rest":0},
		"cnp":{"dscp":48,"priority":6},"dcqcn":{"rpg_threshold":3,"rpg_ai_rate_mbps":1204},
		"roce":{"mode":"v2","tos":106}'
	[second]='"mtu":4200,"pause":{"rx":false,"tx":false},
		"pfc":{"priorities":[4],"cable_m":100,"storm_timeout_ms":200},
		"ets":{"prio_tc":[0,0,0,0,4,0,5,0],"tsa":["ets","ets","ets","ets","ets","strict","ets","ets"],
		"bandwidth":[30,0,0,0,70,0,0,0]},"maxrate":{"tc_mbps":[0,20000,0,0,0,0,0,0]},
		"trust":"dscp","dscp":{"prio":{"30":4,"40":5},"rest":1},
		"cnp":{"dscp":40,"priority":5},"dcqcn":{"rpg_threshold":4,"rpg_ai_rate_mbps":1205},
		"roce":{"mode":"v1","tos":122}'
	[none]='"mtu":1500,"pause":{"rx":true,"tx":true},"pfc":{"priorities":[],"cable_m":7},
		"ets":{"prio_tc":[0,0,0,0,0,0,0,0],"tsa":["strict","strict","strict","strict","strict","strict","strict","strict"],
		"bandwidth":[0,0,0,0,0,0,0,0]},"trust":"pcp","roce":{"tos":0}'
)

write_policies() {
	local name
	for name in "${!setup[@]}"; do
		make_policy "{\"dcbx\":{\"mode\":\"host\"},${setup[$name]}}" $port
		mv "$work/policy.json" "$work/$name.json"
	done
}

dcb_settings() {
	dcb -N dcbx show dev $port
	dcb pfc show dev $port prio-pfc delay
	dcb ets show dev $port prio-tc tc-tsa tc-bw
	dcb maxrate show dev $port
	dcb -N app show dev $port dscp-prio
}

# Print "SETTING VALUE", one a line. A class without ETS has no share, whatever the kernel prints.
# No tool reads mlx5's trust: take it from the simulated register.
settings_outside() {
	local file value
	{
		dcb_settings
		ethtool -a $port
		ethtool --get-tunable $port pfc-prevention-tout | sed 's/^/storm /'
		grep '^trust ' "$device/state"
	} 2>&1 | awk '
		/^(host|lld-managed|ieee|cee)/ { print "dcbx.mode", $0 }
		/^prio-pfc/ { $1 = ""; print "pfc.priorities" $0 }
		/^delay/ { print "pfc.cable_m", $2 }
		/^prio-tc/ { $1 = ""; print "ets.prio_tc" $0 }
		/^tc-tsa/ { for (i = 2; i <= NF; i++) { split($i, t, ":"); tsa[t[1]] = t[2] }
			$1 = ""; print "ets.tsa" $0 }
		/^tc-bw/ { out = ""; for (i = 2; i <= NF; i++) { split($i, t, ":")
			out = out " " (tsa[t[1]] == "ets" ? t[2] : 0) }; print "ets.bandwidth" out }
		/^tc-maxrate/ { $1 = ""; print "maxrate.tc_mbps" $0 }
		/^dscp-prio/ { $1 = ""; print "dscp.prio" $0; listed = NF > 0 }
		/^RX:/ { print "pause.rx", $2 }
		/^TX:/ { print "pause.tx", $2 }
		/^storm/ { print "pfc.storm_timeout_ms", $NF }
		/^trust/ { print "trust", $2 }
		/rror:|annot|not found/ { print "error", $0 }'
	read -r value <"/sys/class/net/$port/mtu" && echo "mtu $value"
	for file in np_cnp_dscp:cnp.dscp np_cnp_prio:cnp.priority np_cnp_prio_mode:cnp.priority_mode \
		rp_threshold:dcqcn.rpg_threshold rp_ai_rate:dcqcn.rpg_ai_rate_mbps; do
		read -r value <"$params/${file%%:*}" && echo "${file#*:} $value"
	done
	for file in mode tos; do
		read -r value <"/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_$file" &&
			echo "roce.$file $value"
	done
}

# Print the names of the settings that differ between two dumps.
differing() {
	diff <(sort <<<"$1") <(sort <<<"$2") | awk '/^[<>]/ { print $2 }' | sort -u
}

# named [known]: print the settings that the last report names as changed; with "known", those with
# a value. The report also names, with null, a setting that cannot be read after a write to it.
named() {
	grep -oE '"setting":"[^"]*","actual":.{4}' "$work/out" |
		awk -F'"' -v known="${1-}" '!known || $0 !~ /:null$/ { print $4 }' | sort -u
}

# bring_to SETUP: bring the port to SETUP, or to its defaults at power-on ("new"); set `outside`.
bring_to() {
	reset_ports
	[ "$1" = new ] || losslessctl -q apply "$work/$1.json" >"$work/out" 2>&1 || cat "$work/out"
	outside=$(settings_outside)
}

# judge CODE NOW: check the settings NOW that an apply with this exit code left.
judge() {
	local code=$1 now=$2
	case $code in
	0) expect 0 losslessctl verify "$work/$to.json" $port ;;
	4)
		same 'exit 4: differ, and are not named' '' \
			"$(comm -23 <(differing "$outside" "$now") <(named))"
		same 'exit 4: are named, and do not differ' '' \
			"$(comm -13 <(differing "$outside" "$now") <(named known))"
		;;
	*)
		same "exit $code: as before" "$outside" "$now"
		same "exit $code names" '' "$(named)"
		;;
	esac
}

# fails NAME STATUS [COUNT [SKIP]]: let a command of the firmware, or a register's write or read, fail
# while apply takes a port from `from` to `to`; judge it.
fails() {
	local code=0 said now
	connectx $port fault "$1" fail "${@:2}"
	losslessctl --json apply "$work/$to.json" $port >"$work/out" 2>"$work/err" || code=$?
	connectx $port fault none
	wait_carrier
	now=$(settings_outside)
	said=$(judge $code "$now")
	[ -z "$said" ] || printf '%s to %s, fail %s:\n%s\n%s\n' "$from" "$to" "$*" "$said" "$(<"$work/err")"
	# Re-initialise the driver, which may count wrongly by now.
	[[ $now == "$outside" && $1 != QPDPM ]] || bring_to "$from"
}
