#include "environment_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../model/setting.h"
#include "../util/fix_text.h"

/* ---- classes ---- */

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
	uint8_t expected = j->c->desired->traffic_class, level = j->c->desired->service_level;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		bool is_hidden = of == QUEUE_PAIRS_OF_VERBS && forces_class(p);

		if (p->rdma[0] && !is_hidden &&
		    job_port_priority(p, &p->effective, traffic_class, level) !=
			    job_port_priority(p, &p->effective, expected, level))
			return p;
	}
	return NULL;
}

static void say_class(struct environment_item *item, const struct job_port *p,
		      uint8_t traffic_class)
{
	int prio = job_port_priority(p, &p->effective, traffic_class, 0);

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

static void judge_data_class(struct judging *j, enum variable_id id, const struct found *f)
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

static void judge_gin_class(struct judging *j, enum variable_id id, const struct found *f)
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

static void judge_ucx_class(struct judging *j, enum variable_id id, const struct found *f)
{
	if (f->a && strcasecmp(f->a->text, "auto") == 0)
		judge_ucx_auto(j, id, f);
	else if (f->a)
		judge_class(j, id, f, QUEUE_PAIRS_OF_VERBS);
}

/* ---- service levels ---- */

/* The first port that puts this service level into another priority than the expected one; or NULL.
 */
static const struct job_port *loses_level(const struct judging *j, uint8_t level)
{
	const struct environment_input *in = j->c->input;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];

		if (p->rdma[0] &&
		    job_port_priority(p, &p->effective, 0, level) !=
			    job_port_priority(p, &p->effective, 0, j->c->desired->service_level))
			return p;
	}
	return NULL;
}

/* The number as the library reads it; 0 is what it takes if none is set. */
static int64_t level_of(enum variable_id id, const struct found *f, enum trap *trap)
{
	int64_t value;

	*trap = TRAP_NONE;
	if (!f->a || (variables[id].of_ucx && strcasecmp(f->a->text, "auto") == 0))
		return 0;
	value = variables[id].of_ucx ? ucx_integer(f->a->text, trap)
				     : nccl_integer(f->a->text, -1, trap);
	if (value > UINT8_MAX || value < -1)
		*trap = TRAP_OUT_OF_RANGE;
	return value < 0 ? 0 : value;
}

/*
 * Unset, it is judged where a source is complete, or sets the class of the same library, which
 * alone does not decide.
 */
static void judge_service_level(struct judging *j, enum variable_id id, const struct found *f)
{
	bool of_ucx = variables[id].of_ucx;
	struct found class =
		judging_find(j, of_ucx ? VARIABLE_UCX_IB_TRAFFIC_CLASS : VARIABLE_NCCL_IB_TC);
	enum trap trap;
	int64_t value = level_of(id, f, &trap);
	const struct job_port *p = loses_level(j, (uint8_t)value);
	struct environment_item *item;

	if (!j->c->desired->of[id].is_set ||
	    (!f->a && !class.a && (of_ucx || !judging_complete(j))))
		return;
	if (!p && !trap)
		return;
	item = p ? judging_add_drift(j, id, f) : judging_add(j, id, f, NULL);
	if (!f->a)
		item->source = class.a ? class.source : judging_complete(j);
	if (p)
		environment_item_say(item, "%s%s puts service level %d into priority %d",
				     f->a ? "" : "it is not set, which is 0: ", p->name,
				     (int)(value & 7),
				     job_port_priority(p, &p->effective, 0, (uint8_t)value));
	environment_item_say_trap(item, trap);
}

/* ---- the whole environment ---- */

/* The first port without a GID at this index that can be used; or NULL. */
static const struct job_port *without_gid(const struct environment_input *in, int64_t index)
{
	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		uint64_t gids = p->gids.ipv4 | p->gids.ipv6;

		if (p->rdma[0] && (index >= 64 || !(gids >> index & 1)))
			return p;
	}
	return NULL;
}

static struct environment_item *add_index(struct judging *j, const struct found *f, int64_t index,
					  const struct job_port *p)
{
	struct environment_item *item = judging_add_drift(j, VARIABLE_NCCL_IB_GID_INDEX, f);
	char name[SHELL_NAME_MAX];

	if (!f->a) {
		item->source = judging_complete(j);
		environment_item_say(item, "it is not set, and NCCL before 2.21 takes the first: ");
	}
	environment_item_say(item, "GID %lld of %s is not one of RoCE v2 that can be routed",
			     (long long)index, p->rdma);
	if (!item->fix[0])
		snprintf(item->fix, sizeof(item->fix), "%s`losslessctl show%s` for the GIDs",
			 f->a ? "remove it, or run " : "run ",
			 shell_operand(p->name, name, sizeof(name)));
	return item;
}

/* NCCL before 2.21 does not choose, and takes GID 0 unless it is told another. */
static void judge_index(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_input *in = j->c->input;
	bool chooses = !in->nccl_version || in->nccl_version >= NCCL_CHOOSES_GID;
	const struct job_port *p;
	enum trap trap;
	int64_t index = nccl_integer(f->a ? f->a->text : "", chooses ? -1 : 0, &trap);

	if (index < 0 || (!f->a && !judging_complete(j)))
		return;
	p = without_gid(in, index);
	if (p)
		environment_item_say_trap(add_index(j, f, index, p), trap);
	else if (f->a && (chooses || trap))
		environment_item_say_trap(judging_add(j, id, f, NULL),
					  trap ? trap : TRAP_GID_INDEX);
}

/* The policy's keys of "job" are reasons by themselves; env words all others. */
static void say_desired(struct environment_item *item, const struct environment_value *desired)
{
	if (strncmp(desired->from, "job.", 4) == 0)
		environment_item_say(item, "the policy has %.100s", desired->text);
	else
		environment_item_say(item, "%s", desired->from);
}

/* A number that env derives; the default of NCCL is not judged. */
static void judge_number(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item;
	enum trap trap;
	int64_t value = nccl_integer(f->a ? f->a->text : "", INT64_MIN, &trap);
	bool differs = desired->is_set && value != strtoll(desired->text, NULL, 10);

	if (!f->a || !desired->is_set || (!differs && !trap))
		return;
	item = differs ? judging_add_drift(j, id, f) : judging_add(j, id, f, NULL);
	if (differs) {
		environment_item_say(item, "it reads as %lld: ", (long long)value);
		say_desired(item, desired);
	}
	environment_item_say_trap(item, trap);
}

static void judge_text(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item;

	if (!f->a || !desired->is_set || strcmp(f->a->text, desired->text) == 0)
		return;
	item = judging_add_drift(j, id, f);
	say_desired(item, desired);
	environment_item_say_trap(item, judging_text_trap(f->a));
}

/* RDMA is off: the job uses TCP. */
static void judge_off(struct judging *j, enum variable_id id, const struct found *f)
{
	struct environment_item *item;
	enum trap trap;

	if (!f->a || (id == VARIABLE_NCCL_NET ? strcasecmp(f->a->text, "socket") != 0
					      : nccl_integer(f->a->text, 0, &trap) == 0))
		return;
	item = judging_add_drift(j, id, f);
	environment_item_say(item, "it turns RDMA off: NCCL uses TCP");
	snprintf(item->fix, sizeof(item->fix), "remove it");
}

static void (*const judges[VARIABLE_COUNT])(struct judging *j, enum variable_id id,
					    const struct found *f) = {
	[VARIABLE_NCCL_IB_TC] = judge_data_class,
	[VARIABLE_NCCL_IB_FIFO_TC] = judge_number,
	[VARIABLE_NCCL_GIN_IB_TC] = judge_gin_class,
	[VARIABLE_NCCL_IB_SL] = judge_service_level,
	[VARIABLE_NCCL_IB_HCA] = judge_hca,
	[VARIABLE_NCCL_IB_ADDR_FAMILY] = judge_text,
	[VARIABLE_NCCL_IB_ROCE_VERSION_NUM] = judge_number,
	[VARIABLE_NCCL_IB_GID_INDEX] = judge_index,
	[VARIABLE_NCCL_SOCKET_IFNAME] = judge_text,
	[VARIABLE_NCCL_IB_TIMEOUT] = judge_number,
	[VARIABLE_NCCL_IB_RETRY_CNT] = judge_number,
	[VARIABLE_NCCL_IB_DISABLE] = judge_off,
	[VARIABLE_NCCL_NET] = judge_off,
	[VARIABLE_UCX_IB_TRAFFIC_CLASS] = judge_ucx_class,
	[VARIABLE_UCX_IB_SL] = judge_service_level,
	[VARIABLE_UCX_NET_DEVICES] = judge_ucx_devices,
	[VARIABLE_UCX_TLS] = judge_ucx_transports,
};

/*
 * Lines that set another name than their author meant, or come second. A misspelled name, such as
 * RCCL_IB_TC, does no harm where another line sets the variable, which is judged by itself.
 */
static void judge_names(struct judging *j)
{
	for (size_t i = 0; i < j->c->sources->count; i++) {
		const struct environment_source *s = j->c->sources->list[i];

		for (size_t k = 0; k < s->assignments.count; k++) {
			const struct assignment *a = &s->assignments.list[k];
			struct found f = { s, a };
			bool is_note =
				a->trap == TRAP_SET_TWICE ||
				(a->trap == TRAP_MISSPELLED && judging_find(j, a->variable).a);

			if (!assignment_counts(a))
				environment_item_say_trap(
					is_note ? judging_add(j, a->variable, &f, NULL)
						: judging_add_drift(j, a->variable, &f),
					a->trap);
		}
	}
}

/* The place of an item: its source, by precedence, and the line there. */
static uint64_t place_of(const struct judging *j, const struct environment_item *item)
{
	const struct environment_sources *all = j->c->sources;
	size_t i = 0;

	while (i < all->count && all->list[i] != item->source)
		i++;
	return (uint64_t)i << 32 | item->line;
}

/* Sorts the items from `first` on by place; those of one line stay in their order. */
static void sort_items(const struct judging *j, size_t first)
{
	struct environment_item *items = j->ret->items, moved;

	for (size_t i = first + 1; i < j->ret->count; i++) {
		size_t to = i;

		while (to > first && place_of(j, &items[to - 1]) > place_of(j, &items[i]))
			to--;
		moved = items[i];
		memmove(&items[to + 1], &items[to], (i - to) * sizeof(moved));
		items[to] = moved;
	}
}

static bool reads(const struct environment_input *in, enum variable_id id)
{
	return !in->nccl_version || in->nccl_version >= variables[id].since;
}

void environment_judge(const struct environment_check *c, struct environment_report *ret)
{
	struct judging j = { c, ret };
	size_t first = ret->count;

	for (enum variable_id id = 0; id < VARIABLE_COUNT; id++) {
		struct found f = judging_find(&j, id);

		if (judges[id] && reads(c->input, id))
			judges[id](&j, id, &f);
	}
	judge_names(&j);
	sort_items(&j, first);
}
