# shellcheck shell=bash
# The places that a setting needs beside its row in policy/model/setting_table.def. What is not named
# here is made of that table: schema, dictionary, completion, manual, explain.

# Settings that a test's table lacks on purpose.
verified_only='firmware.nvconfig firmware.roce_accl link.up link.min_speed_mbps link.fec roce.enabled roce.v2_gid host.tcp_ecn peer.must_agree'
of_lldpad='dcbx.advertise dcbx.willing'
of_other_drivers='ets.reco_prio_tc ets.reco_tsa ets.reco_bandwidth app.entries app.trust'
of_ofed='ecn.np ecn.rp_priorities roce.traffic_class' # the fake kernel is an upstream one
of_policies='dscp.rest'				      # it stands for entries of dscp.prio

# is_in LIST PATH
is_in() {
	[[ " $1 " == *" $2 "* ]]
}

# names FILE TEXT…: it has one of these.
names() {
	local file=$1 text
	shift
	for text; do
		! grep -qF -- "$text" "$file" || return 0
	done
	return 1
}

# oracle_row PATH: how tests/tools/port_agrees.c names it.
oracle_row() {
	case $1 in
	dscp.*) echo '{ NULL, "dscp",' ;;
	*.*) echo "{ \"${1%.*}\", \"${1#*.}\"," ;;
	*) echo "{ NULL, \"$1\"," ;;
	esac
}

# in_tests ID PATH: the tests' tables that lack it. A row of params.def is in all of them.
in_tests() {
	local id=$1 path=$2 unwritten="$verified_only $of_lldpad $of_other_drivers $of_policies"
	is_in "$unwritten" "$path" || names tests/vm/mlx5sim/params.def "\"$path\")" || {
		names tests/tools/port_agrees.c "$(oracle_row "$path")" ||
			echo "$path: nothing in tests/vm/mlx5sim/params.def or tests/tools/port_agrees.c reads it"
		grep -qw "$id" tests/support/draw.c || echo "$path: tests/support/draw.c draws none at random"
		is_in "$of_ofed" "$path" || grep -qw "$id" tests/integration/wish.c ||
			echo "$path: tests/integration/wish.c does not compare it"
	}
}

# in_hw PATH: a file of congestion control has its name in the hardware's tests.
in_hw() {
	local file
	file=$(sed -nE "s/^PARAM\([A-Z_]+, \"([a-z_]+)\",.*\"$1\"\)$/\1/p" tests/vm/mlx5sim/params.def)
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
