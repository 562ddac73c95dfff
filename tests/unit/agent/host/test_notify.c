/* Tests of notifications to systemd, on a socket of the test's own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/host/notify.h"
#include "tests/support/unit.h"

static char folder[] = "/tmp/losslessctl-notify.XXXXXX";
static char path[64];

/* Bind a socket to a name in the form of $NOTIFY_SOCKET. */
static int listen_at(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	size_t length = strlen(name);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	memcpy(at.sun_path, name, length);
	if (name[0] == '@')
		at.sun_path[0] = '\0';
	else
		unlink(name);
	assert_int_equal(bind(fd, (struct sockaddr *)&at,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)),
			 0);
	return fd;
}

static const char *heard(int fd)
{
	static char text[4096];
	ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static void says_to(const char *name)
{
	int ear = listen_at(name), mouth = notify_open(name);

	assert_true(mouth >= 0);
	notify_send(mouth, "STATUS=%d ports\nREADY=1", 2);
	assert_string_equal(heard(ear), "STATUS=2 ports\nREADY=1");
	close(mouth);
	close(ear);
}

static void a_socket_with_a_path_is_notified(void **s)
{
	(void)s;
	says_to(path);
}

static void an_abstract_socket_is_notified(void **s)
{
	char name[64];

	(void)s;
	snprintf(name, sizeof(name), "@losslessctl-test-%d", getpid());
	says_to(name);
}

static void each_message_is_a_datagram(void **s)
{
	int ear = listen_at(path), mouth = notify_open(path);

	(void)s;
	notify_send(mouth, "READY=1");
	notify_send(mouth, "WATCHDOG=1");
	assert_string_equal(heard(ear), "READY=1");
	assert_string_equal(heard(ear), "WATCHDOG=1");
	close(mouth);
	close(ear);
}

static const struct address {
	const char *sentence, *name;
} nobody[] = {
	{ "outside systemd nothing is notified", NULL },
	{ "an empty name is nobody's", "" },
	{ "a name of one byte is nobody's", "@" },
	{ "a name that is neither a path nor abstract is nobody's", "notify" },
	{ "without a listener nothing is notified", "/tmp/losslessctl-nobody-listens" },
	{ "a name that is too long is nobody's",
	  "/0123456789012345678901234567890123456789012345678901234567890123456789"
	  "0123456789012345678901234567890123456789" },
};

static void is_nobodys(void **s)
{
	const struct address *row = *s;

	assert_int_equal(notify_open(row->name), -1);
}

/* send() to no socket would set errno. */
static void to_notify_nobody_sends_nothing(void **s)
{
	(void)s;
	errno = 0;
	notify_send(-1, "READY=1");
	assert_int_equal(errno, 0);
}

/* A datagram to a socket that is gone is refused. */
static void who_does_not_listen_any_more_does_no_harm(void **s)
{
	int ear = listen_at(path), mouth = notify_open(path);

	(void)s;
	close(ear);
	errno = 0;
	notify_send(mouth, "READY=1");
	assert_int_equal(errno, ECONNREFUSED);
	ear = listen_at(path);
	notify_send(mouth, "READY=1");
	assert_string_equal(heard(ear), "");
	close(ear);
	close(mouth);
}

static void who_does_not_read_does_not_hold_us_up(void **s)
{
	int ear = listen_at(path), mouth = notify_open(path);

	(void)s;
	for (int i = 0; i < 10000; i++)
		notify_send(mouth, "WATCHDOG=1");
	assert_string_equal(heard(ear), "WATCHDOG=1");
	close(mouth);
	close(ear);
}

static void what_is_too_long_is_cut_and_sent(void **s)
{
	int ear = listen_at(path), mouth = notify_open(path);
	char name[2000];

	(void)s;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	notify_send(mouth, "STATUS=%s", name);
	assert_memory_equal(heard(ear), "STATUS=xxx", 10);
	close(mouth);
	close(ear);
}

int main(void)
{
	struct suite s = { .count = 0 };
	int failed;

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/notify", folder);
	SUITE_ADD(&s, a_socket_with_a_path_is_notified);
	SUITE_ADD(&s, an_abstract_socket_is_notified);
	SUITE_ADD(&s, each_message_is_a_datagram);
	SUITE_ADD_ROWS(&s, nobody, is_nobodys);
	SUITE_ADD(&s, to_notify_nobody_sends_nothing);
	SUITE_ADD(&s, who_does_not_listen_any_more_does_no_harm);
	SUITE_ADD(&s, who_does_not_read_does_not_hold_us_up);
	SUITE_ADD(&s, what_is_too_long_is_cut_and_sent);
	failed = suite_run(&s, "notify");
	unlink(path);
	rmdir(folder);
	return failed;
}
