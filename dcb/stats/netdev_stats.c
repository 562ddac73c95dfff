
#include <errno.h>
#include <stdlib.h>

#include "ethtool_stats.h"

static bool read_netdev_counter(struct host *h, const char *port, const char *name, uint64_t *ret,
				struct err *err)
{
	char text[32], *end;

	if (!host_read_file(h, text, sizeof(text), err, "/sys/class/net/%s/%s", port, name))
		return false;
	*ret = strtoull(text, &end, 10);
	return (end > text && !*end) ||
	       err_set(err, ERR_UNKNOWN, EINVAL, "%s is \"%s\" instead of a number", name, text);
}

static bool netdev_read_counters(struct host *h, const struct port *port, struct scratch *s,
				 struct sample *ret, struct err *err)
{
	(void)s;
	for (unsigned id = 0; id < COUNTER_COUNT; id++) {
		size_t slot = counter_slot(id, 0);

		if (counters[id].source != FROM_NETDEV)
			continue;
		if (!read_netdev_counter(h, port->id.name, counters[id].name, &ret->value[slot],
					 err))
			return false;
		ret->has[slot] = true;
	}
	return true;
}

const struct counter_reader counter_reader_netdev = { "netdev", netdev_read_counters, false };
