#!/usr/bin/env bash
# The whole table of faults: every register and parameter that an apply writes and reads, each with
# several statuses, once and for good, at its first accesses and later ones, on three ways from setup
# to setup. The report agrees with other tools. To repeat one cell:
#   LOSSLESSCTL_TEST_CELL='first second QTCT internal_err 0 2' \
#   tests/vm/run -- tests/system/truth_long.sh
. tests/system/lib_truth.sh

# The driver makes of these EIO, EINVAL, EOPNOTSUPP, ENOMEM and EBUSY.
every='internal_err bad_param bad_op no_res res_busy'
declare -A statuses=([first second]=$every [first none]=internal_err [new first]=internal_err)

# Print "NAME CALLS", one a line, for an apply without faults from one setup to another. Other
# registers belong to counters and to the cable's module.
operations() {
	local before
	bring_to "$from" >&2
	before=$(connectx $port calls)
	losslessctl -q apply "$work/$to.json" $port >"$work/out" 2>&1 || cat "$work/out" >&2
	awk 'NR == FNR { before[$1] = $2; next } $2 <= before[$1] { next }
		/^(PFCC|QTCT|QETCR|QPTS|QPDPM|PMTU|PBMC|PPTB|DCBX_PARAM):|_CONG_PARAMS/ {
			name = $1
			sub(/:write$/, "", name)
			print name, $2 - before[$1]
		}' <(echo "$before") <(connectx $port calls)
	bring_to "$from" >&2
}

# Print the calls to fail at: the first, some of the next, the middle and the last.
moments() {
	printf '%s\n' 0 1 2 4 $(($1 / 2)) $(($1 - 1)) | sort -nu | awk -v n="$1" '$1 < n'
}

# cells NAME CALLS: print the faults, one a line: STATUS COUNT SKIP.
cells() {
	local status skip count
	for status in ${statuses[$way]}; do
		for count in 1 0; do
			echo "$status $count 0"
		done
	done
	for skip in $(moments "$2"); do
		for count in 1 0; do
			[ "$skip" = 0 ] || echo "internal_err $count $skip"
		done
	done
}

# Leave to the other kernel every second pair, once and for good, but an error of the device at the
# first access.
of_this_kernel() {
	awk -v left="$([[ $(uname -r) == 6.1.* ]]; echo $?)" \
		'/^internal_err [01] 0$/ || int(n++ / 2) % 2 == left'
}

one_operation() {
	local status count skip
	bring_to "$from"
	while read -r status count skip; do
		fails "$1" "$status" "$count" "$skip"
	done < <(cells "$1" "$2" | of_this_kernel)
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
		# Trust stays DSCP when it fails after the last entry: no interface reads that.
		[[ "$way $operation" != 'first none QPTS' ]] || continue
		it "from $from to $to, $operation fails: the report is what others see" \
			one_operation "$operation" "$calls"
	done 3<"$work/operations"
done
tap_end
