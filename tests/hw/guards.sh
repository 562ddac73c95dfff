# shellcheck shell=bash
# Conditions that must hold before the first read, and before the first write. To be sourced.

# tool COMMAND PACKAGE
tool() {
	type -P "$1" >/dev/null || stop 1 "$1 is missing: apt-get install $2"
}

must_be_possible() {
	[[ $port =~ ^[A-Za-z0-9_.:-]{1,15}$ && $port != .* ]] || stop 64 "that is no port's name"
	[ "$EUID" -eq 0 ] || stop 77 "run it as root: debugfs is read"
	tool dcb iproute2
	tool rdma iproute2
	tool devlink iproute2
	tool ethtool ethtool
	type losslessctl >/dev/null 2>&1 || stop 1 "losslessctl is not installed: see README.md"
	[ -e "/sys/class/net/$port" ] || stop 1 "no such port: $port"
}

no_run_is_unfinished() {
	[ ! -e "$state/words" ] ||
		stop 1 "an earlier run on $port did not end; put back what it found: tests/hw/accept $port --restore"
}

# devices_above DEVICE: print it and the devices above it: VLANs, bonds, bridges.
devices_above() {
	local link
	echo "$1"
	for link in "/sys/class/net/$1"/upper_*; do
		[ ! -e "$link" ] || devices_above "${link##*/upper_}"
	done
}

# find_session: set session_peer to the SSH client's address, from the environment of an ancestor.
find_session() {
	local pid=$$ word stat
	session_peer=
	while [ "$pid" -gt 1 ] && [ -z "$session_peer" ]; do
		while IFS= read -r -d '' word; do
			[[ $word != SSH_CONNECTION=* ]] || session_peer=${word#*=}
		done 2>/dev/null <"/proc/$pid/environ"
		read -r stat 2>/dev/null <"/proc/$pid/stat" || break
		read -r _ pid _ <<<"${stat##*) }"
	done
	session_peer=${session_peer%% *}
}

carries_nothing_vital() {
	local device
	find_session
	for device in $(devices_above "$port"); do
		[ -z "$(ip -4 route show default dev "$device"; ip -6 route show default dev "$device")" ] ||
			stop 1 "$port carries the default route (of $device): nothing is written"
		[[ -z $session_peer || " $(ip route get "$session_peer" 2>/dev/null) " != *" dev $device "* ]] ||
			stop 1 "$port carries this session (from $session_peer): nothing is written"
	done
}

nobody_else_is_at_it() {
	local found
	# The kernel keeps 15 bytes of a name.
	found=$(grep -hxE 'losslessctl|lldpad|nic-configurati|dmsd|sriov-network-c' /proc/[0-9]*/comm 2>/dev/null)
	[ -z "$found" ] ||
		stop 1 "it may be written to $port by another, who must be stopped first: $found"
	[ -z "$rdma_name" ] ||
		! rdma resource show qp link "$rdma_name/1" 2>/dev/null | grep -q 'type RC.* state RTS' ||
		stop 1 "$rdma_name has connected queue pairs: nothing is written"
}

# A reload makes a new netdev, which lacks what an administrator gave the old one.
can_be_reloaded() {
	[ "$(devices_above "$port" | wc -l)" -eq 1 ] || stop 1 "devices sit on $port: it is not reloaded"
	[ -z "$(ip -o addr show dev "$port" scope global)" ] ||
		stop 1 "$port has addresses, which a reload would take away"
	words_app
	entries "$words"
	[[ -z $value || $(wc -l <<<"${value%?}") -eq 64 ]] ||
		stop 1 "$port has some DSCP entries and not all 64: what a reload makes of them cannot be put back"
}

confirmed() {
	local typed=$meant
	if [ -z "$typed" ]; then
		{ : >/dev/tty; } 2>/dev/null || stop 64 "nobody can be asked here: --yes-i-mean $port"
		printf 'Settings of %s will be changed and put back, and its link will go down%s.\nType its name to go on: ' \
			"$port" "$([ $reload = no ] || echo '; its driver will be reloaded')" >/dev/tty
		read -r typed </dev/tty
	fi
	[ "$typed" = "$port" ] || stop 64 "\"$typed\" is not $port: nothing is written"
}

may_write() {
	carries_nothing_vital
	nobody_else_is_at_it
	[ $reload = no ] || can_be_reloaded
	confirmed
}
