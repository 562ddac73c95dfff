#include <errno.h>
#include <string.h>

#include "policy/util/err.h"
#include "tests/support/unit.h"
#include "policy/util/exit_code.h"

static void the_first_cause_wins(void **s)
{
	struct err e = { 0 };

	(void)s;
	assert_false(err_set(&e, ERR_DENIED, EPERM, "first %d", 1));
	assert_false(err_set(&e, ERR_SYSTEM, EIO, "second"));
	assert_int_equal(e.kind, ERR_DENIED);
	assert_int_equal(e.code, EPERM);
	assert_string_equal(e.text, "first 1");
}

static void a_negative_code_is_negated(void **s)
{
	struct err e = { 0 };

	(void)s;
	err_record(&e, ERR_SYSTEM, -EBUSY, "busy");
	assert_int_equal(e.code, EBUSY);
}

static void the_nearest_caller_that_knows_says_where(void **s)
{
	struct err e = { 0 };

	(void)s;
	err_record(&e, ERR_SYSTEM, EIO, "refused");
	assert_false(err_at(&e, false, "%s: writing pfc", "eth0"));
	assert_false(err_at(&e, false, "apply"));
	assert_string_equal(e.where, "eth0: writing pfc");
}

static void success_passes_through_and_is_nowhere(void **s)
{
	struct err e = { 0 };

	(void)s;
	assert_true(err_at(&e, true, "eth0"));
	assert_string_equal(e.where, "");
}

static void the_first_hint_wins_and_a_hint_is_never_success(void **s)
{
	struct err e = { 0 };

	(void)s;
	assert_false(err_fix(&e, "do %s", "this"));
	assert_false(err_fix(&e, "do that"));
	assert_string_equal(e.fix, "do this");
}

static void a_long_text_is_cut_and_ended(void **s)
{
	char lots[1000];
	struct err e = { 0 };

	(void)s;
	memset(lots, 'x', sizeof(lots));
	lots[sizeof(lots) - 1] = '\0';
	err_record(&e, ERR_SYSTEM, 0, "%s", lots);
	err_at(&e, false, "%s", lots);
	err_fix(&e, "%s", lots);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_int_equal(strlen(e.where), sizeof(e.where) - 1);
	assert_int_equal(strlen(e.fix), sizeof(e.fix) - 1);
}

static void percent_signs_from_outside_are_not_formats(void **s)
{
	struct err e = { 0 };

	(void)s;
	err_record(&e, ERR_POLICY, 0, "%s", "100%n");
	assert_string_equal(e.text, "100%n");
}

/* losslessctl(8), EXIT STATUS. */
static const struct exit_row {
	const char *sentence;
	enum err_kind kind;
	int code, exit;
	const char *word;
} exits[] = {
	{ "nothing wrong exits 0", ERR_NONE, 0, 0, "none" },
	{ "a wrong command line exits 64", ERR_USAGE, 0, 64, "usage" },
	{ "a bad policy exits 65", ERR_POLICY, 0, 65, "invalid_policy" },
	{ "what the port cannot have exits 3", ERR_UNSUPPORTED, 0, 3, "unsupported" },
	{ "what is not there yet exits 3", ERR_MISSING, 0, 3, "missing" },
	{ "what cannot be read exits 3", ERR_UNKNOWN, 0, 3, "unknown" },
	{ "a port that is gone exits 3", ERR_GONE, 0, 3, "not_present" },
	{ "a lock that another holds exits 75", ERR_LOCKED, 0, 75, "locked" },
	{ "a missing privilege exits 77", ERR_DENIED, 0, 77, "not_permitted" },
	{ "what we decline to do exits 1", ERR_REFUSED, 0, 1, "refused" },
	{ "what the kernel refuses exits 1", ERR_SYSTEM, 0, 1, "system" },
	{ "what is not in effect exits 1", ERR_VERIFY, 0, 1, "not_in_effect" },
	{ "a failed rollback exits 4", ERR_ROLLBACK_FAILED, 0, 4, "rollback_failed" },
	{ "Ctrl-C exits 130", ERR_INTERRUPTED, 2, 130, "interrupted" },
	{ "SIGTERM exits 143", ERR_INTERRUPTED, 15, 143, "interrupted" },
};

static void exits_and_is_named_so(void **s)
{
	const struct exit_row *row = *s;
	struct err e = { .kind = row->kind, .code = row->code };

	assert_int_equal(exit_code_of_err(&e), row->exit);
	assert_string_equal(err_kind_name(row->kind), row->word);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, the_first_cause_wins);
	SUITE_ADD(&s, a_negative_code_is_negated);
	SUITE_ADD(&s, the_nearest_caller_that_knows_says_where);
	SUITE_ADD(&s, success_passes_through_and_is_nowhere);
	SUITE_ADD(&s, the_first_hint_wins_and_a_hint_is_never_success);
	SUITE_ADD(&s, a_long_text_is_cut_and_ended);
	SUITE_ADD(&s, percent_signs_from_outside_are_not_formats);
	SUITE_ADD_ROWS(&s, exits, exits_and_is_named_so);
	return suite_run(&s, "err");
}
