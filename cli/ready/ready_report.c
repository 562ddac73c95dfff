#include "ready_report.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../output/nagios.h"
#include "../output/print.h"
#include "../output/report_json.h"

enum word ready_word(enum ready_status s)
{
	static const enum word words[READY_STATUS_COUNT] = {
		[READY_MET] = WORD_READY,	  [READY_INFO] = WORD_INFO,
		[READY_UNKNOWN] = WORD_UNKNOWN,	  [READY_NOT_APPLICABLE] = WORD_NOT_APPLICABLE,
		[READY_NOT_MET] = WORD_NOT_READY,
	};

	return words[s];
}

bool ready_row_matters(const struct ready_row *row)
{
	return row->status == READY_NOT_MET || (row->status == READY_UNKNOWN && row->is_judged);
}

static json_t *row_to_json(const struct ready_row *row)
{
	const struct ready_check *c = row->check;
	json_t *expected = row->is_judged ? ready_value_to_json(c, row->expected) : json_null(),
	       *actual = row->has_value ? ready_value_to_json(c, row->value) : json_null();

	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "check", c->name, "port",
			 row->port ? json_from_text(row->port->id.name) : json_null(), "status",
			 status_words[ready_word(row->status)].name, "expected", expected, "actual",
			 actual, "details", json_text_or_null(row->actual), "message",
			 json_text_or_null(row->reason), "fix", json_text_or_null(row->fix),
			 "kernel_interface", c->source);
}

json_t *ready_to_json(const struct cli *c, const struct policy *p, const struct ready_report *r,
		      const struct ready_runs *l, bool all)
{
	json_t *doc = report_of_host(c, "ready"), *checks = json_array();

	for (size_t i = 0; i < r->count; i++)
		if (all || ready_row_matters(&r->rows[i]))
			json_array_append_new(checks, row_to_json(&r->rows[i]));
	json_object_set_new(doc, "policy", p ? report_policy(p) : json_null());
	json_object_set_new(doc, "verdict", json_string(status_words[ready_word(r->worst)].name));
	json_object_set_new(doc, "totals",
			    json_pack("{s:I, s:I, s:I}", "ready", (json_int_t)r->totals[READY_MET],
				      "not_ready", (json_int_t)r->totals[READY_NOT_MET], "unknown",
				      (json_int_t)r->totals[READY_UNKNOWN]));
	if (l->require.of)
		json_object_set_new(doc, "runs",
				    json_pack("{s:i, s:i, s:i}", "not_ready", (int)l->bad, "of",
					      (int)l->require.of, "required",
					      (int)l->require.least));
	json_object_set_new(doc, "checks", checks);
	return doc;
}

/* ---- text ---- */

#define STATUS_WIDTH 14
#define CHECK_WIDTH  20
#define MORE_INDENT  (2 + STATUS_WIDTH + 1)
#define LINE_MAX     160 /* the longest reason; Slurm's tools cut longer ones */

static const char *status_text(enum ready_status s)
{
	return status_words[ready_word(s)].text;
}

/* Equal rows of different ports are adjacent. */
static bool is_alike(const struct ready_row *a, const struct ready_row *b)
{
	return a->check == b->check && a->status == b->status && a->port && b->port &&
	       strcmp(a->actual, b->actual) == 0 && strcmp(a->reason, b->reason) == 0 &&
	       strcmp(a->fix, b->fix) == 0;
}

static void add_expected(const struct cli *c, const struct ready_row *first, struct report_row *row)
{
	char text[READY_VALUE_TEXT], expected[READY_VALUE_TEXT + 32];

	snprintf(expected, sizeof(expected), "(expected: %s%s)",
		 first->expected == READY_UNLIMITED	    ? ""
		 : first->check->relation == READY_AT_LEAST ? "at least "
		 : first->check->relation == READY_AT_MOST  ? "at most "
							    : "",
		 ready_value_text(first->check, first->expected, text));
	report_row_add(row, 1, c->out.dim, expected, c->out.reset);
}

static void print_source(const struct cli *c, const struct ready_check *check)
{
	char text[160];

	snprintf(text, sizeof(text), "read from: %s", check->source);
	print_below(c, MORE_INDENT, c->out.dim, text);
}

/* Prints `count` rows that are alike. */
static void print_rows(const struct cli *c, const struct ready_row *first, size_t count)
{
	struct report_row row = { .column = MORE_INDENT + CHECK_WIDTH,
				  .indent = MORE_INDENT,
				  .to = stdout };
	const char *verbose_reason = c->opt.verbose ? first->check->reason : "";

	printf("  %s%-*s%s %-*s", word_colour(&c->out, ready_word(first->status)), STATUS_WIDTH,
	       status_text(first->status), c->out.reset, CHECK_WIDTH, first->check->name);
	for (size_t i = 0; i < count; i++)
		report_row_add(&row, 1, c->out.bold,
			       first[i].port ? first[i].port->id.name : "host", c->out.reset);
	if (first->has_value)
		report_row_add(&row, 2, "", first->actual, "");
	if (first->status == READY_NOT_MET)
		add_expected(c, first, &row);
	putchar('\n');
	if (!ready_row_matters(first) && !c->opt.verbose && first->has_value)
		return;
	print_below(c, MORE_INDENT, c->out.dim, first->reason[0] ? first->reason : verbose_reason);
	print_below(c, MORE_INDENT, c->out.dim, first->fix);
	if (c->opt.verbose)
		print_source(c, first->check);
}

static size_t count_alike(const struct ready_report *r, size_t at)
{
	size_t n = 1;

	while (at + n < r->count && is_alike(&r->rows[at], &r->rows[at + n]))
		n++;
	return n;
}

static size_t count_judged(const struct ready_report *r)
{
	return r->totals[READY_MET] + r->totals[READY_NOT_MET] + r->totals[READY_UNKNOWN];
}

/* "12 of 14 checks ready, 1 not ready, 1 unknown" */
static void print_totals(const struct ready_report *r)
{
	printf("%zu of %zu checks ready", r->totals[READY_MET], count_judged(r));
	if (r->totals[READY_NOT_MET])
		printf(", %zu not ready", r->totals[READY_NOT_MET]);
	if (r->totals[READY_UNKNOWN])
		printf(", %zu unknown", r->totals[READY_UNKNOWN]);
}

/* ", not ready in 1 of the last 3 runs" */
static void print_runs(const struct ready_runs *l)
{
	if (l->require.of)
		printf(", not ready in %u of the last %u runs", l->bad, l->require.of);
}

void print_ready(const struct cli *c, const struct ready_report *r, const struct ready_runs *l)
{
	for (size_t i = 0; i < r->count;) {
		size_t n = count_alike(r, i);

		if (c->opt.all || c->opt.verbose || ready_row_matters(&r->rows[i]))
			print_rows(c, &r->rows[i], n);
		i += n;
	}
	fputs(c->out.bold, stdout);
	print_totals(r);
	print_runs(l);
	printf("%s\n", c->out.reset);
}

/* Writes "ens1f0np0 pci-link reduced" or "gid missing on ens1f1np1". */
static void name_row(const struct ready_row *row, char buf[128])
{
	char value[READY_VALUE_TEXT] = "";

	if (row->port && row->has_value)
		ready_value_text(row->check, row->value, value);
	snprintf(buf, 128, "%.40s%s%s%s%.60s", row->port ? row->port->id.name : "",
		 row->port ? " " : "", row->check->name, row->has_value ? " " : "",
		 row->port ? value : row->actual);
}

/* Writes "ens1f0np0 pci-link reduced, gid missing on ens1f1np1, 3 more" of rows with a status. */
static void list_rows(const struct ready_report *r, enum ready_status status, char *buf,
		      size_t size)
{
	size_t used = 0, left = r->totals[status];

	buf[0] = '\0';
	for (size_t i = 0; i < r->count; i++) {
		const struct ready_row *row = &r->rows[i];
		char one[128];

		if (row->status != status || !row->is_judged)
			continue;
		name_row(row, one);
		if (used + strlen(one) + 14 > size)
			break;
		used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", one);
		left--;
	}
	if (left)
		snprintf(buf + used, size - used, ", %zu more", left);
}

/* A host that was not ready too few times yet only warns. */
static struct nagios_state nagios_state_of(const struct ready_report *r, const struct ready_runs *l)
{
	bool warns = r->worst == READY_NOT_MET && !l->is_enough;

	return nagios_state_of_word(warns ? WORD_WARNING : ready_word(r->worst));
}

int print_ready_nagios(const struct ready_report *r, const struct ready_runs *l)
{
	struct nagios_state state = nagios_state_of(r, l);
	char list[LINE_MAX];

	printf("LOSSLESSCTL READY %s - ", state.word);
	list_rows(r, r->worst, list, r->worst == READY_MET ? 1 : sizeof(list));
	print_nagios_text(list);
	fputs(list[0] ? "; " : "", stdout);
	print_totals(r);
	print_runs(l);
	printf("|not_ready=%zu;;0 unknown=%zu ready=%zu\n", r->totals[READY_NOT_MET],
	       r->totals[READY_UNKNOWN], r->totals[READY_MET]);
	return state.code;
}

void print_ready_slurm(const struct ready_report *r)
{
	char list[LINE_MAX];

	if (r->worst == READY_MET) {
		puts("losslessctl: ready");
		return;
	}
	list_rows(r, r->worst, list, sizeof(list));
	print_outside(stdout, "losslessctl: %s: %s", status_text(r->worst), list);
	putchar('\n');
}
