#!/usr/bin/env bash
# only: 6.12
# Tests of `ready`, whether a job can start on this host, on the guest's kernel, with and without
# privileges.
. tests/system/lib.sh
. tests/system/lib_agent.sh

# The GIDs of RoCE follow the addresses.
ip addr add 10.0.1.1/24 dev "$port"
ip addr add 10.0.2.1/24 dev "$other"

# ready CODE ARGUMENT...
ready() {
	expect "$1" losslessctl ready "${@:2}"
}

# policy_of READY: write a policy that expects this of one port.
policy_of() {
	printf '{"version":1,"ready":%s,"profiles":{"p":{"mtu":1500}},"rules":[{"match":{"name":"%s"},"profile":"p"}]}\n' \
		"$1" "$port" >"$work/ready.json"
}

# status_of CHECK: print its status in the last command's JSON.
status_of() {
	tr -d '\n' <"$work/out" | grep -oE "\"check\": *\"$1\"[^}]*" | grep -oE '"status": *"[a-z_]*"' |
		sed -E 's/.*"([a-z_]*)"$/\1/' | sort -u | tr '\n' ' '
}

a_service_without_a_unit_is_found() {
	local pid
	cp /bin/sleep "$work/slurmd"
	(ulimit -l 64 && exec "$work/slurmd" 600) &
	pid=$!
	quickly grep -qx slurmd /proc/$pid/comm
	ready 2
	says 'memlock-services'
	says '65536 bytes of slurmd (expected: unlimited)'
	ready 2 --slurm
	same 'the reason' 'losslessctl: not ready: memlock-services 65536 bytes of slurmd' "$(cat "$work/out")"
	run_the_fix prlimit
	ready 0
	kill $pid
	wait $pid 2>/dev/null
}

without_a_policy_the_host_is_checked() {
	ready 0 --all
	says rdma-mtu
	says 'checks ready'
}

without_all_nothing_is_said_of_what_is_ready() {
	ready 0
	same 'lines' 1 "$(grep -c . "$work/out")"
}

an_mtu_that_is_too_small_is_not_ready() {
	ip link set "$port" mtu 1500
	policy_of '{"rdma-mtu":4096}'
	ready 2 "$work/ready.json"
	says 'rdma-mtu'
	says '(expected: at least 4096 bytes)'
	says 'losslessctl apply'
	ready 2 "$work/ready.json" --nagios
	says "LOSSLESSCTL READY CRITICAL - $port rdma-mtu 1024 bytes; "
	ready 2 "$work/ready.json" --slurm
	same 'the reason' "losslessctl: not ready: $port rdma-mtu 1024 bytes" "$(cat "$work/out")"
	ip link set "$port" mtu 9000
	ready 0 "$work/ready.json" -v
	says 'four times as many packets as with 4096'
	says 'read from: rtnetlink MTU'
	ready 0 "$work/ready.json" --slurm
	same 'no reason' 'losslessctl: ready' "$(cat "$work/out")"
}

what_is_ignored_is_not_read() {
	ip link set "$port" mtu 1500
	policy_of '{"rdma-mtu":"ignore"}'
	ready 0 "$work/ready.json" --json --all
	same 'rdma-mtu' '' "$(status_of rdma-mtu)"
}

# runs N: print the results of the last N runs, the newest last.
runs() {
	tail -c "$1" /run/losslessctl/ready-runs
}

one_failed_run_does_not_fail() {
	rm -rf /run/losslessctl
	ip link set "$port" mtu 9000
	policy_of '{"rdma-mtu":4096}'
	(umask 077; ready 0 "$work/ready.json" --require 2/3)
	same 'mode of the directory' 755 "$(stat -c %a /run/losslessctl)"
	ip link set "$port" mtu 1500
	ready 0 "$work/ready.json" --require 2/3
	says 'not ready in 1 of the last 3 runs'
	expect 1 losslessctl ready "$work/ready.json" --require 3/3 --nagios
	says 'LOSSLESSCTL READY WARNING'
	same 'runs' 011 "$(runs 3)"
	ready 2 "$work/ready.json" --require 2/3
	ready 2 "$work/ready.json" --require 2/3 --json
	says '"runs":{"not_ready":3,"of":3,"required":2}'
	ip link set "$port" mtu 9000
	ready 0 "$work/ready.json" --require 2/3
	same 'runs' 011110 "$(runs 6)"
	same 'size and mode' '64 600' "$(stat -c '%s %a' /run/losslessctl/ready-runs)"
}

results_that_are_damaged_count_as_none() {
	ip link set "$port" mtu 1500
	echo 111 >/run/losslessctl/ready-runs
	ready 0 "$work/ready.json" --require 2/3
	ln -sf /run/vm/ports /run/losslessctl/ready-runs
	ready 1 "$work/ready.json" --require 2/3
	says 'Too many levels of symbolic links'
	rm /run/losslessctl/ready-runs
	ip link set "$port" mtu 9000
}

without_require_nothing_is_written() {
	rm -rf /run/losslessctl/ready-runs
	ready 0
	[ ! -e /run/losslessctl/ready-runs ] || echo 'results were written'
}

# as_nobody CODE ARGUMENT...
as_nobody() {
	expect "$1" setpriv --reuid 65534 --clear-groups losslessctl ready "${@:2}"
}

nobody_is_told_what_he_may_not_read() {
	as_nobody 77 --require 1/2
	says 'is root'
	as_nobody 2 --all
	says 'memlock'
	says 'ibv_reg_mr'
}

# Checks that the agent cannot judge, such as the limits of a login, have no line.
the_agent_has_a_metric_of_each_check() {
	agent_policy report '{}' '{"mtu":9000}' "$port"
	sed -i 's/"version":1,/"version":1,"ready":{"rdma-mtu":4096,"hugepages":1},/' "$work/policy.json"
	ip link set "$port" mtu 9000
	start_agent --sample-interval 1
	quickly grep -qsF 'losslessctl_ready{check="gid"} 1' $run/metrics.prom
	grep -qF 'losslessctl_ready{check="hugepages"} 0' $run/metrics.prom || echo 'no huge pages are needed'
	grep -qF "losslessctl_ready{netdev=\"$port\",check=\"rdma-mtu\"} 1" $run/metrics.prom ||
		grep '^losslessctl_ready{' $run/metrics.prom
	grep 'memlock"\|pci-acs\|firmware' $run/metrics.prom | grep losslessctl_ready
	stop_agent
}

# The guest has no GPU, and the one of ready_pcie.sh is not NVIDIA's: cover an adapter's files with
# those of an NVIDIA GPU.
over() {
	mount --bind "$1" "/sys/bus/pci/devices/$2/$3"
}

a_gpu_is_found() {
	echo 0x030200 >"$work/class"
	echo 0x10de >"$work/vendor"
	over "$work/class" "${pci_of[$other]}" class
	over "$work/vendor" "${pci_of[$other]}" vendor
	policy_of '{"gpu-distance":"switch"}'
	ready 2 "$work/ready.json"
	says "same-root to ${pci_of[$other]} (expected: at least switch)"
	says 'missing (expected: at least dmabuf)'
	says 'the driver of NVIDIA is not loaded'
	umount "/sys/bus/pci/devices/${pci_of[$other]}/"{class,vendor}
	ready 0 "$work/ready.json"
}

# run_the_fix PROGRAM OPTION…: run the command that the report gives as fix.
run_the_fix() {
	local fix
	losslessctl ready "${@:2}" --json >"$work/out"
	fix=$(grep -oE "run \`$1 [^\`]*" "$work/out" | sed 's/^run .//')
	[ -n "$fix" ] || echo "no command of $1"
	eval "$fix" >/dev/null
}

ports_in_one_subnet_must_answer_for_themselves() {
	ip addr add 10.0.1.2/24 dev "$other"
	ready 2
	says "sysctl -w net.ipv4.conf.$port.arp_ignore=1"
	run_the_fix sysctl
	ready 0
	ip addr del 10.0.1.2/24 dev "$other"
	sysctl -qw net.ipv4.conf.{$port,$other}.arp_ignore=0 net.ipv4.conf.{$port,$other}.arp_announce=0
}

# leaves_by ADDRESS: print the device by which answers from ADDRESS leave, as `ip` reports it.
leaves_by() {
	ip route get 10.0.1.77 from "$1" | grep -oE 'dev [^ ]+'
}

forget_rules() {
	while ip rule del from "$1" 2>/dev/null; do :; done
	ip route flush table $((1000 + $(cat "/sys/class/net/$2/ifindex")))
}

a_rule_and_a_table_route_each_port() {
	ip addr add 10.0.1.2/24 dev "$other"
	sysctl -qw net.ipv4.conf.all.arp_ignore=2 net.ipv4.conf.all.arp_announce=2
	same 'the wrong way' "dev $port" "$(leaves_by 10.0.1.2)"
	ready 0 --all --json
	says "TCP from 10.0.1.2 by $port: no rule"
	policy_of '{"shared-subnet":"routed"}'
	sed -i "s/\"name\":\"$port\"/\"name\":\"*\"/" "$work/ready.json"
	ready 2 "$work/ready.json"
	run_the_fix ip "$work/ready.json"
	same 'the right way' "dev $other" "$(leaves_by 10.0.1.2)"
	ready 2 "$work/ready.json"
	says "TCP from 10.0.1.1 leaves by $port only while"
	run_the_fix ip "$work/ready.json"
	ready 0 "$work/ready.json" --all
	says 'routed'
	# A strict filter looks up the way back by the same rules, and arp_filter as well.
	sysctl -qw net.ipv4.conf.all.arp_ignore=0 net.ipv4.conf.all.arp_announce=0
	ready 2 "$work/ready.json"
	says 'arp_ignore=1'
	sysctl -qw net.ipv4.conf.all.arp_filter=1 net.ipv4.conf.all.rp_filter=1
	ready 0 "$work/ready.json"
	forget_rules 10.0.1.2 "$other"
	ready 2
	says 'arp_ignore is 0'
	forget_rules 10.0.1.1 "$port"
	sysctl -qw net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 \
		net.ipv4.conf.all.rp_filter=0
	ready 2
	says 'sysctl -w net.ipv4.conf.all.arp_filter=0'
	sysctl -qw net.ipv4.conf.all.arp_ignore=0 net.ipv4.conf.all.arp_announce=0 \
		net.ipv4.conf.all.arp_filter=0
	ip addr del 10.0.1.2/24 dev "$other"
}

a_port_without_a_link_is_not_ready() {
	policy_of '{"hugepages":0}'
	connectx "$port" link down
	ready 2 "$work/ready.json" --slurm
	same 'the reason' "losslessctl: not ready: $port link down" "$(cat "$work/out")"
	ready 0 --all
	says 'info link'
	connectx "$port" link up
	wait_carrier
	ip link set "$port" down
	ready 2 "$work/ready.json"
	says "ip link set dev $port up"
	ip link set "$port" up
	wait_carrier
	ip addr add 10.0.1.1/24 dev "$port" 2>/dev/null
	ready 0 "$work/ready.json"
}

# rules RULES: write a policy of these rules, which may match several ports.
rules() {
	printf '{"version":1,"profiles":{"p":{}},"rules":[%s]}\n' "$1" >"$work/rules.json"
}

a_rule_without_its_ports_is_not_ready() {
	rules '{"match":{"driver":"mlx5_core"},"profile":"p","count":8}'
	ready 2 "$work/rules.json"
	says 'ports host missing (expected: complete) rule 1 expects 8 ports, and 2'
	ready 0 "$work/rules.json" "$port"
	rules '{"match":{"name":"eth*"},"profile":"p","required":true}'
	ready 2 "$work/rules.json" --slurm
	rules '{"match":{"name":"eth*"},"profile":"p"}'
	ready 3 "$work/rules.json"
	says 'no port of this host matches a rule'
	rules '{"match":{"name":"eth*"},"profile":"p","required":false}'
	ready 0 "$work/rules.json"
}

a_host_without_any_port_is_unknown() {
	connectx "$port" unplug
	connectx "$other" unplug
	ready 3
	says 'no port of this host has DCB or RDMA'
	ready 2 packaging/policies/nvidia-lossless.json --slurm
	says 'ports missing'
	expect 3 losslessctl probe serve --bind 127.0.0.1
	says 'no port of this host has DCB or RDMA'
}

formats_exclude_each_other() {
	ready 64 --slurm --json
	ready 64 --slurm --nagios
	ready 64 --nagios --json
}

the_firmware_is_not_forgotten() {
	policy_of '{"roce-accl":"on"}'
	ready 3 "$work/ready.json"
	says "unknown roce-accl $port only --firmware reads it"
	says 'run `sudo losslessctl ready --firmware`'
}

huge_pages_are_counted() {
	policy_of '{"hugepages":2,"rdma-netns":"exclusive","link-downs":0}'
	ready 2 "$work/ready.json"
	says '0 pages (expected: at least 2 pages)'
	says 'shared (expected: exclusive)'
	run_the_fix sysctl "$work/ready.json"
	policy_of '{"hugepages":2,"rdma-netns":"shared"}'
	ready 0 "$work/ready.json"
	echo 0 >/proc/sys/vm/nr_hugepages
}

it "a GPU is found, and how far it is" a_gpu_is_found
it "ports in one subnet must answer for themselves" ports_in_one_subnet_must_answer_for_themselves
it "a rule and a table route each port" a_rule_and_a_table_route_each_port
it "a port without a link is not ready" a_port_without_a_link_is_not_ready
it "a rule without its ports is not ready" a_rule_without_its_ports_is_not_ready
it "formats exclude each other" formats_exclude_each_other
it "what a policy asks of the firmware is never left out" the_firmware_is_not_forgotten
it "a service without a unit is found by its process" a_service_without_a_unit_is_found
it "huge pages are counted, and namespaces named" huge_pages_are_counted
it "the agent has a metric of each check" the_agent_has_a_metric_of_each_check
it "one failed run does not fail" one_failed_run_does_not_fail
it "results that are damaged count as none" results_that_are_damaged_count_as_none
it "without --require nothing is written" without_require_nothing_is_written
it "a user learns which facts need privileges" nobody_is_told_what_he_may_not_read
it "without a policy, the host is checked" without_a_policy_the_host_is_checked
it "without --all, nothing is said of what is ready" without_all_nothing_is_said_of_what_is_ready
it "an MTU that is too small is not ready, in each format" an_mtu_that_is_too_small_is_not_ready
it "what a policy ignores is not read" what_is_ignored_is_not_read
it "a host without any port is unknown" a_host_without_any_port_is_unknown
tap_end
