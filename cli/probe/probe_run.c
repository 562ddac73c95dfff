#include "probe_run.h"

#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../sandbox/tools.h"
#include "probe_server.h"

#define ANSWER_MS 20000
#define RESULT_MS 40000 /* the client's perftest may have to wait for the server's */
#define QUIET_MS  1000
#define TCP_PORT  18515 /* perftest's own */

/*
 * The near end starts later each time that both start: rdma_cm refuses it until the far end
 * listens, which takes longer where the processor is busy.
 */
static const unsigned retry_delay_ms[] = { 0, 400, 800, 1600, 3200 };

enum { NEAR, FAR, ENDS }; /* the end that begins, and the one that waits for it */

/* A pair whose turn it is. */
struct active {
	struct probe_pair *pair;
	struct probe_endpoint *ends[ENDS];
	const struct probe_port *ports[ENDS];
	struct probe_run *run; /* NULL: it has no part in this step */
	struct probe_counts counts[ENDS][PROBE_TIMES];
	struct perftest_result results[ENDS];
};

/* The pairs whose turn it is. */
struct turn {
	struct probe_plan *plan;
	struct host *h;
	struct active *list;
	size_t count;
	unsigned time; /* index of the counts that are read */
};

/* A message for these ends of all pairs, and its answer. */
struct question {
	unsigned ends; /* bits */
	unsigned wait_ms;
	json_t *(*message)(const struct turn *t, const struct active *a, unsigned end);
	bool (*read)(const struct turn *t, struct active *a, unsigned end, json_t *reply,
		     struct err *err);
	bool (*is_for)(const struct active *a, unsigned end);
};

/* ---- questions ---- */

static bool takes_part(const struct active *a, unsigned end)
{
	(void)end;
	return a->run && probe_endpoint_is_there(a->ends[NEAR]) &&
	       probe_endpoint_is_there(a->ends[FAR]);
}

static json_t *ask_count(const struct turn *t, const struct active *a, unsigned end)
{
	(void)t;
	return json_pack("{s:s, s:o}", "command", "count", "port",
			 json_from_text(a->ports[end]->name));
}

static bool read_count(const struct turn *t, struct active *a, unsigned end, json_t *reply,
		       struct err *err)
{
	return probe_counts_from_json(reply, &a->counts[end][t->time], err);
}

static struct perftest run_of(const struct active *a)
{
	return (struct perftest){ .path = a->run->path,
				  .traffic_class = a->run->traffic_class,
				  .service_level = a->run->service_level };
}

/* The end that begins needs the other one's address. */
static json_t *ask_start(const struct turn *t, const struct active *a, unsigned end)
{
	struct perftest p = run_of(a);

	p.tcp_port = TCP_PORT;
	p.messages = t->plan->messages;
	p.size = t->plan->size;
	if (end == NEAR)
		snprintf(p.peer, sizeof(p.peer), "%s", a->ports[FAR]->address);
	return json_pack("{s:s, s:o, s:o}", "command", "start", "port",
			 json_from_text(a->ports[end]->name), "run", probe_run_to_json(&p));
}

static bool read_start(const struct turn *t, struct active *a, unsigned end, json_t *reply,
		       struct err *err)
{
	(void)t;
	(void)reply;
	(void)err;
	a->ends[end]->runs = true;
	return true;
}

static json_t *ask_finish(const struct turn *t, const struct active *a, unsigned end)
{
	(void)t;
	(void)a;
	(void)end;
	return json_pack("{s:s}", "command", "finish");
}

static bool read_finish(const struct turn *t, struct active *a, unsigned end, json_t *reply,
			struct err *err)
{
	const struct json_path at = { NULL, "finish", 0 };
	struct perftest_result *r = &a->results[end];

	(void)t;
	r->ok = false;
	r->output[0] = '\0';
	a->ends[end]->runs = false;
	return json_read_bool(reply, "ok", &r->ok, &at, err) &&
	       json_read_string(reply, "output", r->output, sizeof(r->output), &at, err);
}

/* Also where the other end has left. */
static bool runs(const struct active *a, unsigned end)
{
	return a->ends[end]->runs;
}

static const struct question count_both = { 1 << NEAR | 1 << FAR, ANSWER_MS, ask_count, read_count,
					    takes_part },
			     start_far = { 1 << FAR, ANSWER_MS, ask_start, read_start, takes_part },
			     start_near = { 1 << NEAR, ANSWER_MS, ask_start, read_start,
					    takes_part },
			     finish_near = { 1 << NEAR, RESULT_MS, ask_finish, read_finish, runs },
			     finish_far = { 1 << FAR, ANSWER_MS, ask_finish, read_finish, runs };

/* ---- asking ---- */

static bool is_interrupted(struct host *h, struct err *err)
{
	return h->interrupted(h) &&
	       !err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
}

static void read_answer(const struct turn *t, const struct question *q, struct active *a,
			unsigned end, uint64_t end_ms)
{
	json_auto_t *reply = probe_endpoint_receive(a->ends[end], end_ms, t->h);
	struct err err = { 0 };

	if (reply && !q->read(t, a, end, reply, &err))
		probe_endpoint_give_up(a->ends[end], &err);
}

/* An answer of this host may take its time: it comes first, and is awaited like the others. */
static bool ask(const struct turn *t, const struct question *q, struct err *err)
{
	uint64_t end_ms = t->h->now_ms(t->h) + q->wait_ms;

	for (size_t i = 0; i < t->count * ENDS; i++) {
		struct active *a = &t->list[i / ENDS];
		unsigned end = i % ENDS;

		if ((q->ends & 1u << end) && q->is_for(a, end))
			probe_endpoint_send(a->ends[end], q->message(t, a, end));
	}
	for (size_t i = 0; i < t->count * ENDS; i++) {
		struct active *a = &t->list[i / ENDS];

		if (a->ends[i % ENDS]->waits)
			read_answer(t, q, a, i % ENDS, end_ms);
	}
	return !is_interrupted(t->h, err);
}

static bool count(struct turn *t, unsigned time, struct err *err)
{
	t->time = time;
	return ask(t, &count_both, err);
}

static bool wait_for(const struct turn *t, unsigned ms, struct err *err)
{
	const struct peer_line nobody = { .in = -1 };

	(void)peer_line_wait(&nobody, -1, ms);
	return !is_interrupted(t->h, err);
}

/* The background of all later runs. */
static bool listen(struct turn *t, struct err *err)
{
	return count(t, BEFORE_QUIET, err) && wait_for(t, QUIET_MS, err) &&
	       count(t, AFTER_QUIET, err);
}

/* ---- judging ---- */

static struct probe_judgement judge(const struct turn *t, const struct active *a, unsigned sender)
{
	unsigned receiver = sender == NEAR ? FAR : NEAR;
	const struct perftest run = run_of(a);
	struct probe_direction d = {
		.sender = probe_end_from(&a->ports[sender]->actual, true, a->counts[sender]),
		.receiver = probe_end_from(&a->ports[receiver]->actual, false, a->counts[receiver]),
		.traffic_class = a->run->traffic_class,
		.pcp = probe_pcp(a->ports[NEAR], &run),
		.is_control = a->run->is_control,
		.min_share = t->plan->min_share,
	};

	return probe_judge(&d);
}

static void judge_run(const struct turn *t, struct active *a)
{
	struct probe_run *r = a->run;

	r->state = a->results[NEAR].ok ? PERFTEST_CONNECTED
				       : perftest_explain(a->results[NEAR].output,
							  a->results[FAR].output, r->why, r->fix);
	r->data = judge(t, a, NEAR);
	r->acknowledgements = judge(t, a, FAR);
}

/* ---- runs ---- */

static bool has_to_repeat(const struct active *a)
{
	return takes_part(a, NEAR) && !a->results[NEAR].ok &&
	       perftest_was_too_early(a->results[NEAR].output);
}

/* Judges the runs that are done, and keeps those that have to start anew. */
static bool settle(struct turn *t, bool may_repeat)
{
	bool repeats = false;

	for (size_t i = 0; i < t->count; i++) {
		struct active *a = &t->list[i];

		if (may_repeat && has_to_repeat(a)) {
			repeats = true;
			continue;
		}
		if (takes_part(a, NEAR)) {
			judge_run(t, a);
			a->pair->done++;
		}
		a->run = NULL;
	}
	return repeats;
}

/* A run that is unsupported is done. */
static struct probe_run *next_run(struct active *a, size_t step)
{
	if (step >= a->pair->count)
		return NULL;
	a->run = &a->pair->runs[step];
	if (a->run->state != PERFTEST_UNSUPPORTED)
		return a->run;
	a->pair->done += takes_part(a, NEAR);
	return NULL;
}

/* Starts both ends of a run of each pair, and counts before and after. */
static bool run_step(struct turn *t, size_t step, struct err *err)
{
	bool repeats = true;

	for (size_t i = 0; i < t->count; i++)
		t->list[i].run = next_run(&t->list[i], step);
	for (size_t i = 0; repeats; i++) {
		if (!count(t, BEFORE_RUN, err) || !ask(t, &start_far, err) ||
		    !wait_for(t, retry_delay_ms[i], err) || !ask(t, &start_near, err) ||
		    !ask(t, &finish_near, err) || !ask(t, &finish_far, err) ||
		    !count(t, AFTER_RUN, err))
			return false;
		repeats = settle(t, i + 1 < sizeof(retry_delay_ms) / sizeof(retry_delay_ms[0]));
	}
	return true;
}

/* ---- turns ---- */

static void add_active(struct turn *t, struct probe_pair *pair)
{
	struct probe_endpoint *hosts = t->plan->hosts->list;
	struct active *a = &t->list[t->count++];

	a->pair = pair;
	a->run = &pair->runs[0];
	a->ends[NEAR] = &hosts[pair->from_host];
	a->ends[FAR] = &hosts[pair->to_host];
	a->ports[NEAR] = pair->from;
	a->ports[FAR] = pair->to;
}

static void gather(struct turn *t, size_t round, size_t turn)
{
	t->count = 0;
	for (size_t i = 0; i < t->plan->count; i++) {
		struct probe_pair *pair = &t->plan->pairs[i];

		if (pair->round == round && pair->turn == turn && pair->count)
			add_active(t, pair);
	}
}

/* Runs that were not done are those of a host that has left. */
static void close_pairs(struct turn *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct active *a = &t->list[i];
		unsigned gone = probe_endpoint_is_there(a->ends[NEAR]) ? FAR : NEAR;

		if (a->pair->done < a->pair->count)
			a->pair->why = a->ends[gone]->why;
		a->pair->count = a->pair->done;
	}
}

static bool run_turn(struct turn *t, struct err *err)
{
	bool ok = !t->count || listen(t, err);

	for (size_t step = 0; ok && t->count && step < PROBE_RUNS; step++) {
		probe_endpoints_ping(t->plan->hosts, t->h);
		ok = run_step(t, step, err);
	}
	close_pairs(t);
	return ok;
}

bool probe_plan_run(struct probe_plan *p, struct host *h, struct err *err)
{
	size_t turns = probe_plan_turns(p);
	struct turn t = { .plan = p, .h = h };
	_free_ struct active *list = oom_calloc(round_robin_places(p->hosts->count), sizeof(*list));
	bool ok = true;

	if (!list)
		return err_no_memory(err);
	t.list = list;
	for (size_t i = 0; ok && i < p->rounds * turns; i++) {
		gather(&t, i / turns, i % turns);
		ok = run_turn(&t, err);
	}
	return ok;
}
