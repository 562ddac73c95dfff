/* Tests of the line between the ends of a probe: whole, late, broken and too long messages. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/probe/probe_server.h"
#include "tests/support/unit.h"

static struct peer_line line;
static int peer;

static int open_line(void **state)
{
	struct err err = { 0 };
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	peer = fds[1];
	assert_true(peer_line_open(&line, fds[0], fds[0], &err));
	return 0;
}

static int close_line(void **state)
{
	(void)state;
	close(line.in);
	close(peer);
	peer_line_close(&line);
	return 0;
}

static void say(const char *text)
{
	assert_int_equal(write(peer, text, strlen(text)), strlen(text));
}

/* Expect that no object arrives, and return the kind of the error. */
static enum err_kind refusal(struct err *err)
{
	json_t *j;

	assert_false(peer_line_receive(&line, 10, &j, err));
	assert_null(j);
	assert_true(err->text[0]);
	return err->kind;
}

static void expect_number(int expected)
{
	struct err err = { 0 };
	json_t *j;

	assert_true(peer_line_receive(&line, 10, &j, &err));
	assert_int_equal(json_integer_value(json_object_get(j, "n")), expected);
	json_decref(j);
}

static void messages_that_arrive_together_are_received_one_by_one(void **state)
{
	(void)state;
	say("{\"n\":1}\n{\"n\":2}\n{\"n\":");
	expect_number(1);
	assert_int_equal(peer_line_wait(&line, -1, 0), PEER_SENDS);
	expect_number(2);
	say("3}\n");
	expect_number(3);
	assert_int_equal(peer_line_wait(&line, -1, 0), PEER_QUIET);
}

static void half_a_message_is_late(void **state)
{
	struct err err = { 0 };

	(void)state;
	say("{\"n\":1}");
	assert_int_equal(refusal(&err), ERR_UNKNOWN);
	assert_int_equal(err.code, ETIMEDOUT);
}

static void a_peer_that_ends_within_a_message_is_gone(void **state)
{
	struct err err = { 0 };

	(void)state;
	say("{\"n\":1}");
	shutdown(peer, SHUT_WR);
	assert_int_equal(refusal(&err), ERR_GONE);
}

static const struct {
	const char *sentence, *text;
} garbage[] = {
	{ "an empty line is no message", "\n" },
	{ "text is no message", "Welcome to gpu-17\n" },
	{ "a list is no message", "[1]\n" },
	{ "a key given twice is no message", "{\"n\":1,\"n\":2}\n" },
	{ "text after the object is no message", "{\"n\":1} 2\n" },
};

static void is_no_message(void **state)
{
	const size_t i =
		(size_t)((const char *)*state - (const char *)garbage) / sizeof(garbage[0]);
	struct err err = { 0 };

	say(garbage[i].text);
	assert_int_equal(refusal(&err), ERR_POLICY);
	assert_non_null(strstr(err.text, "no losslessctl probe"));
}

static void an_error_of_the_peer_is_a_refusal_with_its_text(void **state)
{
	struct err err = { 0 };

	(void)state;
	say("{\"error\":\"the token is wrong\"}\n");
	assert_int_equal(refusal(&err), ERR_REFUSED);
	assert_string_equal(err.text, "the other end: the token is wrong");
}

/* Write a message of `size` bytes and its newline, without blocking. */
static void say_long(size_t size)
{
	char *text = malloc(size + 1);

	memset(text, ' ', size);
	memcpy(text, "{\"n\":1}", 7);
	text[size] = '\n';
	assert_int_equal(write(peer, text, size + 1), size + 1);
	free(text);
}

static void the_longest_message_is_received(void **state)
{
	(void)state;
	say_long(PEER_LINE_MAX);
	expect_number(1);
}

static void a_longer_one_is_refused(void **state)
{
	struct err err = { 0 };

	(void)state;
	say_long(PEER_LINE_MAX + 1);
	assert_int_equal(refusal(&err), ERR_POLICY);
	assert_int_equal(err.code, EMSGSIZE);
}

/* SIGPIPE would end the test. */
static void a_peer_that_has_ended_receives_nothing(void **state)
{
	struct err err = { 0 };

	(void)state;
	close(peer);
	peer = -1;
	assert_false(peer_line_send(&line, json_object(), &err));
	assert_int_equal(err.kind, ERR_GONE);
}

static void a_pipe_takes_a_message_as_a_socket_does(void **state)
{
	struct err err = { 0 };
	char text[32] = "";
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	line.out = fds[1];
	assert_true(peer_line_send(&line, json_pack("{s:i}", "n", 1), &err));
	assert_int_equal(read(fds[0], text, sizeof(text) - 1), 8);
	assert_string_equal(text, "{\"n\":1}\n");
	close(fds[0]);
	close(fds[1]);
}

static void a_full_disk_is_no_peer_that_has_ended(void **state)
{
	struct err err = { 0 };

	(void)state;
	line.out = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_false(peer_line_send(&line, json_object(), &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(err.code, ENOSPC);
	close(line.out);
}

static void the_other_descriptor_is_seen_before_the_peer(void **state)
{
	int other[2];

	(void)state;
	assert_int_equal(pipe(other), 0);
	assert_int_equal(peer_line_wait(&line, other[0], 0), PEER_QUIET);
	say("{}\n");
	assert_int_equal(peer_line_wait(&line, other[0], 0), PEER_SENDS);
	assert_int_equal(write(other[1], "x", 1), 1);
	assert_int_equal(peer_line_wait(&line, other[0], 0), OTHER_READABLE);
	close(other[0]);
	close(other[1]);
}

static void the_end_of_long_messages_is_kept(void **state)
{
	char text[16];

	(void)state;
	say("Warning: the key of gpu-17 is new\nreset\n");
	close(peer);
	peer = -1;
	peer_line_read_last(line.in, text, sizeof(text));
	assert_non_null(strstr(text, "\nreset\n"));
	assert_in_range(strlen(text), 7, sizeof(text) - 1);
}

static void messages_without_end_are_given_up(void **state)
{
	int endless = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	char text[16];

	(void)state;
	alarm(30);
	peer_line_read_last(endless, text, sizeof(text));
	alarm(0);
	assert_int_equal(text[sizeof(text) - 1], '\0');
	close(endless);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, messages_that_arrive_together_are_received_one_by_one);
	SUITE_ADD(&s, half_a_message_is_late);
	SUITE_ADD(&s, a_peer_that_ends_within_a_message_is_gone);
	SUITE_ADD(&s, an_error_of_the_peer_is_a_refusal_with_its_text);
	SUITE_ADD(&s, the_longest_message_is_received);
	SUITE_ADD(&s, a_longer_one_is_refused);
	SUITE_ADD(&s, a_peer_that_has_ended_receives_nothing);
	SUITE_ADD(&s, a_pipe_takes_a_message_as_a_socket_does);
	SUITE_ADD(&s, a_full_disk_is_no_peer_that_has_ended);
	SUITE_ADD(&s, the_other_descriptor_is_seen_before_the_peer);
	SUITE_ADD_ROWS(&s, garbage, is_no_message);
	SUITE_ADD(&s, the_end_of_long_messages_is_kept);
	SUITE_ADD(&s, messages_without_end_are_given_up);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = open_line;
		s.tests[i].teardown_func = close_line;
	}
	return suite_run(&s, "peer_line");
}
