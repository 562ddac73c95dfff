#include "probe_verdict.h"

#include "../../../policy/model/setting.h"

enum { SENDER, RECEIVER, ENDS };

/*
 * LLDP, ARP and the messages in which perftest exchanges its results: too few to be held against a
 * run, which has several times as many bytes.
 */
#define SLACK_BYTES 4096
#define LEAST_BYTES (2 * SLACK_BYTES)

#define LEAST_DELIVERED 0.5 /* share of the bytes sent; less means that they were lost */

static const struct {
	const char *name, *text;
	bool is_fault;
} rows[PROBE_VERDICTS] = {
	[PROBE_IN_CLASS] = { "in_class", "in class at both ends", false },
	[PROBE_WRONG_AT_SENDER] = { "wrong_at_sender", "the sender uses another priority", true },
	[PROBE_REWRITTEN] = { "rewritten", "the mark was rewritten on the way", true },
	[PROBE_WRONG_MAP] = { "wrong_map", "the receiver maps this mark to another priority",
			      true },
	[PROBE_WRONG_MAP_OF_SENDER] = { "wrong_map",
					"the sender maps this mark to another priority", true },
	[PROBE_MAPS_DIFFER] = { "wrong_map",
				"the sender's map and the receiver's differ for this mark", true },
	[PROBE_NOT_LOSSLESS] = { "not_lossless", "the priority has no PFC at one end", true },
	[PROBE_CONTROL_LOSSLESS] = { "control_lossless",
				     "unmarked traffic travels in a lossless priority", true },
	[PROBE_LOST] = { "lost", "the receiver did not count what was sent", true },
	[PROBE_MASKED_BY_TRAFFIC] = { "masked_by_traffic", "other traffic is too strong to tell",
				      false },
	[PROBE_NOT_COUNTED] = { "not_counted",
				"a port does not count bytes by priority, or counted too few",
				false },
	[PROBE_NO_CLASS] = { "no_class", "the priority that a port gives the mark is unknown",
			     false },
};

const char *probe_verdict_name(enum probe_verdict v)
{
	return rows[v].name;
}

const char *probe_verdict_text(enum probe_verdict v)
{
	return rows[v].text;
}

bool probe_verdict_is_fault(enum probe_verdict v)
{
	return rows[v].is_fault;
}

struct probe_counts probe_counts_from(const struct sample *s)
{
	struct probe_counts c = { .at_ms = s->at_ms, .known = true };

	for (unsigned prio = 0; prio < PRIOS; prio++) {
		size_t sent = counter_slot(COUNT_TX_BYTES, prio),
		       received = counter_slot(COUNT_RX_BYTES, prio);

		c.known = c.known && s->has[sent] && s->has[received];
		c.sent[prio] = s->value[sent];
		c.received[prio] = s->value[received];
	}
	return c;
}

#define DIFFERENCE_MAX (UINT64_C(1) << 60) /* more than a run takes; eight of them fit a sum */

/* Sets the difference of two readings; false: the counter was reset, or a peer invents it. */
static bool subtract(uint64_t from, uint64_t to, uint64_t *ret)
{
	bool ok = to >= from && to - from <= DIFFERENCE_MAX;

	*ret = ok ? to - from : 0;
	return ok;
}

static uint64_t scale(uint64_t bytes, uint64_t quiet_ms, uint64_t run_ms)
{
	double scaled = quiet_ms ? (double)bytes * (double)run_ms / (double)quiet_ms : 0;

	return scaled < (double)DIFFERENCE_MAX ? (uint64_t)scaled : DIFFERENCE_MAX;
}

struct probe_end probe_end_from(const struct config *actual, bool sent,
				const struct probe_counts counts[PROBE_TIMES])
{
	struct probe_end e = { .actual = actual };
	uint64_t quiet_ms, run_ms;

	e.counts = subtract(counts[BEFORE_QUIET].at_ms, counts[AFTER_QUIET].at_ms, &quiet_ms) &&
		   subtract(counts[BEFORE_RUN].at_ms, counts[AFTER_RUN].at_ms, &run_ms);
	if (!e.counts)
		return e;
	for (unsigned time = 0; time < PROBE_TIMES; time++)
		e.counts = e.counts && counts[time].known;
	for (unsigned prio = 0; prio < PRIOS; prio++) {
		uint64_t at[PROBE_TIMES], quiet;

		for (unsigned time = 0; time < PROBE_TIMES; time++)
			at[time] = (sent ? counts[time].sent : counts[time].received)[prio];
		e.counts &= subtract(at[BEFORE_QUIET], at[AFTER_QUIET], &quiet) &&
			    subtract(at[BEFORE_RUN], at[AFTER_RUN], &e.bytes[prio]);
		e.background[prio] = scale(quiet, quiet_ms, run_ms);
	}
	return e;
}

static uint64_t sum(const uint64_t bytes[PRIOS])
{
	uint64_t all = 0;

	for (unsigned prio = 0; prio < PRIOS; prio++)
		all += bytes[prio];
	return all;
}

/* The priority with the most bytes; -1: there are none. */
static int strongest(const uint64_t bytes[PRIOS])
{
	int best = -1;

	for (int prio = 0; prio < PRIOS; prio++)
		if (bytes[prio] > (best < 0 ? 0 : bytes[best]))
			best = prio;
	return best;
}

static bool is_lossless(const struct probe_end *e, int prio)
{
	const struct config *c = e->actual;

	return prio >= 0 && (c->has & SETTING(SETTING_PFC_PRIORITIES)) &&
	       (c->pfc.priorities & 1u << prio);
}

static uint64_t dscps_of(const struct config *c, int prio)
{
	uint64_t bits = 0;

	if (job_port_trusts_pcp(c))
		return 0;
	for (unsigned dscp = 0; dscp < DSCPS; dscp++)
		if (marks_priority(c, (uint8_t)(dscp << 2), PCP_NONE) == prio)
			bits |= UINT64_C(1) << dscp;
	return bits;
}

static uint64_t without_slack(uint64_t bytes)
{
	return bytes > SLACK_BYTES ? bytes - SLACK_BYTES : 0;
}

static bool is_masked(const struct probe_end *e, double min_share)
{
	return (double)without_slack(sum(e->background)) > (1 - min_share) * (double)sum(e->bytes);
}

static double share_of(const uint64_t bytes[PRIOS], int prio)
{
	uint64_t own = prio >= 0 ? bytes[prio] : 0, all = own + without_slack(sum(bytes) - own);

	return own ? (double)own / (double)all : 0;
}

static void measure(const struct probe_end *e, const struct probe_direction *d, int end,
		    struct probe_judgement *j)
{
	int expected = marks_priority(e->actual, d->traffic_class, d->pcp);

	j->expected[end] = expected;
	j->measured[end] = strongest(e->bytes);
	j->share[end] = share_of(e->bytes, expected);
}

/* The two ends cannot be compared; PROBE_IN_CLASS: they can. */
static enum probe_verdict find_obstacle(const struct probe_direction *d)
{
	const struct probe_end *from = &d->sender, *to = &d->receiver;

	if (!from->counts || !to->counts || sum(from->bytes) < LEAST_BYTES)
		return PROBE_NOT_COUNTED;
	if (is_masked(from, d->min_share) || is_masked(to, d->min_share))
		return PROBE_MASKED_BY_TRAFFIC;
	if ((double)sum(to->bytes) < LEAST_DELIVERED * (double)sum(from->bytes))
		return PROBE_LOST;
	return PROBE_IN_CLASS;
}

static enum probe_verdict judge_control(const struct probe_direction *d,
					const struct probe_judgement *j)
{
	return is_lossless(&d->sender, j->measured[SENDER]) ||
			       is_lossless(&d->receiver, j->measured[RECEIVER])
		       ? PROBE_CONTROL_LOSSLESS
		       : PROBE_IN_CLASS;
}

/* The map that leads to a lossless priority of its own end is right, if only one does. */
static enum probe_verdict judge_maps(const struct probe_direction *d,
				     const struct probe_judgement *j)
{
	bool sender = is_lossless(&d->sender, j->expected[SENDER]);
	bool receiver = is_lossless(&d->receiver, j->expected[RECEIVER]);

	if (sender == receiver)
		return PROBE_MAPS_DIFFER;
	return sender ? PROBE_WRONG_MAP : PROBE_WRONG_MAP_OF_SENDER;
}

/*
 * The receiver ought to lift the bytes into the priority that the sender used: PFC pauses by
 * priority. Its own map tells whether a switch on the way is to blame for another one.
 */
static enum probe_verdict judge_marked(const struct probe_direction *d, struct probe_judgement *j)
{
	int wanted = j->expected[SENDER];

	if (wanted < 0 || j->expected[RECEIVER] < 0)
		return PROBE_NO_CLASS;
	if (j->share[SENDER] < d->min_share)
		return PROBE_WRONG_AT_SENDER;
	if (j->expected[RECEIVER] != wanted)
		return judge_maps(d, j);
	if (j->share[RECEIVER] < d->min_share) {
		j->rewritten_to = dscps_of(d->receiver.actual, j->measured[RECEIVER]);
		return PROBE_REWRITTEN;
	}
	return is_lossless(&d->sender, wanted) && is_lossless(&d->receiver, wanted)
		       ? PROBE_IN_CLASS
		       : PROBE_NOT_LOSSLESS;
}

struct probe_judgement probe_judge(const struct probe_direction *d)
{
	struct probe_judgement j = { .verdict = find_obstacle(d) };

	measure(&d->sender, d, SENDER, &j);
	measure(&d->receiver, d, RECEIVER, &j);
	if (j.verdict == PROBE_IN_CLASS)
		j.verdict = d->is_control ? judge_control(d, &j) : judge_marked(d, &j);
	return j;
}
