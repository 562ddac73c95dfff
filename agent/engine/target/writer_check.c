#include "writer_check.h"

#include "../../../policy/model/setting.h"

void writers_read(const struct engine *e, struct other_writers *ret)
{
	*ret = (struct other_writers){ .count = 0 };
	if (e->backends->find_writers)
		e->backends->find_writers(e->h, ret);
}

static setting_set desired_anywhere(const struct targets *all)
{
	setting_set desired = 0;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].rule)
			desired |= all->list[i].task.desired.has;
	return desired;
}

void writers_check(const struct engine *e, const struct targets *all)
{
	setting_set desired = desired_anywhere(all);
	struct other_writers writers;

	if (!desired)
		return;
	writers_read(e, &writers);
	for (size_t i = 0; i < writers.count; i++) {
		const struct running_writer *r = &writers.list[i];
		char names[SETTING_NAMES_MAX];

		if (!(r->writer->writes & desired))
			continue;
		setting_names(r->writer->writes & desired, names);
		engine_warn(e, "%s (pid %u) also writes %s: %s", r->writer->name, r->pid, names,
			    r->writer->fix);
	}
}
