#include "probe_listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define ACCEPT_MS 600000

static bool make_token(char ret[2 * TOKEN_BYTES + 1], struct err *err)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_set(err, ERR_SYSTEM, errno, "getrandom: %s", strerror(errno));
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* Writes "192.0.2.1:40123" or "[2001:db8::1]:40123". */
static bool write_place(int fd, char ret[80], struct err *err)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} at = { .v6 = { 0 } };
	socklen_t size = sizeof(at);
	char text[INET6_ADDRSTRLEN];

	if (getsockname(fd, &at.any, &size) < 0)
		return err_set(err, ERR_SYSTEM, errno, "getsockname: %s", strerror(errno));
	if (at.any.sa_family == AF_INET)
		snprintf(ret, 80, "%s:%u", inet_ntop(AF_INET, &at.v4.sin_addr, text, sizeof(text)),
			 ntohs(at.v4.sin_port));
	else
		snprintf(ret, 80, "[%s]:%u",
			 inet_ntop(AF_INET6, &at.v6.sin6_addr, text, sizeof(text)),
			 ntohs(at.v6.sin6_port));
	return true;
}

static bool accept_client(struct cli *c, int *ret, struct err *err)
{
	struct pollfd p = { c->probe_in, POLLIN, 0 };
	int n = poll(&p, 1, ACCEPT_MS);

	if (n < 0)
		return err_set(err, ERR_INTERRUPTED, c->h->interrupted(c->h), "interrupted");
	if (n == 0)
		return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "nobody has connected for %d minutes",
			       ACCEPT_MS / 60000);
	*ret = accept4(c->probe_in, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	return *ret >= 0 || err_set(err, ERR_SYSTEM, errno, "accept: %s", strerror(errno));
}

/* The token opens one connection, after which nothing listens. */
bool probe_await_client(struct cli *c, char token[2 * TOKEN_BYTES + 1], int *ret, struct err *err)
{
	char place[80];

	if (!make_token(token, err) || !write_place(c->probe_in, place, err))
		return false;
	printf("Serving one probe at %s for %d minutes. Run at the other host:\n"
	       "  losslessctl probe %s --token %s\n",
	       place, ACCEPT_MS / 60000, place, token);
	if (fflush(stdout) != 0)
		return err_set(err, ERR_SYSTEM, errno, "write the token: %s", strerror(errno));
	return accept_client(c, ret, err) && close(c->probe_in) == 0;
}
