#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Tests of verify: it finds every kind of drift, reports setting and reason, and writes nothing.
. tests/system/lib.sh

expect 0 losslessctl apply $policy

# drifts SETTING COMMAND...: after the command verify exits 2 and names SETTING; apply repairs it.
drifts() {
	local setting=$1
	shift
	"$@"
	wait_carrier
	expect 2 losslessctl --json verify $policy
	grep -q "\"setting\":\"$setting\",\"status\":\"drift\"" "$work/out" || cat "$work/out"
	expect 0 losslessctl apply $policy
	expect 0 losslessctl verify $policy
}

a_driver_that_starts_again() {
	connectx $port restart
	wait_carrier
	expect 2 losslessctl verify -v $policy
	says ets.tsa
	says 'A driver re-initialisation resets all to vendor'
	expect 0 losslessctl apply $policy
	expect 0 losslessctl verify $policy
}

a_port_that_was_away() {
	connectx $port unplug
	expect 0 losslessctl verify $policy $other
	expect 3 losslessctl verify $policy $port
	connectx $port plug
	wait_carrier
	expect 2 losslessctl verify $policy $port
	expect 0 losslessctl apply $policy
	expect 0 losslessctl verify $policy
}

# Every call that could change something: netlink, files and directories. (With --seccomp-bpf
# strace stops at no other call, which takes a fifth of the time.)
changing=openat,open,creat,sendto,sendmsg,write,writev,pwrite64,mkdir,mkdirat,unlink,unlinkat,rename
changing+=,renameat,renameat2,rmdir,symlink,symlinkat,link,linkat,chmod,fchmod,fchmodat,chown,fchown
changing+=,truncate,ftruncate,mknod,mknodat,mount,umount2,init_module,finit_module,delete_module
changing+=,clone,clone3,fork,vfork,execveat

trace() {
	strace -f --seccomp-bpf -o "$work/trace" -e "trace=$changing" "$@"
}

traced() {
	local before
	before=$(changes)
	expect "$1" trace losslessctl "${@:2}"
	same 'driver calls' "$before" "$(changes)"
	grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC)' "$work/trace" | grep -vE '"/dev/(null|tty)"' | cut -c1-200
	grep -vE '^[0-9]+ +(openat|sendto|sendmsg|write)\(|^[0-9]+ +(\+\+\+|---)' "$work/trace"
	grep -E '(sendto|sendmsg)\(' "$work/trace" |
		grep -oE 'nlmsg_type=(RTM_(NEW|DEL|SET)[A-Z]*|0x4f)|DCB_CMD_(IEEE_SET|IEEE_DEL|SDCBX)'
	grep -oE 'write\([0-9]+' "$work/trace" | grep -vE 'write\([12]$'
}

it_reads_only() {
	traced 0 verify $policy
	poke_pfc $port 0
	traced 2 verify $policy
	traced 2 --json verify --all $policy
	traced 2 verify --nagios $policy
	traced 0 show
	traced 2 plan $policy
	traced 0 check $policy
	poke_pfc $port 8
}

a_trace_would_show_a_write() {
	trace losslessctl -q apply $policy >/dev/null 2>&1
	poke_pfc $port 0
	trace losslessctl -q apply $policy >/dev/null 2>&1
	grep -qE 'O_(WRONLY|RDWR|CREAT)' "$work/trace" || echo 'no file opened for writing in an apply'
	wait_carrier
}

without_the_folder_nothing_is_made() {
	rmdir /sys/kernel/config/rdma_cm/mlx5_0
	expect 3 losslessctl --json verify $policy $port
	grep -q '"setting":"roce.tos","status":"unknown"' "$work/out" || cat "$work/out"
	expect 3 losslessctl verify $policy $port
	says 'which creates it'
	expect 2 losslessctl plan $policy $port # the new directory may have the desired values
	says '1 of 1 port to change in at most 2 steps'
	[ ! -e /sys/kernel/config/rdma_cm/mlx5_0 ] || echo 'verify made the folder'
	expect 0 losslessctl apply $policy
	expect 0 losslessctl verify $policy
}

drift_outranks_what_cannot_be_told() {
	rmdir /sys/kernel/config/rdma_cm/mlx5_0
	poke_pfc $port 0
	expect 2 losslessctl verify $policy $port
	expect 0 losslessctl apply $policy
}

# A capability goes with a restart of the driver, which also resets the MTU and RoCE.
a_capability_that_is_missing() {
	connectx $port firmware cap ets off
	connectx $port restart
	wait_carrier
	sed 's/"trust": "dscp"/"optional": ["ets.*"], "trust": "dscp"/' $policy >"$work/policy.json"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl verify "$work/policy.json" $port
	expect 3 losslessctl --json verify $policy $port
	grep -q '"setting":"ets.tsa","status":"unsupported"' "$work/out" || cat "$work/out"
	expect 3 losslessctl verify $policy $port
	says 'list the setting under "optional"'
	expect 1 losslessctl --json apply $policy
	same outcome refused "$(json outcome)"
	connectx $port firmware cap ets on
	connectx $port restart
	wait_carrier
	expect 0 losslessctl apply $policy
}

# says_once VERB: it reports a failed read once, however many settings depend on it.
says_once() {
	losslessctl $1 "$work/strict.json" $port >"$work/out" 2>&1
	same "how often $1 says that reading fails" 1 "$(grep -c 'the driver failed to read it' "$work/out")"
}

# unknown_while OPERATION SETTING: SETTING is unknown, not unsupported, while OPERATION fails.
unknown_while() {
	connectx $port fault "$1" fail internal_err 0
	sed 's/"trust": "dscp"/"maxrate": {"tc_mbps": [0,0,0,0,0,0,0,0]}, &/' $policy >"$work/strict.json"
	sed 's/"trust": "dscp"/"optional": ["ets.*", "pfc.*", "maxrate.*"], &/' "$work/strict.json" >"$work/policy.json"
	expect 3 losslessctl --json verify "$work/policy.json" $port
	grep -q "\"setting\":\"$2\",\"status\":\"unknown\"" "$work/out" || cat "$work/out"
	expect 3 losslessctl verify "$work/strict.json" $port
	says 'the driver failed to read it'
	grep -q 'optional\|lldpad' "$work/out" && cat "$work/out"
	says_once verify && says_once plan && says_once 'apply --quiet'
	expect 1 losslessctl --json apply "$work/strict.json"
	same outcome refused "$(json outcome)"
	connectx $port fault none
	expect 0 losslessctl verify $policy $port
}

# mlx5 reports "off" when it cannot read pause.
one_reading_of_off_proves_nothing() {
	make_policy '{"pfc":{"priorities":[]},"pause":{"rx":true,"tx":true}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	connectx $port fault PFCC:read fail internal_err 1
	expect 0 losslessctl verify "$work/policy.json"
	make_policy '{"pause":{"rx":false,"tx":false}}' $port
	connectx $port fault PFCC:read fail internal_err 1
	expect 2 losslessctl verify "$work/policy.json"
	connectx $port fault PFCC:read fail internal_err 1
	expect 0 losslessctl apply "$work/policy.json"
	same 'pause of the adapter' 0 "$(connectx $port state | sed -n 's/^pause_rx //p')"
	connectx $port fault none
	expect 0 losslessctl apply $policy
}

nagios_speaks_one_line() {
	expect 0 losslessctl verify --nagios $policy
	same lines 1 "$(wc -l <"$work/out")"
	says 'LOSSLESSCTL OK'
	poke_pfc $port 0
	expect 2 losslessctl verify --nagios $policy
	says 'LOSSLESSCTL CRITICAL'
	expect 0 losslessctl apply $policy
	expect 3 losslessctl verify --nagios /nowhere.json
	says 'LOSSLESSCTL UNKNOWN'
}

a_required_rule_without_a_port() {
	printf '{"version":1,"profiles":{"p":{"mtu":9000}},"rules":[{"match":{"name":"nope"},"profile":"p"%s}]}' \
		"$1" >"$work/policy.json"
	expect "$2" losslessctl verify "$work/policy.json"
	says 'no port of this host'
}

it 'PFC taken off behind our back' drifts pfc.priorities poke_pfc $port 0
it 'one more PFC priority' drifts pfc.priorities poke_pfc $port 0x18
it 'a shorter cable' drifts pfc.cable_m dcb pfc set dev $port delay 3
it 'global pause back on' drifts pause.rx ethtool -A $port rx on
it 'a priority in another class' drifts ets.prio_tc connectx $port register QTCT tclass 3 0
it 'another share' drifts ets.bandwidth dcb ets set dev $port tc-bw 0:40 1:0 2:0 3:60 4:0 5:0 6:0 7:0
it 'one DSCP elsewhere' drifts dscp.prio dcb app replace dev $port dscp-prio 26:5
it 'no DSCP entries at all' drifts trust dcb app flush dev $port dscp-prio
it 'DCBX given to firmware' drifts dcbx.mode dcbx_by_firmware $port
it 'another MTU' drifts mtu ip link set $port mtu 1500
it 'another ToS' drifts roce.tos sh -c 'echo 0 >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos'
it 'another RoCE mode' drifts roce.mode sh -c 'echo "IB/RoCE v1" >/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode'
it 'a driver that started again, and what that does' a_driver_that_starts_again
it 'a port that was unplugged and plugged' a_port_that_was_away
it 'verify, show, plan and check write nothing at all' it_reads_only
it 'and the trace would have shown it' a_trace_would_show_a_write
it 'without the configfs directory it is unknown, and none is created' without_the_folder_nothing_is_made
it 'drift outranks unknown' drift_outranks_what_cannot_be_told
it 'a missing capability is unsupported, refused, and may be optional' a_capability_that_is_missing
it 'ETS that cannot be read is unknown, not unsupported' unknown_while QTCT:read ets.tsa
it 'PFC that cannot be read, likewise' unknown_while PFCC:read pfc.priorities
it 'rates that mlx5 cannot read, likewise' unknown_while QETCR:read maxrate.tc_mbps
it 'global pause that reads off once, and is on, is on' one_reading_of_off_proves_nothing
it 'the monitoring line and its codes' nagios_speaks_one_line
it 'a required rule without a port is unknown' a_required_rule_without_a_port ',"required":true' 3
tap_end
