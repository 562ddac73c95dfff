#!/usr/bin/env bash
# only: 6.12
# The checks of `ready` that judge counters since the driver's start: each is ready up to the number
# that the policy allows, and not ready one above.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_ready.sh

frames_with_wrong_symbols() {
	connectx $port counter rx_pcs_symbol_err_phy 100
	connectx $port counter rx_symbol_err_phy 2
	judged ready symbol-errors 2
	connectx $port counter rx_symbol_err_phy 1
	judged not_ready symbol-errors 2
	[[ $row == *'"actual":3,'* ]] || echo "$row"
}

blocks_that_fec_could_not_correct() {
	connectx $port counter rs_fec_corrected_blocks 100
	connectx $port counter rs_fec_uncorrectable_blocks 2
	judged ready fec-errors 2
	connectx $port counter rs_fec_uncorrectable_blocks 1
	judged not_ready fec-errors 2
	[[ $row == *'"actual":3,'* ]] || echo "$row"
	[[ $(field fix) == *'clean or replace the cable'* ]] || field fix
}

downs() {
	cat /sys/class/net/$port/carrier_down_count
}

is_more_than() {
	[ "$(downs)" -gt "$1" ]
}

a_link_that_went_down() {
	local before
	before=$(downs)
	judged ready link-downs "$before"
	connectx $port link down
	quickly is_more_than "$before"
	connectx $port link up
	wait_carrier
	judged not_ready link-downs "$before"
	[[ $(field fix) == *'losslessctl watch'* ]] || field fix
}

it 'frames with wrong symbols are counted' frames_with_wrong_symbols
it 'blocks that FEC could not correct are counted' blocks_that_fec_could_not_correct
it 'a link that went down is counted' a_link_that_went_down
tap_end
