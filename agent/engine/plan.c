#include "plan.h"

#include <assert.h>

#include "../../policy/model/setting.h"

setting_set features_only_verified(struct features all)
{
	setting_set set = 0;

	for (size_t i = 0; i < all.count; i++)
		if (!all.list[i]->write)
			set |= all.list[i]->owns;
	return set;
}

setting_set features_hidden(struct host *h, struct features all, const struct port *port,
			    setting_set touched)
{
	setting_set set = 0;

	for (size_t i = 0; i < all.count; i++) {
		const struct feature *f = all.list[i];

		if (f->is_hidden && ((f->owns | f->rests_on) & touched) && f->is_hidden(h, port))
			set |= f->owns;
	}
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

setting_set plan_touched(const struct plan *p)
{
	setting_set touched = 0;

	for (size_t i = 0; i < p->count; i++)
		touched |= p->steps[i].change | p->steps[i].side;
	return touched;
}

static setting_set at_risk(const struct plan *p)
{
	setting_set risk = 0;

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

/* Returns the settings that steps change as a side effect. */
static setting_set side_effects(const struct plan *p)
{
	setting_set side = 0;

	for (size_t i = 0; i < p->count; i++)
		side |= p->steps[i].side;
	return side;
}

/* A plan under construction. */
struct plan_builder {
	struct plan *p;
	struct features all;
	const struct port *port;
};

/* Returns the settings that the steps so far write. */
static setting_set written(const struct plan *p)
{
	setting_set all = 0;

	for (size_t i = 0; i < p->count; i++)
		all |= p->steps[i].change;
	return all;
}

static void add_step(const struct plan_builder *d, const struct feature *f,
		     const struct config *then)
{
	struct plan *p = d->p;
	const struct config *now = plan_end(p);
	struct step s = { .feature = f,
			  .change = config_diff(then, now) & f->owns,
			  .after = *then };

	if (!s.change || !f->write)
		return;
	if (f->side_effects)
		f->side_effects(d->port, now, then, &s.after);
	if (f->unsettles)
		s.after.has &= ~(f->unsettles(d->port) & p->desired.has & ~written(p));
	s.side = (config_diff(&s.after, now) | (now->has & ~s.after.has)) & ~s.change;
	s.risk = f->risks ? f->risks(now, then) & now->has : 0;
	s.disrupts = f->disrupts ? f->disrupts(d->port, now, then) : DISRUPTS_NONE;
	s.irreversible = f->irreversible ? f->irreversible(d->port, now, then) : NULL;
	assert(p->count < PLAN_MAX);
	p->steps[p->count++] = s;
}

/* Returns the current configuration with the desired settings of this feature. */
static struct config with(const struct config *now, const struct feature *f,
			  const struct config *desired)
{
	struct config part = *desired;

	part.has &= f->owns;
	return config_overlay(now, &part);
}

static void plan_backward(const struct plan_builder *d, const struct feature *f)
{
	const struct plan *p = d->p;
	struct config goal = config_overlay(plan_end(p), &p->desired), mid = *plan_end(p);

	if (f->intermediate && (config_diff(&goal, &mid) & f->owns) &&
	    f->intermediate(plan_end(p), &goal, &mid))
		add_step(d, f, &mid);
}

/* True if a later step would undo this feature's settings again. */
static bool is_undone_later(const struct plan_builder *d, size_t i)
{
	const struct plan *p = d->p;
	const struct config *now = plan_end(p);
	struct config trial = with(now, d->all.list[i], &p->desired);

	for (size_t j = i + 1; j < d->all.count; j++) {
		const struct feature *later = d->all.list[j];
		struct config then = with(now, later, &p->desired);

		if (later->side_effects && (config_diff(&then, now) & later->owns))
			later->side_effects(d->port, now, &then, &trial);
	}
	return (config_diff(&p->desired, &trial) & d->all.list[i]->owns) != 0;
}

static void plan_forward(const struct plan_builder *d, size_t i)
{
	const struct feature *f = d->all.list[i];
	struct config then = with(plan_end(d->p), f, &d->p->desired);

	if (!is_undone_later(d, i))
		add_step(d, f, &then);
}

/* Takes the steps: back to an intermediate configuration where needed, then two passes forward. */
static void add_all_steps(const struct plan_builder *d)
{
	for (size_t i = d->all.count; i-- > 0;)
		plan_backward(d, d->all.list[i]);
	for (int sweep = 0; sweep < 2; sweep++)
		for (size_t i = 0; i < d->all.count; i++)
			plan_forward(d, i);
}

/* Returns the named settings, exactly as they must be read back. */
static struct config exactly(const struct config *c, setting_set which)
{
	struct config part = *c;

	part.has &= which;
	part.exact = part.has;
	return part;
}

/*
 * Precedence: the policy's settings, then announced side effects, then the previous values. A
 * setting whose value a step leaves unknown is not verified.
 */
static struct config proof_of(const struct plan *p)
{
	struct config risked = exactly(&p->before, at_risk(p) & plan_end(p)->has), proof;
	struct config announced = exactly(plan_end(p), side_effects(p));

	proof = config_overlay(&risked, &announced);
	return config_overlay(&proof, &p->desired);
}

/* Returns the settings of programs that are given a copy of what the steps touch. */
static setting_set copies(const struct plan *p, struct features all)
{
	setting_set touched = plan_touched(p), set = 0;

	for (size_t i = 0; i < all.count; i++) {
		const struct feature *f = all.list[i];

		if (f->has_copy && (f->rests_on & touched) && f->has_copy(&p->before))
			set |= f->owns;
	}
	return set;
}

/* Drops unchanged VLAN devices, which may be gone by the time of a rollback. */
static void keep_changed_devices(struct plan *p)
{
	struct config end = *plan_end(p);

	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (settings[i].type == T_VLANMAP && (p->back.has & SETTING(i)))
			setting_drop_equal(&settings[i], &p->back, &end);
}

void plan_make(struct plan *p, struct features all, const struct port *port,
	       const struct config *desired, const struct config *actual)
{
	struct plan_builder d;

	*p = (struct plan){ .before = *actual, .desired = *desired };
	d = (struct plan_builder){ p, all, port };
	p->desired.has &= SETUP_SETTINGS & ~features_only_verified(all);
	add_all_steps(&d);
	p->proof = proof_of(p);
	p->back = exactly(&p->before, plan_touched(p) | at_risk(p) | copies(p, all));
	keep_changed_devices(p);
}

void plan_roll_back_also(struct plan *p, setting_set also)
{
	struct config more = exactly(&p->before, also);

	p->back = config_overlay(&more, &p->back);
}

setting_set plan_unreachable(struct features all, const struct config *actual,
			     const struct config *back, setting_set keep)
{
	setting_set set = 0;

	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->unreachable)
			set |= all.list[i]->unreachable(actual, back, keep);
	return set;
}
