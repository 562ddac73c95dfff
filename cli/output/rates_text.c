#include "rates_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "print.h"

#define NAME_WIDTH 15
#define CELL_MAX   24

/* The most important rates, in the order of the table. */
static const struct share {
	enum rate rate;
	const char *head;
	int width;
	const char *unit;
	const char *perfdata, *perfdata_unit; /* NULL: not in the performance data */
} shares[] = {
	{ RATE_PAUSE_SENT, "pause sent", 11, " %", "pause_sent", "%" },
	{ RATE_PAUSE_RECEIVED, "received", 11, " %", "pause_received", "%" },
	{ RATE_CNP_SENT, "CNP/s sent", 10, "", NULL, NULL },
	{ RATE_CNP_HANDLED, "handled", 7, "", NULL, NULL },
	{ RATE_CNP_IGNORED, "ignored", 7, "", NULL, NULL },
	{ RATE_DROPS, "drops/s", 7, "", "drops_per_s", "" },
	{ RATE_LINK_ERRORS, "link errors/s", 13, "", "link_errors_per_s", "" },
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

/* Writes rates below 10 with a decimal, so that one lost packet in ten seconds is not 0. */
static void print_cell(const struct share *s, const struct rates *f)
{
	double value = f->value[s->rate];
	char text[2 * CELL_MAX] = "-", priority[CELL_MAX];

	write_priority(f, s->rate, priority);
	if (!isnan(value))
		snprintf(text, sizeof(text), "%.*f%s%s", value > 0 && value < 10 ? 1 : 0, value,
			 s->unit, priority);
	printf("  %*s", s->width, text);
}

static void print_rates_of_port(const struct port_report *a)
{
	const char *name = a->target->task.port.id.name;

	fputs("  ", stdout);
	print_clean(stdout, name);
	printf("%*s", (int)strlen(name) < NAME_WIDTH ? NAME_WIDTH - (int)strlen(name) : 0, "");
	for (size_t i = 0; i < SHARES; i++)
		print_cell(&shares[i], a->rates);
	putchar('\n');
}

void print_rates(const struct cli *c, const struct port_reports *all)
{
	if (!c->opt.sample_for_s || !all->count)
		return;
	printf("\nrates over %u s:\n  %s%-*s", c->opt.sample_for_s, c->out.dim, NAME_WIDTH, "port");
	for (size_t i = 0; i < SHARES; i++)
		printf("  %*s", shares[i].width, shares[i].head);
	printf("%s\n", c->out.reset);
	for (size_t i = 0; i < all->count; i++)
		print_rates_of_port(&all->list[i]);
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
