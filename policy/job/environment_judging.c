#include "environment_judging.h"

#include <stdio.h>
#include <string.h>

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

struct environment_item *judging_add(struct judging *j, enum variable_id id, const struct found *f,
				     const struct lint *lint)
{
	const struct environment_value *desired = &j->c->desired->of[id];
	struct environment_item *item = environment_report_add(j->ret, id, lint, f->source, f->a);

	if (!desired->is_set)
		return item;
	snprintf(item->expected, sizeof(item->expected), "%.63s", desired->text);
	snprintf(item->fix, sizeof(item->fix), "set %s=%.150s", variables[id].name, desired->text);
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
