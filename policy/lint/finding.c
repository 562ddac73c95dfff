#include "finding.h"

#include "../model/setting.h"

#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))

struct config lintable_settings(const struct config *c, setting_set desired)
{
	struct config out = *c;

	if (!(desired & BUFFERS))
		out.has &= ~BUFFERS;
	out.has &= desired | ~SETTING(SETTING_CNP_PRIORITY_MODE);
	return out;
}

static bool can_be_checked(const struct lint *r, const struct config *c)
{
	return (c->has & r->needs) == r->needs;
}

lint_set findings_of(const struct lint_input *j, lint_set before)
{
	struct config setup = lintable_settings(j->actual, j->desired);
	lint_set found = 0;
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
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
	struct config setup = lintable_settings(j->actual, j->desired);

	return lint_message(lint_at(lint), &setup, j->capabilities, text);
}
