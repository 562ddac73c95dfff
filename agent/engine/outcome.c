#include "outcome.h"

#include <stdlib.h>

#include "../../policy/util/exit_code.h"

const char *outcome_name(enum outcome o)
{
	static const char *const names[] = {
		[OUTCOME_UNCHANGED] = "unchanged",
		[OUTCOME_APPLIED] = "applied",
		[OUTCOME_ROLLED_BACK] = "rolled_back",
		[OUTCOME_AWAITING] = "awaiting_confirmation",
		[OUTCOME_NOT_ATTEMPTED] = "not_attempted",
		[OUTCOME_REFUSED] = "refused",
		[OUTCOME_FAILED] = "failed",
		[OUTCOME_ROLLBACK_FAILED] = "rollback_failed",
	};

	return names[o];
}

int exit_code_of_outcome(enum outcome worst, const struct err *e)
{
	if (worst == OUTCOME_ROLLBACK_FAILED)
		return exit_code_of_err(&(struct err){ .kind = ERR_ROLLBACK_FAILED });
	if (e->kind == ERR_INTERRUPTED || e->kind == ERR_DENIED ||
	    (e->kind == ERR_MISSING && worst <= OUTCOME_AWAITING))
		return exit_code_of_err(e);
	return e->kind == ERR_NONE && worst <= OUTCOME_AWAITING ? EXIT_SUCCESS : EXIT_FAILED;
}

enum step_status step_status(const struct plan *p, const struct result *r, size_t i)
{
	const struct step *s = &p->steps[i];

	if (i < r->steps)
		return (s->change | s->side) & r->ineffective ? STEP_FAILED : STEP_DONE;
	return i == r->steps && r->step_failed ? STEP_FAILED : STEP_NOT_ATTEMPTED;
}

const char *step_status_name(enum step_status s)
{
	static const char *const names[] = { [STEP_DONE] = "done",
					     [STEP_FAILED] = "failed",
					     [STEP_NOT_ATTEMPTED] = "not_attempted" };

	return names[s];
}
