#include "../agent/journal.h"
#include "plan.h"
#include "print.h"

void warn_of_unfinished(struct cli *c)
{
	_journal_ struct journal pending = { .entries = NULL };
	struct err quiet = { 0 };

	/* Not everybody may read the journal; who may not cannot be told. */
	if (journal_load(c->h, JOURNAL_PENDING, &pending, &quiet) && pending.count)
		print_warning(c,
			      "a run that began at %s did not end; the next apply or rollback puts "
			      "that right",
			      pending.time);
}
