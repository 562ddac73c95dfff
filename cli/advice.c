#include "advice.h"

#include "backends.h"
#include "output/print.h"

setting_set advice_settings(void)
{
	setting_set set = 0;

	for (size_t i = 0; i < all_backends.features.count; i++)
		if (all_backends.features.list[i]->is_advice)
			set |= all_backends.features.list[i]->owns;
	return set;
}

lint_set advice_lints(lint_set findings)
{
	for (size_t i = 0; i < LINTS_MAX; i++)
		if ((findings & LINT(i)) && (lint_reads(lint_at(i)) & ~advice_settings()))
			findings &= ~LINT(i);
	return findings;
}

static setting_set not_in_sync(const struct target *t)
{
	return advice_settings() & config_diff(&t->task.desired, &t->seen.actual) &
	       t->seen.actual.has;
}

static bool is_known(const struct targets *all, size_t at, unsigned setting)
{
	const struct config *desired = &all->list[at].task.desired;

	for (size_t i = 0; i < at; i++)
		if ((not_in_sync(&all->list[i]) & SETTING(setting)) &&
		    !(config_diff(desired, &all->list[i].task.desired) & SETTING(setting)))
			return true;
	return false;
}

setting_set advice_new(const struct targets *all, size_t at)
{
	setting_set set = not_in_sync(&all->list[at]);

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if ((set & SETTING(k)) && is_known(all, at, k))
			set &= ~SETTING(k);
	return set;
}

static void warn(const struct cli *c, const struct target *t, unsigned setting)
{
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];

	print_warning(c, "this host: %s is %s, and the policy asks for %s: %s",
		      settings[setting].path,
		      setting_text(&settings[setting], &t->seen.actual, actual),
		      setting_text(&settings[setting], &t->task.desired, desired),
		      observation_speaker(&t->seen, all_backends.features, setting)->readonly_hint);
}

void advice_warn(const struct cli *c, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		setting_set set = advice_new(all, i);

		for (unsigned k = 0; k < SETTING_COUNT; k++)
			if (set & SETTING(k))
				warn(c, &all->list[i], k);
	}
}
