/* What a driver is sent, message by message, and what its refusals are told as. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "dcb/registry.h"
#include "dcb/dcbnl.h"
#include "policy/lint/headroom.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define SETS_MAX 8
#define KB	 1000

/* One object that can be read, and those that were sent; the n-th set is answered with codes[n]. */
struct driver {
	struct host host;
	uint16_t attr;
	union {
		struct dcbnl_buffer buffer;
		struct ieee_pfc pfc;
	} has;
	size_t size;
	struct ieee_ets ets; /* as all drivers have it */
	struct sent {
		uint16_t attr;
		struct dcbnl_buffer buffer;
		struct ieee_pfc pfc;
		struct ieee_ets ets;
		uint16_t apps[DSCPS]; /* the DSCPs of a table, in order */
		size_t apps_count;
	} sent[SETS_MAX];
	size_t sent_count;
	int codes[SETS_MAX];
};

static int note_app(const struct nlattr *a, void *arg)
{
	struct sent *s = arg;
	struct dcb_app app;

	memcpy(&app, mnl_attr_get_payload(a), sizeof(app));
	s->apps[s->apps_count++] = app.protocol;
	return MNL_CB_OK;
}

static int note_object(const struct nlattr *a, void *arg)
{
	struct sent *s = arg;
	const void *value = mnl_attr_get_payload(a);

	s->attr = mnl_attr_get_type(a);
	if (s->attr == DCB_ATTR_DCB_BUFFER)
		memcpy(&s->buffer, value, sizeof(s->buffer));
	if (s->attr == DCB_ATTR_IEEE_PFC)
		memcpy(&s->pfc, value, sizeof(s->pfc));
	if (s->attr == DCB_ATTR_IEEE_APP_TABLE)
		return mnl_attr_parse_nested(a, note_app, s);
	if (s->attr == DCB_ATTR_IEEE_ETS)
		memcpy(&s->ets, value, sizeof(s->ets));
	return MNL_CB_OK;
}

static int into_ieee(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == DCB_ATTR_IEEE ? mnl_attr_parse_nested(a, note_object, arg)
						     : MNL_CB_OK;
}

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	char buf[2048] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct driver *d = (struct driver *)h;
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct nlattr *ieee;

	if (bus != BUS_ROUTE || request->nlmsg_type == RTM_GETLINK)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	if (request->nlmsg_type == RTM_SETDCB) {
		assert_true(d->sent_count < SETS_MAX);
		mnl_attr_parse(request, sizeof(struct dcbmsg), into_ieee, &d->sent[d->sent_count]);
		mnl_attr_put_u8(n, DCB_ATTR_IEEE, (uint8_t)-d->codes[d->sent_count++]);
	} else {
		ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);
		mnl_attr_put(n, d->attr, d->size, &d->has);
		mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(d->ets), &d->ets);
		mnl_attr_nest_end(n, ieee);
	}
	return each(n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static bool no_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)buf;
	(void)size;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static bool no_folder(struct host *h, const char *path, void (*each)(const char *, void *),
		      void *arg, struct err *err)
{
	(void)h;
	(void)each;
	(void)arg;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static struct driver begin(uint16_t attr, size_t size)
{
	return (struct driver){ .host = { .may_write = true,
					  .root = -1,
					  .talk = answer,
					  .read_file = no_file,
					  .list_dir = no_folder },
				.attr = attr,
				.size = size };
}

static const struct port port = { .id.name = "ens1f0np0", .speed_mbps = 100000 };

/* ---- buffers ---- */

/* What a lossless buffer needs here, in whole cells of any size. */
#define LEAST 45568u

static void this_is_what_a_lossless_buffer_needs(void **s)
{
	struct headroom_link link = { .speed_mbps = 100000, .mtu = 1500, .cable_m = 5 };

	(void)s;
	assert_int_equal(headroom_of(&link).min_buffer_bytes + 1024, LEAST);
}

struct setup {
	uint8_t lossless;
	uint32_t size[8];
	uint8_t map[8];
};

#define IN_3 \
	{ \
		0, 0, 0, 3, 0, 0, 0, 0 \
	}
#define IN_4 \
	{ \
		0, 0, 0, 4, 0, 0, 0, 0 \
	}

static const struct buffer_row {
	const char *sentence;
	struct setup from, to;
	uint32_t total;
	size_t count;	   /* of messages */
	uint32_t first[8]; /* the sizes in the first one, which has the old map */
} buffer_rows[] = {
	{ "with the same map the sizes are one message",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 120 * KB }, IN_3 },
	  400 * KB,
	  1,
	  { 50 * KB, 0, 0, 120 * KB } },
	{ "where there is room every buffer is as large as before and after",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  400 * KB,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "a port that does not tell its total has room",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  0,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "a total that is just enough is enough",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  360 * KB,
	  3,
	  { 120 * KB, 0, 0, 120 * KB, 120 * KB } },
	{ "else what is lossless keeps what it has",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  360 * KB - 1,
	  3,
	  { 50 * KB, 0, 0, 100 * KB, 120 * KB } },
	{ "and has what it needs, where it had less",
	  { 0x08, { 60 * KB, 0, 0, 40 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  170 * KB + LEAST,
	  3,
	  { 50 * KB, 0, 0, LEAST, 120 * KB } },
	{ "or keeps what little it had, where that does not fit",
	  { 0x08, { 60 * KB, 0, 0, 40 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  210 * KB,
	  3,
	  { 50 * KB, 0, 0, 40 * KB, 120 * KB } },
	{ "or has only what it needs, on either side",
	  { 0x08, { 60 * KB, 0, 0, 100 * KB }, IN_3 },
	  { 0x08, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 },
	  200 * KB,
	  3,
	  { 50 * KB, 0, 0, LEAST, LEAST } },
};

static struct config config_of(const struct setup *s)
{
	struct config c = { .mtu = 1500, .pfc = { .priorities = s->lossless, .cable_m = 5 } };

	memcpy(c.buffer.size_bytes, s->size, sizeof(s->size));
	memcpy(c.buffer.prio_buffer, s->map, sizeof(s->map));
	return c;
}

static struct driver with_buffers(const struct setup *s, uint32_t total)
{
	struct driver d = begin(DCB_ATTR_DCB_BUFFER, sizeof(struct dcbnl_buffer));

	memcpy(d.has.buffer.buffer_size, s->size, sizeof(s->size));
	memcpy(d.has.buffer.prio2buffer, s->map, sizeof(s->map));
	d.has.buffer.total_size = total;
	return d;
}

static void buffers_change_so(void **s)
{
	const struct buffer_row *row = *s;
	struct config from = config_of(&row->from), to = config_of(&row->to);
	struct driver d = with_buffers(&row->from, row->total);
	const struct dcbnl_buffer *first = &d.sent[0].buffer, *last;
	struct err err = { 0 };

	assert_true(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, row->count);
	last = &d.sent[d.sent_count - 1].buffer;
	assert_memory_equal(first->buffer_size, row->first, sizeof(row->first));
	assert_memory_equal(first->prio2buffer, row->from.map, 8);
	assert_memory_equal(last->buffer_size, row->to.size, sizeof(row->to.size));
	assert_memory_equal(last->prio2buffer, row->to.map, 8);
	if (row->count == 3) { /* the map between, with the sizes that are there already */
		assert_memory_equal(d.sent[1].buffer.buffer_size, row->first, sizeof(row->first));
		assert_memory_equal(d.sent[1].buffer.prio2buffer, row->to.map, 8);
	}
}

static void where_nothing_is_lossless_the_map_comes_first(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup other = { 0, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 };
	struct driver d = with_buffers(&was, 400 * KB);
	struct config from = config_of(&was), to = config_of(&other);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 2);
	assert_memory_equal(d.sent[0].buffer.prio2buffer, other.map, 8);
	assert_memory_equal(d.sent[0].buffer.buffer_size, was.size, sizeof(was.size));
	assert_memory_equal(d.sent[1].buffer.buffer_size, other.size, sizeof(other.size));
}

/* mlx5 forgets global pause only with a map that is another one. */
static void the_same_map_is_another_for_a_moment(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup alone = { 0, { 60 * KB }, { 0 } };
	struct driver d = with_buffers(&was, 400 * KB), e = with_buffers(&alone, 400 * KB);
	struct config c = config_of(&was), one = config_of(&alone);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_buffer.write(&d.host, &port, &c, &c, &err));
	assert_int_equal(d.sent_count, 3);
	assert_int_equal(d.sent[0].buffer.prio2buffer[0], 3); /* which another priority has */
	assert_memory_equal(d.sent[1].buffer.prio2buffer, was.map, 8);
	assert_true(feature_buffer.write(&e.host, &port, &one, &one, &err));
	assert_int_equal(e.sent[0].buffer.prio2buffer[0], 1); /* there is none: the next */
	assert_int_equal(e.sent[2].buffer.prio2buffer[0], 0);
}

static const struct refusal_row {
	const char *sentence;
	int code;
	size_t at; /* which of the messages is refused */
	uint8_t lossless;
	const char *fix; /* a part of it; "": none */
} refusal_rows[] = {
	{ "ENOMEM means headroom", ENOMEM, 0, 0x08, "losslessctl headroom" },
	{ "ENOMEM means headroom at any message", ENOMEM, 2, 0x08, "losslessctl headroom" },
	{ "EINVAL means sizes", EINVAL, 1, 0x08, "exceed the port's total" },
	{ "another refusal is told as it is", EPERM, 0, 0x08, "" },
	{ "EINVAL means sizes where nothing is lossless", EINVAL, 0, 0, "exceed the port's total" },
	{ "and at the last message", EINVAL, 1, 0, "exceed the port's total" },
};

static void a_refusal_is_told_so(void **s)
{
	static const struct setup was = { 0, { 60 * KB, 0, 0, 100 * KB }, IN_3 };
	static const struct setup other = { 0, { 50 * KB, 0, 0, 0, 120 * KB }, IN_4 };
	const struct refusal_row *row = *s;
	struct driver d = with_buffers(&was, 400 * KB);
	struct config from = config_of(&was), to = config_of(&other);
	struct err err = { 0 };

	from.pfc.priorities = row->lossless;
	d.codes[row->at] = row->code;
	assert_false(feature_buffer.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(err.code, row->code);
	assert_int_equal(d.sent_count, row->at + 1);
	assert_true(row->fix[0] ? strstr(err.fix, row->fix) != NULL : !err.fix[0]);
}

/* ---- PFC ---- */

static struct driver with_pfc(uint8_t enabled, uint16_t delay)
{
	struct driver d = begin(DCB_ATTR_IEEE_PFC, sizeof(struct ieee_pfc));

	d.has.pfc.pfc_cap = 8;
	d.has.pfc.pfc_en = enabled;
	d.has.pfc.delay = delay;
	return d;
}

static void a_mask_keeps_the_delay_that_is_there(void **s)
{
	struct driver d = with_pfc(0, 77);
	struct config from = { 0 }, to = { .pfc = { .priorities = 0x08, .cable_m = 5 } };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_pfc.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 1);
	assert_int_equal(d.sent[0].pfc.pfc_en, 0x08);
	assert_int_equal(d.sent[0].pfc.delay, 77);
}

/* bnxt refuses PFC until somebody has set classes. */
static void classes_that_nobody_set_are_set_as_they_are(void **s)
{
	struct driver d = with_pfc(0, 0), set = with_pfc(0, 0);
	struct config from = { 0 }, to = { .pfc.priorities = 0x08 };
	struct err err = { 0 }, other = { 0 };

	(void)s;
	d.ets.ets_cap = set.ets.ets_cap = 8;
	d.codes[0] = set.codes[0] = EINVAL;
	assert_true(feature_pfc.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 3);
	assert_int_equal(d.sent[1].attr, DCB_ATTR_IEEE_ETS);
	assert_memory_equal(&d.sent[1].ets, &d.ets, sizeof(d.ets));
	assert_int_equal(d.sent[2].pfc.pfc_en, 0x08);
	assert_int_equal(err.kind, ERR_NONE);
	set.ets.prio_tc[3] = 1;
	assert_false(feature_pfc.write(&set.host, &port, &from, &to, &other));
	assert_int_equal(set.sent_count, 1);
	assert_int_equal(other.code, EINVAL);
}

static void settling_sends_the_mask_again_where_there_is_one(void **s)
{
	static const struct {
		uint8_t priorities;
		int code;
		bool ok;
		size_t sent;
	} rows[] = { { 0, 0, true, 0 },
		     { 0x08, 0, true, 1 },
		     { 0x08, EIO, false, 1 },
		     { 0x08, ENOMEM, false, 1 } };

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct driver d = with_pfc(rows[i].priorities, 7);
		struct config c = { .pfc.priorities = rows[i].priorities };
		struct err err = { 0 };

		d.codes[0] = rows[i].code;
		assert_int_equal(feature_pfc.reapply(&d.host, &port, &c, &err), rows[i].ok);
		assert_int_equal(d.sent_count, rows[i].sent);
		assert_int_equal(strstr(err.fix, "headroom") != NULL, rows[i].code == ENOMEM);
	}
}

/* ---- DSCP ---- */

/* Trust flips with the first entry: then the lossless traffic is where it belongs. */
static void lossless_dscps_come_first(void **s)
{
	struct driver d = with_pfc(0x08, 0);
	struct config from = { 0 }, to = { .pfc.priorities = 0x08 };
	struct err err = { 0 };

	(void)s;
	memset(from.dscp.prio, DSCP_NONE, sizeof(from.dscp.prio));
	memset(to.dscp.prio, DSCP_NONE, sizeof(to.dscp.prio));
	to.dscp.prio[10] = 1;
	to.dscp.prio[26] = 3;
	to.dscp.prio[48] = 6;
	assert_true(feature_dscp.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 1);
	assert_int_equal(d.sent[0].apps_count, 3);
	assert_int_equal(d.sent[0].apps[0], 26);
	assert_int_equal(d.sent[0].apps[1], 10);
}

static const struct class_row {
	const char *sentence, *driver;
	uint8_t classes;
	bool adds; /* the first DSCP entry, or deletes the last one */
	uint8_t prio_tc_3, tsa_5, priorities;
	bool puts_classes_at_risk;
} class_rows[] = {
	{ "ice: the first DSCP entry gives each priority its class", "ice", 8, true, 3, TSA_ETS, 8,
	  true },
	{ "ice: no more classes than the port has", "ice", 3, true, 1, TSA_STRICT, 8, true },
	{ "ice: deleting the last DSCP entry resets ETS and PFC", "ice", 8, false, 0, TSA_STRICT, 0,
	  true },
	{ "mlx5: DSCP entries leave classes alone", "mlx5_core", 8, true, 1, TSA_STRICT, 8, false },
};

static void entries_change_classes_so(void **s)
{
	const struct class_row *row = *s;
	struct port p = { .traffic_classes = row->classes };
	struct config with = { .trust = TRUST_DSCP }, none = { .trust = TRUST_PCP };
	const struct config *from = row->adds ? &none : &with, *to = row->adds ? &with : &none;
	struct config after = { .ets.prio_tc = { 0, 0, 0, 1 }, .pfc.priorities = 0x08 };
	setting_set classes = feature_ets.owns | feature_pfc.owns;

	snprintf(p.id.driver, sizeof(p.id.driver), "%s", row->driver);
	feature_dscp.side_effects(&p, from, to, &after);
	assert_int_equal(after.ets.prio_tc[3], row->prio_tc_3);
	assert_int_equal(after.ets.tsa[5], row->tsa_5);
	assert_int_equal(after.pfc.priorities, row->priorities);
	assert_int_equal((feature_dscp.risks(&p, from, to) & classes) == classes,
			 row->puts_classes_at_risk);
	assert_int_equal(feature_dscp.risks(&p, to, to) & classes, 0);
}

/* ---- ETS ---- */

/* Which number a class has that shares nothing depends on the kernel. */
static void only_classes_that_share_have_a_share(void **s)
{
	struct driver d = with_pfc(0, 0);
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	for (int tc = 0; tc < 8; tc++) {
		d.ets.tc_tsa[tc] = tc < 2 ? IEEE_8021QAZ_TSA_ETS : IEEE_8021QAZ_TSA_STRICT;
		d.ets.tc_tx_bw[tc] = tc < 2 ? 50 : 100;
	}
	assert_true(feature_ets.read(&d.host, &port, &c, &err));
	for (int tc = 0; tc < 8; tc++)
		assert_int_equal(c.ets.bandwidth[tc], tc < 2 ? 50 : 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, lossless_dscps_come_first);
	SUITE_ADD_ROWS(&s, class_rows, entries_change_classes_so);
	SUITE_ADD(&s, only_classes_that_share_have_a_share);

	SUITE_ADD(&s, this_is_what_a_lossless_buffer_needs);
	SUITE_ADD_ROWS(&s, buffer_rows, buffers_change_so);
	SUITE_ADD(&s, where_nothing_is_lossless_the_map_comes_first);
	SUITE_ADD(&s, the_same_map_is_another_for_a_moment);
	SUITE_ADD_ROWS(&s, refusal_rows, a_refusal_is_told_so);
	SUITE_ADD(&s, a_mask_keeps_the_delay_that_is_there);
	SUITE_ADD(&s, classes_that_nobody_set_are_set_as_they_are);
	SUITE_ADD(&s, settling_sends_the_mask_again_where_there_is_one);
	return suite_run(&s, "driver");
}
