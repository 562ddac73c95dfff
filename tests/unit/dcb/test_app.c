/* Tests of APP entries: reading them, and the order of changes. */
#include <errno.h>

#include "dcb/dcbnl.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

#define ETHERTYPE IEEE_8021QAZ_APP_SEL_ETHERTYPE
#define DGRAM	  IEEE_8021QAZ_APP_SEL_DGRAM
#define ANY	  IEEE_8021QAZ_APP_SEL_ANY
#define DSCP	  IEEE_8021QAZ_APP_SEL_DSCP

struct entry {
	uint8_t selector, priority;
	uint16_t protocol;
};

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

static const struct app_row {
	const char *sentence;
	struct entry there[4];
	size_t more; /* entries of other UDP ports */
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

static void add_app(struct dcb_kernel *k, const struct entry *e)
{
	k->apps[k->app_count++] = (struct dcb_app){ e->selector, e->priority, e->protocol };
}

static void is_found(void **s)
{
	const struct app_row *row = *s;
	struct dcb_kernel k = dcb_kernel();
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

/* A moving entry exists twice for a moment, so that it is never missing. */
static void an_entry_that_moves_is_added_before_it_is_deleted(void **s)
{
	struct dcb_kernel k = dcb_kernel();
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
	struct dcb_kernel k = dcb_kernel();
	struct config same = with(&roce_3, 1);
	struct err err = { 0 };

	(void)s;
	add_app(&k, &roce_3);
	assert_true(feature_app.write(&k.host, &port, &same, &same, &err));
	assert_string_equal(k.log, "");
}

static void what_came_meanwhile_is_deleted_too(void **s)
{
	struct dcb_kernel k = dcb_kernel();
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
		struct dcb_kernel k = dcb_kernel();
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

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, apps, is_found);
	SUITE_ADD(&s, an_entry_that_moves_is_added_before_it_is_deleted);
	SUITE_ADD(&s, entries_that_are_right_are_left_alone);
	SUITE_ADD(&s, what_came_meanwhile_is_deleted_too);
	SUITE_ADD(&s, whatever_fails_no_entry_is_without_a_priority);
	return suite_run(&s, "app");
}
