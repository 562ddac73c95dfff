#!/usr/bin/env bash
# vm: --ports 16
# short: 6.12
# Tests of the number of calls that verify, plan and show make: few for each further port, and one
# for each value of the driver and each fact of the host. The speed of the machine does not matter.
. tests/system/lib.sh

# Limits. A system call costs a fraction of a microsecond; a read of the driver is a firmware
# command, up to two milliseconds on hardware.
declare -A calls_most=([verify]=115 [plan]=115 [show]=150) # system calls for each further port
dumps_most=1 # for each kind of object in a run, with any number of ports
few=4        # ports that remain for the second count
# Paths that a run may open twice: the command line and its sandbox both open the root directory, and
# a file that was looked at first is opened by its descriptor.
opened_again='/|/proc/self/fd/[0-9]+'
# Commands of the driver that one run makes it send for a port. ETS is eight classes, and shares and
# rates have eight more each, with one for all (mlx5e_dcbnl_ieee_getets(), ..._getmaxrate()). PFCC has
# PFC, the storm timeout, and pause, which counts as off only when it was read twice; the names of
# ethtool's counters depend on both, and are counted, listed and read (mlx5e_query_pfc_combined()).
# The speed chooses the rule and is verified later. FEC is read once for each kind (get_fecparam).
declare -A reads_most=([QTCT:read]=8 [QETCR:read]=17 [PFCC:read]=8 [PTYS:read]=3 [PPLM:read]=11
	[PBMC:read]=1 [PPTB:read]=1)

declare -A words=([verify]="verify --json $policy" [plan]="plan --json $policy" [show]="show --json")
mapfile -t all < <(printf '%s\n' "${!pci_of[@]}" | sort -V)

# trace_of VERB COUNT: print the file with VERB's system calls for COUNT ports.
trace_of() { echo "$work/$1.$2"; }

# Trace each verb with all ports, then with a few.
trace_all() {
	local each
	expect 0 losslessctl -q apply --allow-disruption "$policy"
	trace_verbs ${#all[@]}
	for each in "${all[@]:few}"; do
		connectx "$each" unplug
	done
	trace_verbs $few
}

trace_verbs() {
	local verb
	for verb in "${!words[@]}"; do
		# shellcheck disable=SC2086 # the words of a command
		expect 0 strace -f -s 64 -o "$(trace_of "$verb" "$1")" losslessctl ${words[$verb]}
	done
}

# Print the system calls of a trace, but those for the names of processes: each port's driver has
# kernel threads of its own, and the name of each process on the host is opened, read and closed.
calls_in() {
	awk '/^[0-9]+ +[a-z_0-9]+\(/ { n++ }
		/openat\([^"]*"proc\/[0-9]+\/comm"/ { n -= / = -1 / ? 1 : 3 }
		END { print n }' "$1"
}

# further VERB: print its system calls for each further port, rounded up.
further() {
	local more=$((${#all[@]} - few))
	echo $((($(calls_in "$(trace_of "$1" ${#all[@]})") - $(calls_in "$(trace_of "$1" $few)") + more - 1) / more))
}

each_further_port_costs_little() {
	local verb count
	for verb in "${!words[@]}"; do
		count=$(further "$verb")
		[ "$count" -gt 0 ] || echo "$verb: $count system calls for each further port"
		[ "$count" -le "${calls_most[$verb]}" ] ||
			echo "$verb: $count system calls for each further port, at most ${calls_most[$verb]}"
	done
}

no_file_is_opened_twice() {
	local verb trace
	for verb in "${!words[@]}"; do
		trace=$(trace_of "$verb" ${#all[@]})
		grep -q 'cc_params/np_cnp_dscp' "$trace" || echo "$verb: the trace shows no file of a port"
		grep -oE 'openat\([^"]*"[^"]*"' "$trace" | cut -d '"' -f 2 | grep -vxE "$opened_again" | sort |
			uniq -c | awk -v verb="$verb" '$1 > 1 { print verb " opens " $2 " " $1 " times" }' | head -n 20
	done
}

# dumps VERB COUNT MESSAGE: print how often VERB dumps all objects of this kind.
dumps() { grep -E 'send(to|msg)\(' "$(trace_of "$1" "$2")" | grep -cE "nlmsg_type=$3[^{]*(NLM_F_DUMP|0x300)"; }

# Message 0x1401 dumps RDMA devices.
lists_are_asked_for_once() {
	local verb count
	for verb in "${!words[@]}"; do
		for count in $few ${#all[@]}; do
			most_dumps "$verb" "$count" RTM_GETLINK
			most_dumps "$verb" "$count" 0x1401
		done
	done
}

most_dumps() {
	local n
	n=$(dumps "$@")
	[ "$n" -gt 0 ] || echo "$1 with $2 ports: the trace shows no dump of $3"
	[ "$n" -le $dumps_most ] || echo "$1 with $2 ports dumps $3 $n times, at most $dumps_most"
}

# reads_of_the_driver VERB: print what the driver of a remaining port sends for one run.
reads_of_the_driver() {
	connectx $port calls >"$work/before"
	# shellcheck disable=SC2086 # the words of a command
	expect 0 losslessctl ${words[$1]}
	connectx $port calls | awk 'NR == FNR { before[$1] = $2; next } { print $1, $2 - before[$1] }' \
		"$work/before" -
}

# Each file of cc_params is one command.
the_driver_reads_each_value_once() {
	local verb name count seen
	reads_most[QUERY_CONG_PARAMS]=$(find "/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params" -type f | wc -l)
	for verb in "${!words[@]}"; do
		seen=0
		reads_of_the_driver "$verb" >"$work/reads"
		while read -r name count; do
			[ -n "${reads_most[$name]-}" ] || continue
			seen=$((seen + count))
			[ "$count" -le "${reads_most[$name]}" ] ||
				echo "$verb: $count times $name, at most ${reads_most[$name]}"
		done <"$work/reads"
		[ $seen -gt 0 ] || echo "$verb: no read of the driver was counted"
	done
}

trace_all >"$work/traced"
it 'every verb could be traced' cat "$work/traced"
it 'a further port costs few system calls' each_further_port_costs_little
it 'verify, plan and show open no file twice' no_file_is_opened_twice
it 'links and RDMA devices are listed once, however many ports there are' lists_are_asked_for_once
it 'the driver reads each value once' the_driver_reads_each_value_once
for verb in verify plan show; do
	echo "# $verb: $(further $verb) system calls for each further port"
done
tap_end
