#include "plan_text.h"

#include <stdio.h>
#include <string.h>

#include "print.h"

/* Prints the notes of a step beside the change of a setting. */
static void print_notes(const struct cli *c, const struct target *t, const struct step *s,
			unsigned setting, bool first)
{
	bool flaps = s->disrupts == DISRUPTS_LINK && t->task.port.carrier;
	static const char *const says[] = {
		[DISRUPTS_NONE] = "",
		[DISRUPTS_TRAFFIC] = "traffic will pause briefly",
		[DISRUPTS_LINK] = "the link will flap",
	};

	if (s->side & SETTING(setting))
		printf("   %s(side effect)%s", c->out.dim, c->out.reset);
	if (first && (flaps || s->disrupts == DISRUPTS_TRAFFIC))
		printf("   %s%s%s", c->out.yellow, says[s->disrupts], c->out.reset);
}

static void print_step(const struct cli *c, const struct target *t, size_t at)
{
	const struct plan *p = &t->task.plan;
	const struct step *s = &p->steps[at];
	char number[24], origin[ORIGIN_TEXT_MAX];
	bool first = true;

	snprintf(number, sizeof(number), "%zu.", at + 1);
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!((s->change | s->side) & SETTING(i)))
			continue;
		printf("  %3s %-10s %-21s ", first ? number : "", first ? s->feature->name : "",
		       settings[i].path);
		print_change(c, i, plan_before(p, at), &s->after);
		print_notes(c, t, s, i, first);
		if (target_origin(t, i, origin))
			print_origin(c, origin);
		putchar('\n');
		first = false;
	}
	if (s->irreversible)
		printf("      %snot reversible: %s%s\n", c->out.dim, s->irreversible, c->out.reset);
}

static void print_refusal(FILE *to, const struct style *s, const char *before,
			  const struct refusal *r)
{
	fprintf(to, "%s%srefused%s  %s: ", before, s->red, s->reset, r->setting);
	print_clean(to, r->why);
	fprintf(to, r->lint ? " (%s)\n" : "\n", r->lint);
	if (!r->fix[0])
		return;
	print_outside(to, "           %s", r->fix);
	fputc('\n', to);
}

void print_refusals(const struct cli *c, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t n = 0; n < all->list[i].refusals_count; n++) {
			print_outside(stderr, "losslessctl: %s: ", all->list[i].task.port.id.name);
			print_refusal(stderr, &c->err, "", &all->list[i].refusals[n]);
		}
}

/* Settings that are skipped for the same reason. */
static setting_set skipped_like(const struct target *t, unsigned setting)
{
	const char *why = target_skip_why(t, setting);
	setting_set same = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((t->skipped & SETTING(i)) && strcmp(target_skip_why(t, i), why) == 0)
			same |= SETTING(i);
	return same;
}

void print_skipped(const struct cli *c, const struct target *t)
{
	setting_set left = t->skipped;

	while (left) {
		unsigned first = (unsigned)__builtin_ctzll(left);
		setting_set same = skipped_like(t, first);
		const char *sep = "";

		printf("  %sskipped  ", c->out.dim);
		for (unsigned i = first; i < SETTING_COUNT; i++)
			if (same & SETTING(i)) {
				printf("%s%s", sep, settings[i].path);
				sep = ", ";
			}
		fputs(": ", stdout);
		print_clean(stdout, target_skip_why(t, first));
		printf("%s\n", c->out.reset);
		left &= ~same;
	}
}

void print_link_differs(const struct cli *c, const struct target *t)
{
	const char *sep = "";

	if (!t->link_differs)
		return;
	printf("; %s", c->out.yellow);
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (t->link_differs & SETTING(i)) {
			printf("%s%s", sep, settings[i].path);
			sep = " and ";
		}
	printf(" differ%s%s", t->link_differs & (t->link_differs - 1) ? "" : "s", c->out.reset);
}

static void print_rule(const struct cli *c, const struct policy *p, const struct port_rule *r)
{
	printf("%s; rule %d (", c->out.dim, RULE_NUMBER(p, r));
	print_clean(stdout, r->profile->name[0] ? r->profile->name : "from show");
	printf(")%s", c->out.reset);
}

void print_target(const struct cli *c, const struct policy *p, const struct target *t)
{
	print_port(c, &t->task.port);
	if (p && t->rule)
		print_rule(c, p, t->rule);
	putchar('\n');
	for (size_t i = 0; i < t->task.plan.count; i++)
		print_step(c, t, i);
	for (size_t i = 0; i < t->refusals_count; i++)
		print_refusal(stdout, &c->out, "  ", &t->refusals[i]);
	print_skipped(c, t);
	if (t->task.plan.count || t->refusals_count)
		return;
	printf("  %s%s%s", c->out.green, t->link_differs ? "nothing to write" : "nothing to do",
	       c->out.reset);
	print_link_differs(c, t);
	putchar('\n');
}
