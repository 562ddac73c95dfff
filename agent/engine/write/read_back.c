#include "read_back.h"

#include <errno.h>

#include "../../../policy/model/setting.h"
#include "write_step.h"

#define SETTLE_TRIES 5

#define VALUE_MAX 48 /* length of each value in a message */

/* Records the settings that are not in effect, the first of them with both values. */
static void record_ineffective(const struct config *desired, const struct config *actual,
			       setting_set off, struct err *err)
{
	unsigned first = (unsigned)__builtin_ctzll(off);
	char expected[SETTING_TEXT_MAX], reads[SETTING_TEXT_MAX], names[SETTING_NAMES_MAX];

	setting_change_text(&settings[first], desired, actual, expected, reads);
	setting_names(off & ~SETTING(first), names);
	err_record(err, ERR_VERIFY, EIO,
		   "accepted by the kernel but not in effect: %s (expected %.*s, reads %.*s)%s%s",
		   settings[first].path, VALUE_MAX, expected, VALUE_MAX, reads,
		   names[0] ? ", " : "", names);
	err_add_fix(err,
		    "report it to the maker of driver or firmware, unless another program writes "
		    "the setting");
}

bool read_back(struct host *h, struct features all, const struct port *port,
	       const struct config *desired, setting_set *ret_off, struct err *err)
{
	struct observation seen;
	setting_set off = 0;

	for (int try = 0; try < SETTLE_TRIES; try++) {
		if (try)
			host_sleep(h, SETTLE_MS);
		if (!observe(h, all, port, &seen, err))
			return false;
		off = config_diff(desired, &seen.actual);
		if (!off)
			return true;
	}
	if (ret_off)
		*ret_off = off;
	record_ineffective(desired, &seen.actual, off, err);
	return err_in(err, "%s: reading back", port->id.name);
}
