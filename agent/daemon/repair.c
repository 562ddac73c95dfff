#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../engine/journal/last_run.h"
#include "../engine/journal/lock.h"
#include "../engine/target/preflight.h"
#include "../host/sd_notify.h"
#include "../host/timestamp.h"
#include "agent.h"
#include "drift_history.h"

/* Pause link flaps after a failed one: the same fault may take all links down. */
#define FLAPS_AGAIN_MS (10 * 60 * 1000u)

/* Logs once why a setting cannot be repaired. */
static void cannot(struct agent *a, struct monitored_port *w, setting_set which,
		   const char *setting, const char *why)
{
	drift_failed(&w->drift, which, a->engine.h->now_ms(a->engine.h));
	if (strcmp(w->last_error, why) == 0)
		return;
	snprintf(w->last_error, sizeof(w->last_error), "%s", why);
	log_say(&a->log, LOG_NOT_REPAIRED, monitored_port_topic(w, setting),
		"%s is not repaired: %s", setting, why);
}

static void tell_repaired(struct agent *a, struct monitored_port *w, const struct config *was,
			  setting_set which)
{
	struct drift_record r = {
		.event = HISTORY_REPAIRED, .from = *was, .to = w->desired, .writer = "losslessctl"
	};

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		char text[SETTING_TEXT_MAX];

		if (!(which & SETTING(k)))
			continue;
		r.setting = k;
		agent_note(a, w, &r);
		log_say(&a->log, LOG_REPAIRED, monitored_port_topic(w, settings[k].path),
			"%s is %s again: written, and read back", settings[k].path,
			setting_text(&settings[k], &w->desired, text));
		w->repairs++;
	}
	w->last_error[0] = '\0';
}

/* Returns the settings whose steps take the link down; all of them if the plan does not tell. */
static setting_set that_flap(const struct plan *p, setting_set which)
{
	setting_set flap = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].disrupts == DISRUPTS_LINK)
			flap |= p->steps[i].change;
	return flap & which ? flap & which : which;
}

/* Returns why this port's link must not flap now; NULL: it may. */
static const char *no_leave_to_flap(struct agent *a, const struct monitored_port *w)
{
	if (!a->policy->enforce.link_flap)
		return "it takes the link down, and the policy does not say "
		       "\"enforce\": {\"link_flap\": true}";
	if (a->engine.h->now_ms(a->engine.h) < a->flaps_again_ms)
		return "it takes the link down, and a repair that did failed a while ago";
	if (monitored_port_down(&a->monitored_ports, w))
		return "it takes the link down, and another member of its bond has none";
	return NULL;
}

/*
 * Plans for a->target, just observed, and refuses what `apply` would refuse. If the link must not
 * flap, plans only the other settings. Returns the planned settings.
 */
static setting_set plan_repair(struct agent *a, struct monitored_port *w, struct run *r,
			       setting_set which)
{
	struct target *t = a->target;
	const char *no_leave = no_leave_to_flap(a, w);

	if (monitored_port_unlike(&a->monitored_ports, w)) {
		cannot(a, w, which, setting_first(which),
		       "the members of its bond must be alike, and the policy wants them "
		       "otherwise");
		return 0;
	}
	for (setting_set flap; which; which &= ~flap) {
		t->task.desired.has &= which;
		run_plan(r, &t->task, &t->seen);
		t->refusals_count = 0;
		preflight(&a->engine, t);
		if (t->refusals_count) {
			cannot(a, w, which, t->refusals[0].setting, t->refusals[0].why);
			return 0;
		}
		if (plan_disrupts(&t->task.plan) < DISRUPTS_LINK || !no_leave)
			break;
		flap = that_flap(&t->task.plan, which);
		cannot(a, w, flap, setting_first(flap), no_leave);
	}
	return which;
}

static void carry_out(struct agent *a, struct monitored_port *w, struct run *r, setting_set which)
{
	struct task *task = &a->target->task;
	struct config was = w->actual;
	struct err err = { 0 };
	char when[TIMESTAMP_MAX];

	timestamp_now(when);
	sampler_mark_inconclusive(&w->sampler);
	if (!run_tasks(r, &task, 1, a->policy->name, when, &err)) {
		cannot(a, w, which, setting_first(which), err.text);
		if (plan_disrupts(&task->plan) == DISRUPTS_LINK)
			a->flaps_again_ms = a->engine.h->now_ms(a->engine.h) + FLAPS_AGAIN_MS;
		w->rolled_back += task->result.outcome == OUTCOME_ROLLED_BACK;
		w->stranded += task->result.outcome == OUTCOME_STRANDED;
		if (task->result.outcome == OUTCOME_STRANDED)
			log_say(&a->log, LOG_STRANDED, monitored_port_topic(w, NULL),
				"ROLLBACK FAILED, the port is partially configured: %s; %s",
				err.text, err.fix);
		return;
	}
	drift_repaired(&w->drift, which, a->engine.h->now_ms(a->engine.h));
	tell_repaired(a, w, &was, which);
	w->differ &= ~which;
	a->status_dirty = true;
}

/* Pings systemd's watchdog, because a repair may wait a minute for the link. */
static void sleep_alive(struct host *h, unsigned ms)
{
	struct agent *a = (struct agent *)((char *)h - offsetof(struct agent, writer.host));

	notify_send(a->notify, "WATCHDOG=1");
	a->engine.h->sleep_ms(a->engine.h, ms);
}

bool agent_check_paused(struct agent *a, struct monitored_port *w)
{
	struct err err = { 0 };
	bool paused = a->policy->mode == MODE_ENFORCE &&
		      !last_run_permits(&a->writer.host, a->policy, a->loaded_ms, &w->port, &err);

	if (paused && !w->repair_paused)
		log_say(&a->log, LOG_NOT_REPAIRED, monitored_port_topic(w, NULL), "%s", err.text);
	a->status_dirty = a->status_dirty || paused != w->repair_paused;
	w->repair_paused = paused;
	return paused;
}

/* Reads again under the lock: a run may have ended since the last read. */
static setting_set still_differ(struct agent *a, struct monitored_port *w, setting_set which)
{
	if (!agent_observe(a, w))
		return 0;
	return which & config_diff(&a->target->task.desired, &a->target->seen.actual);
}

void agent_repair(struct agent *a, struct monitored_port *w)
{
	setting_set which = w->differ & drift_due(&w->drift, a->engine.h->now_ms(a->engine.h));
	struct run r = { .h = &a->writer.host,
			 .all = a->engine.backends->features,
			 .repairing = true,
			 .user = a->engine.user,
			 .lock = -1 };
	struct err err = { 0 };

	which &= SETUP_SETTINGS; /* only people can replace a cable */
	if (a->policy->mode != MODE_ENFORCE || !which)
		return;
	a->writer.host.sleep_ms = sleep_alive;
	/* If another run holds the lock, leave it to the next check. */
	if (!run_open(&r, 0, &err)) {
		if (err.kind != ERR_LOCKED)
			cannot(a, w, which, setting_first(which), err.text);
	} else if (!agent_check_paused(a, w) && (which = still_differ(a, w, which)) &&
		   (which = plan_repair(a, w, &r, which))) {
		carry_out(a, w, &r, which);
	}
	run_close(&r);
}

/* False if another program owns PFC: then do not write it. */
static bool is_ours(struct agent *a, const struct monitored_port *w)
{
	struct owner owner;
	struct err quiet = { 0 };

	return a->engine.backends->find_owner(a->engine.h, &w->port, &owner, &quiet) &&
	       !owner_writes(owner.who);
}

static bool send_again(struct agent *a, const struct monitored_port *w, struct err *err)
{
	const struct observation *seen = &a->target->seen;

	for (size_t i = 0; i < seen->speaking_count; i++) {
		const struct feature *f = seen->speaking[i];

		if ((f->owns & SETTING(SETTING_PFC_PRIORITIES)) && f->reapply &&
		    !f->reapply(&a->writer.host, &w->port, &seen->actual, err))
			return false;
	}
	return true;
}

bool agent_reapply(struct agent *a, struct monitored_port *w)
{
	int lock = -1;
	struct err err = { 0 };

	if (!a->policy->enforce.headroom || !(w->actual.has & SETTING(SETTING_PFC_PRIORITIES)) ||
	    !w->actual.pfc.priorities || !is_ours(a, w))
		return true;
	/* Skip it during a run: one that changes nothing does not rewrite PFC, so retry later. */
	if (!lock_take(&a->writer.host, 0, &lock, &err))
		return false;
	if (!agent_observe(a, w)) { /* the mask may have changed */
		close(lock);
		return false;
	}
	if (send_again(a, w, &err))
		log_say(&a->log, LOG_PORT, monitored_port_topic(w, "pfc.priorities"),
			"the link is up: PFC was sent again, unchanged, so that headroom fits its "
			"speed");
	else
		log_say(&a->log, LOG_TROUBLE, monitored_port_topic(w, "pfc.priorities"),
			"the link is up, and PFC cannot be sent again: %s", err.text);
	close(lock);
	return true;
}
