/* Tests of loading a module through the helper process, and of a helper that fails. */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

static int line[2];

static bool load(struct err *err)
{
	struct host_linux l = { .modprobe_helper = line[0] };

	return host_linux_load_module(&l.host, "rdma_cm", err);
}

/* The helper's answer, which is sent before the request. */
static const struct row {
	const char *sentence;
	int answer;
	size_t sent; /* bytes of the answer */
	enum err_kind kind;
	const char *error; /* part of the error */
} rows[] = {
	{ "a module that is loaded", 0, sizeof(int), ERR_NONE, "" },
	{ "a module that there is not", ENOENT, sizeof(int), ERR_SYSTEM,
	  "modprobe rdma_cm: No such file" },
	{ "half an answer is none", 0, 1, ERR_SYSTEM, "rdma_cm: the process that loads modules" },
	{ "a helper that ends is reported", 0, 0, ERR_SYSTEM, "has died" },
};

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct err err = { 0 };
	char asked[16] = "";

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line), 0);
	if (r->sent)
		assert_int_equal(send(line[1], &r->answer, r->sent, 0), r->sent);
	shutdown(line[1], SHUT_WR);
	assert_int_equal(load(&err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_non_null(strstr(err.text, r->error));
	assert_int_equal(recv(line[1], asked, sizeof(asked), 0), strlen("rdma_cm"));
	assert_string_equal(asked, "rdma_cm");
	close(line[0]);
	close(line[1]);
}

static void without_a_helper_it_is_not_permitted(void **s)
{
	struct err err = { 0 };

	(void)s;
	line[0] = -1;
	assert_false(load(&err));
	assert_int_equal(err.kind, ERR_DENIED);
}

static void a_helper_that_is_gone_is_reported(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line), 0);
	close(line[1]);
	assert_false(load(&err));
	assert_int_equal(err.code, EPIPE);
	close(line[0]);
}

static void answer(int number)
{
	const int done = 0;

	(void)number;
	(void)!write(line[1], &done, sizeof(done));
}

static void a_signal_does_not_end_the_wait(void **s)
{
	const struct sigaction action = { .sa_handler = answer };
	const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	struct err err = { 0 };

	(void)s;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line), 0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	assert_true(load(&err));
	close(line[0]);
	close(line[1]);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, without_a_helper_it_is_not_permitted);
	SUITE_ADD(&s, a_helper_that_is_gone_is_reported);
	SUITE_ADD(&s, a_signal_does_not_end_the_wait);
	return suite_run(&s, "modprobe");
}
