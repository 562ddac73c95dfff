#include <errno.h>
#include <stdlib.h>

#include "../../policy/util/oom.h"
#include "../engine/journal/last_run.h"
#include "../engine/journal/policy_generation.h"
#include "../host/cleanup.h"
#include "agent.h"

/*
 * Time for a driver to make another netdev: mlx5 does so after a fatal error of the firmware, and
 * for `devlink dev reload` (mlx5_unload_one(), mlx5_load_one(), main.c).
 */
#define RETURN_MS (10 * 1000u)

/* Grows the buffers for this many ports; keeps the old page if that fails. */
static bool make_room(struct agent *a, size_t ports, struct err *err)
{
	size_t size = metrics_room(ports + 1);
	_free_ char *page = malloc(size);
	_free_ struct metered *metered = calloc(ports + 1, sizeof(*metered));

	if (!page || !metered)
		return err_no_memory(err);
	free(a->page);
	free(a->metered);
	a->page_room = size;
	a->page = take(page);
	a->metered = take(metered);
	return true;
}

static void log_match(struct agent *a, const struct monitored_port *mp, const char *more)
{
	struct topic about = monitored_port_topic(mp, NULL);

	about.rule_number = RULE_NUMBER(a->policy, mp->rule);
	log_event(&a->log, LOG_PORT_MATCHED, about, "the port matches rule %d%s", about.rule_number,
		  more);
}

/*
 * Logs a port that came back or disappeared. The first check of a new one logs it. False while a
 * port may only be without a netdev because its driver re-initialises it.
 */
static bool log_presence(struct agent *a, struct monitored_port *mp)
{
	enum presence now = mp->gone ? PRESENCE_GONE : PRESENCE_HERE;
	uint64_t now_ms = a->engine.h->now_ms(a->engine.h);

	mp->gone_ms = !mp->gone ? 0 : mp->gone_ms ? mp->gone_ms : now_ms;
	if (mp->unresolved[0] && !mp->unresolved_logged)
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL),
			  "cannot resolve the desired settings: %s", mp->unresolved);
	mp->unresolved_logged = mp->unresolved[0];
	if (mp->logged_presence == now || (!mp->gone && mp->logged_presence == PRESENCE_UNKNOWN))
		return true;
	if (mp->gone && now_ms - mp->gone_ms < RETURN_MS)
		return false;
	if (mp->gone)
		log_event(&a->log, LOG_PORT_REMOVED, monitored_port_topic(mp, NULL),
			  "the port was removed");
	else
		log_match(a, mp, "; it is back");
	mp->logged_presence = now;
	return true;
}

void agent_report_first_check(struct agent *a, struct monitored_port *mp, bool logged)
{
	if (mp->logged_presence != PRESENCE_UNKNOWN)
		return;
	if (!logged)
		log_match(a, mp, "");
	mp->logged_presence = PRESENCE_HERE;
}

/* Refuses a policy that is invalid for a port of this host; the others get no part of it. */
static bool refuse_invalid(const struct policy *p, const struct monitored_ports *now,
			   struct err *err)
{
	const struct monitored_port *first = NULL;
	struct lint_input in;
	char text[LINT_TEXT_MAX];
	size_t count = 0, lint;

	for (size_t i = 0; i < now->count; i++)
		if (!now->list[i].gone && now->list[i].invalid && count++ == 0)
			first = &now->list[i];
	if (!first)
		return true;
	lint = (size_t)__builtin_ctzll(first->invalid);
	in = monitored_port_lint_input(first, &p->severities);
	err_record(err, ERR_POLICY, EINVAL, "it is invalid for %zu port%s: %s: %s: %s", count,
		   count == 1 ? "" : "s", first->port.id.name, lint_at(lint)->name,
		   finding_message(&in, lint, text));
	return err_fix(err, "%s", lint_at(lint)->fix);
}

/* Keep the state of ports that are still there. */
bool agent_update_ports(struct agent *a, const struct policy *p, struct err *err)
{
	struct monitored_ports now;
	bool reloads = p != a->policy;

	if (!monitored_ports_update(&a->engine, p, &a->monitored_ports, &now, err))
		return false;
	if ((reloads && !refuse_invalid(p, &now, err)) || !make_room(a, now.count, err) ||
	    (reloads && !policy_generation_accept(&a->writer.host, p, err))) {
		free(now.list);
		return false;
	}
	free(a->monitored_ports.list);
	a->monitored_ports = now;
	recorders_follow(&a->recorders, &a->monitored_ports);
	a->monitored_ports_stale = false;
	a->status_dirty = true;
	return true;
}

void agent_report_ports(struct agent *a)
{
	const struct unmet *unmet = &a->monitored_ports.unmet;
	bool settled = true;

	for (size_t i = 0; i < a->monitored_ports.count; i++)
		settled = log_presence(a, &a->monitored_ports.list[i]) && settled;
	if (!settled)
		a->monitored_ports_stale = true; /* look again at the next tick */
	else
		agent_report_error(a, OUTPUT_PORTS, unmet->count ? &unmet->first : NULL);
}

void agent_follow_ports(struct agent *a)
{
	struct err err = { 0 };

	if (!a->monitored_ports_stale)
		return;
	if (agent_update_ports(a, a->policy, &err)) {
		agent_report_ports(a);
		return;
	}
	agent_report_error(a, OUTPUT_PORTS, &err);
	a->monitored_ports_stale = false; /* retried at the next event or check */
}

/* True if a run of losslessctl has ended since the last call. */
static bool a_run_ended(struct agent *a)
{
	uint64_t stamp = last_run_stamp(a->engine.h), before = a->run_ended_ms;

	if (stamp == a->runs_stamp)
		return false;
	a->runs_stamp = stamp;
	a->run_ended_ms = last_run_ended_ms(a->engine.h);
	return a->run_ended_ms > before;
}

/* Checks after a run, so that a later change is not attributed to it. */
void agent_follow_runs(struct agent *a)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);
	bool ran = a_run_ended(a);

	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];
		bool settled = mp->drift.settled_ms && now >= mp->drift.settled_ms;

		mp->due = mp->due || ran || (settled && !mp->gone);
		if (ran)
			(void)agent_check_paused(a, mp);
	}
}
