/* The agent: its policy, the ports that the policy covers, and the state that it reports. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_AGENT_H
#define LOSSLESSCTL_AGENT_DAEMON_AGENT_H

#include <jansson.h>

#include "../../policy/document/policy.h"
#include "../engine/write/confirm_watchdog.h"
#include "../host/host.h"
#include "../host/host_linux.h"
#include "daemon_options.h"
#include "history.h"
#include "flight_recorder.h"
#include "metrics/metrics.h"

#define AGENT_DIR    "/run/losslessctl"
#define AGENT_STATUS AGENT_DIR "/status.json"

/* Outputs and inputs of the agent that can fail, each with its own last error. */
enum agent_output {
	OUTPUT_STATUS,
	OUTPUT_METRICS,
	OUTPUT_LABEL,
	OUTPUT_HISTORY,
	OUTPUT_RECORDINGS,
	OUTPUT_PORTS,
	OUTPUTS
};

/* An apply that was not confirmed, and what became of it here (unconfirmed.c). */
struct unconfirmed {
	char time[32]; /* its start */
	enum rollback_end end;
	uint64_t again_ms; /* its rollback is tried again then */
	unsigned doublings;
};

struct agent {
	const struct daemon_options *options;
	struct engine engine;	  /* its host only reads; gives no warnings after start-up */
	struct host_linux writer; /* writes files, and ports where the policy says so */
	struct policy *policy;
	struct monitored_ports monitored_ports;
	struct recorders recorders; /* one for each monitored port */
	bool monitored_ports_stale; /* ports came or went */
	bool follow_at_once;	    /* an event or a restarted driver asks for it */
	bool late_events;	    /* came during a look: another one follows before any wait */
	struct target *target;	    /* scratch space to check and plan one port */
	struct scratch *scratch;
	struct metered *metered; /* one for each monitored port */
	char *page;		 /* metrics text, with room for all monitored ports */
	size_t page_room;
	struct log log;
	int notify;
	int lock;			/* held by the only agent of this host */
	bool reloaded;			/* the last reload succeeded */
	uint64_t loaded_ms;		/* when the policy was loaded (predecessor.c) */
	bool unfinished;		/* a run that changed ports was interrupted */
	struct unconfirmed unconfirmed; /* the last one */
	uint64_t flaps_again_ms;	/* end of the pause of link flaps after a failed repair */
	bool status_dirty;		/* status.json is out of date */
	json_t *pending_records;	/* records to be added to the history */
	struct owner_cache owner;	/* owner for the port under check */
	uint64_t runs_stamp;		/* last_run_stamp() of the last known run of losslessctl */
	uint64_t run_ended_ms;		/* end of that run */
	uint64_t predecessor_ms;	/* last check of the previous agent; 0: unknown, or over */
	uint64_t checked_at_s;		/* Unix time */
	struct readiness readiness;	/* the host's, at the last look (sampling.c) */
	uint64_t readiness_ms;		/* time of that look; 0: none yet */
	bool readiness_due;		/* a link or the policy changed since */
	char last_error[OUTPUTS][256];	/* so that each is logged once */
};

/* Finds the ports that a policy covers (hotplug.c). */
bool agent_update_ports(struct agent *a, const struct policy *p, struct err *err) must_check;

/* Logs ports that disappeared, came back or have a problem, and rules without their ports. */
void agent_report_ports(struct agent *a);

/* Logs a port that was checked for the first time, unless the check logged a line of its own. */
void agent_report_first_check(struct agent *a, struct monitored_port *mp, bool logged);

/*
 * Updates the list if ports appeared or disappeared, and logs that. Retries after a failure at the
 * next event.
 */
void agent_follow_ports(struct agent *a);

/* Schedules checks: after a run of losslessctl, and once a driver has settled. */
void agent_follow_runs(struct agent *a);

/*
 * Restores the contested settings that the previous agent recorded on this boot, under this policy
 * (predecessor.c).
 */
void agent_recall(struct agent *a);

/* Returns the time at which the previous agent published its last check; 0: unknown. */
uint64_t agent_predecessor_ms(const struct agent *a);

/* A check of a port: what the log and the history report (drift_report.c). */
struct check {
	struct monitored_port *mp;
	const struct config *was; /* actual settings at the check before */
	struct change_window window;
	struct drift_changes changes;
	setting_set own;    /* settings that a run of losslessctl can have changed */
	setting_set absent; /* desired settings that apply creates */
};

/* Logs and records the changes of a port's drift. */
void agent_report_changes(struct agent *a, const struct check *c);

/* Reads a port; logs, records and repairs its drift (check.c). */
void agent_check_port(struct agent *a, struct monitored_port *mp);

/* Records the clue or the request for a check that an event gives; acts later (kernel_notices.c).
 */
void agent_handle_event(struct agent *a, const struct event *e);

/*
 * Processes all queued events. The kernel announces a write before it releases the lock that a read
 * waits for (net/dcb/dcbnl.c, dcbnl_ieee_set(); net/ethtool/netlink.c), so the event that explains
 * the values just read is in the queue.
 */
void agent_handle_queued_events(struct agent *a);

/* Reads a port into a->target (observe_port.c). False if that fails, which is logged. */
bool agent_observe(struct agent *a, struct monitored_port *mp) must_check;

/* Keeps the reading in a->target, and how it compares with the desired settings. */
void agent_take_reading(struct agent *a, struct monitored_port *mp);

/* Logs the settings that the last reading lacks, or has again. */
void agent_report_reading(struct agent *a, struct monitored_port *mp);

/*
 * Rolls back an apply that was not confirmed if its watchdog was killed; reports it if the agent
 * may not change ports (unconfirmed.c).
 */
void agent_roll_back_unconfirmed(struct agent *a);

/* Repairs the settings that are due, if the policy allows it (repair.c). */
void agent_repair(struct agent *a, struct monitored_port *mp);

/*
 * True while repairs of the port are paused, because an operator applied another policy or rolled
 * back. Logged once; a reload ends it (repair.c).
 */
bool agent_check_paused(struct agent *a, struct monitored_port *mp);

/*
 * Writes the PFC settings again after the link came up, so that headroom fits its speed (repair.c).
 * False while another run writes: the next check retries.
 */
bool agent_reapply(struct agent *a, struct monitored_port *mp) must_check;

/* Samples a port's counters and logs symptoms (sampling.c). */
void agent_sample(struct agent *a, struct monitored_port *mp);

/* Adds a sample to it. */
void agent_record_sample(struct agent *a, const struct monitored_port *mp, const struct sample *s);

/* The driver of a port was restarted: its next sample does not continue those before. */
void agent_interrupt_recorder(struct agent *a, const struct monitored_port *mp);

/* Asks for a recording of the minutes before a critical symptom, or logs that it is withheld. */
void agent_note_incident(struct agent *a, const struct monitored_port *mp,
			 const struct active_symptom *m);

/* Saves the recordings that are asked for. Waits for the disk. */
void agent_save_recordings(struct agent *a);

/* Reads what `losslessctl ready` checks, if it is time (sampling.c). */
void agent_follow_readiness(struct agent *a);

/* Writes status.json (status_file.c). */
void agent_publish_status(struct agent *a);
/* Writes the node's label, if it is asked for (status_file.c). */
void agent_publish_label(struct agent *a);
/* Writes metrics.prom (status_file.c). */
void agent_publish_metrics(struct agent *a);

/* Logs the error of an input or output once; NULL: it works again (status_file.c). */
void agent_report_error(struct agent *a, enum agent_output which, const struct err *err);

/*
 * Completes a record and queues it for the history (drift_report.c). The caller sets setting,
 * event, from, to and writer.
 */
void agent_record(struct agent *a, struct monitored_port *mp, struct drift_record *r);

/* Writes all queued records to the history at once, so that many ports cost one write. */
void agent_write_records(struct agent *a);

/* ---- restarts ---- */

/*
 * The time since which the agent has had its policy. An agent that was killed and restarted uses it
 * to respect later applies by an operator. In /run/losslessctl, so that a boot resets it.
 */

/*
 * Returns when this policy was first loaded, by this or a previous agent, without another policy
 * since.
 */
uint64_t loaded_policy_first(struct host *h, const struct policy *p);

/* Records a reload. Returns the current time of the host's clock in milliseconds. */
uint64_t loaded_policy_anew(struct host *h, const struct policy *p);

/*
 * Records a start. Returns when the previous agent loaded the same policy, or else the current
 * time.
 */
uint64_t loaded_policy_since(struct host *h, const struct policy *p);

#endif
