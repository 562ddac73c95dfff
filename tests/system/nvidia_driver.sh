#!/usr/bin/env bash
# short: 6.12
# MLNX_OFED's driver, recognised by its module's version, which Debian's lacks.
# How it writes is in integration/engine_nvidia.
. tests/system/lib.sh

mount -t tmpfs none /sys/module
mkdir /sys/module/mlx5_core
echo 25.07-0.9.7 >/sys/module/mlx5_core/version

it_is_named() {
	expect 0 losslessctl show $port
	says "NVIDIA's mlx5 driver 25.07-0.9.7"
}

# The driver overwrites the sizes and keeps those of lossy buffers: no rollback could restore them.
buffers_are_only_verified() {
	local before
	make_policy '{"buffer":{"size_bytes":[100096,200192,0,0,0,0,0,0],"prio_buffer":[0,0,0,1,0,0,0,0]},"pfc":{"priorities":[3]}}' $port
	before=$(hardware $port)
	expect 1 losslessctl apply "$work/policy.json"
	says "MLNX_OFED's driver sizes the buffers from speed, MTU and cable"
	same 'the port' "$before" "$(hardware $port)"
	make_policy '{"pfc":{"priorities":[3]},"pause":{"rx":false,"tx":false}}' $port
	expect 0 losslessctl apply "$work/policy.json"
	# The driver rounds sizes up to the cell, so they are larger than the policy's.
	make_policy '{"buffer":{"size_bytes":[130844,130844,0,0,0,0,0,0]}}' $port
	expect 0 losslessctl verify "$work/policy.json"
	make_policy '{"buffer":{"size_bytes":[130844,60000,0,0,0,0,0,0]}}' $port
	expect 2 losslessctl verify "$work/policy.json"
	grep 'losslessctl apply' "$work/out"
	make_policy '{"mtu":4200,"buffer":{"size_bytes":[130844,60000,0,0,0,0,0,0]}}' $port
	expect 2 losslessctl verify "$work/policy.json"
	says 'apply refuses the port: buffer.size_bytes: it differs from the policy'
	grep 'losslessctl apply' "$work/out"
	expect 1 losslessctl apply "$work/policy.json"
	expect 0 losslessctl rollback
}

it "MLNX_OFED's driver is named" it_is_named
it 'buffers are verified and not written' buffers_are_only_verified
tap_end
