#!/usr/bin/env bash
# only: 6.1
# The ready-made policies: each is valid, gives a fresh port its settings, and is rolled back.
. tests/system/lib.sh

# The shipped policies, in a directory that only root may change, whoever owns this checkout.
folder=$work/policies
mkdir "$folder"
for file in packaging/policies/*.json; do
	cat "$file" >"$folder/${file##*/}"
done
configfs=/sys/kernel/config/rdma_cm/mlx5_0/ports/1

# is_sound NAME WARNING…: the policy is valid, and check reports exactly the named lints, as info.
is_sound() {
	local name=$1 told
	shift
	expect 0 losslessctl --json check "$folder/$name.json"
	same verdict valid "$(json verdict)"
	told=$(grep -o '"lint":"[a-z-]*"' "$work/out" | cut -d'"' -f4 | sort -u)
	same 'rules that speak up' "$(printf '%s\n' "$@" | sort -u)" "$told"
	grep -q '"severity":"\(warning\|error\)"' "$work/out" && cat "$work/out"
}

# reads WHAT TEXT COMMAND…: the command's output contains TEXT.
reads() {
	local what=$1 text=$2
	shift 2
	"$@" >"$work/said" 2>&1
	grep -qF -- "$text" "$work/said" || {
		printf '%s is not %s:\n' "$what" "$text"
		cat "$work/said"
	}
}

# pfc PRIORITIES: the port has PFC as given, by a 0 or 1 for each of the priorities 0 to 7.
pfc() {
	local words=$1
	words=${words//0/false,}
	words=${words//1/true,}
	reads PFC "\"prio_pfc\":[${words%,}]" dcb -j pfc show dev $port
	reads pause 'RX:		off' ethtool -a $port
	reads pause 'TX:		off' ethtool -a $port
	reads DCBX '"host":true' dcb -j dcbx show dev $port
}

# ets PRIO_TC TSA SHARES: the port has this ETS.
ets() {
	local tsa=$2
	tsa=${tsa//s/S}
	tsa=${tsa//e/\"ets\",}
	tsa=${tsa//S/\"strict\",}
	dcb -j ets show dev $port >"$work/ets"
	reads classes "\"prio_tc\":[$1]" cat "$work/ets"
	reads algorithms "\"tc_tsa\":[${tsa%,}]" cat "$work/ets"
	reads shares "\"tc_bw\":[$3]" cat "$work/ets"
}

# dscp COUNT DSCP:PRIO…: the port has COUNT DSCP entries, these among them.
dscp() {
	local count=$1 map pair
	shift
	map=" $(dcb -N app show dev $port dscp-prio) "
	same 'DSCP entries' "$count" "$(grep -oE '[0-9]+:[0-9]+' <<<"$map" | wc -l)"
	for pair; do
		[[ $map == *" $pair "* ]] || echo "no $pair in $map"
	done
}

# marks TOS: new connections use RoCE v2 and this ToS.
marks() {
	same 'RoCE mode' 'RoCE v2' "$(cat $configfs/default_roce_mode)"
	[ -z "$1" ] || same ToS "$1" "$(cat $configfs/default_roce_tos)"
}

mtu() {
	same mtu "$1" "$(cat /sys/class/net/$port/mtu)"
}

facts_of_nvidia-lossless() {
	pfc 00010000
	ets 0,0,0,3,0,0,6,0 eeeeeese 50,0,0,50,0,0,0,0
	dscp 64 26:3 24:3 48:6 0:0 8:1 63:7
	marks 106
	mtu 9000
}

facts_of_nvidia-lossy-ecn() {
	pfc 00000000
	ets 0,0,0,3,0,0,6,0 eeeeeese 50,0,0,50,0,0,0,0
	dscp 64 26:3 48:6
	marks 106
	mtu 9000
}

facts_of_azure-local() {
	pfc 00010000
	ets 0,0,0,1,0,0,0,2 eeeeeeee 49,50,1,0,0,0,0,0
	dscp 0
	marks 106
	mtu 9000
}

facts_of_prio5-dscp40() {
	pfc 00000100
	dscp 64 40:5 48:6 41:0 46:0 26:0
	marks 162
}

facts_of_ai-backend-400g() {
	pfc 00010000
	ets 0,0,0,3,0,0,6,0 eeeeeese 10,0,0,90,0,0,0,0
	dscp 64 26:3 48:6 24:0
	marks 106
	mtu 9000
}

# Trust alone maps each DSCP to the priority of its first three bits.
facts_of_spectrum-x() {
	pfc 00010000
	dscp 64 24:3 26:3 48:6 0:0 63:7
	marks ''
	mtu 9000
}

facts_of_mrc() {
	pfc 00000000
	marks ''
	mtu 9000
}

# enabled POINT: print the eight "enable" files of MLNX_OFED.
enabled() {
	cat /sys/class/net/$port/ecn/"$1"/enable/? | tr -d '\n'
}

# ofed_facts NP RP TRAFFIC_CLASS: MLNX_OFED has these; NP and RP as 0 and 1 for priorities 0 to 7.
ofed_facts() {
	same 'notification point' "$1" "$(enabled roce_np)"
	same 'reaction point' "$2" "$(enabled roce_rp)"
	same 'traffic class' "$3" "$(cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class)"
}

# cnp_facts DSCP PRIORITY: the adapter's CNPs have these, in most policies the power-on default.
cnp_facts() {
	local of
	of=/sys/kernel/debug/mlx5/$(basename "$(readlink /sys/class/net/$port/device)")/cc_params
	same 'DSCP of CNPs' "$1" "$(cat "$of/np_cnp_dscp")"
	same 'priority of CNPs' "$2" "$(cat "$of/np_cnp_prio")"
}

# does_what_it_says NAME CNP_PRIORITY: apply the policy to both ports, and check one closely.
does_what_it_says() {
	local file=$folder/$1.json before_port before_other written
	before_port=$(hardware $port) before_other=$(hardware $other)
	expect 0 losslessctl apply "$file"
	expect 0 losslessctl verify "$file"
	"facts_of_$1"
	cnp_facts 48 "$2"
	written=$(changes)
	expect 0 losslessctl --json apply "$file"
	same outcome unchanged "$(json outcome)"
	same 'driver calls of a second apply' "$written" "$(changes)"
	expect 0 losslessctl rollback
	same $port "$before_port" "$(hardware $port)"
	same $other "$before_other" "$(hardware $other)"
}

# with_ofed NAME NP RP TRAFFIC_CLASS: with MLNX_OFED, apply skips nothing.
with_ofed() {
	local file=$folder/$1.json before
	shift
	connectx $port ofed on
	before=$(hardware $port)
	expect 0 losslessctl apply "$file" $port
	expect 0 losslessctl verify "$file" $port
	grep -n skipped "$work/out"
	ofed_facts "$@"
	expect 0 losslessctl rollback
	same $port "$before" "$(hardware $port)"
	connectx $port ofed off
}

all_are_here() {
	same policies 'ai-backend-400g azure-local mrc nvidia-lossless nvidia-lossy-ecn prio5-dscp40 spectrum-x' \
		"$(cd $folder && echo *.json | sed 's/\.json//g')"
}

# With MLNX_OFED ecn.* can be written, but the controller owns it.
leaves_the_controller_its_settings() {
	local file=$folder/spectrum-x.json
	reset_ports
	connectx $port ofed on
	expect 0 losslessctl apply "$file" $port
	echo 0 >/sys/class/net/$port/ecn/roce_np/enable/3
	expect 0 losslessctl apply "$file" $port
	same 'notification point' 00000000 "$(enabled roce_np)"
	reads 'warning of apply' "$port: ecn.np is off, expected on: Spectrum-X" cat "$work/err"
	expect 0 losslessctl plan "$file" $port
	expect 2 losslessctl --json verify "$file" $port
	same setting ecn.np "$(jq -r '.ports[].settings[].setting' "$work/out")"
	same owner "Spectrum-X (the adapter's programmable congestion control)" \
		"$(jq -r '.ports[].settings[].owner' "$work/out")"
	expect 2 losslessctl verify "$file" $port
	reads 'owner in verify' 'congestion control: spectrum-x, by Spectrum-X' cat "$work/out"
	grep -n 'losslessctl apply' "$work/out"
	connectx $port ofed off
	reset_ports
}

it 'these policies are all that there are' all_are_here
it 'nvidia-lossless is valid' is_sound nvidia-lossless
it 'nvidia-lossy-ecn is valid, and says that PFC is off' is_sound nvidia-lossy-ecn ecn-without-pfc
it 'azure-local is valid, and asks for VLAN maps' is_sound azure-local trust-pcp-without-vlan-egress
it 'prio5-dscp40 is valid' is_sound prio5-dscp40
it 'ai-backend-400g is valid, and says that ECN is off' is_sound ai-backend-400g pfc-without-ecn
it 'spectrum-x is valid' is_sound spectrum-x
it 'mrc is valid' is_sound mrc
# Each leaves the ports as it found them, but for the priority of CNPs.
reset_ports
it 'nvidia-lossless does what it says' does_what_it_says nvidia-lossless 6
in_long it 'nvidia-lossy-ecn does what it says' does_what_it_says nvidia-lossy-ecn 6
in_long it 'azure-local does what it says' does_what_it_says azure-local 6
in_long it 'prio5-dscp40 does what it says' does_what_it_says prio5-dscp40 6
in_long it 'ai-backend-400g does what it says' does_what_it_says ai-backend-400g 6
it 'spectrum-x does what it says' does_what_it_says spectrum-x 6
in_long it 'mrc does what it says' does_what_it_says mrc 6
it 'spectrum-x leaves the controller its settings' leaves_the_controller_its_settings
it 'nvidia-lossless with MLNX_OFED' with_ofed nvidia-lossless 11111111 00010000 'Global tclass=106'
in_long it 'nvidia-lossy-ecn with MLNX_OFED' with_ofed nvidia-lossy-ecn 11111111 00010000 'Global tclass=106'
in_long it 'azure-local with MLNX_OFED' with_ofed azure-local 11111111 00010000 ''
it 'prio5-dscp40 with MLNX_OFED' with_ofed prio5-dscp40 11111111 00000100 'Global tclass=162'
it 'ai-backend-400g with MLNX_OFED: DCQCN is off' with_ofed ai-backend-400g 00000000 00000000 \
	'Global tclass=106'
tap_end
