#!/usr/bin/env bash
# short: 6.12
# vm: --peer
# waits
# long: 7.3
# Tests of the guest with simulated adapters: it is Debian's own driver that drives them.
. tests/system/lib.sh

pci=${pci_of[$port]}

# A module without Debian's signature taints the kernel.
debian_signed_the_driver() {
	local module
	for module in mlx5_core mlx5_ib; do
		grep -q "^$module .*Live" /proc/modules || echo "$module is not loaded"
		same "taint of $module" '' "$(cat /sys/module/$module/taint)"
	done
}

driver_is_bound() {
	same driver mlx5_core "$(basename "$(readlink /sys/bus/pci/devices/"$pci"/driver)")"
	same 'RDMA device' mlx5_0 "$(rdma_of $port)"
	dmesg | grep -E 'connectx: .*(unknown|does not fit)'
}

# mlx5e_devlink_port_register() asks for the manager of the E-Switch alone.
legacy_port_has_a_switch_id() {
	devlink dev eswitch show "pci/$pci" | grep -q 'mode legacy' || devlink dev eswitch show "pci/$pci"
	grep -qE '^[0-9a-f]{16}$' /sys/class/net/$port/phys_switch_id || echo 'no phys_switch_id'
}

peers_reach_each_other() {
	ip addr add 192.0.2.1/24 dev $port
	ip -n peer addr add 192.0.2.2/24 dev $other
	expect 0 /run/vm/busybox ping -c 3 192.0.2.2
}

received_on_3() { ethtool -S $port | awk '$1 == "rx_prio3_packets:" { print $2 }'; }

frames_count_by_dscp() {
	same 'rx_prio3_packets before' 0 "$(received_on_3)"
	dcb app add dev $port dscp-prio 0:3
	expect 0 /run/vm/busybox ping -c 2 192.0.2.2
	[ "$(received_on_3)" -ge 2 ] || echo "rx_prio3_packets after two replies: $(received_on_3)"
	dcb app del dev $port dscp-prio 0:3
}

reload_brings_it_back() {
	expect 0 devlink dev reload "pci/$pci"
	[ -e /sys/bus/pci/devices/"$pci"/net ] || echo 'no netdev after devlink reload'
	ip link set "$(basename /sys/bus/pci/devices/"$pci"/net/*)" name $port
	ip link set $port up
}

# refused WORD... SAID: the control exits with 64 and says what is wrong.
refused() {
	expect 64 connectx "${@:1:$#-1}"
	says "${!#}"
}

bad_words_are_refused() {
	refused $port lnik down 'no such verb: lnik; did you mean link?'
	refused $port link upp 'did you mean up?'
	refused $port link 'a word is missing'
	refused $port register PFC pfctx 8 'no such register: PFC; did you mean PFCC?'
	refused $port register PFCC pfct 8 'no such field: pfct; did you mean pfctx?'
	refused $port register PFCC pfctx 256 '256 is more than 255'
	refused $port register QTCT tclass 1 2 3 'QTCT tclass wants an index and a value, or all values'
	refused $port fault PFC ignore 'no such register or command: PFC; did you mean PFCC?'
	refused $port fault PFCC fail bad_parm 'no such status: bad_parm; did you mean bad_param?'
	refused $port damage icr 1 'no such word: icr; did you mean icrc?'
	refused $port damage fcs 'a number is missing'
	refused $port slow 4 memry 'no such word: memry; did you mean memory?'
	refused $port cc np_cnp_dsp 12 'no such parameter: np_cnp_dsp; did you mean np_cnp_dscp?'
	refused $port firmware cap etz off 'did you mean ets?'
	refused ens9f9np9 state "no such port: ens9f9np9; there are $port, $other"
}

pfc() { dcb pfc show dev $port prio-pfc | sed 's/prio-pfc //; s/[0-9]:off *//g; s/ *$//'; }
calls() { connectx $port calls | awk -v name="$1" '$1 == name { print $2 }'; }

registers_change_behind_the_driver() {
	connectx $port register PFCC pfctx 0x28
	same PFC '3:on 5:on' "$(pfc)"
	connectx $port register PFCC pfctx 0
	connectx $port register QTCT tclass 7 6 5 4 3 2 1 0
	same 'classes' 'prio-tc 0:7 1:6 2:5 3:4 4:3 5:2 6:1 7:0' "$(dcb ets show dev $port prio-tc | sed 's/ *$//')"
	connectx $port cc np_cnp_dscp 12
	same cnp_dscp 12 "$(cat /sys/kernel/debug/mlx5/"$pci"/cc_params/np_cnp_dscp)"
}

# dcb may write twice (lib.sh), ethtool writes once.
pauses() { ethtool -A $port rx "$1" tx "$1" 2>"$work/err"; }
pause_is() { same "$1" "$2" "$(ethtool -a $port | awk '/^[RT]X:/ { print $2 }' | uniq)"; }

faults_hit_the_nth_write() {
	connectx $port fault PFCC fail bad_param 1 1
	pauses off
	pause_is 'after the first' off
	! pauses on || echo 'a refused write succeeds'
	pause_is 'after the second' off
	dmesg | tail -n 5 | grep -q 'ACCESS_REG(0x805) op_mod(0x0) failed, status bad parameter(0x3)' ||
		echo 'the driver does not say what failed'
	pauses on
	pause_is 'after the third' on
	connectx $port fault PFCC ignore
	pauses off
	pause_is 'after an ignored one' on
}

slow_write_takes_its_time() {
	local began=${EPOCHREALTIME/./}
	connectx $port fault QPTS slow 300000
	dcb app add dev $port dscp-prio 26:3
	began=$((${EPOCHREALTIME/./} - began))
	dcb app del dev $port dscp-prio 26:3
	[ $began -ge 300000 ] || echo "the write took $began us"
}

reads_and_writes_are_counted() {
	local reads writes
	reads=$(calls PFCC:read) writes=$(calls PFCC:write)
	pauses off
	same 'writes of PFCC' $((writes + 1)) "$(calls PFCC:write)"
	reads=$(calls PFCC:read)
	dcb pfc show dev $port >"$work/out"
	same 'reads of PFCC' $((reads + 1)) "$(calls PFCC:read)"
	pauses on
}

# carrier WANTED: wait up to 5 s.
carrier() {
	local tries=0
	until [ "$(cat /sys/class/net/$port/carrier 2>/dev/null)" = "$1" ]; do
		[ $((tries += 1)) -lt 250 ] || { echo "carrier is not $1" && return; }
		sleep 0.02
	done
}

cable_takes_the_link_down() {
	connectx $port link down
	carrier 0
	connectx $port link up
	carrier 1
}

capabilities_go() {
	connectx $port firmware cap ets off
	connectx $port restart
	expect 0 losslessctl show $port
	says 'ets.*, maxrate.tc_mbps, app.trust: the driver does not report it'
	connectx $port firmware cap ets on
	connectx $port restart
	carrier 1
}

cold_start_forgets() {
	dcb pfc set dev $port prio-pfc 3:on
	connectx $port power cycle
	same PFC '' "$(pfc)"
	carrier 1
}

unplugged_port_comes_back() {
	dcb pfc set dev $port prio-pfc 3:on
	connectx $port unplug
	[ ! -e /sys/class/net/$port ] || echo 'the netdev is still there'
	connectx $port plug
	same PFC 3:on "$(pfc)"
	carrier 1
}

# The driver's watchdog of the command queue finds the event that no interrupt told.
lost_interrupt_is_recovered() {
	connectx $port interrupt lose 1
	expect 0 dcb pfc show dev $port
	dmesg | tail -n 20 | grep -q 'Recovered 1 EQEs on cmd_eq' || echo 'the driver recovered nothing'
}

it "mlx5_core and mlx5_ib are Debian's own, unmodified" debian_signed_the_driver
it "the driver has bound the adapter and knows all that it asks" driver_is_bound
it "a port in legacy mode has a switch ID" legacy_port_has_a_switch_id
it "frames pass between the ports of a card" peers_reach_each_other
it "priorities are counted by DSCP" frames_count_by_dscp
it "devlink reload brings netdev and RDMA device back" reload_brings_it_back
it "a bad word of the control is refused, and the nearest one offered" bad_words_are_refused
it "registers change behind the driver" registers_change_behind_the_driver
it "a fault hits the write that it names" faults_hit_the_nth_write
it "a slow write takes its time" slow_write_takes_its_time
it "reads and writes of registers are counted" reads_and_writes_are_counted
it "the cable takes the link down and up" cable_takes_the_link_down
it "a capability goes when the driver starts without it" capabilities_go
it "a cold start forgets the registers" cold_start_forgets
it "an unplugged port comes back with its registers" unplugged_port_comes_back
it "the driver recovers from a lost interrupt" lost_interrupt_is_recovered
tap_end
