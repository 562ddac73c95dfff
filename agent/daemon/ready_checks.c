/*
 * The checks of `losslessctl ready` for the metrics. They change rarely, so the agent makes them
 * once an hour, and soon after a link or the policy changed. It never asks the firmware.
 */
#include <stdlib.h>

#include "../engine/ready/ready.h"
#include "../host/cleanup.h"
#include "agent.h"

#define READY_EVERY_MS 3600000
#define READY_AFTER_MS 60000 /* between two readings, whatever happens */

static struct readiness readiness_of(const struct ready_row *rows, size_t count)
{
	struct readiness r = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		uint32_t bit = READY(rows[i].check - ready_checks);

		if (rows[i].is_judged && rows[i].status == READY_MET)
			r.met |= bit;
		if (rows[i].is_judged && rows[i].status == READY_NOT_MET)
			r.not_met |= bit;
	}
	return r;
}

/* Reads the ports that are here, and copies them into `ports` for the checks of the host. */
static void read_ports(struct agent *a, struct ready_scene *s, struct port *ports)
{
	struct ready_row rows[READY_COUNT];

	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];

		mp->readiness = (struct readiness){ 0, 0 };
		if (mp->gone)
			continue;
		ports[s->count++] = mp->port;
		s->sample = mp->sampled ? &mp->sampler.last : NULL;
		mp->readiness = readiness_of(rows, ready_check_one(&a->engine, &a->policy->ready, s,
								   &mp->port, rows));
	}
}

static void read_all(struct agent *a)
{
	_free_ struct port *ports = calloc(a->monitored_ports.count + 1, sizeof(*ports));
	struct ready_scene s = { .h = a->engine.h,
				 .ports = ports,
				 .unmet = &a->monitored_ports.unmet,
				 .is_agent = true };
	struct ready_row rows[READY_COUNT];

	if (!ports)
		return; /* the next time */
	run_facts_forget(&a->engine.h->facts);
	read_ports(a, &s, ports);
	s.sample = NULL;
	a->readiness =
		readiness_of(rows, ready_check_one(&a->engine, &a->policy->ready, &s, NULL, rows));
}

void agent_follow_readiness(struct agent *a)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h), age = now - a->readiness_ms;

	if (a->readiness_ms && age < (a->readiness_due ? READY_AFTER_MS : READY_EVERY_MS))
		return;
	a->readiness_due = false;
	a->readiness_ms = now;
	read_all(a);
}
