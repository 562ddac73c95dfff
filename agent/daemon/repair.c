#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../engine/journal/last_run.h"
#include "../engine/journal/lock.h"
#include "../engine/target/preflight.h"
#include "../engine/write/run.h"
#include "../host/log.h"
#include "agent.h"
#include "history.h"

/* Pause link flaps after a failed one: the same fault may take all links down. */
#define FLAPS_AGAIN_MS (10 * 60 * 1000u)

struct failure {
	enum log_event event;
	setting_set which;   /* these are not repaired */
	const char *setting; /* the one to name */
	const char *why;
};

/* Logs once why, and when the next try is. */
static void log_failure(struct agent *a, struct monitored_port *mp, const struct failure *f)
{
	if (strcmp(mp->last_error, f->why) == 0)
		return;
	snprintf(mp->last_error, sizeof(mp->last_error), "%s", f->why);
	log_event(&a->log, f->event, monitored_port_topic(mp, f->setting),
		  "%s is not repaired: %s; the next try is in %u min", f->setting, f->why,
		  drift_next_min(&mp->drift, f->which, a->engine.h->now_ms(a->engine.h)));
}

/* Nothing was written. */
static void cannot(struct agent *a, struct monitored_port *mp, setting_set which,
		   const char *setting, const char *why)
{
	drift_failed(&mp->drift, which, a->engine.h->now_ms(a->engine.h));
	log_failure(a, mp, &(struct failure){ LOG_REPAIR_REFUSED, which, setting, why });
}

/* Logs the repair of all that a restart of the driver reset, in one line, like the restart. */
static void log_repaired_together(struct agent *a, const struct monitored_port *mp,
				  setting_set which)
{
	struct topic about = monitored_port_topic(mp, NULL);
	char names[SETTING_NAMES_MAX];

	about.settings = which;
	setting_names(which, names);
	log_event(&a->log, LOG_DRIFT_REPAIRED, about,
		  "%d settings are in sync again: %s: repaired and verified",
		  __builtin_popcountll(which), names);
}

static void log_repaired(struct agent *a, struct monitored_port *mp, const struct config *was,
			 setting_set which)
{
	struct drift_record r = {
		.event = HISTORY_REPAIRED, .from = *was, .to = mp->desired, .writer = "losslessctl"
	};
	bool together = (mp->clues & CLUE_DRIVER) && __builtin_popcountll(which) > 1;

	if (together)
		log_repaired_together(a, mp, which);
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		struct topic about = monitored_port_topic(mp, settings[k].path);
		char text[SETTING_TEXT_MAX];

		if (!(which & SETTING(k)))
			continue;
		r.setting = k;
		agent_record(a, mp, &r);
		about.drift = &r;
		if (!together)
			log_event(&a->log, LOG_DRIFT_REPAIRED, about,
				  "%s is %s again: repaired and verified", settings[k].path,
				  setting_text(&settings[k], &mp->desired, text));
		mp->repairs++;
	}
	mp->last_error[0] = '\0';
}

/* Returns the settings whose steps take the link down; all of them if the plan does not know. */
static setting_set that_flap(const struct plan *p, setting_set which)
{
	setting_set flap = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].disrupts == DISRUPTS_LINK)
			flap |= p->steps[i].change;
	return flap & which ? flap & which : which;
}

/* Returns why this port's link must not flap now; NULL: it may. */
static const char *flap_forbidden(struct agent *a, const struct monitored_port *mp)
{
	if (!a->policy->enforce.allow_link_flap)
		return "the repair flaps the link, and the policy does not set \"enforce\": "
		       "{\"allow_link_flap\": true}";
	if (a->engine.h->now_ms(a->engine.h) < a->flaps_again_ms)
		return "deferred: the repair flaps the link, and a repair that flapped a link "
		       "failed recently";
	if (monitored_port_down(&a->monitored_ports, mp))
		return "deferred: the repair flaps the link, and another bond member is down";
	return NULL;
}

/*
 * Plans these settings for a->target, just observed. False, and logged, if `apply` would refuse.
 * The settings that an interrupted run changed get the values of the policy. Otherwise the repair
 * would roll them back first, such as to a port that follows the switch.
 */
static bool plan_settings(struct agent *a, struct monitored_port *mp, struct run *r,
			  setting_set which)
{
	struct target *t = a->target;
	const struct journal_entry *left = journal_find(&r->pending, &mp->port);

	t->task.desired.has &= which | (left ? left->back.has : 0);
	run_plan(r, &t->task, &t->seen);
	t->refusals_count = 0;
	preflight(&a->engine, t);
	if (t->refusals_count)
		cannot(a, mp, which, t->refusals[0].setting, t->refusals[0].why);
	return !t->refusals_count;
}

/* Plans the repair, without what flaps the link if it must not. Returns the planned settings. */
static setting_set plan_repair(struct agent *a, struct monitored_port *mp, struct run *r,
			       setting_set which)
{
	const struct plan *plan = &a->target->task.plan;
	const char *no_leave = flap_forbidden(a, mp);

	if (monitored_port_unlike(&a->monitored_ports, mp)) {
		cannot(a, mp, which, setting_first(which),
		       "the policy asks for different values on the members of one bond");
		return 0;
	}
	while (which && plan_settings(a, mp, r, which)) {
		setting_set flap = that_flap(plan, which);

		if (plan_disrupts(plan) < DISRUPTS_LINK || !no_leave)
			return which;
		cannot(a, mp, flap, setting_first(flap), no_leave);
		which &= ~flap;
	}
	return 0;
}

/* True if the run came as far as a step that takes the link down. */
static bool has_flapped(const struct task *t)
{
	for (size_t i = 0; i < t->plan.count; i++)
		if (t->plan.steps[i].disrupts == DISRUPTS_LINK &&
		    step_status(&t->plan, &t->result, i) != STEP_NOT_ATTEMPTED)
			return true;
	return false;
}

/* Counts a run that failed, and logs it as the one event that its outcome is. */
static void account_failure(struct agent *a, struct monitored_port *mp, setting_set which,
			    const struct err *err)
{
	const struct task *task = &a->target->task;
	enum outcome end = task->result.outcome;
	struct failure failure = { end == OUTCOME_FAILED ? LOG_REPAIR_FAILED : LOG_REPAIR_REFUSED,
				   which, setting_first(which), err->text };

	drift_failed(&mp->drift, which, a->engine.h->now_ms(a->engine.h));
	if (has_flapped(task))
		a->flaps_again_ms = a->engine.h->now_ms(a->engine.h) + FLAPS_AGAIN_MS;
	mp->rolled_back += end == OUTCOME_FAILED;
	mp->rollback_failed += end == OUTCOME_ROLLBACK_FAILED;
	if (end == OUTCOME_ROLLBACK_FAILED)
		log_event(&a->log, LOG_REPAIR_ROLLBACK_FAILED,
			  monitored_port_topic(mp, setting_first(which)),
			  "ROLLBACK FAILED, the port is partially configured: %s; %s", err->text,
			  err->fix);
	else if (end == OUTCOME_APPLIED) /* only the journal failed, after the last change */
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL), "%s: %s",
			  err->where, err->text);
	else
		log_failure(a, mp, &failure);
}

static bool carry_out(struct agent *a, struct monitored_port *mp, struct run *r, setting_set which)
{
	struct task *task = &a->target->task;
	struct config was = mp->actual;
	struct err err = { 0 };
	char when[TIMESTAMP_MAX];

	timestamp_now(when);
	sampler_mark_inconclusive(&mp->sampler);
	if (plan_disrupts(&task->plan) == DISRUPTS_LINK) /* it may wait a minute for the link */
		agent_publish_status(a);
	if (!run_tasks(r, &task, 1, a->policy->name, when, &err)) {
		account_failure(a, mp, which, &err);
		return false;
	}
	drift_repaired(&mp->drift, which, a->engine.h->now_ms(a->engine.h));
	log_repaired(a, mp, &was, which);
	mp->differ &= ~which;
	a->status_dirty = true;
	return true;
}

bool agent_check_paused(struct agent *a, struct monitored_port *mp)
{
	struct err err = { 0 };
	bool paused = a->policy->mode == MODE_ENFORCE &&
		      !last_run_permits(&a->writer.host, a->policy, a->loaded_ms, &mp->port, &err);

	if (paused && !mp->repair_paused)
		log_event(&a->log, LOG_REPAIR_PAUSED, monitored_port_topic(mp, NULL), "%s",
			  err.text);
	a->status_dirty = a->status_dirty || paused != mp->repair_paused;
	mp->repair_paused = paused;
	return paused;
}

/* Reads again under the lock: a run may have ended since the last read. */
static bool observe_again(struct agent *a, struct monitored_port *mp)
{
	run_facts_forget(&a->engine.h->facts);
	return agent_observe(a, mp);
}

static setting_set still_differ(struct agent *a, struct monitored_port *mp, setting_set which)
{
	if (!observe_again(a, mp))
		return 0;
	return which & config_diff(&a->target->task.desired, &a->target->seen.actual);
}

/* One run of losslessctl. False if it repaired nothing that still differed. */
static bool repair(struct agent *a, struct monitored_port *mp, setting_set which)
{
	struct run r = { .h = &a->writer.host,
			 .all = a->engine.backends->features,
			 .repairing = true,
			 .user = a->engine.user,
			 .lock = -1 };
	struct err err = { 0 };
	bool ok = true;

	/* If another run holds the lock, leave it to the next check. */
	if (!run_open(&r, 0, &err)) {
		if (err.kind != ERR_LOCKED)
			cannot(a, mp, which, setting_first(which), err.text);
	} else if (!agent_check_paused(a, mp) && (which = still_differ(a, mp, which))) {
		which = plan_repair(a, mp, &r, which);
		ok = which && carry_out(a, mp, &r, which);
	}
	run_close(&r);
	return ok;
}

/* Returns the settings that an apply writes before the last of these. */
static setting_set written_before(struct features all, setting_set which)
{
	setting_set before = 0, passed = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (all.list[i]->owns & which)
			before = passed;
		passed |= all.list[i]->owns;
	}
	return before & ~which;
}

/*
 * Brings forward what an apply writes before the settings that are due: marking that is repaired
 * before PFC would send traffic through a lossless class without PFC. If that fails, it holds
 * nothing back: those that are due are repaired by themselves.
 */
void agent_repair(struct agent *a, struct monitored_port *mp)
{
	/* Only people can replace a cable, and another controller its settings. */
	setting_set may = SETUP_SETTINGS & ~congestion_verified(a->policy->congestion_control);
	setting_set differ = mp->differ & may;
	setting_set due = differ & drift_due(&mp->drift, a->engine.h->now_ms(a->engine.h));
	setting_set sooner =
		differ & ~mp->drift.contested & written_before(a->engine.backends->features, due);

	if (a->policy->mode != MODE_ENFORCE || !due)
		return;
	if (!repair(a, mp, due | sooner) && sooner)
		(void)repair(a, mp, due);
}

/* False if another program owns PFC: then do not write it. */
static bool is_ours(struct agent *a, const struct monitored_port *mp)
{
	struct owner owner;
	struct err quiet = { 0 };

	return a->engine.backends->find_owner(a->engine.h, &mp->port, &owner, &quiet) &&
	       !owner_writes(owner.who);
}

static bool send_again(struct agent *a, const struct monitored_port *mp, struct err *err)
{
	const struct observation *seen = &a->target->seen;

	for (size_t i = 0; i < seen->active_count; i++) {
		const struct feature *f = seen->active[i];

		if ((f->owns & SETTING(SETTING_PFC_PRIORITIES)) && f->reapply &&
		    !f->reapply(&a->writer.host, &mp->port, &seen->actual, err))
			return false;
	}
	return true;
}

bool agent_reapply(struct agent *a, struct monitored_port *mp)
{
	int lock = -1;
	struct err err = { 0 };

	if (!a->policy->refresh_headroom || mp->invalid ||
	    !(mp->actual.has & SETTING(SETTING_PFC_PRIORITIES)) || !mp->actual.pfc.priorities ||
	    !is_ours(a, mp))
		return true;
	/* Skip it during a run: one that changes nothing does not rewrite PFC, so retry later. */
	if (!lock_acquire(&a->writer.host, 0, &lock, &err))
		return false;
	if (!observe_again(a, mp)) { /* the mask may have changed */
		close(lock);
		return false;
	}
	if (send_again(a, mp, &err))
		log_event(&a->log, LOG_HEADROOM_REFRESHED,
			  monitored_port_topic(mp, "pfc.priorities"),
			  "link up: the agent wrote PFC again, unchanged, so that the headroom "
			  "fits the link's speed");
	else
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, "pfc.priorities"),
			  "link up: the agent cannot write PFC again to fit the headroom to the "
			  "link's speed: %s",
			  err.text);
	close(lock);
	return true;
}
