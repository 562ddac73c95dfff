# shellcheck shell=bash
# Both ends of `losslessctl probe` in one guest: the server has mlx5_1 and $other, the client mlx5_0
# and $port. To be sourced after lib.sh and lib_traffic.sh.
# shellcheck disable=SC2154	# lib.sh sets port, other, work; lib_traffic.sh the addresses

policy=$work/policy.json
cat packaging/policies/nvidia-lossless.json >"$policy"
few_messages=500 # few are fast, and enough for a verdict
place=127.0.0.1:0 # the server's address; serve_probe sets it

set_up_ports() {
	losslessctl -q apply "$policy" >/dev/null 2>&1 || echo 'apply fails'
}

# paths '"PATH",...': write a policy with these probe paths and no setting.
paths() {
	mkdir -p /etc/losslessctl
	printf '{"version":1,"probe":{"paths":[%s]},"profiles":{"p":{}},"rules":[{"match":{"name":"*"},"profile":"p"}]}\n' \
		"$1" >/etc/losslessctl/policy.json
}

# serve_probe [OPTION]... [PORT]: start a server; set place and token, which it prints.
serve_probe() {
	: >"$work/served"
	losslessctl probe serve --bind 127.0.0.1 "$@" >"$work/served" 2>"$work/server.err" &
	prober=$!
	until grep -q -- --token "$work/served" || [ ! -e "/proc/$prober" ]; do sleep 0.05; done
	read -r _ _ place _ < <(grep -- --token "$work/served")
	read -r token < <(tail -n 1 "$work/served")
}

# server_exits CODE
server_exits() {
	local code=0
	wait "$prober" || code=$?
	[ $code -eq "$1" ] || echo "the server exits $code instead of $1: $(<"$work/server.err")"
}

# ask CODE [OPTION]...: run a client that probes the waiting server.
ask() {
	local code=$1
	shift
	expect "$code" losslessctl probe "$place" --token - "$port" --yes --messages $few_messages "$@" <<<"$token"
}

# probe CODE [OPTION]...: run both ends; the client exits with CODE.
probe() {
	serve_probe $other
	ask "$@"
	server_exits 0
}

# of_run RUN: print the report's lines about RUN.
of_run() { awk -v run="$1" '/^  [a-z]/ { at = $1; $1 = "" } at == run' "$work/out"; }

# finds RUN DATA ACKNOWLEDGEMENTS: each has this verdict, with its priorities at both ends.
finds() {
	local found
	found=$(of_run "$1" | sed -nE 's/^ *(data|acks) +(.*[^ ]) +priority/\2/p' | paste -sd , | sed 's/,/, /')
	[ "$2, $3" = "$found" ] || echo "$1: expected ($2, $3), got ($found): $(of_run "$1")"
}

# Print remaining programs, sessions of sshd, queue pairs and listeners.
left_over() {
	grep -lxE 'ib_write_bw|losslessctl|ssh' /proc/[0-9]*/comm 2>/dev/null
	[ -z "${sshd-}" ] || ps -o pid=,args= --ppid "$sshd"
	rdma resource show qp | grep -E 'type (RC|UD)' | grep -vF 'comm ['
	grep -E '^ *[0-9]+: [0-9A-F]+:(4853|'"$(printf %04X "${place##*:}")"') [0-9A-F:]+ 0A' /proc/net/tcp
}

# Retry: the kernel closes the sockets and queue pairs of a killed process a moment later.
nothing_is_left() {
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		[ -n "$(left_over)" ] || return
		sleep 0.1
	done
	echo 'this is left:'
	left_over
}

# Wait until queue pairs of both ends are connected (that of perftest's server, which sends nothing,
# stays in RTR), or the client has ended. perftest may end before that: --help prints what it
# supports, and a client whose server does not listen yet is started again.
perftest_sends() {
	until [ "$(rdma resource show qp | grep -c 'type RC state RT[RS]')" -ge 2 ] || [ ! -e "/proc/$asker" ]; do
		sleep 0.1
	done
}

asker_exits() {
	local code=0
	wait "$asker" || code=$?
	[ $code -eq "$1" ] || { echo "the client exits $code instead of $1" && cat "$work/err"; }
}

# play_verdicts: play the scenes of the table `verdicts` that are this script's, with lib_scenes.sh.
play_verdicts() { each_scene tests/system/verdicts try_verdict; }

try_verdict() {
	local script=${0##*/}
	[ "${row[in]-probe}" = "${script%.sh}" ] || return 0
	[ -z "${row[long]-}" ] || is_long || return 0
	it "${row[name]}: ${row[words]}" find_verdict
}

find_verdict() {
	local found
	[ -z "${row[paths]-}" ] || paths "\"${row[paths]}\""
	eval "${row[before]-}"
	serve_probe $other
	eval "${row[between]-}"
	ask "${row[exits]-2}"
	server_exits 0
	eval "${row[after]-}"
	[ -z "${row[paths]-}" ] || rm /etc/losslessctl/policy.json
	while read -r found; do
		[ -z "$found" ] || eval "finds $found"
	done <<<"${row[finds]-}"
	[ -z "${row[prints]-}" ] || says "${row[prints]}"
}
