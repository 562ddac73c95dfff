#!/usr/bin/env bash
# only: 6.12
# vm: --ports 8
# The keys that a fleet sorts reports by: every document about a host names the host, and hosts
# whose ports have equal settings have equal state hashes.
. tests/system/lib.sh
. tests/system/lib_agent.sh

application=5c1f0b6e2a944d278e63b170d835fa49 # of agent/host/host_facts.c

# state_hash: print that of the last report.
state_hash() {
	json state_hash
}

# named COMMAND...: the command's document names this host, this boot and this program.
named() {
	"$@" >"$work/out" 2>"$work/err"
	same "host, of ${*:2}" "$(</proc/sys/kernel/hostname)" "$(json host)"
	same "host_id, of ${*:2}" "$id" "$(json host_id)"
	same "boot_id, of ${*:2}" "$(</proc/sys/kernel/random/boot_id)" "$(json boot_id)"
	same "losslessctl_version, of ${*:2}" "$(losslessctl --version)" "losslessctl $(json losslessctl_version)"
}

every_report_names_its_host() {
	local verb verbs=('show' "plan $policy" "apply $policy" 'history' 'show nobody0')
	! is_long || verbs+=("verify $policy" 'confirm' 'rollback' "peer --listen-for 1 $port"
		"verify $policy nobody0" "watch --count 1 $port")
	for verb in "${verbs[@]}"; do
		# shellcheck disable=SC2086	# words
		named losslessctl --json $verb
	done
}

so_does_the_agent_s_status() {
	agent_policy report
	start_agent
	named cat $run/status.json
	stop_agent
}

# Commands whose output is the same on every host name none.
what_speaks_of_no_host_names_none() {
	local verb
	for verb in "check $policy" 'explain pfc.priorities' 'headroom --speed 100G --mtu 9000 --cable 5'; do
		# shellcheck disable=SC2086
		expect 0 losslessctl --json $verb
		same "host, of $verb" '' "$(json host)$(json host_id)"
	done
}

# /etc/machine-id is missing, empty, "uninitialized" as during a first boot, or malformed.
a_host_without_an_id_has_none() {
	local text
	for text in '' uninitialized 0123456789abcdef0123456789abcdeg 0123456789abcdef0123456789abcdef0; do
		echo "$text" >/etc/machine-id
		expect 0 losslessctl --json show
		same "host_id of '$text'" null "$(json host_id)"
	done
	rm /etc/machine-id
	expect 0 losslessctl --json show
	same 'host_id without the file' null "$(json host_id)"
	echo "$machine" >/etc/machine-id
}

the_agent_hashes_what_it_reads_last() {
	start_agent --verify-interval 1
	connectx ens2f0np0 register QTCT tclass 5 3
	losslessctl --json show >"$work/out"
	quickly in_status "$(state_hash)" || echo 'the agent has the hash of a state before'
	stop_agent
	expect 0 losslessctl -q apply "$policy"
}

every_verb_hashes_alike() {
	local hash verb
	expect 0 losslessctl --json apply "$policy"
	hash=$(state_hash)
	same 'length of the hash' 64 ${#hash}
	for verb in "verify $policy" "plan $policy" show; do
		# shellcheck disable=SC2086
		expect 0 losslessctl --json $verb
		same "hash of $verb" "$hash" "$(state_hash)"
	done
	agent_policy report '{}' "$setup" 'ens*'
	start_agent
	cat $run/status.json >"$work/out"
	same 'hash of the agent' "$hash" "$(state_hash)"
	stop_agent
	the_agent_hashes_what_it_reads_last
}

# hash_after COMMAND...: run it, and print the state hash.
hash_after() {
	"$@"
	losslessctl --json show >"$work/out"
	state_hash
}

one_setting_of_one_port_makes_another_hash() {
	local before odd
	before=$(hash_after true)
	odd=$(hash_after connectx ens2f0np0 register QTCT tclass 5 3)
	[ "$before" != "$odd" ] || echo 'the same hash'
	same 'put right' "$before" "$(hash_after losslessctl -q apply "$policy")"
	same 'another port' "$odd" "$(hash_after connectx ens3f0np0 register QTCT tclass 5 3)"
	expect 0 losslessctl -q apply "$policy"
}

where_a_port_sits_and_what_it_is_called_makes_none() {
	local before
	before=$(hash_after true)
	ip link set $other down
	ip link set $other name another0
	ip link set another0 up
	same 'under another name' "$before" "$(hash_after true)"
	ip link set another0 down
	ip link set another0 name $other
	ip link set $other up
}

in_sync_it_is_small() {
	expect 0 losslessctl --json verify "$policy"
	same ports 8 "$(grep -o '"port":' "$work/out" | wc -l)"
	[ "$(wc -c <"$work/out")" -le 4096 ] || echo "$(wc -c <"$work/out") bytes"
}

machine=$(tr -d - </proc/sys/kernel/random/uuid)
echo "$machine" >/etc/machine-id
id=$(systemd-id128 machine-id --app-specific=$application)
reset_ports
it 'every report names its host, its boot and its program, and so does an error' every_report_names_its_host
it "so does the agent's status" so_does_the_agent_s_status
it 'a document about no host names none' what_speaks_of_no_host_names_none
in_long it 'a host without an id has none' a_host_without_an_id_has_none
in_long it 'apply, verify, plan, show and the agent have one hash of one state' every_verb_hashes_alike
it 'one setting of one port makes another' one_setting_of_one_port_makes_another_hash
it 'where a port sits, and what it is called, makes none' where_a_port_sits_and_what_it_is_called_makes_none
it 'verify of 8 ports in sync takes 4 KiB at most' in_sync_it_is_small
tap_end
