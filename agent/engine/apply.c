#include "apply.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "link_wait.h"

#define SETTLE_TRIES 5
#define SETTLE_MS    200
#define UNDO_ROUNDS  3
#define NAMED_MAX    4
#define NAMES_MAX    160

/* Names the first few settings, for a message; reports list them all. */
static void name_settings(setting_set set, char buf[NAMES_MAX])
{
	int named = 0, more = __builtin_popcountll(set) - NAMED_MAX;

	buf[0] = '\0';
	for (size_t i = 0; i < SETTING_COUNT && named < NAMED_MAX; i++)
		if (set & SETTING(i))
			snprintf(buf + strlen(buf), NAMES_MAX - strlen(buf), "%s%s",
				 named++ ? ", " : "", settings[i].path);
	if (more > 0)
		snprintf(buf + strlen(buf), NAMES_MAX - strlen(buf), " and %d more", more);
}

bool verify_applied(struct host *h, struct features all, const struct port *port,
		    const struct config *desired, setting_set *ret_off, struct err *err)
{
	struct observation seen;
	char names[NAMES_MAX];
	setting_set off = 0;

	for (int try = 0; try < SETTLE_TRIES; try++) {
		if (try)
			h->sleep_ms(h, SETTLE_MS);
		if (!observe(h, all, port, &seen, err))
			return false;
		off = config_diff(desired, &seen.actual);
		if (!off)
			return true;
	}
	if (ret_off)
		*ret_off = off;
	name_settings(off, names);
	err_record(err, ERR_VERIFY, EIO, "accepted by the kernel but not in effect: %s", names);
	return err_at(err, false, "%s: reading back", port->id.name);
}

/* The transaction of one port. */
struct job {
	struct host *h;
	struct features all;
	struct port port; /* under its current name */
	const struct plan *plan;
	bool had_carrier;   /* if set, the link must be back afterwards */
	setting_set unseen; /* reset to 0 by a failed write, and read otherwise */
	setting_set stuck;  /* those of `unseen` that no write restores until the driver restarts */
	setting_set written; /* touched by write requests, successful or not */
	struct result *ret;
};

static bool reapply(const struct job *j, const struct step *s, const struct carrier *before,
		    struct err *err)
{
	if (s->disrupts < DISRUPTS_LINK || !j->had_carrier)
		return true;
	return carrier_wait(j->h, &j->port, before, err) &&
	       (!s->feature->reapply || s->feature->reapply(j->h, &j->port, &s->after, err));
}

/*
 * Checks that a write reached this port, whose name may have moved meanwhile. If no port has the
 * old name now, none had it during the write: the write reached this port or none.
 */
static bool landed(const struct job *j, bool ok, struct err *err)
{
	_link_list_ struct link_list links = { NULL, 0 };
	struct err moved = { 0 }, quiet = { 0 };
	const char *name = j->port.id.name;
	struct link now;

	if (host_link(j->h, &j->port, &now, &moved))
		return ok;
	if (moved.code == ESTALE &&
	    (!j->h->links(j->h, &links, &quiet) || link_by_name(&links, name)))
		snprintf(j->ret->misdirected, sizeof(j->ret->misdirected), "%.15s", name);
	if (ok || moved.code == ESTALE)
		*err = moved; /* the cause of any other error */
	return false;
}

static bool run_step(struct job *j, const struct config *from, const struct step *s,
		     struct err *err)
{
	const char *name = j->port.id.name, *feature = s->feature->name;
	bool flaps = s->disrupts == DISRUPTS_LINK && j->had_carrier;
	uint64_t changes = j->h->changes;
	struct carrier before;
	bool ok;

	if (!carrier_look(j->h, &j->port, &before, err))
		return false;
	host_report(j->h, flaps ? PROGRESS_WAIT : PROGRESS_STEP, name, "writing %s%s", feature,
		    flaps ? " (the link goes down for a moment)" : "");
	ok = err_at(err, s->feature->write(j->h, &j->port, from, &s->after, err), "%s: writing %s",
		    name, feature) &&
	     err_at(err, reapply(j, s, &before, err), "%s: after writing %s", name, feature);
	j->unseen |= err->unseen;
	j->stuck |= err->stuck;
	if (ok)
		j->unseen &= ~s->change | j->stuck;
	j->written |= j->h->changes != changes ? s->change | s->side | s->risk : 0;
	return err_at(err, landed(j, ok, err), "%s: writing %s", name, feature);
}

/* Restore under the port's current name. */
static void follow(struct job *j)
{
	struct link now;
	struct err quiet = { 0 };

	if (j->h->link(j->h, j->port.ifindex, &now, &quiet))
		snprintf(j->port.id.name, sizeof(j->port.id.name), "%s", now.name);
}

/* Recompute settings that depend on those that the plan touched. */
static bool reapply_rest(struct job *j, const struct plan *p, struct err *err)
{
	const struct config *end = plan_end(p);
	setting_set touched = plan_touched(p);
	const char *name = j->port.id.name;

	for (size_t i = 0; i < j->all.count; i++) {
		const struct feature *f = j->all.list[i];

		if (!(f->rests_on & touched) || !(f->owns & end->has))
			continue;
		j->written |= f->owns;
		if (!err_at(err, landed(j, f->reapply(j->h, &j->port, end, err), err),
			    "%s: settling %s", name, f->name))
			return false;
	}
	return true;
}

/* Returns the settings that neither this run nor an interrupted one changed. */
static setting_set untouched(const struct job *j)
{
	return ~(j->written | config_diff(&j->plan->back, &j->plan->before));
}

/* Returns the actual settings with the lost ones as 0, their real value. */
static struct config with_fallen(const struct config *actual, setting_set fell)
{
	return config_overlay(actual, &(struct config){ .has = fell & actual->has });
}

/*
 * Returns the settings that are not restored, by the values read and by the known losses of failed
 * writes. Counts a setting that was never written and cannot be read as restored.
 */
static setting_set still_off(struct job *j, const struct config *actual)
{
	setting_set unread = ~actual->has;

	j->ret->now = with_fallen(actual, j->unseen);
	j->ret->unseen = config_diff(actual, &j->ret->now);
	return config_diff(&j->plan->back, &j->ret->now) & ~(unread & untouched(j));
}

/*
 * Tries once to roll back: makes a new plan from the current state. An unreadable setting cannot be
 * planned; the next attempt may read it, and the last attempt restores the rest. Returns the
 * settings that still differ.
 */
static setting_set go_back(struct job *j, bool last, struct err *err)
{
	struct config back = j->plan->back, actual;
	struct observation seen;
	struct plan p;
	bool ok = true;

	if (!observe(j->h, j->all, &j->port, &seen, err) ||
	    (!last && (back.has & ~seen.actual.has)))
		return back.has;
	back.has &= seen.actual.has;
	actual = with_fallen(&seen.actual, j->unseen & ~j->stuck);
	plan_make(&p, observation_features(&seen), &j->port, &back, &actual);
	for (size_t i = 0; ok && i < p.count; i++)
		ok = run_step(j, plan_before(&p, i), &p.steps[i], err);
	if (ok && !reapply_rest(j, &p, err))
		host_report(j->h, PROGRESS_WAIT, j->port.id.name, "%s", err->text);
	if (!observe(j->h, j->all, &j->port, &seen, err))
		return j->plan->back.has;
	return still_off(j, &seen.actual);
}

/* Turns the recorded error into ERR_ROLLBACK_FAILED and keeps its cause. */
static void name_stranding(const struct job *j)
{
	struct err *err = &j->ret->err;
	const char *port = j->port.id.name;
	char names[NAMES_MAX];

	name_settings(j->ret->stranded, names);
	err->kind = ERR_ROLLBACK_FAILED;
	err->fix[0] = '\0';
	if (j->ret->stranded)
		err_fix(err, "not put back: %s; look with `losslessctl show %s`", names, port);
	else if (j->ret->no_carrier)
		err_fix(err, "the settings are back, but the link of %s is not", port);
	else
		err_fix(err,
			"the settings are back, but another port is called %s now, and may have "
			"been written to: look with `losslessctl show %s`",
			j->ret->misdirected, j->ret->misdirected);
}

static void undo(struct job *j)
{
	struct result *ret = j->ret;
	setting_set left = j->plan->back.has;
	struct err quiet = { 0 };
	unsigned *tries = &ret->rollback_tries;

	follow(j);
	host_report(j->h, PROGRESS_WAIT, j->port.id.name, "putting it back");
	for (*tries = 0; left && *tries < UNDO_ROUNDS; ++*tries) {
		if (*tries)
			j->h->sleep_ms(j->h, SETTLE_MS);
		follow(j);
		ret->rollback_err = (struct err){ 0 };
		left = go_back(j, *tries == UNDO_ROUNDS - 1, &ret->rollback_err);
	}
	ret->no_carrier = j->had_carrier && !carrier_wait(j->h, &j->port, NULL, &quiet);
	ret->stranded = left;
	ret->lost = (struct lost_settings){ ret->unseen | j->stuck, j->stuck };
	ret->unseen &= left;
	ret->stuck = ret->unseen & j->stuck;
	ret->outcome = left || ret->no_carrier || ret->misdirected[0] ? OUTCOME_STRANDED
								      : OUTCOME_ROLLED_BACK;
	if (ret->outcome == OUTCOME_STRANDED)
		name_stranding(j);
}

static bool interrupted(const struct job *j)
{
	int signal = j->h->interrupted(j->h);

	if (!signal)
		return false;
	err_record(&j->ret->err, ERR_INTERRUPTED, signal, "interrupted (%s)", strsignal(signal));
	err_at(&j->ret->err, false, "%s", j->port.id.name);
	return true;
}

/* Fails if a lost setting must be in effect: it may read as desired nevertheless. */
static bool nothing_is_lost(const struct job *j)
{
	struct config now = with_fallen(&j->plan->proof, j->unseen);
	setting_set lost = config_diff(&j->plan->proof, &now);
	char names[NAMES_MAX];

	if (!lost)
		return true;
	name_settings(lost, names);
	err_record(&j->ret->err, ERR_VERIFY, EIO,
		   "an earlier run lost it in the adapter, and no reading shows that: %s", names);
	if (lost & j->stuck)
		err_fix(&j->ret->err,
			"it is back once the driver starts again: `devlink dev reload pci/%s`",
			j->port.id.pci);
	return err_at(&j->ret->err, false, "%s", j->port.id.name);
}

static bool run_steps(struct job *j)
{
	const struct plan *p = j->plan;
	struct result *ret = j->ret;

	for (; ret->steps < p->count; ret->steps++) {
		if (interrupted(j))
			return false;
		ret->step_failed =
			!run_step(j, plan_before(p, ret->steps), &p->steps[ret->steps], &ret->err);
		if (ret->step_failed)
			return false;
	}
	return reapply_rest(j, p, &ret->err) &&
	       verify_applied(j->h, j->all, &j->port, &p->proof, &ret->ineffective, &ret->err) &&
	       nothing_is_lost(j);
}

bool plan_apply(struct host *h, struct features all, const struct port *port, const struct plan *p,
		struct result *ret)
{
	struct job j = { h,	    all, *port, p, .unseen = p->lost.unseen, .stuck = p->lost.stuck,
			 .ret = ret };
	struct carrier start;

	*ret = (struct result){ .outcome = p->count ? OUTCOME_APPLIED : OUTCOME_UNCHANGED,
				.lost = p->lost };
	if (!carrier_look(h, port, &start, &ret->err)) {
		ret->outcome = OUTCOME_NOT_REACHED;
		return false;
	}
	j.had_carrier = start.there;
	if (!run_steps(&j)) {
		undo(&j);
		return false;
	}
	ret->lost = (struct lost_settings){ j.stuck, j.stuck };
	return true;
}

void plan_undo(struct host *h, struct features all, const struct port *port, const struct plan *p,
	       struct result *ret)
{
	struct job j = { h, all, *port, p, .had_carrier = port->carrier, .ret = ret };

	err_record(&ret->err, ERR_SYSTEM, ESTALE, "what was meant for another port may be here");
	undo(&j);
}
