/*
 * Logs events of the agent and of the confirmation watchdog: to the journal, with fields that can
 * be searched, to a reporter, or as plain lines on standard error.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_LOG_H
#define LOSSLESSCTL_AGENT_HOST_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "../../policy/model/config.h"

/* ---- times ---- */

/* Times as journals, reports and logs have them (RFC 3339, UTC). */

#define TIMESTAMP_MAX 32

/*
 * "2026-11-22T21:36:05Z" of seconds since 1970, returned in buf; empty if time_t cannot hold them.
 */
const char *timestamp_text(int64_t when_s, char buf[TIMESTAMP_MAX]);

/* The time of such a text, in seconds since 1970. False if it is not a timestamp. */
bool timestamp_parse(const char *text, int64_t *ret_s);

/* The time now, by the clock of the wall. */
const char *timestamp_now(char buf[TIMESTAMP_MAX]);

/* ---- log ---- */

/*
 * The events that are logged; each has a severity and a MESSAGE_ID of its own, which never change.
 * A symptom or a finding of another severity is another event with the same MESSAGE_ID.
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
	LOG_APPLY_UNCONFIRMED, /* nobody rolls it back */
	LOG_FINDING_CRITICAL,
	LOG_FINDING_WARNING,
	LOG_FINDING_CLEARED,
	LOG_READING_FAILED,
	LOG_READING_RESTORED,
	LOG_RECORDING_SAVED,
	LOG_RECORDING_WITHHELD,
	LOG_DRIVER_REINITIALIZED,
	LOG_EVENTS
};

/* The port that an event is about, and its further fields. Each may be unset; all are borrowed. */
struct topic {
	const char *port, *setting, *symptom, *lint, *severity; /* severity of symptom or lint */
	const char *origin, *fix, *likely_writer;
	setting_set settings;		  /* several settings in one event */
	int rule_number;		  /* counted from 1 */
	const struct drift_record *drift; /* the values of `setting`, and their likely writer */
	const struct policy *policy;	  /* the policy that the agent loaded */
};

/* The text fields of a topic, by their names in JSON and in the journal. */
struct log_field {
	const char *key;
	const char *journal; /* with "="; NULL: only in JSON */
	size_t offset;	     /* in struct topic */
};
extern const struct log_field log_fields[];
extern const size_t log_fields_count;

/* Returns the value of a text field, or NULL. */
const char *log_field_value(const struct topic *about, const struct log_field *f);

/* One event, for a reporter. */
struct log_entry {
	const char *event, *message;
	const char *severity; /* "critical", "warning" or "info" */
	int priority;	      /* as in syslog(3) */
	const struct topic *about;
};

/* journald's socket. */
#define LOG_JOURNAL "/run/systemd/journal/socket"

struct log {
	int journal; /* socket of journald's native protocol; -1: none */
	/* Reports an event elsewhere; false: it could not. NULL: no reporter. */
	bool (*report)(void *arg, const struct log_entry *e);
	void *arg; /* borrowed */
};

/* Connects to the journal, without a reporter; journal is -1 without a socket or a listener. */
void log_open(struct log *l, const char *socket_name);
/* Closes the socket. */
void log_close(struct log *l);

/*
 * Logs one event; as a plain line if neither the journal nor the reporter takes it. Text from
 * outside cannot begin a line of its own.
 */
void log_event(const struct log *l, enum log_event e, struct topic about, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#define NO_TOPIC ((struct topic){ .port = NULL })

#endif
