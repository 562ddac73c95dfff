#include "probe_server.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../policy/util/json_util.h"
#include "../sandbox/perftest_helper.h"
#include "probe_message.h"

#define SILENCE_MS  60000 /* the longest, of a client that has not ended */
#define RUN_LIMIT_S 60
#define FINISH_MS   5000 /* for perftest to end after the client's has */

struct state {
	const struct probe_server *server;
	bool is_known; /* the client has said hello */
	bool runs;     /* perftest was started, and its result not read */
};

static json_t *hello(struct state *s, const json_t *message, struct err *err);
static json_t *count(struct state *s, const json_t *message, struct err *err);
static json_t *start(struct state *s, const json_t *message, struct err *err);
static json_t *finish(struct state *s, const json_t *message, struct err *err);

static const struct {
	const char *name;
	json_t *(*answer)(struct state *s, const json_t *message, struct err *err);
} commands[] = { { "hello", hello }, { "count", count }, { "start", start }, { "finish", finish } };

/* Compares in a time that does not depend on where they differ. */
static bool has_token(const json_t *message, const char *token)
{
	const char *given = json_string_value(json_object_get(message, "token"));
	unsigned differs = !given || strlen(given) != strlen(token);

	for (size_t i = 0; !differs && token[i]; i++)
		differs |= (unsigned char)given[i] ^ (unsigned char)token[i];
	return !differs;
}

static json_t *hello(struct state *s, const json_t *message, struct err *err)
{
	const struct probe_host *h = s->server->host;
	json_int_t protocol = json_integer_value(json_object_get(message, "protocol"));
	char name[256] = "";
	json_t *ports;

	if (protocol != PROBE_PROTOCOL) {
		err_record(err, ERR_REFUSED, 0,
			   "this end has losslessctl " LOSSLESSCTL_VERSION
			   ": install the same release at both ends");
		return NULL;
	}
	if (s->server->token && !has_token(message, s->server->token)) {
		err_record(err, ERR_REFUSED, 0, "the token is wrong");
		return NULL;
	}
	s->is_known = true;
	ports = json_array();
	for (size_t i = 0; i < h->targets.count; i++)
		json_array_append_new(ports, probe_port_to_json(&h->ports[i]));
	(void)gethostname(name, sizeof(name) - 1);
	return json_pack("{s:i, s:s, s:o, s:o}", "protocol", PROBE_PROTOCOL, "version",
			 LOSSLESSCTL_VERSION, "host", json_from_text(name), "ports", ports);
}

static bool find_port(const struct state *s, const json_t *message, size_t *ret, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "port"));

	return (name && probe_host_find(s->server->host, name, ret)) ||
	       err_set(err, ERR_REFUSED, 0, "there is no such port");
}

static json_t *count(struct state *s, const json_t *message, struct err *err)
{
	struct probe_counts c;
	size_t port;

	if (!find_port(s, message, &port, err) || !probe_host_count(s->server->host, port, &c, err))
		return NULL;
	return probe_counts_to_json(&c);
}

static json_t *start(struct state *s, const json_t *message, struct err *err)
{
	const struct probe_port *port;
	struct perftest p = { .path = 0 };
	size_t i;

	if (!find_port(s, message, &i, err))
		return NULL;
	port = &s->server->host->ports[i];
	if (s->runs || port->lacks[0] || (port->busy[0] && !s->server->allow_disruption)) {
		err_record(err, ERR_REFUSED, 0, "%s",
			   s->runs	    ? "a run has not ended"
			   : port->lacks[0] ? port->lacks
					    : port->busy);
		return NULL;
	}
	snprintf(p.device, sizeof(p.device), "%s", port->device);
	p.ib_port = port->ib_port;
	p.gid_index = port->gid_index;
	if (!probe_run_from_json(json_object_get(message, "run"), &p, err) ||
	    !perftest_check(&p, err) || !perftest_start(s->server->helper, &p, RUN_LIMIT_S, err))
		return NULL;
	s->runs = true;
	return json_pack("{s:b}", "started", 1);
}

/* Reads the result of perftest, which is killed if it does not end by itself. */
static bool read_result(struct state *s, unsigned wait_ms, struct perftest_result *ret,
			struct err *err)
{
	const struct peer_line only = { .in = -1 };

	s->runs = false;
	if (peer_line_wait(&only, s->server->helper, wait_ms) != OTHER_READABLE)
		perftest_cancel(s->server->helper);
	return perftest_result_read(s->server->helper, ret, err);
}

static json_t *finish(struct state *s, const json_t *message, struct err *err)
{
	struct perftest_result r = { .ok = false };
	struct err why = { 0 };

	(void)message;
	if (!s->runs) {
		err_record(err, ERR_REFUSED, 0, "no run was started");
		return NULL;
	}
	if (!read_result(s, FINISH_MS, &r, &why))
		snprintf(r.output, sizeof(r.output), "%s", why.text);
	return json_pack("{s:b, s:o}", "ok", r.ok, "output", json_from_text(r.output));
}

static json_t *answer(struct state *s, const json_t *message, struct err *err)
{
	const char *name = json_string_value(json_object_get(message, "command"));

	for (size_t i = 0; name && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0 &&
		    (s->is_known || commands[i].answer == hello))
			return commands[i].answer(s, message, err);
	err_record(err, ERR_REFUSED, 0, "unknown command");
	return NULL;
}

/* Answers one message; the client learns why it is refused. */
static bool serve_one(struct state *s, struct err *err)
{
	json_auto_t *message = NULL;
	struct err quiet = { 0 };
	json_t *reply;

	if (!peer_line_receive(s->server->line, SILENCE_MS, &message, err))
		return false;
	reply = answer(s, message, err);
	if (reply)
		return peer_line_send(s->server->line, reply, err);
	(void)!peer_line_send(s->server->line,
			      json_pack("{s:o}", "error", json_from_text(err->text)), &quiet);
	return false;
}

bool probe_serve(const struct probe_server *server, struct err *err)
{
	struct state s = { .server = server };
	struct perftest_result ignored;
	struct err quiet = { 0 };

	while (serve_one(&s, err))
		;
	if (s.runs)
		(void)!read_result(&s, 0, &ignored, &quiet);
	if (err->kind != ERR_GONE || !s.is_known)
		return false;
	*err = (struct err){ 0 };
	return true;
}
