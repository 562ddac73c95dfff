#!/usr/bin/env bash
# short: 6.12
# long: 7.3
# Tests that the fake kernel of tests/integration answers as Debian's mlx5 driver does, byte by byte:
# to all that the integration tests ask, and in all that can be read after each change.
. tests/system/lib.sh

prepare() {
	modprobe -a 8021q rdma_cm
	mkdir -p "/sys/kernel/config/rdma_cm/$(rdma_of $port)"
	ip link add link $port name v100 type vlan id 100
	ip link set v100 type vlan egress 3:3
}

# The fake starts like a port after power on; requests follow each other on both.
conforms() { "$tools/conform" tests/integration/requests "${pci_of[$port]}"; }

# A driver that another program has changed is not at its beginning.
another_answer_is_found() {
	dcb pfc set dev $port prio-pfc 5:on
	expect 1 conforms
	says 'driver (<) and fake (>) differ'
	says 'answers differ'
}

prepare
it 'the fake kernel answers like the driver' conforms
in_long it 'an answer that differs is named' another_answer_is_found
tap_end
