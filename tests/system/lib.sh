# shellcheck shell=bash
# Functions for all system tests, which run as root in the guest (tests/vm/run), from the top of the
# checkout. A test is a sentence and a function that prints what is wrong.
set -uo pipefail
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh

# A test goes on after a command that fails: only output makes the test fail.
eval "tap_$(declare -f it)"
it() {
	local sentence=$1
	shift
	tap_it "$sentence" lenient "$@"
}
tap_busy() {
	local user nice system interrupts softly
	read -r _ user nice system _ _ interrupts softly _ </proc/stat
	printf -v "$1" %d $((user + nice + system + interrupts + softly))
}
lenient() {
	set +e
	"$@"
	true
}

is_long() { ((${LOSSLESSCTL_TEST_LONG:-0})); }

# in_long COMMAND...: run it in the long tier only, as for a case whose like the short one has.
in_long() { ! is_long || "$@"; }

port=ens1f0np0
other=ens1f1np1
# apply refuses a policy that others than root can change, also by a directory above it, as in /tmp.
work=$(mktemp -d /run/test.XXXXXX)
mkfifo "$work/never"
policy=$work/gpu-backend.json
cat packaging/examples/gpu-backend.json >"$policy"
tools=${LOSSLESSCTL_BUILD:-build}/tests
export NO_COLOR=1
PATH=/run/vm/applets:$PATH

# with_dcb COMMAND...: COMMAND ends in dcb. Retry it: Debian 12's takes the acknowledgement of its read
# for the answer to its write. If a second ends between the two, their numbers differ, and dcb gives up
# although it has written.
with_dcb() {
	local said=$work/dcb.$BASHPID code
	for _ in 1 2 3; do
		code=0
		"$@" 2>"$said" || code=$?
		[ -s "$said" ] || return $code
		[[ $(<"$said") == *'Protocol error'* ]] || break
	done
	cat "$said" >&2
	return $code
}

dcb() { with_dcb command dcb "$@"; }
peer_dcb() { with_dcb ip netns exec peer dcb "$@"; }

# expect CODE COMMAND...: run COMMAND quietly; report another exit code, with COMMAND's output.
expect() {
	local expected=$1 code=0
	shift
	"$@" >"$work/out" 2>"$work/err" || code=$?
	[ "$code" -eq "$expected" ] && return
	echo "exit code $code instead of $expected: $*"
	head -n 15 "$work/out" "$work/err"
}

# same WHAT EXPECTED ACTUAL: print only the lines that differ.
same() {
	[ "$2" != "$3" ] || return 0
	printf '%s: expected (<), got (>)\n' "$1"
	diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") | grep '^[<>]' | head -n 20
}

# says TEXT: the last command's output or messages contain TEXT, also wrapped into several lines.
says() {
	grep -qF -- "$1" "$work/out" "$work/err" ||
		cat "$work/out" "$work/err" | tr -s ' \n' ' ' | grep -qF -- "$1" || {
		printf 'nothing says "%s":\n' "$1"
		head -n 20 "$work/out" "$work/err"
	}
}

# json FIELD: print a field of the last command's JSON. The guest may lack jq and python3.
json() {
	tr -d '\n' <"$work/out" | grep -oE "\"$1\": *(\"[^\"]*\"|[a-z0-9]+|\[[^]]*\])" | head -n 1 |
		sed -E 's/^"[^"]*": *//; s/^"//; s/"$//'
}

# make_policy SETUP [PORT]: write a policy with this profile for one port or all. For PFC and ETS
# the DCBX mode is host, as firmware would control them otherwise.
make_policy() {
	local setup=$1
	[[ $setup == *'"dcbx"'* || $setup != *'"pfc"'* && $setup != *'"ets"'* ]] ||
		setup='{"dcbx":{"mode":"host"},'${setup#\{}
	printf '{"version":1,"name":"test","profiles":{"p":%s},"rules":[{"match":{"name":"%s"},"profile":"p"}]}\n' \
		"$setup" "${2:-*}" >"$work/policy.json"
}

# PCI addresses by the names that ports had when the guest booted.
declare -A pci_of
while read -r name address; do
	pci_of[$name]=$address
done </run/vm/ports

# witness PORT: print PORT as independent readers see it: dcb, ethtool, ip and the kernel's files.
witness() {
	local p=$1
	{
		dcb -j dcbx show dev "$p" 2>/dev/null
		dcb -j pfc show dev "$p" prio-pfc delay
		dcb -j ets show dev "$p" prio-tc tc-tsa tc-bw
		dcb -j app show dev "$p" dscp-prio
		ethtool -a "$p"
		ip -o link show "$p"
		cat "/sys/kernel/config/rdma_cm/$(rdma_of "$p")/ports/1/"default_roce_{mode,tos} 2>/dev/null
	} | awk '
		/^(Pause|Autoneg|$)/ { next }
		/"(ieee|cee)":/ { $0 = match($0, /"host":[a-z]*/) ? substr($0, RSTART, RLENGTH) : "" }
		match($0, / mtu [0-9]*/) { $0 = substr($0, RSTART, RLENGTH) }
		{ gsub(/[ \t]/, ""); print }'
}

simulation=/proc/connectx

# hardware PORT: print the simulated hardware's state. Omit what cannot be rolled back: the table
# entry of a DSCP that has no APP entry, the byte that DCBX echoes, and counters.
hardware() {
	awk '
		/^trust|^drv_trust/ { trust = $2 }
		/^(drv_)?dscp2prio/ && trust == "pcp" { next }
		/^(netdev|index|dcbx|link|link_down_events|commands|objects|carrier|xoff|xon|bw|group|buffer_size|pool_|lossy) ?/ { next }
		/^cc\./ { next }
		{ print }' "$simulation/${pci_of[$1]}/state"
	dcb -j app show dev "$1" dscp-prio
}

# Print how often drivers changed something.
changes() {
	awk '/^([A-Z_]+:write|MODIFY_CONG_(PARAMS|STATUS))/' \
		"$simulation/${pci_of[$port]}/calls" \
		"$simulation/${pci_of[$other]}/calls"
}

# The end of `connectx $port link stuck on`.
let_the_link_back() {
	connectx $port link stuck off
	connectx $port link up
}

# cold_start PORT: the firmware and the driver start anew.
cold_start() {
	connectx "$1" power cycle
}

# poke_pfc PORT MASK: change PFC behind the driver.
poke_pfc() {
	connectx "$1" register PFCC pfctx "$2"
	connectx "$1" register PFCC pfcrx "$2"
}

# dcbx_by_firmware PORT, dcbx_by_host PORT: mlx5 reads who runs DCBX when it starts.
dcbx_by_firmware() { dcbx_by 1 "$1"; }
dcbx_by_host() { dcbx_by 0 "$1"; }
dcbx_by() {
	connectx "$2" register DCBX_PARAM version_oper "$1"
	connectx "$2" restart
	wait_carrier
}

# is_up_at MTU PORT
is_up_at() {
	local mtu flags
	read -r mtu <"/sys/class/net/$2/mtu" && read -r flags <"/sys/class/net/$2/flags" &&
		[ "$mtu" = "$1" ] && ((flags & 1))
}

# Set `done_to` to what tells whether anybody has changed a port: the adapter's count, and of what the
# kernel keeps without the driver devices above it, RoCE mode and ToS. A test that adds addresses or
# qdiscs, or sets a devlink parameter, takes them back itself.
look_at() {
	local rdma file line
	read -r _ _ done_to <"$simulation/${pci_of[$1]}/state"
	for rdma in "/sys/class/net/$1/device/infiniband"/*; do
		for file in "/sys/kernel/config/rdma_cm/${rdma##*/}"/ports/1/*; do
			line= && read -r line <"$file"
			done_to+=" $line"
		done
	done 2>/dev/null
	done_to+=" $(echo "/sys/class/net/$1"/upper_*)"
}

is_fresh() {
	local done_to
	look_at "$1"
	[ -e "$work/fresh.$1" ] && [ "$done_to" = "$(<"$work/fresh.$1")" ] && is_up_at 1500 "$1"
}

# Restore the ports' defaults: re-initialise the driver and undo the rest by hand. A port that nobody
# has changed since is left as it is.
reset_ports() {
	local p done_to
	[ ! -e /var/lib/losslessctl/journal ] || losslessctl -q rollback >/dev/null 2>&1
	rm -rf /var/lib/losslessctl /run/losslessctl
	for p in $port $other; do
		is_fresh "$p" && continue
		cold_start "$p"
		is_up_at 1500 "$p" || ip link set "$p" mtu 1500 up
	done
	# apply creates these and keeps them: create them, so that the port reads the same after it.
	mkdir -p /sys/kernel/config/rdma_cm/mlx5_0 /sys/kernel/config/rdma_cm/mlx5_1
	wait_carrier
	for p in $port $other; do
		look_at "$p" && echo "$done_to" >"$work/fresh.$p"
	done
}

rdma_of() {
	local line
	while read -r line; do
		[[ "$line " != *" netdev $1 "* ]] || { line=${line#link } && echo "${line%%/*}"; }
	done < <(rdma link show 2>/dev/null)
}

# carrier_becomes 0|1 PORT...: wait until the driver has seen each link go or come.
carrier_becomes() {
	local p carrier tries=0
	for p in "${@:2}"; do
		until { read -r carrier <"/sys/class/net/$p/carrier"; } 2>/dev/null && [ "$carrier" = "$1" ] ||
			[ $((tries += 1)) -gt 1000 ]; do
			nap 0.02
		done
	done
}
wait_carrier() { carrier_becomes 1 $port $other; }
wait_no_carrier() { carrier_becomes 0 $port; }

# nap SECONDS: sleep without a process, as the guest has one processor.
nap() {
	read -rt "$1" <>"$work/never" || true
}
