#include "probe_worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/engine/probe/perftest_failure.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../sandbox/perftest_helper.h"
#include "probe_message.h"

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
	for (size_t i = 0; i < w->host->targets.count; i++)
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
