#include "agent.h"

/* Log errors, which decide the verdict, and warnings; `verify` reports the rest. */
static lint_set reported(const struct agent *a, lint_set findings)
{
	const struct severities *s = &a->policy->severities;

	return findings_of_severity(findings, s, SEVERITY_CRITICAL) |
	       findings_of_severity(findings, s, SEVERITY_WARNING);
}

static struct topic topic_of(const struct monitored_port *mp, const struct severities *s,
			     size_t lint)
{
	return (struct topic){ .port = mp->port.id.name,
			       .lint = lint_at(lint)->name,
			       .severity = severity_name(severity_of_lint(s, lint)),
			       .fix = lint_at(lint)->fix };
}

static void log_detected(struct agent *a, struct monitored_port *mp, size_t lint)
{
	struct lint_input in = monitored_port_lint_input(mp, &a->policy->severities);
	bool is_error = severity_of_lint(in.severities, lint) == SEVERITY_CRITICAL;
	const struct lint *r = lint_at(lint);
	char text[LINT_TEXT_MAX];

	log_event(&a->log, is_error ? LOG_FINDING_CRITICAL : LOG_FINDING_WARNING,
		  topic_of(mp, in.severities, lint), "%s: %s; fix: %s%s", r->name,
		  finding_message(&in, lint, text), r->fix,
		  mp->invalid ? "; until then the agent neither verifies nor repairs this port"
			      : "");
}

/* A finding about settings that a restart of the driver reset follows from that: one event. */
static lint_set worth_a_line(const struct monitored_port *mp, lint_set findings)
{
	for (size_t i = 0; lint_at(i); i++)
		if (lint_reads(lint_at(i)) & mp->reset_settings)
			findings &= ~LINT(i);
	return findings;
}

void agent_check_findings(struct agent *a, struct monitored_port *mp)
{
	struct lint_input in = monitored_port_lint_input(mp, &a->policy->severities);
	lint_set before = mp->findings;
	lint_set now = mp->invalid ? mp->invalid : reported(a, findings_of(&in, before));
	lint_set logged = mp->logged_findings;

	mp->reset_settings &= mp->differ;
	mp->findings = now;
	mp->logged_findings = (logged & now) | (mp->invalid ? now : worth_a_line(mp, now));
	for (size_t i = 0; i < LINTS_MAX; i++)
		if (mp->logged_findings & ~logged & LINT(i))
			log_detected(a, mp, i);
		else if (logged & ~now & LINT(i))
			log_event(&a->log, LOG_FINDING_CLEARED, topic_of(mp, in.severities, i),
				  "%s: no longer found", lint_at(i)->name);
	a->status_dirty = a->status_dirty || now != before;
}
