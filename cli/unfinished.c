#include <unistd.h>

#include "../agent/engine/journal.h"
#include "../agent/engine/pending_confirm.h"
#include "output/print.h"
#include "verbs/plan.h"

/* Only root can tell whether the process that takes it back is alive. */
static void warn_of_waiting(struct cli *c, const struct pending_confirm *w)
{
	if (geteuid() == 0 && !w->sampler)
		print_warning(c,
			      "the apply of %s was not confirmed, and the process that was to take "
			      "it back is gone; the next apply or rollback puts that right",
			      w->began);
	else if (w->until[0] && pending_confirm_is_over(c->h, w))
		print_warning(c, "the apply of %s was not confirmed by %s: it is being rolled back",
			      w->began, w->until);
	else if (w->until[0])
		print_warning(c,
			      "the apply of %s waits for confirmation until %s: `losslessctl "
			      "confirm` keeps it, `losslessctl rollback` takes it back",
			      w->began, w->until);
	else
		print_warning(c, "an apply that began at %s has not ended", w->began);
}

void warn_of_runs(struct cli *c, const struct journal *pending, bool own, const char *then)
{
	const struct journal_run *run;

	for (size_t at = 0; (run = journal_next_run(pending, &at));)
		if (own || run != &pending->run)
			print_warning(c, "a run that began at %s did not end%s", run->time, then);
}

bool is_unfinished(struct cli *c)
{
	_journal_ struct journal pending = { .entries = NULL };
	struct pending_confirm pending_confirm;
	struct err quiet = { 0 };
	bool waits = pending_confirm_load(c->h, &pending_confirm, &quiet) &&
		     pending_confirm.there && pending_confirm.sampler;

	return !journal_peek(c->h, JOURNAL_PENDING, &pending, &quiet) ||
	       pending.count > (waits ? journal_own_count(&pending) : 0);
}

void warn_of_unfinished(struct cli *c)
{
	_journal_ struct journal pending = { .entries = NULL };
	struct pending_confirm pending_confirm;
	struct err quiet = { 0 };
	bool waits = pending_confirm_load(c->h, &pending_confirm, &quiet) && pending_confirm.there;

	if (waits)
		warn_of_waiting(c, &pending_confirm);
	/* Not everybody may read the journal; who may not cannot be told. */
	if (journal_peek(c->h, JOURNAL_PENDING, &pending, &quiet))
		warn_of_runs(c, &pending, !waits, "; the next apply or rollback puts that right");
}
