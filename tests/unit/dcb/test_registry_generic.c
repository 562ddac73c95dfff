/*
 * DCB beyond mlx5, on a kernel that keeps what any driver may: APP entries of every kind, the
 * selectors that are trusted, a recommendation, and a PFC that waits for classes. And what is read
 * of it that cannot be.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "dcb/registry.h"
#include "dcb/tsa.h"
#include "dcb/dcbnl.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define ENTRIES_MAX 48
#define TRUST_MAX   (SELECTORS_MAX + 2)
#define ETHERTYPE   IEEE_8021QAZ_APP_SEL_ETHERTYPE
#define DGRAM	    IEEE_8021QAZ_APP_SEL_DGRAM
#define ANY	    IEEE_8021QAZ_APP_SEL_ANY
#define DSCP	    IEEE_8021QAZ_APP_SEL_DSCP

struct entry {
	uint8_t selector, priority;
	uint16_t protocol;
};

struct kernel {
	struct host host;
	struct dcb_app apps[ENTRIES_MAX];
	size_t app_count;
	uint8_t trust[TRUST_MAX];
	size_t trust_count;
	bool has_trust, has_ets;
	struct ieee_ets ets;
	uint8_t pfc;
	uint64_t rate;		 /* of each class */
	bool needs_classes;	 /* else PFC is refused */
	int no_pfc, no_ets;	 /* an errno of the driver's */
	unsigned talks, fail_at; /* the one that fails with EIO */
	char log[256]; /* "+selector/protocol/priority", "-...", and attributes of trust */
};

static void __attribute__((format(printf, 2, 3))) note(struct kernel *k, const char *fmt, ...)
{
	size_t used = strlen(k->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(k->log + used, sizeof(k->log) - used, fmt, ap);
	va_end(ap);
}

/* ---- what it is asked ---- */

/* With what a kernel of another version may put in between. */
static void put_junk(struct nlmsghdr *n, uint16_t type)
{
	mnl_attr_put(n, 77, 8, "another");
	mnl_attr_put(n, type, 2, "ab");
}

static void put_all(struct nlmsghdr *n, const struct kernel *k)
{
	struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = k->pfc, .delay = 42 };
	struct ieee_maxrate rates = { { k->rate, k->rate } };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE), *table;

	if (k->has_ets)
		mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(k->ets), &k->ets);
	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	mnl_attr_put(n, DCB_ATTR_IEEE_MAXRATE, sizeof(rates), &rates);
	table = mnl_attr_nest_start(n, DCB_ATTR_IEEE_APP_TABLE);
	put_junk(n, DCB_ATTR_IEEE_APP);
	for (size_t i = 0; i < k->app_count; i++)
		mnl_attr_put(n, DCB_ATTR_IEEE_APP, sizeof(k->apps[i]), &k->apps[i]);
	mnl_attr_nest_end(n, table);
	if (k->has_trust) {
		table = mnl_attr_nest_start(n, ATTR_APP_TRUST_TABLE);
		put_junk(n, DCB_ATTR_IEEE_APP);
		for (size_t i = 0; i < k->trust_count; i++)
			mnl_attr_put_u8(n, DCB_ATTR_IEEE_APP, k->trust[i]);
		mnl_attr_nest_end(n, table);
	}
	mnl_attr_nest_end(n, ieee);
}

/* ---- what it is told ---- */

static void change_apps(struct kernel *k, const struct nlattr *table, bool adds)
{
	const struct nlattr *a;

	mnl_attr_for_each_nested (a, table) {
		struct dcb_app app;

		memcpy(&app, mnl_attr_get_payload(a), sizeof(app));
		note(k, "%c%u/%u/%u ", adds ? '+' : '-', app.selector, app.protocol, app.priority);
		if (adds) {
			assert_true(k->app_count < ENTRIES_MAX);
			k->apps[k->app_count++] = app;
			continue;
		}
		for (size_t i = 0; i < k->app_count; i++)
			if (memcmp(&k->apps[i], &app, sizeof(app)) == 0)
				k->apps[i] = k->apps[--k->app_count];
	}
}

static int set_pfc(struct kernel *k, const struct nlattr *a)
{
	struct ieee_pfc pfc;

	memcpy(&pfc, mnl_attr_get_payload(a), sizeof(pfc));
	assert_int_equal(pfc.delay, 42); /* it goes back as it came */
	note(k, "pfc:%u ", pfc.pfc_en);
	if (k->needs_classes)
		return EINVAL;
	if (!k->no_pfc)
		k->pfc = pfc.pfc_en;
	return k->no_pfc;
}

static int set_ets(struct kernel *k, const struct nlattr *a)
{
	note(k, "ets ");
	if (!k->no_ets) {
		memcpy(&k->ets, mnl_attr_get_payload(a), sizeof(k->ets));
		k->ets.ets_cap = 8;
	}
	k->needs_classes = k->needs_classes && k->no_ets != 0;
	return k->no_ets;
}

static int change(struct kernel *k, const struct nlattr *ieee, uint8_t cmd)
{
	const struct nlattr *a, *selector;
	int code = 0;

	mnl_attr_for_each_nested (a, ieee)
		switch (mnl_attr_get_type(a)) {
		case DCB_ATTR_IEEE_APP_TABLE:
			change_apps(k, a, cmd == DCB_CMD_IEEE_SET);
			break;
		case ATTR_APP_TRUST_TABLE:
			mnl_attr_for_each_nested (selector, a)
				note(k, "%u:%u ", mnl_attr_get_type(selector),
				     mnl_attr_get_u8(selector));
			break;
		case DCB_ATTR_IEEE_PFC:
			code = set_pfc(k, a);
			break;
		case DCB_ATTR_IEEE_ETS:
			code = set_ets(k, a);
			break;
		default:
			fail_msg("attribute %u", mnl_attr_get_type(a));
		}
	return code;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct kernel *k = (struct kernel *)h;
	char buf[4096] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	const struct dcbmsg *d = mnl_nlmsg_get_payload(request);
	const struct nlattr *a;

	assert_int_equal(bus, BUS_ROUTE);
	if (++k->talks == k->fail_at)
		return err_set(err, ERR_SYSTEM, EIO, "no");
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	if (request->nlmsg_type == RTM_GETDCB)
		put_all(n, k);
	else
		mnl_attr_for_each (a, request, sizeof(*d))
			if (mnl_attr_get_type(a) == DCB_ATTR_IEEE)
				mnl_attr_put_u8(n, DCB_ATTR_IEEE, (uint8_t)-change(k, a, d->cmd));
	return each(n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

/* As sysctl would have it. */
static const char *tcp_ecn;

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	snprintf(buf, size, "%s", tcp_ecn ? tcp_ecn : "");
	return tcp_ecn || err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static struct kernel kernel(void)
{
	return (struct kernel){
		.host = { .root = -1, .may_write = true, .talk = talk, .read_file = read_file },
		.has_trust = true,
		.has_ets = true,
	};
}

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7 };

/* ---- APP entries ---- */

static const struct app_row {
	const char *sentence;
	struct entry there[4];
	size_t more; /* so many of other ports */
	struct entry found[4];
	int code;
	const char *text;
} apps[] = {
	{ "a port without entries has none", { { 0 } }, 0, { { 0 } }, 0, "" },
	{ "an entry is found",
	  { { ETHERTYPE, 3, 0x8915 }, { ANY, 4, 4791 } },
	  0,
	  { { ETHERTYPE, 3, 0x8915 }, { ANY, 4, 4791 } },
	  0,
	  "" },
	{ "an entry that is there twice is one",
	  { { DGRAM, 3, 4791 }, { DGRAM, 3, 4791 } },
	  0,
	  { { DGRAM, 3, 4791 } },
	  0,
	  "" },
	{ "those of DSCP are another's, as are those of no kind that is known",
	  { { DSCP, 3, 26 }, { DSCP + 1, 3, 1 }, { DGRAM, 3, 4791 } },
	  0,
	  { { DGRAM, 3, 4791 } },
	  0,
	  "" },
	{ "as many as there is room for", { { 0 } }, APPS_MAX, { { DGRAM, 1, 1 } }, 0, "" },
	{ "more than that are not half read",
	  { { 0 } },
	  APPS_MAX + 1,
	  { { 0 } },
	  E2BIG,
	  "the port has more than 32 entries" },
	{ "a priority that there is not",
	  { { DGRAM, 8, 4791 } },
	  0,
	  { { 0 } },
	  ERANGE,
	  APP_PRIORITY_INVALID },
	{ "nor is it one of DSCP",
	  { { DSCP, 9, 26 }, { DGRAM, 3, 4791 } },
	  0,
	  { { 0 } },
	  ERANGE,
	  APP_PRIORITY_INVALID },
};

static void add_app(struct kernel *k, const struct entry *e)
{
	k->apps[k->app_count++] = (struct dcb_app){ e->selector, e->priority, e->protocol };
}

static void is_found(void **s)
{
	const struct app_row *row = *s;
	struct kernel k = kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; row->there[i].selector; i++)
		add_app(&k, &row->there[i]);
	for (size_t i = 1; i <= row->more; i++)
		add_app(&k, &(struct entry){ DGRAM, 1, (uint16_t)i });
	assert_int_equal(feature_app.read(&k.host, &port, &c, &err), row->code == 0);
	assert_int_equal(err.code, row->code);
	assert_int_equal(err.kind, row->code ? ERR_UNKNOWN : ERR_NONE);
	assert_string_equal(err.text, row->text);
	assert_true(c.has == (row->code ? 0 : SETTING(SETTING_APP_ENTRIES)));
	for (size_t i = 0; i < COUNT(row->found) && !(row->more && i); i++) {
		const struct app_entry *e = &c.app.entries[i];

		assert_int_equal(e->selector, row->found[i].selector);
		assert_int_equal(e->protocol, row->found[i].protocol);
		assert_int_equal(e->priority, row->found[i].priority);
	}
}

static struct config with(const struct entry *list, size_t count)
{
	struct config c = { .has = SETTING(SETTING_APP_ENTRIES) };

	for (size_t i = 0; i < count; i++)
		assert_true(
			app_entry_put(&c, &(struct app_entry){ list[i].selector, list[i].priority,
							       list[i].protocol }));
	return c;
}

static const struct entry roce_3 = { DGRAM, 3, 4791 }, roce_4 = { DGRAM, 4, 4791 };

/* Who moves has two for a moment, and never none. */
static void an_entry_that_moves_is_added_before_it_is_deleted(void **s)
{
	struct kernel k = kernel();
	struct config from = with(&roce_3, 1), to = with(&roce_4, 1);
	struct err err = { 0 };

	(void)s;
	add_app(&k, &roce_3);
	assert_true(feature_app.write(&k.host, &port, &from, &to, &err));
	assert_string_equal(k.log, "+3/4791/4 -3/4791/3 ");
	assert_int_equal(k.app_count, 1);
}

static void entries_that_are_right_are_left_alone(void **s)
{
	struct kernel k = kernel();
	struct config same = with(&roce_3, 1);
	struct err err = { 0 };

	(void)s;
	add_app(&k, &roce_3);
	assert_true(feature_app.write(&k.host, &port, &same, &same, &err));
	assert_string_equal(k.log, "");
}

static void what_came_meanwhile_is_deleted_too(void **s)
{
	struct kernel k = kernel();
	struct config none = { .has = SETTING(SETTING_APP_ENTRIES) };
	struct err err = { 0 };

	(void)s;
	add_app(&k, &roce_3);
	add_app(&k, &(struct entry){ DSCP, 3, 26 });
	assert_true(feature_app.write(&k.host, &port, &none, &none, &err));
	assert_string_equal(k.log, "-3/4791/3 ");
	assert_int_equal(k.app_count, 1);
}

static void whatever_fails_no_entry_is_without_a_priority(void **s)
{
	static const char *const logs[] = { "", "+3/4791/4 ", "+3/4791/4 " };

	(void)s;
	for (unsigned n = 0; n < COUNT(logs); n++) {
		struct kernel k = kernel();
		struct config from = with(&roce_3, 1), to = with(&roce_4, 1);
		struct err err = { 0 };

		add_app(&k, &roce_3);
		k.fail_at = n + 1;
		assert_false(feature_app.write(&k.host, &port, &from, &to, &err));
		assert_int_equal(err.code, EIO);
		assert_string_equal(k.log, logs[n]);
		assert_true(k.app_count >= 1);
	}
}

/* ---- whom it trusts ---- */

static const struct trust_row {
	const char *sentence;
	uint8_t list[TRUST_MAX];
	size_t count;
	bool is_told;
	uint8_t places[SELECTORS_MAX];
	enum err_kind kind;
	const char *text;
} trusts[] = {
	{ "DSCP before PCP", { DSCP, SELECTOR_PCP }, 2, true, { 5, 6 }, ERR_NONE, "" },
	{ "none at all", { 0 }, 0, true, { 0 }, ERR_NONE, "" },
	{ "all of them",
	  { 1, 2, 3, 4, 5, SELECTOR_PCP },
	  6,
	  true,
	  { 1, 2, 3, 4, 5, 6 },
	  ERR_NONE,
	  "" },
	{ "more than there can be are cut",
	  { 1, 2, 3, 4, 5, SELECTOR_PCP, 1, 2 },
	  8,
	  true,
	  { 1, 2, 3, 4, 5, 6 },
	  ERR_NONE,
	  "" },
	{ "one that is not known",
	  { DSCP, 9 },
	  2,
	  true,
	  { 0 },
	  ERR_UNKNOWN,
	  "the order of trust has selector 9, unknown or twice" },
	{ "one twice",
	  { DSCP, DSCP },
	  2,
	  true,
	  { 0 },
	  ERR_UNKNOWN,
	  "the order of trust has selector 5, unknown or twice" },
	{ "a driver that does not tell",
	  { 0 },
	  0,
	  false,
	  { 0 },
	  ERR_UNSUPPORTED,
	  "the driver does not report it" },
};

static void is_trusted(void **s)
{
	const struct trust_row *row = *s;
	struct kernel k = kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	memcpy(k.trust, row->list, sizeof(k.trust));
	k.trust_count = row->count;
	k.has_trust = row->is_told;
	assert_int_equal(feature_app_trust.read(&k.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(err.text, row->text);
	assert_memory_equal(c.app.trust, row->places, sizeof(row->places));
	assert_true(c.has == (row->kind ? 0 : SETTING(SETTING_APP_TRUST)));
}

/* PCP is no selector of IEEE 802.1Q, and has an attribute of its own. */
static void trust_is_written_in_its_order(void **s)
{
	static const struct {
		uint8_t places[SELECTORS_MAX];
		const char *log;
	} rows[] = {
		{ { 0 }, "" },
		{ { 6, 5 }, "2:255 1:5 " },
		{ { 1, 2, 3, 4, 5, 6 }, "1:1 1:2 1:3 1:4 1:5 2:255 " },
	};

	(void)s;
	_Static_assert(DCB_ATTR_IEEE_APP == 1 && ATTR_DCB_APP == 2, "as in the log");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct kernel k = kernel();
		struct config to = { .has = SETTING(SETTING_APP_TRUST) };
		struct err err = { 0 };

		memcpy(to.app.trust, rows[i].places, sizeof(to.app.trust));
		assert_true(feature_app_trust.write(&k.host, &port, &to, &to, &err));
		assert_string_equal(k.log, rows[i].log);
		assert_int_equal(k.talks, 1);
	}
}

/* ---- what it recommends ---- */

static void a_recommendation_is_read_and_written_beside_the_rest(void **s)
{
	struct kernel k = kernel();
	struct config c = { 0 }, to = { 0 };
	struct err err = { 0 };

	(void)s;
	k.ets.prio_tc[3] = 3;
	k.ets.tc_reco_bw[0] = 60;
	k.ets.tc_reco_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	k.ets.tc_reco_tsa[1] = 99; /* of a later standard */
	assert_true(feature_reco.read(&k.host, &port, &c, &err));
	assert_int_equal(c.ets.reco_bandwidth[0], 60);
	assert_int_equal(c.ets.reco_tsa[0], TSA_ETS);
	assert_int_equal(c.ets.reco_tsa[1], TSA_VENDOR);
	assert_int_equal(c.ets.reco_tsa[2], TSA_STRICT);
	to = c;
	to.ets.reco_prio_tc[5] = 1;
	to.ets.reco_tsa[1] = TSA_CBS;
	assert_true(feature_reco.write(&k.host, &port, &c, &to, &err));
	assert_int_equal(k.ets.reco_prio_tc[5], 1);
	assert_int_equal(k.ets.tc_reco_tsa[1], IEEE_8021QAZ_TSA_CB_SHAPER);
	assert_int_equal(k.ets.prio_tc[3], 3);
}

static void without_ets_nothing_is_recommended(void **s)
{
	struct kernel k = kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	k.has_ets = false;
	assert_false(feature_reco.read(&k.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_true(c.has == 0);
	assert_false(feature_reco.write(&k.host, &port, &c, &c, &err));
	assert_string_equal(k.log, "");
}

/* ---- PFC ---- */

static const struct pfc_row {
	const char *sentence;
	bool has_classes, needs_classes;
	int no_pfc, no_ets;
	unsigned fail_at;
	int code; /* 0: it is written */
	const char *log;
} pfcs[] = {
	{ "PFC is written", true, false, 0, 0, 0, 0, "pfc:8 " },
	{ "a driver that waits for classes is given those that it has", false, true, 0, 0, 0, 0,
	  "pfc:8 ets pfc:8 " },
	{ "who has classes lacks none", true, false, EINVAL, 0, 0, EINVAL, "pfc:8 " },
	{ "another refusal is not about classes", false, false, EBUSY, 0, 0, EBUSY, "pfc:8 " },
	{ "classes may be refused, too", false, true, 0, EBUSY, 0, EINVAL, "pfc:8 ets " },
	{ "nor may they be read", false, true, 0, 0, 3, EINVAL, "pfc:8 " },
	{ "with classes it may be refused again", false, true, EBUSY, 0, 0, EBUSY,
	  "pfc:8 ets pfc:8 " },
	{ "what cannot be read is not written", true, false, 0, 0, 1, EIO, "" },
};

static void pfc_is_written(void **s)
{
	const struct pfc_row *row = *s;
	struct kernel k = kernel();
	struct config to = { .has = SETTING(SETTING_PFC_PRIORITIES), .pfc.priorities = 8 };
	struct err err = { 0 };

	k.ets.ets_cap = 8;
	k.ets.tc_tx_bw[0] = row->has_classes ? 100 : 0;
	k.needs_classes = row->needs_classes;
	k.no_pfc = row->no_pfc;
	k.no_ets = row->no_ets;
	k.fail_at = row->fail_at;
	assert_int_equal(feature_pfc.write(&k.host, &port, &to, &to, &err), row->code == 0);
	assert_int_equal(err.code, row->code);
	assert_string_equal(k.log, row->log);
	assert_int_equal(k.pfc, row->code ? 0 : 8);
}

/* Only a port that has no room is told of headroom. */
static void the_same_pfc_again_may_find_no_room(void **s)
{
	static const struct {
		uint8_t priorities;
		int no_pfc;
		const char *fix;
		const char *log;
	} rows[] = {
		{ 0, ENOMEM, "", "" },
		{ 8, 0, "", "pfc:8 " },
		{ 8, ENOMEM, "headroom", "pfc:8 " },
		{ 8, EBUSY, "", "pfc:8 " },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct kernel k = kernel();
		struct config to = { .pfc.priorities = rows[i].priorities };
		struct err err = { 0 };

		k.no_pfc = rows[i].no_pfc;
		assert_int_equal(feature_pfc.reapply(&k.host, &port, &to, &err),
				 !rows[i].no_pfc || !rows[i].priorities);
		assert_string_equal(k.log, rows[i].log);
		assert_true(rows[i].fix[0] ? strstr(err.fix, rows[i].fix) != NULL
					   : err.fix[0] == '\0');
	}
}

/* ---- what cannot be ---- */

static void a_rate_that_cannot_be_is_not_cut(void **s)
{
	struct kernel k = kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	k.rate = UINT64_C(1000) * UINT32_MAX;
	assert_true(feature_maxrate.read(&k.host, &port, &c, &err));
	assert_int_equal(c.maxrate.tc_mbps[1], UINT32_MAX);
	assert_int_equal(c.maxrate.tc_mbps[2], 0);
	c = (struct config){ 0 };
	k.rate += 1000;
	assert_false(feature_maxrate.read(&k.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "class 0 has a rate that cannot be");
	assert_true(c.has == 0);
}

static const struct ecn_row {
	const char *sentence, *word;
	enum err_kind kind;
	uint8_t value;
} ecns[] = {
	{ "tcp_ecn is a number", "2", ERR_NONE, 2 },
	{ "tcp_ecn may be the greatest", "255", ERR_NONE, 255 },
	{ "tcp_ecn is not greater", "256", ERR_UNKNOWN, 0 },
	{ "tcp_ecn is no word", "on", ERR_UNKNOWN, 0 },
	{ "tcp_ecn has nothing behind it", "1 2", ERR_UNKNOWN, 0 },
	{ "tcp_ecn may be missing", NULL, ERR_UNSUPPORTED, 0 },
};

static void tcp_ecn_is_read(void **s)
{
	const struct ecn_row *row = *s;
	struct kernel k = kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	tcp_ecn = row->word;
	assert_int_equal(feature_tcp_ecn.read(&k.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.host.tcp_ecn, row->value);
	assert_true(c.has == (row->kind ? 0 : SETTING(SETTING_HOST_TCP_ECN)));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, apps, is_found);
	SUITE_ADD(&s, an_entry_that_moves_is_added_before_it_is_deleted);
	SUITE_ADD(&s, entries_that_are_right_are_left_alone);
	SUITE_ADD(&s, what_came_meanwhile_is_deleted_too);
	SUITE_ADD(&s, whatever_fails_no_entry_is_without_a_priority);
	SUITE_ADD_ROWS(&s, trusts, is_trusted);
	SUITE_ADD(&s, trust_is_written_in_its_order);
	SUITE_ADD(&s, a_recommendation_is_read_and_written_beside_the_rest);
	SUITE_ADD(&s, without_ets_nothing_is_recommended);
	SUITE_ADD_ROWS(&s, pfcs, pfc_is_written);
	SUITE_ADD(&s, the_same_pfc_again_may_find_no_room);
	SUITE_ADD(&s, a_rate_that_cannot_be_is_not_cut);
	SUITE_ADD_ROWS(&s, ecns, tcp_ecn_is_read);
	return suite_run(&s, "dcb");
}
