# shellcheck shell=bash
# Functions that run the agent in the background. To be sourced after lib.sh and lib_lldpad.sh.

log=$work/log
run=/run/losslessctl
var=/var/lib/losslessctl
hour="--verify-interval 3600 --sample-interval 3600"
agent_environment=() # NAME=VALUE, for the agent alone

ets='"ets":{"prio_tc":[0,0,0,3,0,0,6,0],"tsa":["ets","ets","ets","ets","ets","ets","strict","ets"],"bandwidth":[50,0,0,50,0,0,0,0]}'
setup='{"dcbx":{"mode":"host"},"pfc":{"priorities":[3]},'$ets',"dscp":{"prio":{"26":3,"48":6}}}'

# agent_policy MODE [ENFORCE [SETUP [PORTS]]]
agent_policy() {
	printf '{"version":1,"generation":1,"name":"test","mode":"%s","enforce":%s,"profiles":{"p":%s},"rules":[{"match":{"name":"%s"},"profile":"p"}]}\n' \
		"$1" "${2:-{\}}" "${3:-$setup}" "${4:-ens1*}" >"$work/policy.json"
}

# start_agent [OPTION]...: start it for $work/policy.json; return when it has read every port.
start_agent() {
	rm -f $run/status.json
	start_blindly "$@"
	quickly [ -e $run/status.json ]
}

start_blindly() {
	if [ -e "$work/pid" ] && ! agent_ended; then # the agent of a test that failed
		kill -9 "$(agent)"
		quickly agent_ended
	fi
	: >"$log"
	rm -f "$work/code"
	{
		env "${agent_environment[@]}" losslessctl agent "$@" "$work/policy.json" &
		echo $! >"$work/pid"
		wait $!
		echo $? >"$work/code"
	} >>"$log" 2>&1 </dev/null &
}

agent() { cat "$work/pid"; }
agent_ended() { [ -s "$work/code" ]; }
in_log() { grep -qE -- "$1" "$log"; }
in_status() { grep -qE -- "$1" $run/status.json 2>/dev/null; }
lacks() { ! "$@"; }
times_in_log() { grep -cE -- "$1" "$log"; }

# quickly COMMAND...: like soon, but with pauses that are short at first, and for 90 s, or $limit. A
# try that fails is silent, as the file that it reads may not exist yet.
quickly() {
	local end=$((SECONDS + ${limit:-90})) ms=20 pause
	until "$@" 2>/dev/null; do
		[ $SECONDS -lt $end ] || {
			echo "never: $*"
			tail -n 5 "$log"
			return 1
		}
		printf -v pause 0.%03d $ms && nap "$pause"
		((ms > 150)) || ms=$((ms * 3 / 2))
	done 2>&1
}

# stop_agent [CODE]: stop it by SIGTERM, and check its exit code.
stop_agent() {
	kill -TERM "$(agent)"
	quickly agent_ended
	same 'exit code' "${1:-0}" "$(cat "$work/code")"
}

# says_once TEXT: the log contains TEXT in one line.
says_once() {
	same "how often the log says \"$1\"" 1 "$(times_in_log "$1")"
}

# Apply the policy, and wait for the links.
applied() {
	expect 0 losslessctl -q apply "$work/policy.json"
	wait_carrier
}

# truth PORT FIELD: print a field of the simulated hardware's state.
truth() { sed -n "s/^$2 //p" "$simulation/${pci_of[$1]}/state"; }

flaps() { truth "${1:-$port}" link_down_events; }

# files_are_whole WHEN: no file of the agent is half written.
files_are_whole() {
	local file
	for file in $run/status.json $var/drift.jsonl; do
		[ ! -e $file ] || "$tools/is_json" $file || echo "$1: $file is broken"
	done
	[ ! -e $run/metrics.prom ] || tail -n 1 $run/metrics.prom | grep -q '^losslessctl_.* [0-9.]*$' ||
		echo "$1: metrics.prom is broken"
}

goes_on_after_kill() {
	local n
	reset_ports
	agent_policy enforce
	applied
	for n in $(seq "${1:-6}"); do
		start_agent --verify-interval 1 --sample-interval 1
		dcb ets set dev $port prio-tc 5:1
		sleep 0.$((RANDOM % 6))
		kill -9 "$(agent)"
		quickly agent_ended
		files_are_whole "kill $n"
	done
	start_agent --verify-interval 1 --sample-interval 1
	quickly in_status '^  "verdict": "in_sync"'
	stop_agent
	expect 0 losslessctl verify "$work/policy.json"
}

# how_soon_told TEXT COMMAND...: record the milliseconds until status.json contains TEXT.
how_soon_told() {
	"$tools/how_soon" $run/status.json "$@" >>"$work/ms" 2>"$work/err" ||
		{ echo "not told: ${*:2}" && cat "$work/err"; }
}
