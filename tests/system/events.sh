#!/usr/bin/env bash
# short: 6.1
# Tests of the events by which the agent detects a port's changes: each arrives within 100 ms.
. tests/system/lib.sh

limit_ms=100
exec 3>&1
export work
export -f dcb with_dcb # lib.sh's dcb, which retries what Debian's gives up

# listen MS COMMAND...: record the events during COMMAND, with their times.
listen() {
	"$tools/print_events" "$@" >"$work/heard" 2>"$work/err" || head -n 5 "$work/err"
}

# within EVENT: EVENT came at most $limit_ms after the command that caused it had ended.
within() {
	local heard ended
	heard=$(awk -v e="$1 " 'index($0, e) == 1 { print $NF; exit }' "$work/heard")
	ended=$(awk '$1 == "ended" && $2 == 0 { print $3 }' "$work/heard")
	if [ -z "$heard" ] || [ -z "$ended" ]; then
		echo "nothing tells \"$1\":"
		head -n 20 "$work/heard"
		return
	fi
	echo "# $1: heard after $heard ms; the command took $ended ms" >&3
	awk -v h="$heard" -v e="$ended" -v most=$limit_ms 'BEGIN { exit !(h - e <= most) }' ||
		echo "$1 was heard $heard ms after the command began, which took $ended ms"
}

# times EVENT: print how often EVENT came.
times() {
	grep -c "^$1 " "$work/heard"
}

nothing_is_told_of_nothing() {
	listen 1000 true
	same 'told' '' "$(grep -v '^ended' "$work/heard")"
}

pfc_is_heard() {
	listen 1000 bash -c "dcb pfc set dev $port prio-pfc 3:on"
	within "dcb $port"
	same "of $other" 0 "$(times "dcb $other")"
}

a_dscp_entry_is_heard() {
	listen 1000 bash -c "dcb app add dev $port dscp-prio 26:3"
	within "dcb $port"
	listen 1000 bash -c "dcb app del dev $port dscp-prio 26:3"
	within "dcb $port"
}

pause_is_heard() {
	listen 1000 ethtool -A $port rx off tx on
	within "ethtool $port"
}

the_mtu_is_heard() {
	listen 1000 ip link set $port mtu 4200
	within "link $port"
}

# Both ends of the cable are of this host: the kernel delays the second loss by a second, as
# linkwatch_schedule_work() has it, but no return.
a_cable_is_heard() {
	listen 2500 connectx $port link down
	limit_ms=1500 within "link $port"
	listen 1000 connectx $port link up
	within "link $port"
	wait_carrier
}

a_port_that_goes_is_heard() {
	listen 2000 connectx $port unplug
	within "link $port gone"
}

a_port_that_comes_is_heard() {
	listen 2000 connectx $port plug
	within "link $port"
	wait_carrier
}

# Linux reports RDMA devices since 6.12.
rdma_is_heard() {
	[[ $(uname -r) != 6.1.* ]] || return 0
	listen 2000 bash -c "connectx $port unplug; connectx $port plug"
	grep -q '^rdma ' "$work/heard" || cat "$work/heard"
	wait_carrier
}

behind_the_kernel_nothing_is_heard() {
	listen 1000 connectx $port register QTCT tclass 5 2
	same 'told' '' "$(grep -v '^ended' "$work/heard")"
}

anybody_may_listen() {
	local begun=/tmp/begun.$$
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$tools/print_events" 3000 touch $begun >"$work/heard" &
	until [ -e $begun ]; do sleep 0.02; done
	ip link set $port mtu 4300
	wait $!
	grep -q "^link $port " "$work/heard" || echo 'nobody hears nothing'
}

reset_ports
sleep 1
it 'without an event nothing is reported' nothing_is_told_of_nothing
it 'PFC that dcb sets is reported at once' pfc_is_heard
it 'a DSCP entry that comes or goes is reported at once' a_dscp_entry_is_heard
it 'global pause that ethtool sets is reported at once' pause_is_heard
it 'an MTU that ip sets is reported at once' the_mtu_is_heard
it 'a cable that is pulled, or plugged in again, is reported at once' a_cable_is_heard
it 'a port that is unplugged is reported as gone at once' a_port_that_goes_is_heard
it 'a port that is plugged in is reported at once' a_port_that_comes_is_heard
it 'an RDMA device that comes and goes is reported where the kernel reports it' rdma_is_heard
it 'a change behind the kernel is not reported' behind_the_kernel_nothing_is_heard
it 'anybody may listen' anybody_may_listen
tap_end
