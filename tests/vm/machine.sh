# shellcheck shell=bash
# The simulated machine, as options of QEMU: the same for the guest that tests/vm/frozen boots and
# freezes and for those that tests/vm/run resumes from it.

streams=(in out err status go)

device() { printf -- '-device\n%s\n' "$1"; }

# memory_sizes: sets $memory_mib, and $hole: the kernel leaves the last 128 MiB to the BARs of at most 126
# adapters. A port takes 12 MiB of Debian's kernel, and 10 more with an MTU of 9000, mostly for receive
# buffers. QEMU has room for little more below 4 GiB.
memory_sizes() {
	memory_mib=2048
	((ports <= 32)) || memory_mib=3456
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
kernel_words="console=ttyS0 norandmaps init_on_alloc=0 loglevel=5 panic=-1 oops=panic mitigations=off lsm=lockdown,yama,landlock nowatchdog no_timer_check clocksource=hpet tsc=unstable
rcupdate.rcu_cpu_stall_suppress=1 workqueue.watchdog_thresh=0"

# machine SHARED: prints QEMU's options, from $ports, $cpus, $pcie, $tree, $image, $console
# and the directories $job and $out. The guest writes to its memory file $memory only if SHARED is on.
machine() {
	memory_sizes
	printf '%s\n' -accel tcg,thread=multi -cpu max,-smap,-erms -smp "$cpus" \
		-object "memory-backend-file,id=memory,size=${memory_mib}M,mem-path=${memory//,/,,},share=$1" \
		-nodefaults -no-user-config -display none -no-reboot -rtc base=utc \
		-serial "file:${console//,/,,}" -kernel "$tree/vmlinux" \
		-initrd "$image/initramfs$pcie" -append "${kernel_words//$'\n'/ }$hole"
	board
	stream_devices
	share host / ,readonly=on
	share job "$job" ,readonly=on
	share out "$out" ''
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
