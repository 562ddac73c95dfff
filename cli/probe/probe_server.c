#include "probe_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/engine/probe/perftest.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../sandbox/tools.h"

void probe_host_free(struct probe_host *h)
{
	free(h->scratch);
	free(h->ports);
	job_free(&h->job);
	targets_free(&h->targets);
	inventory_free(&h->inventory);
}

static bool describe_ports(struct probe_host *h, struct err *err)
{
	h->ports = oom_calloc(h->targets.count + 1, sizeof(*h->ports));
	h->scratch = scratch_new();
	if (!h->ports || !h->scratch)
		return err_no_memory(err);
	for (size_t i = 0; i < h->targets.count; i++)
		probe_port_read(h->e, &h->targets.list[i], &h->job.ports[i], &h->ports[i]);
	return true;
}

bool probe_host_read(const struct engine *e, const struct policy *p, struct probe_host *ret,
		     struct err *err)
{
	ret->e = e;
	ret->asked = &p->probe;
	if (!inventory_read(e, &e->selection, &ret->inventory, err) ||
	    !targets_choose(e, p, &ret->inventory, &ret->targets, err))
		return false;
	for (size_t i = 0; i < ret->targets.count; i++)
		if (!target_observe(e, &ret->targets.list[i], err))
			return false;
	return job_read_ports(e, &ret->targets, &ret->job, err) && describe_ports(ret, err);
}

bool probe_host_find(const struct probe_host *h, const char *name, size_t *ret)
{
	for (size_t i = 0; i < h->targets.count; i++)
		if (strcmp(h->ports[i].name, name) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

bool probe_host_count(const struct probe_host *h, size_t port, struct probe_counts *ret,
		      struct err *err)
{
	const struct engine *e = h->e;
	struct sample sample;

	if (!sample_read(e->h, e->backends->counter_readers, &h->targets.list[port].task.port,
			 h->scratch, &sample, err))
		return false;
	*ret = probe_counts_from(&sample);
	return true;
}

#define SERVER_LIMIT_S 60    /* perftest that waits, while the client counts and begins */
#define CLIENT_LIMIT_S 15    /* adapters give up a message after some seconds, soft RoCE never */
#define SERVER_ENDS_MS 5000  /* after the client's has ended */
#define CLIENT_ENDS_MS 20000 /* more than its limit, which the helper minds */
#define CONNECTS_MS    5000  /* time until the other end's perftest listens */
#define CONNECT_MS     250   /* between two tries */

static const struct peer_line nobody = { .in = -1 };

/* ---- hello, ping, count ---- */

static json_t *hello(struct probe_worker *w, json_t *message, struct err *err)
{
	json_t *ports = json_array();
	char name[256] = "";

	(void)message;
	(void)err;
	for (size_t i = 0; i < w->host->targets.count; i++) /* pods may have hundreds of VFs */
		if (w->host->e->selection.count || !w->host->ports[i].lacks[0] ||
		    !w->host->targets.list[i].task.port.is_vf)
			json_array_append_new(ports, probe_port_to_json(&w->host->ports[i]));
	(void)gethostname(name, sizeof(name) - 1);
	return json_pack("{s:i, s:s, s:o, s:b, s:o}", "protocol", PROBE_PROTOCOL, "version",
			 LOSSLESSCTL_VERSION, "host", json_from_text(name), "uses_gpu",
			 !w->runs && perftest_uses_gpu(w->helper), "ports", ports);
}

/* Keeps a line alive whose user thinks, or whose host has no part in a round. */
static json_t *ping(struct probe_worker *w, json_t *message, struct err *err)
{
	(void)w;
	(void)message;
	(void)err;
	return json_object();
}

static bool find_port(const struct probe_worker *w, const json_t *message, size_t *ret,
		      struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "port"));

	return (name && probe_host_find(w->host, name, ret)) ||
	       err_set(err, ERR_REFUSED, 0, "there is no such port");
}

static json_t *count(struct probe_worker *w, json_t *message, struct err *err)
{
	struct probe_counts c;
	size_t port;

	if (!find_port(w, message, &port, err) || !probe_host_count(w->host, port, &c, err))
		return NULL;
	return probe_counts_to_json(&c);
}

/* ---- start ---- */

static bool may_run(const struct probe_worker *w, const struct probe_port *port, struct err *err)
{
	const char *why = w->runs				  ? "a run has not ended"
			  : port->lacks[0]			  ? port->lacks
			  : port->busy[0] && !w->allow_disruption ? port->busy
								  : NULL;

	return !why || err_set(err, ERR_REFUSED, 0, "%s", why);
}

static bool begin(struct probe_worker *w, struct err *err)
{
	w->runs =
		perftest_start(w->helper, &w->run, w->run.peer[0] ? CLIENT_LIMIT_S : SERVER_LIMIT_S,
			       &w->started, err);
	return w->runs;
}

static json_t *start(struct probe_worker *w, json_t *message, struct err *err)
{
	const struct probe_port *port;
	size_t i;

	if (!find_port(w, message, &i, err) || !may_run(w, &w->host->ports[i], err))
		return NULL;
	port = &w->host->ports[i];
	w->run = (struct perftest){ .ib_port = port->ib_port, .gid_index = port->gid_index };
	snprintf(w->run.device, sizeof(w->run.device), "%s", port->device);
	if (!probe_run_from_json(json_object_get(message, "run"), &w->run, err) ||
	    !perftest_check(&w->run, err) || !begin(w, err))
		return NULL;
	return json_pack("{s:b}", "started", 1);
}

/* ---- finish ---- */

static bool has_ended(const struct probe_worker *w, enum peer_event event, struct err *err)
{
	struct host *h = w->host->e->h;

	if (event == PEER_INTERRUPTED)
		return !err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
	return event == PEER_SENDS &&
	       !err_set(err, ERR_GONE, EPIPE, "the other end of the probe has ended");
}

/*
 * Waits for perftest, and kills it when the time is over, when the other end of the probe ends, and
 * on a signal. A perftest that was killed or could not be started has failed: *ret says why.
 */
static bool await_result(struct probe_worker *w, unsigned wait_ms, struct perftest_result *ret,
			 struct err *err)
{
	enum peer_event event = peer_line_wait(w->other ? w->other : &nobody, w->helper, wait_ms);
	struct err why = { 0 };

	w->runs = false;
	if (event != OTHER_READABLE)
		perftest_cancel(w->helper);
	if (!perftest_result_read(w->helper, &w->started, ret, &why)) {
		ret->ok = false;
		snprintf(ret->output, sizeof(ret->output), "%s", why.text);
	}
	return !has_ended(w, event, err);
}

/* The other end's perftest takes a moment until it listens. */
static bool await_client(struct probe_worker *w, struct perftest_result *ret, struct err *err)
{
	struct host *h = w->host->e->h;
	uint64_t end = h->now_ms(h) + CONNECTS_MS;

	while (await_result(w, CLIENT_ENDS_MS, ret, err)) {
		if (ret->ok || !perftest_must_wait(ret->output) || h->now_ms(h) > end)
			return true;
		if (has_ended(w, peer_line_wait(w->other ? w->other : &nobody, -1, CONNECT_MS),
			      err) ||
		    !begin(w, err))
			return false;
	}
	return false;
}

static json_t *finish(struct probe_worker *w, json_t *message, struct err *err)
{
	struct perftest_result r = { .ok = false };

	(void)message;
	if (!w->runs) {
		err_record(err, ERR_REFUSED, 0, "no run was started");
		return NULL;
	}
	if (!(w->run.peer[0] ? await_client(w, &r, err) : await_result(w, SERVER_ENDS_MS, &r, err)))
		return NULL;
	return json_pack("{s:b, s:o*}", "ok", r.ok, "output",
			 r.output[0] ? json_from_text(r.output) : NULL);
}

void probe_worker_stop(struct probe_worker *w)
{
	struct perftest_result ignored;
	struct err quiet = { 0 };

	if (w->runs)
		(void)!await_result(w, 0, &ignored, &quiet);
}

static const struct {
	const char *name;
	json_t *(*answer)(struct probe_worker *w, json_t *message, struct err *err);
} commands[] = {
	{ "hello", hello }, { "ping", ping },	  { "count", count },
	{ "start", start }, { "finish", finish },
};

static json_t *no_command(struct probe_worker *w, json_t *message, struct err *err)
{
	(void)w;
	(void)message;
	err_record(err, ERR_REFUSED, 0, "unknown command");
	return NULL;
}

json_t *probe_work(struct probe_worker *w, json_t *message, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "command"));
	json_t *(*carry_out)(struct probe_worker *, json_t *, struct err *) = no_command;
	json_t *answer;

	for (size_t i = 0; name && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0)
			carry_out = commands[i].answer;
	answer = carry_out(w, message, err);
	if (!answer && err->kind == ERR_NONE)
		(void)!err_no_memory(err);
	return answer;
}

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
