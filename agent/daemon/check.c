/* Checks ports: judges drift and findings, and follows the clues of events. */
#include <string.h>

#include "../engine/journal/last_run.h"
#include "../engine/write/run.h"
#include "agent.h"
#include "driver_restart.h"

/* Log errors, which decide the verdict, and warnings; `verify` reports the rest. */
static lint_set reported(const struct agent *a, lint_set findings)
{
	const struct severities *s = &a->policy->severities;

	return findings_of_severity(findings, s, SEVERITY_CRITICAL) |
	       findings_of_severity(findings, s, SEVERITY_WARNING);
}

static struct topic topic_of(const struct monitored_port *mp, const struct severities *s,
			     size_t lint)
{
	return (struct topic){ .port = mp->port.id.name,
			       .lint = lint_at(lint)->name,
			       .severity = severity_name(severity_of_lint(s, lint)),
			       .fix = lint_at(lint)->fix };
}

static void log_detected(struct agent *a, struct monitored_port *mp, size_t lint)
{
	struct lint_input in = monitored_port_lint_input(mp, &a->policy->severities);
	bool is_error = severity_of_lint(in.severities, lint) == SEVERITY_CRITICAL;
	const struct lint *r = lint_at(lint);
	char text[LINT_TEXT_MAX];

	log_event(&a->log, is_error ? LOG_FINDING_CRITICAL : LOG_FINDING_WARNING,
		  topic_of(mp, in.severities, lint), "%s: %s; fix: %s%s", r->name,
		  finding_message(&in, lint, text), r->fix,
		  mp->invalid ? "; until then the agent neither verifies nor repairs this port"
			      : "");
}

/* A finding about settings that a restart of the driver reset follows from that: one event. */
static lint_set worth_a_line(const struct monitored_port *mp, lint_set findings)
{
	for (size_t i = 0; lint_at(i); i++)
		if (lint_reads(lint_at(i)) & mp->reset_settings)
			findings &= ~LINT(i);
	return findings;
}

/* Runs the lints on the last check's configuration, and logs new findings. */
static void check_findings(struct agent *a, struct monitored_port *mp)
{
	struct lint_input in = monitored_port_lint_input(mp, &a->policy->severities);
	lint_set before = mp->findings;
	lint_set now = mp->invalid ? mp->invalid : reported(a, findings_of(&in, before));
	lint_set logged = mp->logged_findings;

	mp->reset_settings &= mp->differ;
	mp->findings = now;
	mp->logged_findings = (logged & now) | (mp->invalid ? now : worth_a_line(mp, now));
	for (size_t i = 0; i < LINTS_MAX; i++)
		if (mp->logged_findings & ~logged & LINT(i))
			log_detected(a, mp, i);
		else if (logged & ~now & LINT(i))
			log_event(&a->log, LOG_FINDING_CLEARED, topic_of(mp, in.severities, i),
				  "%s: no longer found", lint_at(i)->name);
	a->status_dirty = a->status_dirty || now != before;
}

/* Checks during a run of losslessctl on the port wait for its end, up to this time. */
#define RUN_WAIT_MS (2 * 60 * 1000u)

/*
 * Returns the time of the check before this one. That of the previous agent counts for runs that
 * applied another policy: after one that applied this policy, another writer changed the port.
 */
static uint64_t last_check_ms(const struct agent *a, const struct monitored_port *mp, uint64_t now)
{
	struct last_run run;

	if (mp->checked)
		return mp->checked_ms;
	if (!a->predecessor_ms || !last_run_find(a->engine.h, &mp->port, &run) ||
	    strcmp(run.decision.policy, a->policy->sha256) == 0)
		return now;
	return a->predecessor_ms;
}

static struct change_window window_of(const struct agent *a, const struct monitored_port *mp)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	return (struct change_window){ &mp->port, mp->clues, last_check_ms(a, mp, now), now };
}

/*
 * Returns the clues of events that arrived during the read: they explain this reading or the next
 * one.
 */
static unsigned late_clues(struct agent *a, struct monitored_port *mp)
{
	unsigned known = mp->clues, late;

	mp->clues = 0;
	agent_handle_queued_events(a);
	late = mp->clues;
	mp->clues |= known;
	return late;
}

/*
 * Puts the check off, once, if an event that came during the reading may be a driver's restart: the
 * list of ports shows it, and the restart is the cause of all that it reset.
 */
static bool must_follow_first(struct agent *a, struct monitored_port *mp)
{
	mp->put_off = mp->checked && a->follow_at_once && !mp->put_off;
	mp->due = mp->due || mp->put_off;
	return mp->put_off;
}

/* Waits for the end of a run on the port, so that one line reports all that it changes. */
static bool waits_for_run(struct agent *a, struct monitored_port *mp)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	if (!mp->checked || !run_is_changing(a->engine.h, &mp->port))
		mp->run_seen_ms = 0;
	else if (!mp->run_seen_ms)
		mp->run_seen_ms = now;
	return mp->run_seen_ms && now - mp->run_seen_ms < RUN_WAIT_MS;
}

/* Waits until a restarted driver has settled, so that one line reports all that it reset. */
static bool waits_for_driver(struct agent *a, struct monitored_port *mp)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	if (mp->restart == RESTART_SEEN) {
		driver_restarted(&mp->drift, cause_driver_resets(), now);
		mp->restart = mp->checked ? RESTART_SETTLING : RESTART_NONE;
		mp->new_netdev = mp->new_netdev && mp->checked;
	}
	return mp->restart == RESTART_SETTLING && now - mp->drift.reset_ms < DRIVER_SETTLE_MS;
}

/* Returns the settings whose known value is another one than before. */
static setting_set moved(const struct config *was, const struct config *now)
{
	return was->has & now->has & config_diff(was, now);
}

static void check_drift(struct agent *a, struct monitored_port *mp, const struct config *was,
			uint64_t now)
{
	struct check c = { .mp = mp, .was = was, .absent = mp->unknown & a->target->seen.missing };

	if (mp->drift.settled_ms)
		mp->clues |= CLUE_DRIVER; /* still settling: late resets have the same cause */
	c.window = window_of(a, mp);
	c.own = cause_own_run(&a->engine, &c.window);
	drift_ignore(&mp->drift, c.own);
	c.changes =
		drift_update(&mp->drift, mp->differ, mp->compared, moved(was, &mp->actual), now);
	agent_report_changes(a, &c);
	agent_report_first_check(a, mp,
				 c.changes.drifted || c.absent || mp->unresolved[0] || mp->invalid);
	agent_report_reading(a, mp);
	check_findings(a, mp);
}

void agent_check_port(struct agent *a, struct monitored_port *mp)
{
	struct config was = mp->actual;
	unsigned late;
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	if (waits_for_run(a, mp) || waits_for_driver(a, mp))
		return;
	mp->due = false;
	a->owner = (struct owner_cache){ .known = false };
	if (!agent_observe(a, mp))
		return;
	late = late_clues(a, mp);
	if (must_follow_first(a, mp))
		return;
	agent_take_reading(a, mp);
	check_drift(a, mp, &was, now);
	mp->checked = true;
	mp->recalled = 0;
	mp->came_up = mp->came_up && !agent_reapply(a, mp);
	agent_repair(a, mp);
	mp->clues = late;
	mp->checked_ms = now;
}
