/* Tests of the lldpad client: requests that it does not send. */
#include <errno.h>
#include <string.h>

#include "dcb/lldpad/client.h"
#include "tests/support/parrot.h"
#include "tests/support/unit.h"

static void nothing_is_sent_where_none_runs(void **s)
{
	struct parrot p;
	struct lldpad l = parrot_open(&p, "R00PPONG42");
	struct err err = { 0 };

	(void)s;
	p.ended = true;
	assert_false(lldpad_open(&p.host, &l, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(p.asked, 0);
}

static void nothing_is_sent_to_one_that_has_ended(void **s)
{
	char word[LLDPAD_VALUE_MAX];
	struct parrot p;
	struct lldpad l = parrot_open(&p, "R00PPONG42");
	struct err err = { 0 };

	(void)s;
	p.ended = true;
	assert_false(lldpad_get(&l, "veB", LLDPAD_TLV_DCBX, "mode", word, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(p.asked, 0);
}

static void one_that_ends_meanwhile_is_distinguished(void **s)
{
	char word[LLDPAD_VALUE_MAX];
	struct parrot p;
	struct lldpad l = parrot_open(&p, NULL);
	struct err err = { 0 };

	(void)s;
	p.dies = true;
	assert_false(lldpad_get(&l, "veB", LLDPAD_TLV_DCBX, "mode", word, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "lldpad (pid 42) ended before it answered");
}

static void a_setting_that_is_too_long_spoils_the_request(void **s)
{
	char value[LLDPAD_VALUE_MAX + 1];
	struct lldpad_args args = { .count = 0 };
	struct parrot p;
	struct lldpad l = parrot_open(&p, "");
	struct err err = { 0 };

	(void)s;
	memset(value, 'x', LLDPAD_VALUE_MAX);
	value[LLDPAD_VALUE_MAX] = '\0';
	lldpad_args_add(&args, "tsa", value);
	assert_false(lldpad_set(&l, "veB", LLDPAD_TLV_PFC, &args, &err));
	assert_int_equal(err.code, EMSGSIZE);
	assert_int_equal(p.asked, 0);
}

static void so_does_one_too_many(void **s)
{
	struct lldpad_args args = { .count = 0 };
	struct parrot p;
	struct lldpad l = parrot_open(&p, "");
	struct err err = { 0 };

	(void)s;
	for (int i = 0; i <= LLDPAD_ARGS_MAX; i++)
		lldpad_args_add(&args, "willing", "no");
	assert_false(lldpad_set(&l, "veB", LLDPAD_TLV_PFC, &args, &err));
	assert_int_equal(p.asked, 0);
}

static void a_host_that_may_not_write_asks_and_sets_nothing(void **s)
{
	struct parrot p;
	struct lldpad l = parrot_open(&p, "R00C3010000001503veB0080c20004mode0004auto");
	struct err err = { 0 };

	(void)s;
	p.host.may_write = false;
	assert_true(get_mode(&l, &err));
	assert_false(set_pfc(&l, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_int_equal(p.asked, 1);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, nothing_is_sent_where_none_runs);
	SUITE_ADD(&s, nothing_is_sent_to_one_that_has_ended);
	SUITE_ADD(&s, one_that_ends_meanwhile_is_distinguished);
	SUITE_ADD(&s, a_setting_that_is_too_long_spoils_the_request);
	SUITE_ADD(&s, so_does_one_too_many);
	SUITE_ADD(&s, a_host_that_may_not_write_asks_and_sets_nothing);
	return suite_run(&s, "client_refused");
}
