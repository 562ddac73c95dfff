#!/usr/bin/env bash
# vm: --peer
# short: 6.12
# What each verb may do: only who hears the switch may open a packet socket, and not for longer
# than it has to.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh

mkfifo "$work/policy"
net_admin=12 net_raw=13 sys_module=16

# begins VERB...: until it waits, for its policy on standard input or for somebody else.
begins() {
	losslessctl "$@" <>"$work/policy" >"$work/out" 2>"$work/err" &
	running=$!
	soon 5 it_waits
}

it_waits() {
	[[ $(<"/proc/$running/status") == *losslessctl*$'\nState:\tS '*$'\nNoNewPrivs:\t1'* ]]
}

ends() {
	kill -KILL $running
	wait $running 2>/dev/null
}

# may SET CAPABILITY: SET is Eff, Prm, Inh or Bnd.
may() {
	local set
	set=$(sed -n "s/^Cap$1:[[:space:]]*//p" /proc/$running/status)
	(((16#$set >> $2) & 1))
}

# never CAPABILITY: neither now, nor by anything that it starts.
never() {
	local set
	for set in Eff Prm Inh Bnd; do
		may $set "$1" && echo "$set has capability $1"
	done
}

always() {
	local set
	for set in Eff Prm Bnd; do
		may $set "$1" || echo "$set lacks capability $1"
	done
}

# Before a word of the policy is read.
cannot_listen() {
	begins "$@"
	never $net_raw
	always $net_admin
	always $sys_module
	ends
}

can_listen() {
	begins "$@"
	always $net_raw
	ends
}

# It waits for another run to end.
rollback_cannot_listen() {
	mkdir -p /run/losslessctl
	flock -o /run/losslessctl/lock sleep 100 &
	local holder=$!
	soon 5 eval '! flock -n /run/losslessctl/lock true'
	begins rollback --wait 60
	never $net_raw
	always $net_admin
	ends
	kill $holder
}

# An lldpad that hangs holds up whoever looks at a port.
show_cannot_listen() {
	start
	kill -STOP "$(kept)"
	begins show
	never $net_raw
	ends
}

verify_gives_it_up() {
	make_policy '{"mtu":1500}' $port
	begins verify "$work/policy.json" $port
	never $net_raw
	ends
}

verify_keeps_it_where_the_switch_must_agree() {
	make_policy '{"mtu":1500,"peer":{"must_agree":["pfc"]}}' $port
	begins verify "$work/policy.json" $port
	always $net_raw
	ends
	end_kept
}

# Nothing to say of this host needs no privilege at all.
explain_needs_nothing() {
	strace -o "$work/trace" -e trace=capset losslessctl explain >"$work/out"
	grep -q 'effective=0, permitted=0, inheritable=0' "$work/trace" || cat "$work/trace"
}

it 'check cannot listen' cannot_listen check -
it 'plan cannot listen' cannot_listen plan -
it 'apply cannot listen, and may load modules' cannot_listen apply -
it 'rollback cannot listen' rollback_cannot_listen
it 'peer can, and verify until it has read the policy' can_listen peer -
it 'explain keeps nothing at all' explain_needs_nothing
it 'show cannot listen' show_cannot_listen
it 'verify gives it up where the policy does not ask for the switch' verify_gives_it_up
it 'and keeps it where it does' verify_keeps_it_where_the_switch_must_agree
tap_end
