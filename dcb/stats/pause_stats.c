#include "../ethtool.h"
#include "ethtool_stats.h"

static bool pause_read_counters(struct host *h, const struct port *port, struct scratch *s,
				struct sample *ret, struct err *err)
{
	size_t slot = counter_slot(COUNT_STORM_EVENTS, 0);

	(void)s;
	if (!ethtool_get_pause_storms(h, port->id.name, &ret->value[slot], err))
		return false;
	ret->has[slot] = true;
	return true;
}

const struct counter_reader counter_reader_pause = { "pause", pause_read_counters, false };
