# shellcheck shell=bash
# Transfers of RoCE and what the counters of both ends make of them, for connectx_roce.sh and
# connectx_congestion.sh. To be sourced after lib_traffic.sh.
# shellcheck disable=SC2154	# lib.sh sets port, other, work

few=(-F -n 5 -s 4096)
counters=/sys/class/infiniband/mlx5_%s/ports/1/hw_counters

# Reads of the RDMA counters show what they are now.
count_at_once() {
	local device
	for device in 0 1; do
		# shellcheck disable=SC2059 # a format
		echo 0 >"$(printf "$counters" $device)/lifespan"
	done
}

# shellcheck disable=SC2059 # a format
hw_counters() { (cd "$(printf "$counters" "$1")" && grep -H . ./* | sed 's|^\./||; s/:/ /; /^lifespan/d'); }

# with_counters COMMAND...: run it, and keep what the RDMA counters of both ends were before.
with_counters() {
	hw_counters 0 >"$work/near.hw"
	hw_counters 1 >"$work/far.hw"
	"$@"
}

# counted near|far NAME: print by how much the counter grew.
counted() {
	local device=0
	[ "$1" = near ] || device=1
	hw_counters $device | awk -v name="$2" 'NR == FNR { was[$1] = $2; next } $1 == name { print $2 - was[name] }' \
		"$work/$1.hw" -
}

# is_at WHAT EXPECTED N: N is as expected, or at least that much if it ends in +.
is_at() {
	if [[ $2 == *+ ]]; then
		[ "$3" -ge "${2%+}" ] || echo "$1: expected at least ${2%+}, got $3"
	else
		same "$1" "$2" "$3"
	fi
}

# grew near|far [NAME N]...: the RDMA counters grew by N, or at least by N if it ends in +. The driver of
# 6.1 lacks those of retries that were exceeded.
grew() {
	local end=$1 n
	shift
	while [ $# -gt 0 ]; do
		n=$(counted "$end" "$1")
		if [ -n "$n" ] || [[ $1 != *_retries_exceeded || $(uname -r) != 6.1.* ]]; then
			is_at "$1 of $end" "$2" "$n"
		fi
		shift 2
	done
}

# quiet near|far: nothing was lost, refused or asked twice.
quiet() {
	grew "$1" out_of_sequence 0 packet_seq_err 0 local_ack_timeout_err 0 duplicate_request 0 \
		implied_nak_seq_err 0 rnr_nak_retry_err 0 req_transport_retries_exceeded 0
}

# move CODE [OPTION]...: messages in packets of 1024 bytes at most.
move() {
	local code=$1
	shift
	with_counters transfer "$code" $near $far --tclass 106 -m 1024 "$@"
}
