/* Turns events into checks to make and clues to the writer. */
#include <string.h>

#include "agent.h"

/* Handles a link event; an unknown interface may be a new port. */
static void note_link(struct agent *a, const struct event *e)
{
	struct monitored_port *w = monitored_port_by_index(&a->monitored_ports, e->ifindex);
	struct link now;
	struct err quiet = { 0 };

	if (w)
		w->gone = w->gone || e->gone;
	if (!w || e->gone || !a->engine.h->link(a->engine.h, e->ifindex, &now, &quiet) ||
	    strcmp(now.name, w->port.id.name) != 0) {
		a->monitored_ports_stale = true;
		return;
	}
	if (now.carrier_changes == w->flaps && now.mtu == w->port.mtu && now.up == w->port.up)
		return;	   /* statistics or an irrelevant attribute */
	if (e->admin_down) /* an administrator's action, not a link flap */
		sampler_mark_inconclusive(&w->sampler);
	w->due = true;
	/* Look at the RDMA device: it tells a driver restart from a link change. */
	a->monitored_ports_stale = a->follow_at_once = true;
}

static void note_write(struct agent *a, const struct event *e)
{
	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *w = &a->monitored_ports.list[i];

		if (e->ifindex && w->port.ifindex != e->ifindex)
			continue;
		w->due = true;
		w->clues |= e->kind == EVENT_DCB ? CLUE_DCB : 0;
		w->clues |= e->kind == EVENT_ETHTOOL ? CLUE_ETHTOOL : 0;
	}
}

void agent_note_event(struct agent *a, const struct event *e)
{
	if (e->kind == EVENT_LINK)
		note_link(a, e);
	else if (e->kind != EVENT_SIGNAL)
		note_write(a, e);
	a->monitored_ports_stale =
		a->monitored_ports_stale || e->kind == EVENT_LOST || e->kind == EVENT_RDMA;
	a->follow_at_once = a->follow_at_once || e->kind == EVENT_RDMA;
}

void agent_note_waiting_events(struct agent *a)
{
	struct event e = { .kind = EVENT_LOST };
	struct err quiet = { 0 }; /* the loop gets the same error again */

	for (int i = 0; i < EVENTS_MAX && e.kind != EVENT_NONE && e.kind != EVENT_SIGNAL; i++) {
		if (!host_next_event(a->engine.h, 0, &e, &quiet))
			return;
		if (e.kind == EVENT_NONE)
			continue;
		agent_note_event(a, &e);
		a->late_events = true;
	}
}
