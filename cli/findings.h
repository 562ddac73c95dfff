/* What the rules find in a setup: told to people, and written down. */
#ifndef LOSSLESSCTL_CLI_FINDINGS_H
#define LOSSLESSCTL_CLI_FINDINGS_H

#include "target.h"

/*
 * "losslessctl: warning: WHERE: TEXT (RULE)" and the mend, on standard error;
 * advice dimmed. With --quiet only errors.
 */
void print_finding(const struct cli *c, const char *where, const struct rule *r, const char *text);

/* {rule, severity, message, fix}. */
json_t *finding_to_json(const struct rule *r, const char *text);

/*
 * What of a port's setup the rules judge: receive buffers that the policy does
 * not speak of are firmware's, which sizes them again after a change of PFC.
 */
struct config judged_setup(const struct config *c, knobset wanted);

/* A rule that speaks of what is wanted, and that the port as it is breaks. */
bool port_breaks(const struct target *t, const struct rule *r, char text[RULE_TEXT_MAX]);

/* All of those, or NULL. */
json_t *port_findings(const struct target *t);

/* The same on standard output; advice only with --verbose. */
void print_port_findings(const struct cli *c, const struct target *t);

#endif
