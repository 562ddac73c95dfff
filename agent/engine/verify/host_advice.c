#include "host_advice.h"

setting_set advice_settings(struct features all)
{
	setting_set set = 0;

	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->is_advice)
			set |= all.list[i]->owns;
	return set;
}

lint_set advice_lints(struct features all, lint_set findings)
{
	setting_set advised = advice_settings(all);

	for (size_t i = 0; i < LINTS_MAX; i++)
		if ((findings & LINT(i)) && !lint_at(i)->of_host &&
		    (lint_reads(lint_at(i)) & ~advised))
			findings &= ~LINT(i);
	return findings;
}

static setting_set not_in_sync(struct features all, const struct target *t)
{
	return advice_settings(all) & config_diff(&t->task.desired, &t->seen.actual) &
	       t->seen.actual.has;
}

static bool is_known(struct features features, const struct targets *all, size_t at,
		     unsigned setting)
{
	const struct config *desired = &all->list[at].task.desired;

	for (size_t i = 0; i < at; i++)
		if ((not_in_sync(features, &all->list[i]) & SETTING(setting)) &&
		    !(config_diff(desired, &all->list[i].task.desired) & SETTING(setting)))
			return true;
	return false;
}

setting_set advice_new(struct features features, const struct targets *all, size_t at)
{
	setting_set set = not_in_sync(features, &all->list[at]);

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if ((set & SETTING(k)) && is_known(features, all, at, k))
			set &= ~SETTING(k);
	return set;
}
