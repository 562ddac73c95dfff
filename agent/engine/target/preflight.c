#include "preflight.h"

#include <stdio.h>
#include <string.h>

#include "../../../policy/lint/finding.h"
#include "../../../policy/model/firmware_parameter.h"
#include "../../../policy/model/setting.h"
#include "../../../policy/util/fix_text.h"

/* Writes the value as commands take it: `on` is true for devlink. */
static const char *command_value(const struct difference *d, char buf[SETTING_TEXT_MAX])
{
	const struct setting *k = &settings[d->setting];

	if (k->type == T_PARAMETERS)
		return parameters_to_set(k, d->desired, d->actual, buf);
	if (k->type != T_BOOL)
		return setting_text(k, d->desired, buf);
	return setting_element(k, d->desired, 0) ? "true" : "false";
}

static const char *hint_of(const struct feature *f, const struct difference *d)
{
	const char *hint = f->hint ? f->hint(d->desired, d->actual) : NULL;

	return hint ? hint : f->readonly_hint;
}

const char *readonly_fix(const struct feature *f, const struct port *port,
			 const struct difference *d, char buf[READONLY_FIX_MAX])
{
	char value[SETTING_TEXT_MAX], name[SHELL_NAME_MAX];
	const struct fix_word words[] = { { "PORT", shell_word(port->id.name, name, sizeof(name)) },
					  { "ADDRESS", port->id.pci },
					  { "VALUE", command_value(d, value) } };

	return fix_text(hint_of(f, d), words, sizeof(words) / sizeof(words[0]), buf,
			READONLY_FIX_MAX);
}

const char *target_readonly_fix(const struct target *t, const struct feature *f, unsigned setting,
				char buf[READONLY_FIX_MAX])
{
	const char *owner = target_owner(t, setting);

	if (!owner)
		return readonly_fix(f, &t->task.port,
				    &(struct difference){ setting, &t->task.desired,
							  &t->seen.actual },
				    buf);
	snprintf(buf, READONLY_FIX_MAX,
		 "%s owns it: change it there, or remove the setting from the policy", owner);
	return buf;
}

/* True for a policy's target only: a rollback may restore members that differed before. */
static bool is_desired(const struct target *t)
{
	return t->rule && !t->task.left_behind;
}

/*
 * Returns the settings that `a` shall have and `b` shall not. A member that neither has a setting
 * nor shall have it is no contradiction: congestion control of a LAG belongs to one of its ports.
 */
static setting_set missed_by(const struct target *a, const struct target *b)
{
	return config_diff(&a->task.desired, &b->task.desired) &
	       (b->task.desired.has | b->seen.actual.has);
}

static setting_set apart(const struct target *a, const struct target *b)
{
	return (missed_by(a, b) | missed_by(b, a)) & ~(a->skipped | b->skipped);
}

static bool share_a_bond(const struct port *a, const struct port *b)
{
	return a->id.bond[0] && strcmp(a->id.bond, b->id.bond) == 0;
}

static void refuse(struct target *t, const struct target *other, setting_set off)
{
	char why[256];

	snprintf(why, sizeof(why),
		 "the members of %s need the same value, and the policy asks for another one on %s",
		 t->task.port.id.bond, other->task.port.id.name);
	target_refuse(t, settings[__builtin_ctzll(off)].path, why,
		      "give all members of the bond one rule: a match by the bond's name selects "
		      "them all");
}

void bonds_check(struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t j = i + 1; j < all->count; j++) {
			struct target *a = &all->list[i], *b = &all->list[j];
			setting_set off = apart(a, b);

			if (!off || !is_desired(a) || !is_desired(b) ||
			    !share_a_bond(&a->task.port, &b->task.port))
				continue;
			refuse(a, b, off);
			refuse(b, a, off);
		}
}

/* The side that controls PFC and ETS, if it is not this host. */
static const struct controller {
	const char *why, *fix;
} controllers[] = {
	[DCBX_FIRMWARE] = { "the adapter's firmware controls DCB on this port",
			    "set dcbx.mode to host to take control, or configure the switch and "
			    "run `losslessctl verify`" },
	[DCBX_HOST] = { NULL, NULL },
	[DCBX_SWITCH] = { "the switch controls DCB on this port",
			  "configure the switch's port (`losslessctl peer` names it), or set "
			  "dcbx.mode to host" },
};

/* Refuses desired settings that cannot be read: they could be neither verified nor rolled back. */
static void judge_abilities(struct target *t)
{
	setting_set lacking = t->task.desired.has & SETUP_SETTINGS & ~t->task.verified_only &
			      ~t->seen.actual.has & ~t->seen.missing;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const struct reason *r = observation_reason(&t->seen, i);

		if ((lacking & SETTING(i)) && r)
			target_refuse(
				t, settings[i].path, r->text,
				r->kind == ERR_UNSUPPORTED
					? "list the setting under \"optional\" if ports may lack it"
					: r->fix);
	}
}

/* Refuses steps beyond the port's limits. */
static void judge_steps(struct target *t)
{
	const struct plan *p = &t->task.plan;

	for (size_t i = 0; i < p->count; i++) {
		const struct step *s = &p->steps[i];
		struct err err = { 0 };

		if (s->feature->accepts && !s->feature->accepts(&t->task.port, &t->capabilities,
								plan_before(p, i), &s->after, &err))
			target_refuse(t, setting_first(s->change), err.text, err.fix);
	}
}

/* Returns the settings that the last step on `of` was to change, except for these. */
static setting_set written_last(const struct plan *p, setting_set of)
{
	for (size_t i = p->count; i-- > 0;)
		if ((p->steps[i].change | p->steps[i].side) & of)
			return p->steps[i].change & ~of;
	return 0;
}

/* Refuses a policy of which one write undoes another. */
static void judge_contradictions(struct target *t)
{
	const struct plan *p = &t->task.plan;
	setting_set off = config_diff(&p->desired, plan_end(p)) & t->seen.actual.has;
	char undone[SETTING_NAMES_MAX], by[SETTING_NAMES_MAX];
	char why[LINT_TEXT_MAX], fix[LINT_TEXT_MAX];

	if (!off)
		return;
	setting_names(off, undone);
	setting_names(written_last(p, off), by);
	snprintf(why, sizeof(why),
		 "writing %s changes it: the driver cannot write both values of the policy", by);
	snprintf(fix, sizeof(fix), "remove %s or %s from the policy", undone, by);
	target_refuse(t, setting_first(off), why, fix);
}

static void warn_of_difference(const struct engine *e, const struct target *t, unsigned setting,
			       const char *fix)
{
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];
	const struct setting *k = &settings[setting];

	setting_change_text(k, &t->task.desired, &t->seen.actual, desired, actual);
	engine_warn(e, "%s: %s is %s, expected %s: %s", t->task.port.id.name, k->path, actual,
		    desired, fix);
}

static setting_set differing(const struct target *t)
{
	return config_diff(&t->task.desired, &t->seen.actual) & t->seen.actual.has;
}

/* Returns the settings that differ and that no run writes, without advice. */
static setting_set differ_read_only(const struct engine *e, const struct target *t)
{
	setting_set off = differing(t);

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const struct feature *f = observation_feature(&t->seen, e->backends->features, i);

		if ((off & SETTING(i)) && ((f->write && !target_owner(t, i)) || f->is_advice))
			off &= ~SETTING(i);
	}
	return off;
}

/*
 * Refuses to write until read-only settings are in sync; advice, the link and the firmware block
 * nothing.
 */
static void judge_verified_only(const struct engine *e, struct target *t)
{
	setting_set off = differ_read_only(e, t);
	char fix[READONLY_FIX_MAX];

	t->unwritable_differs = differing(t) & (UNWRITABLE_SETTINGS | t->task.verified_only);
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const struct feature *f = observation_feature(&t->seen, e->backends->features, i);

		if (!(off & SETTING(i)))
			continue;
		target_readonly_fix(t, f, i, fix);
		if (t->unwritable_differs & SETTING(i))
			warn_of_difference(e, t, i, fix);
		else
			target_refuse(
				t, settings[i].path,
				"it differs from the policy, and losslessctl only verifies it",
				fix);
	}
}

/*
 * Returns the settings that the firmware derives anew from what the plan writes: only a read shows
 * them.
 */
static setting_set unforeseen(const struct target *t)
{
	struct features all = observation_features(&t->seen);
	setting_set touched = plan_touched(&t->task.plan), set = 0;
	setting_set written = t->task.desired.has | touched;

	for (size_t i = 0; i < all.count; i++)
		if ((all.list[i]->follows & touched) && !(all.list[i]->owns & written))
			set |= all.list[i]->owns;
	return set;
}

struct config preflight_setup(const struct target *t)
{
	struct config end = *plan_end(&t->task.plan);

	end.has &= ~unforeseen(t);
	return config_overlay(&end, &t->unforeseen);
}

static lint_set findings_after(const struct target *t)
{
	struct config end = preflight_setup(t);
	struct lint_input in = { &end, t->task.desired.has | plan_touched(&t->task.plan),
				 &t->capabilities, t->severities };

	return findings_of(&in, 0);
}

/* Warns if one of `read` cannot be read; true then. */
static bool warn_of_unread(const struct engine *e, const struct target *t, setting_set read,
			   const struct observation *seen, const struct err *err)
{
	setting_set unread = err->kind ? read : seen->unknown & read;
	const struct reason *r;

	if (!unread)
		return false;
	r = err->kind ? NULL : observation_reason(seen, (unsigned)__builtin_ctzll(unread));
	engine_warn(e,
		    "%s: applied and verified; whether %s brings new findings is unknown: %s; run "
		    "`losslessctl verify` to look again",
		    t->task.port.id.name, setting_first(unread), r ? r->text : err->text);
	return true;
}

void preflight_look_again(const struct engine *e, struct target *t)
{
	setting_set read = unforeseen(t);
	lint_set before = findings_after(t);
	struct observation seen;
	struct err err = { 0 };

	t->lints = 0;
	if (!read)
		return;
	(void)!observe(e->h, e->backends->features, &t->task.port, &seen, &err);
	if (warn_of_unread(e, t, read, &seen, &err))
		return;
	t->unforeseen = seen.actual;
	t->unforeseen.has &= read;
	t->lints = findings_after(t) & ~before;
}

/* Refuses changes that fail a lint; existing violations do not block changes of other settings. */
static void run_lints(struct target *t)
{
	struct config end = preflight_setup(t);
	setting_set touched = plan_touched(&t->task.plan);
	char text[LINT_TEXT_MAX];

	t->lints = findings_after(t);
	for (size_t i = 0; i < LINTS_MAX; i++) {
		const struct lint *r = t->lints & LINT(i) ? lint_at(i) : NULL;

		if (!r || severity_of_lint(t->severities, i) != SEVERITY_CRITICAL ||
		    !(lint_reads(r) & touched))
			continue;
		lint_message(r, &end, &t->capabilities, text);
		target_refuse_by_lint(t, setting_first(lint_reads(r) & touched), text, r);
		t->lints &= ~LINT(i);
	}
}

/* Returns the settings that a guard objects to: those of the first step that disrupts enough. */
static setting_set objected(const struct plan *p, const struct guard *g)
{
	for (size_t i = 0; i < p->count; i++) {
		setting_set touched = p->steps[i].change & g->over;

		if (touched && p->steps[i].disrupts >= g->from)
			return touched;
	}
	return 0;
}

/* Refuses to write settings that another program may overwrite at any time. */
static void judge_owner(const struct engine *e, struct target *t)
{
	const struct plan *p = &t->task.plan;

	for (size_t i = 0; i < p->count; i++) {
		setting_set against = p->steps[i].change & SET_BY_DCBX;
		const struct config *now = plan_before(p, i);
		const struct controller *d = &controllers[now->dcbx.mode];

		if (!against || !(now->has & SETTING(SETTING_DCBX_MODE)) || !d->why ||
		    p->before.dcbx.mode != now->dcbx.mode ||
		    (now->dcbx.mode == DCBX_SWITCH &&
		     (t->task.desired.has & SETTING(SETTING_DCBX_MODE)) &&
		     (!e->h ||
		      !e->backends->switch_differs(e->h, &t->task.port, &t->task.desired))))
			continue;
		target_refuse(t, setting_first(against), d->why, d->fix);
		return;
	}
}

/* Returns the settings of the plan that this guard is asked about. */
static setting_set asked(const struct engine *e, const struct target *t, const struct guard *g)
{
	if ((!e->h && !g->is_standing && !g->lacks) || (g->overridden_by & e->overrides) ||
	    (g->waived && g->waived(&t->task.desired)))
		return 0;
	return objected(&t->task.plan, g);
}

void preflight_look(const struct engine *e, struct target *t)
{
	for (size_t i = 0; i < e->backends->guards.count; i++) {
		const struct guard *g = e->backends->guards.list[i];

		if (g->look && asked(e, t, g))
			g->look(e->h, &t->task.port, &t->look);
	}
}

static bool objects(const struct engine *e, const struct target *t, const struct guard *g,
		    char why[GUARD_WHY_MAX])
{
	if (g->lacks)
		return g->lacks(&t->capabilities, why);
	if (g->look)
		return g->objects_since(e->h, &t->task.port, &t->look, why);
	return g->objects(e->h, &t->task.port, why);
}

/*
 * A guard refuses a change. It never stops the way back, as the port would then keep settings that
 * nobody wants: a rollback warns.
 */
static void judge_guards(const struct engine *e, struct target *t)
{
	t->note[0] = '\0';
	for (size_t i = 0; i < e->backends->guards.count; i++) {
		const struct guard *g = e->backends->guards.list[i];
		setting_set against = asked(e, t, g);
		char why[GUARD_WHY_MAX] = "";

		if (!against)
			continue;
		if (!objects(e, t, g, why)) {
			if (why[0])
				snprintf(t->note, sizeof(t->note), "%s", why);
			continue;
		}
		if (t->rule)
			target_refuse(t, setting_first(against), why, g->fix);
		else
			engine_warn(e, "%s: %s; it is rolled back nevertheless",
				    t->task.port.id.name, why);
	}
	t->look.taken = false;
}

static void judge_flaps(const struct engine *e, struct target *t)
{
	for (size_t i = 0; e->no_link_flap && i < t->task.plan.count; i++) {
		const struct step *s = &t->task.plan.steps[i];

		if (s->disrupts == DISRUPTS_LINK)
			target_refuse(t, setting_first(s->change),
				      "changing it flaps the link, and --no-link-flap forbids that",
				      "run again without --no-link-flap when the link may flap");
	}
}

/* Asks what refuses an apply. The way back writes whatever can be written. */
static void judge_apply(const struct engine *e, struct target *t)
{
	judge_abilities(t);
	judge_steps(t);
	judge_contradictions(t);
	judge_verified_only(e, t);
	run_lints(t);
	judge_owner(e, t);
}

void preflight(const struct engine *e, struct target *t)
{
	if (t->rule)
		judge_apply(e, t);
	judge_guards(e, t);
	judge_flaps(e, t);
	if (!t->task.port.carrier && plan_disrupts(&t->task.plan) == DISRUPTS_LINK)
		engine_warn(e,
			    "%s has no link: the driver computes headroom for 40 Gb/s until PFC is "
			    "written again with the link up, as the agent does with "
			    "\"refresh_headroom\": true",
			    t->task.port.id.name);
}

/*
 * Marks of packets, which fit what sorts them in no register: the lints that read them are about a
 * policy. One member of a LAG has no ToS to read.
 */
#define MARKS (SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_VLAN_EGRESS))

setting_set preflight_unrestorable(const struct target *t)
{
	setting_set unread = t->task.left_out & ~t->seen.actual.has, touched, set;
	const struct lint *r;

	set = t->task.desired.has & SETUP_SETTINGS &
	      features_only_verified(observation_features(&t->seen));
	touched = plan_touched(&t->task.plan);
	for (size_t i = 0; unread && (r = lint_at(i)); i++)
		if (r->severity == SEVERITY_CRITICAL && (lint_reads(r) & unread) &&
		    !(lint_reads(r) & MARKS))
			set |= lint_reads(r) & touched;
	return set;
}
