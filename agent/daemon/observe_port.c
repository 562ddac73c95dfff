/* Reads a port, for a check or under the lock of a repair. */
#include "../engine/journal/port_lines.h"
#include "agent.h"

/* Marks the port as unreadable: its last values no longer hold. Logged once. */
static void mark_unreadable(struct agent *a, struct monitored_port *mp, const char *why)
{
	if (!mp->check_failed)
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL),
			  "the port cannot be read: %s", why);
	a->status_dirty = a->status_dirty || !mp->check_failed;
	mp->check_failed = true;
	mp->unknown = mp->desired.has;
	mp->compared = mp->differ = 0;
}

/* Prepares a->target for a port, without a plan: that is large, and only a repair needs it. */
static void set_desired(struct agent *a, const struct monitored_port *mp)
{
	struct target *t = a->target;

	t->task.port = mp->port;
	t->task.desired = mp->desired;
	if (mp->invalid)
		t->task.desired.has = 0;
	t->rule = mp->rule;
	t->capabilities = (struct capabilities){ .speed_mbps = 0 };
	target_take_policy(t, a->policy);
	t->skipped = 0;
	t->refusals_count = 0;
}

bool agent_observe(struct agent *a, struct monitored_port *mp)
{
	const struct engine writing = { .h = &a->writer.host, .backends = a->engine.backends };
	struct target *t = a->target;
	struct link link;
	struct err err = { 0 };

	if (mp->gone)
		return false;
	if (host_link(a->engine.h, &mp->port, &link, &err)) {
		mp->came_up = link.carrier && (mp->came_up || !mp->port.carrier);
		mp->carrier_changes = link.carrier_changes;
		mp->port.carrier = link.carrier;
		mp->port.up = link.up;
		mp->clues |= mp->port.mtu != link.mtu ? CLUE_MTU : 0;
		mp->port.mtu = link.mtu;
		set_desired(a, mp);
		if (a->policy->mode == MODE_ENFORCE)
			target_prepare(&writing, t);
		if (target_observe(&a->engine, t, &err)) {
			lost_settings_reveal(a->engine.h, &t->task.port, &t->seen);
			return true;
		}
	}
	if (err.kind != ERR_GONE) /* reported once confirmed: the port may only have a new name */
		mark_unreadable(a, mp, err.text);
	mp->gone = err.kind == ERR_GONE;
	a->monitored_ports_stale = a->monitored_ports_stale || mp->gone;
	return false;
}
