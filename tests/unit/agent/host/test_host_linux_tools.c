/* Tests of tools and modules, with a helper process that answers well, badly or not at all. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "agent/host/host_linux.h"
#include "tests/support/lying_helper.h"
#include "tests/support/unit.h"

#define TEXT "Configurations: ..."

static int stop_signal;

static int interrupted(struct host *h)
{
	(void)h;
	return stop_signal;
}

static struct tool_output output;

static bool ask(int line, struct err *err)
{
	struct host_linux l = { .host.interrupted = interrupted, .firmware_helper = line };

	return host_linux_run_tool(&l.host, TASK_NVCONFIG, "0000:3b:00.0", &output, err);
}

static bool load(int line, struct err *err)
{
	struct host_linux l = { .host.interrupted = interrupted, .modprobe_helper = line };

	return host_linux_load_module(&l.host, "rdma_cm", err);
}

static const struct row {
	const char *sentence;
	bool (*ask)(int line, struct err *err);
	struct helper_result result;
	enum lie lie;
	enum err_kind kind;
	const char *error; /* part of the error */
} rows[] = {
	{ "a tool's output arrives", ask, { 0 }, HONEST, ERR_NONE, "" },
	{ "a failed tool's output arrives", ask, { .failed = 1 }, HONEST, ERR_NONE, "" },
	{ "a tool that is not installed is unsupported",
	  ask,
	  { .code = ENOENT, .reason = "install mstflint" },
	  HONEST,
	  ERR_UNSUPPORTED,
	  "install mstflint" },
	{ "a tool that did not end leaves it unknown",
	  ask,
	  { .code = ETIMEDOUT, .reason = "mstconfig did not end" },
	  HONEST,
	  ERR_UNKNOWN,
	  "mstconfig did not end" },
	{ "a helper that ends is reported", ask, { 0 }, ENDS, ERR_UNKNOWN, "has ended" },
	{ "half an answer is none", ask, { 0 }, HALF, ERR_UNKNOWN, "has ended" },
	{ "an answer about another adapter is none",
	  ask,
	  { 0 },
	  OF_AN_EARLIER_QUESTION,
	  ERR_UNKNOWN,
	  "answers another question" },
	{ "more output than there is room for is refused",
	  ask,
	  { 0 },
	  TOO_LONG,
	  ERR_UNKNOWN,
	  "answers another question" },
	{ "a module that is loaded", load, { 0 }, HONEST, ERR_NONE, "" },
	{ "a module that there is not",
	  load,
	  { .failed = 1 },
	  HONEST,
	  ERR_SYSTEM,
	  "modprobe rdma_cm: No such file" },
	{ "a modprobe that did not end",
	  load,
	  { .code = ETIMEDOUT },
	  HONEST,
	  ERR_SYSTEM,
	  "modprobe rdma_cm: Connection timed out" },
	{ "half an answer about a module is none",
	  load,
	  { 0 },
	  HALF,
	  ERR_SYSTEM,
	  "rdma_cm: the process that loads modules" },
	{ "an answer about another module is none",
	  load,
	  { 0 },
	  ABOUT_ANOTHER_TEXT,
	  ERR_SYSTEM,
	  "rdma_cm: the process that loads modules" },
	{ "a loader that ends is reported", load, { 0 }, ENDS, ERR_SYSTEM, "has died" },
};

static int start(const struct row *r, unsigned after_ms)
{
	const bool prints = r->ask == ask;
	const struct helper_answer a = { r->result, (void *)TEXT, prints ? sizeof(output.text) : 0,
					 prints ? sizeof(TEXT) - 1 : 0 };

	return lying_helper_start(r->lie, &a, after_ms);
}

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct err err = { 0 };
	int line = start(r, 0);

	output.text[0] = '\0';
	assert_int_equal(r->ask(line, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->error));
	if (r->kind == ERR_NONE && r->ask == ask) {
		assert_string_equal(output.text, TEXT);
		assert_int_equal(output.failed, r->result.failed);
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
	err = (struct err){ 0 };
	assert_false(load(-1, &err));
	assert_int_equal(err.kind, ERR_DENIED);
}

static void nothing(int number)
{
	(void)number;
}

/* A signal arrives while the question waits: they repeat, as one may come before the wait. */
static bool ask_with_signal(bool (*what)(int line, struct err *err), int stop, struct err *err)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 },
					.it_interval = { .tv_usec = 20000 } },
			       never = { .it_value = { 0 } };
	const struct row *row = rows;
	int line;
	bool ok;

	while (row->ask != what)
		row++;
	line = start(row, 200);
	stop_signal = stop;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ok = what(line, err);
	setitimer(ITIMER_REAL, &never, NULL);
	stop_signal = 0;
	lying_helper_end(line);
	return ok;
}

static void a_request_to_stop_ends_the_wait_and_no_other_signal(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_true(ask_with_signal(ask, 0, &err));
	assert_string_equal(output.text, TEXT);
	assert_false(ask_with_signal(ask, SIGTERM, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.code, SIGTERM);
}

static void a_module_is_waited_for_whatever_the_signal(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_true(ask_with_signal(load, 0, &err));
	assert_true(ask_with_signal(load, SIGTERM, &err));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, without_a_helper_it_is_not_permitted);
	SUITE_ADD(&s, a_request_to_stop_ends_the_wait_and_no_other_signal);
	SUITE_ADD(&s, a_module_is_waited_for_whatever_the_signal);
	return suite_run(&s, "helper_tools");
}
