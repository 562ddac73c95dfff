# shellcheck shell=bash
# A bond of both ports. To be sourced after lib.sh.
# shellcheck disable=SC2154	# lib.sh sets port and other

bond() {
	ip link add bond9 type bond mode active-backup miimon 50
	local p
	for p in $port $other; do
		ip link set "$p" down
		ip link set "$p" master bond9
		ip link set "$p" up
	done
	ip link set bond9 up
	wait_carrier
}

unbond() {
	ip link del bond9
	ip link set "$port" up
	ip link set "$other" up
	wait_carrier
}
