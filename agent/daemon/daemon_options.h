/* The parameters of the agent, and the state that it passes back for reports. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DAEMON_OPTIONS_H
#define LOSSLESSCTL_AGENT_DAEMON_DAEMON_OPTIONS_H

#include "../engine/engine.h"
#include "monitored_ports.h"
#include "flight_recorder.h"

/* The agent's state, for a report. Borrowed for the duration of the call. */
struct agent_status {
	const struct policy *policy;
	const struct monitored_ports *ports;
	enum status worst;		   /* worst of all ports and unmet rules */
	bool reloaded;			   /* the last reload succeeded */
	uint64_t checked_at_s;		   /* Unix time of the last check; 0: none yet */
	uint64_t now_ms;		   /* host clock, as the times in `ports` */
	const struct recorded *recordings; /* RECORDINGS_MAX of them */
};

struct daemon_options {
	struct engine engine; /* its host only reads; gives warnings until the agent is ready */
	const char *root;     /* root directory of the host that it writes to */
	const char *version;
	unsigned verify_interval_s, sample_interval_s; /* intervals; 0: default */
	const char *notify_socket; /* systemd's socket (sd_notify(3)); NULL: none */
	unsigned watchdog_ms;	   /* interval of systemd's watchdog; 0: none */
	bool log_to_journal;	   /* by journald's protocol */
	const char
		*label_file; /* where NFD reads the node's label (status_file.c); NULL: nowhere */

	/* Reports an event, as in struct log. NULL: plain text, unless log_to_journal is set. */
	bool (*report_event)(void *arg, const struct log_entry *e);
	/* Returns the text of status.json, which the caller frees. NULL: out of memory. */
	char *(*status_text)(void *arg, const struct agent_status *s);
	/* Returns the beginning of a recording: the host, and its schema. The caller owns it. */
	struct json_t *(*recording_head)(void *arg);
	void *arg; /* borrowed */
};

#endif
