#include "lint.h"

#include <stdio.h>

#include "lint_list.h"

static const struct rule *const subjects[] = {
	rules_pfc,  rules_buffer, rules_ets,	rules_marking,
	rules_vlan, rules_ecn,	  rules_fabric, rules_written,
};

const char *severity_name(enum severity s)
{
	static const char *const names[] = {
		[SEVERITY_IGNORE] = "ignore",
		[SEVERITY_ADVICE] = "advice",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error",
	};

	return names[s];
}

const struct rule *rule_at(size_t i)
{
	for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++)
		for (const struct rule *r = subjects[s]; r->name; r++)
			if (i-- == 0)
				return r;
	return NULL;
}

const struct rule *rule_written(enum written_rule w)
{
	return &rules_written[w];
}

size_t rule_number(const struct rule *r)
{
	size_t i = 0;

	while (rule_at(i) != r)
		i++;
	return i;
}

settingset rule_looks_at(const struct rule *r)
{
	return r->judges | r->about;
}

bool rule_broken(const struct rule *r, const struct config *c, const struct capabilities *f)
{
	if ((c->has & r->judges) != r->judges)
		return false;
	if (r->holds)
		return !r->holds(c);
	return r->holds_here && !r->holds_here(c, f);
}

const char *rule_text(const struct rule *r, const struct config *c, const struct capabilities *f,
		      char text[RULE_TEXT_MAX])
{
	snprintf(text, RULE_TEXT_MAX, "%s", r->says);
	if (r->tell)
		r->tell(c, f, text);
	return text;
}
