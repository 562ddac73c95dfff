#!/usr/bin/env bash
# Tests of tests/hw/accept on a simulated port: every fact, and each that can be made to differ.
. tests/system/lib.sh
. tests/hw/lib_guest.sh

# Facts that are unknown for a port without traffic and APP entries, on a plain host.
other_kinds='host.lag host.switchdev host.dpu host.vf counted.uplink counted.cnps counted.classes counted.pci host.representors host.writers'
[[ $(uname -r) != 6.1.* ]] || other_kinds+=' cc.rtt'
other_kinds+=' host.traffic_class'
# Adapters start with a priority of CNPs and mode 1, which no file restores.
pair='cc.mask cc.mode cc.cnp_prio cc.prio_mode'
idle="app.one_priority counters.dcb counters.control $other_kinds $pair reload.app"

# Name the netdev that a reload makes, as udev does.
play_udev() {
	local netdev
	while sleep 0.1; do
		for netdev in "/sys/bus/pci/devices/${pci_of[$port]}/net/"*; do
			[[ $netdev == */$port || ! -e $netdev ]] || ip link set "${netdev##*/}" name $port
		done
	done
}

# accept_reloading OPTION...: accept may also reload the driver.
accept_reloading() {
	local code=0
	play_udev &
	accept_writing --reload "$@" || code=$?
	{ kill $! && wait $!; } 2>/dev/null
	return $code
}

everything() {
	local before
	before=$(hardware $port)
	expect 3 accept_reloading --json
	same 'what differs' '' "$(outcomes differs)"
	same 'what cannot be told' "$idle" "$(outcomes cannot_be_told)"
	same hardware "$before" "$(hardware $port)"
	nothing_is_left
}

# The port's rdma_cm directory is missing: the run creates and removes it.
a_folder_that_was_not_there() {
	rmdir /sys/kernel/config/rdma_cm/mlx5_0
	expect 0 accept_writing --only roce.takes --only apply.and_back
	[ ! -e /sys/kernel/config/rdma_cm/mlx5_0 ] || echo 'the folder was left'
	mkdir /sys/kernel/config/rdma_cm/mlx5_0
}

# The port is in use: everything is set, and frames were paused.
a_port_in_use() {
	local before
	losslessctl -q apply $policy $port
	rm -rf /var/lib/losslessctl/journal
	echo 6 >/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params/np_cnp_prio
	connectx $port counter rx_prio3_pause 5
	connectx $port counter tx_prio3_pause 7
	connectx $port counter rx_pause_ctrl_phy 5
	before=$(hardware $port)
	expect 3 accept_reloading --json
	same 'what differs' '' "$(outcomes differs)"
	same 'what cannot be told' "$other_kinds app.last" "$(outcomes cannot_be_told)"
	same hardware "$before" "$(hardware $port)"
	connectx $port counter rx_pause_ctrl_phy -5
	expect 2 accept --only counters.control
	reset_ports
}

# differs FACTS COMMAND...: after the command exactly these facts differ, and those of $kept do not.
kept=storm.takes
differs() {
	local facts=$1 only=() before fact
	shift
	for fact in $facts $kept; do only+=(--only "$fact"); done
	"$@"
	before=$(hardware $port)
	expect 2 accept_reloading --json "${only[@]}"
	same 'what differs' "$facts" "$(outcomes differs)"
	same 'what does not' "$kept" "$(outcomes as_expected)"
	same hardware "$before" "$(hardware $port)"
	firmware_as_it_was
}

# The driver flaps the link all the same, and keeps the cable itself.
pfc_is_not_taken() {
	kept='pfc.flaps cable.takes'
	differs 'pfc.ends_pause pfc.all pause.keeps_pfc storm.takes' connectx $port fault PFCC ignore 0
}

a_reload_is_refused() {
	ip addr add 192.0.2.1/24 dev $port
	expect 1 accept_writing --reload --only 'reload.*'
	says 'has addresses'
	ip addr del 192.0.2.1/24 dev $port
	dcb app add dev $port dscp-prio 26:3
	expect 1 accept_writing --reload --only 'reload.*'
	says 'not all 64'
	dcb app flush dev $port dscp-prio
	connectx $port register QPDPM prio 26 3
}

another_who_writes() {
	cp /bin/sleep "$work/lldpad"
	"$work/lldpad" 60 &
	expect 1 accept_writing --only storm.takes
	says lldpad
	kill $!
}

reset_ports
it 'every fact is as expected, a reload among them' everything
it 'a missing directory is created and removed' a_folder_that_was_not_there
it 'a port in use has every fact, and keeps what it has' a_port_in_use
it 'firmware that clears PFC' differs pause.keeps_pfc connectx $port firmware pause ends_pfc
it 'firmware that refuses pause beside PFC' differs pause.keeps_pfc connectx $port firmware pause refused
it 'rates that are not taken' differs 'maxrate.floor maxrate.limit' connectx $port fault QETCR ignore 0
it 'a parameter that is refused' differs cc.ai_rate connectx $port cc rp_ai_rate most 50000
it 'registers that a reload resets' differs 'reload.pfc reload.pause reload.storm reload.maxrate reload.cc' \
	connectx $port firmware forgetful on
it 'PFC that is not taken' pfc_is_not_taken
it 'ETS that is not taken' differs ets.takes connectx $port fault QTCT ignore 0
it 'a host where lldpad runs is left alone' another_who_writes
it 'a reload is refused where it would take something away' a_reload_is_refused
tap_end
