#include "lint_text.h"

#include <stdio.h>

#include "print.h"
#include "wrap.h"

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
		struct report_row message = { 13, 14, c->to }, fix = { 0, 14, c->to };
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
		report_row_add(&fix, 14, c->out.dim, lint_at(i)->fix, c->out.reset);
		fputc('\n', c->to);
	}
}
