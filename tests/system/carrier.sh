#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Tests of the carrier that mlx5 switches off and on by itself, for another MTU, rings or channels: it
# is no link flap. A cable that is pulled is one.
. tests/system/lib.sh
. tests/system/lib_bond.sh
. tests/system/lib_agent.sh
. tests/system/lib_symptoms.sh

limits='"thresholds":{"window_s":1,"link_down_events":1}'
carrier_changes() { cat /sys/class/net/$port/carrier_changes; }
link_downs() { ethtool -S $port | sed -n 's/^ *link_down_events_phy: //p'; }
pulls_the_cable() {
	connectx $port link down
	wait_no_carrier
	connectx $port link up
	wait_carrier
}

# moves CHANGES COMMAND...: COMMAND changes the carrier so often, without an event of the link.
moves() {
	local changes downs expected=$1
	changes=$(carrier_changes)
	downs=$(link_downs)
	shift
	"$@"
	same "carrier_changes by $*" "$expected" $(($(carrier_changes) - changes))
	same "link_down_events_phy by $*" "$downs" "$(link_downs)"
}

is_switched_by_the_driver() {
	moves 2 ip link set $port mtu 4200
	moves 2 ethtool -G $port rx 512
	ip link set $port down
	sleep 0.2
	moves 3 sh -c "ip link set $port up; sleep 0.2"
	ip link set $port mtu 1500
}

# Nothing but what a cable does is reported.
agent_knows_a_flap() {
	agent_policy report '{}' '{"dcbx":{"mode":"host"}}' $port
	sed -i "s/\"version\":1,/&$limits,\"refresh_headroom\":true,/" "$work/policy.json"
	start_agent --verify-interval 1 --sample-interval 1
	quickly in_log 'port-matched'
	sleep 2.5
	: >"$log"
	for rings in 1024 512 1024; do
		ip link set $port mtu 4200
		ethtool -G $port rx $rings
		ip link set $port mtu 1500
		sleep 1.2
	done
	same 'what the agent reports' '' "$(cat "$log")"
	pulls_the_cable
	quickly in_log "symptom-detected $port: link-flapping: the link went down 1 times"
	stop_agent
}

# sampled COMMAND...: verify the port while COMMAND changes it.
sampled() { meanwhile losslessctl verify --sample-for 3 "$work/policy.json" -- "$@" >/dev/null; }

verify_knows_a_flap() {
	make_policy '{"dcbx":{"mode":"host"}}' $port
	sampled ethtool -G $port rx 256
	says 'the driver reopened the queues of the port during the sample; symptoms are inconclusive'
	grep flapped "$work/out" "$work/err"
	sampled pulls_the_cable
	says 'the link flapped during the sample; symptoms are inconclusive'
}

plan_names_the_bond() {
	make_policy '{"mtu":4200}' $port
	expect 2 losslessctl plan "$work/policy.json"
	says 'traffic will pause briefly'
	grep -i carrier "$work/out"
	bond
	expect 2 losslessctl plan "$work/policy.json"
	says 'traffic will pause briefly; bond9 sees its member lose the carrier for a moment'
	unbond
}

it 'MTU and rings switch the carrier off and on, and the link stays up' is_switched_by_the_driver
in_long it 'the agent reports a cable that is pulled, and no other loss of carrier' agent_knows_a_flap
it 'verify calls a cable that is pulled a flap, and no other loss of carrier' verify_knows_a_flap
it 'plan says that a bond sees its member lose the carrier' plan_names_the_bond
tap_end
