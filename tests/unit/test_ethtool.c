/* The highest speed that a port supports, from the modes that the kernel lists. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include "../../dcb/ethtool.h"
#include "unit.h"

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

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, speeds, that_is_the_best);
	return suite_run(&s, "ethtool");
}
