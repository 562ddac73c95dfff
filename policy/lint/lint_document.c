/* Lints about the document itself, not about a port's settings; `check` finds them. */
#include "lint_list.h"

const struct lint lints_document[] = {
	[LINT_CLASS_OVERRIDDEN] = {
		.name = "class-overridden",
		.severity = SEVERITY_WARNING,
		.message = "a setting beside the classes says something else than they do",
		.fix = "remove the setting, or say in the classes what is meant",
		.why = "Classes are the intent, from which PFC, ETS, marking and ECN are derived "
		       "together. A setting beside them wins, and then only that one is different.",
	},
	[LINT_RULE_UNREACHABLE] = {
		.name = "rule-unreachable",
		.severity = SEVERITY_WARNING,
		.message = "a rule for ports that can never win",
		.fix = "put the rule for fewer ports last, or remove it",
		.why = "Of the rules that match a port the last one wins, whole. A later rule that "
		       "matches all ports of an earlier one leaves nothing to it.",
	},
	[LINT_LOWERED] = {
		.name = "lint-lowered",
		.severity = SEVERITY_WARNING,
		.message = "the policy lowers a lint of severity error: it no longer stops apply",
		.fix = "remove the lint from \"severity\", or ignore this one there",
		.why = "Such a lint names a setup that firmware refuses, or that loses packets. "
		       "Apply still reads back what it writes, and rolls back what did not take "
		       "effect.",
	},
	{ .name = NULL },
};
