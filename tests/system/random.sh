#!/usr/bin/env bash
# short: 6.12
# Random setups, each applied from the one before: other programs read the policy's values, verify
# is clean, a second apply writes nothing, and rollback restores every byte. Each kernel gets its
# own seeds. To repeat one, from the policy before it:
#   LOSSLESSCTL_TEST_SEEDS='41 42' tests/vm/run --kernel 6.12 -- tests/system/random.sh
. tests/system/lib.sh

pci=$(basename "$(readlink "/sys/class/net/$port/device")")
batch=10
seeds=3
! is_long || seeds=200
first=1
debugfs='debugfs-6.1'
[[ $(uname -r) == 6.1.* ]] || first=$((seeds + 1)) debugfs=debugfs
last=$((first + seeds - 1))
[ -z "${LOSSLESSCTL_TEST_SEEDS-}" ] || read -r first last <<<"$LOSSLESSCTL_TEST_SEEDS"

# Set `writes` to the driver's writes of registers and parameters, without starting a process.
count_writes() {
	local name count
	writes=
	while read -r name count; do
		[[ $name != *:write && $name != MODIFY_CONG_* ]] || writes+="$name $count "
	done <"/proc/connectx/$pci/calls"
}

# Print all that can be rolled back: lib.sh's `hardware`, and the lines that it omits because other
# tests cannot roll them back.
all_bytes() {
	hardware $port
	connectx $port state | grep -E '^(buffer_size|cc\.|ecn_)'
	sed 's/ [0-7]:0\b//g' /proc/net/vlan/v[79] # a priority that had another PCP keeps an entry
	cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class 2>/dev/null
}

# Ask only for objects that will be compared: processes are slow in the guest.
ask_dcb() {
	local object
	declare -A key=([pfc]=pfc [ets]=ets [buffer]=buffer [maxrate]=maxrate [app]=trust [dcbx]=dcbx)
	for object in "${!key[@]}"; do
		[[ $1 != *"\"${key[$object]}\":"* ]] ||
			command dcb -N -j "$object" show dev $port >"$work/others/$object"
	done
}

others_agree_with() {
	"$tools/port_agrees" $port "$work/others" "$back_end" <"$1"
}

# holds: other programs and verify read the policy's values, and a second apply writes nothing.
holds() {
	local before
	expect 0 losslessctl -q apply "$work/policy.json"
	ask_dcb "$policy"
	others_agree_with "$work/policy.json"
	expect 0 losslessctl -q verify "$work/policy.json"
	count_writes
	before=$writes
	expect 0 losslessctl -q apply "$work/policy.json"
	count_writes
	same 'driver calls of a second apply' "$before" "$writes"
}

# The output of show agrees with other programs, and is a policy that is in sync.
shown_is_so() {
	losslessctl --json show $port >"$work/shown.json"
	ask_dcb "$(<"$work/shown.json")"
	others_agree_with "$work/shown.json"
	expect 0 losslessctl verify "$work/shown.json" $port
	expect 0 losslessctl -q verify "$work/policy.json" --state "$work/shown.json"
	expect 0 losslessctl apply "$work/shown.json" $port
}

# The classes that a draft finds, and the settings it keeps, describe the whole port.
drafted_is_so() {
	losslessctl draft $port >"$work/drafted.json" || echo 'no draft'
	expect 0 losslessctl -q verify "$work/drafted.json" $port
}

goes_back() {
	local before
	before=$(all_bytes)
	expect 0 losslessctl -q apply "$work/policy.json"
	expect 0 losslessctl -q rollback
	same 'after rollback' "$before" "$(all_bytes)"
}

# use "$debugfs"|ofed: select the files that DCQCN is set through.
use() {
	back_end=$1
	if [ "$1" = ofed ]; then
		connectx $port ofed on
		mountpoint -q /sys/kernel/debug/mlx5 || mount -t tmpfs none /sys/kernel/debug/mlx5
	else
		connectx $port ofed off
		! mountpoint -q /sys/kernel/debug/mlx5 || umount /sys/kernel/debug/mlx5
	fi
}

# tell SAID: print the errors on the way from one policy to the next.
tell() {
	echo "seed $seed, through $back_end:"
	printf '%s\n' "$1" | cut -c1-1500
	echo "the policy before: $previous"
	echo "the policy: $policy"
}

# setups FROM TO BACK_END: apply the setups of these seeds. The last one is rolled back first.
setups() {
	local policies policy said seed=$1
	use "$3"
	mapfile -t policies < <("$tools/random_policy" $port "$1" "$2" "$3" v7 v9)
	same 'policies drawn' $(($2 - $1 + 1)) ${#policies[@]}
	for policy in "${policies[@]}"; do
		printf '%s\n' "$policy" >"$work/policy.json"
		said=$({
			[ "$seed" -lt "$2" ] || goes_back
			holds
			drafted_is_so
			[ "$seed" -lt "$2" ] || shown_is_so
		} 2>&1)
		[ -z "$said" ] || tell "$said"
		previous=$policy
		seed=$((seed + 1))
	done
	echo "$previous" >"$work/previous"
}

# Each `it` is its own process, so a file keeps the last policy.
from_the_last() {
	previous=$(cat "$work/previous")
	setups "$@"
}

mkdir -p "$work/others" /sys/kernel/config/rdma_cm/mlx5_0
for name in v7 v9; do
	ip link add link $port name $name mtu 1280 type vlan id ${name#v} # below that of any policy
done
echo 'as it comes' >"$work/previous"
dcb dcbx set dev $port host ieee # losslessctl does not write to a firmware-managed port
# Buffers that were never written are the firmware's, and could not be rolled back.
"$tools/random_policy" $port 0 0 $debugfs >"$work/policy.json"
losslessctl -q apply "$work/policy.json"

back_end=$debugfs
for ((seed = first; seed <= last; seed += batch)); do
	end=$((seed + batch - 1 < last ? seed + batch - 1 : last))
	it "random setups $seed to $end, through $back_end" from_the_last $seed $end $back_end
	[ $back_end = $debugfs ] && back_end=ofed || back_end=$debugfs
done
# The ports are full, and all lossless buffers must move.
if [ -z "${LOSSLESSCTL_TEST_SEEDS-}" ]; then
	in_long it 'a setup that once had no way, under global pause' from_the_last 855 856 ofed
	in_long it 'a setup that once had no way, with a larger MTU' from_the_last 1147 1148 $debugfs
fi
tap_end
