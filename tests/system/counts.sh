#!/usr/bin/env bash
# vm: --ports 8
# short: 6.12
# Tests of the number of calls that verbs make: few for each further port, and one for each value of
# the driver and each fact of the host. The speed of the machine does not matter. It prints the table
# of packaging/docs/performance.md.
. tests/system/lib.sh
. tests/system/lib_agent.sh

# Limits. A system call costs a fraction of a microsecond; a read of the driver is a firmware
# command, up to two milliseconds on hardware.
declare -A calls_most=([verify]=113 [plan]=112 [show]=143) # system calls for each further port
dumps_most=1 # for each kind of object in a run, with any number of ports
few=4        # ports that remain for the second count
# Paths that a run may open twice: the command line and its sandbox both open the root directory, and
# a file that was looked at first is opened by its descriptor.
opened_again='/|/proc/self/fd/[0-9]+'
# Registers that show, verify and plan may have read for a port. ETS is eight classes, and shares and
# rates have eight more each, with one for all (mlx5e_dcbnl_ieee_getets(), ..._getmaxrate()). PFCC has
# PFC, the storm timeout, and pause, which counts as off only when it was read twice; the names of
# ethtool's counters depend on both, and are counted, listed and read (mlx5e_query_pfc_combined()).
# FEC is read once for each kind (get_fecparam); a question for the speed asks for it, too.
declare -A reads_most=([QTCT:read]=8 [QETCR:read]=17 [PFCC:read]=7 [PTYS:read]=2 [PPLM:read]=6
	[PBMC:read]=1 [PPTB:read]=1)
# Firmware commands of a port's driver that each verb may cost: those that read counters, the others,
# and the verb. For each link in an answer of rtnetlink, mlx5 reads three kinds of counters, soon
# after, and once for answers that follow each other closely (mlx5e_get_stats()). A link that flaps is
# looked at every 20 ms. What depends on the speed of the machine so has twice as much.
costs_most=(
	"show 16 64 show $port"
	"verify 16 64 verify $policy $port"
	"plan 16 64 plan $policy $port"
	"again 16 64 apply $policy $port"
	"draft 16 64 draft $port"
	"env 16 64 env $policy $port"
	"ready 60 31 ready $port"
	"doctor 180 140 doctor --listen-for 1 --sample-for 1 $policy $port"
	"bundle 200 212 bundle --listen-for 1 --sample-for 1 $port"
	"rollback 400 800 rollback --allow-disruption $port"
	"change 130 106 plan $policy $port"
	"apply 400 800 apply --allow-disruption $policy $port"
)
counters='^(QUERY_VPORT_COUNTER|QUERY_Q_COUNTER|PPCNT:read)$'

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

# Print the commands of the port's driver so far, once it sends no more: "NAME COUNT".
commands_so_far() {
	local before=
	until connectx $port calls >"$work/calls" && [ "$before" = "$(cat "$work/calls")" ]; do
		before=$(cat "$work/calls")
		sleep 0.02
	done
	grep -v '^ACCESS_REG ' "$work/calls"
}

# since FILE: print the commands that came since those of this file.
since() {
	commands_so_far | awk 'NR == FNR { before[$1] = $2; next }
		$2 > before[$1] { print $1, $2 - before[$1] }' "$1" -
}

# file_of VERB: print the file with its commands.
file_of() { echo "$work/commands.$1"; }

# count_commands VERB COMMAND...: exit codes up to 3 are what a verb finds.
count_commands() {
	local verb=$1 code=0
	shift
	commands_so_far >"$work/before"
	losslessctl "$@" >"$work/out" 2>"$work/err" || code=$?
	[[ $code == [023] ]] || { echo "exit code $code: losslessctl $*" && head -n 5 "$work/err"; }
	since "$work/before" >"$(file_of "$verb")"
}

# A sample of watch is one of the agent, too: the commands of two, less those of one.
count_sample() {
	count_commands one watch --count 1 $port
	count_commands two watch --count 2 $port
	awk 'NR == FNR { one[$1] = $2; next } $2 > one[$1] { print $1, $2 - one[$1] }' \
		"$(file_of one)" "$(file_of two)" >"$(file_of sample)"
}

has_checked() { [ "$(since "$work/before" | sed -n 's/^PBMC:read //p')" -ge 2 ]; }

# The agent's checks have pauses of 2 s, and each reads the buffers once.
count_check() {
	start_agent --verify-interval 2 --sample-interval 3600
	commands_so_far >"$work/before"
	quickly has_checked
	since "$work/before" | awk '{ n[$1] = $2 }
		END { for (name in n) print name, int((n[name] + n["PBMC:read"] - 1) / n["PBMC:read"]) }' \
		>"$(file_of check)"
	stop_agent 0
}

count_all() {
	local row verb words
	cat "$policy" >"$work/policy.json"
	count_sample
	count_check
	for row in "${costs_most[@]}"; do
		read -ra words <<<"$row"
		count_commands "${words[0]}" "${words[@]:3}"
	done
}

# costs_at_most VERB COUNTERS OTHERS
costs_at_most() {
	awk -v counters="$counters" -v verb="$1" -v most="$2" -v most_others="$3" '
		$1 ~ counters { n += $2; next }
		{ others += $2 }
		END {
			if (n > most) print verb ": " n " commands read counters, at most " most
			if (others > most_others)
				print verb ": " others " other commands, at most " most_others
			if (!others) print verb ": no command was counted"
		}' "$(file_of "$1")"
}

each_verb_costs_little() {
	local row verb most most_others
	costs_at_most sample 38 20
	costs_at_most check 20 71
	for row in "${costs_most[@]}"; do
		read -r verb most most_others _ <<<"$row"
		costs_at_most "$verb" "$most" "$most_others"
	done
}

# Each file of cc_params is one command.
the_driver_reads_each_value_once() {
	local verb name count
	reads_most[QUERY_CONG_PARAMS]=$(find "/sys/kernel/debug/mlx5/${pci_of[$port]}/cc_params" -type f | wc -l)
	for verb in "${!words[@]}"; do
		while read -r name count; do
			[ -z "${reads_most[$name]-}" ] || [ "$count" -le "${reads_most[$name]}" ] ||
				echo "$verb: $count times $name, at most ${reads_most[$name]}"
		done <"$(file_of "$verb")"
	done
}

# Print a column for each verb, but one for all that send the same.
print_table() {
	local row verbs=(sample check)
	for row in "${costs_most[@]}"; do
		verbs+=("${row%% *}")
	done
	for row in "${verbs[@]}"; do
		sort "$(file_of "$row")" | sed "s/^/$row /"
	done | awk '
		{ n[$1, $2] = $3; all[$1] += $3; names[$2]; all_of[$1] = all_of[$1] $0 }
		!($1 in known) { known[$1]; order[++verbs] = $1 }
		END {
			for (i = 1; i <= verbs; i++) {
				v = order[i]
				key = all_of[v]
				gsub(v " ", "", key)
				if (key in first) same[first[key]] = same[first[key]] " " v
				else { first[key] = v; column[++columns] = v }
			}
			for (i = 1; i <= columns; i++)
				if (column[i] in same) print "# " column[i] ":" same[column[i]] " send the same"
			line = sprintf("# %-28s", "")
			for (i = 1; i <= columns; i++) line = line sprintf("%10s", column[i])
			print line
			for (name in names) {
				line = sprintf("# %-28s", name)
				for (i = 1; i <= columns; i++) line = line sprintf("%10s", n[column[i], name])
				print line | "sort"
			}
			close("sort")
			line = sprintf("# %-28s", "all")
			for (i = 1; i <= columns; i++) line = line sprintf("%10s", all[column[i]])
			print line
		}'
}

trace_all >"$work/traced"
it 'every verb could be traced' cat "$work/traced"
it 'a further port costs few system calls' each_further_port_costs_little
it 'verify, plan and show open no file twice' no_file_is_opened_twice
it 'links and RDMA devices are listed once, however many ports there are' lists_are_asked_for_once
count_all >"$work/counted"
it 'the commands of every verb could be counted' cat "$work/counted"
it 'no verb makes the driver send more firmware commands than its bar' each_verb_costs_little
it 'the driver reads each value once' the_driver_reads_each_value_once
for verb in verify plan show; do
	echo "# $verb: $(further $verb) system calls for each further port"
done
print_table
tap_end
