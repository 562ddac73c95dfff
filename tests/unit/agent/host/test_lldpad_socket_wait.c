/* Tests of the wait for lldpad's answer: a deadline or a signal ends it. */
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/lldpad_host.h"
#include "tests/support/unit.h"

static int signal_number;

/* The second reading is just before the deadline of 3 s, the third is past it. */
static uint64_t hasty_clock(struct host *h)
{
	static uint64_t now;

	(void)h;
	return now += 2999;
}

static int after_a_look(struct host *h)
{
	static unsigned looks;

	(void)h;
	return ++looks > 2 ? signal_number : 0;
}

static void silence_ends_at_the_deadline(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	open_lldpad_host();
	fd = listen_as_lldpad();
	lldpad_host.host.now_ms = hasty_clock;
	assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "lldpad does not answer within 3 s");
	close(fd);
	host_linux_close(&lldpad_host);
}

/*
 * The second reading of the clock is just before the deadline and the third is past it, if the
 * deadline is a millisecond more than the clock's step.
 */
static unsigned looks, step;

static uint64_t counting_clock(struct host *h)
{
	static uint64_t now;

	(void)h;
	looks++;
	return now += step;
}

static void assert_waits(unsigned ms)
{
	struct err err = { 0 };
	char reply[32];

	looks = 0;
	step = ms - 1;
	assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_int_equal(looks, 3);
}

static void who_only_reads_waits_once_for_one_that_hangs(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	open_lldpad_host();
	fd = listen_as_lldpad();
	lldpad_host.host.now_ms = counting_clock;
	assert_waits(3000);
	assert_waits(3000);
	lldpad_host.host.may_write = false;
	assert_waits(200);
	assert_waits(200);
	close(fd);
	step = 0;
	assert_true(ask_lldpad("R00P", 4, 0, reply, &err));
	fd = listen_as_lldpad();
	assert_waits(3000);
	close(fd);
	host_linux_close(&lldpad_host);
}

/* Sends an answer to what was asked over the line. */
static void answer(int fd, const struct lldpad_line *line)
{
	struct sockaddr_un to;
	socklen_t size = sizeof(to);

	assert_int_equal(getsockname(line->fd, (struct sockaddr *)&to, &size), 0);
	assert_int_equal(sendto(fd, "R00P", 4, 0, (struct sockaddr *)&to, size), 4);
}

static void a_line_is_asked_again_until_an_answer_is_late(void **s)
{
	struct lldpad_line line = { .fd = -1 };
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	open_lldpad_host();
	fd = listen_as_lldpad();
	host_linux_open_lldpad(&line);
	lldpad_host.lldpad = &line;
	for (int i = 0; i < 2; i++) {
		answer(fd, &line);
		assert_true(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	}
	lldpad_host.host.now_ms = hasty_clock;
	for (int i = 0; i < 2; i++) {
		err = (struct err){ 0 };
		assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
		assert_string_equal(err.text, "lldpad does not answer within 3 s");
		assert_int_equal(line.fd, -1);
	}
	close(fd);
	host_linux_close(&lldpad_host);
}

static void a_line_to_nobody_says_so(void **s)
{
	struct lldpad_line line = { .fd = -1 };
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	host_linux_open_lldpad(&line);
	lldpad_host.lldpad = &line;
	assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_MISSING);
	host_linux_close(&lldpad_host);
}

/* The queue of a hanging lldpad fills up: sending must not wait forever. */
static void so_does_a_full_queue(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	open_lldpad_host();
	fd = listen_as_lldpad();
	lldpad_host.host.now_ms = hasty_clock;
	for (int i = 0; i < 100; i++) {
		err = (struct err){ 0 };
		lldpad_host.lldpad_unresponsive = false;
		assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	}
	assert_int_equal(err.kind, ERR_UNKNOWN);
	close(fd);
	host_linux_close(&lldpad_host);
}

static void a_signal_ends_the_wait(void **s)
{
	struct err err = { 0 };
	char reply[32];
	int fd;

	(void)s;
	open_lldpad_host();
	fd = listen_as_lldpad();
	lldpad_host.host.interrupted = after_a_look;
	signal_number = SIGTERM;
	assert_false(host_ask_lldpad(&lldpad_host.host, "P", reply, sizeof(reply), &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.code, SIGTERM);
	close(fd);
	host_linux_close(&lldpad_host);
}

static int caught_before(struct host *h)
{
	(void)h;
	return SIGINT;
}

static void after_a_signal_the_rollback_still_asks(void **s)
{
	struct err err = { 0 };
	char reply[32];

	(void)s;
	open_lldpad_host();
	lldpad_host.host.interrupted = caught_before;
	assert_true(ask_once("R00P", 4, 0, reply, &err));
}

int main(void)
{
	static struct suite s;

	is_alone = leave_network();
	SUITE_ADD(&s, silence_ends_at_the_deadline);
	SUITE_ADD(&s, who_only_reads_waits_once_for_one_that_hangs);
	SUITE_ADD(&s, a_line_is_asked_again_until_an_answer_is_late);
	SUITE_ADD(&s, a_line_to_nobody_says_so);
	SUITE_ADD(&s, so_does_a_full_queue);
	SUITE_ADD(&s, a_signal_ends_the_wait);
	SUITE_ADD(&s, after_a_signal_the_rollback_still_asks);
	return suite_run(&s, "lldpad_socket_wait");
}
