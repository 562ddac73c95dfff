#!/usr/bin/env bash
# only: 6.12
# The agent under a real systemd with the unit of packaging/systemd: its sandbox permits all that
# the agent needs, and nothing else.
. tests/system/lib.sh
. tests/system/lib_agent.sh
. tests/system/lib_systemd.sh

service=losslessctl.service

# Every way into the kernel: dcbnl, ethtool's netlink and ioctl, rtnetlink, configfs, debugfs, sysfs.
all='{"mtu":9000,"dcbx":{"mode":"host"},"pause":{"rx":false,"tx":false},"pfc":{"priorities":[3],"storm_timeout_ms":200},'$ets',"dscp":{"prio":{"26":3,"48":6}},"roce":{"mode":"v2","tos":106,"traffic_class":106},"cnp":{"priority":6}}'

install_policy() {
	agent_policy enforce '{"allow_link_flap":true}' "$all" "ens1f0np0"
	mkdir -p /etc/losslessctl
	cp "$work/policy.json" /etc/losslessctl/policy.json
	sign_policy
}

# Sign the policy, so that the agent needs ssh-keygen in the sandbox.
sign_policy() {
	[ -e "$work/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$work/key"
	echo "fleet $(<"$work/key.pub")" >/etc/losslessctl/allowed_signers
	rm -f /etc/losslessctl/policy.json.sig
	ssh-keygen -q -Y sign -n losslessctl -f "$work/key" /etc/losslessctl/policy.json 2>/dev/null
}

service_is() { in_systemd systemctl is-active -q $service; }
as_wished() { losslessctl verify -q /etc/losslessctl/policy.json >/dev/null 2>&1; }
has_a_status() { state_of StatusText | grep -q 'port'; } # follows once all ports are read
state_of() { in_systemd systemctl show -P "$1" $service; }

without_a_policy_nothing_starts() {
	in_systemd systemctl start $service
	same 'its condition' no "$(state_of ConditionResult)"
	service_is && echo 'it runs'
}

starts_ready() {
	install_policy
	connectx $port ofed on
	rmdir "/sys/kernel/config/rdma_cm/$(rdma_of $port)" 2>/dev/null # the agent makes it
	expect 0 in_systemd systemctl start $service
	same state 'active running' "$(state_of ActiveState) $(state_of SubState)"
	quickly has_a_status || echo "status: $(state_of StatusText)"
	soon_as_wished
}

# Repairs come one after another, and a link flap takes some seconds.
soon_as_wished() {
	local tries=0
	until as_wished; do
		[ $((tries += 1)) -lt 40 ] || {
			losslessctl verify /etc/losslessctl/policy.json 2>&1 | head -n 40
			journal -u $service | tail -n 15
			return
		}
		sleep 0.5
	done
}

drift_is_repaired() {
	local rdma
	rdma=$(rdma_of $port)
	ip link set $port mtu 1500
	dcb ets set dev $port prio-tc 5:1
	dcb pfc set dev $port prio-pfc 3:off
	dcb app flush dev $port dscp-prio
	ethtool -A $port rx on tx on
	echo 0 >/sys/kernel/config/rdma_cm/"$rdma"/ports/1/default_roce_tos
	ethtool --set-tunable $port pfc-prevention-tout 300
	echo 0 >/sys/class/infiniband/"$rdma"/tc/1/traffic_class
	in_systemd systemctl reload $service
	soon_as_wished
	journal -u $service | grep -q 'ets.prio_tc is .* again: repaired and verified' || journal -u $service | tail
}

papers_are_written() {
	jq -e '.schema' $run/status.json >/dev/null || echo 'no status.json'
	quickly [ -e $run/metrics.prom ]
	setpriv --reuid=65534 --regid=65534 --clear-groups grep -q ^losslessctl_ $run/metrics.prom ||
		echo 'metrics.prom cannot be read by others'
	[ -s $var/drift.jsonl ] || echo 'no history'
	expect 0 losslessctl history
	says ets.prio_tc
	in_systemd journalctl -q -o json -u $service | jq -s -e \
		'any(.[]; .MESSAGE_ID and (.MESSAGE | test("repaired and verified")))' >/dev/null ||
		echo 'the journal has no MESSAGE_ID'
}

rights_are_few() {
	local status
	status=$(cat "/proc/$systemd/root/proc/$(state_of MainPID)/status")
	grep -q $'^CapEff:\t0000000000001000$' <<<"$status" || grep ^CapEff <<<"$status"
	grep -q $'^CapBnd:\t0000000000001000$' <<<"$status" || grep ^CapBnd <<<"$status"
	grep -q $'^NoNewPrivs:\t1$' <<<"$status" || grep ^NoNewPrivs <<<"$status"
	grep -q $'^Seccomp:\t2$' <<<"$status" || grep ^Seccomp: <<<"$status"
}

# in_sandbox COMMAND: run it once in the unit's sandbox, instead of the agent.
in_sandbox() {
	local code=0
	sed -e "s@^ExecStart=.*@ExecStart=$1@; s/^Type=.*/Type=oneshot/; /^WatchdogSec=\|^Restart\|^Condition/d" \
		"${@:2}" "$units/$service" >/run/systemd/system/probe.service
	in_systemd systemctl daemon-reload
	in_systemd systemctl start probe.service 2>/dev/null || code=$?
	rm /run/systemd/system/probe.service
	return $code
}

# List the commands that the sandbox allows or blocks for a shell.
probes() {
	cat <<-'END'
		allowed true
		allowed echo >/var/lib/losslessctl/probe; rm /var/lib/losslessctl/probe
		blocked echo >/etc/losslessctl/probe
		blocked echo >/usr/local/probe
		blocked echo >/home/probe || ls /root/.
		blocked echo 0 >/proc/sys/kernel/core_pattern
		blocked exec 3<>/dev/tcp/127.0.0.1/9
		blocked mount -t tmpfs x /mnt
		blocked unshare -n true
		blocked chown 1 /var/lib/losslessctl
		blocked cat /dev/kmsg || dd if=/dev/mem count=1
	END
}

nothing_else_can_be_done() {
	local said=/var/lib/losslessctl/probed
	probes >/run/probes
	cat >/run/probe <<-END
		while read -r wanted what; do
			is=blocked
			! (eval "\$what") </dev/null >/dev/null 2>&1 || is=allowed
			[ \$is = \$wanted ] || echo "\$is: \$what"
			tried=\$((tried + 1))
		done </run/probes >$said
		echo \$tried tried >>$said
	END
	in_sandbox '/bin/bash /run/probe' -e /^NoExecPaths=/d || echo 'no shell runs in it'
	same probes "$(probes | wc -l) tried" "$(<$said)"
}

no_other_program_runs() {
	! in_sandbox /bin/true || echo '/bin/true could be run'
}

# The agent ends cleanly within 5 s.
stops_at_once() {
	local began=$SECONDS
	expect 0 in_systemd systemctl stop $service
	[ $((SECONDS - began)) -le 5 ] || echo "it took $((SECONDS - began)) s"
	same 'its end' 'success 0' "$(state_of Result) $(state_of ExecMainStatus)"
}

a_bad_policy_fails_once() {
	echo '{' >/etc/losslessctl/policy.json
	sign_policy
	in_systemd systemctl start $service 2>/dev/null && echo 'it started'
	sleep 1
	same 'state' 'failed 65 0' "$(state_of ActiveState) $(state_of ExecMainStatus) $(state_of NRestarts)"
	journal -u $service | grep -q 'policy.json:2:1: ' || journal -u $service | tail -n 5
	in_systemd systemctl reset-failed $service
}

# Every mount is read-only in the sandbox, which says nothing about the files outside.
a_policy_that_others_may_change_is_refused() {
	install_policy
	expect 0 in_systemd systemctl start $service
	chmod 666 /etc/losslessctl/policy.json
	in_systemd systemctl reload $service
	quickly refused_since '1 minute ago'
	expect 0 in_systemd systemctl stop $service
	since=$(date '+%F %T')
	in_systemd systemctl start $service 2>/dev/null && echo 'it started'
	quickly refused_since "$since"
	in_systemd systemctl stop $service
	chmod 644 /etc/losslessctl/policy.json
	chmod 777 /etc/losslessctl
	in_systemd systemctl start $service 2>/dev/null && echo 'it started'
	in_systemd systemctl stop $service
	chmod 755 /etc/losslessctl
}

refused_since() {
	journal -u $service --since "$1" | grep -q 'policy.json has mode 0666'
}

one_that_hangs_is_started_again() {
	install_policy
	mkdir -p /run/systemd/system/$service.d
	printf '[Service]\nWatchdogSec=2\nRestartSec=0\n' >/run/systemd/system/$service.d/soon.conf
	in_systemd systemctl daemon-reload
	expect 0 in_systemd systemctl start $service
	in_systemd kill -STOP "$(state_of MainPID)"
	quickly restarted
	expect 0 in_systemd systemctl stop $service
}

restarted() { [ "$(state_of NRestarts)" -ge 1 ] && service_is; }

: >"$log"
boot_systemd
it 'without a policy nothing starts, and nothing fails' without_a_policy_nothing_starts
it 'it starts, is ready, and repairs the drift from the policy' starts_ready
in_long it 'drift is repaired by every way into the kernel' drift_is_repaired
it 'status, metrics, history and the journal are written' papers_are_written
it 'it has one capability, no new ones, and a filter' rights_are_few
in_long it 'nothing else can be done in its sandbox' nothing_else_can_be_done
it 'no other program can be run in it' no_other_program_runs
it 'it stops at once, and cleanly' stops_at_once
it 'a bad policy fails with its place, and is not tried again' a_bad_policy_fails_once
in_long it 'a policy that others may change is refused' a_policy_that_others_may_change_is_refused
in_long it 'one that hangs is started again by the watchdog' one_that_hangs_is_started_again
tap_end
