# shellcheck shell=bash
# The simulated machine, as options of QEMU: the same for the guest that tests/vm/frozen boots and
# freezes and for those that tests/vm/run resumes from it.

streams=(in out err status go)

device() { printf -- '-device\n%s\n' "$1"; }

# bus_place CARD: prints the card's slot. The root bus has slots for 24 cards, each bridge for 31.
bus_place() {
	local rest=$(($1 - 24))
	if ((rest < 0)); then
		printf 'bus=pci.0,addr=%x' $(($1 + 8))
	else
		printf 'bus=more%d,addr=%x' $((rest / 31)) $((rest % 31 + 1))
	fi
}

# The devices of mlx5sim on PCI Express. The first port has its own slot on node 0; the second one
# shares a switch with an AMD GPU on node 1. connectx has its own bridges: connectx/express.c.
pcie_devices() {
	device pcie-root-port,id=slot1,chassis=1,x-speed=8,x-width=8
	device pxb-pcie,id=node1,bus_nr=128,numa_node=1
	device pcie-root-port,id=slot2,chassis=2,bus=node1
	device x3130-upstream,id=switch,bus=slot2
	device xio3130-downstream,id=switch1,chassis=3,bus=switch
	device xio3130-downstream,id=switch2,chassis=4,bus=switch
	device virtio-rng-pci,ats=on,bus=slot1
	device virtio-rng-pci,ats=on,bus=switch1
	device ati-vga,romfile=,bus=switch2
}

# memory_sizes: sets $memory_mib. With connectx the kernel leaves the last 128 MiB to the BARs of at most
# 126 adapters, and sets $hole. A port takes 6 MiB of Debian's driver, mostly receive buffers.
memory_sizes() {
	memory_mib=2048 hole=
	[[ $module == connectx ]] || return 0
	((ports <= 32)) || memory_mib=3072
	if [[ $pcie ]]; then
		hole=" mem=2112M ports=$ports bars=$((2112 << 20)) express=1"
		return
	fi
	hole=" mem=$((memory_mib - 128))M ports=$ports bars=$(((memory_mib - 128) << 20))"
}

# With --pcie it has an IOMMU and two NUMA nodes. The IOMMU comes before the devices behind it. The
# far node ends with what the kernel leaves to the BARs.
board() {
	if [[ ! $pcie ]]; then
		printf '%s\n' -m "${memory_mib}M" -machine memory-backend=memory
		return
	fi
	printf '%s\n' -m 2240M -machine q35 -numa "node,memdev=memory,cpus=0-$((cpus - 1))" \
		-object memory-backend-ram,id=far,size=192M -numa node,memdev=far
	device intel-iommu,device-iotlb=on
}

port_devices() {
	local n
	[[ $module == mlx5sim ]] || return 0
	[[ ! $pcie ]] || { pcie_devices && return; }
	for n in 0 1; do
		((ports <= 48 + 62 * n)) || device "pci-bridge,id=more$n,chassis_nr=$((n + 1)),shpc=off"
	done
	for ((n = 0; n < ports; n++)); do
		device "pci-testdev,$(bus_place $((n / 2))).$((n % 2)),multifunction=on"
	done
}

share() {
	printf -- '-fsdev\nlocal,id=%s,path=%s,security_model=none,multidevs=remap%s\n' \
		"$1" "${2//,/,,}" "$3"
	device "virtio-9p-pci,fsdev=$1,mount_tag=$1"
}

make_streams() {
	local stream
	for stream in "${streams[@]}"; do
		mkfifo "$job/$stream.in" "$job/$stream.out"
	done
}

# Numbers start at 1, as port 0 would be a console.
stream_devices() {
	local stream n=0
	device virtio-serial-pci
	for stream in "${streams[@]}"; do
		printf -- '-chardev\npipe,id=%s,path=%s\n' "$stream" "${job//,/,,}/$stream"
		device "virtserialport,chardev=$stream,name=$stream,nr=$((++n))"
	done
}

# The watchdogs are off because a loaded host would trigger them. norandmaps loads programs at the
# same addresses each time: three times as fast, as QEMU caches its translations by address.
# init_on_alloc=0 does not wipe memory before use. The HPET's frequency is known; the guest would
# measure that of the TSC, which a loaded host can falsify by any factor.
kernel_words="console=ttyS0 norandmaps init_on_alloc=0 loglevel=5 panic=-1 oops=panic mitigations=off nowatchdog no_timer_check clocksource=hpet tsc=unstable
rcupdate.rcu_cpu_stall_suppress=1 workqueue.watchdog_thresh=0"

# machine SHARED: prints QEMU's options, from $module, $ports, $cpus, $pcie, $tree, $image, $console
# and the directories $job and $out. The guest writes to its memory file $memory only if SHARED is on.
machine() {
	memory_sizes
	printf '%s\n' -accel tcg,thread=multi -cpu max,-smap -smp "$cpus" \
		-object "memory-backend-file,id=memory,size=${memory_mib}M,mem-path=${memory//,/,,},share=$1" \
		-nodefaults -no-user-config -display none -no-reboot -rtc base=utc \
		-serial "file:${console//,/,,}" -kernel "$tree/vmlinux" \
		-initrd "$image/initramfs$pcie" -append "${kernel_words//$'\n'/ }$hole"
	board
	stream_devices
	share host / ,readonly=on
	share job "$job" ,readonly=on
	share out "$out" ''
	port_devices
}

# Print commands for QEMU's monitor. They save all but the memory, which has its own file, in
# $LOSSLESSCTL_STATE.
# shellcheck disable=SC2016	# a shell of QEMU reads the variable, whatever bytes it has
freeze() {
	echo 'migrate_set_capability x-ignore-shared on'
	echo 'migrate "exec:cat >\"$LOSSLESSCTL_STATE\""'
	echo quit
}

# shellcheck disable=SC2016
thaw() {
	echo 'migrate_set_capability x-ignore-shared on'
	echo 'migrate_incoming "exec:cat \"$LOSSLESSCTL_STATE\""'
}
