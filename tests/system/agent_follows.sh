#!/usr/bin/env bash
# waits
# short: 6.12
# Tests of the agent as ports, policies, signals, its files and the clock change.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

# --- Headroom ---

headroom() { truth $port xoff; }

sent_again_with_carrier() {
	local before flaps
	reset_ports
	connectx $port link speed 10000
	connectx $port link down
	printf '{"version":1,"name":"two","refresh_headroom":true,"profiles":{
		"a":{"dcbx":{"mode":"host"},"pfc":{"priorities":[3]},"buffer":{"size_bytes":[100096,90112,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}},"b":{"dcbx":{"mode":"host"},"pfc":{"priorities":[4]}}},
		"rules":[{"match":{"name":"%s"},"profile":"a"},{"match":{"name":"%s"},"profile":"b"}]}' \
		$port $other >"$work/policy.json"
	expect 0 losslessctl -q apply "$work/policy.json"
	start_agent $hour
	before=$(headroom)
	flaps=$(flaps)
	connectx $port link speed 100000
	connectx $port link up
	quickly in_log 'ens1f0np0: link up: the agent wrote PFC again, unchanged'
	same PFC 0x08 "$(truth $port pfc_en)"
	same flaps "$flaps" "$(flaps)"
	[ "$before" != "$(headroom)" ] || echo "it is what it was without carrier: $before"
	before=$(headroom)
	dcb pfc set dev $port prio-pfc 3:on
	same 'headroom by the speed of the link' "$before" "$(headroom)"
	stop_agent
}

# After a boot, apply runs before any link is up, and the agent may start after the link.
sent_again_by_one_that_starts() {
	local before
	connectx $port link down
	wait_no_carrier
	dcb pfc set dev $port prio-pfc 3:on
	before=$(headroom)
	connectx $port link up
	wait_carrier
	start_agent $hour
	quickly in_log 'ens1f0np0: link up: the agent wrote PFC again, unchanged'
	[ "$before" != "$(headroom)" ] || echo "it is what it was without carrier: $before"
	stop_agent
}

not_sent_without_leave() {
	local before
	reset_ports
	connectx $port link down
	agent_policy report
	expect 0 losslessctl -q apply "$work/policy.json"
	start_agent $hour
	before=$(changes)
	connectx $port link up
	quickly in_status '"carrier": true'
	sleep 0.5
	same 'what drivers were asked to change' "$before" "$(changes)"
	stop_agent
}

# --- Ports that come and go ---

follows_a_port() {
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 1 --sample-interval 1
	connectx $port unplug
	quickly in_log 'port-removed ens1f0np0: the port was removed'
	quickly in_status '"present": false'
	in_status '"carrier": true.*' && [ "$(jq -c '[.ports[] | select(.present | not) | .carrier]' $run/status.json)" != '[false]' ] &&
		echo 'a port that is gone has carrier'
	quickly grep -qx 'losslessctl_port_in_sync{netdev="ens1f0np0"} 0' $run/metrics.prom
	quickly grep -q 'losslessctl_settings{netdev="ens1f0np0",status="unknown"} [1-9]' $run/metrics.prom
	grep -E '^losslessctl_(symptom_active|setting_drifted|port_bytes_total)\{netdev="ens1f0np0"' $run/metrics.prom
	connectx $port plug
	quickly in_log 'port-matched ens1f0np0: the port matches rule 1; it is back'
	quickly in_log 'driver-reinitialized ens1f0np0: .* differ from the policy: .*ets.prio_tc'
	quickly grep -q 'port_in_sync{netdev="ens1f0np0"} 0' $run/metrics.prom
	quickly grep -qx 'losslessctl_setting_drifted{netdev="ens1f0np0",setting="ets.prio_tc"} 1' \
		$run/metrics.prom
	in_log 'error' && grep error "$log"
	stop_agent
}

knows_a_driver_that_began_anew() {
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 5 --sample-interval 3600
	connectx $port restart
	quickly in_log 'driver-reinitialized ens1f0np0: .* differ from the policy: .*ets.prio_tc'
	quickly grep -q '"ets.prio_tc".*"likely_writer":"driver re-initialised"' $var/drift.jsonl
	stop_agent
}

takes_in_who_comes_later() {
	reset_ports
	connectx $port unplug
	agent_policy report
	start_agent $hour
	in_status ens1f0np0 && echo 'it is there'
	connectx $port plug
	quickly in_status '"port": "ens1f0np0"'
	quickly in_log 'drift-detected ens1f0np0: .*ets.prio_tc'
	stop_agent
}

# --- Signals ---

finds_another() {
	start_agent
	expect 75 timeout 20 losslessctl agent "$work/policy.json"
	says 'another agent runs on this host'
	stop_agent
	start_agent
	stop_agent
}

reloads() {
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 3600 --sample-interval 1
	agent_policy report '{}' '{"mtu":9000}'
	kill -HUP "$(agent)"
	quickly in_log 'policy-reloaded: policy test is in force'
	quickly in_log 'drift-detected ens1f0np0: mtu is 1500, expected 9000'
	sed -i s/name/nmae/ "$work/policy.json"
	kill -HUP "$(agent)"
	quickly in_log 'warning policy-refused: the agent refused the new policy and keeps the previous one: .*nmae'
	quickly in_status '"last_reload_successful": false'
	quickly grep -qx 'losslessctl_policy_last_reload_successful 0' $run/metrics.prom
	in_status '"setting": "mtu"' || echo 'the old one is not kept'
	agent_policy report '{}' "$both_pauses"
	kill -HUP "$(agent)"
	quickly in_log 'warning policy-refused: .*: it is invalid for 2 ports: ens1f0np0: pfc-with-global-pause: .*; fix: set '
	in_status '"setting": "mtu"' || echo 'the old one is not kept'
	agent_policy report '{}' '{"pfc":{"priorities":[4]}}'
	sed -i 's/"version":1,/&"fabric":"cumulus-lossless","severity":{"fabric-pfc-mismatch":"critical"},/' "$work/policy.json"
	kill -HUP "$(agent)"
	quickly in_log 'policy-refused: .*: ens1f0np0: fabric-pfc-mismatch: priority 4 is lossless here and .* Cumulus'
	agent_policy report
	kill -HUP "$(agent)"
	quickly in_status '"last_reload_successful": true'
	quickly in_status '^  "verdict": "in_sync"'
	quickly grep -qx 'losslessctl_policy_last_reload_successful 1' $run/metrics.prom
	quickly grep -q '^losslessctl_policy_info{.*,generation="1"} 1$' $run/metrics.prom
	stop_agent
}

both_pauses='{"pfc":{"priorities":[3]},"pause":{"rx":true,"tx":true}}'

leaves_a_port_that_the_policy_is_invalid_for() {
	local before
	reset_ports
	agent_policy enforce '{"allow_link_flap":true}' "$both_pauses" $port
	expect 65 losslessctl check "$work/policy.json"
	before=$(changes)
	start_agent --verify-interval 1 --sample-interval 3600
	quickly in_log "critical finding-detected $port: pfc-with-global-pause: .*neither verifies nor repairs this port"
	sleep 2.5
	says_once finding-detected
	in_log 'drift-|repair-|port-matched' && cat "$log"
	in_status '^  "verdict": "unknown"' || grep verdict $run/status.json
	same 'what drivers were asked to change' "$before" "$(changes)"
	sed -i 's/"rx":true/"rx":false/; s/"tx":true/"tx":false/' "$work/policy.json"
	kill -HUP "$(agent)"
	quickly in_log "info finding-cleared $port: pfc-with-global-pause"
	quickly in_log "drift-repaired $port: pfc.priorities"
	stop_agent
}

outlives_a_storm() {
	local n
	agent_policy report
	start_agent $hour
	for n in $(seq 200); do kill -HUP "$(agent)"; done
	kill -TERM "$(agent)"
	kill -HUP "$(agent)" 2>/dev/null # the agent may have ended already
	quickly agent_ended
	same 'exit code' 0 "$(cat "$work/code")"
	in_log policy-reloaded || echo 'nothing was reloaded'
	says_once agent-stopped
}

# ended_within MS: SIGTERM ends the agent in time, in a guest emulated on a busy machine. A wait for
# the link would take a minute.
ended_within() {
	local start=${EPOCHREALTIME//./}
	kill -TERM "$(agent)"
	quickly agent_ended
	start=$(((${EPOCHREALTIME//./} - start) / 1000))
	[ $start -le "$1" ] || echo "it took $start ms"
	echo "$start" >>"$work/stopped"
	same 'exit code' 0 "$(cat "$work/code")"
}

stops_at_once() {
	reset_ports
	agent_policy report '{}' "$setup" '*'
	start_agent --verify-interval 1 --sample-interval 1
	ended_within 5000
	in_log 'info agent-stopped: stopped' || tail -n 3 "$log"
}

# The repair writes PFC and does not reach ETS, as the link stays down. Both drift before the agent
# starts: a check between them would start a repair whose last step is PFC.
stops_amid_a_repair() {
	reset_ports
	agent_policy enforce '{"allow_link_flap":true}'
	applied
	connectx $port link stuck on
	connectx $port register QTCT tclass 5 2
	poke_pfc $port 0
	same 'PFC before' 0x00 "$(truth $port pfc_en)"
	start_blindly --verify-interval 3600 --sample-interval 3600
	quickly pfc_is 0x08
	sleep 0.2
	ended_within 5000
	[ ! -e $var/journal/pending.json ] || echo 'the journal says that it has not ended'
	same PFC 0x00 "$(truth $port pfc_en)"
	let_the_link_back
	wait_carrier
}

pfc_is() { [ "$(truth $port pfc_en)" = "$1" ]; }

# --- File systems and the clock ---

# goes_on_without DIRECTORY FILE OPTION...: the agent goes on when the file system takes no writes.
goes_on_without() {
	local folder=$1 file=$2
	shift 2
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 1 --sample-interval 1
	mount -t tmpfs "$@" tmpfs "$folder"
	[ "$*" != '-o size=4k' ] || head -c 8192 /dev/zero >"$folder/fill" 2>/dev/null
	connectx $port register QTCT tclass 5 2
	quickly in_log 'drift-detected ens1f0np0: .*ets.prio_tc'
	sleep 2
	says_once "agent-error: .*$file"
	umount "$folder"
	quickly in_status '^  "verdict": "drift"'
	connectx $port register QTCT tclass 5 0
	quickly in_status '^  "verdict": "in_sync"'
	stop_agent
	grep -q '"event":"resolved"' $var/drift.jsonl || echo 'the history does not go on'
}

# Set the clock a day ahead and then a day behind the true time.
outlives_the_clock() {
	local now said
	reset_ports
	agent_policy report
	applied
	start_agent --verify-interval 1 --sample-interval 1
	sleep 1
	said=$(<"$log")
	now=$(date +%s)
	date -s "@$((now + 86400))" >/dev/null
	sleep 1.5
	date -s "@$((now - 86400))" >/dev/null
	sleep 1.5
	same 'what it has to say' "$said" "$(<"$log")"
	how_soon_told '"state": "drift"' connectx $port register QTCT tclass 5 2
	how_soon_told '"drifted_settings": []' connectx $port register QTCT tclass 5 0
	grep '"resolved"' $var/drift.jsonl | jq -e '.duration_s < 60' >/dev/null || cat $var/drift.jsonl
	date -s "@$((now + 10))" >/dev/null
	stop_agent
}

# --- systemd and the journal ---

heard() { grep -qE -- "$1" "$work/heard"; }

ready_twice() { [ "$(grep -c '^READY=1$' "$work/heard")" = 2 ]; }

tells_systemd() {
	reset_ports
	agent_policy report
	keep sh -c 'exec "$0" "$1" >"$2"' "$tools/print_datagrams" "$work/notify" "$work/heard"
	quickly [ -S "$work/notify" ]
	NOTIFY_SOCKET=$work/notify WATCHDOG_USEC=1000000 start_agent $hour
	quickly heard '^READY=1$'
	quickly heard '^STATUS=2 ports, test: drift$'
	sleep 2
	[ "$(grep -c '^WATCHDOG=1$' "$work/heard")" -ge 4 ] || grep -c WATCHDOG "$work/heard"
	kill -HUP "$(agent)"
	quickly heard '^RELOADING=1 | MONOTONIC_USEC=[0-9]*$'
	quickly ready_twice
	stop_agent
	quickly heard '^STOPPING=1$'
	end_kept
}

# The variables are inherited; 1 is not this agent.
leaves_the_watchdog_of_another_process() {
	keep sh -c 'exec "$0" "$1" >"$2"' "$tools/print_datagrams" "$work/notify" "$work/heard"
	quickly [ -S "$work/notify" ]
	NOTIFY_SOCKET=$work/notify WATCHDOG_USEC=200000 WATCHDOG_PID=1 start_agent $hour
	quickly heard '^READY=1$'
	sleep 1
	stop_agent
	quickly heard '^STOPPING=1$'
	! heard '^WATCHDOG=1$' || cat "$work/heard"
	end_kept
}

tells_the_journal() {
	reset_ports
	agent_policy report
	applied
	mkdir -p /run/systemd/journal
	keep sh -c 'exec "$0" "$1" >"$2"' "$tools/print_datagrams" /run/systemd/journal/socket "$work/heard"
	quickly [ -S /run/systemd/journal/socket ]
	JOURNAL_STREAM=$(stat -c %d:%i "$log") start_agent $hour
	dcb pfc set dev $port prio-pfc 3:off
	quickly heard '^MESSAGE=ens1f0np0: pfc.priorities is none.* | PRIORITY=2 | MESSAGE_ID=0237a959a5e04bb49935f409cff3713e | SYSLOG_IDENTIFIER=losslessctl | LOSSLESSCTL_EVENT=drift-detected | LOSSLESSCTL_PORT=ens1f0np0 | LOSSLESSCTL_SETTING=pfc.priorities | $'
	same 'plain lines' '' "$(cat "$log")"
	stop_agent
	end_kept
	JOURNAL_STREAM=1:2 start_agent $hour
	in_log agent-started || echo 'standard error is not the journal, and says nothing'
	stop_agent
}

in_long it 'with leave PFC is sent again when carrier comes, and its headroom fits the speed' sent_again_with_carrier
in_long it 'with leave PFC is sent again by an agent that starts after the carrier came' \
	sent_again_by_one_that_starts
it 'without leave nothing is sent when carrier comes' not_sent_without_leave
it 'a port that goes and comes back is followed' follows_a_port
in_long it 'a driver that began anew is named as the likely writer' knows_a_driver_that_began_anew
in_long it 'a port that comes later is taken in' takes_in_who_comes_later
it 'a second agent finds the first one: 75' finds_another
in_long it 'a port that the policy is invalid for is neither verified nor repaired' \
	leaves_a_port_that_the_policy_is_invalid_for
it 'SIGHUP: a good policy is taken, a bad one refused and the old one kept' reloads
it 'SIGTERM: it ends at once, with 0' stops_at_once
in_long it 'SIGTERM while a repair waits for the link: at once, and the port is rolled back' stops_amid_a_repair
if is_long; then
	it '200 SIGHUPs at once, and then SIGTERM: it ends as always' outlives_a_storm
	it 'killed at any moment: files are whole, and the next one goes on' goes_on_after_kill
	it 'a full /run: it goes on, and says so once' goes_on_without $run status.json -o size=4k
	it 'a full /var/lib: likewise' goes_on_without $var drift.jsonl -o size=4k
	it 'a /run that takes nothing: likewise' goes_on_without $run status.json -o ro
	it 'a /var/lib that takes nothing: likewise' goes_on_without $var drift.jsonl -o ro
	it 'a clock that jumps changes nothing' outlives_the_clock
fi
it 'systemd gets ready, status, watchdog, reloading and stopping' tells_systemd
in_long it 'an inherited watchdog of another process is left to it' leaves_the_watchdog_of_another_process
it 'the journal gets fields, and only the journal' tells_the_journal
echo "# stopped after $(tr '\n' ' ' <"$work/stopped")ms"
tap_end
