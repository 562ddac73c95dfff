#!/usr/bin/env bash
# only: 6.12
# Tests of the files that verify reads for a job: logs of NCCL, pipes, and files that are hostile or
# of another kind.
. tests/system/lib.sh
. tests/system/lib_agent.sh

lossless=$work/nvidia-lossless.json
cat packaging/policies/nvidia-lossless.json >"$lossless"

set_up() {
	ip address add 192.0.2.1/24 dev $port
	ip address add 198.51.100.1/24 dev $other
	expect 0 losslessctl apply --allow-disruption "$lossless"
}

# logged HOST MESSAGE...: append lines of NCCL on HOST to the file "log".
logged() {
	local host=$1
	shift
	printf "$host:11:12 [0] NCCL INFO %s\n" "$@" >>"$work/log"
}

uses='NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>'
channel='Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA'

a_log_is_judged() {
	local here
	here=$(uname -n)
	: >"$work/log"
	logged "$here" 'Using network Socket'
	expect 2 losslessctl env "$lossless" --nccl-log "$work/log"
	says "$work/log:1 process 11, GPU 0: NCCL used TCP (NET/Socket)"
	: >"$work/log"
	logged "$here" 'NCCL_IB_TC set by environment to 106.' "$uses" "$channel"
	expect 0 losslessctl --json env "$lossless" --nccl-log "$work/log"
	says '"environment":[]'
	: >"$work/log"
	logged "$here" 'NCCL_SOCKET_IFNAME set by environment to eth0' "$uses" "$channel"
	expect 2 losslessctl env "$lossless" --nccl-log "$work/log"
	says 'it is not set, so that NCCL marks its packets with DSCP 0'
	: >"$work/log"
	logged "$here" 'NCCL_IB_TC set by environment to 106.' "${uses/ \[1\]mlx5_1:1\/RoCE/}" "$channel"
	expect 2 losslessctl env "$lossless" --nccl-log "$work/log"
	says "NCCL did not use mlx5_1:1 of $other"
	: >"$work/log"
	logged "$here" 'NCCL_SOCKET_IFNAME set by environment to eth0' "$uses"
	expect 3 losslessctl env "$lossless" --nccl-log "$work/log"
	says 'unknown NCCL_IB_TC'
	says 'the log does not say which traffic class NCCL used: NCCL reads it when it connects a channel, and the log has none'
	says 'unknown: 1 not judged'
	printf '\033[32m%s:11:12\033[0m [0] NCCL INFO Using network Socket\n' "$here" >"$work/log"
	expect 2 losslessctl env "$lossless" --nccl-log "$work/log"
	says "$work/log:1 process 11, GPU 0: NCCL used TCP (NET/Socket)"
	echo 'NCCL version 2.28.3+cuda12.9' >"$work/log"
	expect 3 losslessctl env "$lossless" --nccl-log "$work/log"
	says 'the log does not say which network NCCL used'
	echo nothing >"$work/log"
	expect 65 losslessctl env "$lossless" --nccl-log "$work/log"
	says 'no line of NCCL in it'
}

a_log_of_other_hosts_is_told_apart() {
	local here
	here=$(uname -n)
	: >"$work/log"
	logged gpu-node-9 'Using network Socket'
	expect 65 losslessctl env "$lossless" --nccl-log "$work/log"
	says "it is a log of gpu-node-9, and this host is $here"
	logged "$here" 'NCCL_IB_TC set by environment to 106.' "$uses" "$channel"
	expect 0 losslessctl env "$lossless" --nccl-log "$work/log"
	says "note $work/log: it has lines of 2 hosts: only those of $here are judged"
	expect 0 losslessctl --json env "$lossless" --nccl-log "$work/log"
	says '"environment_message":"it has lines of 2 hosts'
	logged "$here" 'NCCL_IB_TIMEOUT set by environment to 14.'
	sed 's/"profiles"/"job": { "ib_timeout": 22 }, &/' "$lossless" >"$work/timeout.json"
	expect 2 losslessctl env "$work/timeout.json" --nccl-log "$work/log"
	says "$work/log:5 process 11, GPU 0: NCCL used 14; the policy has 22"
}

# piped CODE OPTION...: run verify with these options and with this function's standard input.
piped() {
	local code=$1
	shift
	expect "$code" losslessctl --json env "$lossless" "$@"
}

# A pipe can carry the output of every format of env, except job specifications.
an_environment_comes_from_a_pipe() {
	losslessctl -q env --format sh "$lossless" >"$work/env.sh"
	sh -euc '. "$1" && env' - "$work/env.sh" >"$work/environ"
	piped 0 --check - <"$work/environ"
	says '"environment":[]'
	cat "$work/environ" | piped 0 --check -
	cat "$work/environ" | piped 0 --check /proc/self/fd/0
	says '"environment":[]'
	piped 0 --check <(cat "$work/environ")
	(sleep 2; cat "$work/environ") | piped 0 --check -
	piped 2 --check - <<<PATH=/bin
	says '"source":"standard input"'
	piped 2 --check /dev/null
	: >"$work/log"
	logged "$(uname -n)" 'Using network Socket'
	cat "$work/log" | piped 2 --nccl-log -
	says '"source":"standard input"'
	: | piped 65 --check -
	says '"where":"standard input","message":"nothing was written to it"'
	piped 64 --check - --nccl-log - </dev/null
	says 'only one file can be standard input'
	piped 64 --check ''
	says '--check: the name of the file is empty'
	piped 64 --nccl-log ''
	says '--nccl-log: the name of the file is empty'
	piped 65 --check="$lossless"
	says 'it is JSON, not an environment'
}

a_process_without_an_environment_is_named() {
	expect 66 losslessctl env "$lossless" --pid 2
	says 'process 2 is a kernel thread, or has ended: it has no environment'
	expect 77 setpriv --reuid=65534 --regid=65534 --clear-groups losslessctl env "$lossless" --pid 1
	says 'run it with sudo, or as the user of the process'
}

# UCX reads its file by rules of its own: blanks do not matter, and the last value counts.
ucx_has_a_file() {
	local file=/etc/ucx/ucx.conf pid
	mkdir -p /etc/ucx
	losslessctl env --format ucx "$lossless" >$file
	expect 0 losslessctl --json verify "$lossless"
	says '"environment":[]'
	printf 'UCX_IB_TRAFFIC_CLASS = 0 ; none\n' >$file
	expect 0 losslessctl verify "$lossless"
	says "warning UCX_IB_TRAFFIC_CLASS=0 $file:1 traffic class 0 is DSCP 0"
	printf 'UCX_IB_TRAFFIC_CLASS=0x6a\nUCX_LOG_LEVEL=warn\n UCX_NET_DEVICES=mlx5_0:1\n' >$file
	expect 0 losslessctl verify "$lossless"
	says 'the text after the number is ignored (env-off-policy)'
	says "$file:3 an indented line continues the one before"
	mkdir -p "$work/ucx"
	echo UCX_IB_TRAFFIC_CLASS=106 >"$work/ucx/ucx.conf"
	losslessctl env --format sh "$lossless" | sed "s/^export //; s/'//g; /^UCX/d; /^#/d" >"$work/environ"
	mapfile -t set_here <"$work/environ"
	env -i "${set_here[@]}" /bin/sleep 1000 &
	pid=$!
	quickly grep -qs sleep /proc/$pid/comm
	expect 2 losslessctl env "$lossless" --pid $pid
	says "critical UCX_IB_TRAFFIC_CLASS=0x6a /proc/$pid/root$file:1"
	kill $pid
	echo UCX_IB_TRAFFIC_CLASS=0 >$file
	env -i "${set_here[@]}" UCX_CONFIG_DIR="$work/ucx" HOME=/etc/ucx /bin/sleep 1000 &
	pid=$!
	quickly grep -qs sleep /proc/$pid/comm
	expect 0 losslessctl env "$lossless" --pid $pid
	kill $pid
	rm $file
}

# refuses CODE TEXT FILE: verify refuses FILE as an environment and as a log, in 64 MiB of memory.
refuses() {
	(ulimit -v 65536
	expect "$1" losslessctl env "$lossless" --check "$3"
	says "$2"
	[ "${4-}" = environ ] || expect "$1" losslessctl env "$lossless" --nccl-log "$3"
	says "$2")
}

# hostile_conf COMMAND...: COMMAND makes /etc/nccl.conf, its last word. The file sets nothing, and
# verify judges the ports as always.
hostile_conf() {
	"$@" /etc/nccl.conf
	expect 3 losslessctl verify "$lossless"
	rm /etc/nccl.conf
}

hostile_files_do_no_harm() {
	mkfifo "$work/fifo"
	ln -s /dev/zero "$work/zero"
	truncate -s 1G "$work/huge"
	head -c 100000 /dev/urandom >"$work/binary"
	refuses 65 'nobody writes to it' "$work/fifo"
	refuses 65 'not a regular file or a pipe' "$work/zero"
	refuses 65 'not a regular file' "$work"
	refuses 65 'larger than 4 MiB' "$work/huge" environ
	refuses 66 'No such file' "$work/none"
	(ulimit -v 65536
	expect 65 losslessctl env "$lossless" --nccl-log "$work/huge"
	says 'larger than 256 MiB'
	printf '\177ELF' | cat - "$work/binary" >"$work/elf"
	expect 65 losslessctl env "$lossless" --check "$work/elf"
	says 'it is not an environment: it does not begin with NAME=VALUE'
	expect 65 losslessctl env "$lossless" --nccl-log "$work/binary"
	yes NCCL_IB_TC=106 | piped 65 --check -
	says '"where":"standard input","message":"larger than 4 MiB"')
	(ulimit -v 65536
	hostile_conf mkfifo
	says 'unknown /etc/nccl.conf: not a regular file'
	hostile_conf ln -s "$work"
	says 'unknown /etc/nccl.conf: not a regular file'
	hostile_conf truncate -s 1G
	says 'unknown /etc/nccl.conf: larger than 4 MiB'
	cp "$work/binary" /etc/nccl.conf
	expect 0 losslessctl verify "$lossless" # no line of it sets anything, for NCCL either
	rm /etc/nccl.conf)
	ln -s /dev/zero /etc/nccl.conf
	expect 3 losslessctl verify "$lossless"
	says 'unknown /etc/nccl.conf: not a regular file'
	says '; 1 environment unknown'
	! grep -qF '\x0a' "$work/out" || cat "$work/out"
	expect 3 losslessctl verify --nagios "$lossless"
	says 'UNKNOWN - 1 environment unknown (/etc/nccl.conf not a regular file)'
	rm /etc/nccl.conf
}

# To read /proc/kmsg takes the messages from syslog, and waits for more.
the_kernels_log_is_left_to_syslog() {
	local words
	ln -s /proc/kmsg "$work/kmsg"
	for words in apply check verify 'show --state' 'probe --hosts' "env $lossless --nccl-log" \
		"env $lossless --check"; do
		# shellcheck disable=SC2086	# several words
		expect 65 timeout 5 losslessctl $words "$work/kmsg"
		says 'not a regular file'
	done
	hostile_conf ln -s /proc/kmsg
	says 'unknown /etc/nccl.conf: not a regular file'
}

it "a host is set up" set_up
it "a log of NCCL is judged" a_log_is_judged
it "a log of other hosts is distinguished" a_log_of_other_hosts_is_told_apart
it "an environment comes from a pipe" an_environment_comes_from_a_pipe
it "a process without an environment, or of another user, is named" a_process_without_an_environment_is_named
it "UCX's file is read as UCX reads it" ucx_has_a_file
it "hostile files are refused within 64 MiB" hostile_files_do_no_harm
it "a link to the kernel's log is not followed" the_kernels_log_is_left_to_syslog
tap_end
