/* Tests of ethtool's netlink answers: the highest speed of a port, FEC blocks, pause storms. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include "dcb/ethtool.h"
#include "dcb/registry.h"
#include "tests/support/unit.h"

/* A kernel that answers every request with the same bytes. */
struct parrot {
	struct host host;
	char reply[4096];
	struct nlmsghdr *n;
	int refuses;	  /* the errno of a refusal; 0: the kernel answers */
	char asked[4096]; /* a copy of the request, which is valid only during the call */
};

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	struct parrot *p = (struct parrot *)h;

	(void)bus;
	assert_true(request->nlmsg_len <= sizeof(p->asked));
	memcpy(p->asked, request, request->nlmsg_len);
	if (p->refuses)
		return err_set(err, host_err_kind(p->refuses), p->refuses, "refused");
	return !each || each(p->n, arg) >= 0 ||
	       err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static void put_bit(struct parrot *p, uint32_t index, const char *name)
{
	struct nlattr *bit = mnl_attr_nest_start(p->n, ETHTOOL_A_BITSET_BITS_BIT);

	mnl_attr_put_u32(p->n, ETHTOOL_A_BITSET_BIT_INDEX, index);
	mnl_attr_put_strz(p->n, ETHTOOL_A_BITSET_BIT_NAME, name);
	mnl_attr_nest_end(p->n, bit);
}

/* Put one set of link modes, up to the first NULL. */
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
	struct link_speeds got = { 7, 7 };
	struct err err = { 0 };
	struct parrot p = { .host.talk = answer };

	p.n = mnl_nlmsg_put_header(p.reply);
	mnl_nlmsg_put_extra_header(p.n, sizeof(struct genlmsghdr));
	put_modes(&p, ETHTOOL_A_LINKMODES_OURS, row->modes);
	put_modes(&p, ETHTOOL_A_LINKMODES_PEER, peers);
	mnl_attr_put_u32(p.n, ETHTOOL_A_LINKMODES_SPEED, 10000);
	assert_true(ethtool_get_speeds(&p.host, "eth0", &got, &err));
	assert_int_equal(got.now, 10000);
	assert_int_equal(got.best, row->best);
}

static bool no_answer(struct host *h, enum bus bus, struct nlmsghdr *n, reply_fn *each, void *arg,
		      struct err *err)
{
	(void)h, (void)bus, (void)n, (void)each, (void)arg;
	return err_set(err, ERR_SYSTEM, EIO, "asked");
}

static void speeds_are_asked_once_in_a_check(void **s)
{
	struct link link = { .name = "eth0", .speeds_known = true, .speeds = { 25000, 100000 } };
	struct host h = { .talk = no_answer,
			  .facts = { .is_kept = true, .links = { &link, 1, true } } };
	struct link_speeds got = { 7, 7 };
	struct err err = { 0 };

	(void)s;
	assert_true(ethtool_get_speeds(&h, "eth0", &got, &err));
	assert_int_equal(got.now, 25000);
	assert_int_equal(got.best, 100000);
	assert_false(ethtool_get_speeds(&h, "eth1", &got, &err));
	link.speeds_known = false;
	assert_false(ethtool_get_speeds(&h, "eth0", &got, &err));
}

static const struct fec_row {
	const char *sentence;
	uint64_t corrected[5]; /* the total, then each lane */
	uint16_t corrected_bytes, uncorrectable_bytes;
	bool without; /* the reply has no statistics at all */
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

/* ETHTOOL_A_PAUSE_STAT_TX_PAUSE_STORM_EVENTS in headers since 2026. */
#define STORM_EVENTS 4

static const struct storm_row {
	const char *sentence;
	uint16_t bytes;	 /* the attribute's size; 0: no attribute */
	bool statistics; /* the reply has statistics; false: the driver has none */
	int refuses;
	enum err_kind kind; /* ERR_NONE: the counter is known */
} storm_rows[] = {
	{ "storms of all priorities are read", 8, true, 0, ERR_NONE },
	{ "a kernel before 2026 has no such attribute", 0, true, 0, ERR_UNSUPPORTED },
	{ "a driver without statistics counts none", 0, false, 0, ERR_UNSUPPORTED },
	{ "an attribute that is too short is none", 4, true, 0, ERR_UNSUPPORTED },
	{ "a port without pause refuses the request", 8, true, EOPNOTSUPP, ERR_UNSUPPORTED },
	{ "an error of the driver is an error", 8, true, EIO, ERR_SYSTEM },
	{ "a port that is gone is gone", 8, true, ENODEV, ERR_GONE },
};

static void put_pause_stats(struct parrot *p, const struct storm_row *row)
{
	struct nlattr *stats;

	mnl_attr_put_u8(p->n, ETHTOOL_A_PAUSE_RX, 0);
	mnl_attr_put_u8(p->n, ETHTOOL_A_PAUSE_TX, 0);
	if (!row->statistics)
		return;
	stats = mnl_attr_nest_start(p->n, ETHTOOL_A_PAUSE_STATS);
	mnl_attr_put_u64(p->n, ETHTOOL_A_PAUSE_STAT_TX_FRAMES, 100);
	mnl_attr_put_u64(p->n, ETHTOOL_A_PAUSE_STAT_RX_FRAMES, 200);
	if (row->bytes)
		mnl_attr_put(p->n, STORM_EVENTS, row->bytes, (const uint64_t[1]){ 7 });
	mnl_attr_nest_end(p->n, stats);
}

static bool asks_for_statistics(const struct parrot *p)
{
	const struct nlmsghdr *n = (const void *)p->asked;
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);
	const struct nlattr *a, *flags = NULL;

	mnl_attr_for_each_nested (a, mnl_nlmsg_get_payload_offset(n, sizeof(*g)))
		if (mnl_attr_get_type(a) == ETHTOOL_A_HEADER_FLAGS)
			flags = a;
	return g->cmd == ETHTOOL_MSG_PAUSE_GET && flags &&
	       mnl_attr_get_u32(flags) == ETHTOOL_FLAG_STATS;
}

static void so_many_storms_are_counted(void **s)
{
	const struct port port = { .id.name = "eth0" };
	const struct storm_row *row = *s;
	struct parrot p = { .host.talk = answer, .refuses = row->refuses };
	struct sample got = { 0 };
	struct err err = { 0 };

	p.n = mnl_nlmsg_put_header(p.reply);
	mnl_nlmsg_put_extra_header(p.n, sizeof(struct genlmsghdr));
	put_pause_stats(&p, row);
	assert_int_equal(counter_reader_pause.read(&p.host, &port, NULL, &got, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_true(asks_for_statistics(&p));
	has(&got, COUNT_STORM_EVENTS, row->kind == ERR_NONE);
}

/* mlx5 answers a VF, too, and refuses its writes of pause. */
static void the_registers_of_a_port_are_not_a_vf_s(void **s)
{
	static const struct feature *const all[] = { &feature_pause, &feature_storm };
	const struct port vf = { .id.name = "eth0", .is_vf = true };

	(void)s;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct host nobody = { 0 };
		struct config c = { 0 };
		struct err err = { 0 };

		assert_false(all[i]->read(&nobody, &vf, &c, &err));
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
		assert_int_equal(c.has, 0);
	}
}

static const struct negotiation_row {
	const char *sentence, *driver;
	bool negotiates, is_written;
} negotiations[] = {
	{ "a port that negotiates pause is left alone", "ice", true, false },
	{ "a port that does not is written", "ice", false, true },
	{ "mlx5 is not asked, as it does not", "mlx5_core", true, true },
};

static void negotiation_is_not_ended(void **s)
{
	const struct negotiation_row *row = *s;
	struct port port = { .id.name = "eth0" };
	struct parrot p = { .host = { .talk = answer, .may_write = true } };
	const struct config c = { .pause.rx = true };
	struct err err = { 0 };
	const struct genlmsghdr *g = mnl_nlmsg_get_payload((const void *)p.asked);

	strcpy(port.id.driver, row->driver);
	p.n = mnl_nlmsg_put_header(p.reply);
	mnl_nlmsg_put_extra_header(p.n, sizeof(struct genlmsghdr));
	mnl_attr_put_u8(p.n, ETHTOOL_A_PAUSE_AUTONEG, row->negotiates);
	mnl_attr_put_u8(p.n, ETHTOOL_A_PAUSE_RX, 0);
	mnl_attr_put_u8(p.n, ETHTOOL_A_PAUSE_TX, 0);
	assert_int_equal(feature_pause.write(&p.host, &port, &c, &c, &err), row->is_written);
	assert_int_equal(err.kind, row->is_written ? ERR_NONE : ERR_REFUSED);
	assert_int_equal(g->cmd, row->is_written ? ETHTOOL_MSG_PAUSE_SET : ETHTOOL_MSG_PAUSE_GET);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, speeds, that_is_the_best);
	SUITE_ADD(&s, speeds_are_asked_once_in_a_check);
	SUITE_ADD_ROWS(&s, fec_rows, so_many_blocks_are_counted);
	SUITE_ADD_ROWS(&s, storm_rows, so_many_storms_are_counted);
	SUITE_ADD(&s, the_registers_of_a_port_are_not_a_vf_s);
	SUITE_ADD_ROWS(&s, negotiations, negotiation_is_not_ended);
	return suite_run(&s, "ethtool");
}
