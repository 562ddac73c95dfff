#include "counter_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../monitor/symptom.h"
#include "../engine.h"

/* A sample at the start or the end of the measurement. */
struct moment {
	struct sample sample;
	struct err failed; /* ERR_NONE if it was read */
};

static struct moment read_moment(const struct engine *e, const struct port *port, struct scratch *s)
{
	struct moment m = { .failed.kind = ERR_NONE };

	(void)!sample_read(e->h, e->backends->counter_readers, port, s, &m.sample, &m.failed);
	return m;
}

/* True if the source worked at the start, and nothing of it is known at the end. */
static bool lost(const struct sample *first, const struct counter_delta *s,
		 enum counter_source source)
{
	bool had = false, knows = false;
	int prio;

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (counters[slot_counter(i, &prio)].source == source) {
			had |= first->has[i];
			knows |= s->known[i];
		}
	return had && !knows;
}

/*
 * True if a port has enough counters for a verdict; FEC, pause statistics and the kernel's carrier
 * counters do not suffice.
 */
static bool counts_anything(const struct sample *s)
{
	int prio;

	for (size_t i = 0; i < COUNTER_SLOTS; i++) {
		enum counter_source from = counters[slot_counter(i, &prio)].source;

		if (s->has[i] && (from == FROM_ETHTOOL || from == FROM_RDMA))
			return true;
	}
	return false;
}

/* Returns why some symptoms cannot be decided; NULL: all can. */
static const char *doubt(const struct sample *first, const struct symptom_input *e)
{
	if (!counts_anything(first))
		return "the driver lacks the counters that show symptoms";
	if (lost(first, e->delta, FROM_ETHTOOL))
		return "the port's counters were reset during the sample";
	if (lost(first, e->delta, FROM_RDMA))
		return "the RDMA device's counters were reset or removed during the sample";
	if (lost(first, e->delta, FROM_FEC))
		return "the FEC counters were reset or unreadable during the sample";
	if (lost(first, e->delta, FROM_PAUSE))
		return "the pause statistics were reset or unreadable during the sample";
	if (e->link_downs)
		return "the link flapped during the sample; symptoms are inconclusive";
	return e->steady ? NULL
			 : "the driver reopened the queues of the port during the sample; symptoms "
			   "are inconclusive";
}

/* The symptoms that the agent raises if this is its first window. */
static uint32_t raised_at_once(const struct symptom_input *e)
{
	struct symptom_state s = { .raised = { false } };
	struct active_symptom list[SYMPTOMS_MAX];
	uint32_t raised = 0;

	(void)symptom_state_add(&s, e, list, 0);
	for (size_t i = 0; i < symptoms_count; i++)
		raised |= (uint32_t)s.raised[i] << i;
	return raised;
}

void counter_check_judge(const struct thresholds *l, const struct target *t,
			 const struct sample *first, const struct sample *last, struct counted *ret)
{
	struct counter_delta s = counter_delta_between(first, last);
	const struct symptom_input e = symptom_input_of(&s, &t->seen.actual, &t->task.desired, l);
	const char *unread = first->unread[0] ? first->unread : last->unread;
	const char *why = doubt(first, &e);

	ret->rates = rates_of(&s);
	ret->count = symptoms_check(&e, ret->active_symptoms);
	ret->raised = raised_at_once(&e);
	active_symptoms_set_severity(ret->active_symptoms, ret->count, t->severities);
	ret->not_judged_count = symptoms_not_judged(&e, ret->not_judged);
	active_symptoms_set_severity(ret->not_judged, ret->not_judged_count, t->severities);
	if (unread[0])
		snprintf(ret->unknown, sizeof(ret->unknown),
			 "the port's counters could not be read: %s", unread);
	else
		snprintf(ret->unknown, sizeof(ret->unknown), "%s", why ? why : "");
}

/* Concludes the symptoms; a port unreadable at either end gets the reason instead. */
static void conclude(const struct thresholds *l, const struct target *t,
		     const struct moment moments[2], struct counted *ret)
{
	const struct moment *failed = moments[0].failed.kind ? &moments[0] : &moments[1];

	ret->rates = rates_unknown();
	if (failed->failed.kind)
		snprintf(ret->unknown, sizeof(ret->unknown), "%s", failed->failed.text);
	else
		counter_check_judge(l, t, &moments[0].sample, &moments[1].sample, ret);
}

struct counter_check {
	unsigned seconds;
	uint64_t began_ms;
	struct moment moments[][2]; /* one per target */
};

static void read_moments(const struct engine *e, const struct targets *all, int end,
			 struct scratch *scratch, struct moment (*moments)[2])
{
	for (size_t i = 0; i < all->count; i++)
		moments[i][end] = read_moment(e, &all->list[i].task.port, scratch);
}

bool counter_check_begin(const struct engine *e, unsigned seconds, const struct targets *all,
			 struct counter_check **ret, struct err *err)
{
	_free_ struct counter_check *check =
		calloc(1, sizeof(*check) + (all->count + 1) * sizeof(check->moments[0]));
	_free_ struct scratch *scratch = scratch_new();

	if (!check || !scratch)
		return err_no_memory(err);
	check->seconds = seconds;
	check->began_ms = e->h->now_ms(e->h);
	read_moments(e, all, 0, scratch, check->moments);
	*ret = take(check);
	return true;
}

bool counter_check_end(const struct engine *e, const struct thresholds *l,
		       const struct targets *all, struct counter_check *check, struct counted **ret,
		       struct err *err)
{
	_free_ struct counted *counted = calloc(all->count + 1, sizeof(*counted));
	_free_ struct scratch *scratch = scratch_new();
	uint64_t wait_ms = (uint64_t)check->seconds * 1000, passed;

	if (!counted || !scratch)
		return err_no_memory(err);
	passed = e->h->now_ms(e->h) - check->began_ms;
	if (passed < wait_ms)
		host_sleep(e->h, (unsigned)(wait_ms - passed));
	else
		check->seconds = (unsigned)(passed / 1000);
	read_moments(e, all, 1, scratch, check->moments);
	for (size_t i = 0; i < all->count; i++)
		conclude(l, &all->list[i], check->moments[i], &counted[i]);
	*ret = take(counted);
	return true;
}

unsigned counter_check_seconds(const struct counter_check *check)
{
	return check->seconds;
}

bool counter_check_run(const struct engine *e, unsigned seconds, const struct thresholds *l,
		       const struct targets *all, struct counted **ret, struct err *err)
{
	_free_ struct counter_check *check = NULL;

	return !seconds || (counter_check_begin(e, seconds, all, &check, err) &&
			    counter_check_end(e, l, all, check, ret, err));
}
