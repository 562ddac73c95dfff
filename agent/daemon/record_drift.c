/* Queues records of drift, and writes them to the history. */
#include <stdio.h>
#include <time.h>

#include "agent.h"

/* Returns when a drift was first seen: all records of one drift have the same time. */
static int64_t first_seen(struct monitored_port *mp, const struct drift_record *r)
{
	uint64_t since_ms = mp->drift.since_ms[r->setting];

	if (!mp->first_seen_s[r->setting] || mp->first_seen_ms[r->setting] != since_ms)
		mp->first_seen_s[r->setting] = r->when_s - (int64_t)r->lasted_s;
	mp->first_seen_ms[r->setting] = since_ms;
	return mp->first_seen_s[r->setting];
}

void agent_record(struct agent *a, struct monitored_port *mp, struct drift_record *r)
{
	bool continues = r->event == HISTORY_DETECTED && (mp->recalled & SETTING(r->setting));
	uint64_t *since_ms = &mp->drift.since_ms[r->setting];

	if (continues)
		*since_ms = mp->first_seen_ms[r->setting];
	r->when_s = (int64_t)time(NULL);
	r->lasted_s = (a->engine.h->now_ms(a->engine.h) - *since_ms) / 1000;
	r->first_seen_s = first_seen(mp, r);
	snprintf(r->port, sizeof(r->port), "%.15s", mp->port.id.name);
	snprintf(r->pci, sizeof(r->pci), "%s", mp->port.id.pci);
	if (!continues)
		json_array_append_new(a->pending_records, history_narrow(r));
}

void agent_write_records(struct agent *a)
{
	struct err err = { 0 };

	if (json_array_size(a->pending_records) == 0)
		return;
	agent_report_error(a, OUTPUT_HISTORY,
			   history_add(&a->writer.host, a->pending_records, &err) ? NULL : &err);
	json_array_clear(a->pending_records);
}
