/* Findings, the lints that a setup breaks: printed for people, and as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_LINT_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_LINT_TEXT_H

#include "../../agent/engine/target/preflight.h"
#include "../../policy/lint/finding.h"
#include "../cli.h"

/*
 * "losslessctl: warning: WHERE: TEXT (RULE)" and the mend, on standard error;
 * advice dimmed. With --quiet only errors.
 */
void print_finding(const struct cli *c, const char *where, const struct lint *r, enum severity s,
		   const char *text);

/* {rule, severity, message, fix}. */
json_t *finding_to_json(const struct lint *r, enum severity s, const char *text);

/* Prints the lints that the plans break and that are no errors; advice with --verbose. */
void print_lints_of_plans(const struct cli *c, const struct targets *all);

/* All of them, or NULL: there are none. */
json_t *findings_to_json(const struct lint_input *in, lint_set findings);

/* Those that are printed: advice only with --verbose. */
lint_set findings_printed(const struct cli *c, const struct lint_input *in, lint_set findings);

/* Prints them on standard output. */
void print_findings(const struct cli *c, const struct lint_input *in, lint_set findings);

#endif
