#!/usr/bin/env bash
# NVIDIA's own driver (DOCA, MLNX_OFED), recognised by its module's version. The driver keeps the
# cable length in the adapter, sizes the buffers itself, and needs a link for that.
. tests/system/lib.sh

mount -t tmpfs none /sys/module
mkdir /sys/module/mlx5_core
echo 25.07-0.9.7 >/sys/module/mlx5_core/version
mlx5sim $port nvidia on

it_is_named() {
	expect 0 losslessctl show $port
	says "NVIDIA's mlx5 driver 25.07-0.9.7"
}

# The length is 0 until it is set: 0 is a value here, not a missing register.
the_cable_is_the_adapters() {
	make_policy '{"pfc":{"priorities":[3],"cable_m":30},"pause":{"rx":false,"tx":false}}' $port
	expect 0 losslessctl show $port
	says 'pfc.cable_m           0 metres'
	expect 0 losslessctl apply "$work/policy.json"
	mlx5sim $port reinit
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
	same 'cable' 'cable_len 0' "$(mlx5sim $port state | grep '^cable')"
}

# The driver overwrites the sizes and keeps those of lossy buffers: no rollback could restore them.
buffers_are_only_verified() {
	local sizes before
	make_policy '{"buffer":{"size_bytes":[100096,200192,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]},"pfc":{"priorities":[3]}}' $port
	before=$(hardware $port)
	expect 1 losslessctl apply "$work/policy.json"
	says "NVIDIA's own driver sizes the buffers from speed, MTU and cable"
	same 'the port' "$before" "$(hardware $port)"
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	sizes=$(mlx5sim $port state | sed -n 's/^buffer_size //p')
	# The driver rounds sizes up to the cell, so they are larger than the policy's.
	make_policy "{\"buffer\":{\"size_bytes\":[$(sed 's/ /,/g; s/^\([0-9]*\)/\1-100/' <<<"$sizes" |
		awk -F- '{ print $1 - 100 substr($2, 4) }')]}}" $port
	expect 0 losslessctl verify "$work/policy.json"
	expect 0 losslessctl rollback
}

# When software owns the buffers, the driver checks the link that its own change of PFC took down.
a_half_done_change_of_pfc_is_explained() {
	local before
	ethtool -A $port rx off tx off
	dcb buffer set dev $port prio-buffer 7:1
	before=$(hardware $port)
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	expect 1 losslessctl apply "$work/policy.json"
	says 'could not size the buffers without a link'
	says 'rolled back and verified'
	same 'the port' "$before" "$(hardware $port)"
}

it "NVIDIA's own driver is named" it_is_named
it 'the adapter keeps the cable length' the_cable_is_the_adapters
it 'buffers are verified and not written' buffers_are_only_verified
it 'a change of PFC that the driver leaves half done is explained, and rolled back' \
	a_half_done_change_of_pfc_is_explained
tap_end
