/* The verbs of the command line; help, completion and manual come from the table. */
#ifndef LOSSLESSCTL_CLI_VERBS_VERBS_H
#define LOSSLESSCTL_CLI_VERBS_VERBS_H

#include "../../agent/engine/target/inventory.h"
#include "../../agent/engine/target/target.h"
#include "../cli.h"

extern const struct verb verbs[];
extern const size_t verbs_count;

/* Each prints its result and returns an exit code, or returns -1 and sets *err. */
int verb_check(struct cli *c, struct err *err);
int verb_schema(struct cli *c, struct err *err);
int verb_explain(struct cli *c, struct err *err);
int verb_show(struct cli *c, struct err *err);
int verb_plan(struct cli *c, struct err *err);
int verb_apply(struct cli *c, struct err *err);
int verb_verify(struct cli *c, struct err *err);
int verb_doctor(struct cli *c, struct err *err);
int verb_env(struct cli *c, struct err *err);
int verb_confirm(struct cli *c, struct err *err);
int verb_rollback(struct cli *c, struct err *err);
int verb_peer(struct cli *c, struct err *err);
int verb_agent(struct cli *c, struct err *err);
int verb_watch(struct cli *c, struct err *err);
int verb_history(struct cli *c, struct err *err);
int verb_draft(struct cli *c, struct err *err);
int verb_diff(struct cli *c, struct err *err);
int verb_bundle(struct cli *c, struct err *err);
int verb_headroom(struct cli *c, struct err *err);
int verb_ready(struct cli *c, struct err *err);
int verb_probe(struct cli *c, struct err *err);
int verb_help(struct cli *c, struct err *err);

/*
 * Collects what `bundle` does, and prints it on standard output, which is the file if there is one.
 * The host is open. `ready` is ready_document(), which reads what bundle_write() need not have the
 * right to read. Listens to LLDP only if asked; with `sample_s` the counters are read twice.
 */
bool bundle_write(struct cli *c, json_t *ready, bool listens, unsigned sample_s,
		  struct err *err) must_check;

/*
 * Documents that `bundle` holds as well, without printing them. The caller owns *ret. That of
 * `ready` has all checks of all ports, without a policy; that of `verify` is about the policy of
 * this host, and fails without one; that of the recordings has the error of each file that is none.
 */
bool show_document(struct cli *c, const struct inventory *inv, json_t **ret,
		   struct err *err) must_check;
bool ready_document(struct cli *c, json_t **ret, struct err *err) must_check;
bool verify_document(struct cli *c, json_t **ret, struct err *err) must_check;
bool history_document(struct cli *c, json_t **ret, struct err *err) must_check;
bool recordings_document(struct cli *c, json_t **ret, struct err *err) must_check;
bool peer_document(struct cli *c, const struct inventory *inv, json_t **ret,
		   struct err *err) must_check;

/* ---- the ports that a verb is about ---- */

/* The opening of a verb that reads: its policy, its host, live or captured, and its ports. */

/* Owned by the caller; scope_free() frees. */
struct scope {
	struct policy *policy; /* NULL: there is none */
	struct inventory inventory;
	struct targets targets; /* the ports that the policy covers; all without one */
};

void scope_free(struct scope *r);
#define _scope_ __attribute__((cleanup(scope_free)))

enum scope_policy { POLICY_NONE, POLICY_IF_ANY, POLICY_REQUIRED };

/*
 * Warns of a policy with rules by address where the host is an anonymised bundle: its addresses are
 * made up, and such a rule fits another port or none.
 */
void warn_of_made_up(const struct cli *c, const struct policy *p);

/* First step: opens the policy and the host. */
bool scope_open(struct cli *c, enum scope_policy need, struct scope *ret,
		struct err *err) must_check;

/* Second step: finds the ports. `all_rules`: fails if a rule does not find its ports. */
bool scope_find(struct cli *c, bool all_rules, struct scope *r, struct err *err) must_check;

/* Third step: reads the settings of ports. */
bool targets_observe(struct cli *c, struct targets *all, struct err *err) must_check;

#endif
