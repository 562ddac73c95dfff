#include "finding.h"

#include "../model/setting.h"

#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))

struct config judged_setup(const struct config *c, settingset desired)
{
	struct config out = *c;

	if (!(desired & BUFFERS))
		out.has &= ~BUFFERS;
	return out;
}

static bool can_be_judged(const struct rule *r, const struct config *c)
{
	return (c->has & r->judges) == r->judges;
}

lint_set findings_of(const struct lint_input *j, lint_set before)
{
	struct config setup = judged_setup(j->actual, j->desired);
	lint_set found = 0;
	const struct rule *r;

	for (size_t i = 0; (r = rule_at(i)); i++) {
		bool stays = (before & LINT(i)) && !can_be_judged(r, &setup);

		if ((rule_looks_at(r) & j->desired) &&
		    severity_of_lint(j->severities, i) != SEVERITY_IGNORE &&
		    (stays || rule_broken(r, &setup, j->capabilities)))
			found |= LINT(i);
	}
	return found;
}

lint_set findings_with(lint_set findings, const struct severities *s, enum severity severity)
{
	lint_set out = 0;

	for (size_t i = 0; rule_at(i); i++)
		if ((findings & LINT(i)) && severity_of_lint(s, i) == severity)
			out |= LINT(i);
	return out;
}

const char *finding_text(const struct lint_input *j, size_t lint, char text[RULE_TEXT_MAX])
{
	struct config setup = judged_setup(j->actual, j->desired);

	return rule_text(rule_at(lint), &setup, j->capabilities, text);
}
