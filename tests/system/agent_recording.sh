#!/usr/bin/env bash
# only: 6.12
# Tests of the flight recorder: it saves the minutes before a critical symptom, to be read later.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh

recordings=$var/recordings

begin() {
	rm -rf $recordings
	agent_policy report
	sed -i 's/"version":1,/&"thresholds":{"window_s":1},/' "$work/policy.json"
	applied
	start_agent --verify-interval 3600 --sample-interval 1
}

# Start a pause storm after more than two rows of quiet samples.
storm() {
	sleep 11
	connectx $port storm sent 3 90
	quickly in_log ' info recording-saved ens1f0np0: the minutes before pause-storm-sent are saved: run .losslessctl history --recording 1'
}

# Print the table's row of the incident; count its quiet rows.
incident_row() { grep '^>' "$work/out"; }
quiet_rows() { grep -cE '^  [0-9:]{8} +0 ' "$work/out"; }

the_minutes_before_a_storm_are_read_afterwards() {
	begin
	quickly [ -e $run/metrics.prom ]
	no_metric last_recording_timestamp_seconds
	storm
	connectx $port storm sent 3 off
	quickly grep -qsF "losslessctl_recordings_total{netdev=\"$port\"} 1" $run/metrics.prom
	time_of_the_last "$(metric last_recording_timestamp_seconds)"
	stop_agent
	same mode 600 "$(stat -c %a $recordings/1.json)"
	"$tools/is_json" $recordings/1.json || echo 'no JSON document'
	expect 0 losslessctl history
	says 'recordings of the minutes before critical symptoms; --recording NUMBER prints one'
	expect 0 losslessctl history --recording 1 && cp "$work/out" "$work/table"
	says "ens1f0np0 ${pci_of[$port]}: pause-storm-sent at"
	sed -n 3p "$work/out" | grep -qE '^ +paused ' || { echo 'no group above SENT:' && sed -n 3,4p "$work/out"; }
	sed -n 4p "$work/out" | grep -qE '^  UTC +(SENT|RECV) ' || sed -n 4p "$work/out"
	says 'paused is the share of the time, with the priority (p3)'
	[ "$(quiet_rows)" -ge 2 ] || { echo 'not two quiet samples before it:' && cat "$work/out"; }
	[[ $(incident_row) == *%p3*'raised pause-storm-sent' ]] ||
		{ echo 'the incident is not marked:' && cat "$work/out"; }
}

# metric NAME: print the port's value from metrics.prom.
metric() { sed -n "s/^losslessctl_$1{netdev=\"$port\"} //p" $run/metrics.prom; }
no_metric() { metric "$1" | grep .; }

# time_of_the_last SECONDS: this time is at most a minute ago by the clock.
time_of_the_last() {
	local age=$(($(date +%s) - ${1:-0}))
	[ $age -ge 0 ] && [ $age -lt 60 ] || echo "the last recording is $age s old"
}

shown() { sed 's/^/# /' "$work/table"; }

they_are_one_document() {
	expect 64 losslessctl history --recording 1 ens1f1np1
	expect 0 losslessctl --json history --recording 1
	same schema losslessctl/recording/1 "$(json schema)"
	same host "$(uname -n)" "$(json host)"
	same symptom pause-storm-sent "$(json symptom)"
	says '"pause_sent_priority":3'
	same 'what drift lists' '"number":1,' "$(losslessctl --json history | grep -o '"number":1,')"
	losslessctl bundle >"$work/bundle.json"
	losslessctl history --recording 1 --state "$work/bundle.json" | cmp - "$work/table"
	losslessctl history >"$work/here"
	losslessctl history --state "$work/bundle.json" | cmp - "$work/here"
	expect 66 losslessctl history --recording 2 --state "$work/bundle.json"
	same 'of the bundle' 1 "$(grep -o '"schema":"losslessctl/recording/1"' "$work/bundle.json" | wc -l)"
	same 'of an anonymised one' 1 \
		"$(losslessctl bundle --anonymise | grep -o '"schema":"losslessctl/recording/1"' | wc -l)"
}

# Ignore doctor's exit code: other findings decide it.
doctor_names_it() {
	local detected
	expect 0 losslessctl --json history --recording 1
	detected=$(json detected_at)
	losslessctl doctor --sample-for 1 --listen-for 1 >"$work/out" 2>"$work/err"
	says "warning recording pause-storm-sent on ens1f0np0 at $detected: the minutes before it were recorded"
	says 'run `losslessctl history --recording 1`'
}

# A restarted agent knows the recording and saves no second one of the port so soon.
a_second_one_is_withheld() {
	local before
	before=$(stat -c %y $recordings/1.json)
	start_agent --verify-interval 3600 --sample-interval 1
	connectx $port storm sent 3 90
	quickly in_log ' info recording-withheld ens1f0np0: pause-storm-sent: the samples before it are not saved'
	connectx $port storm sent 3 off
	quickly in_status '"last_recording": \{'
	same 'recordings since the start' 0 "$(metric recordings_total)"
	[ -n "$(metric last_recording_timestamp_seconds)" ] || echo 'no time of the last recording'
	stop_agent
	same files 1.json "$(ls $recordings)"
	same time "$before" "$(stat -c %y $recordings/1.json)"
}

what_is_broken_is_named_and_passed_over() {
	head -c 1000 $recordings/1.json >$recordings/2.json
	sed 's|recording/1|recording/9|' $recordings/1.json >$recordings/3.json
	mkfifo $recordings/4.json
	ln -s /dev/zero $recordings/5.json
	head -c 1000000 /dev/zero >$recordings/6.json
	echo '{"schema":"losslessctl/drift-rec' >>$var/drift.jsonl
	expect 0 losslessctl history
	says '1 line of the history is no record: damaged, or of a later version'
	for n in 2 3 4 5 6; do
		says "$recordings/$n.json: "
	done
	says 'losslessctl/recording/9, and this version reads losslessctl/recording/1'
	expect 65 losslessctl history --recording 2
	says 'damaged: not a JSON document'
	expect 66 losslessctl history --recording 7
	expect 64 losslessctl history --recording 9
	says '--recording takes 1 to 8'
	rm $recordings/[2-6].json
}

nobody_else_reads_or_plants_one() {
	expect 77 setpriv --reuid 65534 --clear-groups losslessctl history --recording 1
	chmod 777 $recordings
	expect 1 losslessctl history --recording 1
	says 'users other than root can change it'
	chmod 755 $recordings
	chown 65534 $recordings/1.json
	expect 1 losslessctl history --recording 1
	says 'it belongs to user 65534 instead of root'
	chown 0 $recordings/1.json
}

# The agent logs the error and still clears the symptom.
a_full_disk_is_reported() {
	mount -t tmpfs -o size=4k,mode=755 tmpfs $recordings
	begin_again_without_recording
	umount $recordings
}

begin_again_without_recording() {
	echo full >$recordings/fill
	agent_policy report
	sed -i 's/"version":1,/&"thresholds":{"window_s":1},/' "$work/policy.json"
	start_agent --verify-interval 3600 --sample-interval 1
	connectx $port storm sent 3 90
	quickly in_log 'agent-error: write /var/lib/losslessctl/recordings/1.json: No space left on device'
	connectx $port storm sent 3 off
	quickly in_log 'symptom-cleared ens1f0np0: pause-storm-sent'
	same 'what is left' fill "$(ls $recordings)"
	stop_agent
}

it 'the minutes before a storm are read afterwards' the_minutes_before_a_storm_are_read_afterwards
shown
it 'they are one document, in drift and in bundle' they_are_one_document
it 'doctor names it, with its time' doctor_names_it
it 'a second recording of the port is withheld, also by an agent that starts anew' a_second_one_is_withheld
it 'a file that is broken, hostile or of a later version is named and passed over' what_is_broken_is_named_and_passed_over
it 'only root reads them, and nobody else plants one' nobody_else_reads_or_plants_one
in_long it 'a full disk is reported, and the agent goes on' a_full_disk_is_reported
tap_end
