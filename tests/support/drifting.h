/* A port whose settings drift, with time as the test would have it. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_DRIFTING_H
#define LOSSLESSCTL_TESTS_SUPPORT_DRIFTING_H

#include "agent/daemon/drift.h"

#define PFC SETTING(SETTING_PFC_PRIORITIES)
#define MTU SETTING(SETTING_MTU)
#define ALL (PFC | MTU)

#define SECOND 1000u
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)

/* A day into the life of the host; some tests begin when the clock does. */
#define START (24u * HOUR)

/* Looks, and expects news of these and of no others. */
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

/* PFC is undone every five seconds and put right at once, until that is contested. */
struct drift contested_at(uint64_t *now);

#endif
