#include "probe_client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../sandbox/perftest_helper.h"
#include "probe_message.h"

#define ANSWER_MS    20000 /* a command of the other end, which may wait for perftest */
#define QUIET_MS     1000
#define RUN_LIMIT_S  15 /* adapters give up a message after some seconds, soft RoCE never */
#define CONNECTS_MAX 20 /* tries until the other end's perftest listens */
#define CONNECT_MS   250
#define STARTS_MAX   4	   /* times that both ends start, for rdma_cm */
#define TCP_PORT     18515 /* perftest's own */

void probe_client_free(struct probe_client *p)
{
	free(p->ports);
}

static bool ask(struct probe_client *p, json_t *message, json_t **ret, struct err *err)
{
	return peer_line_send(p->line, message, err) &&
	       peer_line_receive(p->line, ANSWER_MS, ret, err);
}

/* ---- hello ---- */

static bool read_ports(struct probe_client *p, json_t *list, struct err *err)
{
	size_t count = json_array_size(list);

	if (!json_is_array(list) || count > PROBE_REMOTE_MAX)
		return err_set(err, ERR_POLICY, EPROTO,
			       "the other end of the probe lists no ports, or more than %d",
			       PROBE_REMOTE_MAX);
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

bool probe_greet(struct probe_client *p, const char *token, struct err *err)
{
	const struct json_path at = { NULL, "hello", 0 };
	json_auto_t *reply = NULL;

	return ask(p,
		   json_pack("{s:s, s:i, s:o*}", "command", "hello", "protocol", PROBE_PROTOCOL,
			     "token", token ? json_from_text(token) : NULL),
		   &reply, err) &&
	       json_read_string(reply, "host", p->name, sizeof(p->name), &at, err) &&
	       read_ports(p, json_object_get(reply, "ports"), err);
}

/* ---- counting ---- */

/* Samples this end's port, and then the other's. */
static bool count_both(struct probe_client *p, const struct probe_run *r, unsigned time,
		       struct err *err)
{
	json_auto_t *reply = NULL;

	return probe_host_count(p->host, r->near_port, &p->near[time], err) &&
	       ask(p,
		   json_pack("{s:s, s:o}", "command", "count", "port", json_from_text(r->to->name)),
		   &reply, err) &&
	       probe_counts_from_json(reply, &p->far[time], err);
}

/* Sleeps, but for a signal. */
static bool wait_quietly(const struct probe_client *p, unsigned ms, struct err *err)
{
	struct host *h = p->host->e->h;
	const struct peer_line none = { .in = -1 };

	if (peer_line_wait(&none, -1, ms) == PEER_INTERRUPTED || h->interrupted(h))
		return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
	return true;
}

bool probe_listen(struct probe_client *p, const struct probe_run *r, struct err *err)
{
	return count_both(p, r, BEFORE_QUIET, err) && wait_quietly(p, QUIET_MS, err) &&
	       count_both(p, r, AFTER_QUIET, err);
}

/* ---- running ---- */

static struct perftest near_end(const struct probe_run *r)
{
	struct perftest p = { .path = r->path,
			      .ib_port = r->from->ib_port,
			      .gid_index = r->from->gid_index,
			      .traffic_class = r->traffic_class,
			      .tcp_port = TCP_PORT,
			      .messages = r->messages,
			      .size = r->size };

	snprintf(p.device, sizeof(p.device), "%s", r->from->device);
	snprintf(p.peer, sizeof(p.peer), "%s", r->to->address);
	return p;
}

/* A run that takes too long has failed: what the ports counted tells where. */
static bool read_result(const struct probe_client *p, struct perftest_result *ret, struct err *err)
{
	struct err why = { 0 };

	if (perftest_result_read(p->helper, ret, &why))
		return true;
	if (why.code != ETIMEDOUT) {
		*err = why;
		return false;
	}
	ret->ok = false;
	snprintf(ret->output, sizeof(ret->output), "%s", why.text);
	return true;
}

/* Waits for perftest at this end, and kills it if the other end has ended, or on a signal. */
static bool await_result(struct probe_client *p, struct perftest_result *ret, struct err *err)
{
	enum peer_event event = peer_line_wait(p->line, p->helper, RUN_LIMIT_S * 1000 + 5000);
	struct err quiet = { 0 };

	if (event == OTHER_READABLE)
		return read_result(p, ret, err);
	perftest_cancel(p->helper);
	(void)!perftest_result_read(p->helper, ret, &quiet);
	if (event == PEER_INTERRUPTED)
		return err_set(err, ERR_INTERRUPTED, p->host->e->h->interrupted(p->host->e->h),
			       "interrupted");
	return err_set(err, event == PEER_SENDS ? ERR_GONE : ERR_UNKNOWN, ETIMEDOUT,
		       event == PEER_SENDS ? "the other end of the probe has ended"
					   : "perftest does not end");
}

/* The other end's perftest takes a moment until it listens. */
static bool run_near(struct probe_client *p, const struct perftest *end,
		     struct perftest_result *ret, struct err *err)
{
	for (int tries = 0; tries < CONNECTS_MAX; tries++) {
		if (!perftest_start(p->helper, end, RUN_LIMIT_S, err) || !await_result(p, ret, err))
			return false;
		if (ret->ok || !perftest_must_wait(ret->output))
			return true;
		if (!wait_quietly(p, CONNECT_MS, err))
			return false;
	}
	return true;
}

static bool finish(struct probe_client *p, struct perftest_result *far, struct err *err)
{
	const struct json_path at = { NULL, "finish", 0 };
	json_auto_t *reply = NULL;

	far->output[0] = '\0';
	return ask(p, json_pack("{s:s}", "command", "finish"), &reply, err) &&
	       json_read_bool(reply, "ok", &far->ok, &at, err) &&
	       json_read_string(reply, "output", far->output, sizeof(far->output), &at, err);
}

static struct probe_judgement judge(const struct probe_client *p, const struct probe_run *r,
				    bool data)
{
	struct probe_direction d = {
		.sender = probe_end_from(data ? &r->from->actual : &r->to->actual, true,
					 data ? p->near : p->far),
		.receiver = probe_end_from(data ? &r->to->actual : &r->from->actual, false,
					   data ? p->far : p->near),
		.traffic_class = r->traffic_class,
		.is_control = r->is_control,
		.min_share = r->min_share,
	};

	return probe_judge(&d);
}

/* Starts both ends of a run, and counts before and after. */
static bool run_once(struct probe_client *p, const struct probe_run *r,
		     struct perftest_result *near, struct perftest_result *far, struct err *err)
{
	const struct perftest end = near_end(r);
	json_auto_t *reply = NULL;

	return perftest_check(&end, err) && count_both(p, r, BEFORE_RUN, err) &&
	       ask(p,
		   json_pack("{s:s, s:o, s:o}", "command", "start", "port",
			     json_from_text(r->to->name), "run", probe_run_to_json(&end)),
		   &reply, err) &&
	       run_near(p, &end, near, err) && finish(p, far, err) &&
	       count_both(p, r, AFTER_RUN, err);
}

bool probe_run(struct probe_client *p, struct probe_run *r, struct err *err)
{
	struct perftest_result near = { .ok = false }, far = { .ok = false };
	int tries = 0;

	do {
		if (!run_once(p, r, &near, &far, err))
			return false;
	} while (!near.ok && perftest_was_too_early(near.output) && ++tries < STARTS_MAX);
	r->connected = near.ok;
	if (!near.ok)
		perftest_explain(near.output, far.output, r->why, r->fix);
	r->data = judge(p, r, true);
	r->acknowledgements = judge(p, r, false);
	return true;
}
