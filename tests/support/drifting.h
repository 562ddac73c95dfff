/* A port whose settings drift, on a clock that the test sets. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_DRIFTING_H
#define LOSSLESSCTL_TESTS_SUPPORT_DRIFTING_H

#include "agent/daemon/drift.h"

#define PFC SETTING(SETTING_PFC_PRIORITIES)
#define MTU SETTING(SETTING_MTU)
#define ALL (PFC | MTU)

#define SECOND 1000u
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

/* One day after the clock's start; some tests begin at its start. */
#define START (24u * HOUR)

/* Verifies the port, and expects exactly these changes. */
void drift_look_at(struct drift *d, setting_set differs, uint64_t now,
		   struct drift_changes expected);

/* No change. */
extern const struct drift_changes nothing;

/* PFC drifted. */
extern const struct drift_changes pfc_drifted;

/* PFC's drift ended by itself. */
extern const struct drift_changes pfc_ended;

/* PFC is contested. */
extern const struct drift_changes pfc_contested;

/* Another writer reverts PFC every five seconds; each repair follows at once, until a contest. */
struct drift contested_at(uint64_t *now);

#endif
