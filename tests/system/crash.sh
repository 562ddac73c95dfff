#!/usr/bin/env bash
# short: 6.1
# Tests of an apply that is killed at any moment: the next run that writes leaves the port as before
# or in sync.
. tests/system/lib.sh
# shellcheck source=tests/system/lib_moments.sh
. tests/system/lib_moments.sh

# Print the simulated hardware's state and the kernel's files; apply.sh and faults.sh ask other
# tools.
state() {
	hardware $port
	cat /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_{mode,tos}
}

# dies_at CALL N: kill -9 at the N-th CALL leaves no half-written journal; false without an N-th.
dies_at() {
	killed_at "$1" "$2" losslessctl -q apply $policy $port || return 1
	same "killed at $1 $2" '' "$(whole_journal)"
}


# Record all calls of an apply that change something, in their order.
all_calls() {
	reset_ports
	changes_of all losslessctl -q apply $policy $port >"$work/calls"
}

# which_ones CALL: print the numbers of the recorded CALLs.
which_ones() {
	awk -v call="$1" '$1 == call { print $2 }' "$work/calls"
}

# share HALF NUMBER...: print the calls to kill at for one of the two recoveries. The short run
# takes every twelfth call; the long run takes all for both.
share() {
	local half=$1 step=12
	! is_long || step=1
	shift
	printf '%s\n' "$@" | awk -v step=$step -v first=$((half * step / 2)) 'NR % step == first'
}

# killed SENTENCE TEST CALL NUMBERS: run the test unless NUMBERS is empty: a single call is killed
# for one of the two recoveries only.
killed() {
	[ -z "$4" ] || it "killed at $3: $1" "${@:2}"
}

# Compare with the state before by the same function, and with the policy by verify, which has tests
# of its own.
rollback_restores() {
	local n
	for n in $2; do
		reset_ports
		before=$(state)
		dies_at "$1" "$n" || { echo "not killed at $1 $n" && continue; }
		wait_carrier
		expect 0 losslessctl rollback
		same "killed at $1 $n" "$before" "$(state)"
		[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo "killed at $1 $n: still under way"
	done
}

apply_completes() {
	local n
	for n in $2; do
		reset_ports
		before=$(state)
		dies_at "$1" "$n" || { echo "not killed at $1 $n" && continue; }
		wait_carrier
		expect 0 losslessctl apply $policy $port
		expect 0 losslessctl verify $policy $port
		expect 0 losslessctl rollback
		same "killed at $1 $n, applied, rolled back" "$before" "$(state)"
	done
}

# Start an apply in the background, and return when PFC is on and the link still down.
apply_midway() {
	connectx $port link stuck on
	: >"$work/err" # an earlier run may have written PFC as well
	losslessctl apply $policy $port >"$work/out" 2>"$work/err" &
	applying=$!
	until grep -q 'writing pfc' "$work/err"; do sleep 0.05; done
	sleep 0.3
}

kill_midway() {
	apply_midway
	kill -9 $applying
	wait $applying 2>/dev/null
	let_the_link_back
	wait_carrier
}

another_policy_leaves_no_between() {
	reset_ports
	before=$(hardware $port)
	kill_midway
	make_policy '{"mtu":4200}' $other
	expect 0 losslessctl apply "$work/policy.json"
	says 'this run rolls it back'
	grep -q "^$port .*rolled back and verified" "$work/out" || cat "$work/out"
	same 'the port that this policy does not name' "$before" "$(hardware $port)"
}

what_is_gone_is_named() {
	local number
	reset_ports
	kill_midway
	ip netns add away
	ip link set $port netns away
	make_policy '{"mtu":4200}' $other
	expect 0 losslessctl apply "$work/policy.json"
	says "$port (${pci_of[$port]}) is not present: the run stays incomplete until the port is back"
	expect 3 losslessctl rollback
	says "$port (${pci_of[$port]}) is not present (unplugged, or in another network namespace): it is not rolled"
	number=$(sed -n 's/^run `losslessctl rollback --to \([0-9]*\)` to roll back the last apply.*/\1/p' "$work/out")
	expect 0 losslessctl rollback --to "${number:-none}"
	says "$port (${pci_of[$port]}) is not present (unplugged, or in another network namespace): it is not rolled"
	same 'MTU' 1500 "$(cat /sys/class/net/$other/mtu)"
	expect 0 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback $other
	same 'MTU again' 1500 "$(cat /sys/class/net/$other/mtu)"
	ip netns exec away ip link set $port netns 1
	ip netns del away
	expect 0 losslessctl rollback
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'still under way'
}

who_only_reads_says_so() {
	reset_ports
	kill_midway
	losslessctl plan $policy >"$work/out" 2>"$work/err"
	says 'is incomplete'
	losslessctl rollback >/dev/null 2>&1
}

# told STATE COMMAND...: COMMAND says that a run is in this state.
told() {
	"${@:2}" >"$work/out" 2>&1
	says " is $1: its ports change until it ends"
}

# is_named STATE: whoever asks now gets this word for the run, and no other.
is_named() {
	losslessctl rollback --list >"$work/out" 2>&1
	says "  $1 "
	losslessctl --json rollback --list >"$work/out" 2>&1
	same 'state of run and port' "${1/ /_} ${1/ /_}" \
		"$(grep -oE '"state": *"[^"]*"' "$work/out" | cut -d'"' -f4 | xargs)"
	told "$1" losslessctl show $port
	told "$1" losslessctl plan $policy $port
	told "$1" losslessctl verify $policy $port
}

is_rolling_back() {
	losslessctl rollback --list | grep -q 'rolling back'
}

# The link comes up once, while the run is stopped, and stays down after the rollback of PFC.
one_that_lives_says_what_it_does() {
	local before code=0
	rm -rf /var/lib/losslessctl
	reset_ports
	before=$(state)
	apply_midway
	is_named applying
	kill -STOP $applying
	let_the_link_back
	wait_carrier
	connectx $port link stuck on
	kill -INT $applying
	kill -CONT $applying
	until is_rolling_back || ! kill -0 $applying; do sleep 0.1; done
	is_named 'rolling back'
	let_the_link_back
	wait $applying || code=$?
	same 'exit code' 130 "$code"
	wait_carrier
	same 'after Ctrl-C' "$before" "$(state)"
}

a_rollback_says_what_it_does() {
	rm -rf /var/lib/losslessctl
	reset_ports
	expect 0 losslessctl -q apply $policy $port
	connectx $port link stuck on
	losslessctl -q rollback 2>"$work/err" &
	until is_rolling_back || ! kill -0 $!; do sleep 0.1; done
	losslessctl --json rollback --list >"$work/out"
	says '"state":"rolling_back","verb":"rollback"'
	told 'rolling back' losslessctl doctor --listen-for 1 $policy $port
	let_the_link_back
	wait $!
}

# To apply first would write again what the rollback was to leave.
a_killed_rollback_is_completed_first() {
	reset_ports
	before=$(state)
	expect 0 losslessctl -q apply $policy $port
	connectx $port link stuck on
	losslessctl -q rollback 2>"$work/err" &
	until is_rolling_back || ! kill -0 $!; do sleep 0.1; done
	sleep 0.5
	kill -KILL $!
	wait $! 2>/dev/null
	let_the_link_back
	wait_carrier
	expect 2 losslessctl verify $policy $port
	says 'run `losslessctl rollback`, which completes it'
	says 'run `losslessctl rollback`, which completes the last one, and then `losslessctl apply'
	expect 0 losslessctl rollback
	wait_carrier
	same 'after it' "$before" "$(state)"
}

an_interrupt_puts_it_back() {
	reset_ports
	local before code=0
	before=$(state)
	apply_midway
	kill "-$1" $applying
	let_the_link_back
	wait $applying || code=$?
	same 'exit code' "$2" "$code"
	wait_carrier
	same "after $1" "$before" "$(state)"
}

twice_stops_at_once_and_says_so() {
	reset_ports
	local code=0 before
	before=$(state)
	apply_midway
	kill -INT $applying
	sleep 0.5
	grep -q 'Interrupt again to stop at once' "$work/err" || echo 'the first is not answered'
	kill -INT $applying
	wait $applying || code=$?
	let_the_link_back
	same 'exit code' 4 "$code"
	says 'a port may be partially configured'
	wait_carrier
	expect 0 losslessctl rollback
	wait_carrier
	same 'after rollback' "$before" "$(state)"
}

# The journal keeps nothing of the second port, which was not attempted, for a later run to revert.
a_failed_run_has_ended() {
	reset_ports
	connectx $port fault PFCC fail internal_err
	expect 1 losslessctl apply $policy
	says 'not attempted, unchanged'
	[ ! -e /var/lib/losslessctl/journal/pending.json ] || echo 'the journal says that it has not ended'
	ethtool -A $other rx off tx off
	expect 0 losslessctl rollback
	same 'what somebody else changed' 'RX: off' "$(ethtool -a $other | tr -d '\t' | sed -n 's/^RX:/RX: /p')"
}

one_writer_at_a_time() {
	reset_ports
	apply_midway
	expect 75 losslessctl apply $policy $port
	says --lock-timeout
	let_the_link_back
	expect 0 losslessctl --json apply --lock-timeout 60 $policy $port
	same outcome unchanged "$(json outcome)"
	wait
}

a_state_folder_that_cannot_be_written() {
	reset_ports
	local before
	before=$(hardware $port; changes)
	mount -t tmpfs -o ro tmpfs /var/lib
	expect 1 losslessctl apply $policy
	umount /var/lib
	same 'nothing is written' "$before" "$(hardware $port; changes)"
}

all_calls
for call in $(cut -d' ' -f1 "$work/calls" | sort -u); do
	mapfile -t which < <(which_ones "$call")
	seen=$((${seen:-0} + 1))
	killed 'rollback restores what was' rollback_restores "$call" "$(share 0 "${which[@]}")"
	killed 'another apply ends as wished, and can be taken back' \
		apply_completes "$call" "$(share 1 "${which[@]}")"
done
[ "${seen:-0}" -ge 6 ] || it "an apply makes calls that change something" echo "only ${seen:-0} kinds seen"
it 'killed, then another policy: nothing is left between' another_policy_leaves_no_between
in_long it 'killed, then its port is gone: who applies hears of it' what_is_gone_is_named
it 'killed, then a run that only reads: it says so' who_only_reads_says_so
it 'a run that lives is applying, then rolling back; Ctrl-C: 130' one_that_lives_says_what_it_does
in_long it 'so is a rollback by hand' a_rollback_says_what_it_does
it 'a killed rollback is completed before another apply, as verify says' a_killed_rollback_is_completed_first
in_long it 'Ctrl-C: the step is finished, the port rolled back, 130' an_interrupt_puts_it_back INT 130
it 'SIGTERM: the step is finished, the port rolled back, 143' an_interrupt_puts_it_back TERM 143
it 'Ctrl-C twice: stopped at once, said, 4, and rollback puts it right' twice_stops_at_once_and_says_so
it 'a run that failed has ended, for the ports that it did not reach, too' a_failed_run_has_ended
it 'one writer at a time: 75, or --lock-timeout' one_writer_at_a_time
it 'without a place for the journal nothing is written' a_state_folder_that_cannot_be_written
tap_end
