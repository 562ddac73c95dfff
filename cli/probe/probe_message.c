#include "probe_server.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"

#define SEND_MS 10000
#define LAST_MS 2000 /* for the last words of a peer that has ended */

bool peer_line_open(struct peer_line *l, int in, int out, struct err *err)
{
	*l = (struct peer_line){ .in = in, .out = out, .text = oom_calloc(1, PEER_LINE_MAX + 1) };
	return l->text || err_no_memory(err);
}

void peer_line_close(struct peer_line *l)
{
	free(l->text);
	l->text = NULL;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Waits until `end`, and takes what is there by then; returns what poll() does. */
static int wait_until(int fd, short events, uint64_t end)
{
	struct pollfd p = { fd, events, 0 };
	uint64_t now = now_ms();

	return poll(&p, 1, now < end ? (int)(end - now) : 0);
}

static bool has_ended(struct err *err)
{
	return err_set(err, ERR_GONE, EPIPE, "the other end of the probe has ended");
}

/* Standard output may be a file. */
static bool has_not_sent(struct err *err)
{
	if (errno == ENOSPC || errno == EDQUOT)
		return err_set(err, ERR_SYSTEM, errno, "writing to the other end of the probe: %s",
			       strerror(errno));
	return has_ended(err);
}

static bool is_late(int waited, struct err *err)
{
	if (waited < 0)
		return err_set(err, ERR_INTERRUPTED, errno, "interrupted");
	return err_set(err, ERR_UNKNOWN, ETIMEDOUT, "the other end of the probe does not answer");
}

/* A pipe of ssh's is no socket. The sandbox lets a verb write to nothing else. */
static ssize_t put(int fd, const char *text, size_t size)
{
	ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

	return n < 0 && errno == ENOTSOCK ? write(fd, text, size) : n;
}

static bool send_all(int fd, const char *text, size_t size, struct err *err)
{
	uint64_t end = now_ms() + SEND_MS;

	while (size) {
		int waited = wait_until(fd, POLLOUT, end);
		ssize_t n = waited > 0 ? put(fd, text, size) : -1;

		if (waited <= 0)
			return is_late(waited, err);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return has_not_sent(err);
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool peer_line_send(struct peer_line *l, json_t *message, struct err *err)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	size_t size = text ? strlen(text) : 0;
	bool ok;

	json_decref(message);
	if (!text)
		return err_no_memory(err);
	text[size] = '\n'; /* in place of the NUL */
	ok = send_all(l->out, text, size + 1, err);
	free(text);
	return ok;
}

/* Reads until there is a whole line, whose length is *ret. */
static bool read_line(struct peer_line *l, uint64_t end, size_t *ret, struct err *err)
{
	const char *newline;

	while (!(newline = memchr(l->text, '\n', l->used))) {
		ssize_t n;
		int waited;

		if (l->used == PEER_LINE_MAX + 1)
			return err_set(err, ERR_POLICY, EMSGSIZE,
				       "the other end of the probe sends more than a message");
		waited = wait_until(l->in, POLLIN, end);
		if (waited <= 0)
			return is_late(waited, err);
		n = read(l->in, l->text + l->used, PEER_LINE_MAX + 1 - l->used);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return has_ended(err);
		l->used += n > 0 ? (size_t)n : 0;
	}
	*ret = (size_t)(newline - l->text);
	return true;
}

static bool parse(const char *text, size_t size, json_t **ret, struct err *err)
{
	json_error_t why;
	json_t *j = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
	const char *refusal;

	if (!json_is_object(j)) {
		json_decref(j);
		return err_set(err, ERR_POLICY, EPROTO,
			       "the other end is no losslessctl probe: it sends no JSON object");
	}
	refusal = json_string_value(json_object_get(j, "error"));
	if (refusal) {
		err_record(err, ERR_REFUSED, 0, "the other end: %.200s", refusal);
		json_decref(j);
		return false;
	}
	*ret = j;
	return true;
}

bool peer_line_receive(struct peer_line *l, unsigned wait_ms, json_t **ret, struct err *err)
{
	size_t size = 0;
	bool ok;

	*ret = NULL;
	if (!read_line(l, now_ms() + wait_ms, &size, err))
		return false;
	ok = parse(l->text, size, ret, err);
	l->used -= size + 1;
	memmove(l->text, l->text + size + 1, l->used);
	return ok;
}

void peer_line_read_last(int fd, char *text, size_t size)
{
	uint64_t end = now_ms() + LAST_MS;
	size_t used = 0, half = size / 2;
	ssize_t n = 1;

	while (n > 0 && now_ms() < end && wait_until(fd, POLLIN, end) > 0) {
		if (used == size - 1) { /* the end of it says more */
			used -= half;
			memmove(text, text + half, used);
		}
		n = read(fd, text + used, size - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	text[used] = '\0';
}

enum peer_event peer_line_wait(const struct peer_line *l, int other, unsigned wait_ms)
{
	struct pollfd p[] = { { l->in, POLLIN, 0 }, { other, POLLIN, 0 } };
	int n = l->used ? 1 : poll(p, 2, (int)wait_ms);

	if (n < 0)
		return PEER_INTERRUPTED;
	if (n > 0 && p[1].revents)
		return OTHER_READABLE;
	return n > 0 ? PEER_SENDS : PEER_QUIET;
}

static json_t *numbers(const uint64_t n[PRIOS])
{
	json_t *list = json_array();

	for (unsigned prio = 0; prio < PRIOS; prio++)
		json_array_append_new(list, json_integer((json_int_t)n[prio]));
	return list;
}

json_t *probe_counts_to_json(const struct probe_counts *c)
{
	return json_pack("{s:I, s:b, s:o, s:o}", "at_ms", (json_int_t)c->at_ms, "known", c->known,
			 "sent", numbers(c->sent), "received", numbers(c->received));
}

static bool is_wrong(const char *key, struct err *err)
{
	return err_set(err, ERR_POLICY, EPROTO,
		       "the other end of the probe sends \"%s\" in another form", key);
}

static bool is_count(const json_t *j)
{
	return json_is_integer(j) && json_integer_value(j) >= 0;
}

static bool read_numbers(const json_t *j, const char *key, uint64_t ret[PRIOS], struct err *err)
{
	const json_t *list = json_object_get(j, key);

	if (json_array_size(list) != PRIOS)
		return is_wrong(key, err);
	for (unsigned prio = 0; prio < PRIOS; prio++) {
		const json_t *n = json_array_get(list, prio);

		if (!is_count(n))
			return is_wrong(key, err);
		ret[prio] = (uint64_t)json_integer_value(n);
	}
	return true;
}

bool probe_counts_from_json(const json_t *j, struct probe_counts *ret, struct err *err)
{
	const json_t *at = json_object_get(j, "at_ms"), *known = json_object_get(j, "known");

	if (!is_count(at))
		return is_wrong("at_ms", err);
	if (!json_is_boolean(known))
		return is_wrong("known", err);
	ret->at_ms = (uint64_t)json_integer_value(at);
	ret->known = json_is_true(known);
	return read_numbers(j, "sent", ret->sent, err) &&
	       read_numbers(j, "received", ret->received, err);
}

/* ---- runs ---- */

static const struct {
	const char *key;
	size_t offset;
} members[] = {
	{ "path", offsetof(struct perftest, path) },
	{ "traffic_class", offsetof(struct perftest, traffic_class) },
	{ "service_level", offsetof(struct perftest, service_level) },
	{ "tcp_port", offsetof(struct perftest, tcp_port) },
	{ "messages", offsetof(struct perftest, messages) },
	{ "size", offsetof(struct perftest, size) },
};

#define MEMBERS (sizeof(members) / sizeof(members[0]))

json_t *probe_run_to_json(const struct perftest *p)
{
	json_t *j = json_object();

	for (size_t i = 0; i < MEMBERS; i++) {
		const uint32_t *at = (const uint32_t *)((const char *)p + members[i].offset);

		json_object_set_new(j, members[i].key, json_integer(*at));
	}
	if (p->peer[0])
		json_object_set_new(j, "peer", json_from_text(p->peer));
	return j;
}

bool probe_run_from_json(json_t *j, struct perftest *ret, struct err *err)
{
	const struct json_path at = { NULL, "run", 0 };

	for (size_t i = 0; i < MEMBERS; i++) {
		const json_t *value = json_object_get(j, members[i].key);
		json_int_t n = json_integer_value(value);

		if (!json_is_integer(value) || n < 0 || n > UINT32_MAX)
			return is_wrong(members[i].key, err);
		*(uint32_t *)((char *)ret + members[i].offset) = (uint32_t)n;
	}
	return json_read_string(j, "peer", ret->peer, sizeof(ret->peer), &at, err);
}

/* ---- ports ---- */

static json_t *text_or_none(const char *text)
{
	return text[0] ? json_from_text(text) : NULL;
}

/* The map of DSCPs is complete only with its rule for the rest. */
#define SPELLED_SETTINGS (PROBE_SETTINGS | SETTING(SETTING_DSCP_REST))

json_t *probe_port_to_json(const struct probe_port *p)
{
	struct config compact = dscp_compact(&p->actual, REST_NONE);

	return json_pack("{s:o, s:o, s:o*, s:i, s:i, s:o*, s:o*, s:o*, s:o*, s:i, s:o*, s:o*, s:o}",
			 "port", json_from_text(p->name), "alt_names",
			 alt_names_to_json(&p->alt_names), "device", text_or_none(p->device),
			 "ib_port", (int)p->ib_port, "gid_index", (int)p->gid_index, "address",
			 text_or_none(p->address), "lacks", text_or_none(p->lacks), "busy",
			 text_or_none(p->busy), "traffic_class",
			 p->has_class ? json_integer(p->traffic_class) : NULL, "service_level",
			 (int)p->service_level, "vlan", text_or_none(p->vlan), "mqprio",
			 p->mqprio.there ? mqprio_to_json(&p->mqprio) : NULL, "config",
			 config_to_json(&compact, SPELLED_SETTINGS));
}

static bool read_number(const json_t *j, const char *key, uint32_t most, uint32_t *ret,
			const struct json_path *at, struct err *err)
{
	const json_t *value = json_object_get(j, key);
	json_int_t n = json_integer_value(value);

	if (!json_is_integer(value) || n < 0 || n > most)
		return err_policy(err, at, "\"%s\" is no number up to %u", key, most);
	*ret = (uint32_t)n;
	return true;
}

static bool read_class(const json_t *j, struct probe_port *ret, const struct json_path *at,
		       struct err *err)
{
	ret->has_class = json_object_get(j, "traffic_class");
	return !ret->has_class ||
	       read_number(j, "traffic_class", 255, &ret->traffic_class, at, err);
}

static bool read_mqprio(const json_t *j, struct probe_port *ret, const struct json_path *at,
			struct err *err)
{
	const json_t *list = json_object_get(j, "mqprio");

	return !list || mqprio_from_json(list, &ret->mqprio) ||
	       err_policy(err, at, "\"mqprio\" is no list of %d classes", PRIOS);
}

bool probe_port_from_json(json_t *j, const struct json_path *at, struct probe_port *ret,
			  struct err *err)
{
	static const char *const keys[] = { "port",	     "alt_names", "device",
					    "ib_port",	     "gid_index", "address",
					    "lacks",	     "busy",	  "traffic_class",
					    "service_level", "vlan",	  "mqprio",
					    "config",	     NULL };
	const struct json_path config = { at, "config", 0 };

	*ret = (struct probe_port){ .ib_port = 0 };
	return json_only_keys(j, keys, at, err) &&
	       json_read_string(j, "port", ret->name, sizeof(ret->name), at, err) &&
	       alt_names_from_json(&ret->alt_names, json_object_get(j, "alt_names"), at, err) &&
	       json_read_string(j, "device", ret->device, sizeof(ret->device), at, err) &&
	       json_read_string(j, "address", ret->address, sizeof(ret->address), at, err) &&
	       json_read_string(j, "lacks", ret->lacks, sizeof(ret->lacks), at, err) &&
	       json_read_string(j, "busy", ret->busy, sizeof(ret->busy), at, err) &&
	       read_number(j, "ib_port", 255, &ret->ib_port, at, err) &&
	       read_number(j, "gid_index", 255, &ret->gid_index, at, err) &&
	       read_number(j, "service_level", 7, &ret->service_level, at, err) &&
	       json_read_string(j, "vlan", ret->vlan, sizeof(ret->vlan), at, err) &&
	       read_class(j, ret, at, err) && read_mqprio(j, ret, at, err) &&
	       config_amend_observed(&ret->actual, json_object_get(j, "config"), &config, err) &&
	       dscp_complete(&ret->actual, err);
}
