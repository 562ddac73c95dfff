#!/usr/bin/env bash
# short: 6.12
# The rights of each verb after its start, as the kernel reports them: only the capabilities it
# needs, no way to gain others, only its own system calls, and nothing left behind.
. tests/system/lib.sh

mkfifo "$work/full" "$work/silent"
exec 8<>"$work/full" 9<>"$work/silent"
head -c 65536 /dev/zero >&8 # a full pipe blocks every writer
none=0000000000000000 net_admin=0000000000001000 net_raw=0000000000002000
sys_module=0000000000010000 sys_admin=0000000000200000 examine=0000000000202000

# rights_of PID: "effective permitted inheritable no-new-privileges seccomp".
rights_of() {
	local name value eff prm inh nnp calls
	while read -r name value; do
		case $name in
		CapEff:) eff=$value ;;
		CapPrm:) prm=$value ;;
		CapInh:) inh=$value ;;
		NoNewPrivs:) nnp=$value ;;
		Seccomp:) calls=$value ;;
		esac
	done <"/proc/$1/status"
	echo "$eff $prm $inh $nnp $calls"
}

it_waits() {
	[[ $(<"/proc/$running/status") == *losslessctl*$'\nState:\tS '*$'\nSeccomp:\t2'* ]]
}

waits() {
	local tries=0
	until it_waits 2>/dev/null; do
		[ -e "/proc/$running" ] && [ $((tries += 1)) -lt 250 ] || { echo 'it never waited' && return; }
		sleep 0.02
	done
}

# begins VERB...: start it, and return when it waits to write its output or to read its policy.
begins() {
	losslessctl "$@" 0<&9 >&8 2>&8 &
	running=$!
	waits
}

ends() {
	kill -KILL $running
	wait $running 2>/dev/null
}

# has CAPABILITIES VERB...: the verb has exactly these, and no way to gain more.
has() {
	begins "${@:2}"
	same "rights of ${*:2}" "$1 $1 $none 1 2" "$(rights_of $running)"
	ends
}

only_who_writes_may_change_the_network() {
	make_policy '{"mtu":1500}' $port
	has $none check "$work/policy.json"
	has $none schema
	has $none explain
	has $none headroom --speed 100000 --mtu 9000 --cable 5
	has $none show
	has $none plan "$work/policy.json"
	has $none history
	has $none bundle
	has $none watch
	has $none ready
	has $net_admin apply "$work/policy.json"
	has $net_admin confirm
	has $net_admin rollback
	has $net_admin agent "$work/policy.json"
}

# The policy never arrives, so nothing of it has been read.
before_a_word_of_the_policy() {
	has $none check -
	has $none plan -
	has $net_admin apply -
	has $net_admin agent -
	has $net_raw peer -
	has $net_raw verify -
	has $sys_admin ready -
	has $examine doctor -
}

only_who_must_may_listen() {
	make_policy '{"mtu":1500}' $port
	has $none verify "$work/policy.json" $port
	make_policy '{"mtu":1500,"peer":{"must_agree":["pfc"]}}' $port
	has $net_raw verify "$work/policy.json" $port
	has $net_raw bundle --listen-for 60 $port
	has $net_raw doctor --listen-for 60 "$work/policy.json" $port
}

nobody_else_has_less() {
	running=$(setpriv --reuid 65534 --clear-groups sh -c 'losslessctl explain >&8 2>&8 & echo $!')
	waits
	same 'rights of nobody' "$none $none $none" "$(rights_of $running | cut -d' ' -f1-3)"
	same 'confined' '1 2' "$(rights_of $running | cut -d' ' -f4-5)"
	kill -KILL "$running"
}

# The loader runs only while a module is missing that a policy may need, and only with that right.
modules_are_loaded_by_another() {
	local child
	rmdir /sys/kernel/config/rdma_cm/mlx5_* 2>/dev/null
	modprobe -r rdma_ucm rdma_cm 2>/dev/null
	[ ! -e /sys/kernel/config/rdma_cm ] || echo 'rdma_cm is still there'
	begins apply -
	child=$(<"/proc/$running/task/$running/children")
	same 'rights of who loads' "$sys_module $sys_module $none 1 2" "$(rights_of "${child% }")"
	ends
	make_policy '{"roce":{"mode":"v2"}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	[ -e /sys/kernel/config/rdma_cm ] || echo 'rdma_cm was not loaded'
	begins apply -
	same 'others' '' "$(<"/proc/$running/task/$running/children")"
	ends
	reset_ports
}

who_waits_for_confirmation_has_no_more() {
	local pid
	make_policy '{"mtu":4200}' $port
	expect 0 losslessctl apply --confirm-within 60 "$work/policy.json"
	pid=$(pgrep -x losslessctl)
	same 'its rights' "$net_admin $net_admin $none 1 2" "$(rights_of "$pid")"
	same 'its share of a shortage' -1000 "$(<"/proc/$pid/oom_score_adj")"
	grep -q '^VmLck:.* 0 kB' "/proc/$pid/status" && echo 'its memory is not locked'
	expect 0 losslessctl confirm
	losslessctl -q rollback
}

# crash VERB...: list the core files that the verb leaves when it crashes.
crash() {
	rm -f /run/core.*
	begins "$@"
	kill -SEGV $running
	wait $running 2>/dev/null
	compgen -G '/run/core.*'
}

no_memory_is_left_behind() {
	echo '/run/core.%p' >/proc/sys/kernel/core_pattern
	ulimit -c unlimited
	same 'of who reads' 1 "$(crash show | wc -l)"
	same 'of who writes' 0 "$(crash apply - | wc -l)"
	rm -f /run/core.*
}

modes() {
	(cd / && find var/lib/losslessctl run/losslessctl -printf '%p %m\n' | sort)
}

modes_are_ours_whatever_the_umask() {
	local mask open closed
	make_policy '{"mtu":4200}' $port
	for mask in 000 777; do
		reset_ports
		(umask $mask && losslessctl -q apply "$work/policy.json") || echo "umask $mask: it failed"
		[ $mask = 777 ] && closed=$(modes) || open=$(modes)
	done
	same modes "$open" "$closed"
	same 'what others may write' '' "$(find /var/lib/losslessctl /run/losslessctl -perm /022)"
	same 'what others may read' '' "$(find /var/lib/losslessctl /run/losslessctl -type f -perm /044)"
	reset_ports
}

# Root can still read a policy in another user's home: losslessctl opens it first.
a_private_folder_of_others() {
	make_policy '{"mtu":1500}' $port
	mkdir "$work/home"
	mv "$work/policy.json" "$work/home"
	chown -R 65534 "$work/home"
	chmod 700 "$work/home"
	chmod 600 "$work/home/policy.json"
	expect 0 losslessctl check "$work/home/policy.json"
	expect 0 losslessctl verify "$work/home/policy.json" $port
}

# Make the kernel log the system calls that it denies.
note_what_is_denied() {
	local noted=/proc/sys/kernel/seccomp/actions_logged
	echo "$(<$noted) errno" >$noted
}

denied_to() {
	dmesg | grep "type=1326 .*comm=\"$1\"" | head -n 3
}

nothing_was_denied_that_is_needed() {
	"$tools/unit_cli_sandbox_privileges" >/dev/null 2>&1
	[ -n "$(denied_to unit_cli_sandbo)" ] || echo 'what is denied is not noted'
	same 'denied to losslessctl' '' "$(denied_to losslessctl)"
}

note_what_is_denied
it 'only verbs that write may change the network, and no process gains privileges' only_who_writes_may_change_the_network
it 'all is given up before a word of the policy is read' before_a_word_of_the_policy
it 'verify listens only where the switch must agree' only_who_must_may_listen
it 'who is not root is confined, too' nobody_else_has_less
it 'modules are loaded by a process that can do nothing else' modules_are_loaded_by_another
it 'who waits for confirmation has no more rights, and stays' who_waits_for_confirmation_has_no_more
it 'a crash of who writes leaves no memory behind' no_memory_is_left_behind
in_long it 'files have their modes whatever the umask' modes_are_ours_whatever_the_umask
it "a policy in somebody's private folder is still read" a_private_folder_of_others
it 'no system call was denied in all of this' nothing_was_denied_that_is_needed
tap_end
