#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Every setting of DCB and its driver: dcb, ethtool and ip read the values that apply writes, and
# show reads the values that they write.
. tests/system/lib.sh
. tests/system/lib_settings.sh

lossless='"mtu":1500,"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3],"cable_m":7}'

# has TEXT COMMAND…: the command's output contains TEXT.
has() {
	local text=$1
	shift
	"$@" >"$work/out" 2>"$work/err"
	says "$text"
}

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

# The driver uses the port's largest MTU, 9978: 45786 bytes at 100 Gb/s and 7 m.
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
	connectx $port fault PBMC fail no_res 1 1
	make_policy "{$lossless,"'"buffer":{"size_bytes":[120064,60032,0,0,0,0,0,0],"prio_buffer":[0,1,0,1,0,0,0,0]}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	connectx $port fault none
	same 'the port' "$before" "$(everything)"
}

# The driver keeps the size in whole cells, and checks it again at the next change.
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

# The driver checks a new cable length against the actual sizes: 100 m need 65886 bytes.
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

# Print the room above the threshold of buffer 1, which the adapter keeps in cells of 128 bytes.
headroom() {
	connectx $port state | awk '/^buffer_size/ { size = $3 } /^xoff/ { print size - $3 }'
}

# The driver does not follow an MTU by itself: 2.72 bytes of headroom for each of 7500, 160 cells.
headroom_follows_the_mtu() {
	local before after
	sets "$lossless,"'"buffer":{"size_bytes":[100096,90112,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
	before=$(headroom)
	sets '"mtu":9000'
	after=$(headroom)
	same headroom $((before + 160 * 128)) "$after"
	expect 0 losslessctl rollback
	same 'headroom after rollback' "$before" "$(headroom)"
}

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

mlx5_takes_no_app() {
	make_policy '{"app":{"entries":[{"selector":"udp","protocol":4791,"priority":3}]}}' $port
	local before
	before=$(everything)
	expect 1 losslessctl apply "$work/policy.json"
	same 'the port' "$before" "$(everything)"
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
it 'the size that headroom prints is enough, for the next change as well' headroom_is_enough
it 'a longer cable and the room for it come in one apply, and roll back' room_comes_before_the_cable
it 'headroom follows the MTU' headroom_follows_the_mtu
it 'dcb reads the rates that apply wrote, rounded as the adapter rounds' dcb_reads_rates
it 'show reads the rates that dcb wrote' dcb_writes_rates
it 'ethtool reads a storm timeout of 80' ethtool_reads_storm 80 80
it 'ethtool reads a storm timeout of 8000' ethtool_reads_storm 8000 8000
it 'ethtool reads auto as 100' ethtool_reads_storm '"auto"' 100
it 'ethtool reads no storm timeout' ethtool_reads_storm 0 0
it 'show reads the storm timeout that ethtool wrote' ethtool_writes_storm
it 'ip reads the egress maps that apply wrote' ip_reads_egress
it 'show reads the egress map that ip wrote' ip_writes_egress
it 'a VLAN device that is not named keeps its map' one_device_leaves_the_other
it 'a VLAN device that does not exist is refused before anything is written' a_device_that_is_not_there
it 'rollback takes egress maps back' egress_goes_back
it 'TCP without the ECN that is wanted is advice' tcp_ecn_is_advice
it 'mlx5 takes no APP entry, and stays as it was' mlx5_takes_no_app
it 'without an APP trust list that is refused' no_app_trust_here
tap_end
