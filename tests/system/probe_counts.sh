#!/usr/bin/env bash
# vm: --ports 8
# short: 6.12
# losslessctl probe where one end's counters miss the traffic.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_probe.sh
. tests/system/lib_scenes.sh

# As in a LAG, RDMA arrives by another port, and reaches its queue pair. The port that it does not
# come by counts a little of other traffic, or nothing.
without_others() { sed -i 's/-> none$/-> 0/' "$work/out"; }

connect_ports
set_up_ports
play_verdicts
disconnect_ports
tap_end
