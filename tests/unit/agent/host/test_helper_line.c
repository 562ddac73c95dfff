/* Tests of the line to a helper: no answer but that to the question is taken, now or later. */
#include <errno.h>
#include <unistd.h>

#include "agent/host/helper_line.h"
#include "tests/support/lying_helper.h"
#include "tests/support/unit.h"

#define TEXT "what the tool printed"

static char text[sizeof(TEXT) - 1], heard[64];

static const struct helper_answer said = { { .code = 7 }, text, sizeof(heard), sizeof(text) };

static struct helper_answer answer;

static int ask(int line, const void *question, size_t size, int limit_ms)
{
	const struct helper_question q = { TASK_MODPROBE, question, size, NULL, limit_ms };

	answer = (struct helper_answer){ .text = heard, .text_max = sizeof(heard) };
	return helper_ask(line, &q, &answer);
}

static const struct row {
	const char *sentence;
	enum lie lie;
	int code;
} rows[] = {
	{ "an answer arrives", HONEST, 0 },
	{ "an answer to an earlier question is none", OF_AN_EARLIER_QUESTION, EBADMSG },
	{ "an answer about another text is none", ABOUT_ANOTHER_TEXT, EBADMSG },
	{ "an answer of another task is none", OF_ANOTHER_TASK, EBADMSG },
	{ "an answer with more text than there is room is none", TOO_LONG, EBADMSG },
	{ "an answer without a result is none", TOO_SHORT, EBADMSG },
	{ "half an answer is none", HALF, EPIPE },
	{ "a helper that ends is reported", ENDS, EPIPE },
	{ "a helper that is silent is not waited for", SILENT, ETIMEDOUT },
};

static void ends_as_the_row_says(void **state)
{
	const struct row *r = *state;
	int line;

	memcpy(text, TEXT, sizeof(text));
	line = lying_helper_start(r->lie, &said, 0);
	assert_int_equal(ask(line, "a", 1, r->lie == SILENT ? 50 : 20000), r->code);
	if (!r->code) {
		assert_int_equal(answer.result.code, said.result.code);
		assert_int_equal(answer.text_size, sizeof(text));
		assert_memory_equal(heard, TEXT, sizeof(text));
	}
	assert_int_equal(ask(line, "b", 1, 20000), r->code ? EPIPE : 0); /* for good */
	lying_helper_end(line);
}

static void a_late_answer_is_not_taken_for_the_next_one(void **state)
{
	int line = lying_helper_start(HONEST, &said, 1000);

	(void)state;
	assert_int_equal(ask(line, "a", 1, 20), ETIMEDOUT);
	usleep(1200000);
	assert_int_equal(ask(line, "b", 1, 20000), EPIPE);
	lying_helper_end(line);
}

static void who_has_no_helper_does_not_wait(void **state)
{
	struct helper_head question = { .size = 1 };

	(void)state;
	assert_int_equal(ask(-1, "a", 1, 50), EPIPE);
	assert_int_equal(helper_finish(-1, &question, 50, &answer), EPIPE);
}

static void a_large_question_arrives_whole(void **state)
{
	int line = lying_helper_start(HONEST, &said, 0);
	char *large = calloc(1, (1 << 20) + 1);

	(void)state;
	assert_non_null(large);
	assert_int_equal(ask(line, large, 1 << 20, 20000), 0);
	assert_int_equal(ask(line, large, (1 << 20) + 1, 20000), EPIPE); /* more than it takes */
	free(large);
	lying_helper_end(line);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, a_late_answer_is_not_taken_for_the_next_one);
	SUITE_ADD(&s, who_has_no_helper_does_not_wait);
	SUITE_ADD(&s, a_large_question_arrives_whole);
	return suite_run(&s, "helper_line");
}
