#include "verify_values.h"

#include <stdio.h>
#include <string.h>

#include "print.h"
#include "wrap.h"

#define WIDTH_MAX 100
#define VALUE_MAX 31 /* the longest value beside the other one */
#define INDENT	  (2 + STATUS_WIDTH + 1 + NAME_WIDTH + 1)

struct values {
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];
};

/* Writes what differs; both values in full if they are equal, and "-" for an unknown one. */
static void values_of(const struct item *i, struct values *ret)
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	bool differs = i->status == STATUS_DRIFT || i->status == STATUS_ADVICE;

	setting_text(k, i->desired, ret->desired);
	snprintf(ret->actual, sizeof(ret->actual), "%s",
		 i->status == STATUS_OK ? ret->desired : "-");
	if (differs)
		setting_change_text(k, i->desired, i->actual, ret->desired, ret->actual);
}

static bool fit(const struct values *v)
{
	return strlen(v->desired) <= VALUE_MAX && strlen(v->actual) <= VALUE_MAX;
}

static int larger(int a, size_t b)
{
	return (size_t)a < b ? (int)b : a;
}

void value_columns_fit(struct value_columns *w, const struct item *i)
{
	struct values v;

	values_of(i, &v);
	w->desired = larger(w->desired, sizeof("desired") - 1);
	w->actual = larger(w->actual, sizeof("actual") - 1);
	if (!fit(&v))
		return;
	w->desired = larger(w->desired, strlen(v.desired));
	w->actual = larger(w->actual, strlen(v.actual));
	w->origin = larger(w->origin, strlen(origin_short(i->origin)));
	w->has_origins = INDENT + w->desired + w->actual + w->origin + 4 <= WIDTH_MAX;
}

void print_value_headings(const struct cli *c, const struct value_columns *w)
{
	printf("  %s%-*s %-*s %-*s  %-*s%s%s\n", c->out.dim, STATUS_WIDTH, "status", NAME_WIDTH,
	       "setting", w->desired, "desired", w->has_origins ? w->actual : 0, "actual",
	       w->has_origins ? "  origin" : "", c->out.reset);
}

static void print_origin_of(const struct cli *c, const struct item *i)
{
	fputs(c->out.dim, stdout);
	print_clean(stdout, origin_short(i->origin));
	printf("%s\n", c->out.reset);
}

/* Prints "desired: VALUE" and "actual: VALUE", each wrapped, and "origin: ORIGIN". */
static void print_long(const struct cli *c, const struct item *i, const struct values *v,
		       const char *colour)
{
	const size_t column = INDENT + sizeof("desired:");

	fputs("desired: ", stdout);
	wrap_print(stdout, v->desired, column, column);
	printf("%*sactual:  %s", INDENT, "", colour);
	wrap_print(stdout, v->actual, column, column);
	printf("%s%*sorigin:  ", c->out.reset, INDENT, "");
	print_origin_of(c, i);
}

void print_values(const struct cli *c, const struct item *i, const struct value_columns *w,
		  const char *colour)
{
	struct values v;

	values_of(i, &v);
	if (!fit(&v)) {
		print_long(c, i, &v, colour);
		return;
	}
	printf("%-*s  %s%s%s", w->desired, v.desired, colour, v.actual, c->out.reset);
	if (!i->origin[0]) {
		putchar('\n');
		return;
	}
	if (w->has_origins)
		printf("%*s  ", w->actual - (int)strlen(v.actual), "");
	else
		printf("\n%*s", 2 + STATUS_WIDTH + 1, "");
	print_origin_of(c, i);
}
