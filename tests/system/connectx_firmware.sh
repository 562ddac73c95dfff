#!/usr/bin/env bash
# The simulated adapter's firmware: its module, its reset, and that it knows what the driver asks.
. tests/system/lib.sh

pci=${pci_of[$port]}

# The name is another one after each start of the driver.
name_now() { ls "/sys/bus/pci/devices/$pci/net"; }
pfc_now() { dcb pfc show dev "$(name_now)" prio-pfc | grep -o '3:[a-z]*'; }

module_is_read() {
	expect 0 ethtool -m $port
	says 'QSFP28'
	says 'MCP1600-C001E30N'
}

registers_survive_a_reload() {
	dcb pfc set dev $port prio-pfc 3:on
	expect 0 devlink dev reload "pci/$pci"
	same 'PFC after a reload' 3:on "$(pfc_now)"
}

reset_is_a_power_on() {
	expect 0 devlink dev reload "pci/$pci" action fw_activate
	says 'fw_activate'
	same 'PFC after a reset' 3:off "$(pfc_now)"
	ip link set "$(name_now)" up || echo 'the port does not open'
}

nothing_is_unknown() { dmesg | grep -E 'connectx: .*(unknown|only remembered|does not fit)'; }

it "the module's memory is read" module_is_read
it "registers survive a reload of the driver" registers_survive_a_reload
it "a reset of the firmware puts them as at power on" reset_is_a_power_on
it "the firmware knows each register and command" nothing_is_unknown
tap_end
