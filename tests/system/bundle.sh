#!/usr/bin/env bash
# only: 6.12
# Tests of `bundle`: one document has a host's state, can be judged elsewhere and sent to others.
. tests/system/lib.sh
. tests/system/lib_agent.sh

# part NAME NEXT: print a document within the last bundle.
part() {
	sed -E "s/.*\"$1\":(\{.*\}),\"$2\":.*/\1/" "$work/out"
}

it_reads_and_changes_nothing() {
	local before
	losslessctl -q apply "$policy"
	before=$(changes)
	expect 0 losslessctl bundle
	same 'driver calls' "$before" "$(changes)"
	same schema losslessctl/bundle/1 "$(json schema)"
	says '"/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode":"RoCE v2"'
	says '"rx_prio3_pause_duration":'
	says "\"policy_name\":\"gpu-backend\""
	says '"message":"no agent has run since this host started"'
	says '"reason":"peer-not-collected"'
	says 'run `losslessctl bundle --listen-for 35` on the host'
	found grep . "$work/err"
}

it_holds_what_verify_needs() {
	expect 0 losslessctl bundle $port
	says '{"setting":"ecn.np","status":"unsupported","message":'
	part show files >"$work/show.json"
	expect 0 losslessctl verify "$work/show.json" $port
	same settings "$(losslessctl --json show $port | grep -o '"config":{.*"capabilities":{[^}]*}')" \
		"$(grep -o '"config":{.*"capabilities":{[^}]*}' "$work/show.json")"
}

the_counters_are_read_twice() {
	expect 0 losslessctl bundle --sample-for 1 $port
	same samples 2 "$(grep -o '"sampled_at"' "$work/out" | wc -l)"
}

a_file_is_new_and_private() {
	local file=$work/bundle.json
	expect 0 losslessctl bundle "$file" $port
	same output '' "$(cat "$work/out" "$work/err")"
	same mode 600 "$(stat -c %a "$file")"
	grep -q '^{"schema":"losslessctl/bundle/1"' "$file" || echo 'no bundle'
	echo mine >"$file"
	expect 1 losslessctl bundle "$file"
	says "$file exists, and is not overwritten"
	same content mine "$(cat "$file")"
	rm "$file"
	ln -s /etc/passwd "$file"
	expect 1 losslessctl bundle "$file"
	rm "$file"
	expect 66 losslessctl bundle "$work/nowhere/bundle.json"
	expect 3 losslessctl bundle "$file" nobody0
	same 'what is left' '' "$(find "$work" -name '*bundle*')"
}

# A killed run leaves no half-written file.
a_killed_run_leaves_no_file() {
	losslessctl bundle --sample-for 60 "$work/bundle.json" $port &
	quickly [ -e "$work/.bundle.json.new" ]
	kill -9 $!
	wait $! 2>/dev/null
	quickly lacks [ -e "$work/.bundle.json.new" ]
	[ ! -e "$work/bundle.json" ] || echo 'half a file'
	local call created
	created=$(strace -e trace=openat losslessctl bundle --sample-for 1 "$work/at-first.json" $port 2>&1 >/dev/null |
		grep -n 'at-first.json.new' | cut -d: -f1)
	rm "$work/at-first.json"
	for call in openat:when=$created sendto:when=1 dup:when=1; do
		expect 137 strace -o /dev/null -e trace=${call%:*} -e "inject=${call%:*}:signal=KILL:${call#*:}" \
			losslessctl bundle --sample-for 1 "$work/at-${call%:*}.json" $port
	done
	quickly no_file_is_left
}

no_file_is_left() { ! compgen -G "$work/at-*" >/dev/null; }

a_file_that_came_meanwhile_stays() {
	local code=0
	losslessctl bundle --sample-for 1 "$work/bundle.json" $port 2>"$work/err" &
	quickly [ -e "$work/.bundle.json.new" ]
	echo mine >"$work/bundle.json"
	wait $! || code=$?
	same 'exit code' 1 $code
	same content mine "$(cat "$work/bundle.json")"
	rm "$work/bundle.json"
}

a_user_gets_what_a_user_may_read() {
	expect 0 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl bundle
	says '"applies":{"schema":"losslessctl/error/1","kind":"not_permitted"'
	says 'warning: applies: '
	says 'run `sudo losslessctl bundle`'
	says '"show":{"schema":"losslessctl/show/1"'
	says '"status":"unknown"'
}

# originals: print the words that an anonymised bundle must not contain.
originals() {
	uname -n
	cat /sys/class/net/ens1f*np*/address /sys/class/infiniband/mlx5_*/{node_guid,sys_image_guid}
	cat /sys/class/infiniband/mlx5_*/ports/1/gids/* | grep -v '^[0:]*$' | sort -u
	printf '%s\n' "${pci_of[@]}" gpu-backend
	cat /proc/sys/kernel/random/boot_id
}

an_anonymised_bundle_names_nobody() {
	local before word
	hostname gpu-rack-7
	agent_policy report
	sed -i 's/"name":"test"/"name":"gpu-backend"/' "$work/policy.json"
	start_agent
	ip link set $port mtu 2000
	quickly in_log drift-detected
	stop_agent
	expect 0 losslessctl bundle
	for word in gpu-rack-7 gpu-backend "${pci_of[$port]}"; do
		grep -qF -- "$word" "$work/out" || echo "$word is not told at all"
	done
	expect 0 losslessctl bundle $port
	before=$(part show files | grep -o '"config":{.*"capabilities":{[^}]*}')
	expect 0 losslessctl bundle --anonymise $port
	originals >"$work/originals"
	grep -oniFf "$work/originals" "$work/out"
	same settings "$before" "$(part show files | grep -o '"config":{.*"capabilities":{[^}]*}')"
	says '"/sys/kernel/debug/mlx5/0000:'
	says '"port":"ens1f0np0"'
	same anonymised true "$(json anonymised)"
}

# The host name is also a word of the document: anonymise it only where it names the host.
a_host_called_rdma() {
	hostname rdma
	expect 0 losslessctl bundle --anonymise $port
	found grep -F '"host":"rdma"' "$work/out"
	says '"rdma":"mlx5_0"'
	part show files >"$work/show.json"
	expect 0 losslessctl check "$work/show.json"
}

it 'it reads, and changes nothing' it_reads_and_changes_nothing
it 'it holds what verify needs' it_holds_what_verify_needs
it 'the counters are read twice where that is asked for' the_counters_are_read_twice
it 'a file is new, and of its user alone' a_file_is_new_and_private
it 'a run that is killed leaves no file' a_killed_run_leaves_no_file
it 'a file that came meanwhile stays' a_file_that_came_meanwhile_stays
it 'a user gets what a user may read, and the reasons' a_user_gets_what_a_user_may_read
it 'an anonymised bundle has no name of a host or person' an_anonymised_bundle_names_nobody
it 'a host may be called like a word' a_host_called_rdma
tap_end
