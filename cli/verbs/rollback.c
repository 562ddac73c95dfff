#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/engine/journal/applies.h"
#include "../../agent/engine/write/rollback.h"
#include "../interrupt.h"
#include "../output/lint_text.h"
#include "../output/write_report.h"
#include "../rollback/applies_list.h"
#include "verbs.h"

/* Returns the newest apply before `number` that --to could roll back, or NULL. */
static const struct applied *earlier(const struct applies *a, unsigned number)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].number < number && applied_is_open(&a->list[i]))
			return &a->list[i];
	return NULL;
}

static int nothing_to_do(struct cli *c, const struct run *r, const struct rollback *b)
{
	const struct write_report report = { .outcome = OUTCOME_UNCHANGED };
	/* An interrupted run has no number. */
	const struct applied *more =
		earlier(&r->applies, b->gone && !b->number ? UINT_MAX : b->number);
	struct targets none = { NULL, 0 };

	if (c->opt.json) {
		(void)print_write_report(c, NULL, &none, &report);
	} else if (!c->opt.quiet) {
		if (!b->number && !b->gone)
			puts("nothing to roll back: no apply since the last boot is in effect");
		else if (!b->gone)
			printf("nothing to roll back: apply %u %s already rolled back\n", b->number,
			       c->opt.to ? "and all later ones are" : "is");
		if (more)
			printf("run `losslessctl rollback --to %u` to roll back %s apply; --list "
			       "lists them\n",
			       more->number, b->number ? "an earlier" : "the last");
	}
	return b->gone ? EXIT_UNKNOWN : EXIT_SUCCESS;
}

/* Returns EXIT_UNKNOWN after a partial rollback, if ports or settings no longer exist. */
static int carry_out(struct cli *c, struct run *r, struct rollback *b, struct err *err)
{
	struct write_report report;
	int code;

	if (!write_plan(&c->engine, r, &b->targets, err))
		return -1;
	print_lints_of_plans(c, &b->targets);
	if (!rollback_carry_out(&c->engine, r, b, &report, err))
		return -1;
	if (report.err.kind == ERR_NONE)
		report.err = r->unlocked;
	run_close(r);
	interrupt_end();
	code = print_write_report(c, NULL, &b->targets, &report);
	return code == EXIT_SUCCESS && b->gone ? EXIT_UNKNOWN : code;
}

static int roll_back(struct cli *c, struct run *r, struct err *err)
{
	_rollback_ struct rollback b = { .to = c->opt.to };

	if (!run_open(r, c->opt.lock_timeout_s, err))
		return -1;
	if (c->opt.no_link_flap && r->pending_confirm.there && journal_own_count(&r->pending))
		r->keep_going = false; /* an apply that waits is rolled back as a whole */
	if (!rollback_find(&c->engine, r, &b, err))
		return -1;
	if (!b.targets.count)
		return nothing_to_do(c, r, &b);
	return carry_out(c, r, &b, err);
}

static int list_applies(struct cli *c, struct err *err)
{
	if (c->opt.to || c->opt.words_count) {
		err_record(err, ERR_USAGE, EINVAL, "--list takes no ports and no --to");
		return -1;
	}
	if (!cli_open_host(c, false, err) || !applies_list_print(c, err))
		return -1;
	return EXIT_SUCCESS;
}

int verb_rollback(struct cli *c, struct err *err)
{
	struct run r;
	int code;

	if (c->opt.list)
		return list_applies(c, err);
	if (!cli_open_host(c, true, err))
		return -1;
	r = rollback_run(&c->engine);
	code = roll_back(c, &r, err);
	run_close(&r);
	return code;
}
