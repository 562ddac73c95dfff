#!/usr/bin/env bash
# short: 6.1
# waits
# vm: --peer
# Nothing that stops an apply stops its way back: some rows; recovery_long.sh has all.
. tests/system/lib.sh
. tests/system/lib_lldpad.sh
. tests/system/lib_agent.sh
. tests/system/lib_recovery.sh

recovery_rows <<'END'
unconfirmed before off none
unconfirmed within off watchdog
unconfirmed none off run
unconfirmed none off readonly-run
killed none off journal
killed none off readonly-run
applied none off readonly
applied dying-R off none
END
tap_end
