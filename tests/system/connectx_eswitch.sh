#!/usr/bin/env bash
# vm: --connectx
# waits
# The E-Switch of simulated adapters as Debian's own driver shows it: the host of a DPU, switchdev,
# virtual functions, link aggregation; and ports of type InfiniBand, which have no E-Switch.
. tests/system/lib.sh

pci=${pci_of[$port]}
device=/sys/bus/pci/devices/$pci

# settles COMMAND...: wait up to 5 s until it succeeds; show what it says if it never does.
settles() {
	local tries=0
	until "$@" >"$work/settling" 2>&1; do
		[ $((tries += 1)) -lt 100 ] || { echo "not within 5 s: $*" && cat "$work/settling" && return; }
		sleep 0.05
	done
}

mode() { devlink dev eswitch show "pci/$pci" | awk '{ print $3 }'; }

echo 'the tests begin' >/dev/kmsg

# Commands that the adapter does not know, and what the driver says of answers that it did not expect.
# The driver always looks for a VSC in the configuration space, and here there is none.
complaints() {
	dmesg | sed '1,/the tests begin/d' | grep -v mlx5_pci_vsc_init |
		grep -iE 'unknown|does not fit|fail|error|err=|invalid|timeout|zero|bitmask|present'
}

host_of_a_dpu_has_no_switch() {
	connectx $port eswitch manager off
	connectx $port pci device 0xa2dc
	connectx $port power cycle
	same device 0xa2dc "$(cat "$device/device")"
	expect 1 devlink dev eswitch show "pci/$pci"
	says 'Operation not supported'
	expect 1 cat /sys/class/net/$port/phys_switch_id
	expect 0 dcb pfc show dev $port
	expect 0 losslessctl show $port
	says 'BlueField'
}

adapter_gets_its_switch_back() {
	connectx $port eswitch manager on
	connectx $port pci device 0x1019
	connectx $port power cycle
	same device 0x1019 "$(cat "$device/device")"
	same mode legacy "$(mode)"
}

it "the host of a BlueField has DCB and no E-Switch" host_of_a_dpu_has_no_switch
it "an adapter outside a DPU manages its E-Switch" adapter_gets_its_switch_back
it "the driver has no complaints" complaints
tap_end
