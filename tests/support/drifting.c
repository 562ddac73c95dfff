#include "tests/support/drifting.h"
#include "tests/support/unit.h"

void drift_look_at(struct drift *d, setting_set differs, uint64_t now,
		   struct drift_changes expected)
{
	struct drift_changes changes = drift_update(d, differs, ALL, 0, now);

	assert_true(changes.drifted == expected.drifted);
	assert_true(changes.ended == expected.ended);
	assert_true(changes.contested == expected.contested);
}

const struct drift_changes nothing;

const struct drift_changes pfc_drifted = { .drifted = PFC };

const struct drift_changes pfc_ended = { .ended = PFC };

const struct drift_changes pfc_contested = { .contested = PFC };

struct drift contested_at(uint64_t *now)
{
	struct drift d = { 0 };

	for (int i = 0; i < DRIFT_UNDONE_MAX; i++, *now += 5 * SECOND) {
		drift_look_at(&d, PFC, *now, pfc_drifted);
		assert_true(drift_due(&d, *now) == PFC);
		drift_repaired(&d, PFC, *now);
	}
	drift_look_at(&d, PFC, *now, pfc_contested);
	return d;
}
