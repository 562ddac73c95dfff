#!/usr/bin/env bash
# vm: --ports 8
# short: 6.12
# losslessctl probe where one end's counters miss the traffic.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh

in_class='in_class 3 -> 3'

# As in a LAG, RDMA arrives by another port, and reaches its queue pair. The port that it does not
# come by counts a little of other traffic, or nothing.
without_others() { sed -i 's/-> none$/-> 0/' "$work/out"; }

lost_data() {
	connectx $port detour 3
	probe 2
	connectx $port detour off
	without_others
	finds verbs 'lost 3 -> 0' "$in_class"
	finds rdma_cm 'lost 3 -> 0' "$in_class"
	finds control 'lost 0 -> 0' 'in_class 0 -> 0'
	says 'the receiver did not count what was sent'
}

lost_acknowledgements() {
	connectx $other detour 2
	probe 2
	connectx $other detour off
	without_others
	finds verbs "$in_class" 'lost 3 -> 0'
	finds control 'in_class 0 -> 0' 'lost 0 -> 0'
}

# Counters that the driver cannot read stay as they were.
counters_that_stand_still() {
	connectx $other fault PPCNT:read fail internal_err 0
	probe 2
	connectx $other fault none
	finds verbs 'lost 3 -> none' 'not_counted none -> 3'
}

connect_ports
set_up_ports
it 'data that arrive at another port of the host are lost' lost_data

paths '"verbs"' # the paths do not differ below
it 'so are acknowledgements' lost_acknowledgements
it 'counters that stand still count nothing' counters_that_stand_still
disconnect_ports
tap_end
