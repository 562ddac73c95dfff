#include "compare_ports.h"

/* setting_equal() compares a policy with a port, and asks nothing of what the policy leaves out. */
static bool are_equal(const struct setting *k, const struct config *a, const struct config *b)
{
	return setting_equal(k, a, b) && setting_equal(k, b, a);
}

bool setups_differ(const struct setup *a, const struct setup *b, unsigned setting)
{
	bool in_a = a->actual->has & SETTING(setting), in_b = b->actual->has & SETTING(setting);

	return (SETUP_SETTINGS & ~a->elsewhere & ~b->elsewhere & SETTING(setting)) &&
	       (in_a != in_b || (in_a && !are_equal(&settings[setting], a->actual, b->actual)));
}

setting_set setups_differences(const struct setup *setups, size_t count)
{
	setting_set off = 0;

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		size_t first = 0;

		while (first < count && (setups[first].elsewhere & SETTING(k)))
			first++;
		for (size_t i = first + 1; i < count; i++)
			if (setups_differ(&setups[first], &setups[i], k))
				off |= SETTING(k);
	}
	return off;
}
