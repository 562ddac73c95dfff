/* All that the agent gets from whoever starts it, and the state that it reports. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DAEMON_OPTIONS_H
#define LOSSLESSCTL_AGENT_DAEMON_DAEMON_OPTIONS_H

#include "../engine/engine.h"
#include "monitored_port.h"

/* The agent's state, for a report. Borrowed, for the call. */
struct agent_status {
	const struct policy *policy;
	const struct monitored_ports *ports;
	enum status worst;     /* of all ports, and of rules without their ports */
	bool reloaded;	       /* the last reload succeeded */
	uint64_t checked_at_s; /* Unix time of the last check; 0: there was none */
	uint64_t now_ms;       /* the host's clock, as the times in `ports` */
};

struct daemon_options {
	struct engine engine; /* its host only reads; warns until the agent is ready */
	const char *root;     /* of the files of the host that it writes to */
	const char *version;
	unsigned check_s, sample_s; /* how often; 0: the default */
	const char *notify_socket;  /* of the service manager (sd_notify(3)); NULL: none */
	unsigned watchdog_ms;	    /* how often it wants a sign of life; 0: never */
	bool log_to_journal;	    /* in journald's own protocol, else plainly on standard error */

	/* Loads the policy anew, for a reload. The caller frees *ret. */
	bool (*load_policy)(void *arg, struct policy **ret, struct err *err);
	/* The text of status.json, which the caller frees; NULL: no memory. */
	char *(*status_text)(void *arg, const struct agent_status *s);
	const char *(*verdict_word)(enum status s);
	void *arg; /* borrowed */
};

#endif
