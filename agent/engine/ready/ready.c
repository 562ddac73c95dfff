#include "ready.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../policy/util/fix_text.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"

/* ---- readings ---- */

#define FORMAT(buf, fmt) \
	do { \
		va_list args_; \
		va_start(args_, fmt); \
		vsnprintf((buf), sizeof(buf), (fmt), args_); \
		va_end(args_); \
	} while (0)

void ready_found(struct ready_reading *r, uint64_t value, const char *fmt, ...)
{
	r->status = READY_MET;
	r->value = value;
	FORMAT(r->actual, fmt);
}

void ready_unknown(struct ready_reading *r, const char *fmt, ...)
{
	r->status = READY_UNKNOWN;
	FORMAT(r->reason, fmt);
}

void ready_not_applicable(struct ready_reading *r, const char *reason)
{
	r->status = READY_NOT_APPLICABLE;
	snprintf(r->reason, sizeof(r->reason), "%s", reason);
}

void ready_fix(struct ready_reading *r, const char *fmt, ...)
{
	FORMAT(r->fix, fmt);
}

void ready_reason(struct ready_reading *r, const char *fmt, ...)
{
	FORMAT(r->reason, fmt);
}

/* ---- verdicts ---- */

void ready_report_free(struct ready_report *r)
{
	free(r->rows);
	*r = (struct ready_report){ .rows = NULL };
}

static bool is_wanted(const struct engine *e, const struct ready_expectations *expected,
		      enum ready_id id, const struct port *port)
{
	const struct ready_check *c = &ready_checks[id];

	return !(expected->ignored & READY(id)) && c->of_host == !port &&
	       (!c->on_request || e->query_firmware || (expected->stated & READY(id)));
}

/* The expected value without its unit, for a command. */
static void write_expected(const struct ready_check *c, uint64_t expected,
			   char buf[READY_VALUE_TEXT])
{
	if (c->unit)
		snprintf(buf, READY_VALUE_TEXT, "%" PRIu64, expected);
	else
		ready_value_text(c, expected, buf);
}

/* Copies a fix, in which ADDRESS and PORT are the port's, and VALUE is `value`. */
static void copy_fix(const char *fix, const struct port *p, const char *value,
		     char buf[READY_FIX_MAX])
{
	char name[SHELL_NAME_MAX];
	const struct fix_word words[] = { { "ADDRESS", p ? p->id.pci : NULL },
					  { "PORT",
					    p ? shell_word(p->id.name, name, sizeof(name)) : NULL },
					  { "VALUE", value } };

	fix_text(fix, words, sizeof(words) / sizeof(words[0]), buf, READY_FIX_MAX);
}

void ready_general_fix(const struct ready_check *c, uint64_t expected, const struct port *port,
		       char buf[READY_FIX_MAX])
{
	char value[READY_VALUE_TEXT];

	write_expected(c, expected, value);
	copy_fix(ready_fix_of(c, expected), port, value, buf);
}

static void judge(struct ready_row *row, const struct ready_reading *r)
{
	const struct ready_check *c = row->check;
	char text[READY_VALUE_TEXT];

	row->has_value = r->status == READY_MET;
	row->status = r->status;
	row->value = r->value;
	snprintf(row->reason, sizeof(row->reason), "%s", r->reason);
	if (r->status == READY_UNKNOWN)
		copy_fix(r->fix, row->port, "", row->fix);
	if (!row->has_value)
		return;
	snprintf(row->actual, sizeof(row->actual), "%s",
		 r->actual[0] ? r->actual : ready_value_text(c, r->value, text));
	if (!row->is_judged)
		row->status = READY_INFO;
	else if (!ready_meets(c, row->expected, r->value))
		row->status = READY_NOT_MET;
	if (row->status != READY_NOT_MET)
		return;
	if (r->fix[0])
		copy_fix(r->fix, row->port, "", row->fix);
	else
		ready_general_fix(c, row->expected, row->port, row->fix);
	if (!row->reason[0])
		snprintf(row->reason, sizeof(row->reason), "%s", ready_reason_of(c, r->value));
}

static void take_reading(const struct engine *e, const struct ready_reader *p,
			 const struct ready_scene *s, const struct port *port,
			 struct ready_reading *ret)
{
	if (e->captured && !p->needs_no_host) {
		e->captured->read_ready(e->captured, p->id, port, ret);
	} else if (ready_checks[p->id].on_request && !e->query_firmware) {
		ready_unknown(ret, "only --firmware reads it, and the policy expects it");
		ready_fix(ret, "run `sudo losslessctl ready --firmware`");
	} else {
		p->read(s, port, ret);
	}
}

/* A check that the policy asks for, and that only the firmware can answer, is never left out. */
static void read_check(const struct engine *e, const struct ready_expectations *expected,
		       const struct ready_reader *p, const struct ready_scene *s,
		       struct ready_row *row)
{
	bool stated = ready_checks[p->id].on_request && (expected->stated & READY(p->id));
	struct ready_reading r = { .status = READY_UNKNOWN };

	take_reading(e, p, s, row->port, &r);
	if (stated && r.status == READY_NOT_APPLICABLE)
		r.status = READY_UNKNOWN;
	judge(row, &r);
}

size_t ready_check_one(const struct engine *e, const struct ready_expectations *expected,
		       const struct ready_scene *s, const struct port *port,
		       struct ready_row rows[READY_COUNT])
{
	size_t n = 0;

	for (size_t i = 0; i < e->backends->ready_readers.count; i++) {
		const struct ready_reader *p = e->backends->ready_readers.list[i];

		if (!is_wanted(e, expected, p->id, port))
			continue;
		rows[n] = (struct ready_row){ .check = &ready_checks[p->id],
					      .port = port,
					      .is_judged = expected->judged & READY(p->id),
					      .expected = expected->value[p->id] };
		read_check(e, expected, p, s, &rows[n++]);
	}
	return n;
}

/* The worst first; rows of one status by check; those of one check by port, as they came. */
static bool comes_before(const struct ready_row *a, const struct ready_row *b)
{
	return a->status != b->status ? a->status > b->status : a->check < b->check;
}

static void sort_worst_first(struct ready_report *r)
{
	for (size_t i = 1; i < r->count; i++) {
		struct ready_row row = r->rows[i];
		size_t at = i;

		for (; at > 0 && comes_before(&row, &r->rows[at - 1]); at--)
			r->rows[at] = r->rows[at - 1];
		r->rows[at] = row;
	}
}

static void add_up(struct ready_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->rows[i].is_judged)
			r->totals[r->rows[i].status]++;
	r->worst = r->totals[READY_NOT_MET]   ? READY_NOT_MET
		   : r->totals[READY_UNKNOWN] ? READY_UNKNOWN
					      : READY_MET;
}

bool ready_check(const struct engine *e, const struct ready_expectations *expected,
		 struct ready_scene s, struct ready_report *ret, struct err *err)
{
	_free_ struct scratch *scratch = scratch_new();
	struct sample sample;

	*ret = (struct ready_report){ .rows = calloc((s.count + 1) * READY_COUNT,
						     sizeof(*ret->rows)) };
	s.h = e->h;
	if (!scratch || !ret->rows)
		return err_no_memory(err);
	for (size_t i = 0; i < s.count; i++) {
		struct err quiet = { 0 };
		bool sampled = e->h && sample_read(e->h, e->backends->counter_readers, &s.ports[i],
						   scratch, &sample, &quiet);

		s.sample = sampled ? &sample : NULL;
		ret->count += ready_check_one(e, expected, &s, &s.ports[i], ret->rows + ret->count);
	}
	s.sample = NULL;
	ret->count += ready_check_one(e, expected, &s, NULL, ret->rows + ret->count);
	sort_worst_first(ret);
	add_up(ret);
	return true;
}
