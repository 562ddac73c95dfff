# shellcheck shell=bash
# Counters that grow while verify samples, for symptoms.sh and symptoms_ports.sh.

# bump COUNTER COUNT: like connectx, but without a process, as all counters must grow within the
# second that is sampled.
bump() {
	echo "${pci_of[$port]} counter $1 $2" >"$simulation/control"
}

# Set `reads` to how often this port's counters were read: MPCNT is read for ethtool -S alone.
count_reads() {
	local calls line=$'\n'
	reads=0
	mapfile -d '' calls 2>/dev/null <"$simulation/${pci_of[$port]}/calls"
	[[ ${calls-} =~ ${line}MPCNT:read\ ([0-9]+) ]] && reads=${BASH_REMATCH[1]}
}

# samples PID: the process has read the counters once, and sleeps (poll() without descriptors).
samples() {
	local call
	count_reads
	[ "$reads" -ne "$before" ] && read -r call <"/proc/$1/syscall" && [[ $call == '7 0x0 0x0 '* ]]
} 2>/dev/null

# meanwhile COMMAND... -- COMMAND...: run the second one between the two looks at the counters of the
# first, which stands still so long: a loaded machine would miss the second that it samples.
meanwhile() {
	local verify=() reads before verifying code=0
	while [ "$1" != -- ]; do
		verify+=("$1")
		shift
	done
	shift
	count_reads
	before=$reads
	"${verify[@]}" >"$work/out" 2>"$work/err" &
	verifying=$!
	until samples $verifying || ! kill -0 $verifying 2>/dev/null; do
		nap 0.02
	done
	kill -STOP $verifying 2>/dev/null
	"$@"
	kill -CONT $verifying 2>/dev/null
	wait $verifying || code=$?
	return $code
}

# counts CODE COMMAND...: run COMMAND while verify samples for a second and then exits with CODE.
counts() {
	local expected=$1 code=0
	shift
	meanwhile losslessctl --json verify --sample-for "${seconds:-1}" "${rules:-$policy}" $port -- "$@" || code=$?
	[ "$code" -eq "$expected" ] || {
		echo "exit code $code instead of $expected: $*"
		head -c 2000 "$work/out" "$work/err"
	}
}

# Print the reported symptoms, sorted, in one line. A symptom that is not judged has no status.
shown() {
	grep -oE '"symptom":"[a-z-]*","status|"symptoms_message' "$work/out" |
		sed 's/","status//; s/.*"//; s/_message//' | sort | tr '\n' ' '
}

# shows CODE NAMES COMMAND...: verify reports these symptoms and no other.
shows() {
	local code=$1 names=$2
	shift 2
	counts "$code" "$@"
	same symptoms "$names" "$(shown)"
}

silent() {
	shows 0 '' "$@"
}

both() {
	bump "$1" "$2" && bump "$3" "$4"
}

# Count a second of much RDMA traffic on priority 3, both ways.
busy() {
	local way
	for way in rx tx; do
		bump ${way}_vport_rdma_unicast_bytes 10000000000
		bump ${way}_vport_rdma_unicast_packets 2500000
		bump ${way}_prio3_bytes 10010000000
		bump ${way}_prio3_packets 2500000
	done
}

busy_and() {
	busy
	while [ $# -gt 0 ]; do
		bump "$1" "$2"
		shift 2
	done
}

# nagios CODE WORD SYMPTOMS COMMAND...
nagios() {
	local code=0
	meanwhile losslessctl verify --nagios --sample-for 1 $policy $port -- "${@:4}" || code=$?
	same code "$1" "$code"
	same lines 1 "$(wc -l <"$work/out")"
	says "LOSSLESSCTL $2 - "
	says "symptoms=$3"
}
