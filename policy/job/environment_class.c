#include "environment_class.h"

#include <stdio.h>
#include <strings.h>

#include "../model/setting.h"

/*
 * MLNX_OFED's forced class reaches the queue pairs of libibverbs. Those that GPUs drive (GIN) are
 * made by DevX, and keep the class of the program (NVIDIA/nccl#2383).
 */
enum queue_pairs { QUEUE_PAIRS_OF_VERBS, QUEUE_PAIRS_OF_GPUS };

/* True if the adapter overrides the class of every program now. */
static bool forces_class(const struct job_port *p)
{
	return p->rdma[0] && (p->actual->has & SETTING(SETTING_ROCE_TRAFFIC_CLASS)) &&
	       p->actual->roce.traffic_class < TRAFFIC_CLASS_UNSET;
}

/* The first port that puts this class into another priority than the expected one; or NULL. */
static const struct job_port *loses(const struct judging *j, enum queue_pairs of,
				    uint8_t traffic_class)
{
	const struct environment_input *in = j->c->input;
	uint8_t expected = j->c->desired->traffic_class;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		bool is_hidden = of == QUEUE_PAIRS_OF_VERBS && forces_class(p);

		if (p->rdma[0] && !is_hidden &&
		    job_port_priority(&p->effective, traffic_class) !=
			    job_port_priority(&p->effective, expected))
			return p;
	}
	return NULL;
}

static void say_class(struct environment_item *item, const struct job_port *p,
		      uint8_t traffic_class)
{
	int prio = job_port_priority(&p->effective, traffic_class);

	environment_item_say(item, "traffic class %u is DSCP %u", traffic_class,
			     traffic_class >> 2);
	if (prio >= 0)
		environment_item_say(item, ", which %s puts into priority %d", p->name, prio);
}

/* The first port that forces another class than this one; or NULL. */
static const struct job_port *hides(const struct judging *j, uint8_t traffic_class)
{
	const struct environment_input *in = j->c->input;

	for (size_t i = 0; i < in->count; i++)
		if (forces_class(&in->ports[i]) &&
		    in->ports[i].actual->roce.traffic_class != traffic_class)
			return &in->ports[i];
	return NULL;
}

static struct environment_item *add_hidden(struct judging *j, enum variable_id id,
					   const struct found *f, const struct job_port *p)
{
	struct environment_item *item =
		judging_add(j, id, f, lint_of_document(LINT_FORCED_CLASS_HIDES_ENV));
	unsigned forced = p->actual->roce.traffic_class;

	environment_item_say(item,
			     "%s forces traffic class %u on all connections of verbs, "
			     "whatever this says",
			     p->name, forced);
	if (forced != j->c->desired->traffic_class)
		snprintf(item->fix, sizeof(item->fix),
			 "run `losslessctl apply`: the policy has another roce.traffic_class");
	return item;
}

static void judge_class(struct judging *j, enum variable_id id, const struct found *f,
			enum queue_pairs of)
{
	const struct job_port *lossy, *forcing;
	struct environment_item *item;
	enum trap trap;
	int64_t value = variables[id].of_ucx ? ucx_integer(f->a->text, &trap)
					     : nccl_integer(f->a->text, -1, &trap);
	uint8_t class;

	if (value > UINT8_MAX || value < -1)
		trap = TRAP_OUT_OF_RANGE;
	class = (uint8_t)(value < 0 ? 0 : value); /* as struct ibv_global_route keeps it */
	lossy = loses(j, of, class);
	forcing = of == QUEUE_PAIRS_OF_VERBS ? hides(j, class) : NULL;
	if (lossy)
		say_class(item = judging_add_drift(j, id, f), lossy, class);
	else if (forcing)
		item = add_hidden(j, id, f, forcing);
	else if (trap)
		item = judging_add(j, id, f, NULL);
	else
		return;
	environment_item_say_trap(item, trap);
}

/* GIN came with this version: queue pairs that GPUs drive themselves. */
#define NCCL_HAS_GIN NCCL_VERSION(2, 28)

static bool may_use_gin(const struct environment_input *in)
{
	return !in->nccl_version || in->nccl_version >= NCCL_HAS_GIN;
}

static void say_unset(const struct judging *j, const struct found *f, struct environment_item *item)
{
	if (!f->a)
		item->source = judging_complete(j);
	environment_item_say(item, "%s",
			     !f->a	     ? "it is not set"
			     : f->a->text[0] ? "-1 stands for not set"
					     : "an empty value stands for not set");
}

/* A forced class covers for a job that sets none, but not on the queue pairs of GPUs. */
static void judge_unset_gin(struct judging *j, const struct found *f)
{
	const struct job_port *p = loses(j, QUEUE_PAIRS_OF_GPUS, 0);
	struct environment_item *item;

	if (!p || !may_use_gin(j->c->input) || judging_find(j, VARIABLE_NCCL_GIN_IB_TC).a)
		return;
	item = judging_add(j, VARIABLE_NCCL_IB_TC, f, lint_of_document(LINT_GIN_CLASS_UNSET));
	say_unset(j, f, item);
	environment_item_say(item,
			     ": %s forces class %u, which does not reach queue pairs "
			     "that GPUs drive themselves: they keep DSCP 0",
			     p->name, p->actual->roce.traffic_class);
}

/* An empty value, and -1, stand for an unset variable. */
static bool is_unset(const struct found *f)
{
	enum trap trap;

	return !f->a ||
	       (nccl_integer(f->a->text, NCCL_CLASS_UNSET, &trap) == NCCL_CLASS_UNSET && !trap);
}

/* A source says so, or none sets the class of a job whose whole environment is known. */
static void judge_unset(struct judging *j, const struct found *f)
{
	struct environment_item *item;

	if (!f->a && !judging_complete(j))
		return;
	if (!loses(j, QUEUE_PAIRS_OF_VERBS, 0)) {
		judge_unset_gin(j, f);
		return;
	}
	item = judging_add_drift(j, VARIABLE_NCCL_IB_TC, f);
	say_unset(j, f, item);
	environment_item_say(item, ", so that NCCL marks its packets with DSCP 0");
}

void judge_data_class(struct judging *j, enum variable_id id, const struct found *f)
{
	size_t before = j->ret->count;

	if (is_unset(f)) {
		judge_unset(j, f);
		return;
	}
	judge_class(j, id, f, QUEUE_PAIRS_OF_VERBS);
	if (f->source->fills_in && j->ret->count == before)
		environment_item_say(judging_add(j, id, f, NULL),
				     "this host's file sets it, which a container does not see");
}

void judge_gin_class(struct judging *j, enum variable_id id, const struct found *f)
{
	if (!is_unset(f)) /* GIN takes NCCL_IB_TC in its place */
		judge_class(j, id, f, QUEUE_PAIRS_OF_GPUS);
}

/* The default of UCX: a forced class where it finds one, and otherwise this. */
#define UCX_CLASS_OF_ROCE 106

static void judge_ucx_auto(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct job_port *p = loses(j, QUEUE_PAIRS_OF_VERBS, UCX_CLASS_OF_ROCE);
	struct environment_item *item;

	if (!p)
		return;
	item = judging_add_drift(j, id, f);
	say_class(item, p, UCX_CLASS_OF_ROCE);
	environment_item_say(item, ": UCX takes this class for auto");
}

void judge_ucx_class(struct judging *j, enum variable_id id, const struct found *f)
{
	if (f->a && strcasecmp(f->a->text, "auto") == 0)
		judge_ucx_auto(j, id, f);
	else if (f->a)
		judge_class(j, id, f, QUEUE_PAIRS_OF_VERBS);
}
