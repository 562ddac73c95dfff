/* What the kernel answers: the highest speed that a port supports, and what FEC counted. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include "dcb/stats/ethtool_stats.h"
#include "dcb/ethtool.h"
#include "tests/support/unit.h"

/* A kernel that answers every request with the same bytes. */
struct parrot {
	struct host host;
	char reply[4096];
	struct nlmsghdr *n;
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	(void)bus;
	(void)request;
	return each(p->n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static void put_bit(struct parrot *p, uint32_t index, const char *name)
{
	struct nlattr *bit = mnl_attr_nest_start(p->n, ETHTOOL_A_BITSET_BITS_BIT);

	mnl_attr_put_u32(p->n, ETHTOOL_A_BITSET_BIT_INDEX, index);
	mnl_attr_put_strz(p->n, ETHTOOL_A_BITSET_BIT_NAME, name);
	mnl_attr_nest_end(p->n, bit);
}

/* The bits of one set of modes, up to the first that is NULL. */
static void put_modes(struct parrot *p, uint16_t set, const char *const names[4])
{
	struct nlattr *outer = mnl_attr_nest_start(p->n, set), *bits;

	mnl_attr_put_u32(p->n, ETHTOOL_A_BITSET_SIZE, 92);
	bits = mnl_attr_nest_start(p->n, ETHTOOL_A_BITSET_BITS);
	for (uint32_t i = 0; i < 4 && names[i]; i++)
		put_bit(p, i, names[i]);
	mnl_attr_nest_end(p->n, bits);
	mnl_attr_nest_end(p->n, outer);
}

static const struct speed_row {
	const char *sentence, *modes[4];
	uint32_t best;
} speeds[] = {
	{ "the highest mode is the best",
	  { "25000baseCR/Full", "100000baseCR4/Full", "40000baseCR4/Full" },
	  100000 },
	{ "what is no mode has no speed", { "Autoneg", "FIBRE", "10000baseR_FEC", "RS" }, 10000 },
	{ "half a duplex has its speed, too", { "100baseT/Half" }, 100 },
	{ "a port without modes has none", { "Autoneg", "Pause" }, 0 },
	{ "a port that lists nothing has none", { NULL }, 0 },
	{ "a speed beyond all bounds is none", { "99999999999base/Full" }, 0 },
};

static void that_is_the_best(void **s)
{
	static const char *const peers[4] = { "400000baseCR4/Full" };
	const struct speed_row *row = *s;
	uint32_t best = 7;
	struct err err = { 0 };
	struct parrot p = { .host.talk = answer };

	p.n = mnl_nlmsg_put_header(p.reply);
	mnl_nlmsg_put_extra_header(p.n, sizeof(struct genlmsghdr));
	put_modes(&p, ETHTOOL_A_LINKMODES_OURS, row->modes);
	put_modes(&p, ETHTOOL_A_LINKMODES_PEER, peers);
	assert_true(ethtool_get_best_speed(&p.host, "eth0", &best, &err));
	assert_int_equal(best, row->best);
}

static const struct fec_row {
	const char *sentence;
	uint64_t corrected[5]; /* the total, and that of each lane */
	uint16_t corrected_bytes, uncorrectable_bytes;
	bool without; /* no statistics at all: the kernel has none of them */
	bool has_corrected, has_uncorrectable;
} fec_rows[] = {
	{ "a total alone is read", { 7 }, 8, 8, false, true, true },
	{ "of a total and its lanes the total is read",
	  { 7, 3, 4, 0, 0 },
	  40,
	  40,
	  false,
	  true,
	  true },
	{ "an empty array is no counter", { 0 }, 0, 8, false, false, true },
	{ "arrays that are all empty are none", { 0 }, 0, 0, false, false, false },
	{ "what is shorter than a number is none", { 7 }, 7, 8, false, false, true },
	{ "a reply without statistics has none", { 0 }, 0, 0, true, false, false },
};

static void has(const struct sample *s, enum counter_id id, bool known)
{
	assert_int_equal(s->has[counter_slot(id, 0)], known);
	assert_int_equal(s->value[counter_slot(id, 0)], known ? 7 : 0);
}

static void so_many_blocks_are_counted(void **s)
{
	const struct port port = { .id.name = "eth0" };
	const struct fec_row *row = *s;
	struct parrot p = { .host.talk = answer };
	struct sample got = { 0 };
	struct err err = { 0 };
	struct nlattr *stats;

	p.n = mnl_nlmsg_put_header(p.reply);
	mnl_nlmsg_put_extra_header(p.n, sizeof(struct genlmsghdr));
	if (!row->without) {
		stats = mnl_attr_nest_start(p.n, ETHTOOL_A_FEC_STATS);
		mnl_attr_put(p.n, ETHTOOL_A_FEC_STAT_CORRECTED, row->corrected_bytes,
			     row->corrected);
		mnl_attr_put(p.n, ETHTOOL_A_FEC_STAT_UNCORR, row->uncorrectable_bytes,
			     (const uint64_t[5]){ 7 });
		mnl_attr_put(p.n, ETHTOOL_A_FEC_STAT_CORR_BITS, 8, (const uint64_t[1]){ 9 });
		mnl_attr_nest_end(p.n, stats);
	}
	assert_int_equal(counter_reader_fec.read(&p.host, &port, NULL, &got, &err),
			 row->has_corrected || row->has_uncorrectable);
	has(&got, COUNT_FEC_CORRECTED_BLOCKS, row->has_corrected);
	has(&got, COUNT_FEC_UNCORRECTABLE_BLOCKS, row->has_uncorrectable);
	if (!row->has_corrected && !row->has_uncorrectable)
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, speeds, that_is_the_best);
	SUITE_ADD_ROWS(&s, fec_rows, so_many_blocks_are_counted);
	return suite_run(&s, "ethtool");
}
