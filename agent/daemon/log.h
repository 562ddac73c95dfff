/*
 * What the agent has to say, one event at a time: to the journal with fields
 * that can be searched, or as plain lines on standard error.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_LOG_H
#define LOSSLESSCTL_AGENT_DAEMON_LOG_H

/*
 * The events that are logged; each has a weight and a MESSAGE_ID of its own, which never change. A
 * symptom or a finding of another severity has another weight and the same MESSAGE_ID.
 */
enum log_event {
	LOG_STARTED,
	LOG_STOPPED,
	LOG_RELOADED,
	LOG_POLICY_REFUSED,
	LOG_DRIFTED,
	LOG_ENDED,
	LOG_REPAIRED,
	LOG_NOT_REPAIRED,
	LOG_STRANDED,
	LOG_CONTESTED,
	LOG_SYMPTOM,
	LOG_ALARM,
	LOG_SYMPTOM_GONE,
	LOG_SYMPTOM_INFO,
	LOG_PORT,
	LOG_GONE,
	LOG_TROUBLE,
	LOG_TAKEN_BACK,
	LOG_NOT_TAKEN_BACK,
	LOG_FINDING_ERROR,
	LOG_FINDING_WARNING,
	LOG_FINDING_CLEARED,
	LOG_READING_FAILED,
	LOG_READING_RESTORED,
	LOG_EVENTS
};

/* What it is about: a port, and a setting or symptom of it; NULL where it is not. */
struct topic {
	const char *port, *item;
};

/* Where journald listens. */
#define LOG_JOURNAL "/run/systemd/journal/socket"

struct log {
	int journal; /* socket of journald's native protocol; -1: plain lines */
};

/* The journal's socket, or plain lines where `socket_name` is NULL or nobody listens. */
void log_open(struct log *l, const char *socket_name);
void log_close(struct log *l);

/* Says one thing. What came from outside cannot begin a line of its own. */
void log_say(const struct log *l, enum log_event e, struct topic about, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define NO_TOPIC ((struct topic){ NULL, NULL })

#endif
