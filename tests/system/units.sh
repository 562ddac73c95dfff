#!/usr/bin/env bash
# only: 6.12
# The units for boot, for new ports and for a timer, under a real systemd and a real udev: their
# order and behaviour are those of packaging/systemd.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_systemd.sh

etc=/etc/losslessctl
# The other port's name, as an operator may choose it, has a character that systemd would escape.
dashed=rail-0
buffers='"buffer":{"size_bytes":[100096,90112,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]}'
wish='{"mtu":9000,"dcbx":{"mode":"host"},"pfc":{"priorities":[3]},'$ets',"dscp":{"prio":{"26":3,"48":6}},'$buffers',"roce":{"tos":106}}'

is_as_wished() { losslessctl -q verify $etc/policy.json "$1" >/dev/null 2>&1; }
property() { in_systemd systemctl show -P "$2" "$1"; }
result_of() { echo "$(property "$1" Result) $(property "$1" ExecMainStatus)"; }

install_policy() {
	mkdir -p $etc
	printf '{"version":1,"name":"fleet","refresh_headroom":true,"profiles":{"p":%s},"rules":[
		{"match":{"name":"%s"},"profile":"p"},{"match":{"name":"%s"},"profile":"p"}]}' \
		"$wish" $port $dashed >$etc/policy.json
}

# Name the ports by udev rules: the guest's PCI slots have no names for udev to use. Naming takes
# 3 s, as it may on a host: a unit that does not wait finds no port.
name_by_slot() {
	mkdir -p /run/udev/rules.d /run/systemd/network
	cp packaging/systemd/90-losslessctl.rules /run/udev/rules.d/
	echo 'SUBSYSTEM=="net", ACTION=="add", PROGRAM="/bin/sleep 3"' >/run/udev/rules.d/10-slow.rules
	printf '[Match]\nPath=pci-%s\n[Link]\nName=%s\n' "${pci_of[$port]}" $port \
		>/run/systemd/network/10-$port.link
	printf '[Match]\nPath=pci-%s\n[Link]\nName=%s\n' "${pci_of[$other]}" $dashed \
		>/run/systemd/network/10-$dashed.link
}

# Trigger network devices only: the other devices of the guest would take half a minute.
coldplug_networks() {
	mkdir -p /run/systemd/system/systemd-udev-trigger.service.d
	printf '[Service]\nExecStart=\nExecStart=udevadm trigger --action=add --subsystem-match=net\n' \
		>/run/systemd/system/systemd-udev-trigger.service.d/few.conf
}

# Ports after a kernel's boot are down, and have the kernel's names.
as_after_power_on() {
	local p
	for p in $port $other; do
		connectx "$p" power cycle
		ip link set "$p" down
	done
	ip link set $port name eth0
	ip link set $other name eth1
}

# The stand-in for a network manager records the result of verify when it starts.
install_network_manager() {
	cat >/run/systemd/system/manager.service <<-END
		[Unit]
		DefaultDependencies=no
		Wants=network.target
		After=network-pre.target
		Before=network.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		Environment=PATH=$PATH
		ExecStart=/bin/sh -c 'losslessctl verify $etc/policy.json >/run/found 2>&1; echo \$\$? >>/run/found'
	END
}

# Enable the units offline, as systemd does not run yet.
enable() {
	install_units
	SYSTEMD_OFFLINE=1 systemctl enable --quiet "$@"
	mkdir -p /run/systemd/system/multi-user.target.wants
	ln -sf ../manager.service /run/systemd/system/multi-user.target.wants/
}

boots() {
	mkdir -p /run/systemd/system
	install_policy
	name_by_slot
	coldplug_networks
	as_after_power_on
	install_network_manager
	enable losslessctl-apply.service
	boot_systemd multi-user.target 'systemd-udev*'
	quickly in_systemd systemctl is-active -q manager.service
}

ports_are_set_before_the_network() {
	same 'the end of verify then' 0 "$(tail -n 1 /run/found)"
	grep -q '2 ports' /run/found || cat /run/found
	same apply 'success 0' "$(result_of losslessctl-apply.service)"
	[ "$(property losslessctl-apply.service ExecMainExitTimestampMonotonic)" -lt \
		"$(property manager.service ExecMainStartTimestampMonotonic)" ] ||
		echo 'the network did not wait for apply'
}

# Print the failed units and the messages of systemd.
nothing_failed() {
	in_systemd systemctl list-units --failed --no-legend --plain
	grep -v '^$' "$work/systemd"
}

# The agent waits until no other run writes, and looks again at a reload. On Linux 6.1 the driver
# that restarted above kept its buffers, so apply writes none, and the driver does not know that
# they were written: without that it does not size them.
link_came_after_the_apply() {
	local before
	dcb buffer set dev $port prio-buffer all:0
	in_systemd systemctl restart losslessctl-apply.service
	before=$(truth $port xoff)
	ip link set $dashed up # the other end of the cable
	ip link set $port up
	quickly has_carrier
	in_systemd systemctl start losslessctl.service
	in_systemd systemctl reload losslessctl.service
	quickly said_by losslessctl.service "$port: link up: the agent wrote PFC again, unchanged"
	[ "$before" != "$(truth $port xoff)" ] || echo "headroom is what it was: $before"
	in_systemd systemctl stop losslessctl.service # from here on only udev starts repairs
}

has_carrier() { [ "$(cat /sys/class/net/$port/carrier 2>/dev/null)" = 1 ]; }
said_by() { journal -u "$1" | grep -qF "$2"; }

# A new driver has the default MTU and ETS.
unplug_and_plug() {
	local bdf=${pci_of[$1]}
	echo 1 >"/sys/bus/pci/devices/$bdf/remove"
	echo 1 >/sys/bus/pci/rescan
}

ports_that_are_plugged_in_are_set() {
	unplug_and_plug $port
	unplug_and_plug $other
	quickly is_as_wished $port
	quickly is_as_wished $dashed
	same 'its unit' 'success 0' "$(result_of losslessctl@$port.service)"
	same 'its unit' 'success 0' "$(result_of losslessctl@$dashed.service)"
}

a_driver_that_is_loaded_again() {
	devlink dev reload "pci/${pci_of[$port]}" >/dev/null
	is_as_wished $port && echo 'nothing was lost'
	quickly is_as_wished $port
}

# A port without a rule stays unchanged, and is no failure.
a_port_of_no_rule() {
	ip link set $dashed down
	ip link set $dashed name eth9
	quickly gone_through losslessctl@eth9.service
	nothing_failed
}

gone_through() { [ "$(property "$1" ExecMainStatus)" = 3 ]; }

# The kernel accepts such a name, and udev passes it on.
a_port_that_looks_like_an_option() {
	local unit=losslessctl@--keep-going.service
	in_systemd systemctl start -- $unit 2>/dev/null && echo 'it starts'
	same 'its end' 'exit-code 64' "$(result_of $unit)"
	said_by $unit '"--keep-going" begins with "-"' || journal -u $unit
	in_systemd systemctl reset-failed $unit
}

timer_is_for_a_fleet() {
	in_systemd systemctl start losslessctl-verify.timer
	in_systemd systemctl show -P TimersMonotonic losslessctl-verify.timer |
		grep -oE '(OnBootUSec|OnUnitActiveUSec)=[0-9a-z]+' | sort >"$work/out"
	same timers $'OnBootUSec=5min\nOnUnitActiveUSec=15min' "$(<"$work/out")"
	same delay '5min yes' "$(property losslessctl-verify.timer RandomizedDelayUSec) $(property \
		losslessctl-verify.timer FixedRandomDelay)"
	same 'what it starts' losslessctl-verify.service "$(property losslessctl-verify.timer Unit)"
}

# Remove the timer's delay, so that it fires at once.
without_delay() {
	mkdir -p /run/systemd/system/losslessctl-verify.timer.d
	printf '[Timer]\nOnBootSec=\nOnBootSec=1s\nRandomizedDelaySec=0\n' \
		>/run/systemd/system/losslessctl-verify.timer.d/soon.conf
	in_systemd systemctl daemon-reload
	in_systemd systemctl restart losslessctl-verify.timer
}

verify_fails_with_the_reason() {
	local service=losslessctl-verify.service
	dcb ets set dev $port prio-tc 5:1
	without_delay
	quickly failed $service
	same 'its end' 'exit-code 2' "$(result_of $service)"
	said_by $service 'ets.prio_tc' || journal -u $service
	said_by $service 'losslessctl apply' || journal -u $service
	in_systemd systemctl reset-failed $service
}

failed() { in_systemd systemctl is-failed -q "$1"; }

: >"$log"
boots
in_long it 'ports are in sync before a network manager starts, under the names that udev gives' \
	ports_are_set_before_the_network
it 'nothing fails, and systemd complains about nothing' nothing_failed
it 'a port that is plugged in is set up again, also one with a dash in its name' \
	ports_that_are_plugged_in_are_set
it 'a port whose name is an option is refused' a_port_that_looks_like_an_option
it 'the timer has a delay of its own for each host' timer_is_for_a_fleet
in_long it 'on drift the unit of the timer fails, and the journal has the reason' \
	verify_fails_with_the_reason
if is_long; then
	it 'the agent makes headroom fit the link, which comes after the apply at boot' \
		link_came_after_the_apply
	it 'a port whose driver is loaded again is set up again' a_driver_that_is_loaded_again
	it 'a port without a rule is no failure' a_port_of_no_rule
fi
tap_end
