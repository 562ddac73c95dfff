/*
 * Logs events of the agent and of the confirmation watchdog: to the journal, with fields that can
 * be searched, or as plain lines on standard error.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_LOG_H
#define LOSSLESSCTL_AGENT_HOST_LOG_H

/*
 * The events that are logged; each has a weight and a MESSAGE_ID of its own, which never change. A
 * symptom or a finding of another severity has another weight and the same MESSAGE_ID.
 */
enum log_event {
	LOG_AGENT_STARTED,
	LOG_AGENT_STOPPED,
	LOG_POLICY_RELOADED,
	LOG_POLICY_REFUSED,
	LOG_DRIFT_DETECTED,
	LOG_DRIFT_RESOLVED,
	LOG_DRIFT_REPAIRED,
	LOG_REPAIR_REFUSED, /* nothing was written */
	LOG_REPAIR_FAILED,  /* rolled back */
	LOG_REPAIR_ROLLBACK_FAILED,
	LOG_REPAIR_PAUSED, /* an operator applied another policy, or rolled back */
	LOG_DRIFT_CONTESTED,
	LOG_SYMPTOM_CRITICAL,
	LOG_SYMPTOM_WARNING,
	LOG_SYMPTOM_INFO,
	LOG_SYMPTOM_CLEARED,
	LOG_PORT_MATCHED,
	LOG_HEADROOM_REFRESHED,
	LOG_PORT_REMOVED,
	LOG_AGENT_ERROR,
	LOG_APPLY_ROLLED_BACK,
	LOG_APPLY_ROLLBACK_FAILED,
	LOG_FINDING_ERROR,
	LOG_FINDING_WARNING,
	LOG_FINDING_CLEARED,
	LOG_READING_FAILED,
	LOG_READING_RESTORED,
	LOG_EVENTS
};

/*
 * The port that an event is about, and its setting, or its symptom or lint with the severity; each
 * may be NULL.
 */
struct topic {
	const char *port, *setting, *symptom, *lint, *severity;
};

/* journald's socket. */
#define LOG_JOURNAL "/run/systemd/journal/socket"

struct log {
	int journal; /* socket of journald's native protocol; -1: plain lines */
};

/* Connects to the journal; without a socket, or where nobody listens, lines are plain. */
void log_open(struct log *l, const char *socket_name);
/* Closes the socket. */
void log_close(struct log *l);

/* Logs one event. Text from outside cannot begin a line of its own. */
void log_event(const struct log *l, enum log_event e, struct topic about, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define NO_TOPIC ((struct topic){ .port = NULL })

#endif
