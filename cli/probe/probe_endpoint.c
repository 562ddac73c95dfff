#include "probe_endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"

#define GREET_MS 30000 /* ssh connects and authenticates; the other end reads its ports */
#define PING_MS	 10000

static void close_line(struct probe_endpoint *p)
{
	if (p->line.in >= 0)
		close(p->line.in);
	if (p->line.out >= 0 && p->line.out != p->line.in)
		close(p->line.out);
	if (p->messages >= 0)
		close(p->messages);
	p->line.in = p->line.out = p->messages = -1;
}

void probe_endpoints_free(struct probe_endpoints *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct probe_endpoint *p = &all->list[i];

		if (p->here)
			probe_worker_stop(p->here);
		close_line(p);
		peer_line_close(&p->line);
		json_decref(p->asked);
		free(p->ports);
	}
	free(all->list);
}

bool probe_endpoint_is_there(const struct probe_endpoint *p)
{
	return p->why.kind == ERR_NONE;
}

/* Copies the last line with text. */
static void copy_last_line(char *text, char *ret, size_t size)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
		if (line[strspn(line, " \t")])
			snprintf(ret, size, "%s", line);
}

/* The end of a line says little: ssh, or the other end, prints why, perhaps a moment later. */
static void read_reason(const struct probe_endpoint *p, struct err *why)
{
	char text[4096];

	if (p->messages < 0 || why->kind != ERR_GONE)
		return;
	peer_line_read_last(p->messages, text, sizeof(text));
	copy_last_line(text, why->text, sizeof(why->text));
}

void probe_endpoint_give_up(struct probe_endpoint *p, const struct err *why)
{
	p->why = *why;
	read_reason(p, &p->why);
	close_line(p);
	p->runs = p->waits = false;
}

void probe_endpoint_send(struct probe_endpoint *p, json_t *message)
{
	struct err err = { 0 };

	if (p->here) {
		json_decref(p->asked);
		p->asked = message;
	} else if (!peer_line_send(&p->line, message, &err)) {
		probe_endpoint_give_up(p, &err);
		return;
	}
	p->waits = true;
}

static json_t *answer(struct probe_endpoint *p, unsigned wait_ms, struct err *err)
{
	json_t *reply = NULL;

	if (p->here)
		return probe_work(p->here, p->asked, err);
	return peer_line_receive(&p->line, wait_ms, &reply, err) ? reply : NULL;
}

json_t *probe_endpoint_receive(struct probe_endpoint *p, uint64_t end_ms, struct host *h)
{
	uint64_t now = h->now_ms(h);
	struct err err = { 0 };
	json_t *reply = answer(p, now < end_ms ? (unsigned)(end_ms - now) : 0, &err);

	p->waits = false;
	if (!reply)
		probe_endpoint_give_up(p, &err);
	return reply;
}

static bool read_ports(struct probe_endpoint *p, json_t *list, struct err *err)
{
	size_t count = json_array_size(list);

	if (!json_is_array(list) || count > PROBE_PORTS_MAX)
		return err_set(err, ERR_POLICY, EPROTO,
			       "the other end of the probe lists no ports, or more than %d",
			       PROBE_PORTS_MAX);
	p->ports = oom_calloc(count + 1, sizeof(*p->ports));
	if (!p->ports)
		return err_no_memory(err);
	for (; p->ports_count < count; p->ports_count++) {
		const struct json_path at = { NULL, NULL, p->ports_count };

		if (!probe_port_from_json(json_array_get(list, p->ports_count), &at,
					  &p->ports[p->ports_count], err))
			return false;
	}
	return true;
}

static bool speaks_protocol(const json_t *reply, struct err *err)
{
	const char *version = json_string_value(json_object_get(reply, "version"));

	return json_integer_value(json_object_get(reply, "protocol")) == PROBE_PROTOCOL ||
	       err_set(err, ERR_REFUSED, 0,
		       "the other end has losslessctl %.32s, this end " LOSSLESSCTL_VERSION
		       ": install the same release at both ends",
		       version ? version : "of another release");
}

static bool read_hello(struct probe_endpoint *p, json_t *reply, struct err *err)
{
	const struct json_path at = { NULL, "hello", 0 };

	p->uses_gpu = json_is_true(json_object_get(reply, "uses_gpu"));
	return speaks_protocol(reply, err) &&
	       json_read_string(reply, "host", p->name, sizeof(p->name), &at, err) &&
	       read_ports(p, json_object_get(reply, "ports"), err);
}

static bool ignore(struct probe_endpoint *p, json_t *reply, struct err *err)
{
	(void)p;
	(void)reply;
	(void)err;
	return true;
}

/* Asks all at once, takes over the message, and reads the answers. */
static void ask_all(struct probe_endpoints *all, json_t *message, unsigned wait_ms, struct host *h,
		    bool (*read)(struct probe_endpoint *p, json_t *reply, struct err *err))
{
	uint64_t end = h->now_ms(h) + wait_ms;

	for (size_t i = 0; i < all->count; i++)
		if (probe_endpoint_is_there(&all->list[i]))
			probe_endpoint_send(&all->list[i], json_incref(message));
	json_decref(message);
	for (size_t i = 0; i < all->count; i++) {
		struct probe_endpoint *p = &all->list[i];
		json_auto_t *reply = p->waits ? probe_endpoint_receive(p, end, h) : NULL;
		struct err err = { 0 };

		if (reply && !read(p, reply, &err))
			probe_endpoint_give_up(p, &err);
	}
}

void probe_endpoints_greet(struct probe_endpoints *all, const char *token, struct host *h)
{
	ask_all(all,
		json_pack("{s:s, s:i, s:o*}", "command", "hello", "protocol", PROBE_PROTOCOL,
			  "token", token ? json_from_text(token) : NULL),
		GREET_MS, h, read_hello);
}

void probe_endpoints_ping(struct probe_endpoints *all, struct host *h)
{
	ask_all(all, json_pack("{s:s}", "command", "ping"), PING_MS, h, ignore);
}
