/*
 * What makes a setup sound: rules over one port's whole config. They judge
 * what a port ends up with, not what was asked for: PFC beside global pause is
 * wrong only if both are there afterwards.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_LINT_H
#define LOSSLESSCTL_POLICY_LINT_LINT_H

#include <stddef.h>

#include "../model/config.h"

struct fabric;

/*
 * Error: it is refused, or cannot be lossless. Warning: it is lossless only
 * until there is load. Advice: it works, and experts do it otherwise. Ignore:
 * only a policy says so, about a lint that is not to be judged.
 */
enum severity { SEVERITY_IGNORE, SEVERITY_ADVICE, SEVERITY_WARNING, SEVERITY_ERROR };

/* "ignore", "advice", "warning", "error". */
const char *severity_name(enum severity s);

/*
 * What a rule may want to know of a port besides its setup. What is unknown (0)
 * is taken for the best that it could be: only what is wrong either way is wrong.
 */
struct capabilities {
	uint32_t speed_mbps;
	uint32_t max_mtu;	     /* the largest that the port would take */
	uint8_t pfc_cap;	     /* how many traffic classes can be lossless at once */
	uint8_t traffic_classes;     /* how many there are */
	bool types;		     /* credit-based shaping: only where the classes are known */
	uint32_t min_mtu;	     /* the smallest that the port would take */
	uint32_t buffer_bytes;	     /* room of all receive buffers */
	char upper[VLAN_NAME_MAX];   /* the bond or VLAN device above it with the smallest MTU */
	uint32_t upper_mtu;	     /* its MTU */
	const struct fabric *fabric; /* the switches around it; borrowed */
	bool lldpad_runs;	     /* on this host */
	bool lldpad_looms;	     /* it does not, and starts with the next boot */
};

#define RULE_TEXT_MAX 512
#define LINTS_MAX     64 /* room for all rules, a bit or a byte each */

struct rule {
	const char *name;
	enum severity severity;
	settingset judges; /* judged only when all of these are known */
	const char *says;  /* what is wrong when it does not hold */
	const char *mend;  /* what to do about it */
	const char *why;

	/* One of the two: the second is for rules that want facts. Neither: see rule_written(). */
	bool (*holds)(const struct config *c);
	bool (*holds_here)(const struct config *c, const struct capabilities *f);

	/* The rest is optional. */
	settingset about; /* looked at, too, where they are known */
	void (*tell)(const struct config *c, const struct capabilities *f,
		     char text[RULE_TEXT_MAX]);
};

/* All rules, in the order a user would read them; NULL behind the last. */
const struct rule *rule_at(size_t i);

/* Rules about what was written, not about a setup: whoever reads the policy finds them broken. */
enum written_rule { WRITTEN_CLASS_OVERRIDDEN, WRITTEN_RULE_CAN_WIN, WRITTEN_LINT_LOWERED };
const struct rule *rule_written(enum written_rule w);

/* The number of a rule: rule_at() finds it there. */
size_t rule_number(const struct rule *r);

/* Everything that a rule looks at. */
settingset rule_looks_at(const struct rule *r);

/* Is everything known that the rule needs, and does the rule not hold? */
bool rule_broken(const struct rule *r, const struct config *c, const struct capabilities *f);

/* What is wrong with this very setup, which breaks the rule. Returns `text`. */
const char *rule_text(const struct rule *r, const struct config *c, const struct capabilities *f,
		      char text[RULE_TEXT_MAX]);

#endif
