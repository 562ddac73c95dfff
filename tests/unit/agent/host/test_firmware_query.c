/* Tests of a firmware query, with a helper process that answers well, badly or not at all. */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

#define TEXT "Configurations: ..."

/* The helper's answer, which is sent before the query. */
struct answer_row {
	const char *sentence;
	struct firmware_answer answer;
	size_t sent;	  /* bytes of the answer */
	size_t text_sent; /* bytes of TEXT */
	enum err_kind kind;
	const char *error; /* part of the error */
};

#define WHOLE sizeof(struct firmware_answer)
#define SIZE  (sizeof(TEXT) - 1)

static const struct answer_row rows[] = {
	{ "a tool's output arrives", { .size = SIZE }, WHOLE, SIZE, ERR_NONE, "" },
	{ "a failed tool's output arrives",
	  { .size = SIZE, .failed = 1 },
	  WHOLE,
	  SIZE,
	  ERR_NONE,
	  "" },
	{ "a tool that is not installed is unsupported",
	  { .code = ENOENT, .reason = "install mstflint" },
	  WHOLE,
	  0,
	  ERR_UNSUPPORTED,
	  "install mstflint" },
	{ "a tool that did not end leaves it unknown",
	  { .code = ETIMEDOUT, .reason = "mstconfig did not end" },
	  WHOLE,
	  0,
	  ERR_UNKNOWN,
	  "mstconfig did not end" },
	{ "a helper that ends is reported", { .size = 0 }, 0, 0, ERR_UNKNOWN, "has ended" },
	{ "half an answer is none", { .size = 0 }, WHOLE / 2, 0, ERR_UNKNOWN, "has ended" },
	{ "half an output is none", { .size = SIZE }, WHOLE, SIZE / 2, ERR_UNKNOWN, "has ended" },
	{ "more output than there is room for is refused",
	  { .size = FIRMWARE_OUTPUT_MAX },
	  WHOLE,
	  SIZE,
	  ERR_UNKNOWN,
	  "has ended" },
};

static int stop_signal;

static int interrupted(struct host *h)
{
	(void)h;
	return stop_signal;
}

static int line[2];
static struct firmware_output output;

static bool ask(struct err *err)
{
	struct host_linux l = { .host.interrupted = interrupted, .firmware_helper = line[0] };
	bool ok =
		host_linux_query_firmware(&l.host, FIRMWARE_NVCONFIG, "0000:3b:00.0", &output, err);

	close(line[0]);
	return ok;
}

static void begin(void)
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line), 0);
}

static void say(const struct answer_row *r)
{
	assert_int_equal(send(line[1], &r->answer, r->sent, 0), r->sent);
	assert_int_equal(send(line[1], TEXT, r->text_sent, 0), r->text_sent);
}

static void ends_as_the_row_says(void **s)
{
	const struct answer_row *r = *s;
	struct err err = { 0 };

	begin();
	output.text[0] = '\0';
	say(r);
	shutdown(line[1], SHUT_WR);
	assert_int_equal(ask(&err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->error));
	if (r->kind == ERR_NONE) {
		assert_string_equal(output.text, TEXT);
		assert_int_equal(output.failed, r->answer.failed);
	}
	if (r->answer.size >= FIRMWARE_OUTPUT_MAX)
		assert_string_equal(output.text, ""); /* no byte of the output is received */
	close(line[1]);
}

static void without_a_helper_it_is_not_permitted(void **s)
{
	struct err err = { 0 };

	(void)s;
	line[0] = -1;
	assert_false(ask(&err));
	assert_int_equal(err.kind, ERR_DENIED);
}

static void a_helper_that_is_gone_is_reported(void **s)
{
	struct err err = { 0 };

	(void)s;
	begin();
	close(line[1]);
	assert_false(ask(&err));
	assert_int_equal(err.code, EPIPE);
}

/* The signal arrives while the query waits; answer unless it asks to stop. */
static void answer_later(int number)
{
	(void)number;
	if (!stop_signal)
		say(&rows[0]);
}

static bool ask_with_signal(int stop, struct err *err)
{
	const struct sigaction action = { .sa_handler = answer_later };
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	bool ok;

	stop_signal = stop;
	begin();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ok = ask(err);
	stop_signal = 0;
	close(line[1]);
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
	SUITE_ADD(&s, a_helper_that_is_gone_is_reported);
	SUITE_ADD(&s, a_request_to_stop_ends_the_wait_and_no_other_signal);
	return suite_run(&s, "firmware_query");
}
