#include "findings.h"

#include <stdio.h>

#include "print.h"

static const char *colour_of(const struct style *s, const struct rule *r)
{
	const char *const colours[] = {
		[SEVERITY_ADVICE] = s->dim,
		[SEVERITY_WARNING] = s->yellow,
		[SEVERITY_ERROR] = s->red,
	};

	return colours[r->severity];
}

void print_finding(const struct cli *c, const char *where, const struct rule *r, const char *text)
{
	bool is_advice = r->severity == SEVERITY_ADVICE;

	if (c->opt.quiet && r->severity != SEVERITY_ERROR)
		return;
	fprintf(stderr, "losslessctl: %s%s:%s ", colour_of(&c->err, r), severity_name(r->severity),
		is_advice ? "" : c->err.reset);
	print_clean(stderr, where);
	fputs(": ", stderr);
	print_clean(stderr, text);
	fprintf(stderr, " (%s)\n  %s%s\n", r->name, r->mend, is_advice ? c->err.reset : "");
}

json_t *finding_to_json(const struct rule *r, const char *text)
{
	return json_pack("{s:s, s:s, s:s, s:s}", "rule", r->name, "severity",
			 severity_name(r->severity), "message", text, "fix", r->mend);
}

#define BUFFERS (KNOB(KNOB_BUFFER_SIZE_BYTES) | KNOB(KNOB_BUFFER_PRIO_BUFFER))

struct config judged_setup(const struct config *c, knobset wanted)
{
	struct config out = *c;

	if (!(wanted & BUFFERS))
		out.has &= ~BUFFERS;
	return out;
}

bool port_breaks(const struct target *t, const struct rule *r, char text[RULE_TEXT_MAX])
{
	struct config have = judged_setup(&t->seen.have, t->task.want.has);

	if (!(rule_looks_at(r) & t->task.want.has) || !rule_broken(r, &have, &t->facts))
		return false;
	rule_text(r, &have, &t->facts, text);
	return true;
}

json_t *port_findings(const struct target *t)
{
	json_t *list = json_array();
	char text[RULE_TEXT_MAX];
	const struct rule *r;

	for (size_t i = 0; (r = rule_at(i)); i++)
		if (port_breaks(t, r, text))
			json_array_append_new(list, finding_to_json(r, text));
	if (json_array_size(list))
		return list;
	json_decref(list);
	return NULL;
}

void print_port_findings(const struct cli *c, const struct target *t)
{
	char text[RULE_TEXT_MAX];
	const struct rule *r;

	for (size_t i = 0; (r = rule_at(i)); i++) {
		if ((r->severity == SEVERITY_ADVICE && !c->opt.verbose) || !port_breaks(t, r, text))
			continue;
		printf("  %s%-11s%s %s (%s)\n", colour_of(&c->out, r), severity_name(r->severity),
		       c->out.reset, text, r->name);
		printf("              %s%s%s\n", c->out.dim, r->mend, c->out.reset);
	}
}
