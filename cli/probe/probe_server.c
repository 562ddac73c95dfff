#include "probe_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "probe_message.h"

#define SILENCE_MS 300000 /* longest silence of a client after its hello */

/* Compares in a time that does not depend on where they differ. */
static bool has_token(const json_t *message, const char *token)
{
	const char *given = json_string_value(json_object_get(message, "token"));
	unsigned differs = !given || strlen(given) != strlen(token);

	for (size_t i = 0; !differs && token[i]; i++)
		differs |= (unsigned char)given[i] ^ (unsigned char)token[i];
	return !differs;
}

static bool may_enter(const json_t *message, const char *token, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "command"));
	json_int_t protocol = json_integer_value(json_object_get(message, "protocol"));

	if (!name || strcmp(name, "hello") != 0)
		return err_set(err, ERR_REFUSED, 0, "unknown command");
	if (protocol != PROBE_PROTOCOL)
		return err_set(err, ERR_REFUSED, 0,
			       "this end has losslessctl " LOSSLESSCTL_VERSION
			       ": install the same release at both ends");
	return !token || has_token(message, token) ||
	       err_set(err, ERR_REFUSED, 0, "the token is wrong");
}

static void send_reason(struct peer_line *l, const struct err *why)
{
	struct err quiet = { 0 };

	(void)!peer_line_send(l, json_pack("{s:o}", "error", json_from_text(why->text)), &quiet);
}

bool probe_let_in(struct peer_line *l, const char *token, unsigned wait_ms, json_t **ret_hello,
		  struct err *err)
{
	if (!peer_line_receive(l, wait_ms, ret_hello, err))
		return false;
	if (may_enter(*ret_hello, token, err))
		return true;
	send_reason(l, err);
	json_decref(*ret_hello);
	*ret_hello = NULL;
	return false;
}

static bool answer(const struct probe_server *s, json_t *message, struct err *err)
{
	json_t *reply = probe_work(s->worker, message, err);

	if (reply)
		return peer_line_send(s->line, reply, err);
	send_reason(s->line, err);
	return false;
}

static bool serve_next(const struct probe_server *s, struct err *err)
{
	json_auto_t *message = NULL;

	return peer_line_receive(s->line, SILENCE_MS, &message, err) && answer(s, message, err);
}

bool probe_serve(const struct probe_server *s, json_t *hello, struct err *err)
{
	bool ok = answer(s, hello, err);

	while (ok)
		ok = serve_next(s, err);
	probe_worker_stop(s->worker);
	if (err->kind != ERR_GONE)
		return false;
	*err = (struct err){ 0 };
	return true;
}

/* ---- a listener ---- */

#define TOKEN_BYTES	16
#define ACCEPT_MS	600000
#define LET_IN_MS	10000 /* from the connection to the token: a client reads its ports */
#define WARN_MS		60000 /* between two warnings */
#define CONNECTIONS_MAX 8     /* that have not shown the token yet */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct connection {
	struct peer_line line; /* in is -1: there is none */
	uint64_t until;
	char from[80];
};

struct listener {
	struct cli *c;
	int fd;
	const char *token;
	struct connection list[CONNECTIONS_MAX];
	size_t dropped; /* since the last warning */
	uint64_t warn_at;
};

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
static void write_address(const union address *at, char ret[80])
{
	char text[INET6_ADDRSTRLEN];

	if (at->any.sa_family == AF_INET)
		snprintf(ret, 80, "%s:%u", inet_ntop(AF_INET, &at->v4.sin_addr, text, sizeof(text)),
			 ntohs(at->v4.sin_port));
	else
		snprintf(ret, 80, "[%s]:%u",
			 inet_ntop(AF_INET6, &at->v6.sin6_addr, text, sizeof(text)),
			 ntohs(at->v6.sin6_port));
}

static bool print_place(const struct listener *l, struct err *err)
{
	union address at = { .v6 = { 0 } };
	socklen_t size = sizeof(at);
	char place[80];

	if (getsockname(l->fd, &at.any, &size) < 0)
		return err_set(err, ERR_SYSTEM, errno, "getsockname: %s", strerror(errno));
	write_address(&at, place);
	printf("Serving one probe at %s for %d minutes. Run at the other host:\n"
	       "  losslessctl probe %s --token -\n"
	       "and give it this token, as a line of its standard input:\n"
	       "  %s\n",
	       place, ACCEPT_MS / 60000, place, l->token);
	return fflush(stdout) == 0 ||
	       err_set(err, ERR_SYSTEM, errno, "write the token: %s", strerror(errno));
}

static void close_connection(struct connection *one)
{
	if (one->line.in >= 0)
		close(one->line.in);
	peer_line_close(&one->line);
	one->line.in = -1;
}

/* Any host that reaches the port may connect as often as it likes. */
static void drop(struct listener *l, struct connection *one, const char *why)
{
	uint64_t now = l->c->h->now_ms(l->c->h);

	close_connection(one);
	l->dropped++;
	if (now < l->warn_at)
		return;
	print_warning(l->c, "dropped %zu connection%s without the token, the last from %s: %s",
		      l->dropped, l->dropped == 1 ? "" : "s", one->from, why);
	l->dropped = 0;
	l->warn_at = now + WARN_MS;
}

/* A free place, or that of the oldest connection. */
static struct connection *make_place(struct listener *l)
{
	struct connection *oldest = &l->list[0];

	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		if (l->list[i].line.in < 0)
			return &l->list[i];
		if (l->list[i].until < oldest->until)
			oldest = &l->list[i];
	}
	drop(l, oldest, "others connect");
	return oldest;
}

static bool accept_one(struct listener *l, struct err *err)
{
	struct connection *one;
	union address from = { .v6 = { 0 } };
	socklen_t size = sizeof(from);
	int fd = accept4(l->fd, &from.any, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return errno == ECONNABORTED || errno == EAGAIN || errno == EINTR ||
		       err_set(err, ERR_SYSTEM, errno, "accept: %s", strerror(errno));
	one = make_place(l);
	one->until = l->c->h->now_ms(l->c->h) + LET_IN_MS;
	write_address(&from, one->from);
	if (peer_line_open(&one->line, fd, fd, err))
		return true;
	close(fd);
	one->line.in = -1;
	return false;
}

/* True if this connection has shown the token; otherwise it stays until its time is over. */
static bool may_stay(struct listener *l, struct connection *one, json_t **ret_hello)
{
	struct err why = { 0 };

	if (probe_let_in(&one->line, l->token, 0, ret_hello, &why))
		return true;
	if (why.code != ETIMEDOUT && why.kind != ERR_INTERRUPTED)
		drop(l, one, why.text);
	return false;
}

static void drop_late(struct listener *l)
{
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		if (l->list[i].line.in >= 0 && l->c->h->now_ms(l->c->h) >= l->list[i].until)
			drop(l, &l->list[i], "it sent nothing in time");
}

/* Waits for what connections send, and for new ones; *ret is set once one has the token. */
static bool await_event(struct listener *l, struct probe_client *ret, struct err *err)
{
	struct pollfd p[CONNECTIONS_MAX + 1];

	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		p[i] = (struct pollfd){ l->list[i].line.in, POLLIN, 0 };
	p[CONNECTIONS_MAX] = (struct pollfd){ l->fd, POLLIN, 0 };
	if (poll(p, CONNECTIONS_MAX + 1, 1000) < 0)
		return err_set(err, ERR_INTERRUPTED, l->c->h->interrupted(l->c->h), "interrupted");
	for (size_t i = 0; i < CONNECTIONS_MAX; i++) {
		struct connection *one = &l->list[i];

		if (!p[i].revents || !may_stay(l, one, &ret->hello))
			continue;
		ret->line = one->line;
		one->line = (struct peer_line){ .in = -1 };
		return true;
	}
	drop_late(l);
	return !p[CONNECTIONS_MAX].revents || accept_one(l, err);
}

static bool listen_for(struct listener *l, struct probe_client *ret, struct err *err)
{
	uint64_t end = l->c->h->now_ms(l->c->h) + ACCEPT_MS;
	bool ok = print_place(l, err);

	while (ok && !ret->hello && l->c->h->now_ms(l->c->h) < end)
		ok = await_event(l, ret, err);
	if (!ok || ret->hello)
		return ok;
	return err_set(err, ERR_UNKNOWN, ETIMEDOUT,
		       "no client with the token has connected for %d minutes", ACCEPT_MS / 60000);
}

/* The token opens one connection, after which nothing listens. */
bool probe_await_client(struct cli *c, struct probe_client *ret, struct err *err)
{
	char token[2 * TOKEN_BYTES + 1];
	struct listener l = { .c = c, .fd = c->probe_in, .token = token };
	bool ok;

	*ret = (struct probe_client){ .line.in = -1 };
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		l.list[i].line.in = -1;
	ok = make_token(token, err) && listen_for(&l, ret, err);
	for (size_t i = 0; i < CONNECTIONS_MAX; i++)
		close_connection(&l.list[i]);
	close(l.fd);
	return ok;
}

void probe_client_close(struct probe_client *client)
{
	close(client->line.in);
	peer_line_close(&client->line);
	json_decref(client->hello);
}
