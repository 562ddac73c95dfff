/* Rows of test_symptom.c: ports that are paused all the time, in a deadlock or not. */
#ifndef LOSSLESSCTL_TESTS_UNIT_AGENT_MONITOR_ROWS_SYMPTOM_DEADLOCK_H
#define LOSSLESSCTL_TESTS_UNIT_AGENT_MONITOR_ROWS_SYMPTOM_DEADLOCK_H

#include "tests/unit/agent/monitor/rows_symptom.h"

static const struct row deadlock_rows[] = {
	{ "paused all the time, and nothing sent", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } }, .before = "pause-deadlock-suspected" },
	{ "as much as one frame a second is nothing", "pause-deadlock-suspected",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9000000 }, { COUNT_TX_BYTES, 3, 99999 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } }, .after = "pause-storm-received",
	  .figures = "priority 3 was paused for 90 % of 10 s and sent 99999 bytes",
	  .look = ORIGIN_FABRIC },
	{ "a little less pause is a storm alone", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 8999999 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } } },
	{ "an incast lets bytes through", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 }, { COUNT_TX_BYTES, 3, 100000 } },
	  .latest = { { COUNT_TX_BYTES, 3, 170000 } } },
	{ "a priority that was never used is idle", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 } } },
	{ "an idle port is not paused", "", .changes = { { 0 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } } },
	{ "bytes that are unknown are no lack of progress", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 }, { COUNT_TX_BYTES, 3, UNKNOWN } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } } },
	{ "a lossy priority is in no deadlock", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } }, .setup = NOT_LOSSLESS },
	{ "the progress of another priority is none", "pause-storm-received",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 }, { COUNT_TX_BYTES, 0, 10000000000 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } }, .before = "pause-deadlock-suspected" },
	{ "while the link comes and goes nothing is sent", "",
	  .changes = { { COUNT_RX_PAUSE_US, 3, 9900000 } },
	  .latest = { { COUNT_TX_BYTES, 3, 70000 } }, .unsteady = true },
};

#endif
