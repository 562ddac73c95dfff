#!/usr/bin/env bash
# only: 6.12
# vm: --ports 4 --cpus 2
# Tests of the Ansible playbook, which sets hosts up in waves. Each host has one port of this
# kernel, and its own policy, lock and journal. Several tests share three runs, which take minutes.
. tests/system/lib.sh

hosts=(h1 h2 h3 h4)
declare -A port_of=([h1]=ens1f0np0 [h2]=ens1f1np1 [h3]=ens2f0np0 [h4]=ens2f1np1)
declare -A inside before
asked=
export HOME=$work ANSIBLE_REMOTE_TMP=$work/tmp ANSIBLE_NOCOLOR=1 ANSIBLE_PIPELINING=1
export ANSIBLE_COLLECTIONS_PATH=$work/collections

on() { nsenter --target "${inside[$1]}" --mount -- "${@:2}"; }

# make_host NAME: make a mount namespace, in which the host's shell and so all modules run.
make_host() {
	# shellcheck disable=SC2016	# the other bash expands it
	unshare --mount --propagation private bash -c '
		for folder in /etc /run /var/lib; do
			mount -t tmpfs -o mode=755 tmpfs $folder/losslessctl
		done
		echo $$ >"$1.pid" && exec sleep infinity' bash "$work/$1" &
	until [ -s "$work/$1.pid" ]; do sleep 0.05; done
	inside[$1]=$(<"$work/$1.pid")
	printf '#!/bin/sh\nexec nsenter --target %s --mount -- /bin/sh "$@"\n' "${inside[$1]}" \
		>"$work/$1"
	chmod +x "$work/$1"
}

make_hosts() {
	local name
	mkdir -p /{etc,run,var/lib}/losslessctl /sys/kernel/config/rdma_cm/mlx5_{0..3}
	for name in "${hosts[@]}"; do
		make_host "$name"
		printf '%s ansible_shell_executable=%s losslessctl_ports=%s\n' \
			"$name" "$work/$name" "\"['${port_of[$name]}']\""
	done >"$work/inventory"
	cat >>"$work/inventory" <<-END
		[all:vars]
		ansible_connection=local
		ansible_become=false
		ansible_python_interpreter=/usr/bin/python3
		losslessctl_policy=$policy
		losslessctl_package=
		losslessctl_confirm_within=240
		losslessctl_sample_for=1
		losslessctl_at_boot=false
		losslessctl_verify=false
	END
}

install_collection() {
	mkdir -p "$ANSIBLE_COLLECTIONS_PATH/ansible_collections/losslessctl"
	ln -s "$PWD/packaging/ansible" "$ANSIBLE_COLLECTIONS_PATH/ansible_collections/losslessctl/nic"
}

# play NAME OPTION...: run the playbook, and keep its output under that name.
play() {
	local name=$1 began=$SECONDS code=0
	shift
	ansible-playbook -i "$work/inventory" "$@" losslessctl.nic.rolling >"$work/play.$name" 2>&1 ||
		code=$?
	echo $code >"$work/code.$name"
	echo "# $name: $((SECONDS - began)) s"
}

# played NAME CODE TEXT...: check that the run ended with CODE and printed each TEXT.
played() {
	local name=$1 text
	same "exit code of $name" "$2" "$(<"$work/code.$name")"
	for text in "${@:3}"; do
		grep -qF -- "$text" "$work/play.$name" || echo "does not print: $text"
	done
	[ "$(<"$work/code.$name")" = "$2" ] || tail -n 40 "$work/play.$name"
}

# recap NAME HOST: print "changed failed", or nothing for a host that did not take part.
recap() {
	sed -nE "s/^$2 .* changed=([0-9]+) .* failed=([0-9]+) .*/\1 \2/p" "$work/play.$1"
}

remember() {
	local name
	asked=$(changes)
	for name in "${hosts[@]}"; do
		before[$name]=$(witness "${port_of[$name]}")
	done
}

is_as_before() {
	same "port of $1" "${before[$1]}" "$(witness "${port_of[$1]}")"
}

is_set_up() {
	expect 0 on "$1" losslessctl verify "$policy" "${port_of[$1]}"
	same "policy of $1" "$(<"$policy")" "$(on "$1" cat /etc/losslessctl/policy.json)"
}

check_mode_shows_the_diff() {
	played check 0 'ens1f0np0 by gpu-backend' '-mtu: 1500' '+mtu: 9000' '-pfc.priorities: none' \
		'+pfc.priorities: 3' '+dscp.prio: 0-25:0 26:3 27-47:0 48:6 49-63:0'
	same 'changed and failed' '2 0' "$(recap check h1)"
}

check_mode_changes_nothing() {
	is_as_before h1
	same 'changes that drivers were asked for' "$asked" "$(changes)"
	on h1 test ! -e /etc/losslessctl/policy.json || echo 'the policy is there'
}

haste_is_refused() {
	played hasty 2 'this wave (hosts: 1, forks: 5) may take longer than losslessctl_confirm_within (9 s)'
	is_as_before h1
}

a_wave_that_is_well_is_kept() {
	same 'changed and failed' '3 0' "$(recap wave h1)"
	is_set_up h1
	on h1 test ! -e /run/losslessctl/pending-confirm.json || echo 'it waits for confirmation'
}

the_host_that_fails_says_why() {
	played wave 2 'losslessctl exited with 1: ens2f0np0: writing ets'
	same 'failed' 1 "$(recap wave h3 | cut -d' ' -f2)"
	is_as_before h3
}

later_hosts_are_not_touched() {
	same 'part in it' '' "$(recap wave h4)"
	is_as_before h4
	on h4 test ! -e /etc/losslessctl/policy.json || echo 'the policy is there'
}

# The rollback ends the wait first, and the journal last.
its_wave_goes_back_by_itself() {
	local tries=0
	same 'failed' 0 "$(recap wave h2 | cut -d' ' -f2)"
	while on h2 test -e /var/lib/losslessctl/journal/pending.json && [ $((tries += 1)) -lt 150 ]; do
		sleep 2
	done
	is_as_before h2
}

a_second_run_changes_nothing() {
	played again 0
	same 'changed and failed' '0 0' "$(recap again h1)"
	is_set_up h1
}

mended_it_is_set_up() {
	same 'failed' 0 "$(recap again h3 | cut -d' ' -f2)"
	is_set_up h3
}

make_hosts
install_collection
remember
play check --check --diff --limit h1
it 'check mode shows the diff, port by port' check_mode_shows_the_diff
it 'check mode changes nothing' check_mode_changes_nothing

play hasty --limit h1 --extra-vars losslessctl_confirm_within=9
it 'a wave that cannot be confirmed in time is refused before any write' haste_is_refused

connectx "${port_of[h3]}" fault QTCT fail internal_err 1
play wave --extra-vars '{"losslessctl_waves": [1, 2, 1]}' --forks 2
it 'a wave that is well is confirmed, and kept' a_wave_that_is_well_is_kept
it 'a host that fails says why, and is as before' the_host_that_fails_says_why
it 'hosts of later waves are not touched' later_hosts_are_not_touched
it 'the other hosts of its wave roll back automatically' its_wave_goes_back_by_itself

play again --limit h1:h3 --forks 2
it 'a second run changes nothing' a_second_run_changes_nothing
it 'the host that failed is set up once it can be' mended_it_is_set_up

kill "${inside[@]}"
tap_end
