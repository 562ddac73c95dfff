#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

static void __attribute__((format(printf, 2, 3))) note(struct dcb_kernel *k, const char *fmt, ...)
{
	size_t used = strlen(k->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(k->log + used, sizeof(k->log) - used, fmt, ap);
	va_end(ap);
}

/* ---- reads ---- */

/* Adds attributes that a kernel of another version may have in between. */
static void put_junk(struct nlmsghdr *n, uint16_t type)
{
	mnl_attr_put(n, 77, 8, "another");
	mnl_attr_put(n, type, 2, "ab");
}

static void put_all(struct nlmsghdr *n, const struct dcb_kernel *k)
{
	struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = k->pfc, .delay = k->delay };
	struct dcbnl_buffer buffers = { .total_size = 1 };
	struct ieee_maxrate rates = { { k->rate, k->rate } };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE), *table;

	if (k->has_ets)
		mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(k->ets), &k->ets);
	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	if (k->has_buffers)
		mnl_attr_put(n, DCB_ATTR_DCB_BUFFER, sizeof(buffers), &buffers);
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

/* ---- writes ---- */

static void change_apps(struct dcb_kernel *k, const struct nlattr *table, bool adds)
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

static int set_pfc(struct dcb_kernel *k, const struct nlattr *a)
{
	struct ieee_pfc pfc;

	memcpy(&pfc, mnl_attr_get_payload(a), sizeof(pfc));
	note(k, "pfc:%u ", pfc.pfc_en);
	if (pfc.delay != k->delay)
		note(k, "cable:%u ", pfc.delay);
	if (!k->no_pfc || k->half_done)
		k->pfc = pfc.pfc_en;
	return k->no_pfc;
}

static int set_ets(struct dcb_kernel *k, const struct nlattr *a)
{
	note(k, "ets ");
	memcpy(&k->ets, mnl_attr_get_payload(a), sizeof(k->ets));
	k->ets.ets_cap = 8;
	return 0;
}

static void set_rates(struct dcb_kernel *k, const struct nlattr *a)
{
	struct ieee_maxrate rates;

	memcpy(&rates, mnl_attr_get_payload(a), sizeof(rates));
	note(k, "rates ");
	k->rate = rates.tc_maxrate[0];
	if (k->rate_bits)
		k->rate %= UINT64_C(1000000) << k->rate_bits;
}

static int change(struct dcb_kernel *k, const struct nlattr *ieee, uint8_t cmd)
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
		case DCB_ATTR_IEEE_MAXRATE:
			set_rates(k, a);
			break;
		default:
			fail_msg("attribute %u", mnl_attr_get_type(a));
		}
	return code;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct dcb_kernel *k = (struct dcb_kernel *)h;
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

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct dcb_kernel *k = (const struct dcb_kernel *)h;
	const char *text = strstr(path, "mlx5_core") ? k->mlx5 : k->tcp_ecn;

	snprintf(buf, size, "%s", text ? text : "");
	return text || err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static bool look(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	(void)h;
	(void)ret;
	return err_set(err, ERR_GONE, ENODEV, "no link %u", ifindex);
}

struct dcb_kernel dcb_kernel(void)
{
	return (struct dcb_kernel){
		.host = { .root = -1,
			  .may_write = true,
			  .talk = talk,
			  .link = look,
			  .read_file = read_file },
		.has_trust = true,
		.has_ets = true,
		.delay = 42,
	};
}
