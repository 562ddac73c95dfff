/*
 * A port in the agent's care: what is wanted of it, what it was last seen to
 * have, how it drifts and what its counters say.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_MONITORED_PORT_H
#define LOSSLESSCTL_AGENT_DAEMON_MONITORED_PORT_H

#include "../../policy/lint/finding.h"
#include "../engine/target/target.h"
#include "../engine/target/unmet.h"
#include "../engine/verify/judge.h"
#include "../engine/verify/likely_cause.h"
#include "../host/log.h"
#include "drift.h"

enum presence { PRESENCE_UNTOLD, PRESENCE_HERE, PRESENCE_GONE };

struct monitored_port {
	struct port port;
	const struct port_rule *rule;
	struct config desired, actual;
	setting_set judged, differ, unclear; /* at the last look */
	setting_set readable;		     /* read at least once since the driver began */
	setting_set unreadable;		     /* reported as such */
	char unsure[LINT_TEXT_MAX]; /* why the policy cannot say what is wanted; "": it can */
	bool unsure_told;
	bool looked, gone;
	struct capabilities capabilities; /* at the last look, likewise the findings */
	lint_set findings;
	bool repair_paused; /* somebody applied something else since: nothing is repaired */
	bool check_failed;  /* the last look failed: nothing is known of it */
	enum presence told; /* what was said of it last */
	unsigned clues;	    /* since the last look (../engine/likely_cause.h) */
	uint64_t looked_ms; /* when the last look began */
	bool due;	    /* an event asks for a look */
	bool came_up;	    /* the link, since it was last looked at */
	uint32_t flaps;	    /* how often the link came or went, when last looked at */
	uint64_t drifts, repairs;
	uint64_t rolled_back, stranded; /* repairs that failed */
	struct drift drift;
	struct sampled_port sampler;
	uint64_t run_ended_ns; /* lock_stamped_ns() at the last sample */
	bool sampled;
	uint8_t shown[SYMPTOMS_MAX]; /* severity (enum alarm) of each symptom that was reported */
	char last_error[LINT_TEXT_MAX]; /* what was told last, so that it is told once */
};

/* Owned by the agent; free(list). */
struct monitored_ports {
	struct monitored_port *list;
	size_t count;
	struct unmet unmet; /* rules that want ports which are not there */
};

/*
 * The ports that the policy speaks of now, and those of `old` that are gone: a
 * port that comes back is known by its PCI address. What is known of a port
 * stays with it, unless something else is wanted of it.
 */
bool monitored_ports_take(const struct engine *e, const struct policy *p,
			  const struct monitored_ports *old, struct monitored_ports *ret,
			  struct err *err) must_check;

/* The port's status by its last check and its last window of counters. */
enum status monitored_port_status(const struct monitored_port *w, const struct severities *s);

/* The input for the findings of its last check. Borrows. */
struct lint_input monitored_port_lint_input(const struct monitored_port *w,
					    const struct severities *s);

/* What a log line about it, and one of its settings or symptoms (or NULL), is about. */
struct topic monitored_port_topic(const struct monitored_port *w, const char *item);

/* The monitored port with this interface, or NULL. */
struct monitored_port *monitored_port_by_index(const struct monitored_ports *w, unsigned ifindex);

/* Another member of its bond: one that is to have something else, or that has no link; or NULL. */
const struct monitored_port *monitored_port_unlike(const struct monitored_ports *all,
						   const struct monitored_port *w);
const struct monitored_port *monitored_port_down(const struct monitored_ports *all,
						 const struct monitored_port *w);

#endif
