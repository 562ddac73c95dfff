#include <linux/ethtool.h>

#include "tests/support/stats_kernel.h"

const char *const plain[3] = { "rx_prio3_bytes", "tx_prio3_bytes", "rx_discards_phy" };

const char *const with_pfc[5] = { "rx_prio3_bytes", "rx_prio3_pause", "tx_prio3_pause",
				  "tx_prio3_bytes", "rx_discards_phy" };

const char *const with_other_pfc[5] = { "rx_prio3_bytes", "rx_prio4_pause", "tx_prio4_pause",
					"tx_prio3_bytes", "rx_discards_phy" };

const struct list types[] = { LIST(plain), LIST(with_pfc), LIST(with_other_pfc) };

uint64_t value_of(const char *name)
{
	uint64_t hash = 14695981039346656037u;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 1099511628211u;
	return hash | 1;
}

static const struct list *list_now(struct stats_kernel *k)
{
	unsigned n = k->calls++;

	if (k->restless)
		return &k->lists[n % 2];
	n = n < LISTS_MAX ? n : LISTS_MAX - 1;
	while (n > 0 && !k->lists[n].count)
		n--;
	return &k->lists[n];
}

static const char *name_at(const struct list *l, uint32_t i)
{
	for (size_t k = 0; k < COUNT(types); k++)
		if (types[k].names == l->names && i >= types[k].count)
			return "filler";
	return l->names[i];
}

/* The number of values for a caller that expects this many. */
static uint32_t answers(struct stats_kernel *k, const struct list *l, uint32_t expected)
{
	uint32_t n = k->checks && expected != l->count ? 0 : l->count;

	if (n > k->most)
		k->most = n;
	return n;
}

static void give_names(struct stats_kernel *k, const struct list *l, struct ethtool_gstrings *ret)
{
	ret->len = answers(k, l, ret->len);
	for (uint32_t i = 0; i < ret->len; i++)
		strncpy((char *)ret->data + (size_t)i * ETH_GSTRING_LEN, name_at(l, i),
			ETH_GSTRING_LEN);
}

static void give_values(struct stats_kernel *k, const struct list *l, struct ethtool_stats *ret)
{
	ret->n_stats = answers(k, l, ret->n_stats);
	for (uint32_t i = 0; i < ret->n_stats; i++)
		ret->data[i] = value_of(name_at(l, i));
}

bool answer_stats(struct host *h, const char *port, void *command, struct err *err)
{
	struct stats_kernel *k = (struct stats_kernel *)h;
	const struct list *l = list_now(k);
	struct {
		uint32_t cmd, reserved;
		uint64_t mask;
		uint32_t count;
	} *info = command;

	if (k->refuses)
		return err_set(err, host_err_kind(k->refuses), k->refuses, "%s: refused", port);
	switch (*(const uint32_t *)command) {
	case ETHTOOL_GSSET_INFO:
		assert_int_equal(info->mask, 1u << ETH_SS_STATS);
		info->mask = l->names ? info->mask : 0;
		info->count = l->count;
		return true;
	case ETHTOOL_GSTRINGS:
		give_names(k, l, command);
		return true;
	case ETHTOOL_GSTATS:
		give_values(k, l, command);
		return true;
	}
	fail_msg("asks for %u", *(const uint32_t *)command);
	return false;
}
