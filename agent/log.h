/*
 * What the agent has to say, one event at a time: to the journal with fields
 * that can be searched, or as plain lines on standard error.
 */
#ifndef LOSSLESSCTL_AGENT_LOG_H
#define LOSSLESSCTL_AGENT_LOG_H

/* As syslog(3) numbers them. */
enum log_priority { LOG_ERROR = 3, LOG_WARN = 4, LOG_NOTE = 5, LOG_TELL = 6 };

/* What happened; each has a MESSAGE_ID of its own, which never changes. */
enum log_event {
	LOG_STARTED,
	LOG_STOPPED,
	LOG_RELOADED,
	LOG_POLICY_REFUSED,
	LOG_DRIFTED,
	LOG_ENDED,
	LOG_REPAIRED,
	LOG_NOT_REPAIRED,
	LOG_CONTESTED,
	LOG_SYMPTOM,
	LOG_SYMPTOM_GONE,
	LOG_PORT,
	LOG_TROUBLE,
	LOG_EVENTS
};

struct log {
	int journal; /* socket of journald's native protocol; -1: plain lines */
};

/* The journal's socket, or plain lines where `socket_name` is NULL or nobody listens. */
void log_open(struct log *l, const char *socket_name);
void log_close(struct log *l);

/* Says one thing, of a port and a setting where it is about them (else NULL). */
void log_say(const struct log *l, enum log_priority p, enum log_event e, const char *port,
	     const char *item, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

#endif
