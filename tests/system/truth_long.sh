#!/usr/bin/env bash
# The whole table of faults: every operation and stage that an apply calls, each with several
# errnos, once and for good, at its first calls and later ones, on three ways from setup to setup.
# The report agrees with other tools. To repeat one cell:
#   LOSSLESSCTL_TEST_CELL='first second ieee_setets EIO 0 2' tests/vm/run -- tests/system/truth_long.sh
. tests/system/lib_truth.sh

every='EIO EINVAL EOPNOTSUPP ENODEV ENOMEM EPERM EBUSY'
declare -A errnos=([first second]=$every [first none]=EIO [new first]=EIO)

# Print "OPERATION CALLS", one a line, for an apply without faults from one setup to another.
operations() {
	local before
	bring_to "$from" >&2
	before=$(cat "$device/calls")
	losslessctl -q apply "$work/$to.json" $port >"$work/out" 2>&1 || cat "$work/out" >&2
	awk 'NR == FNR { before[$1] = $2; next } $2 > before[$1] { print $1, $2 - before[$1] }' \
		<(echo "$before") "$device/calls"
	bring_to "$from" >&2
}

# Print the calls to fail at: the first, some of the next, the middle and the last.
moments() {
	printf '%s\n' 0 1 2 4 $(($1 / 2)) $(($1 - 1)) | sort -nu | awk -v n="$1" '$1 < n'
}

# cells OPERATION CALLS: print the faults, one a line: ERRNO COUNT SKIP.
cells() {
	local errno skip count
	for errno in ${errnos[$way]}; do
		for count in 1 0; do
			echo "$errno $count 0"
		done
	done
	for skip in $(moments "$2"); do
		for count in 1 0; do
			[ "$skip" = 0 ] || echo "EIO $count $skip"
		done
	done
}

one_operation() {
	local errno count skip
	bring_to "$from"
	while read -r errno count skip; do
		fails "$1" "$errno" "$count" "$skip"
	done < <(cells "$1" "$2")
}

write_policies
if [ -n "${LOSSLESSCTL_TEST_CELL-}" ]; then
	read -r from to cell <<<"$LOSSLESSCTL_TEST_CELL"
	bring_to "$from"
	# shellcheck disable=SC2086
	it "from $from to $to, $cell: the report is what others see" fails $cell
	tap_end
	exit
fi
for way in 'first second' 'first none' 'new first'; do
	read -r from to <<<"$way"
	operations >"$work/operations"
	while read -r operation calls <&3; do
		# These two operations only count, or name the driver.
		[[ $operation != getdcbx && $operation != stop ]] || continue
		it "from $from to $to, $operation fails: the report is what others see" \
			one_operation "$operation" "$calls"
	done 3<"$work/operations"
done
tap_end
