#!/usr/bin/env bash
# only: 6.12
# Tests of `env`, whose output NCCL, a shell and verify read back, and of verify's findings about an
# environment. tests/golden/env has the output for each ready-made policy.
. tests/system/lib.sh
. tests/system/lib_agent.sh

formats='nccl.conf rccl ucx sh k8s slurm'
golden=tests/golden/env
lossless=$work/nvidia-lossless.json
cat packaging/policies/nvidia-lossless.json >"$lossless"

# Exit codes of env on fresh ports, which carry no class (2). These policies name no DSCP of RoCE.
declare -A code_of=([mrc]=3)

# golden_of POLICY FORMAT: env prints the golden file; copy the output to OUT, if that is set.
golden_of() {
	local file=$1.$2
	losslessctl -q env --format "$2" "packaging/policies/$1.json" >"$work/$file" 2>&1
	same "exit code of $file" "${code_of[$1]-2}" $?
	[ -z "${OUT-}" ] || cp "$work/$file" "$OUT/"
	diff "$golden/$file" "$work/$file"
}

# a_gid DEVICE: it has a GID of 192.0.2.0/24, which the core adds a moment after the address.
a_gid() {
	cat /sys/class/infiniband/$1/ports/1/gids/? | grep -q ffff:c000:02
}

no_gid() {
	! a_gid "$1"
}

addresses_come() {
	ip address add 192.0.2.1/24 dev $port
	ip address add 192.0.2.2/24 dev $other
	quickly a_gid mlx5_0
	quickly a_gid mlx5_1
}

each_policy_has_its_environments() {
	local policy format
	for policy in packaging/policies/*.json; do
		policy=${policy##*/}
		for format in $formats; do golden_of "${policy%.json}" "$format"; done
	done
}

# No priority of a fresh guest is lossless, so that a policy of an MTU alone names no class.
a_policy_without_a_class_asks_nothing_of_jobs() {
	local mtu rule='"match":{"name":"*"},"profile":"p"'
	mtu=$(cat /sys/class/net/$port/mtu)
	printf '{"version":1,"profiles":{"p":{"mtu":%d}},"rules":[{%s}]}' "$mtu" "$rule" >"$work/mtu.json"
	printf 'PATH=/bin\n' >"$work/environ"
	echo NCCL_DEBUG=WARN >/etc/nccl.conf
	expect 0 losslessctl verify "$work/mtu.json"
	says "note $port: the policy does not say which DSCP carries RoCE"
	expect 3 losslessctl env "$work/mtu.json" --check "$work/environ"
	says "unknown $port: the policy does not say which DSCP carries RoCE"
	says 'unknown: 1 not judged'
	printf '{"version":1,"profiles":{"p":{"mtu":%d}},"rules":[{%s,"required":false}]}' "$mtu" \
		"${rule/\*/none*}" >"$work/none.json"
	expect 0 losslessctl verify "$work/none.json"
	says 'note no port matches the policy'
	rm /etc/nccl.conf
}

set_up() {
	expect 0 losslessctl apply --allow-disruption "$lossless"
}

# in_conf LINE…: run verify with these lines in /etc/nccl.conf.
in_conf() {
	printf '%s\n' "$@" >/etc/nccl.conf
	expect 0 losslessctl verify "$lossless"
	rm /etc/nccl.conf
}

nccl_reads_it_back() {
	losslessctl env "$lossless" >/etc/nccl.conf
	losslessctl env --format rccl "$lossless" >/etc/rccl.conf
	expect 0 losslessctl --json verify "$lossless"
	says '"environment":[]'
	rm /etc/nccl.conf /etc/rccl.conf
}

# in_order: env reports nothing about $work/environ.
in_order() {
	expect 0 losslessctl --json env "$lossless" --check "$work/environ"
	says '"environment":[]'
}

# A shell reads the formats for shells, and nccl.conf; a job gets the shell's environment.
a_shell_reads_it_back() {
	losslessctl env --format sh "$lossless" >"$work/env.sh"
	sh -euc '. "$1" && env' - "$work/env.sh" >"$work/environ"
	grep -qx 'NCCL_IB_HCA==mlx5_0:1,mlx5_1:1' "$work/environ" || cat "$work/environ"
	in_order
	losslessctl env --format slurm "$lossless" >"$work/prolog"
	sh -eu "$work/prolog" | sed 's/^export //' >"$work/environ"
	in_order
	losslessctl env "$lossless" >"$work/nccl.conf"
	sh -aeuc '. "$1" && env' - "$work/nccl.conf" >"$work/environ"
	grep -qx 'NCCL_IB_HCA==mlx5_0:1,mlx5_1:1' "$work/environ" || cat "$work/environ"
	in_order
}

a_port_out_of_its_class_is_named() {
	expect 0 losslessctl env "$lossless"
	dcb pfc set dev $port prio-pfc all:off
	expect 2 losslessctl env "$lossless"
	says "warning: $port: DSCP 26 is not in the class of the policy now"
	says 'NCCL_IB_TC=106'
	expect 2 losslessctl --json env "$lossless" $port
	says '"priority":3,"lossless":false}]'
	expect 0 losslessctl apply --allow-disruption "$lossless"
}

# A policy without PFC, like the cookbook's of time-outs, warns of a port that is not lossless.
a_policy_without_pfc_needs_a_lossless_port() {
	printf '{"version":1,"profiles":{"p":{"roce":{"tos":106}}},"rules":[{%s}]}' \
		'"match":{"name":"*"},"profile":"p"' >"$work/tos.json"
	expect 0 losslessctl env "$work/tos.json"
	dcb pfc set dev $port prio-pfc all:off
	expect 2 losslessctl env "$work/tos.json"
	says "warning: $port: DSCP 26 is not in a lossless class now"
	expect 0 losslessctl apply --allow-disruption "$lossless"
}

# Outside a container NCCL reads the host's file for variables that the environment leaves unset.
the_file_of_the_host_fills_in() {
	printf 'PATH=/bin\nNCCL_DEBUG=INFO\n' >"$work/environ"
	echo NCCL_IB_TC=106 >/etc/nccl.conf
	expect 0 losslessctl env "$lossless" --check "$work/environ"
	says "note NCCL_IB_TC=106 /etc/nccl.conf:1 this host's file sets it, which a container does not see"
	printf 'NCCL_IB_TC=0\nNCCL_IB_TIMEOUT=14\n' >"$work/environ"
	expect 2 losslessctl env "$lossless" --check "$work/environ"
	says "critical NCCL_IB_TC=0 $work/environ:1"
	printf 'NCCL_IB_TC=0\nNCCL_IB_DISABLE=1\n' >/etc/nccl.conf
	echo NCCL_IB_TC=106 >"$work/environ"
	expect 2 losslessctl env "$lossless" --check "$work/environ"
	says 'critical NCCL_IB_DISABLE=1 /etc/nccl.conf:2'
	! grep -n NCCL_IB_TC "$work/out"
	rm /etc/nccl.conf
}

an_ipv4_address_chooses_the_family() {
	expect 0 losslessctl env --nccl 2.30 "$lossless"
	says 'NCCL_IB_ADDR_FAMILY=AF_INET'
	expect 0 losslessctl env --nccl 2.19.4 "$lossless"
	says 'NCCL_IB_GID_INDEX='
	! grep -q ADDR_FAMILY "$work/out" || cat "$work/out"
	grep -o 'NCCL_IB_GID_INDEX=.*' "$work/out" >"$work/index"
	echo NCCL_IB_TC=106 >"$work/environ"
	expect 2 losslessctl env --nccl 2.19.4 "$lossless" --check "$work/environ"
	says "critical NCCL_IB_GID_INDEX $work/environ it is not set, and NCCL before 2.21 takes the first: GID 0 of mlx5_0 is not one of RoCE v2 that can be routed (env-off-policy) set $(cat "$work/index")"
	cat "$work/index" >>"$work/environ"
	expect 0 losslessctl env --nccl 2.19.4 "$lossless" --check "$work/environ"
}

# A port always has a link-local GID, which NCCL refuses.
a_port_without_an_address_is_named() {
	ip address del 192.0.2.2/24 dev $other
	quickly no_gid mlx5_1
	expect 3 losslessctl env "$lossless"
	says "warning: $other has no GID of RoCE v2 that can be routed: give it, or its bond, an address"
	! grep -q ADDR_FAMILY "$work/out" || cat "$work/out"
	expect 3 losslessctl env --nccl 2.19 "$lossless"
	! grep -q GID_INDEX "$work/out" || cat "$work/out"
	expect 2 losslessctl ready "$lossless"
	says "$other has no GID of RoCE v2 that can be routed"
	ip address add 192.0.2.2/24 dev $other
	quickly a_gid mlx5_1
}

# mlx5_ib did not bind, as after an error of its own: the port has no RDMA device.
a_port_without_an_rdma_device_is_named() {
	local rdma driver
	rdma=$(basename /sys/class/net/$other/device/mlx5_core.rdma.*)
	driver=$(readlink -f "/sys/bus/auxiliary/devices/$rdma/driver")
	echo "$rdma" >"$driver/unbind"
	expect 3 losslessctl env "$lossless"
	says "warning: $other has no RDMA device, which its policy needs: it is left out"
	grep -qx 'NCCL_IB_HCA==mlx5_0:1' "$work/out" || cat "$work/out"
	! grep 'every port' "$work/out"
	expect 3 losslessctl --json env "$lossless"
	says "\"port\":\"$other\",\"device\":null"
	printf '%s\n' NCCL_IB_HCA==mlx5_0:1 NCCL_IB_TC=106 >"$work/job"
	expect 3 losslessctl env --check "$work/job" "$lossless"
	says "warning: $other has no RDMA device, which its policy needs: it is left out"
	printf '{"version":1,"profiles":{"p":{"roce":{"tos":106}},"storage":{"mtu":%d}},"rules":[{%s},{%s}]}' \
		"$(cat /sys/class/net/$other/mtu)" "\"match\":{\"name\":\"$port\"},\"profile\":\"p\"" \
		"\"match\":{\"name\":\"$other\"},\"profile\":\"storage\"" >"$work/storage.json"
	expect 0 losslessctl env "$work/storage.json"
	! grep -n "$other" "$work/out"
	echo "$rdma" >"$driver/bind"
	quickly a_gid mlx5_1
	expect 0 losslessctl apply --allow-disruption "$lossless"
	expect 0 losslessctl env "$lossless"
}

each_trap_is_named() {
	in_conf 'NCCL_IB_TC="106"'
	says 'warning NCCL_IB_TC="106" /etc/nccl.conf:1 traffic class 0 is DSCP 0, which ens1f0np0 puts into priority 0: quotes become a part of the value (env-off-policy) remove the quotes'
	in_conf '# ours' 'NCCL_IB_TC = 106'
	says '/etc/nccl.conf:2 a blank is part of the name'
	in_conf 'export NCCL_IB_TC=106'
	says '"export" is part of the name'
	in_conf ' export  NCCL_IB_TC = 106'
	says 'warning export NCCL_IB_TC = 106 /etc/nccl.conf:1'
	in_conf 'NCCL_IB_TC:106'
	says 'warning NCCL_IB_TC:106 /etc/nccl.conf:1 a line without = sets nothing'
	in_conf 'NCCL_IB_TCC=106'
	says 'warning NCCL_IB_TCC=106 /etc/nccl.conf:1 the name is misspelled'
	in_conf 'nccl_ib_tc=106'
	says 'write NCCL_IB_TC'
	in_conf 'RCCL_IB_TC=0' 'NCCL_IB_TC=106'
	says 'note RCCL_IB_TC=0 /etc/nccl.conf:1 the name is misspelled'
	in_conf 'NCCL_IB_TC=-1'
	says 'warning NCCL_IB_TC=-1 /etc/nccl.conf:1 -1 stands for not set, so that NCCL marks its packets with DSCP 0'
	in_conf $'\xef\xbb\xbfNCCL_IB_TC=106'
	says '/etc/nccl.conf:1 the file begins with a byte order mark'
	in_conf 'NCCL_IB_TC=0106'
	says 'a number that begins with 0 is octal'
	in_conf $'NCCL_IB_HCA==mlx5_0,mlx5_1\r'
	says 'it leaves out mlx5_1:1 of ens1f1np1: the line ends in a carriage return'
	in_conf 'NCCL_IB_GID_INDEX=1'
	says 'GID 1 of mlx5_0 is not one of RoCE v2 that can be routed'
	in_conf "$(cat "$work/index")"
	says 'NCCL 2.21 and newer choose the GID'
	in_conf 'NCCL_IB_HCA=mlx5_0,mlx5_1'
	says 'note NCCL_IB_HCA=mlx5_0,mlx5_1 /etc/nccl.conf:1 without = a name also matches'
	in_conf 'NCCL_IB_TC=106' # also for the queue pairs of GPUs
	! grep -n NCCL "$work/out"
	[ ! -e /etc/nccl.conf ] || echo "the file stayed"
}

# NCCL of another user ignores it without a word.
a_file_of_root_alone_is_unknown() {
	echo NCCL_IB_TC=106 >/etc/nccl.conf
	chmod 600 /etc/nccl.conf
	expect 3 losslessctl verify "$lossless"
	says 'unknown /etc/nccl.conf: mode 0600: a job of another user cannot read it'
	says 'run `chmod a+r /etc/nccl.conf`'
	chmod a+r /etc/nccl.conf
	expect 0 losslessctl verify "$lossless"
	rm /etc/nccl.conf
}

# MLNX_OFED's forced class reaches the queue pairs of verbs, and no others.
a_forced_class_covers_for_the_environment() {
	connectx $port ofed on
	connectx $other ofed on
	expect 0 losslessctl apply --allow-disruption "$lossless"
	printf 'PATH=/bin\n' >"$work/environ"
	expect 0 losslessctl env "$lossless" --check "$work/environ"
	says "warning NCCL_IB_TC $work/environ it is not set: $port forces class 106, which does not reach queue pairs that GPUs drive themselves: they keep DSCP 0 (gin-class-unset) set NCCL_IB_TC=106"
	says '1 warning'
	printf 'NCCL_IB_TC=106\n' >"$work/environ"
	expect 0 losslessctl --json env "$lossless" --check "$work/environ"
	says '"environment":[]'
	printf 'NCCL_IB_TC=0\n' >"$work/environ"
	expect 0 losslessctl env "$lossless" --check "$work/environ"
	says "warning NCCL_IB_TC=0 $work/environ:1 $port forces traffic class 106 on all connections of verbs, whatever this says (forced-class-hides-env) set NCCL_IB_TC=106"
	! grep -n off-policy "$work/out"
	expect 0 losslessctl rollback --allow-disruption
	connectx $port ofed off
	connectx $other ofed off
}

a_policy_decides_how_bad_it_is() {
	sed 's/"version": 1,/&"severity":{"env-off-policy":"critical"},/' "$lossless" >"$work/severe.json"
	echo 'NCCL_IB_TC=0' >/etc/nccl.conf
	expect 2 losslessctl verify "$work/severe.json"
	says '1 critical finding'
	expect 2 losslessctl verify --nagios "$work/severe.json"
	says 'CRITICAL - 1 critical finding (/etc/nccl.conf NCCL_IB_TC), '
	sed 's/"version": 1,/&"severity":{"env-off-policy":"ignore","gin-class-unset":"ignore"},/' \
		"$lossless" >"$work/mild.json"
	expect 0 losslessctl --json verify "$work/mild.json"
	says '"environment":[]'
	rm /etc/nccl.conf
}

# started WORD...: start a process with these assignments alone, or with this command; set $pid.
started() {
	env -i "$@" /bin/sleep 1000 &
	pid=$!
	quickly grep -qs sleep /proc/$pid/comm
}

# The kernel lists the environment with which a process began.
a_process_is_judged() {
	local pid
	started NCCL_IB_TC=0 NCCL_GIN_IB_TC=106
	expect 2 losslessctl env "$lossless" --pid $pid
	says "critical NCCL_IB_TC=0 /proc/$pid/environ traffic class 0 is DSCP 0"
	kill $pid
	started
	expect 2 losslessctl env "$lossless" --pid $pid
	says 'it is not set, so that NCCL marks its packets with DSCP 0'
	losslessctl env "$lossless" >/etc/nccl.conf # this process sees the file
	expect 0 losslessctl env "$lossless" --pid $pid
	rm /etc/nccl.conf
	kill $pid
	expect 66 losslessctl env "$lossless" --pid 4194304
	expect 64 losslessctl env "$lossless" --pid 1x
}

# A link in a container leads to the container's files, as here in a root directory of its own.
files_of_a_process_are_read() {
	local pid writer
	mkdir -p "$work/home"
	losslessctl env "$lossless" >"$work/home/.nccl.conf"
	started HOME="$work/home"
	expect 0 losslessctl env "$lossless" --pid $pid
	echo NCCL_IB_TC=0 >"$work/home/.nccl.conf"
	expect 2 losslessctl env "$lossless" --pid $pid
	says "critical NCCL_IB_TC=0 /proc/$pid/root$work/home/.nccl.conf:1"
	kill $pid
	started HOME="$work/home" NCCL_IB_TC=106 NCCL_GIN_IB_TC=106
	expect 0 losslessctl env "$lossless" --pid $pid
	kill $pid
	echo NCCL_IB_TC=8 >"$work/named.conf"
	started HOME="$work/home" NCCL_CONF_FILE="$work/named.conf"
	expect 2 losslessctl env "$lossless" --pid $pid
	says "critical NCCL_IB_TC=8 /proc/$pid/root$work/named.conf:1"
	! grep -qF .nccl.conf: "$work/out" || cat "$work/out"
	rm "$work/named.conf"
	expect 2 losslessctl env "$lossless" --pid $pid
	says "unknown /proc/$pid/root$work/named.conf: No such file or directory"
	says 'NCCL silently ignores a missing file'
	mkfifo "$work/named.conf"
	(: >"$work/named.conf" && touch "$work/opened") & # until somebody opens it for reading
	writer=$!
	expect 2 losslessctl env "$lossless" --pid $pid
	says "$work/named.conf: not a regular file"
	! [ -e "$work/opened" ] || echo 'a file was opened before its kind was known'
	kill $pid $writer
	started NCCL_CONF_FILE=/proc/kmsg HOME=/dev/.. UCX_CONFIG_DIR=/sys/kernel
	expect 2 losslessctl env "$lossless" --pid $pid
	says "/proc/kmsg: not a regular file"
	kill $pid
	started NCCL_CONF_FILE=nccl.conf
	expect 2 losslessctl env "$lossless" --pid $pid
	says "the path of the process's nccl.conf is relative"
	kill $pid
}

links_of_a_container_stay_in_it() {
	local pid root=$work/container
	mkdir -p "$root/etc" "$root/bin"
	cp /bin/busybox "$root/bin/sleep"
	echo NCCL_IB_TC=0 >"$work/of_host"
	ln -s "$work/of_host" "$root/etc/nccl.conf"
	started /usr/sbin/chroot "$root"
	expect 2 losslessctl env "$lossless" --pid $pid
	says 'it is not set, so that NCCL marks its packets with DSCP 0'
	mkdir -p "$root$work"
	echo NCCL_IB_TC=8 >"$root$work/of_host"
	expect 2 losslessctl env "$lossless" --pid $pid
	says "critical NCCL_IB_TC=8 /proc/$pid/root/etc/nccl.conf:1"
	kill $pid
}

# A job inherits the environment of the command that starts it.
this_environment_is_judged() {
	expect 0 env -i "PATH=$PATH" NCCL_IB_TC=106 losslessctl env "$lossless" --check
	expect 2 env -i "PATH=$PATH" NCCL_IB_TC=0 losslessctl env --check "$lossless"
	says 'critical NCCL_IB_TC=0'
	says 'drift: 1 critical'
	says 'run `losslessctl env` for the environment that agrees with the policy'
	expect 64 losslessctl verify "$lossless" --pid 1
	says 'did you mean `losslessctl env --pid`?'
	expect 64 losslessctl verify "$lossless" --environ "$work/environ"
	says 'did you mean `losslessctl env --check`?'
}

nothing_is_written() {
	local before
	before=$(changes)
	losslessctl env "$lossless" >/dev/null
	losslessctl env "$lossless" --check /proc/self/environ >/dev/null
	same "changes of the ports" "$before" "$(changes)"
}

it "the ports have addresses" addresses_come
in_long it "each ready-made policy has its environment in each format" each_policy_has_its_environments
it "a policy that names no class asks nothing of jobs" a_policy_without_a_class_asks_nothing_of_jobs
it "a host is set up" set_up
it "NCCL and RCCL read back what env prints" nccl_reads_it_back
it "a shell and a TaskProlog give a job what env prints" a_shell_reads_it_back
it "a port that would not carry the class losslessly is named" a_port_out_of_its_class_is_named
it "a policy without PFC needs a lossless port" a_policy_without_pfc_needs_a_lossless_port
it "the host's file fills in what an environment leaves unset" the_file_of_the_host_fills_in
it "an IPv4 address decides the family, or the index for an old NCCL" an_ipv4_address_chooses_the_family
it "a port without an address has no GID, as ready says" a_port_without_an_address_is_named
it "a port without the RDMA device that its policy needs is named" a_port_without_an_rdma_device_is_named
it "each trap in nccl.conf is named" each_trap_is_named
it "a file that root alone can read is unknown" a_file_of_root_alone_is_unknown
it "a forced class covers for the environment, but not on a GPU's queue pairs" \
	a_forced_class_covers_for_the_environment
it "a policy decides how bad it is" a_policy_decides_how_bad_it_is
it "the environment of a process is judged, with the nccl.conf that it sees" a_process_is_judged
it "files of a process are read as NCCL reads them" files_of_a_process_are_read
it "links of a container stay in it" links_of_a_container_stay_in_it
it "env --check alone judges the environment that it has" this_environment_is_judged
it "env and verify write nothing" nothing_is_written
tap_end
