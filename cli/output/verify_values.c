#include "verify_values.h"

#include <stdio.h>
#include <string.h>

#include "print.h"
#include "wrap.h"

#define WIDTH_MAX 100
#define VALUE_MAX 31 /* the longest value beside the other one */

struct values {
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];
};

/*
 * Writes what differs, and "-" for an unknown value. In sync means that the port has each entry of
 * a desired map, and about a desired number: it may be rounded, or larger.
 */
static void values_of(const struct item *i, struct values *ret)
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	bool is_number = k->type == T_INT || k->type == T_WORD_OR_INT;

	setting_text(k, i->desired, ret->desired);
	snprintf(ret->actual, sizeof(ret->actual), "-");
	if (i->status == STATUS_OK)
		setting_text(k, is_number ? i->actual : i->desired, ret->actual);
	if (i->status == STATUS_DRIFT || i->status == STATUS_ADVICE)
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

/* Returns the column of the values. */
static int indent_of(const struct value_columns *w)
{
	return 2 + STATUS_WIDTH + 1 + w->name + 1;
}

/* Widens the column of names as far as the values leave room. */
static void fit_name(struct value_columns *w)
{
	int room = WIDTH_MAX - (2 + STATUS_WIDTH + 1 + 1 + w->desired + 2 + w->actual);

	w->name = room < w->longest_name ? room : w->longest_name;
	w->name = larger(w->name, NAME_WIDTH_MIN);
}

void value_columns_fit(struct value_columns *w, const struct item *i)
{
	struct values v;

	values_of(i, &v);
	w->longest_name = larger(w->longest_name, strlen(i->name));
	w->desired = larger(w->desired, sizeof("desired") - 1);
	w->actual = larger(w->actual, sizeof("actual") - 1);
	fit_name(w);
	if (!fit(&v))
		return;
	w->desired = larger(w->desired, strlen(v.desired));
	w->actual = larger(w->actual, strlen(v.actual));
	w->origin = larger(w->origin, strlen(origin_short(i->origin)));
	fit_name(w);
	w->has_origins = indent_of(w) + w->desired + w->actual + w->origin + 4 <= WIDTH_MAX;
}

void print_value_headings(const struct cli *c, const struct value_columns *w)
{
	fprintf(c->to, "  %s%-*s %-*s %-*s  %-*s%s%s\n", c->out.dim, STATUS_WIDTH, "status",
		w->name, "setting", w->desired, "desired", w->has_origins ? w->actual : 0, "actual",
		w->has_origins ? "  origin" : "", c->out.reset);
}

static void print_origin_of(const struct cli *c, const struct item *i)
{
	fputs(c->out.dim, c->to);
	print_clean(c->to, origin_short(i->origin));
	fprintf(c->to, "%s\n", c->out.reset);
}

/* Prints "desired: VALUE" and "actual: VALUE", each wrapped, and "origin: ORIGIN". */
static void print_long(const struct cli *c, const struct item *i, const struct values *v,
		       int indent, const char *colour)
{
	const size_t column = (size_t)indent + sizeof("desired:");

	fputs("desired: ", c->to);
	wrap_print(c->to, v->desired, column, column);
	fprintf(c->to, "%*sactual:  %s", indent, "", colour);
	wrap_print(c->to, v->actual, column, column);
	fprintf(c->to, "%s%*sorigin:  ", c->out.reset, indent, "");
	print_origin_of(c, i);
}

void print_values(const struct cli *c, const struct item *i, const struct value_columns *w,
		  const char *colour)
{
	struct values v;

	values_of(i, &v);
	if (!fit(&v)) {
		print_long(c, i, &v, indent_of(w), colour);
		return;
	}
	fprintf(c->to, "%-*s  %s%s%s", w->desired, v.desired, colour, v.actual, c->out.reset);
	if (!i->origin[0]) {
		fputc('\n', c->to);
		return;
	}
	if (w->has_origins)
		fprintf(c->to, "%*s  ", w->actual - (int)strlen(v.actual), "");
	else
		fprintf(c->to, "\n%*s", 2 + STATUS_WIDTH + 1, "");
	print_origin_of(c, i);
}
