/* Tests of loading a module through the helper process, and of a helper that fails. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

#include "agent/host/host_linux.h"
#include "tests/support/lying_helper.h"
#include "tests/support/unit.h"

static const struct row {
	const char *sentence;
	int answer;
	enum lie lie;
	enum err_kind kind;
	const char *error; /* part of the error */
} rows[] = {
	{ "a module that is loaded", 0, HONEST, ERR_NONE, "" },
	{ "a module that there is not", ENOENT, HONEST, ERR_SYSTEM,
	  "modprobe rdma_cm: No such file" },
	{ "half an answer is none", 0, HALF, ERR_SYSTEM,
	  "rdma_cm: the process that loads modules" },
	{ "an answer about another module is none", 0, ABOUT_ANOTHER_TEXT, ERR_SYSTEM,
	  "rdma_cm: the process that loads modules" },
	{ "a helper that ends is reported", 0, ENDS, ERR_SYSTEM, "has died" },
};

static bool load(int line, struct err *err)
{
	struct host_linux l = { .modprobe_helper = line };

	return host_linux_load_module(&l.host, "rdma_cm", err);
}

static int start(const struct row *r, unsigned after_ms)
{
	const struct helper_answer a = { (void *)&r->answer, sizeof(r->answer), NULL, 0, 0 };

	return lying_helper_start(r->lie, &a, after_ms);
}

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct err err = { 0 };
	int line = start(r, 0);

	assert_int_equal(load(line, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->error));
	lying_helper_end(line);
}

static void without_a_helper_it_is_not_permitted(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_false(load(-1, &err));
	assert_int_equal(err.kind, ERR_DENIED);
}

static void nothing(int number)
{
	(void)number;
}

static void a_signal_does_not_end_the_wait(void **s)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	struct err err = { 0 };
	int line = start(&rows[0], 200);

	(void)s;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	assert_true(load(line, &err));
	lying_helper_end(line);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, without_a_helper_it_is_not_permitted);
	SUITE_ADD(&s, a_signal_does_not_end_the_wait);
	return suite_run(&s, "modprobe");
}
