/*
 * Lints: checks of one port's whole configuration. They check the settings that a port ends up
 * with, not those a policy asks for: PFC with global pause is wrong only if both are in effect at
 * once.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_LINT_H
#define LOSSLESSCTL_POLICY_LINT_LINT_H

#include <stddef.h>

#include "../model/config.h"

struct fabric;

/*
 * Error: the setup is refused or cannot be lossless. Warning: it is lossless only without load.
 * Info: it works, but differs from recommended practice. Ignore: the lint is not checked; only a
 * policy can set this.
 */
enum severity { SEVERITY_IGNORE, SEVERITY_ADVICE, SEVERITY_WARNING, SEVERITY_ERROR };

/* "ignore", "advice", "warning", "error". */
const char *severity_name(enum severity s);

/*
 * Properties of a port that are not settings. An unknown property is 0, and lints then assume its
 * best possible value, so that a finding never depends on a guess.
 */
struct capabilities {
	uint32_t speed_mbps;
	uint32_t max_mtu;	 /* the largest MTU that the port supports */
	uint8_t pfc_cap;	 /* number of traffic classes that can be lossless at once */
	uint8_t traffic_classes; /* number of traffic classes */
	bool types; /* credit-based shaping is supported; valid only if traffic_classes is known */
	uint32_t min_mtu;	   /* the smallest MTU that the port supports */
	uint32_t buffer_bytes;	   /* total size of all receive buffers */
	char upper[VLAN_NAME_MAX]; /* the bond or VLAN device on this port with the smallest MTU */
	uint32_t upper_mtu;	   /* MTU of `upper` */
	const struct fabric
		*fabric;   /* the map of the switches that the port is connected to; borrowed */
	bool lldpad_runs;  /* lldpad runs on this host */
	bool lldpad_looms; /* lldpad does not run, but is enabled at boot */
};

#define RULE_TEXT_MAX 512
#define LINTS_MAX     64 /* upper bound for arrays with a bit or a byte for each lint */

struct rule {
	const char *name;
	enum severity severity;
	settingset judges; /* the lint is checked only if all of these are known */
	const char *says;  /* the message of the finding */
	const char *mend;  /* how to fix it */
	const char *why;

	/*
	 * True if the lint passes; set one of the two. A lint about the document itself has
	 * neither: see lint_of_document().
	 */
	bool (*holds)(const struct config *c);
	bool (*holds_here)(const struct config *c, const struct capabilities *f);

	/* The fields below are optional. */
	settingset about; /* settings also read if they are known */
	void (*tell)(const struct config *c, const struct capabilities *f,
		     char text[RULE_TEXT_MAX]);
};

/* All lints in reading order; NULL past the last. */
const struct rule *rule_at(size_t i);

/*
 * Lints about the document itself, not about a port's settings: code that reads the policy finds
 * them.
 */
enum written_rule { WRITTEN_CLASS_OVERRIDDEN, WRITTEN_RULE_CAN_WIN, WRITTEN_LINT_LOWERED };
const struct rule *rule_written(enum written_rule w);

/* The index of a lint, for lint_at(). */
size_t rule_number(const struct rule *r);

/* All settings that a lint reads. */
settingset rule_looks_at(const struct rule *r);

/* True if all settings that the lint needs are known and it fails. */
bool rule_broken(const struct rule *r, const struct config *c, const struct capabilities *f);

/* The message for this configuration, which must fail the lint. Returns `text`. */
const char *rule_text(const struct rule *r, const struct config *c, const struct capabilities *f,
		      char text[RULE_TEXT_MAX]);

#endif
