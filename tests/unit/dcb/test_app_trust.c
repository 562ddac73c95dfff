/* Tests of the order of selectors that a driver trusts. */
#include <string.h>

#include "dcb/dcbnl.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

#define DSCP IEEE_8021QAZ_APP_SEL_DSCP

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

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
	  "the trust order has selector 9, which is unknown or repeated" },
	{ "one twice",
	  { DSCP, DSCP },
	  2,
	  true,
	  { 0 },
	  ERR_UNKNOWN,
	  "the trust order has selector 5, which is unknown or repeated" },
	{ "a driver that does not report trust",
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
	struct dcb_kernel k = dcb_kernel();
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

/* PCP is not an IEEE 802.1Q selector and has its own attribute. */
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
		struct dcb_kernel k = dcb_kernel();
		struct config to = { .has = SETTING(SETTING_APP_TRUST) };
		struct err err = { 0 };

		memcpy(to.app.trust, rows[i].places, sizeof(to.app.trust));
		assert_true(feature_app_trust.write(&k.host, &port, &to, &to, &err));
		assert_string_equal(k.log, rows[i].log);
		assert_int_equal(k.talks, 1);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, trusts, is_trusted);
	SUITE_ADD(&s, trust_is_written_in_its_order);
	return suite_run(&s, "app_trust");
}
