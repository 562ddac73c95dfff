/* The agent: a policy, the ports that it speaks of, and what is told about them. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_AGENT_H
#define LOSSLESSCTL_AGENT_DAEMON_AGENT_H

#include <jansson.h>

#include "../host/host_linux.h"
#include "daemon_options.h"
#include "drift_history.h"
#include "metrics.h"

#define AGENT_FOLDER "/run/losslessctl"

/* What the agent keeps up to date, and may have trouble with. */
enum agent_output { OUTPUT_STATUS, OUTPUT_METRICS, OUTPUT_HISTORY, OUTPUT_PORTS, OUTPUTS };

struct agent {
	const struct daemon_options *options;
	struct engine engine;	  /* its host only reads; warns nobody once it has begun */
	struct host_linux writer; /* writes files, and ports where the policy says so */
	struct policy *policy;
	struct monitored_ports monitored_ports;
	bool monitored_ports_stale; /* ports came or went */
	bool follow_at_once;	    /* an event says so, or that a driver began anew */
	struct target *target;	    /* where one port at a time is looked at, and planned for */
	struct scratch *scratch;
	struct metered *metered; /* one for each monitored port */
	char *page;		 /* of metrics, room for all monitored ports */
	size_t page_room;
	struct log log;
	int notify;
	int lock;		       /* of the one agent of this host */
	bool reloaded;		       /* the last reload succeeded */
	uint64_t loaded_ms;	       /* when the policy was loaded (loaded_policy.h) */
	bool unfinished;	       /* a run that changed ports did not end */
	uint64_t flaps_again_ms;       /* a repair failed: until then no other link is taken down */
	bool status_dirty;	       /* status.json is not what it was */
	json_t *notes;		       /* records that are not in the history yet */
	struct owner_cache owner;      /* of the port under check */
	uint64_t run_ended_ms;	       /* the last run of ours that is known of */
	uint64_t looked_at_s;	       /* Unix time */
	char last_error[OUTPUTS][256]; /* told once */
};

/* Looks for the ports that a policy speaks of, and tells who came and went (hotplug.c). */
bool agent_take_ports(struct agent *a, const struct policy *p, struct err *err) must_check;

/* The same if ports came or went; what fails is tried again when there is news. */
void agent_follow_ports(struct agent *a);

/* Has ports looked at again: after a run of ours, and once a driver has settled. */
void agent_follow_runs(struct agent *a);

/* Goes on with the contests of an agent before it, of this boot and policy (recall.c). */
void agent_recall(struct agent *a);

/* Reads a port, and tells, notes and mends what has drifted (drift_check.c). */
void agent_look(struct agent *a, struct monitored_port *w);

/* Marks what an event is a hint of, and does nothing yet (event_clues.c). */
void agent_note_event(struct agent *a, const struct event *e);

/*
 * The same for all events that wait. The kernel announces a
 * write before it gives up the lock that a reading waits for (net/dcb/dcbnl.c, dcbnl_ieee_set();
 * net/ethtool/netlink.c), so the event that explains what was just read is among them.
 */
void agent_note_waiting_events(struct agent *a);

/* Judges what the last look found by the lints, and logs what is new (findings.c). */
void agent_judge_findings(struct agent *a, struct monitored_port *w);

/* Only reads it, to a->target; false: it cannot be read, which was told. */
bool agent_observe(struct agent *a, struct monitored_port *w) must_check;

/* Puts right what may be put right now, if the policy says so (repair.c). */
void agent_repair(struct agent *a, struct monitored_port *w);

/*
 * Are repairs of the port paused, as somebody applied another policy since, or rolled back? That is
 * logged once, and lasts until a reload (repair.c).
 */
bool agent_check_paused(struct agent *a, struct monitored_port *w);

/* The link is back: sends the PFC just read again, so that headroom fits its speed
 * (repair.c). False while somebody else writes: it is for the next look.
 */
bool agent_reapply(struct agent *a, struct monitored_port *w) must_check;

/* Samples a port's counters, and tells what they show (sampling.c). */
void agent_sample(struct agent *a, struct monitored_port *w);

/* Writes status.json and metrics.prom (status.c). */
void agent_publish_status(struct agent *a);
void agent_publish_metrics(struct agent *a);

/* Tells once what stands in the way of one of them; NULL: nothing does any more. */
void agent_report_error(struct agent *a, enum agent_output which, const struct err *err);

/* Completes a record (its setting, event, from, to and writer are given), for the history. */
void agent_note(struct agent *a, const struct monitored_port *w, struct drift_record *r);

/* Puts what was noted in the history, all at once: what many ports have to tell is one write. */
void agent_write_notes(struct agent *a);

#endif
