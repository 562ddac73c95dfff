#include "lint_text.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/target/preflight.h"
#include "../../agent/engine/verify/verify.h"
#include "print.h"

void print_finding(const struct cli *c, const char *where, const struct lint *r, enum severity s,
		   const char *text)
{
	const char *reset = s == SEVERITY_INFO ? "" : c->err.reset;
	char level[16], message[MESSAGE_MAX];

	if (c->opt.quiet && s != SEVERITY_CRITICAL)
		return;
	snprintf(level, sizeof(level), "%s:", severity_name(s));
	snprintf(message, sizeof(message), "%s: %s (%s)", where, text, r->name);
	print_note(severity_colour(&c->err, s), level, reset, message);
	print_error_more(r->fix);
	fputs(*reset ? "" : c->err.reset, stderr);
}

json_t *finding_to_json(const struct lint *r, enum severity s, const char *text)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "lint", r->name, "severity", severity_name(s),
			 "message", text, "fix", r->fix);
}

json_t *findings_to_json(const struct lint_input *in, lint_set findings)
{
	json_t *list = findings ? json_array() : NULL;
	char text[LINT_TEXT_MAX];

	for (size_t i = 0; i < LINTS_MAX; i++)
		if (findings & LINT(i))
			json_array_append_new(list,
					      finding_to_json(lint_at(i),
							      severity_of_lint(in->severities, i),
							      finding_message(in, i, text)));
	return list;
}

lint_set findings_printed(const struct cli *c, const struct lint_input *in, lint_set findings)
{
	return c->opt.verbose
		       ? findings
		       : findings & ~findings_of_severity(findings, in->severities, SEVERITY_INFO);
}

void print_findings(const struct cli *c, const struct lint_input *in, lint_set findings)
{
	lint_set printed = findings_printed(c, in, findings);
	char text[LINT_TEXT_MAX];

	for (size_t i = 0; i < LINTS_MAX; i++) {
		struct report_row message = { .column = 13, .indent = 14, .to = c->to };
		char name[64];
		enum severity s;

		if (!(printed & LINT(i)))
			continue;
		s = severity_of_lint(in->severities, i);
		fprintf(c->to, "  %s%-11s%s", severity_colour(&c->out, s), severity_name(s),
			c->out.reset);
		snprintf(name, sizeof(name), "(%s)", lint_at(i)->name);
		report_row_add(&message, 1, "", finding_message(in, i, text), "");
		report_row_add(&message, 1, "", name, "");
		fputc('\n', c->to);
		print_below(c, 14, c->out.dim, lint_at(i)->fix);
	}
}

/* ---- the lints of plans ---- */

/* One lint, looked for in all plans. */
struct search {
	const struct cli *c;
	const struct targets *all;
	size_t lint;
};

static enum severity severity_in(const struct search *s, size_t port)
{
	const struct target *t = &s->all->list[port];

	return t->lints & LINT(s->lint) ? severity_of_lint(t->severities, s->lint)
					: SEVERITY_IGNORE;
}

static bool is_printed(const struct search *s, size_t port)
{
	enum severity severity = severity_in(s, port);

	return severity > SEVERITY_INFO || (severity == SEVERITY_INFO && s->c->opt.verbose);
}

static const char *message_in(const struct search *s, size_t port, char text[LINT_TEXT_MAX])
{
	const struct target *t = &s->all->list[port];
	struct config end = preflight_setup(t);

	return lint_message(lint_at(s->lint), &end, &t->capabilities, text);
}

static bool is_same(const struct search *s, size_t a, size_t b)
{
	char one[LINT_TEXT_MAX], other[LINT_TEXT_MAX];

	return is_printed(s, b) && severity_in(s, a) == severity_in(s, b) &&
	       strcmp(message_in(s, a, one), message_in(s, b, other)) == 0;
}

static bool is_repeated(const struct search *s, size_t port)
{
	for (size_t i = 0; i < port; i++)
		if (is_printed(s, i) && is_same(s, port, i))
			return true;
	return false;
}

/* Prints "ens1f0np0", or "ens1f0np0 and 15 more ports". */
static void print_group(const struct search *s, size_t port)
{
	const char *name = s->all->list[port].task.port.id.name;
	char where[ID_MAX + 64], text[LINT_TEXT_MAX];
	size_t more = 0;

	for (size_t i = port + 1; i < s->all->count; i++)
		more += is_same(s, port, i);
	snprintf(where, sizeof(where), "%s", name);
	if (more)
		snprintf(where, sizeof(where), "%s and %zu more port%s", name, more,
			 more == 1 ? "" : "s");
	print_finding(s->c, where, lint_at(s->lint), severity_in(s, port),
		      message_in(s, port, text));
}

static void print_advice(const struct cli *c, const struct target *t, unsigned setting)
{
	const struct setting *k = &settings[setting];
	const struct feature *f =
		observation_feature(&t->seen, c->engine.backends->features, setting);
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX], fix[READONLY_FIX_MAX];
	char text[MESSAGE_MAX];

	snprintf(text, sizeof(text), "this host: %s is %s, expected %s", k->path,
		 setting_text(k, &t->seen.actual, actual),
		 setting_text(k, &t->task.desired, desired));
	print_note(c->err.dim, "advice:", c->err.reset, text);
	print_error_more(
		readonly_fix(f, &t->task.port,
			     &(struct difference){ setting, &t->task.desired, &t->seen.actual },
			     fix));
}

static void print_host_advice(const struct cli *c, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		setting_set set = advice_new(c->engine.backends->features, all, i);

		for (unsigned k = 0; k < SETTING_COUNT; k++)
			if (set & SETTING(k))
				print_advice(c, &all->list[i], k);
	}
}

void print_lints(const struct cli *c, const struct targets *all)
{
	for (size_t lint = 0; !c->opt.quiet && lint_at(lint); lint++) {
		const struct search s = { c, all, lint };

		for (size_t i = 0; i < all->count; i++)
			if (is_printed(&s, i) && !is_repeated(&s, i))
				print_group(&s, i);
	}
}

void print_lints_of_plans(const struct cli *c, const struct targets *all)
{
	if (!c->opt.quiet)
		print_host_advice(c, all);
	print_lints(c, all);
}
