#include "rates_text.h"

#include <math.h>
#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "table.h"

#define CELL_MAX 24

/* The most important rates, in the order of the table. */
static const struct share {
	enum rate rate;
	struct table_column column;
	const char *unit;
	const char *perfdata, *perfdata_unit; /* NULL: not in the performance data */
} shares[] = {
	{ RATE_PAUSE_SENT,
	  { "pause sent", .width = 11, .is_right = true },
	  " %",
	  "pause_sent",
	  "%" },
	{ RATE_PAUSE_RECEIVED,
	  { "received", .width = 11, .is_right = true },
	  " %",
	  "pause_received",
	  "%" },
	{ RATE_CNP_SENT, { "CNP/s sent", .width = 10, .is_right = true }, "", NULL, NULL },
	{ RATE_CNP_HANDLED, { "handled", .width = 7, .is_right = true }, "", NULL, NULL },
	{ RATE_CNP_IGNORED, { "ignored", .width = 7, .is_right = true }, "", NULL, NULL },
	{ RATE_DROPS, { "drops/s", .width = 7, .is_right = true }, "", "drops_per_s", "" },
	{ RATE_LINK_ERRORS,
	  { "link errors/s", .width = 13, .is_right = true },
	  "",
	  "link_errors_per_s",
	  "" },
};

#define SHARES (sizeof(shares) / sizeof(shares[0]))

/* Writes the priority that was paused most: " (p3)", " (all)" for global pause, or nothing. */
static void write_priority(const struct rates *f, enum rate rate, char text[CELL_MAX])
{
	int on = rate == RATE_PAUSE_SENT       ? f->sent_on
		 : rate == RATE_PAUSE_RECEIVED ? f->received_on
					       : ON_NONE;

	snprintf(text, CELL_MAX, "%s", on == ON_ALL ? " (all)" : "");
	if (on != ON_ALL && on != ON_NONE)
		snprintf(text, CELL_MAX, " (p%d)", on);
}

/* Adds rates below 10 with a decimal, so that one lost packet in ten seconds is not 0. */
static void add_cell(struct table *t, const struct share *s, const struct rates *f)
{
	double value = f->value[s->rate];
	char text[2 * CELL_MAX] = "-", priority[CELL_MAX];

	write_priority(f, s->rate, priority);
	if (!isnan(value))
		snprintf(text, sizeof(text), "%.*f%s%s", value > 0 && value < 10 ? 1 : 0, value,
			 s->unit, priority);
	table_add(t, "", text);
}

void print_rates(const struct cli *c, const struct port_reports *all)
{
	struct table_column columns[SHARES + 1] = { { "port", .width = 15 } };
	_table_ struct table t = {
		.c = c, .columns = columns, .columns_count = SHARES + 1, .indent = 2, .gap = 2
	};

	if (!c->opt.sample_for_s || !all->count)
		return;
	for (size_t i = 0; i < SHARES; i++)
		columns[i + 1] = shares[i].column;
	for (size_t k = 0; k < all->count; k++) {
		table_add(&t, "", all->list[k].target->task.port.id.name);
		for (size_t i = 0; i < SHARES; i++)
			add_cell(&t, &shares[i], all->list[k].rates);
	}
	printf("\nrates over %u s:\n", c->opt.sample_for_s);
	table_print(&t);
}

void print_rates_perfdata(const struct port_reports *all)
{
	for (size_t i = 0; i < SHARES; i++) {
		double worst = (double)NAN;

		for (size_t k = 0; k < all->count && all->list[k].rates; k++)
			worst = rate_larger(worst, all->list[k].rates->value[shares[i].rate]);
		if (shares[i].perfdata && !isnan(worst))
			printf(" %s=%.1f%s", shares[i].perfdata, worst, shares[i].perfdata_unit);
	}
}
