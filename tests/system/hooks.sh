#!/usr/bin/env bash
# only: 6.12
# Tests of the hooks that cron, Slurm, NHC and monitoring systems run, in their environments.
. tests/system/lib.sh
. tests/system/lib_systemd.sh

crontab=packaging/cron/losslessctl
sbin=/usr/local/sbin
etc=/etc/losslessctl/policy.json

# Install the program and scripts where the hooks look for them, and a sleep that records its time.
install_all() {
	install_program
	cp packaging/cron/verify-for-cron packaging/slurm/drain-on-drift $sbin/
	printf '#!/bin/sh\necho "$1" >>/run/slept\n' >$sbin/sleep
	chmod 755 $sbin/sleep
	mkdir -p ${etc%/*}
	ip addr add 10.0.1.1/24 dev $port # RoCE has no GIDs without addresses, and is not ready
	ip addr add 10.0.2.1/24 dev $other
	make_policy '{"mtu":4200,"pfc":{"priorities":[3]}}' 'ens1*'
	mv "$work/policy.json" $etc
}

drift() { dcb pfc set dev $port prio-pfc 3:off 5:on && wait_carrier; }
repair() { losslessctl -q apply $etc && wait_carrier; }

# cron_runs WHEN: run the crontab's line as cron does: in its environment, and "%" ends a line.
cron_runs() {
	local setting environment=() command
	while read -r setting; do
		environment+=("$setting")
	done < <(grep -E '^[A-Z]+=' $crontab)
	command=$(grep -F "$1 " $crontab | sed -E "s/^(@[a-z]+|([^ ]+ +){4}[^ ]+) +root +//; s/([^\\])%.*/\1/")
	env -i SHELL=/bin/sh HOME=/root LOGNAME=root "${environment[@]}" /bin/sh -c "$command"
}

applies_at_boot() {
	cron_runs @reboot
	expect 0 losslessctl verify $etc
}

mails_what_is_new() {
	cron_runs '*/15' >"$work/mail"
	grep -qx 'losslessctl verify: exit code 0' "$work/mail" || cat "$work/mail"
	cron_runs '*/15'
	drift
	cron_runs '*/15' >"$work/mail"
	grep -q "drift  *pfc.priorities  *3  *5" "$work/mail" || cat "$work/mail"
	grep -qx 'losslessctl verify: exit code 2' "$work/mail" || cat "$work/mail"
	cron_runs '*/15'
	repair
	cron_runs '*/15' >"$work/mail"
	grep -qx 'losslessctl verify: exit code 0' "$work/mail" || cat "$work/mail"
}

# A full disk costs no mail: what could not be kept comes again.
mails_what_it_cannot_keep() {
	local kept=/var/lib/losslessctl-cron
	mount -t tmpfs -o size=4k full $kept
	head -c 4096 /dev/zero >$kept/full
	drift
	for _ in 1 2; do
		cron_runs '*/15' >"$work/mail" 2>&1
		grep -qx 'losslessctl verify: exit code 2' "$work/mail" || cat "$work/mail"
	done
	repair
	umount $kept
}

# slept_by ID: print how long the host with this machine-id waits for its turn.
slept_by() {
	: >/run/slept
	echo "$1" >/etc/machine-id
	cron_runs '*/15' >/dev/null
	cat /run/slept
}

has_a_turn_of_its_own() {
	local first second n
	first=$(slept_by 0123456789abcdef0123456789abcdef)
	same 'the second time' "$first" "$(slept_by 0123456789abcdef0123456789abcdef)"
	second=$(slept_by 123456789abcdef0123456789abcdef0)
	[ "$first" != "$second" ] || echo "two hosts wait $first s"
	for n in $first $second; do
		[ "$n" -ge 0 ] && [ "$n" -lt 300 ] || echo "it waits $n s"
	done
}

# Run the script without a search path, as slurmd does.
slurm_runs() {
	env -i SLURM_JOB_ID=7 SLURM_JOB_UID=1000 SLURMD_NODENAME=gpu-node-1 $sbin/drain-on-drift
}

drains_on_drift() {
	slurm_runs || echo 'it drains a node that is as wished'
	drift
	slurm_runs >"$work/said" && echo 'it drains no node that has drifted'
	grep -q 'CRITICAL.*pfc.priorities' "$work/said" || cat "$work/said"
	repair
}

# not_ready COMMAND SAID: COMMAND fails and prints SAID after two of three runs at a port without
# an address.
not_ready() {
	rm -f /run/losslessctl/ready-runs
	ip addr del 10.0.1.1/24 dev $port
	"$1" >"$work/said" || echo 'one failed run is enough'
	"$1" >"$work/said" && echo 'two failed runs are not enough'
	grep -qF -- "$2" "$work/said" || cat "$work/said"
	ip addr add 10.0.1.1/24 dev $port
	"$1" || echo 'a host that is ready again is drained'
}

drains_on_nothing_else() {
	mv $etc $etc.away
	slurm_runs || echo 'it drains a node without a policy'
	echo '{' >$etc
	slurm_runs || echo 'it drains a node with a bad policy'
	mv $etc.away $etc
	connectx $port fault PFCC:read fail internal_err 0
	slurm_runs || echo 'it drains a node that cannot be read'
	connectx $port fault none
}

# check_cmd_status: like NHC's own: judge the exit code and discard the output.
check_cmd_status() {
	local option limit=5 wanted=0 code=0
	OPTIND=1
	while getopts ':C:r:t:' option; do
		case $option in
		r) wanted=$OPTARG ;;
		t) limit=$OPTARG ;;
		*) echo "check_cmd_status:  Invalid option:  -$OPTARG" && return 1 ;;
		esac
	done
	shift $((OPTIND - 1))
	timeout "$limit" "$@" </dev/null >/dev/null 2>&1 || code=$?
	[ $code -eq "$wanted" ] || {
		echo "check_cmd_status:  $code (expected $wanted) returned by \"$*\"."
		return 1
	}
}

# nhc: run the lines of its configuration whose host mask matches, until one fails.
nhc() {
	local line mask check
	while IFS= read -r line; do
		mask=${line%%||*} check=${line#*||}
		# shellcheck disable=SC2053 # a pattern is wanted
		[[ $line == [[:space:]]*'||'* && $HOSTNAME == ${mask//[[:space:]]/} ]] || continue
		eval "$check" || return
	done <packaging/nhc/losslessctl.conf
}

nhc_says() {
	nhc || echo 'a node that is as wished is taken offline'
	drift
	nhc >"$work/said" && echo 'a node that has drifted is not taken offline'
	grep -qF '2 (expected 0) returned by "losslessctl --quiet verify"' "$work/said" || cat "$work/said"
	repair
}

# Run the command for nrpe.cfg as NRPE's user.
plugin() {
	sed -n 's/^# *command\[check_losslessctl\]=//p' packaging/nagios/losslessctl.cfg |
		sed 's,/usr/sbin/,/usr/local/sbin/,; s/--sample-for [0-9]*/--sample-for 1/' >"$work/plugin"
	chmod 755 "$work"
	env -i setpriv --reuid=65534 --regid=65534 --clear-groups sh "$work/plugin"
}

# answers CODE PATTERN: the plugin exits with CODE and prints one line, with its figures.
answers() {
	local code=0 said
	said=$(plugin 2>&1) || code=$?
	same 'exit code' "$1" $code
	[[ $said =~ ^LOSSLESSCTL\ $2 && $said != *$'\n'* ]] || echo "$said"
	[ "$1" = 3 ] || [[ ${said#*|} =~ ^([a-z_]+=[0-9]+([.][0-9]+%?)?(\;(\;0|0)?)?( |$))+$ ]] || echo "figures: ${said#*|}"
}

a_plugin_for_monitors() {
	answers 0 'OK - '
	drift
	answers 2 "CRITICAL - 1 drifted [(]$port pfc.priorities[)], "
	repair
	mv $etc $etc.away
	answers 3 'UNKNOWN - .*policy.json'
	mv $etc.away $etc
}

# The definitions for Nagios and Icinga run the same command.
icinga_runs_the_same() {
	same commands "$(sed -n 's/^# *command\[.*\]=//p' packaging/nagios/losslessctl.cfg)" \
		"$(awk '/command = \[/ { gsub(/.*\[ | \].*|[",]/, ""); line = $0 }
			/"--/ { line = line " " $1 }
			/vars[.].* = / { line = line " " $NF }
			/^}/ && line { gsub(/"/, "", line); print line; line = "" }' packaging/nagios/losslessctl-icinga2.conf)"
}

reset_ports
install_all
it 'cron at boot: every port is in sync' applies_at_boot
it 'cron now and then: mails what is new, and only that' mails_what_is_new
it 'on a full disk cron mails the drift each time' mails_what_it_cannot_keep
it 'cron: a host has a turn of its own, and keeps it' has_a_turn_of_its_own
it 'Slurm: a node that has drifted is drained' drains_on_drift
it 'Slurm: a node that is not ready in two runs is drained' \
	not_ready slurm_runs 'losslessctl: not ready: gid missing'
it 'Slurm: nothing else drains a node' drains_on_nothing_else
it 'NHC: a node that has drifted is taken offline' nhc_says
it 'NHC: a node that is not ready in two runs is taken offline' \
	not_ready nhc '"losslessctl --quiet ready --require 2/3"'
it 'Nagios: a line, figures and the codes of a plugin, for any user' a_plugin_for_monitors
it 'Icinga runs what Nagios runs' icinga_runs_the_same
tap_end
