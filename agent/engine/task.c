#include "task.h"

void task_plan(struct task *t, struct features all, const struct config *actual)
{
	struct config written = t->desired;

	written.has &= ~t->verified_only;
	plan_make(&t->plan, all, &t->port, &written, actual);
}
