#include <errno.h>
#include <stdlib.h>

#include "../../policy/util/oom.h"
#include "../engine/journal/last_run.h"
#include "../host/cleanup.h"
#include "agent.h"

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

/* Logs a port that appeared, came back or disappeared. */
static void log_presence(struct agent *a, const struct policy *p, struct monitored_port *mp)
{
	enum presence now = mp->gone ? PRESENCE_GONE : PRESENCE_HERE;

	if (mp->unresolved[0] && !mp->unresolved_logged)
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL),
			  "cannot resolve the desired settings: %s", mp->unresolved);
	mp->unresolved_logged = mp->unresolved[0];
	if (mp->logged_presence == now)
		return;
	if (mp->gone)
		log_event(&a->log, LOG_PORT_REMOVED, monitored_port_topic(mp, NULL),
			  "the port was removed");
	else
		log_event(&a->log, LOG_PORT_MATCHED, monitored_port_topic(mp, NULL),
			  "the port matches rule %d%s", RULE_NUMBER(p, mp->rule),
			  mp->logged_presence == PRESENCE_GONE ? "; it is back" : "");
	mp->logged_presence = now;
}

/* Keep the state of ports that are still there. */
bool agent_update_ports(struct agent *a, const struct policy *p, struct err *err)
{
	struct monitored_ports now;

	if (!monitored_ports_update(&a->engine, p, &a->monitored_ports, &now, err))
		return false;
	if (!make_room(a, now.count, err)) {
		free(now.list);
		return false;
	}
	for (size_t i = 0; i < now.count; i++)
		log_presence(a, p, &now.list[i]);
	agent_report_error(a, OUTPUT_PORTS, now.unmet.count ? &now.unmet.first : NULL);
	free(a->monitored_ports.list);
	a->monitored_ports = now;
	a->monitored_ports_stale = false;
	a->status_dirty = true;
	return true;
}

/* Schedules a check of ports that came back, and logs those that are gone. */
void agent_follow_ports(struct agent *a)
{
	struct err err = { 0 };

	if (!a->monitored_ports_stale)
		return;
	if (agent_update_ports(a, a->policy, &err))
		return;
	agent_report_error(a, OUTPUT_PORTS, &err);
	a->monitored_ports_stale = false; /* retried at the next event or check */
}

/* Checks after a run, so that a later change is not attributed to it. */
void agent_follow_runs(struct agent *a)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h), ended = last_run_ended_ms(a->engine.h);
	bool ran = ended > a->run_ended_ms;

	a->run_ended_ms = ended;
	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];
		bool settled = mp->drift.settled_ms && now >= mp->drift.settled_ms;

		mp->due = mp->due || ran || (settled && !mp->gone);
		if (ran)
			(void)agent_check_paused(a, mp);
	}
}
