/*
 * Lints about a document, not about a port's settings: `check` finds those of the policy, `verify`
 * those of a job's environment.
 */
#include "lint_list.h"

#define DOCUMENT "it is about the document alone: `check` finds it"
#define JOB	 "it is about the environment of a job: `verify` and `env` find it"

const struct lint lints_document[] = {
	[LINT_CLASS_OVERRIDDEN] = {
		.name = "class-overridden",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "a setting contradicts the classes",
		.fix = "remove the setting, or change the classes",
		.why = "PFC, ETS, marking and ECN are derived together from the classes. A "
		       "setting beside them overrides only its own value, and the others no "
		       "longer fit.",
	},
	[LINT_RULE_UNREACHABLE] = {
		.name = "rule-unreachable",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "a rule can never apply",
		.fix = "put the rule for fewer ports last, or remove it",
		.why = "The last rule that matches a port applies. A later rule that matches all "
		       "ports of an earlier one makes the earlier one useless.",
	},
	[LINT_RULES_EMPTY] = {
		.name = "rules-empty",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "the policy has no rules",
		.fix = "add a rule: {\"match\": {\"name\": \"ens*\"}, \"profile\": \"NAME\"}",
		.why = "Without a rule the policy applies to no port of any host.",
	},
	[LINT_PROFILE_UNUSED] = {
		.name = "profile-unused",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "no rule uses the profile",
		.fix = "name it in a rule, or remove it",
		.why = "Its settings reach no port. Often a rule names another profile by mistake.",
	},
	[LINT_PROFILE_EMPTY] = {
		.name = "profile-empty",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "the rule has no settings: nothing is required of its ports",
		.fix = "give the profile settings; if the rule is to leave its ports alone, ignore "
		       "this lint in \"severity\"",
		.why = "`verify` cannot find drift on such a port, so its silence is no sign of "
		       "health. It exits 3 if no rule requires a setting of any port.",
	},
	[LINT_LOWERED] = {
		.name = "lint-lowered",
		.severity = SEVERITY_WARNING,
		.not_of_ports = DOCUMENT,
		.message = "the policy lowers a critical lint: it no longer stops apply",
		.fix = "remove the lint from \"severity\", or ignore this one there",
		.why = "Such a lint names a configuration that firmware refuses or that loses "
		       "packets. Apply still reads back every write, and rolls back if one has no "
		       "effect.",
	},
	[LINT_ENV_OFF_POLICY] = {
		.name = "env-off-policy",
		.severity = SEVERITY_WARNING,
		.not_of_ports = JOB,
		.message = "the environment of a job does not agree with the policy",
		.fix = "write it with `losslessctl env`",
		.why = "A host can be lossless while the job's packets carry another class: NCCL, "
		       "UCX and programs with queue pairs of their own choose it themselves. The "
		       "rank that connects decides for both ends.",
	},
	[LINT_FORCED_CLASS_HIDES_ENV] = {
		.name = "forced-class-hides-env",
		.severity = SEVERITY_WARNING,
		.not_of_ports = JOB,
		.message = "the port forces another traffic class than the environment asks for",
		.fix = "set the class that `losslessctl env` prints",
		.why = "MLNX_OFED overrides the traffic class of every program. The environment "
		       "then only seems to decide, until the job runs on a host without it.",
	},
	[LINT_GIN_CLASS_UNSET] = {
		.name = "gin-class-unset",
		.severity = SEVERITY_WARNING,
		.not_of_ports = JOB,
		.message = "the port forces a traffic class, which does not reach queue pairs that "
			   "GPUs drive themselves",
		.fix = "set NCCL_IB_TC to the class that `losslessctl env` prints",
		.why = "The class that MLNX_OFED forces reaches the queue pairs of libibverbs. "
		       "Those that GPUs drive themselves (GIN) take NCCL_GIN_IB_TC, else "
		       "NCCL_IB_TC, else DSCP 0: their packets are dropped under load "
		       "(NVIDIA/nccl#2383).",
	},
	{ .name = NULL },
};
