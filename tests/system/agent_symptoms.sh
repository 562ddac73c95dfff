#!/usr/bin/env bash
# waits
# short: 6.12
# Tests of the symptoms that the agent raises and clears from the counters of real windows.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

# symptom_policy MODE [ENFORCE]: write a policy with windows of one second.
symptom_policy() {
	agent_policy "$1" "${2:-{\}}"
	sed -i 's/"version":1,/&"thresholds":{"window_s":1},/' "$work/policy.json"
}

begin() {
	symptom_policy "$@"
	applied
	start_agent --verify-interval 1 --sample-interval 1
}

# metric NAME [LABELS]: print this port's value.
metric() { grep -F "losslessctl_$1{netdev=\"$port\"${2:-}" $run/metrics.prom | cut -d ' ' -f 2; }
is_raised() { [ "$(metric symptom_active ",symptom=\"$1\"")" = 1 ]; }
link_downs() { metric link_down_events_total; }
link_downs_are() { [ "$(link_downs)" -ge "$1" ]; }

# Wait for two pages: the first may be of a window that had already begun.
a_window_later() {
	local before
	for _ in 1 2; do
		before=$(page_time)
		quickly page_is_not_of "$before"
	done
}
page_time() { stat -c %y $run/metrics.prom; }
page_is_not_of() { [ "$(page_time)" != "$1" ]; }

a_link_that_flaps_is_reported() {
	begin report
	for _ in 1 2 3 4; do
		connectx $port link down
		wait_no_carrier
		connectx $port link up
		wait_carrier
	done
	quickly in_log ' warning symptom-detected ens1f0np0: link-flapping: the link went down [34] times'
	quickly is_raised link-flapping
	says_once 'symptom-detected ens1f0np0: link-flapping'
	stop_agent
}

# Three link downs within ten minutes would be flapping.
an_apply_by_hand_is_no_flapping() {
	local before way
	begin report
	quickly test -s $run/metrics.prom
	before=$(link_downs)
	for way in 4 3 4 3; do
		sed "s/\"priorities\":\[3\]/\"priorities\":[$way]/" "$work/policy.json" >"$work/other.json"
		expect 0 losslessctl -q apply "$work/other.json"
	done
	quickly link_downs_are $((before + 4))
	a_window_later
	in_log link-flapping && grep link-flapping "$log"
	stop_agent
}

a_repair_is_no_flapping() {
	local before n
	begin enforce '{"allow_link_flap":true}'
	quickly test -s $run/metrics.prom
	before=$(link_downs)
	for n in 1 2 3; do
		poke_pfc $port 0
		quickly eval "[ \"\$(times_in_log 'drift-repaired ens1f0np0: pfc.priorities')\" -eq $n ]"
	done
	quickly link_downs_are $((before + 3))
	a_window_later
	in_log link-flapping && grep link-flapping "$log"
	stop_agent
}

# Print the overall verdict and that of each port.
verdicts() { grep -o '"verdict": *"[a-z]*"' "$1" | tr -d ' '; }

a_storm_is_raised_and_cleared_once() {
	begin report
	connectx $port storm sent 3 90
	quickly is_raised pause-storm-sent
	quickly in_status '^  "verdict": "symptom"'
	expect 2 losslessctl --json verify --sample-for 1 "$work/policy.json"
	same 'verdict of verify' "$(verdicts "$work/out")" "$(verdicts $run/status.json)"
	same 'in sync' 1 "$(metric port_in_sync)"
	connectx $port storm sent 3 off
	quickly in_log ' symptom-cleared ens1f0np0: pause-storm-sent: no longer active'
	quickly in_status '^  "verdict": "in_sync"'
	says_once 'critical symptom-detected ens1f0np0: pause-storm-sent'
	says_once 'symptom-cleared ens1f0np0: pause-storm-sent'
	stop_agent
}

# The agent changes nothing, not even in mode enforce.
a_deadlock_is_suspected_and_left_alone() {
	begin enforce '{"allow_link_flap":true}'
	quickly test -s $run/metrics.prom
	connectx $port counter tx_prio3_bytes 1000000
	a_window_later
	connectx $port storm suffered 3 100
	quickly is_raised pause-deadlock-suspected
	quickly in_log ' critical symptom-detected ens1f0np0: pause-deadlock-suspected: priority 3 was paused for '
	quickly in_log ' critical symptom-detected ens1f0np0: pause-storm-received'
	connectx $port counter tx_prio3_bytes 100000000
	connectx $port storm suffered 3 off
	quickly in_log ' symptom-cleared ens1f0np0: pause-deadlock-suspected: no longer active'
	says_once 'symptom-detected ens1f0np0: pause-deadlock-suspected'
	in_log drift- && grep drift- "$log"
	same PFC '[3]' "$(losslessctl --json show $port | jq -c '.ports[0].config.pfc.priorities')"
	stop_agent
}

# Take the link down several times in one window, and more often in all than flapping needs. The
# other end of the cable flaps.
an_administrator_is_no_flapping() {
	begin report
	quickly [ -e $run/metrics.prom ]
	a_window_later
	for _ in 1 2 3 4 5 6; do
		ip link set $port down
		sleep 0.2
		ip link set $port up
		wait_carrier
		sleep 0.2
	done
	for _ in 1 2 3; do
		a_window_later
	done
	in_log "$port: link-flapping" && grep link-flapping "$log"
	stop_agent
}

# Count a burst that is shorter than a window, and then no pause.
a_burst_is_no_storm() {
	begin report
	a_window_later
	connectx $port counter tx_prio3_pause_duration 800000
	for _ in 1 2 3; do
		a_window_later
	done
	in_log pause-storm-sent && grep pause-storm-sent "$log"
	stop_agent
}

a_drop_is_raised_at_once_and_held() {
	begin report
	a_window_later
	connectx $port counter rx_prio3_discards 1
	quickly in_log ' critical symptom-detected ens1f0np0: lossless-drops: 1 packet was dropped on arrival'
	quickly is_raised lossless-drops
	a_window_later
	is_raised lossless-drops || echo 'cleared too soon'
	quickly in_log 'symptom-cleared ens1f0np0: lossless-drops'
	stop_agent
}

it 'a link that flaps is reported' a_link_that_flaps_is_reported
it 'an apply by hand that takes the link down is no flapping' an_apply_by_hand_is_no_flapping
in_long it 'nor is a repair that does' a_repair_is_no_flapping
in_long it 'nor is a port that an administrator takes down and up' an_administrator_is_no_flapping
it 'a pause storm is raised once and cleared once, also as the verdict' a_storm_is_raised_and_cleared_once
in_long it 'a deadlock is suspected once, and nothing is changed' a_deadlock_is_suspected_and_left_alone
in_long it 'a burst in one window is no storm' a_burst_is_no_storm
in_long it 'a lossless drop is raised at the first window and held' a_drop_is_raised_at_once_and_held
tap_end
