# shellcheck shell=bash
# Real lldpads in the guest: one on the host and one as its peer (tests/vm/run --peer). To be
# sourced after lib.sh.

far=ens1f1np1

ask() {
	"$tools/ask_lldpad" "$@"
}

# soon SECONDS COMMAND...: COMMAND succeeds within SECONDS.
soon() {
	local end=$((SECONDS + $1 + 1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || { echo "never: $*"; return 1; }
		sleep 0.2
	done >"$work/soon" 2>&1 || cat "$work/soon"
}

# within SECONDS CODE COMMAND...: like expect, and COMMAND ends within SECONDS.
within() {
	local start=$SECONDS most=$1
	shift
	expect "$@"
	[ $((SECONDS - start)) -le $most ] || echo "it took $((SECONDS - start)) s: ${*:2}"
}

# keep COMMAND...: run COMMAND beside the tests. Each test is a process: a file keeps the PID.
keep() {
	"$@" >/dev/null 2>&1 &
	echo $! >>"$work/kept"
}

kept() {
	head -n 1 "$work/kept"
}

end_kept() {
	local pid
	while read -r pid; do
		kill -KILL "-$pid" "$pid" 2>/dev/null
		while [ -e "/proc/$pid/exe" ]; do sleep 0.02; done
	done <"$work/kept"
	rm "$work/kept"
}

# A second daemon must not find what the first one left in shared memory.
daemon='mount -t tmpfs tmpfs /dev/shm && exec lldpad -p -t -f'
# Restart lldpad when it dies, as its unit does.
service='mount -t tmpfs tmpfs /dev/shm && while :; do lldpad -p -t -f'

# start [OPTION]...: start a new lldpad on the host, and wait until it answers.
start() {
	rm -f "$work/here.conf"
	start_again "$@"
}

# start_again [OPTION]...: like start, with the file of the one that has ended.
start_again() {
	keep unshare -m sh -c "$daemon $work/here.conf $*"
	soon 90 ask $port ping
}

# lldp_of FILE: print what lldpad is set up to advertise; lldpad itself writes the rest of its file.
lldp_of() {
	awk '/^lldp/, /^};/' "$1"
}

# start_service [OPTION]...: like start, but restart lldpad when it dies.
start_service() {
	rm -f "$work/here.conf"
	start_service_again "$@"
}

start_service_again() {
	keep setsid unshare -m sh -c "$service $work/here.conf $*; sleep 0.1; done"
	soon 90 ask $port ping
}

start_far() {
	keep ip netns exec peer sh -c "$daemon $work/far.conf"
	soon 90 ip netns exec peer "$tools/ask_lldpad" $far ping
}
