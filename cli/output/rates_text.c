#include "rates_text.h"

#include <math.h>
#include <stdio.h>

#include "fold.h"
#include "print.h"

/* Rounds by hand: the program does not link libm. */
json_t *rates_number(double value)
{
	double thousandths = value * 1000 + 0.5;

	if (isnan(value))
		return json_null();
	return json_real(thousandths < 1e15 ? (double)(int64_t)thousandths / 1000 : value);
}

/* Returns the priority that was paused most; null for none and for global pause. */
static json_t *priority_to_json(int on)
{
	return on == ON_NONE || on == ON_ALL ? json_null() : json_integer(on);
}

void rates_to_json(json_t *object, const struct rates *f)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		json_object_set_new(object, rate_keys[i], rates_number(f->value[i]));
	json_object_set_new(object, "pause_sent_priority", priority_to_json(f->sent_on));
	json_object_set_new(object, "pause_received_priority", priority_to_json(f->received_on));
}

/* The most important rates, in the order of a line. */
static const struct share {
	enum rate rate;
	const char *before, *unit;
	const char *perfdata, *perfdata_unit; /* NULL: not in the performance data */
} shares[] = {
	{ RATE_PAUSE_SENT, "pause sent ", " %", "pause_sent", "%" },
	{ RATE_PAUSE_RECEIVED, ", received ", " %", "pause_received", "%" },
	{ RATE_CNP_SENT, "; CNP/s sent ", "", NULL, NULL },
	{ RATE_CNP_HANDLED, ", handled ", "", NULL, NULL },
	{ RATE_CNP_IGNORED, ", ignored ", "", NULL, NULL },
	{ RATE_DROPS, "; drops/s ", "", "drops_per_s", "" },
	{ RATE_LINK_ERRORS, "; link errors/s ", "", "link_errors_per_s", "" },
};

#define SHARES (sizeof(shares) / sizeof(shares[0]))

/* Prints rates below 10 with a decimal, so that one lost packet in ten seconds is not 0. */
static void print_number(double value, const char *unit)
{
	if (isnan(value))
		printf("unknown");
	else
		printf("%.*f%s", value > 0 && value < 10 ? 1 : 0, value, unit);
}

static void print_priority(const struct rates *f, enum rate rate)
{
	int on = rate == RATE_PAUSE_SENT       ? f->sent_on
		 : rate == RATE_PAUSE_RECEIVED ? f->received_on
					       : ON_NONE;

	if (on == ON_ALL)
		printf(" (all)");
	else if (on != ON_NONE)
		printf(" (p%d)", on);
}

static void print_rates_of_port(const struct cli *c, const struct port_report *a)
{
	fputs(c->out.bold, stdout);
	print_clean(stdout, a->target->task.port.id.name);
	printf("%s  ", c->out.reset);
	for (size_t i = 0; i < SHARES; i++) {
		fputs(shares[i].before, stdout);
		print_number(a->rates->value[shares[i].rate], shares[i].unit);
		print_priority(a->rates, shares[i].rate);
	}
	putchar('\n');
}

void print_rates(const struct cli *c, const struct port_reports *all)
{
	_fold_ struct fold f = { .c = c };

	if (!c->opt.sample_for_s || !all->count)
		return;
	printf("\nrates over %u s:\n", c->opt.sample_for_s);
	fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++) {
		fold_begin(&f, &all->list[i].target->task.port);
		print_rates_of_port(c, &all->list[i]);
		fold_end(&f);
	}
	fold_print(&f);
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
