#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Tests of the agent when the driver re-initialises a port, after a fatal error of the firmware or by
# devlink reload: the netdev is another one then, with another index, down and without its name.
. tests/system/lib.sh
. tests/system/lib_programs.sh
. tests/system/lib_agent.sh

pci=${pci_of[$port]}
setup='{"dcbx":{"mode":"host"},"mtu":4200,"pfc":{"priorities":[3]},'$ets',"dscp":{"prio":{"26":3,"48":6}},"roce":{"tos":106}}'

# Rename the new netdev and set it up, as udev and a network manager do. A guest has neither.
manage_network() {
	local path
	while nap 0.05; do
		for path in /sys/bus/pci/devices/"$pci"/net/*; do
			[[ -e $path && $path != */$port ]] || continue
			ip link set "${path##*/}" name $port
			ip link set $port up
		done
	done
}

# The driver looks at its health every 2 s, and recovers within 4 s; by default once a minute.
firmware_fails() {
	expect 0 devlink health set "pci/$pci" reporter fw_fatal grace_period 0
	connectx $port health fatal
}
reloads() { devlink dev reload "pci/$pci"; }

events() { sed -nE "s/^[0-9TZ:.-]* *[a-z]+ ([a-z-]+) $port: .*/\1/p" "$log"; }
index() { cat /sys/class/net/$port/ifindex 2>/dev/null; }
has_another_index() { [ "$(index)" ] && [ "$(index)" != "$1" ]; }

# begin_anew MODE CAUSE: the agent runs in this mode, and the driver re-initialises the port.
begin_anew() {
	local before
	agent_policy "$1" '{}' "$setup" $port
	applied
	rm -f $var/drift.jsonl
	start_agent --verify-interval 1 --sample-interval 1
	sleep 1.5
	: >"$log"
	before=$(index)
	$2
	quickly has_another_index "$before"
	quickly in_log 'driver-reinitialized'
}

# is_the_same_port EVENT...: the history has each event of 5 settings, all of the port's PCI address.
is_the_same_port() {
	same history "$(printf '5 %s\n' "$@")" "$(jq -r .event $var/drift.jsonl | sort | uniq -c |
		sed 's/^ *//')"
	same ports "$port $pci" "$(jq -r '.port + " " + .pci' $var/drift.jsonl | sort -u)"
	same 'ports in status.json' "$port true" "$(jq -r '.ports[] | "\(.port) \(.present)"' $run/status.json)"
}

reports_one_event() {
	begin_anew report "$1"
	sleep 3
	same events driver-reinitialized "$(events)"
	in_log 're-initialised the port: 5 settings differ from the policy: mtu, ets.prio_tc, ets.tsa, ets.bandwidth and 1 more;' ||
		cat "$log"
	quickly in_status '^  "verdict": "drift"'
	is_the_same_port detected
	stop_agent
}

repairs_once() {
	begin_anew enforce "$1"
	quickly in_log drift-repaired
	sleep 3
	same events $'driver-reinitialized\ndrift-repaired' "$(events)"
	in_log 'drift-repaired.*: 5 settings are in sync again: mtu, ets.prio_tc, ets.tsa, ets.bandwidth and 1 more: ' ||
		cat "$log"
	quickly in_status '^  "verdict": "in_sync"'
	is_the_same_port detected repaired
	expect 0 losslessctl verify "$work/policy.json"
	stop_agent
}

# Without udev the port keeps its new name, which no rule matches.
is_removed_in_the_end() {
	agent_policy report '{}' "$setup" $port
	applied
	start_agent --verify-interval 1 --sample-interval 1
	: >"$log"
	reloads
	quickly in_log 'port-removed'
	same events port-removed "$(events)"
	in_log 'agent-error: no port of this host matches a rule' || cat "$log"
	ip link set "$(ls /sys/bus/pci/devices/"$pci"/net)" name $port up
	quickly in_log driver-reinitialized
	same events $'port-removed\nport-matched\ndriver-reinitialized' "$(events)"
	stop_agent
}

manage_network &
manager=$!
in_long it 'a fatal error of the firmware is one event in mode report' reports_one_event firmware_fails
it 'devlink reload is one event in mode report' reports_one_event reloads
in_long it 'a fatal error of the firmware is one repair in mode enforce' repairs_once firmware_fails
in_long it 'devlink reload is one repair in mode enforce' repairs_once reloads
kill $manager
in_long it 'a port that keeps its new name is removed' is_removed_in_the_end
tap_end
