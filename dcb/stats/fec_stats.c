#include "../ethtool.h"
#include "ethtool_stats.h"

static void set_fec_counter(struct sample *s, enum counter_id id, const struct fec_count *c)
{
	size_t slot = counter_slot(id, 0);

	s->value[slot] = c->total;
	s->has[slot] = c->known;
}

static bool fec_read_counters(struct host *h, const struct port *port, struct scratch *s,
			      struct sample *ret, struct err *err)
{
	struct fec_stats stats;

	(void)s;
	if (!ethtool_get_fec_stats(h, port->id.name, &stats, err))
		return false;
	set_fec_counter(ret, COUNT_FEC_CORRECTED_BLOCKS, &stats.corrected);
	set_fec_counter(ret, COUNT_FEC_UNCORRECTABLE_BLOCKS, &stats.uncorrectable);
	return true;
}

const struct counter_reader counter_reader_fec = { "fec", fec_read_counters, false };
