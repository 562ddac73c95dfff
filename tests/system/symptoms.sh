#!/usr/bin/env bash
# short: 6.1
# waits
# Counters of ports while verify samples: the table `scenes` has what raises each symptom and what does
# not; an idle host and a healthy busy one show none.
. tests/system/lib.sh
. tests/system/lib_traffic.sh
. tests/system/lib_symptoms.sh
. tests/system/lib_scenes.sh

manual=packaging/docs/troubleshooting.md

# prepare PROGRAM OPTION...: start perftest from $port to $other. The client waits for the server, which
# stands still: it listens, and answers once `send` or `begin` lets it go on.
prepare() {
	perftest=("$1" -F -m 1024 "${@:2}")
	"${perftest[@]}" -d "${rdma[$other]}" -x "${gid[$other]}" >"$work/server" 2>&1 &
	server=$!
	until tcp_has ' 00000000:4853 00000000:0000 0A ' || [ ! -e /proc/$server ]; do nap 0.05; done
	kill -STOP $server
	"${perftest[@]}" -d "${rdma[$port]}" -x "${gid[$port]}" 127.0.0.1 >"$work/client" 2>&1 &
	client=$!
	until tcp_has ':4853 01 ' || [ ! -e /proc/$client ]; do nap 0.05; done
}

tcp_has() {
	local lines
	mapfile -t lines </proc/net/tcp
	[[ "${lines[*]}" == *"$1"* ]]
}

# More messages than are taken while verify looks, which the adapter gets at once.
# shellcheck disable=SC2034 # for tests/system/scenes
plenty='-n 500 -l 500 -t 500 -s 65536 --tclass 106 --qp-timeout 21'

# await COMMAND...: wait until it succeeds, a minute and a half at most.
await() {
	local tries
	for ((tries = 0; tries < 1800; tries++)); do
		"$@" && return
		nap 0.05
	done
	echo "this never happened: $*"
}

# counter NAME: print that of $port, or of its RDMA device.
counter() { ethtool -S $port | sed -n "s/^ *$1: //p"; }
rdma_counter() { echo "$(<"/sys/class/infiniband/${rdma[$port]}/ports/1/hw_counters/$1")"; }
rises() { [ "$("$1" "$2")" -gt "$3" ]; }

# send: let the messages go that are prepared, or the programs go on that `begin` stopped.
send() {
	kill -CONT $server $client
	ends $client || cat "$work/client"
	ends $server || cat "$work/server"
}

# ends PROCESS: wait for it, as long at most.
ends() {
	await gone "$1"
	kill -KILL "$1" 2>/dev/null
	wait "$1"
}
gone() { [ ! -e "/proc/$1" ]; }

# begin [COUNTER]: let the messages go until this counter of $port rises, by default that of its pause.
# The programs then stand still, as their polling takes the processor.
begin() {
	local name=${1:-rx_prio3_pause_duration} before
	before=$(counter "$name")
	paused=$before
	began=${EPOCHREALTIME/[.,]/}
	kill -CONT $server
	await rises counter "$name" "$before"
	kill -STOP $client $server || cat "$work/client"
}

# stop: end the programs, and what slows the ports down.
stop() {
	local each
	kill -KILL $client $server
	wait $client $server 2>/dev/null
	for each in $port $other; do
		echo "${pci_of[$each]} slow off" >"$simulation/control"
	done
}

# storm_ends: messages come to this port until its watchdog ends the pause of priority 0.
storm_ends() {
	local before
	before=$(counter tx_pause_storm_error_events)
	at_other 'begin rx_prio0_pause_duration'
	await rises counter tx_pause_storm_error_events "$before"
}

# calm PERCENT: wait until $port has been paused for no more than this share of the time since `begin`.
calm() {
	local us
	while us=$((100 * ($(counter rx_prio3_pause_duration) - paused) / $1 + began - ${EPOCHREALTIME/[.,]/})) &&
		[ $us -gt 0 ]; do
		nap $((us / 1000000)).$((us % 1000000 / 100000))5
	done
}

# mark_one: the switch marks a packet that leaves, and a CNP answers.
mark_one() {
	local before
	before=$(rdma_counter rp_cnp_handled)
	connectx $port mark 1 1
	await rises rdma_counter rp_cnp_handled "$before"
}

# datagrams: some of UDP, which nobody takes, come to this port.
datagrams() {
	local i
	for i in 1 2 3 4; do echo "$i" >"/dev/udp/$near/9"; done
}

# dcqcn rp|np on|off: the reaction point or the notification point of the priority of RDMA.
dcqcn() {
	local value=1
	[ "$2" = on ] || value=0
	connectx $port ofed on
	echo $value >"/sys/class/net/$port/ecn/roce_$1/enable/3"
	[ "$2" = off ] || connectx $port ofed off
}

# forget COUNTER: set it to 0.
forget() {
	bump "$1" "-$(ethtool -S $port | sed -n "s/^ *$1: //p")"
}

# lossless_priority PRIO: PFC is on for it alone, as the policy says.
lossless_priority() {
	local each
	make_policy '{"mtu":9000,"pfc":{"priorities":['"$1"']}}'
	rules=$work/policy.json
	for each in $port $other; do
		poke_pfc $each $((1 << $1))
	done
	wait_carrier
}

pause_globally() {
	local each
	make_policy '{"mtu":9000}'
	rules=$work/policy.json
	for each in $port $other; do
		poke_pfc $each 0
		ethtool -A $each rx on tx on
	done
	wait_carrier
}

pull_cable() {
	local change
	for change in down=0 up=1; do
		echo "${pci_of[$port]} link ${change%=*}" >"$simulation/control"
		carrier_becomes ${change#*=} $port
	done
}

flaps() { pull_cable && pull_cable && pull_cable; }

# at_other COMMANDS: run them as if the other port were this one.
at_other() {
	local this=$port
	local port=$other other=$this
	eval "$1"
}

happen() {
	eval "${row[meanwhile]-}"
	at_other "${row[beside_meanwhile]-}"
}

# read_report PORT: of what verify has printed, set `raised` to the symptoms of the port, `texts` to the
# text of each, and `severe` to the exit code that they stand for. Without processes: it is read often.
read_report() {
	local lines line here='' name=''
	raised='' severe=0
	texts=()
	mapfile -t lines <"$work/out"
	for line in "${lines[@]}"; do
		case $line in
		[!\ ]*)
			[[ $line == "$1 "* ]] && here=1 || here=''
			name=''
			;;
		'  '[a-z]*)
			read -r _ name _ <<<"$line"
			[ -n "$here" ] && [ -n "${known[$name]-}" ] || name=''
			raised+=${name:+${raised:+ }$name}
			[[ $line != '  symptom '* ]] || severe=2
			;;
		esac
		texts[${name:-none}]+="$line "
	done
}

# in_words TEXT: set `words` to it without its numbers, however its lines are wrapped.
in_words() {
	read -rd '' -a words <<<"$1"
	words="${words[*]}"
	words=${words//[0-9]/N}
	while [[ $words == *NN* ]]; do words=${words//NN/N}; done
}

# read_manual: set `documented` to the block of each symptom in the manual, and `known`.
read_manual() {
	local line name='' within=''
	for name in $(grep '^[a-z]' tests/system/scenes); do known[$name]=1; done
	while IFS= read -r line; do
		case $line in
		'#'*) name=${line##*# } ;;
		'```'*) [ -n "$within" ] && within='' || within=1 ;;
		*) [ -z "$within" ] || documented[$name]+="$line " ;;
		esac
	done <$manual
}

# play: verify judges the scene in `row`.
play() {
	local judged=("$port") rules=$policy code=0 raises=${row[raises]-} raised severe words
	local -A texts
	[ "${row[kind]}" = neighbour ] || raises=${raises:-${row[name]}}
	[ -z "${row[beside]-}" ] || judged+=("$other")
	eval "${row[before]-}"
	meanwhile losslessctl verify --sample-for "${row[for]:-1}" "$rules" "${judged[@]}" -- happen || code=$?
	read_report $port
	same "symptoms of $port" "$raises" "$raised"
	same 'exit code' "${row[exits]:-$severe}" $code
	[ -z "${row[prints]-}" ] || says "${row[prints]}"
	[ -z "${row[documented]-}" ] || is_documented "${row[name]}"
	grep ' $' "$work/out" && echo 'has blanks at its end'
	[ ! -s "$work/err" ] || cat "$work/err"
	eval "${row[after]-}"
}

is_documented() {
	in_words "${documented[$1]-}"
	local wanted=$words
	in_words "${texts[$1]-}"
	same "$manual" "$wanted" "$words"
}

# The first scene of a symptom is the documented one. Neighbours that may stand beside each other wait.
try() {
	local sentence="no ${row[name]}: ${row[words]}"
	[ -z "${row[tier]-}" ] || is_long || return 0
	case ${row[kind]}${row[before]+-}${row[raises]+-}${row[exits]+-} in
	neighbour)
		waiting+=("$sentence")
		together+=${row[meanwhile]}$'\n'
		return
		;;
	scene*)
		[ "${row[name]}" = "$last_name" ] || row[documented]=1
		last_name=${row[name]}
		sentence=${sentence#no }
		;;
	esac
	it "$sentence" play
	[ -z "${row[beside]-}" ] || it "no ${row[name]}: ${row[beside]}" raises $other "${row[beside_raises]-}"
}
last_name='' together='' waiting=()

# raises PORT SYMPTOMS: the last report has these of the port.
raises() {
	local raised severe
	local -A texts
	read_report "$1"
	same "symptoms of $1" "$2" "$raised"
}

try_together() {
	local sentence
	local -A row=([kind]=neighbour [meanwhile]=$together)
	it 'what looks like a symptom and is none' play
	for sentence in "${waiting[@]}"; do
		it "$sentence" raises $port ''
	done
}

counters_start_again() {
	connectx $port storm suffered 3 100
	counts 3 forget tx_prio3_bytes
	same symptoms '' "$(shown | grep -o deadlock)"
	connectx $port storm suffered 3 off
}

a_short_storm() {
	connectx $port storm suffered 3 20
	sed 's/"version": 1,/&"thresholds": {"pause_received_percent": 10},/' $policy >"$work/strict.json"
	rules=$work/strict.json shows 2 'pause-storm-received ' true
	connectx $port storm suffered 3 off
}

# forget_counters NAME...: set these RDMA counters to 0, as if the driver had just been loaded.
forget_counters() {
	local name
	for name; do
		bump "$name" -"$(<"/sys/class/infiniband/mlx5_0/ports/1/hw_counters/$name")"
	done
}

# Another algorithm may run, such as ZTR-RTT. CNPs of a slow restart are handled, and nobody sent them.
no_cnp_ever() {
	forget_counters np_cnp_sent rp_cnp_handled np_ecn_marked_roce_packets roce_slow_restart_cnps
	bump roce_slow_restart_cnps 144
	bump rp_cnp_handled 144
	silent busy_and rx_prio3_pause 500
	says '"symptoms_not_judged":[{"symptom":"pause-without-cnp","message":"'
	says 'no CNP since the driver was loaded'
	meanwhile losslessctl verify --sample-for 1 $policy $port -- busy_and rx_prio3_pause 500
	says '  not judged  pause-without-cnp'
	nagios 0 OK 0 busy_and rx_prio3_pause 500
}

# points_to ORIGIN SYMPTOM: the last report of verify in JSON says so.
points_to() {
	same 'where to look' "$1" "$(jq -r --arg symptom "$2" '.ports[].symptoms[] |
		select(.symptom == $symptom).origin' "$work/out")"
}

own_cable_first() {
	shows 0 'rdma-out-of-order rx-link-errors ' busy_and packet_seq_err 500 rx_crc_errors_phy 9
	says 'and rx_crc_errors_phy of this port rose by 9'
	points_to cable rdma-out-of-order
}

# Each side counts what the host that lacks buffers refuses.
where_buffers_lack() {
	counts 0 bump out_of_buffer 2000
	points_to host receiver-not-ready
	counts 0 bump rnr_nak_retry_err 2000
	points_to remote_host receiver-not-ready
}

# Pause for 30 % of the time is below every threshold.
rates_below_every_threshold() {
	connectx $port storm suffered 3 30
	silent bump rp_cnp_handled 40
	jq -e '.ports[].rates | .pause_received_percent > 20 and .pause_received_percent < 45 and
		.pause_received_priority == 3 and .pause_sent_percent == 0 and .pause_sent_priority == null and
		.cnp_handled_per_s > 5 and .link_errors_per_s == 0 and .drops_per_s == 0' "$work/out" >/dev/null ||
		jq -c '.ports[].rates' "$work/out"
	meanwhile losslessctl verify --sample-for 1 $policy $port -- true
	says 'rates over 1 s:'
	grep -qE "^  $port +0 % +[234][0-9] % \(p3\) +0 +0 +0 +0 +0$" "$work/out" || cat "$work/out"
	nagios 0 OK 0 true
	grep -qE ' pause_sent=0\.0% pause_received=[234][0-9]\.[0-9]% drops_per_s=0\.0 link_errors_per_s=0\.0$' \
		"$work/out" || cat "$work/out"
	connectx $port storm suffered 3 off
}

# Every counter that explain lists can be bumped. The adapter names its FEC blocks after a mode. The
# drivers have no statistics of pause storms, and no pci_bw_*.
all_counters_can_move() {
	local name
	losslessctl --json explain | jq -r '.counters[] | select(.command | test("^cat /sys|^ethtool -I -a") | not).counter | select(startswith("pci_bw_") | not)' |
		sed -E 's/#/3/; s/^.*_blocks$/rs_fec_&/' >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 40 ] || echo 'too few names'
	while read -r name; do
		bump "$name" 1 || echo "$name cannot be bumped"
	done <"$work/names"
	bump rx_nonsense 1 2>/dev/null && echo 'anything can be bumped'
	bump outbound_pci_stalled_wr -1
	bump outbound_pci_stalled_rd -1
}

# Programs read where to look first; nothing turns PFC off.
a_deadlock_points_to_the_fabric() {
	bump tx_prio3_bytes 1000000
	connectx $port storm suffered 3 100
	seconds=3 counts 2 true
	points_to fabric pause-deadlock-suspected
	same 'PFC is left on' '[3]' "$(losslessctl --json show $port | jq -c '.ports[0].config.pfc.priorities')"
	connectx $port storm suffered 3 off
}

declare -A known documented
read_manual
connect_ends $port $near $other $far
expect 0 losslessctl apply $policy
declare -A rdma=([$port]=mlx5_0 [$other]=mlx5_1)
declare -A gid=([$port]=$(gid_index mlx5_0 $near) [$other]=$(gid_index mlx5_1 $far))
it 'every counter can be moved in the simulation' all_counters_can_move
it 'an idle host is silent' silent true
it 'a suspected deadlock points to the fabric, and PFC stays on' a_deadlock_points_to_the_fabric
it 'counters that start again prove no deadlock' counters_start_again
it 'a policy says what a storm is' a_short_storm
it 'PFC without CNPs on a host that never counted one' no_cnp_ever
it 'packets out of sequence point to a cable with errors' own_cable_first
it 'a receiver that is not ready points to the host that lacks buffers' where_buffers_lack
it 'rates are printed below every threshold' rates_below_every_threshold
# On a slow machine a storm lasts longer than the adapter lets it.
for each in $port $other; do
	ethtool --set-tunable $each pfc-prevention-tout 0
done
each_scene tests/system/scenes try
try_together
tap_end
