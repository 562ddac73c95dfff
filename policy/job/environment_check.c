#include "environment_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../model/setting.h"

struct judging {
	const struct environment_check *c;
	struct environment_report *ret;
};

/* The assignment of a variable that reaches the job, and its source. */
struct found {
	const struct environment_source *source;
	const struct assignment *a; /* NULL: no source sets it */
};

static struct found find(const struct environment_check *c, enum variable_id id)
{
	for (size_t i = 0; i < c->sources->count; i++) {
		const struct environment_source *s = c->sources->list[i];
		const struct assignment *a = assignment_of(&s->assignments, id);

		if (a)
			return (struct found){ s, a };
	}
	return (struct found){ NULL, NULL };
}

/* Adds an item with the value that is expected, and the fix to set it. */
static struct environment_item *add(struct judging *j, enum variable_id id, const struct found *f,
				    const struct lint *lint)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item = environment_report_add(j->ret, id, lint, f->source, f->a);

	if (!desired->is_set)
		return item;
	snprintf(item->expected, sizeof(item->expected), "%.63s", desired->text);
	snprintf(item->fix, sizeof(item->fix), "set %s=%.150s", variables[id].name, desired->text);
	return item;
}

static const struct lint *off_policy(void)
{
	return lint_of_document(LINT_ENV_OFF_POLICY);
}

/* ---- classes ---- */

/* The first port that puts this class into another priority than the expected one; or NULL. */
static const struct job_port *loses(const struct judging *j, uint8_t traffic_class)
{
	const struct environment_input *in = j->c->input;
	uint8_t expected = j->c->desired->traffic_class;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];

		if (p->rdma[0] && job_port_priority(&p->effective, traffic_class) !=
					  job_port_priority(&p->effective, expected))
			return p;
	}
	return NULL;
}

static void say_class(struct judging *j, struct environment_item *item, uint8_t traffic_class)
{
	const struct job_port *p = loses(j, traffic_class);
	int prio = job_port_priority(&p->effective, traffic_class);

	environment_item_say(item, "traffic class %u is DSCP %u", traffic_class,
			     traffic_class >> 2);
	if (prio >= 0)
		environment_item_say(item, ", which %s puts into priority %d", p->name, prio);
}

/* A GPU's own queue pairs do not take the class of the others. */
static void judge_gin(struct judging *j, const struct found *f)
{
	struct found data = find(j->c, VARIABLE_NCCL_IB_TC);
	struct environment_item *item;

	if (f->a || !data.a || data.source->of_rccl ||
	    !j->c->desired->of[VARIABLE_NCCL_GIN_IB_TC].is_set)
		return;
	item = add(j, VARIABLE_NCCL_GIN_IB_TC, f, lint_of_document(LINT_GIN_CLASS_UNSET));
	item->source = data.source;
	environment_item_say(
		item,
		"NCCL_IB_TC is set, and the queue pairs that GPUs drive themselves keep DSCP 0");
}

/* The adapter overrides the class of every program. */
static void judge_forced(struct judging *j, enum variable_id id, const struct found *f,
			 uint8_t traffic_class)
{
	const struct environment_input *in = j->c->input;

	for (size_t i = 0; i < in->count; i++) {
		const struct config *now = in->ports[i].actual;
		struct environment_item *item;

		if (!(now->has & SETTING(SETTING_ROCE_TRAFFIC_CLASS)) ||
		    now->roce.traffic_class >= TRAFFIC_CLASS_UNSET ||
		    now->roce.traffic_class == traffic_class)
			continue;
		item = add(j, id, f, lint_of_document(LINT_FORCED_CLASS_HIDES_ENV));
		environment_item_say(
			item, "%s forces traffic class %u on all connections, whatever this says",
			in->ports[i].name, now->roce.traffic_class);
		snprintf(item->fix, sizeof(item->fix),
			 "set roce.traffic_class of the policy to %u or \"unset\"", traffic_class);
		return;
	}
}

static void judge_class(struct judging *j, enum variable_id id, const struct found *f)
{
	const char *text = f->a ? f->a->text : "";
	enum trap trap;
	int64_t value = nccl_integer(text, -1, &trap);
	struct environment_item *item;
	bool differs;

	if (!f->a || (variables[id].of_ucx && strcmp(text, "auto") == 0))
		return;
	if (value > UINT8_MAX || value < -1)
		trap = TRAP_OUT_OF_RANGE;
	value = value < 0 ? 0 : value & UINT8_MAX; /* as struct ibv_global_route keeps it */
	differs = loses(j, (uint8_t)value);
	if (differs || trap) {
		item = add(j, id, f, differs ? off_policy() : NULL);
		if (differs)
			say_class(j, item, (uint8_t)value);
		environment_item_say_trap(item, trap);
	}
	judge_forced(j, id, f, (uint8_t)value);
}

/* No source sets the class of a job whose whole environment is known. */
static void judge_unset(struct judging *j, enum variable_id id, const struct found *f)
{
	struct environment_item *item;

	if (f->a || !j->c->sources->count || !j->c->sources->list[0]->is_complete || !loses(j, 0))
		return;
	item = add(j, id, f, off_policy());
	item->source = j->c->sources->list[0];
	environment_item_say(item, "it is not set, so that NCCL marks its packets with DSCP 0");
}

static void judge_data_class(struct judging *j, enum variable_id id, const struct found *f)
{
	judge_unset(j, id, f);
	judge_class(j, id, f);
}

/* The trap in a value that is no number. */
static enum trap trap_of_text(const struct assignment *a)
{
	if (strchr(a->text, '\r'))
		return TRAP_CARRIAGE_RETURN;
	return strpbrk(a->text, "\"'") ? TRAP_QUOTES : a->trap;
}

/* ---- devices ---- */

static bool is_managed(const struct environment_input *in, const char *device)
{
	for (size_t i = 0; i < in->count; i++)
		if (strcmp(in->ports[i].rdma, device) == 0)
			return true;
	return false;
}

/* NCCL would use a device that the policy does not cover. */
static bool judge_other_devices(struct judging *j, const struct found *f)
{
	const char *text = f->a->text;

	for (size_t i = 0; i < j->c->devices_count; i++) {
		const char *device = j->c->devices[i];
		struct environment_item *item;

		if (is_managed(j->c->input, device) || !nccl_hca_selects(text, device, 1))
			continue;
		item = add(j, VARIABLE_NCCL_IB_HCA, f, off_policy());
		environment_item_say(item, "it selects %s, which the policy does not cover",
				     device);
		if (text[0] != '=' && text[0] != '^')
			environment_item_say_trap(item, TRAP_HCA_PREFIX);
		return true;
	}
	return false;
}

static void judge_hca(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_input *in = j->c->input;
	bool any = false;

	if (!f->a)
		return;
	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		struct environment_item *item;

		if (!p->rdma[0] || nccl_hca_selects(f->a->text, p->rdma, p->rdma_port))
			continue;
		any = true;
		item = add(j, id, f, off_policy());
		environment_item_say(item, "it leaves out %s of %s", p->device, p->name);
		environment_item_say_trap(item, trap_of_text(f->a));
		break;
	}
	if (!judge_other_devices(j, f) && !any && !strchr(f->a->text, '='))
		environment_item_say_trap(add(j, id, f, NULL), TRAP_HCA_PREFIX);
}

/* ---- the rest ---- */

static void judge_index(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_input *in = j->c->input;
	enum trap trap;
	int64_t index = nccl_integer(f->a ? f->a->text : "", -1, &trap);
	struct environment_item *item;

	if (index < 0)
		return;
	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		uint64_t gids = p->gids.ipv4 | p->gids.ipv6;

		if (!p->rdma[0] || (index < 64 && gids >> index & 1))
			continue;
		item = add(j, id, f, off_policy());
		environment_item_say(item, "GID %lld of %s is not one of RoCE v2", (long long)index,
				     p->rdma);
		environment_item_say_trap(item, trap);
		snprintf(item->fix, sizeof(item->fix),
			 "remove it, or run `losslessctl show %s` for the GIDs", p->name);
		return;
	}
	if (!in->nccl_version || in->nccl_version >= NCCL_CHOOSES_GID) {
		item = add(j, id, f, NULL);
		environment_item_say_trap(item, TRAP_GID_INDEX);
	}
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
	item = add(j, id, f, differs ? off_policy() : NULL);
	if (differs)
		environment_item_say(item, "it reads as %lld", (long long)value);
	environment_item_say_trap(item, trap);
}

static void judge_text(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item;

	if (!f->a || !desired->is_set || strcmp(f->a->text, desired->text) == 0)
		return;
	item = add(j, id, f, off_policy());
	environment_item_say(item, "it is not the expected text");
	environment_item_say_trap(item, trap_of_text(f->a));
}

/* RDMA is off: the job uses TCP. */
static void judge_off(struct judging *j, enum variable_id id, const struct found *f)
{
	struct environment_item *item;
	enum trap trap;

	if (!f->a || (id == VARIABLE_NCCL_NET ? strcasecmp(f->a->text, "socket") != 0
					      : nccl_integer(f->a->text, 0, &trap) == 0))
		return;
	item = add(j, id, f, off_policy());
	environment_item_say(item, "it turns RDMA off: NCCL uses TCP");
	snprintf(item->fix, sizeof(item->fix), "remove it");
}

static void judge_gin_class(struct judging *j, enum variable_id id, const struct found *f)
{
	judge_gin(j, f);
	judge_class(j, id, f);
}

/* UCX reads its own numbers; the devices that it may use are a choice of the job. */
static void (*const judges[VARIABLE_COUNT])(struct judging *j, enum variable_id id,
					    const struct found *f) = {
	[VARIABLE_NCCL_IB_TC] = judge_data_class,
	[VARIABLE_NCCL_IB_FIFO_TC] = judge_number,
	[VARIABLE_NCCL_GIN_IB_TC] = judge_gin_class,
	[VARIABLE_NCCL_IB_HCA] = judge_hca,
	[VARIABLE_NCCL_IB_ADDR_FAMILY] = judge_text,
	[VARIABLE_NCCL_IB_ROCE_VERSION_NUM] = judge_number,
	[VARIABLE_NCCL_IB_GID_INDEX] = judge_index,
	[VARIABLE_NCCL_SOCKET_IFNAME] = judge_text,
	[VARIABLE_NCCL_IB_TIMEOUT] = judge_number,
	[VARIABLE_NCCL_IB_RETRY_CNT] = judge_number,
	[VARIABLE_NCCL_IB_DISABLE] = judge_off,
	[VARIABLE_NCCL_NET] = judge_off,
	[VARIABLE_UCX_IB_TRAFFIC_CLASS] = judge_class,
};

/* Lines that set another name than their author meant, or come second. */
static void judge_names(struct judging *j)
{
	for (size_t i = 0; i < j->c->sources->count; i++) {
		const struct environment_source *s = j->c->sources->list[i];

		for (size_t k = 0; k < s->assignments.count; k++) {
			struct found f = { s, &s->assignments.list[k] };
			const struct lint *lint = f.a->trap == TRAP_SET_TWICE ? NULL : off_policy();

			if (!assignment_counts(f.a))
				environment_item_say_trap(add(j, f.a->variable, &f, lint),
							  f.a->trap);
		}
	}
}

void environment_judge(const struct environment_check *c, struct environment_report *ret)
{
	struct judging j = { c, ret };

	for (enum variable_id id = 0; id < VARIABLE_COUNT; id++) {
		struct found f = find(c, id);

		if (judges[id])
			judges[id](&j, id, &f);
	}
	judge_names(&j);
}
