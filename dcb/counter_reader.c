#include "registry.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>

#include "ethtool.h"

/* ---- ethtool -S ---- */

/*
 * mlx5's list of counters changes with PFC, pause and channels, and three calls read it: the count,
 * the names, the values. Older kernels write as many values as exist by then, whatever the size of
 * the caller's buffer; newer ones return a count of 0 if it differs from the one expected
 * (net/ethtool/ioctl.c). So the buffer has spare room, and the names are read both before and after
 * the values: counts and names must agree.
 */
#define SPARE 8192
#define TRIES 5

/* The kernel's structs with their data, one after the other in the scratch buffer. */
struct lists {
	struct ethtool_gstrings *before, *after;
	struct ethtool_stats *values;
};

#define NAMES_BYTES (sizeof(struct ethtool_gstrings) + (size_t)ETH_GSTRING_LEN * STATS_MAX)
_Static_assert(2 * NAMES_BYTES + sizeof(struct ethtool_stats) + 8 * STATS_MAX <= SCRATCH_BYTES,
	       "the scratch holds names twice, and the values");

static struct lists lay_out(struct scratch *s)
{
	char *bytes = scratch_bytes(s);

	return (struct lists){
		.values = (struct ethtool_stats *)bytes,
		.before = (struct ethtool_gstrings *)(bytes + sizeof(struct ethtool_stats) +
						      8 * STATS_MAX),
		.after = (struct ethtool_gstrings *)(bytes + sizeof(struct ethtool_stats) +
						     8 * STATS_MAX + NAMES_BYTES),
	};
}

static bool count_names(struct host *h, const char *port, uint32_t *ret, struct err *err)
{
	/* struct ethtool_sset_info with one element in data[]. */
	struct {
		uint32_t cmd, reserved;
		uint64_t sset_mask;
		uint32_t count;
	} ask = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS };

	if (!host_ethtool(h, port, &ask, err))
		return false;
	if (!ask.sset_mask || !ask.count)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the driver has no counters");
	if (ask.count > STATS_MAX - SPARE)
		return err_set(err, ERR_UNKNOWN, E2BIG, "the driver has %u counters", ask.count);
	*ret = ask.count;
	return true;
}

static bool read_names(struct host *h, const char *port, struct ethtool_gstrings *ret, uint32_t n,
		       struct err *err)
{
	*ret = (struct ethtool_gstrings){ ETHTOOL_GSTRINGS, ETH_SS_STATS, n };
	return host_ethtool(h, port, ret, err);
}

static bool read_values(struct host *h, const char *port, struct ethtool_stats *ret, uint32_t n,
			struct err *err)
{
	*ret = (struct ethtool_stats){ ETHTOOL_GSTATS, n };
	return host_ethtool(h, port, ret, err);
}

/* Reads all three; *ret_same is true if they belong together. */
static bool read_once(struct host *h, const char *port, const struct lists *l, bool *ret_same,
		      struct err *err)
{
	uint32_t n;

	if (!count_names(h, port, &n, err) || !read_names(h, port, l->before, n, err) ||
	    !read_values(h, port, l->values, n, err) || !read_names(h, port, l->after, n, err))
		return false;
	*ret_same = l->before->len == n && l->values->n_stats == n && l->after->len == n &&
		    memcmp(l->before->data, l->after->data, (size_t)n * ETH_GSTRING_LEN) == 0;
	return true;
}

static void assign(const struct lists *l, struct sample *ret)
{
	for (uint32_t i = 0; i < l->values->n_stats; i++) {
		const char *name = (const char *)l->before->data + (size_t)i * ETH_GSTRING_LEN;
		size_t slot = slot_by_name(FROM_ETHTOOL, name, ETH_GSTRING_LEN);

		if (slot == COUNTER_SLOTS)
			continue;
		ret->value[slot] = l->values->data[i];
		ret->has[slot] = true;
	}
}

static bool ethtool_read_counters(struct host *h, const struct port *port, struct scratch *s,
				  struct sample *ret, struct err *err)
{
	struct lists l = lay_out(s);
	bool same = false;

	for (int i = 0; i < TRIES && !same; i++)
		if (!read_once(h, port->id.name, &l, &same, err))
			return false;
	if (!same)
		return err_set(err, ERR_UNKNOWN, EAGAIN, "the list of counters keeps changing");
	assign(&l, ret);
	return true;
}

const struct counter_reader counter_reader_ethtool = { .name = "ethtool",
						       .read = ethtool_read_counters };

/* ---- FEC ---- */

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

const struct counter_reader counter_reader_fec = { .name = "fec",
						   .read = fec_read_counters,
						   .is_extra = true };

/* ---- pause ---- */

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

const struct counter_reader counter_reader_pause = { .name = "pause",
						     .read = pause_read_counters,
						     .is_extra = true };

/* ---- the network interface ---- */

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

const struct counter_reader counter_reader_netdev = { .name = "netdev",
						      .read = netdev_read_counters,
						      .is_extra = true };
