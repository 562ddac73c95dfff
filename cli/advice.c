#include "advice.h"

#include "backends.h"
#include "output/print.h"

knobset advice_settings(void)
{
	knobset set = 0;

	for (size_t i = 0; i < all_backends.features.count; i++)
		if (all_backends.features.list[i]->is_advice)
			set |= all_backends.features.list[i]->owns;
	return set;
}

lint_set advice_lints(lint_set findings)
{
	for (size_t i = 0; i < LINTS_MAX; i++)
		if ((findings & LINT(i)) && (rule_looks_at(rule_at(i)) & ~advice_settings()))
			findings &= ~LINT(i);
	return findings;
}

static knobset not_in_sync(const struct target *t)
{
	return advice_settings() & config_diff(&t->task.want, &t->seen.have) & t->seen.have.has;
}

static bool is_known(const struct targets *all, size_t at, unsigned knob)
{
	const struct config *desired = &all->list[at].task.want;

	for (size_t i = 0; i < at; i++)
		if ((not_in_sync(&all->list[i]) & KNOB(knob)) &&
		    !(config_diff(desired, &all->list[i].task.want) & KNOB(knob)))
			return true;
	return false;
}

knobset advice_new(const struct targets *all, size_t at)
{
	knobset set = not_in_sync(&all->list[at]);

	for (unsigned k = 0; k < KNOB_COUNT; k++)
		if ((set & KNOB(k)) && is_known(all, at, k))
			set &= ~KNOB(k);
	return set;
}

static void warn(const struct cli *c, const struct target *t, unsigned knob)
{
	char desired[KNOB_TEXT_MAX], actual[KNOB_TEXT_MAX];

	print_warning(c, "this host: %s is %s, and the policy asks for %s: %s", knobs[knob].path,
		      knob_text(&knobs[knob], &t->seen.have, actual),
		      knob_text(&knobs[knob], &t->task.want, desired),
		      observation_speaker(&t->seen, all_backends.features, knob)->not_ours);
}

void advice_warn(const struct cli *c, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		knobset set = advice_new(all, i);

		for (unsigned k = 0; k < KNOB_COUNT; k++)
			if (set & KNOB(k))
				warn(c, &all->list[i], k);
	}
}
