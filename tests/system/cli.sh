#!/usr/bin/env bash
# only: 6.1
# Tests of the command line as scripts see it: words, exit codes, documents and output.
. tests/system/lib.sh

usage_is_64() {
	expect 64 losslessctl
	expect 64 losslessctl aply $policy
	says 'did you mean apply?'
	expect 64 losslessctl verify --nagois
	says 'did you mean --nagios?'
	expect 64 losslessctl plan --nagios
	expect 64 losslessctl check
	expect 64 losslessctl apply --lock-timeout soon $policy
	expect 64 losslessctl peer --listen-for 0
	says '--listen-for takes 1 to 86400 seconds, not "0"'
	expect 64 losslessctl show $policy
	expect 64 losslessctl verify $policy ./other.json
	expect 64 losslessctl --color sometimes show
	expect 64 losslessctl explain pfc.prioritys
	says pfc.priorities
}

# Try an error with a fix, a warning and findings.
errors_fit_a_terminal() {
	local call line calls=("plan $work/none/of/the/policies/of/this/host.json" 'explain pfc.prioritys'
		"check $work/wide.json" "apply --quiet $work/wide.json")
	sed 's/"rx": false/"rx": true/' "$policy" >"$work/wide.json"
	for call in "${calls[@]}"; do
		script -qc "stty cols 60; COLUMNS= losslessctl $call 2>&1 >/dev/null" /dev/null </dev/null |
			tr -d '\r' | sed $'s/\e\\[[0-9;]*m//g' >"$work/out"
		[ -s "$work/out" ] || echo "$call says nothing"
		while IFS= read -r line; do
			[ ${#line} -le 60 ] || [[ ${line#  } != *' '* ]] || echo "${#line} columns: $line"
		done <"$work/out"
		losslessctl $call 2>"$work/err" >/dev/null
		same "words of $call" "$(tr -s ' \n' '\n\n' <"$work/err")" "$(tr -s ' \n' '\n\n' <"$work/out")"
	done
}

explain_finds_a_name_by_its_part() {
	expect 0 losslessctl explain PFC.Cable_M
	says 'pfc.cable_m'
	expect 0 losslessctl explain cable_m
	says 'pfc.cable_m'
	expect 0 losslessctl explain PFC
	says 'pfc.priorities'
	expect 0 losslessctl explain 'dcqcn.*'
	says 'dcqcn.rpg_gd'
	expect 0 losslessctl explain pfc.storm_timeout_ms
	says '0, or 80 to 8000 milliseconds, or "auto"'
	expect 0 losslessctl explain ets.tsa
	says '"strict", "cbs", "ets" or "vendor"'
	expect 0 losslessctl explain DCQCN
	says "losslessctl explain 'dcqcn.*'"
	expect 0 losslessctl explain window_s
	says 'thresholds.window_s'
	expect 64 losslessctl explain 5
	found grep 'did you mean' "$work/err"
}

headroom_takes_what_there_can_be() {
	local link='--mtu 9000 --cable 5' speed
	expect 0 losslessctl headroom --speed 100G $link
	says 65792
	says 'in flight         (301'
	says 'frames in transit 2.72'
	says 'one cell                 '
	expect 0 losslessctl headroom --speed 100000 $link
	expect 64 losslessctl headroom $link
	says '`headroom` needs --speed'
	expect 64 losslessctl headroom
	says '`headroom` needs --speed, --mtu, --cable'
	expect 64 losslessctl headroom --speed 100 $link
	says 'did you mean 100G?'
	expect 64 losslessctl headroom --speed 100G --mtu 19000 --cable 5
	says '--mtu 19000 is above --max-mtu 9978'
	for speed in 0 -1 100M G 10001G 99999999999999999999; do
		expect 64 losslessctl headroom --speed $speed $link
		says '--speed takes 1000 to 10000000 Mb/s, or 1G to 10000G'
	done
	expect 64 losslessctl headroom --speed 100G --mtu 9G --cable 5
	expect 64 losslessctl headroom --speed 100G --mtu 9000 --cable 1000
}

who_writes_needs_to_be_root() {
	local nobody='setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl'
	# shellcheck disable=SC2086
	expect 77 $nobody apply - <$policy
	says '`apply` needs root: it changes ports'
	# shellcheck disable=SC2086
	expect 77 $nobody agent - <$policy
	says '`agent` needs root: it writes to /run/losslessctl'
}

the_lock_is_waited_for() {
	local holder
	mkdir -p /run/losslessctl
	flock /run/losslessctl/lock sleep 5 &
	holder=$!
	sleep 0.5
	expect 75 losslessctl apply --lock-timeout 1 - <$policy
	says "another losslessctl (pid $holder) is writing on this host, still after 1 s"
	says 'with a longer --lock-timeout'
	wait $holder
}

writing_takes_no_root() {
	expect 64 losslessctl --root / rollback --root /mnt
	expect 64 losslessctl --root /mnt apply $policy
	says 'read-only verbs'
	expect 0 losslessctl --root / show
}

a_bad_policy_is_65_and_changes_nothing() {
	local before
	before=$(changes)
	sed 's/"priorities"/"prioritys"/' $policy >"$work/policy.json"
	expect 65 losslessctl apply "$work/policy.json"
	says 'policy.json:9:'
	says 'did you mean "priorities"?'
	expect 65 losslessctl --json verify "$work/policy.json"
	same schema losslessctl/error/1 "$(json schema)"
	same pointer /profiles/roce/pfc/prioritys "$(json pointer)"
	expect 66 losslessctl verify /nowhere/policy.json
	same 'driver calls' "$before" "$(changes)"
}

# sudo may let a user run `verify` on files that only root can read.
no_other_file_is_quoted() {
	local verb
	printf 'root:SECRET:20000:0:99999:7:::\n' >"$work/shadow"
	printf '{ "password": "SECRET" "user": "root" }\n' >"$work/broken.json"
	printf '{ "password": "SECRET" }\n' >"$work/other.json"
	for verb in check verify plan 'check --json' 'verify --json'; do
		for file in shadow broken.json other.json; do
			# shellcheck disable=SC2086
			expect 65 losslessctl $verb "$work/$file"
			found grep -F SECRET "$work/out" "$work/err"
		done
	done
	expect 65 losslessctl verify "$work/shadow"
	says 'not a policy'
}

standard_input_is_a_policy() {
	expect 2 losslessctl plan - <$policy
	expect 0 losslessctl check - <$policy
	expect 65 losslessctl check - </dev/null
	expect 64 losslessctl check - - <$policy
	says 'standard input can be read only once'
}

the_default_policy() {
	expect 66 losslessctl verify
	says /etc/losslessctl/policy.json
	mkdir -p /etc/losslessctl
	cp $policy /etc/losslessctl/policy.json
	expect 2 losslessctl verify
	expect 2 losslessctl plan $port
	rm -r /etc/losslessctl
}

no_such_port_is_3() {
	expect 3 losslessctl show ens1f0np
	says 'did you mean ens1f0np0?'
	expect 3 losslessctl show esn1f0np0
	says 'did you mean ens1f0np0?'
	expect 3 losslessctl show ens1f1np0
	says 'run `losslessctl show` to list the ports'
	expect 3 losslessctl verify $policy ens9f9np9
	expect 3 losslessctl show lo
	make_policy '{"mtu":9000}' $other
	expect 3 losslessctl verify "$work/policy.json" $port
	says 'no rule'
}

a_bond_means_its_members() {
	modprobe bonding
	ip link add bond9 type bond mode active-backup
	expect 3 losslessctl show bond9
	says 'bond bond9 has no member with DCB or RDMA'
	ip link set $port down
	ip link set $port master bond9
	ip link set $other down
	ip link set $other master bond9
	ip link set bond9 up
	wait_carrier
	expect 0 losslessctl --json show bond9
	same ports 2 "$(grep -o '"port":' "$work/out" | wc -l)"
	make_policy '{"mtu":9000}' bond9
	expect 2 losslessctl --json plan "$work/policy.json"
	same ports 2 "$(grep -o '"port":' "$work/out" | wc -l)"
	ip link del bond9
	ip link set $port up
	ip link set $other up
	wait_carrier
}

one_document_a_run() {
	local verb
	for verb in schema explain show "plan $policy" "verify $policy" "check $policy" "apply $policy" rollback; do
		# shellcheck disable=SC2086 # a verb and its words
		losslessctl --json $verb >"$work/out" 2>/dev/null
		same "lines of $verb" 1 "$(wc -l <"$work/out")"
		[ "$verb" = schema ] || grep -q "^{\"schema\":\"losslessctl/${verb%% *}/1\"" "$work/out" ||
			head -c 200 "$work/out"
	done
}

# Users who may not write can run `apply --dry-run`.
a_dry_run_writes_nothing() {
	local before
	before=$(changes)
	rm -f /run/losslessctl/lock
	expect 2 losslessctl apply --dry-run $policy
	cp "$work/out" "$work/dry"
	expect 2 losslessctl plan $policy
	diff "$work/dry" "$work/out"
	expect 2 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl apply --dry-run - <$policy
	same 'driver calls' "$before" "$(changes)"
	[ ! -e /run/losslessctl/lock ] || echo 'a dry run took the lock'
}

everything_has_help() {
	local verb
	for verb in check schema explain show plan apply rollback verify help; do
		expect 0 losslessctl $verb --help
		says "usage: losslessctl $verb"
		losslessctl --help | grep -q "^  $verb " || echo "--help is silent on $verb"
	done
	expect 0 losslessctl --version
}

# coloured WORD...: losslessctl prints colour.
coloured() {
	"$@" >"$work/out" 2>&1 </dev/null
	grep -q $'\e' "$work/out"
}

colour_only_where_it_is_wanted() {
	local terminal=(script -qc 'losslessctl show' /dev/null)
	coloured losslessctl show && echo 'colour in a pipe'
	coloured losslessctl --color always show || echo 'no colour though always'
	coloured "${terminal[@]}" && echo 'colour in spite of NO_COLOR'
	coloured env -u NO_COLOR TERM=dumb "${terminal[@]}" && echo 'colour on a dumb terminal'
	coloured env -u NO_COLOR TERM=xterm "${terminal[@]}" || echo 'no colour on a terminal'
	says $port
}

a_full_disk_is_no_success() {
	expect 1 sh -c 'losslessctl show >/dev/full'
	expect 1 sh -c 'losslessctl --version >/dev/full'
	expect 1 sh -c 'losslessctl apply --help >/dev/full'
}

# Exit code 1 would mean that the port is unchanged.
# A signal would end an apply, or the process that rolls it back, at any place.
a_limit_of_file_sizes_is_an_error() {
	rm -rf /var/lib/losslessctl
	expect 1 prlimit --fsize=2000 losslessctl apply "$policy"
	says 'File too large'
	expect 1 prlimit --fsize=60 losslessctl check --expand "$policy"
	says 'standard output: File too large'
	losslessctl rollback --list | grep -F incomplete
}

a_lost_report_is_not_a_lost_apply() {
	make_policy '{"mtu":4200}' $port
	expect 0 sh -c "losslessctl apply $work/policy.json >/dev/full"
	says 'only this report is lost'
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
}

a_pipe_is_waited_for() {
	expect 0 bash -c "losslessctl check <(sleep 0.5; cat $policy)"
}

a_refusal_is_told_quietly() {
	make_policy '{"pfc":{"priorities":[3]}}' $port
	expect 1 losslessctl -q apply --no-link-flap "$work/policy.json"
	says '--no-link-flap forbids that'
}

# note EVENT PORT TO LASTED: print a line of the history.
note() {
	printf '{"schema":"losslessctl/drift-record/1","recorded_at":"2026-05-01T12:00:03Z","port":"%s","pci":"0000:3b:00.0",' "$2"
	printf '"setting":"pfc.priorities","event":"%s","from":[3],"to":%s,"likely_writer":"lldpad (pid 42)",' "$1" "$3"
	printf '"first_seen_at":"2026-05-01T12:00:00Z","duration_s":%s}\n' "$4"
}

renames() {
	ip link set dev "$1" down
	ip link set dev "$1" name "$2"
}

# The kernel accepts both names.
names_that_look_like_commands() {
	renames $other --help
	expect 64 losslessctl show -- --help
	says '"--help" begins with "-", as no port may'
	expect 0 losslessctl show "${pci_of[$other]}"
	says '--help'
	renames --help '$(reboot)'
	expect 0 losslessctl show '$(reboot)'
	make_policy '{"mtu":9000}' '*reboot*'
	ip link add link '$(reboot)' name '$(halt)' type vlan id 5
	ip link set dev '$(reboot)' mtu 9000
	expect 0 losslessctl verify "$work/policy.json"
	says "run \`ip link set dev '\$(halt)' mtu 9000\`"
	ip link del '$(halt)'
	ip link set dev '$(reboot)' mtu 1500
	renames '$(reboot)' $other
	ip link set dev $other up
	wait_carrier
}

the_history_of_drift() {
	local root=$work/root
	expect 0 losslessctl history
	says 'no drift is recorded'
	expect 0 losslessctl --json history
	same 'no records' '"dropped_count":0,"records":[],"recordings":[]}' "$(grep -o '"dropped.*' "$work/out")"
	mkdir -p "$root/var/lib/losslessctl"
	{
		note detected ens1 '[]' 0
		echo broken
		note contested ens2 '[4]' 15
	} >"$root/var/lib/losslessctl/drift.jsonl"
	expect 0 env LC_ALL=C losslessctl --root "$root" history
	same 'lines' 3 "$(wc -l <"$work/out")"
	says '2026-05-01T12:00:03Z  ens1  pfc.priorities  detected             3 -> none, by lldpad (pid 42)'
	same 'the newest is last' \
		'2026-05-01T12:00:03Z  ens2  pfc.priorities  contested  15 s      3 -> 4, by lldpad (pid 42)' \
		"$(tail -n 1 "$work/out")"
	expect 0 losslessctl --root "$root" history ens1
	same 'lines of one port' 2 "$(wc -l <"$work/out")"
	expect 0 losslessctl --root "$root" history 0000:3b:00.0
	same 'lines of one address' 3 "$(wc -l <"$work/out")"
	expect 0 losslessctl --root "$root" history ens9
	says 'for the named ports'
	expect 0 losslessctl --root "$root" --json history ens2
	same 'documents' 1 "$(wc -l <"$work/out")"
	says '"records":[{"recorded_at":"2026-05-01T12:00:03Z","port":"ens2"'
	same 'schemas' 1 "$(grep -o '"schema"' "$work/out" | wc -l)"
	chmod 755 "$work"
	chmod 600 "$root/var/lib/losslessctl/drift.jsonl"
	expect 77 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl --root "$root" history
	says 'sudo losslessctl history'
}

it 'a wrong word is 64, with the nearest right one' usage_is_64
it 'messages are wrapped at the width of a terminal, and not in a file' errors_fit_a_terminal
it 'explain finds a name by its last part, in any case' explain_finds_a_name_by_its_part
it 'headroom takes what a link can be' headroom_takes_what_there_can_be
it 'apply and the agent need root' who_writes_needs_to_be_root
it 'an apply that waits for the lock names the time' the_lock_is_waited_for
it 'verbs that write take no --root' writing_takes_no_root
it 'a bad policy is 65, names the place, and changes nothing' a_bad_policy_is_65_and_changes_nothing
it 'no line of a file that is no policy is printed' no_other_file_is_quoted
it '- is standard input' standard_input_is_a_policy
it 'without a policy it is /etc/losslessctl/policy.json' the_default_policy
it 'a port that is not here, or has no rule, is 3' no_such_port_is_3
it 'a bond means its members' a_bond_means_its_members
it 'the name of a port may look like a command or an option' names_that_look_like_commands
it '--json prints one document with its schema' one_document_a_run
it 'apply --dry-run is plan' a_dry_run_writes_nothing
it 'every verb has help' everything_has_help
it 'colour only where it is wanted' colour_only_where_it_is_wanted
it 'output that cannot be written is a failure' a_full_disk_is_no_success
it 'a limit of file sizes is an error' a_limit_of_file_sizes_is_an_error
it 'an apply whose report is lost is done all the same' a_lost_report_is_not_a_lost_apply
it 'a policy from a pipe is waited for' a_pipe_is_waited_for
it 'a refusal is reported with --quiet as well' a_refusal_is_told_quietly
it 'history prints what drifted, and reads only' the_history_of_drift
tap_end
