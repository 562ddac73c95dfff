# shellcheck shell=bash
# Tests of the places that a setting needs beside its row in policy/model/setting_table.def. Other
# places are generated from that table: schema, dictionary, completion, manual, explain.

# Tables of tests intentionally lack these settings.
verified_only='firmware.nvconfig firmware.roce_accl link.up link.min_speed_mbps link.fec roce.enabled roce.v2_gid host.tcp_ecn peer.must_agree'
of_lldpad='dcbx.advertise dcbx.willing'
of_other_drivers='ets.reco_prio_tc ets.reco_tsa ets.reco_bandwidth app.entries app.trust'
of_ofed='ecn.np ecn.rp_priorities roce.traffic_class' # the fake kernel is an upstream one
of_policies='dscp.rest'				      # represents entries of dscp.prio

# is_in LIST PATH: check that the list has the path.
is_in() {
	[[ " $1 " == *" $2 "* ]]
}

# names FILE TEXT…: check that the file has one of the texts.
names() {
	local file=$1 text
	shift
	for text; do
		! grep -qF -- "$text" "$file" || return 0
	done
	return 1
}

# oracle_row PATH: print the setting's name in tests/tools/port_agrees.c.
oracle_row() {
	case $1 in
	dscp.*) echo '{ NULL, "dscp",' ;;
	*.*) echo "{ \"${1%.*}\", \"${1#*.}\"," ;;
	*) echo "{ NULL, \"$1\"," ;;
	esac
}

# in_tests ID PATH: report the tests' tables that lack the setting. All have the rows of params.def.
in_tests() {
	local id=$1 path=$2 unwritten="$verified_only $of_lldpad $of_other_drivers $of_policies"
	is_in "$unwritten" "$path" || names tests/integration/params.def "\"$path\")" || {
		names tests/tools/port_agrees.c "$(oracle_row "$path")" ||
			echo "$path: nothing in tests/integration/params.def or tests/tools/port_agrees.c reads it"
		grep -qw "$id" tests/support/draw.c || echo "$path: tests/support/draw.c draws none at random"
		is_in "$of_ofed" "$path" || grep -qw "$id" tests/integration/port_state.c ||
			echo "$path: tests/integration/port_state.c does not compare it"
	}
}

# in_hw PATH: check that the hardware's tests name the setting's congestion control file.
in_hw() {
	local file
	file=$(sed -nE "s/^PARAM\([A-Z_]+, \"([a-z_]+)\",.*\"$1\"\)$/\1/p" tests/integration/params.def)
	[ -z "$file" ] || names tests/hw/show.sh "[$file]=${1#*.}" || echo "$1: tests/hw/show.sh lacks [$file]=${1#*.}"
}

every_setting_is_everywhere() {
	local id path count=0
	while read -r id path; do
		count=$((count + 1))
		is_in "$of_policies" "$path" || grep -rqE "\b$id\b|ROW\(${id#SETTING_}," dcb roce ||
			echo "$path: no feature in dcb/ or roce/ owns it"
		in_tests "$id" "$path"
		in_hw "$path"
	done < <(sed -nE 's/^ROW\((SETTING_[A-Z0-9_]+), "([^"]+)".*/\1 \2/p' policy/model/setting_table.def)
	[ "$count" -eq "$(grep -c '^ROW' policy/model/setting_table.def)" ] && [ "$count" -gt 50 ] ||
		echo "only $count settings are read"
}

settings_tests() {
	it "every setting has a feature, and stands in the tables of the tests" every_setting_is_everywhere
}
