/* Tests of a firmware query, with a helper process that answers well, badly or not at all. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "agent/host/host_linux.h"
#include "tests/support/lying_helper.h"
#include "tests/support/unit.h"

#define TEXT "Configurations: ..."

static const struct answer_row {
	const char *sentence;
	struct firmware_answer answer;
	enum lie lie;
	enum err_kind kind;
	const char *error; /* part of the error */
} rows[] = {
	{ "a tool's output arrives", { 0 }, HONEST, ERR_NONE, "" },
	{ "a failed tool's output arrives", { .failed = 1 }, HONEST, ERR_NONE, "" },
	{ "a tool that is not installed is unsupported",
	  { .code = ENOENT, .reason = "install mstflint" },
	  HONEST,
	  ERR_UNSUPPORTED,
	  "install mstflint" },
	{ "a tool that did not end leaves it unknown",
	  { .code = ETIMEDOUT, .reason = "mstconfig did not end" },
	  HONEST,
	  ERR_UNKNOWN,
	  "mstconfig did not end" },
	{ "a helper that ends is reported", { 0 }, ENDS, ERR_UNKNOWN, "has ended" },
	{ "half an answer is none", { 0 }, HALF, ERR_UNKNOWN, "has ended" },
	{ "an answer about another adapter is none",
	  { 0 },
	  OF_AN_EARLIER_QUESTION,
	  ERR_UNKNOWN,
	  "answers another question" },
	{ "more output than there is room for is refused",
	  { 0 },
	  TOO_LONG,
	  ERR_UNKNOWN,
	  "answers another question" },
};

static int stop_signal;

static int interrupted(struct host *h)
{
	(void)h;
	return stop_signal;
}

static struct firmware_output output;

static bool ask(int line, struct err *err)
{
	struct host_linux l = { .host.interrupted = interrupted, .firmware_helper = line };

	return host_linux_query_firmware(&l.host, FIRMWARE_NVCONFIG, "0000:3b:00.0", &output, err);
}

static int start(const struct answer_row *r, unsigned after_ms)
{
	const struct helper_answer a = { (void *)&r->answer, sizeof(r->answer), TEXT,
					 sizeof(output.text), sizeof(TEXT) - 1 };

	return lying_helper_start(r->lie, &a, after_ms);
}

static void ends_as_the_row_says(void **s)
{
	const struct answer_row *r = *s;
	struct err err = { 0 };
	int line = start(r, 0);

	output.text[0] = '\0';
	assert_int_equal(ask(line, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->error));
	if (r->kind == ERR_NONE) {
		assert_string_equal(output.text, TEXT);
		assert_int_equal(output.failed, r->answer.failed);
	}
	if (r->lie != HONEST)
		assert_string_equal(output.text, ""); /* no byte of the output is received */
	lying_helper_end(line);
}

static void without_a_helper_it_is_not_permitted(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_false(ask(-1, &err));
	assert_int_equal(err.kind, ERR_DENIED);
}

static void nothing(int number)
{
	(void)number;
}

/* The signal arrives while the query waits. */
static bool ask_with_signal(int stop, struct err *err)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	int line = start(&rows[0], 200);
	bool ok;

	stop_signal = stop;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ok = ask(line, err);
	stop_signal = 0;
	lying_helper_end(line);
	return ok;
}

static void a_request_to_stop_ends_the_wait_and_no_other_signal(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_true(ask_with_signal(0, &err));
	assert_string_equal(output.text, TEXT);
	assert_false(ask_with_signal(SIGTERM, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.code, SIGTERM);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, without_a_helper_it_is_not_permitted);
	SUITE_ADD(&s, a_request_to_stop_ends_the_wait_and_no_other_signal);
	return suite_run(&s, "firmware_query");
}
