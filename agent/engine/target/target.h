/* A port, the rule of the policy that it ends in, what it has, and what speaks against a change. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_TARGET_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_TARGET_H

#include "../../../policy/document/policy.h"
#include "../../../policy/lint/finding.h"
#include "../../../policy/model/setting.h"
#include "../observe.h"
#include "../transaction.h"
#include "inventory.h"

#define REFUSALS_MAX (SETTING_COUNT + 16)

struct refusal {
	const char *setting; /* path of the setting it is about, or the key of the policy */
	char why[LINT_TEXT_MAX], fix[224];
};

struct target {
	struct task task;		     /* its port, and what is wanted of it */
	const struct port_rule *rule;	     /* NULL: it goes back to what it was */
	const struct severities *severities; /* the policy's; NULL: no policy states any */
	struct capabilities capabilities;
	struct observation seen;
	unsigned must_agree; /* what `verify` asks the switch for: bits by enum agreement */
	setting_set skipped; /* wanted, not there, and rightly so: target_skip_why() */
	struct refusal refusals[REFUSALS_MAX];
	size_t refusals_count;
	lint_set lints; /* that the plan breaks, and that are no errors */
};

/* Owned by whoever asked for it; targets_free() frees. */
struct targets {
	struct target *list;
	size_t count;
};

void targets_free(struct targets *t);
#define _targets_ __attribute__((cleanup(targets_free)))

/*
 * The ports that the policy speaks of, in inventory order. A port that does not
 * tell what the policy depends on is refused already. A port that is selected by name and no
 * rule matches is ERR_UNKNOWN; so is a pattern all of whose ports no rule matches.
 */
bool targets_choose(const struct engine *e, const struct policy *p, const struct inventory *inv,
		    struct targets *ret, struct err *err) must_check;

/* The same, for a policy whose rules all find their ports (unmet.h); else ERR_GONE. */
bool targets_find(const struct engine *e, const struct policy *p, const struct inventory *inv,
		  struct targets *ret, struct err *err) must_check;

/* Why a setting was skipped: it is optional, or another port has it. */
const char *target_skip_why(const struct target *t, unsigned setting);

/*
 * Makes what reading needs, for the features that are wanted: a host that writes does that. What
 * cannot be made is refused.
 */
void target_prepare(const struct engine *e, struct target *t);

/* Reads the port, and drops from what is wanted what it may lack. */
bool target_observe(const struct engine *e, struct target *t, struct err *err) must_check;

/* The input for the findings of a target. Borrows. */
struct lint_input target_lint_input(const struct target *t);

/* Adds one refusal. */
void target_refuse(struct target *t, const char *setting, const char *why, const char *fix);

/* The number that a user would give a rule: from 1, in the order of the document. */
#define RULE_NUMBER(policy, rule) ((int)((rule) - (policy)->rules) + 1)

#endif
