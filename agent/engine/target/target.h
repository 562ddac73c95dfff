/* A target: a port, its rule in the policy, its actual settings, and the refusals of a change. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_TARGET_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_TARGET_H

#include "../../../policy/document/origin.h"
#include "../../../policy/document/policy.h"
#include "../../../policy/lint/finding.h"
#include "../../../policy/model/setting.h"
#include "../engine.h"
#include "../observe.h"
#include "../task.h"
#include "inventory.h"

/*
 * Finds other programs of this host that write what a policy sets: the one that runs DCBX, which
 * has a guard, and those of other makers (other_writers.h).
 */

/* Finds those of other makers; none if the back ends cannot. Lists all processes. */
void writers_read(const struct engine *e, struct other_writers *ret);

/* Writes which program writes desired settings of the port, and how to stop that; "": none does. */
void writer_check(const struct engine *e, const struct port *port, const struct config *desired,
		  char ret[LINT_TEXT_MAX]);

#define REFUSALS_MAX (SETTING_COUNT + 16)

struct refusal {
	const char *setting; /* path of the setting, or policy key */
	const char *lint;    /* the lint that refuses it, or NULL */
	char why[LINT_TEXT_MAX], fix[224];
};

struct target {
	struct task task;		       /* the port and its desired settings */
	const struct policy *policy;	       /* NULL: a rollback */
	const struct port_rule *rule;	       /* the same */
	struct because because[SETTING_COUNT]; /* why each setting of the rule is desired */
	const struct severities *severities;   /* the policy's; NULL: none stated */
	struct capabilities capabilities;
	struct observation seen;
	unsigned must_agree; /* agreement to check with the switch: bits by enum agreement */
	setting_set skipped; /* desired but rightly absent: target_skip_why() */
	struct refusal refusals[REFUSALS_MAX];
	size_t refusals_count;
	struct guard_look look;		/* taken before its guard is asked */
	bool is_planned;		/* its port was read */
	char note[GUARD_WHY_MAX];	/* a guard's note on the plan; "": there is none */
	lint_set lints;			/* findings of the plan that refuse nothing */
	struct config unforeseen;	/* read after the writes: preflight_look_again() */
	setting_set unwritable_differs; /* settings that differ and that no run can write */
};

/* Owned by the caller; targets_free() frees. */
struct targets {
	struct target *list;
	size_t count;
};

void targets_free(struct targets *t);
#define _targets_ __attribute__((cleanup(targets_free)))

/*
 * Lists the ports that the policy covers, in inventory order. Refuses a port that does not report a
 * property that the policy depends on. ERR_UNKNOWN: no rule matches a port selected by name, or any
 * port of a pattern.
 */
bool targets_choose(const struct engine *e, const struct policy *p, const struct inventory *inv,
		    struct targets *ret, struct err *err) must_check;

/* Lists all ports, without a policy: with nothing desired. */
bool targets_of_all(const struct inventory *inv, struct targets *ret, struct err *err) must_check;

/* Lists the targets of a policy whose rules all find their ports; else ERR_GONE. */
bool targets_find(const struct engine *e, const struct policy *p, const struct inventory *inv,
		  struct targets *ret, struct err *err) must_check;

/* Returns why a setting was skipped: it is optional, or another port has it. */
const char *target_skip_why(const struct target *t, unsigned setting);

/*
 * Creates what reading the desired features needs, if the host may write. Refuses the target if
 * that fails, or would fail.
 */
void target_prepare(const struct engine *e, struct target *t);

/* Reads the port, and drops the desired settings that it may lack. */
bool target_observe(const struct engine *e, struct target *t, struct err *err) must_check;

/*
 * Leaves to lldpad what only a running one can take, if it starts later: at boot the settings of
 * ports come before the network, and lldpad after it. Its file has what an earlier apply gave it.
 */
void target_leave_to_lldpad(struct target *t);

/* Returns the settings that were left to lldpad. */
setting_set target_left_to_lldpad(const struct target *t);

/* Returns the lints' input for a target. Borrows. */
struct lint_input target_lint_input(const struct target *t);

/* Writes where a desired value comes from (origin.h). NULL: the policy desires none. */
const char *target_origin(const struct target *t, unsigned setting, char buf[ORIGIN_TEXT_MAX]);

/* Takes over what the policy says of every port. */
void target_take_policy(struct target *t, const struct policy *p);

/* The owner of a setting that is verified and never written; NULL: losslessctl. */
const char *target_owner(const struct target *t, unsigned setting);

/* Adds a refusal. */
void target_refuse(struct target *t, const char *setting, const char *why, const char *fix);

/* Adds the refusal of a lint, with its name and fix. */
void target_refuse_by_lint(struct target *t, const char *setting, const char *why,
			   const struct lint *r);

/* The number of a rule, from 1 in the order of the document. */
#define RULE_NUMBER(policy, rule) ((int)((rule) - (policy)->rules) + 1)

#endif
