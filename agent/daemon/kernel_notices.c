/* Turns events of the kernel into checks to make and clues to the writer. */
#include <string.h>

#include "agent.h"

/* Handles a link event; an unknown interface may be a new port. */
static void handle_link_event(struct agent *a, const struct event *e)
{
	struct monitored_port *mp = monitored_port_by_index(&a->monitored_ports, e->ifindex);
	struct link now;
	struct err quiet = { 0 };

	if (mp)
		mp->gone = mp->gone || e->gone;
	if (!mp || e->gone || !a->engine.h->link(a->engine.h, e->ifindex, &now, &quiet) ||
	    strcmp(now.name, mp->port.id.name) != 0) {
		a->monitored_ports_stale = true;
		if (!e->gone) /* a port came: it may be the one to be rolled back */
			a->unconfirmed.again_ms = 0;
		return;
	}
	if (now.carrier_changes == mp->carrier_changes && now.mtu == mp->port.mtu &&
	    now.up == mp->port.up)
		return;	   /* statistics or an irrelevant attribute */
	if (e->admin_down) /* an administrator's action, not a link flap */
		sampler_mark_inconclusive(&mp->sampler);
	mp->due = a->readiness_due = true;
	/* Look at the RDMA device: it tells a driver restart from a link change. */
	a->monitored_ports_stale = a->follow_at_once = true;
}

static void handle_write_event(struct agent *a, const struct event *e)
{
	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];

		if (e->ifindex && mp->port.ifindex != e->ifindex)
			continue;
		mp->due = true;
		mp->clues |= e->kind == EVENT_DCB ? CLUE_DCB : 0;
		mp->clues |= e->kind == EVENT_ETHTOOL ? CLUE_ETHTOOL : 0;
	}
}

void agent_handle_event(struct agent *a, const struct event *e)
{
	if (e->kind == EVENT_LINK)
		handle_link_event(a, e);
	else if (e->kind != EVENT_SIGNAL)
		handle_write_event(a, e);
	a->monitored_ports_stale =
		a->monitored_ports_stale || e->kind == EVENT_LOST || e->kind == EVENT_RDMA;
	a->follow_at_once = a->follow_at_once || e->kind == EVENT_RDMA;
}

void agent_handle_queued_events(struct agent *a)
{
	struct event e = { .kind = EVENT_LOST };
	struct err quiet = { 0 }; /* the loop gets the same error again */

	for (int i = 0; i < EVENTS_MAX && e.kind != EVENT_NONE && e.kind != EVENT_SIGNAL; i++) {
		if (!host_next_event(a->engine.h, 0, &e, &quiet))
			return;
		if (e.kind == EVENT_NONE)
			continue;
		agent_handle_event(a, &e);
		a->late_events = true;
	}
}
