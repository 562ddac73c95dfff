#include "finding.h"

#include "../model/setting.h"

/* The settings as this lint sees them. */
static struct config seen_by(const struct lint *r, const struct lint_input *j)
{
	struct config out = *j->actual;

	out.has &= j->desired | ~r->if_desired;
	return out;
}

static bool can_be_checked(const struct lint *r, const struct config *c)
{
	return (c->has & r->needs) == r->needs;
}

lint_set findings_of(const struct lint_input *j, lint_set before)
{
	lint_set found = 0;
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		struct config setup = seen_by(r, j);
		bool stays = (before & LINT(i)) && !can_be_checked(r, &setup);

		if ((lint_reads(r) & j->desired) &&
		    severity_of_lint(j->severities, i) != SEVERITY_IGNORE &&
		    (stays || lint_fails(r, &setup, j->capabilities)))
			found |= LINT(i);
	}
	return found;
}

lint_set findings_of_severity(lint_set findings, const struct severities *s, enum severity severity)
{
	lint_set out = 0;

	for (size_t i = 0; lint_at(i); i++)
		if ((findings & LINT(i)) && severity_of_lint(s, i) == severity)
			out |= LINT(i);
	return out;
}

const char *finding_message(const struct lint_input *j, size_t lint, char text[LINT_TEXT_MAX])
{
	struct config setup = seen_by(lint_at(lint), j);

	return lint_message(lint_at(lint), &setup, j->capabilities, text);
}
