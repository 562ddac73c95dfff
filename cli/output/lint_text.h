/* Lint findings, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_LINT_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_LINT_TEXT_H

#include "../../agent/engine/target/preflight.h"
#include "../../policy/lint/finding.h"
#include "../cli.h"

/*
 * Prints "losslessctl: warning: WHERE: TEXT (LINT)" and the fix on standard error; info is dimmed.
 * With --quiet, prints what is critical only.
 */
void print_finding(const struct cli *c, const char *where, const struct lint *r, enum severity s,
		   const char *text);

/* Returns {lint, severity, message, fix}; the caller owns it. */
json_t *finding_to_json(const struct lint *r, enum severity s, const char *text);

/* Returns an array of all findings, or NULL if there are none. The caller owns it. */
json_t *findings_to_json(const struct lint_input *in, lint_set findings);

/* Returns the findings that are printed: info only with --verbose. */
lint_set findings_printed(const struct cli *c, const struct lint_input *in, lint_set findings);

/* Prints the findings on standard output. */
void print_findings(const struct cli *c, const struct lint_input *in, lint_set findings);

/*
 * Prints the findings of t->lints, each once for all ports that share it; info with --verbose. With
 * --quiet, prints nothing.
 */
void print_lints(const struct cli *c, const struct targets *all);

/* The same after the advice about the host. */
void print_lints_of_plans(const struct cli *c, const struct targets *all);

#endif
