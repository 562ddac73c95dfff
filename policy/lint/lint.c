#include "lint.h"

#include <stdio.h>

#include "lint_list.h"

static const struct lint *const subjects[] = {
	lints_pfc,  lints_mtu, lints_bond,	 lints_buffer, lints_ets,      lints_marking,
	lints_vlan, lints_ecn, lints_switch_map, lints_host,   lints_document,
};

const struct lint *lint_at(size_t i)
{
	for (size_t s = 0; s < sizeof(subjects) / sizeof(subjects[0]); s++)
		for (const struct lint *r = subjects[s]; r->name; r++)
			if (i-- == 0)
				return r;
	return NULL;
}

const struct lint *lint_of_document(enum document_lint w)
{
	return &lints_document[w];
}

size_t lint_index(const struct lint *r)
{
	size_t i = 0;

	while (lint_at(i) != r)
		i++;
	return i;
}

setting_set lint_reads(const struct lint *r)
{
	return r->of_host ? EVERY_SETTING : r->needs | r->also_reads;
}

bool lint_fails(const struct lint *r, const struct config *c, const struct capabilities *f)
{
	if ((c->has & r->needs) != r->needs)
		return false;
	if (r->passes)
		return !r->passes(c);
	return r->passes_on && !r->passes_on(c, f);
}

const char *lint_message(const struct lint *r, const struct config *c, const struct capabilities *f,
			 char text[LINT_TEXT_MAX])
{
	snprintf(text, LINT_TEXT_MAX, "%s", r->message);
	if (r->describe)
		r->describe(c, f, text);
	return text;
}
