#include "environment_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct environment_item *environment_report_add(struct environment_report *r, enum variable_id id,
						const struct lint *lint,
						const struct environment_source *source,
						const struct assignment *a)
{
	struct environment_item *item = &r->items[r->count];

	if (r->count == ENVIRONMENT_ITEMS_MAX)
		item--; /* the last one gives way: there are more than anybody reads */
	else
		r->count++;
	*item = (struct environment_item){ .variable = id, .lint = lint, .source = source };
	if (a) {
		item->written = a;
		item->line = a->line;
		snprintf(item->text, sizeof(item->text), "%s", a->text);
	}
	return item;
}

void environment_item_say(struct environment_item *item, const char *fmt, ...)
{
	size_t used = strlen(item->message);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(item->message + used, sizeof(item->message) - used, fmt, ap);
	va_end(ap);
}

void environment_item_say_trap(struct environment_item *item, enum trap trap)
{
	if (!trap)
		return;
	item->trap = trap;
	environment_item_say(item, "%s%s", item->message[0] ? ": " : "", trap_texts[trap].why);
	snprintf(item->fix, sizeof(item->fix), "%s", trap_texts[trap].fix);
	if (trap == TRAP_MISSPELLED)
		snprintf(item->fix, sizeof(item->fix), "write %s", variables[item->variable].name);
}

/* ---- judging ---- */

struct found judging_find(const struct judging *j, enum variable_id id)
{
	const struct environment_sources *sources = j->c->sources;

	for (size_t i = 0; i < sources->count; i++) {
		const struct environment_source *s = sources->list[i];
		const struct assignment *a = assignment_of(&s->assignments, id);

		if (a)
			return (struct found){ s, a };
	}
	return (struct found){ NULL, NULL };
}

void environment_item_set(struct environment_item *item, enum variable_id id, const char *value)
{
	int n = snprintf(item->fix, sizeof(item->fix), "set %s=%s", variables[id].name, value);

	if (n >= (int)sizeof(item->fix))
		snprintf(item->fix, sizeof(item->fix), "set %s as `losslessctl env` prints it",
			 variables[id].name);
}

struct environment_item *judging_add(struct judging *j, enum variable_id id, const struct found *f,
				     const struct lint *lint)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item = environment_report_add(j->ret, id, lint, f->source, f->a);

	if (!desired->is_set)
		return item;
	if (strlen(desired->text) < sizeof(item->expected))
		snprintf(item->expected, sizeof(item->expected), "%.*s",
			 (int)sizeof(item->expected) - 1, desired->text);
	environment_item_set(item, id, desired->text);
	return item;
}

struct environment_item *judging_add_drift(struct judging *j, enum variable_id id,
					   const struct found *f)
{
	return judging_add(j, id, f, lint_of_document(LINT_ENV_OFF_POLICY));
}

const struct environment_source *judging_complete(const struct judging *j)
{
	const struct environment_sources *all = j->c->sources;

	return all->count && all->list[0]->is_complete ? all->list[0] : NULL;
}

enum trap judging_text_trap(const struct assignment *a)
{
	if (strchr(a->text, '\r'))
		return TRAP_CARRIAGE_RETURN;
	return strpbrk(a->text, "\"'") ? TRAP_QUOTES : a->trap;
}
