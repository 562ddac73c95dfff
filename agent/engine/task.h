/* A task: a port, its desired settings, the plan, and the result. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TASK_H
#define LOSSLESSCTL_AGENT_ENGINE_TASK_H

#include "outcome.h"
#include "plan.h"

struct task {
	struct port port;
	struct config desired;
	setting_set verified_only; /* desired settings of another controller, never written */
	struct plan plan;
	struct result result;
	bool left_behind;	 /* an interrupted run left its journal entry */
	unsigned before_apply;	 /* rollback: as in struct journal_entry */
	setting_set left_out;	 /* rollback: settings that cannot be read now */
	setting_set unreachable; /* rollback: settings that no write restores with the others */
};

/* Plans a task; settings that are verified only are left out. */
static inline void task_plan(struct task *t, struct features all, const struct config *actual)
{
	struct config written = t->desired;

	written.has &= ~t->verified_only;
	plan_make(&t->plan, all, &t->port, &written, actual);
}

#endif
