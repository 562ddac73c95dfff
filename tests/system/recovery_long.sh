#!/usr/bin/env bash
# vm: --peer
# Nothing that stops an apply stops its way back: phase of the apply, lldpad, agent and harm, each
# with each. A kernel has an eighth of the rows, another one each day.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh
. tests/system/lib_recovery.sh

# The watchdog is one of an unconfirmed apply; a completed apply has no pending journal. No agent
# starts without its status.
all_rows() {
	local lldpad agent harm
	for lldpad in none before before-R within within-R after after-R dying dying-R; do
		for agent in off report enforce; do
			for harm in none watchdog journal run readonly readonly-run; do
				[ $harm != readonly-run ] || [ $agent = off ] || continue
				echo unconfirmed $lldpad $agent $harm
				[ $harm = watchdog ] || echo killed $lldpad $agent $harm
				[ $harm = watchdog ] || [ $harm = journal ] || echo applied $lldpad $agent $harm
			done
		done
	done
}

eighth() {
	awk -v day="$(date +%j)" -v kernel="$([[ $(uname -r) == 6.1.* ]]; echo $?)" \
		'(NR + day + 4 * kernel) % 8 == 0'
}

recovery_rows < <(all_rows | eighth)
tap_end
