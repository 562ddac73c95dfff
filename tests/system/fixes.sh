#!/usr/bin/env bash
# only: 6.12
# Commands that messages print: run as they stand, with their placeholders filled in, they repair the
# case. Others are run by the test of their case: tests/static/fixes.tsv names it.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_systemd.sh

# printed BEGINNING: the command of the last report that begins so.
printed() {
	local found
	found=$(cat "$work/out" "$work/err" | tr -s ' \n' ' ' | grep -oE "\`$1[^\`]*" | head -n 1)
	[ -n "$found" ] || { echo "no command $1:" && head -n 20 "$work/out" "$work/err"; } >&2
	echo "${found#\`}"
}

# runs BEGINNING [EDIT]: run the command, whose placeholders the sed script EDIT fills in.
runs() {
	local command
	command=$(printed "$1" | sed "${2-}")
	eval "$command" >"$work/said" 2>&1 || { echo "it fails: $command" && cat "$work/said"; }
}

# of_port SETTINGS [MORE]: write a policy that knows the port by its address.
of_port() {
	printf '{"version":1,%s"profiles":{"p":%s},"rules":[{"match":{"pci":"%s"},"profile":"p"}]}\n' \
		"${2-}" "$1" "${pci_of[$port]}" >"$work/policy.json"
}

another_network_namespace() {
	local words
	of_port '{"mtu":4200}'
	expect 1 unshare -n losslessctl plan "$work/policy.json"
	words=$(printed 'nsenter')
	# shellcheck disable=SC2086 # the words of a command
	expect 2 unshare -n $words losslessctl plan "$work/policy.json"
}

the_namespaces_of_rdma() {
	of_port '{"mtu":1500}' '"ready":{"rdma-netns":"exclusive","gid":"ignore"},'
	expect 2 losslessctl ready "$work/policy.json"
	ip netns add away
	[[ $(runs 'rdma system') == *'it fails'* ]] || echo 'the kernel allows it beside another namespace'
	ip netns del away
	runs 'rdma system'
	expect 0 losslessctl ready "$work/policy.json"
	rdma system set netns shared
}

a_recording_that_is_damaged() {
	mkdir -p $var/recordings
	echo '{' >$var/recordings/2.json
	expect 65 losslessctl history --recording 2
	runs rm
	expect 66 losslessctl history --recording 2
	expect 0 losslessctl history
	rm -r $var/recordings
}

a_device_that_is_missing() {
	of_port '{"vlan":{"egress":{"v100":{"3":3}}}}'
	expect 1 losslessctl plan "$work/policy.json"
	runs 'ip link add' 's/ID$/100/'
	expect 0 losslessctl apply "$work/policy.json"
	losslessctl -q rollback
	ip link del v100
}

# --- Services ---

# serves NAME: a unit of this name that runs the program of this name.
serves() {
	cp /bin/sleep "$work/$1"
	printf '[Service]\nExecStart=%s 600\n[Install]\nWantedBy=multi-user.target\n' "$work/$1" \
		>/run/systemd/system/"$1.service"
}

lldpads_units() {
	local path=${LOSSLESSCTL_BUILD:-build}/vm/lldpad/lib/systemd/system
	sed "s|^ExecStart=.*|Environment=LOSSLESSCTL_BUILD=$LOSSLESSCTL_BUILD\nExecStart=/bin/bash $(command -v lldpad) -t -f $work/lldpad.conf|" \
		"$path/lldpad.service" >/run/systemd/system/lldpad.service
	cp "$path/lldpad.socket" /run/systemd/system/
}

# is_enabled UNIT...
is_enabled() { in_systemd systemctl is-enabled "$@" >/dev/null 2>&1; }

# says_plan WORD
says_plan() {
	losslessctl plan "$work/policy.json" >"$work/out" 2>&1
	grep -q "$1" "$work/out"
}

lldpad_that_is_a_service() {
	lldpads_units
	systemctl daemon-reload
	systemctl -q enable --now lldpad.service lldpad.socket
	make_policy '{"pfc":{"priorities":[3]}}' $port
	quickly says_plan 'lldpad' || systemctl status lldpad
	expect 1 losslessctl plan "$work/policy.json"
	runs 'systemctl disable'
	expect 2 losslessctl plan "$work/policy.json"
	is_enabled lldpad.service && echo 'it starts at the next boot'
	expect 0 losslessctl apply "$work/policy.json"
	losslessctl -q rollback
}

docas_service() {
	serves dmsd
	systemctl daemon-reload
	systemctl -q enable --now dmsd.service
	make_policy '{"mtu":4200}' $port
	quickly says_plan dmsd || systemctl status dmsd
	expect 2 losslessctl plan "$work/policy.json"
	runs 'systemctl disable'
	expect 2 losslessctl plan "$work/policy.json"
	! grep dmsd "$work/out" "$work/err"
	is_enabled dmsd.service && echo 'it starts at the next boot'
}

# --- Ports whose names a program could take for an option, or for a word of its own ---

names='--help up'
! is_long || names+=' -x help type'

# named NAME: the port has this name, until it is called by its own again.
named() {
	ip link set dev "$now" down
	ip link set dev "$now" name "$1"
	now=$1
	ip link set dev "$now" up
	carrier_becomes 1 "$now"
}

a_port_that_is_down() {
	of_port '{"link":{"up":true}}'
	ip link set dev "$now" down
	expect 2 losslessctl verify "$work/policy.json"
	runs 'ip link set'
	carrier_becomes 1 "$now"
	expect 0 losslessctl verify "$work/policy.json"
	of_port '{"link":{"up":false}}'
	expect 2 losslessctl verify "$work/policy.json"
	runs 'ip link set'
	carrier_becomes 0 "$now"
	expect 0 losslessctl verify "$work/policy.json"
	ip link set dev "$now" up
	carrier_becomes 1 "$now"
}

another_fec() {
	of_port '{"link":{"fec":"off"}}'
	expect 2 losslessctl verify "$work/policy.json"
	runs 'ethtool --set-fec'
	carrier_becomes 1 "$now"
	expect 0 losslessctl verify "$work/policy.json"
	ethtool --set-fec "$now" encoding rs
	carrier_becomes 1 "$now"
}

a_device_above_it() {
	of_port '{"vlan":{"egress":{"-v":{"3":3}}}}'
	expect 1 losslessctl plan "$work/policy.json"
	runs 'ip link add' 's/ID$/100/'
	expect 0 losslessctl apply "$work/policy.json"
	losslessctl -q rollback
	of_port '{"mtu":9000}'
	ip link set dev "$now" mtu 9000
	expect 0 losslessctl verify "$work/policy.json"
	runs 'ip link set'
	same 'MTU of -v' 9000 "$(cat /sys/class/net/-v/mtu)"
	ip link del dev -v
	ip link set dev "$now" mtu 1500
}

# What a symptom prints, filled in: not a usage text.
what_only_shows() {
	local command
	for command in 'ethtool -m PORT' 'ethtool -I --show-fec PORT' 'ip -d link show dev PORT'; do
		# shellcheck disable=SC2086 # the words of a command
		${command//PORT/$now} >"$work/out" 2>&1
		grep -iE 'usage|help' "$work/out" | grep -v ": $now\|$now:"
	done
}

names_that_look_like_words() {
	local name now=$port
	for name in $names; do
		named "$name"
		a_port_that_is_down
		another_fec
		a_device_above_it
		what_only_shows
	done
	named $port
}

it 'nsenter, in another network namespace' another_network_namespace
it 'rdma system set netns' the_namespaces_of_rdma
it 'rm, of a damaged recording' a_recording_that_is_damaged
it 'ip link add, of a missing VLAN device' a_device_that_is_missing
boot_systemd
# The services have the process IDs and the mounts of that systemd, as those of a host have.
systemctl() { in_systemd systemctl "$@"; }
losslessctl() { in_systemd "$(type -P losslessctl)" "$@"; }
in_long it 'systemctl disable, of lldpad' lldpad_that_is_a_service
in_long it 'systemctl disable, of DMS' docas_service
unset -f losslessctl systemctl
it 'commands about ports with names like --help and up' names_that_look_like_words
tap_end
