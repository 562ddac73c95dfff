#include "plan.h"

#include <assert.h>

#include "../policy/knob.h"

knobset features_only_verified(struct features all)
{
	knobset set = 0;

	for (size_t i = 0; i < all.count; i++)
		if (!all.list[i]->write)
			set |= all.list[i]->owns;
	return set;
}

const struct config *plan_before(const struct plan *p, size_t step)
{
	return step ? &p->steps[step - 1].after : &p->before;
}

const struct config *plan_end(const struct plan *p)
{
	return plan_before(p, p->count);
}

knobset plan_touched(const struct plan *p)
{
	knobset touched = 0;

	for (size_t i = 0; i < p->count; i++)
		touched |= p->steps[i].change | p->steps[i].side;
	return touched;
}

static knobset at_risk(const struct plan *p)
{
	knobset risk = 0;

	for (size_t i = 0; i < p->count; i++)
		risk |= p->steps[i].risk;
	return risk;
}

enum disruption plan_disrupts(const struct plan *p)
{
	enum disruption worst = DISRUPTS_NONE;

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].disrupts > worst)
			worst = p->steps[i].disrupts;
	return worst;
}

static void add_step(struct plan *p, const struct feature *f, const struct config *then)
{
	const struct config *now = plan_end(p);
	struct step s = { .feature = f,
			  .change = config_diff(then, now) & f->owns,
			  .after = *then };

	if (!s.change || !f->write)
		return;
	if (f->disturb)
		f->disturb(now, then, &s.after);
	s.side = config_diff(&s.after, now) & ~s.change;
	s.risk = f->risks ? f->risks(now, then) & now->has : 0;
	s.disrupts = f->disrupts ? f->disrupts(now, then) : DISRUPTS_NONE;
	s.residue = f->residue ? f->residue(now, then) : NULL;
	assert(p->count < PLAN_MAX);
	p->steps[p->count++] = s;
}

/* The port with this feature's part of what is wanted. */
static struct config with(const struct config *now, const struct feature *f,
			  const struct config *want)
{
	struct config part = *want;

	part.has &= f->owns;
	return config_overlay(now, &part);
}

static void retreat(struct plan *p, const struct feature *f)
{
	struct config goal = config_overlay(plan_end(p), &p->want), mid = *plan_end(p);

	if (f->meet && (config_diff(&goal, &mid) & f->owns) && f->meet(plan_end(p), &goal, &mid))
		add_step(p, f, &mid);
}

/* Would a step still to come take this feature away from what is wanted again? */
static bool is_undone_later(const struct plan *p, struct features all, size_t i)
{
	const struct config *now = plan_end(p);
	struct config trial = with(now, all.list[i], &p->want);

	for (size_t j = i + 1; j < all.count; j++) {
		const struct feature *later = all.list[j];
		struct config then = with(now, later, &p->want);

		if (later->disturb && (config_diff(&then, now) & later->owns))
			later->disturb(now, &then, &trial);
	}
	return (config_diff(&p->want, &trial) & all.list[i]->owns) != 0;
}

static void advance(struct plan *p, struct features all, size_t i)
{
	struct config then = with(plan_end(p), all.list[i], &p->want);

	if (!is_undone_later(p, all, i))
		add_step(p, all.list[i], &then);
}

/* A VLAN device that is not changed may be gone by the time of going back. */
static void keep_changed_devices(struct plan *p)
{
	struct config end = *plan_end(p);

	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (knobs[i].type == T_VLANMAP && (p->back.has & KNOB(i)))
			knob_narrow(&knobs[i], &p->back, &end);
}

void plan_make(struct plan *p, struct features all, const struct config *want,
	       const struct config *have)
{
	*p = (struct plan){ .before = *have, .want = *want };
	p->want.has &= ~features_only_verified(all);
	for (size_t i = all.count; i-- > 0;)
		retreat(p, all.list[i]);
	for (int sweep = 0; sweep < 2; sweep++)
		for (size_t i = 0; i < all.count; i++)
			advance(p, all, i);
	p->proof = p->before;
	p->proof.has &= at_risk(p);
	p->proof.exact = p->proof.has;
	p->proof = config_overlay(&p->proof, &p->want);
	p->back = p->before;
	p->back.has &= plan_touched(p) | at_risk(p);
	p->back.exact = p->back.has;
	keep_changed_devices(p);
}

void plan_put_back_too(struct plan *p, knobset also)
{
	struct config more = p->before;

	more.has &= also;
	more.exact = more.has;
	p->back = config_overlay(&more, &p->back);
}
