#!/usr/bin/env bash
# short: 6.1
# Tests of the firmware's settings, which NVIDIA's tools read. The simulated adapter has no
# firmware: scripts in place of the tools print the tools' output. No hardware has proven it.
. tests/system/lib.sh
. tests/system/lib_programs.sh

recorded=tests/fuzz/corpus/firmware
nvconfig=$work/nvconfig
roce_accl=$work/roce_accl
asked=$work/asked

programs_can_be_added /usr/bin

# stand_in TOOL FILE: put a script in TOOL's place that prints FILE and exits with FILE.code.
stand_in() {
	cat >"/usr/bin/$1" <<-END
		#!/bin/sh
		echo "\$0 \$*" >>$asked
		grep CapEff /proc/self/status >>$work/capabilities
		env >$work/environment
		readlink /proc/self/fd/0 >$work/input
		cat $2
		exit \$(cat $2.code)
	END
	chmod 755 "/usr/bin/$1"
	echo 0 >"$2.code"
}

# prints FILE RECORDED [CODE]: let the script print RECORDED from now on; port 1 is function 0.
prints() {
	cat "$recorded/$2" >"$1"
	echo "${3-0}" >"$1.code"
	: >"$asked"
}

# verifies CODE SETUP TEXT...
verifies() {
	local text
	make_policy "$2" $port
	expect "$1" losslessctl verify --firmware "$work/policy.json"
	for text in "${@:3}"; do
		says "$text"
	done
}

firmware='{"firmware":{"nvconfig":{"CNP_DSCP":48,"QOS_TRUST_STATE":"TRUST_DSCP"}}}'
in_sync='{"firmware":{"nvconfig":{"CNP_DSCP":48,"LLDP_NB_DCBX":false,"ROCE_CC_PRIO_MASK":255}}}'

is_not_installed() {
	rm -f /usr/bin/{mst,mlx}{config,reg}
	verifies 3 "$firmware" 'unsupported' \
		'neither /usr/bin/mstconfig nor /usr/bin/mlxconfig is installed (package mstflint)'
}

is_skipped_without_the_option() {
	local verb
	stand_in mstconfig "$nvconfig"
	stand_in mstreg "$roce_accl"
	prints "$nvconfig" nvconfig-two-ports
	make_policy "$firmware" $port
	expect 3 losslessctl verify --all "$work/policy.json"
	says 'queried only with --firmware'
	for verb in plan apply; do
		expect 0 losslessctl $verb "$work/policy.json"
		says 'queried only with --firmware'
	done
	make_policy '{"mtu":1500}' $port
	expect 0 losslessctl verify --firmware "$work/policy.json"
	expect 0 losslessctl show $port
	same 'the tool was asked' '' "$(cat "$asked")"
}

# ready_says CODE TEXT...: `ready` exits with CODE and prints each TEXT for the two firmware checks.
ready_says() {
	local text
	expect "$1" losslessctl ready --firmware "$work/policy.json"
	for text in "${@:2}"; do
		says "$text"
	done
}

ready_asks() {
	stand_in mstconfig "$nvconfig"
	stand_in mstreg "$roce_accl"
	prints "$roce_accl" roce-accl
	prints "$nvconfig" nvconfig-two-ports
	printf '{"version":1,"ready":{"gid":"ignore","roce-accl":"on"},"profiles":{"p":{"mtu":1500}},"rules":[{"match":{"name":"%s"},"profile":"p"}]}\n' \
		"$port" >"$work/policy.json"
	expect 3 losslessctl ready --all "$work/policy.json"
	says 'only --firmware reads it, and the policy expects it'
	same 'the tool was asked' '' "$(cat "$asked")"
	ready_says 2 'QOS_TRUST_STATE changes at the next boot' 'with mstfwreset' \
		'2 of 6 on (expected: on)' "in register ROCE_ACCL of device ${pci_of[$port]}"
	sed -i 's/TRUST_DSCP(6)/TRUST_PCP(5)/' "$nvconfig"
	sed -i '/_field_select/!s/0x00000000/0x00000001/' "$roce_accl"
	ready_says 0 '5 of 5 checks ready'
	prints "$nvconfig" nvconfig-cannot-open 1
	ready_says 3 'unknown' 'nvconfig'
}

is_in_sync() {
	prints "$nvconfig" nvconfig-two-ports
	verifies 0 "$in_sync"
	same 'the command' "/usr/bin/mstconfig -d ${pci_of[$port]} -e q" "$(cat "$asked")"
	expect 0 losslessctl --json verify --all --firmware "$work/policy.json"
	says '"setting":"firmware.nvconfig","status":"in_sync"'
}

awaits_a_reset() {
	prints "$nvconfig" nvconfig-two-ports
	verifies 2 "$firmware" 'QOS_TRUST_STATE TRUST_PCP (next boot TRUST_DSCP)' \
		"the next boot has the desired values: reset the firmware of device ${pci_of[$port]} with mstfwreset"
	expect 2 losslessctl --json verify --firmware "$work/policy.json"
	says '"actual":{"QOS_TRUST_STATE":{"current":"TRUST_PCP","next_boot":"TRUST_DSCP"}}'
}

drifts() {
	prints "$nvconfig" nvconfig-two-ports
	verifies 2 '{"firmware":{"nvconfig":{"CNP_DSCP":46,"LLDP_NB_DCBX":true}}}' \
		"set LLDP_NB_DCBX_P1=1 CNP_DSCP_P1=46 in the firmware of device ${pci_of[$port]}"
}

plan_warns() {
	prints "$nvconfig" nvconfig-two-ports
	make_policy '{"firmware":{"nvconfig":{"CNP_DSCP":46}}}' $port
	expect 0 losslessctl plan --firmware "$work/policy.json"
	says 'nothing to write; firmware.nvconfig differs'
	says "firmware.nvconfig is CNP_DSCP 48, expected CNP_DSCP 46: set CNP_DSCP_P1=46 in the firmware"
	expect 64 losslessctl apply --firmware "$work/policy.json"
}

is_not_whole() {
	prints "$nvconfig" nvconfig-failed 1
	verifies 3 "$firmware" 'unknown' 'the value of QOS_TRUST_STATE cannot be read'
	prints "$nvconfig" nvconfig-cannot-open 1
	verifies 3 "$firmware" 'unknown' 'mstconfig: Failed to open the device'
	prints "$nvconfig" not-text
	verifies 3 "$firmware" 'unknown'
	prints "$nvconfig" nvconfig-next-boot-only
	verifies 3 "$firmware" 'unknown' 'the firmware does not report current values'
	prints "$nvconfig" empty
	verifies 3 "$firmware" 'unknown' 'mstconfig printed no table'
}

is_lacking() {
	prints "$nvconfig" nvconfig-two-ports
	verifies 3 '{"firmware":{"nvconfig":{"INTERNAL_CPU_OFFLOAD_ENGINE":"ENABLED"}}}' \
		'unsupported' 'the adapter has no INTERNAL_CPU_OFFLOAD_ENGINE'
	verifies 3 '{"firmware":{"nvconfig":{"INTERNAL_CPU_OFFLOAD_ENGINE":"ENABLED"}},"optional":["firmware.*"]}'
}

accelerations() {
	prints "$roce_accl" roce-accl
	verifies 0 '{"firmware":{"roce_accl":{"roce_adp_retrans_en":true,"roce_tx_window_en":false}}}'
	same 'the command' "/usr/bin/mstreg -d ${pci_of[$port]} --reg_name ROCE_ACCL --get" "$(cat "$asked")"
	verifies 2 '{"firmware":{"roce_accl":{"roce_tx_window_en":true}}}' \
		"set roce_tx_window_en=0x1 in register ROCE_ACCL of device ${pci_of[$port]}"
	verifies 3 '{"firmware":{"roce_accl":{"adaptive_routing_forced_en":true}}}' 'unsupported'
}

# MFT has other names for the tools.
by_mft() {
	rm /usr/bin/mst{config,reg}
	stand_in mlxconfig "$nvconfig"
	prints "$nvconfig" nvconfig-newer
	verifies 0 "$in_sync"
	same 'the command' "/usr/bin/mlxconfig -d ${pci_of[$port]} -e q" "$(cat "$asked")"
	rm /usr/bin/mlxconfig
}

runs_with_little() {
	stand_in mstconfig "$nvconfig"
	prints "$nvconfig" nvconfig-two-ports
	: >"$work/capabilities"
	SECRET=1 verifies 0 "$in_sync"
	same 'capabilities' 'CapEff: 0000000000200000' "$(tr -s ' \t' ' ' <"$work/capabilities")"
	same 'environment' 'LC_ALL PATH' "$(sed 's/=.*//' "$work/environment" | grep -vE '^(_|PWD|SHLVL|OLDPWD)$' | sort | xargs)"
	same 'standard input' /dev/null "$(cat "$work/input")"
}

is_somebody_elses() {
	prints "$nvconfig" nvconfig-two-ports
	chmod 777 /usr/bin/mstconfig
	verifies 3 "$in_sync" 'unknown' '/usr/bin/mstconfig'
	chmod 755 /usr/bin/mstconfig
	chown nobody /usr/bin/mstconfig
	verifies 3 "$in_sync" 'unknown' '/usr/bin/mstconfig'
	chown root /usr/bin/mstconfig
	same 'the tool was asked' '' "$(cat "$asked")"
}

# A caller may ignore SIGCHLD: then nobody can wait for a child.
ignored_children() {
	stand_in mstconfig "$nvconfig"
	prints "$nvconfig" nvconfig-cannot-open 1
	make_policy "$in_sync" $port
	expect 3 timeout 15 env --ignore-signal=CHLD losslessctl verify --firmware "$work/policy.json"
	says 'mstconfig: Failed to open the device'
}

# yes soon exceeds the limit of the output, which ends it.
prints_without_end() {
	cat >/usr/bin/mstconfig <<-'END'
		#!/bin/sh
		exec yes CNP_DSCP_P1
	END
	verifies 3 "$in_sync" 'unknown' 'mstconfig printed no table'
}

needs_root() {
	expect 64 losslessctl verify --firmware --root "$work" "$work/policy.json"
	chmod 644 "$work/policy.json"
	expect 3 setpriv --reuid nobody --clear-groups losslessctl verify --firmware "$work/policy.json"
	says 'a query of the firmware needs root'
}

agent_does_not_ask() {
	stand_in mstconfig "$nvconfig"
	prints "$nvconfig" nvconfig-two-ports
	make_policy "$firmware" $port
	timeout 5 losslessctl agent --verify-interval 1 "$work/policy.json" >"$work/log" 2>&1
	same 'the tool was asked' '' "$(cat "$asked")"
	! grep -q firmware.nvconfig "$work/log" || cat "$work/log"
}

it 'a tool that is not installed makes the setting unsupported' is_not_installed
it 'without the option nothing is asked, and the setting is skipped' is_skipped_without_the_option
it 'values now and at the next boot are in sync' is_in_sync
it 'a value that waits for the next boot asks for a reset' awaits_a_reset
it 'drift names the command of this port' drifts
it 'plan warns, and blocks nothing' plan_warns
it 'a parameter that the tool does not print is unknown' is_not_whole
it 'what the adapter lacks is unsupported, or skipped if optional' is_lacking
it 'ROCE_ACCL is verified by mstreg' accelerations
it "MFT's names of the tools do as well" by_mft
it 'a tool gets one capability, a clean environment and no input' runs_with_little
it 'a tool that others than root can change is not run' is_somebody_elses
it "a caller's ignored SIGCHLD changes nothing" ignored_children
it 'output without end is cut' prints_without_end
it 'only root can ask, and only this host' needs_root
it 'the agent asks nothing' agent_does_not_ask
it 'ready asks only with --firmware, and finds what awaits a boot' ready_asks
umount /usr/bin
tap_end
