#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../dcb/facts.h"
#include "../dcb/lldpad_tell.h"
#include "../policy/want.h"
#include "findings.h"
#include "naming.h"
#include "print.h"
#include "unmet.h"
#include "../policy/memory.h"

void targets_free(struct targets *t)
{
	free(t->list);
	*t = (struct targets){ NULL, 0 };
}

void target_refuse(struct target *t, const char *knob, const char *why, const char *mend)
{
	struct refusal *r = &t->refusals[t->refusals_count];

	if (t->refusals_count == REFUSALS_MAX)
		return;
	r->knob = knob;
	snprintf(r->why, sizeof(r->why), "%s", why);
	snprintf(r->mend, sizeof(r->mend), "%s", mend ? mend : "");
	t->refusals_count++;
}

/* What is wanted of the switch is no setting of the port. */
static void ask_the_switch(struct target *t)
{
	if (t->task.want.has & KNOB(KNOB_PEER_MUST_AGREE))
		t->must_agree = t->task.want.peer.must_agree;
	t->task.want.has &= ~KNOB(KNOB_PEER_MUST_AGREE);
	t->task.want.peer.must_agree = 0;
}

/* Its rule, and what that wants. What the port does not tell is refused, and nothing is wanted. */
static bool choose(const struct policy *p, struct target *t, struct err *err)
{
	const struct identity *id = &t->task.port.id;
	const char *asks = "match";
	struct err why = { 0 };

	if (policy_rule_for(p, id, &t->rule, &why)) {
		if (!t->rule)
			return true;
		if (rule_want(t->rule, id, &t->task.want, &why)) {
			ask_the_switch(t);
			return true;
		}
		asks = "when";
	}
	if (why.kind == ERR_UNKNOWN) {
		target_refuse(t, asks, why.text, why.hint);
		return true;
	}
	*err = why;
	return err_at(err, false, "%s: rule %d on %s", p->source, RULE_NUMBER(p, t->rule),
		      id->name);
}

bool targets_choose(struct cli *c, const struct policy *p, const struct inventory *inv,
		    struct targets *ret, struct err *err)
{
	ret->list = calloc(inv->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < inv->count; i++) {
		struct target *t = &ret->list[ret->count];

		t->task.port = inv->ports[i];
		t->facts.fabric = p->fabric;
		t->severities = &p->severities;
		if (!choose(p, t, err))
			return false;
		if (!t->rule && words_name(&c->opt, &inv->ports[i].id) == NAMED_BY_NAME)
			return err_set(err, ERR_UNKNOWN, ENOENT, "no rule of %s matches port %s",
				       p->source, inv->ports[i].id.name);
		ret->count += t->rule != NULL;
	}
	if (c->opt.words_count && !ret->count)
		return err_set(err, ERR_UNKNOWN, ENOENT,
			       "no rule of %s matches a port that %s names", p->source,
			       c->opt.words[0]);
	return true;
}

bool targets_find(struct cli *c, const struct policy *p, const struct inventory *inv,
		  struct targets *ret, struct err *err)
{
	struct unmet unmet = unmet_find(c, p, inv);

	if (unmet.count == 0)
		return targets_choose(c, p, inv, ret, err);
	*err = unmet.first;
	return false;
}

#define RDMA_KNOBS \
	(KNOB(KNOB_ROCE_MODE) | KNOB(KNOB_ROCE_TOS) | KNOB(KNOB_ROCE_TRAFFIC_CLASS) | \
	 KNOB(KNOB_ROCE_V2_GID))

/*
 * What is skipped. A rollback goes on without what cannot be read now. A virtual function has its
 * PF's settings; a bond has one RDMA device, on one of its members.
 */
static knobset not_here(const struct target *t)
{
	if (!t->rule)
		return t->seen.unsupported | t->seen.unknown;
	return t->seen.unsupported &
	       (t->rule->profile->optional | (t->task.port.is_vf ? EVERY_KNOB : 0) |
		(t->task.port.shares_rdma ? RDMA_KNOBS : 0));
}

static const char *first_knob(knobset set)
{
	return set ? knobs[__builtin_ctzll(set)].path : "";
}

void target_prepare(struct host *h, struct target *t)
{
	for (size_t i = 0; i < all_features.count; i++) {
		const struct feature *f = all_features.list[i];
		knobset wanted = f->owns & t->task.want.has;
		struct err err = { 0 };

		if (f->prepare && wanted && !f->prepare(h, &t->task.port, &err))
			target_refuse(t, first_knob(wanted), err.text, err.hint);
	}
}

bool target_observe(struct cli *c, struct target *t, struct err *err)
{
	if (!observe(c->h, all_features, &t->task.port, &t->seen, err))
		return false;
	facts_read(c->h, &t->task.port, &t->facts);
	t->task.port.traffic_classes = t->facts.traffic_classes;
	if (t->task.want.has & KNOB(KNOB_MTU))
		facts_read_upper(c->h, &t->task.port, &t->facts);
	t->skipped = not_here(t) & t->task.want.has;
	t->task.want.has &= ~t->skipped;
	return true;
}

const char *target_skip_why(const struct target *t, unsigned knob)
{
	if (!t->rule)
		return "it cannot be read now, and its saved value is kept for another rollback";
	if (t->rule->profile->optional & KNOB(knob))
		return "optional, and the port has no such thing";
	return t->task.port.is_vf ? "inherited from the PF"
				  : "it belongs to the bond's RDMA device, on another member";
}

/* Who decides over PFC and ETS, if it is not this host. */
static const struct decider {
	const char *why, *mend;
} deciders[] = {
	[DCBX_FIRMWARE] = { "the adapter's firmware decides over DCB on this port",
			    "set dcbx.mode to host, which takes it over; or set the switch, and "
			    "verify" },
	[DCBX_HOST] = { NULL, NULL },
	[DCBX_SWITCH] = { "the switch decides over DCB on this port",
			  "set the switch's port (`losslessctl peer` names it), or dcbx.mode to "
			  "host" },
};

const char *target_others_mend(const struct target *t, unsigned knob)
{
	const struct config *want = &t->task.want, *have = &t->seen.have;

	if (!(SET_BY_DCBX & KNOB(knob)) || !(have->has & KNOB(KNOB_DCBX_MODE)) ||
	    ((want->has & KNOB(KNOB_DCBX_MODE)) && want->dcbx.mode != have->dcbx.mode))
		return NULL;
	return deciders[have->dcbx.mode].mend;
}

/* What is wanted must be there, so that it can be read back and put back. */
static void judge_abilities(struct target *t)
{
	knobset lacking = t->task.want.has & SETUP_KNOBS & ~t->seen.have.has & ~t->seen.missing;

	for (unsigned i = 0; i < KNOB_COUNT; i++) {
		const struct reason *r = observation_reason(&t->seen, i);

		if ((lacking & KNOB(i)) && r)
			target_refuse(t, knobs[i].path, r->text,
				      r->kind == ERR_UNSUPPORTED
					      ? "list it under \"optional\" if the port may lack it"
					      : r->hint);
	}
}

/* Refuses steps beyond the port's limits. A rollback restores what the port had: no limit counts.
 */
static void judge_steps(struct target *t)
{
	static const struct facts unlimited;
	const struct facts *reported = t->rule ? &t->facts : &unlimited;
	const struct plan *p = &t->task.plan;

	for (size_t i = 0; i < p->count; i++) {
		const struct step *s = &p->steps[i];
		struct err err = { 0 };

		if (s->feature->accepts && !s->feature->accepts(&t->task.port, reported,
								plan_before(p, i), &s->after, &err))
			target_refuse(t, first_knob(s->change), err.text, err.hint);
	}
}

/* Settings that are only verified must be right before the rest is written; advice and the link
 * stop nothing.
 */
static void judge_verified_only(struct cli *c, struct target *t)
{
	knobset off = config_diff(&t->task.want, &t->seen.have) & t->seen.have.has;

	for (unsigned i = 0; i < KNOB_COUNT; i++) {
		const struct feature *f = observation_speaker(&t->seen, all_features, i);

		if (!(off & KNOB(i)) || f->write || f->is_advice)
			continue;
		if (LINK_KNOBS & KNOB(i))
			print_warning(c, "%s: %s differs from the policy: %s", t->task.port.id.name,
				      knobs[i].path, f->not_ours);
		else
			target_refuse(t, knobs[i].path,
				      "it is not as wished, and losslessctl only verifies it",
				      f->not_ours);
	}
}

/* A rule stops only a change of what it speaks of; what was wrong before is not ours to stop for.
 */
static void judge_rules(struct cli *c, struct target *t)
{
	struct config end = judged_setup(plan_end(&t->task.plan), t->task.want.has);
	knobset touched = plan_touched(&t->task.plan);
	char text[RULE_TEXT_MAX];
	const struct rule *r;

	for (size_t i = 0; t->rule && (r = rule_at(i)); i++) {
		knobset about = rule_looks_at(r) & touched;
		enum severity s = severity_of_lint(t->severities, i);

		if (!about || s == SEVERITY_IGNORE || !rule_broken(r, &end, &t->facts))
			continue;
		rule_text(r, &end, &t->facts, text);
		if (s == SEVERITY_ERROR)
			target_refuse(t, first_knob(about), text, r->mend);
		else if (s == SEVERITY_WARNING || c->opt.verbose)
			print_finding(c, t->task.port.id.name, r, s, text);
	}
}

/* What a guard speaks against: of what it is over, the first that disrupts enough. */
static knobset objected(const struct plan *p, const struct guard *g)
{
	for (size_t i = 0; i < p->count; i++) {
		knobset touched = p->steps[i].change & g->over;

		if (touched && p->steps[i].disrupts >= g->from)
			return touched;
	}
	return 0;
}

/* What others may set otherwise at any time is not written under their hands. */
static void judge_owner(struct cli *c, struct target *t)
{
	const struct plan *p = &t->task.plan;

	for (size_t i = 0; t->rule && i < p->count; i++) {
		knobset against = p->steps[i].change & SET_BY_DCBX;
		const struct config *now = plan_before(p, i);
		const struct decider *d = &deciders[now->dcbx.mode];

		if (!against || !(now->has & KNOB(KNOB_DCBX_MODE)) || !d->why ||
		    p->before.dcbx.mode != now->dcbx.mode ||
		    (now->dcbx.mode == DCBX_SWITCH && (t->task.want.has & KNOB(KNOB_DCBX_MODE)) &&
		     !lldpad_hears_otherwise(c->h, &t->task.port, &t->task.want)))
			continue;
		target_refuse(t, first_knob(against), d->why, d->mend);
		return;
	}
}

static void judge_guards(struct cli *c, struct target *t)
{
	for (size_t i = 0; i < all_guards.count; i++) {
		const struct guard *g = all_guards.list[i];
		knobset against = objected(&t->task.plan, g);
		char why[GUARD_WHY_MAX];

		if (!against || (g->may_override && c->opt.disruptive) ||
		    (g->waived && g->waived(&t->task.want)))
			continue;
		if (g->objects(c->h, &t->task.port, why))
			target_refuse(t, first_knob(against), why, g->mend);
	}
}

static void judge_flaps(struct cli *c, struct target *t)
{
	for (size_t i = 0; c->opt.no_link_flap && i < t->task.plan.count; i++) {
		const struct step *s = &t->task.plan.steps[i];

		if (s->disrupts == DISRUPTS_LINK)
			target_refuse(
				t, first_knob(s->change),
				"changing it takes the link down, and --no-link-flap was given",
				"run without --no-link-flap when the link may go down for a "
				"moment");
	}
}

void target_judge(struct cli *c, struct target *t)
{
	judge_abilities(t);
	judge_steps(t);
	judge_verified_only(c, t);
	judge_rules(c, t);
	judge_owner(c, t);
	judge_guards(c, t);
	judge_flaps(c, t);
	if (!t->task.port.carrier && plan_disrupts(&t->task.plan) == DISRUPTS_LINK)
		print_warning(c,
			      "%s has no link: headroom is computed for 40 Gb/s until PFC is sent "
			      "again with the link up",
			      t->task.port.id.name);
}
