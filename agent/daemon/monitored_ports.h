/* A port that the agent monitors: its desired and actual settings, its drift and its counters. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_MONITORED_PORTS_H
#define LOSSLESSCTL_AGENT_DAEMON_MONITORED_PORTS_H

#include "../../policy/lint/finding.h"
#include "../../policy/util/sha256.h"
#include "../engine/ready/ready_reader.h"
#include "../engine/target/target.h"
#include "../engine/target/unmet_rules.h"
#include "../engine/verify/drift_cause.h"
#include "../engine/verify/status.h"
#include "../host/log.h"
#include "drift.h"

enum presence { PRESENCE_UNKNOWN, PRESENCE_HERE, PRESENCE_GONE };

/* A restart of a port's driver: seen, then waited for until it has settled, then reported. */
enum restart { RESTART_NONE, RESTART_SEEN, RESTART_SETTLING };

struct monitored_port {
	struct port port;
	const struct port_rule *rule;
	struct config desired, actual;
	char digest[SHA256_HEX];	       /* hash of `actual`; "": it changed since */
	setting_set compared, differ, unknown; /* at the last check */
	setting_set readable;		       /* read at least once since the driver started */
	setting_set unreadable;		       /* reported as unreadable */
	char unresolved[LINT_TEXT_MAX]; /* why the policy gives no desired settings; "": it does */
	bool unresolved_logged;
	lint_set invalid; /* errors of the desired settings: they are not verified nor repaired */
	bool checked, gone;
	struct capabilities capabilities; /* at the last check, like the findings */
	lint_set findings;
	lint_set logged_findings;      /* these have a line in the log */
	bool repair_paused;	       /* an operator applied another policy since */
	bool check_failed;	       /* the last check failed: its state is unknown */
	enum presence logged_presence; /* the state that was logged last */
	uint64_t gone_ms;	       /* first time that it was seen gone; 0: it is here */
	enum restart restart;
	bool new_netdev;	    /* that restart made another netdev */
	setting_set reset_settings; /* those that it reset, while they differ */
	unsigned clues;		    /* since the last check (../engine/verify/drift_cause.h) */
	uint64_t checked_ms;	    /* start of the last check */
	bool due;		    /* an event asks for a check */
	bool put_off;		    /* the last check was put off */
	uint64_t run_seen_ms;	    /* first time that a check waited for a run; 0: none */
	bool came_up;		    /* the link came up since the last check */
	/* At the last check; no count of link flaps: the driver changes the carrier by itself. */
	uint32_t carrier_changes;
	/* Unix time at which drift.since_ms was first recorded, and that value of it. */
	int64_t first_seen_s[SETTING_COUNT];
	uint64_t first_seen_ms[SETTING_COUNT];
	setting_set recalled; /* drift that the previous agent recorded, until the first check */
	uint64_t drifts, repairs;
	uint64_t rolled_back, rollback_failed; /* failed repairs */
	struct drift drift;
	struct sampled_port sampler;
	uint64_t run_ended_ns; /* lock_stamped_ns() at the last sample */
	bool sampled;
	unsigned unread; /* the last samples in a row that lack counters which the port has */
	struct readiness readiness;	/* at the last look (sampling.c) */
	uint8_t shown[SYMPTOMS_MAX];	/* enum severity of each logged symptom */
	char last_error[LINT_TEXT_MAX]; /* logged last, so that it is logged once */
};

/* Owned by the agent; free(list). */
struct monitored_ports {
	struct monitored_port *list;
	size_t count;
	struct unmet unmet; /* rules without their ports */
};

/*
 * Lists the ports that the policy covers, and those of `old` that are gone. Recognizes a returning
 * port by its PCI address; of several with one address, by its interface or name. A port keeps its
 * state unless its desired settings change.
 */
bool monitored_ports_update(const struct engine *e, const struct policy *p,
			    const struct monitored_ports *old, struct monitored_ports *ret,
			    struct err *err) must_check;

/* Returns the status by the last check. */
enum status monitored_port_settings(const struct monitored_port *mp, const struct severities *s);
/* Returns the status by the last check and the last window of counters. */
enum status monitored_port_status(const struct monitored_port *mp, const struct severities *s);

/* Returns the lints' input: the last check, or invalid desired settings. Borrows. */
struct lint_input monitored_port_lint_input(const struct monitored_port *mp,
					    const struct severities *s);

/* Returns the topic of a log line about the port, and about one of its settings or NULL. */
struct topic monitored_port_topic(const struct monitored_port *mp, const char *setting);

/* Finds the monitored port with this interface, or NULL. */
struct monitored_port *monitored_port_by_index(const struct monitored_ports *all, unsigned ifindex);

/* Finds another member of its bond with other desired settings, or NULL. */
const struct monitored_port *monitored_port_unlike(const struct monitored_ports *all,
						   const struct monitored_port *mp);
/* Finds another member of its bond without a link, or NULL. */
const struct monitored_port *monitored_port_down(const struct monitored_ports *all,
						 const struct monitored_port *mp);

#endif
