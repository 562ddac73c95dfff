#include "history_recordings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/daemon/flight_recorder.h"
#include "../../agent/engine/target/inventory.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_history.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "../watch/columns.h"

/* ---- the list ---- */

struct listing {
	const struct cli *c;
	json_t *list;
};

static int64_t detected_s(const json_t *summary)
{
	int64_t when = 0;

	(void)timestamp_parse(json_string_value(json_object_get(summary, "detected_at")), &when);
	return when;
}

static void list_recording(const struct flight_recording *r, const json_t *document, void *arg)
{
	const struct listing *l = arg;
	size_t at = 0;

	(void)document;
	if (!record_is_selected(&l->c->engine, r->incident.port, r->incident.pci))
		return;
	while (at < json_array_size(l->list) &&
	       detected_s(json_array_get(l->list, at)) <= r->incident.detected_s)
		at++;
	json_array_insert_new(l->list, at, recording_summary(r));
}

static void warn_of_skipped(unsigned number, const struct err *why, void *arg)
{
	const struct listing *l = arg;

	(void)number;
	print_warning(l->c, "%s: %s; %s", why->where, why->text, why->fix);
}

static bool each_recording(const struct cli *c, const struct recording_visitor *v, struct err *err)
{
	return c->captured ? captured_recordings_each(c->captured, v, err)
			   : recordings_each(c->h, v, err);
}

bool recordings_list(const struct cli *c, json_t *list, struct err *err)
{
	struct listing l = { c, list };
	const struct recording_visitor v = { list_recording, warn_of_skipped, &l };
	struct err why = { 0 };

	if (each_recording(c, &v, &why))
		return true;
	if (why.kind == ERR_DENIED || why.code == ENOMEM) {
		*err = why;
		return false;
	}
	print_warning(c, "the recordings are not read: %s%s%s", why.text, why.fix[0] ? "; " : "",
		      why.fix);
	return true;
}

static void add_document(const struct flight_recording *r, const json_t *document, void *arg)
{
	(void)r;
	json_array_append_new(arg, json_deep_copy(document));
}

static void add_error(unsigned number, const struct err *why, void *arg)
{
	(void)number;
	json_array_append_new(arg, report_error(why));
}

bool recordings_document(struct cli *c, json_t **ret, struct err *err)
{
	json_t *list = json_array();
	const struct recording_visitor v = { add_document, add_error, list };
	bool ok = recordings_each(c->h, &v, err);

	*ret = list;
	if (!ok)
		json_decref(list);
	return ok;
}

static const char *number_text(const json_t *one, const char *key, char text[24])
{
	snprintf(text, 24, "%d", (int)json_integer_value(json_object_get(one, key)));
	return text;
}

void print_recordings(const struct cli *c, const json_t *list)
{
	static const struct table_column list_columns[] = { { "number", 0, true },
							    { "detected", 20, false },
							    { "port", 0, false },
							    { "symptom", 0, false },
							    { "samples", 0, true } };
	_table_ struct table t = { .c = c, .columns = list_columns, .columns_count = 5, .gap = 2 };
	const json_t *one;
	char text[24];
	size_t i;

	if (!json_array_size(list))
		return;
	puts("\nrecordings of the minutes before critical symptoms; --recording NUMBER prints one");
	json_array_foreach (list, i, one) {
		table_add(&t, "", number_text(one, "number", text));
		table_add(&t, "", json_text(one, "detected_at"));
		table_add(&t, "", json_text(one, "port"));
		table_add(&t, c->out.red, json_text(one, "symptom"));
		table_add(&t, "", number_text(one, "sample_count", text));
	}
	table_print(&t);
}

/* ---- one recording ---- */

/* The columns of rates, in the order of `watch`; one that is zero throughout is left out. */
static const struct rate_column {
	enum rate rate;
	const char *group; /* above the first column of the group that is shown; none is wider */
	const char *head;
	int width;
} rate_columns[] = {
	{ RATE_PAUSE_SENT, "paused", "SENT", 7 },    { RATE_PAUSE_RECEIVED, "paused", "RECV", 7 },
	{ RATE_PFC_SENT, "PFC/s", "SENT", 5 },	     { RATE_PFC_RECEIVED, "PFC/s", "RECV", 5 },
	{ RATE_CNP_SENT, "CNP/s", "SENT", 5 },	     { RATE_CNP_HANDLED, "CNP/s", "DONE", 5 },
	{ RATE_CNP_IGNORED, "CNP/s", "IGNRD", 5 },   { RATE_ECN_MARKED, "CE/s", "MARKS", 5 },
	{ RATE_RDMA_RECEIVED, "Gb/s", "RX", 5 },     { RATE_RDMA_SENT, "Gb/s", "TX", 5 },
	{ RATE_DROPS, "per s", "DROPS", 5 },	     { RATE_OUT_OF_ORDER, "per s", "REORD", 5 },
	{ RATE_LINK_ERRORS, "per s", "LINKERR", 7 }, { RATE_PCI_STALLED, "PCIe", "STALL%", 6 },
};

#define RATE_COLUMNS (sizeof(rate_columns) / sizeof(rate_columns[0]))

static bool is_shown(const struct flight_recording *r, const struct rate_column *column)
{
	for (size_t i = 0; i < r->count; i++)
		if (flight_rate(&r->samples[i], column->rate) > 0)
			return true;
	return false;
}

static void print_heads(const struct cli *c, const struct flight_recording *r)
{
	const char *last = "";

	printf("%s%10s", c->out.dim, "");
	for (size_t i = 0; i < RATE_COLUMNS; i++) {
		const struct rate_column *column = &rate_columns[i];

		if (!is_shown(r, column))
			continue;
		printf("  %*s", column->width, strcmp(last, column->group) ? column->group : "");
		last = column->group;
	}
	printf("\n%-10s", "  UTC");
	for (size_t i = 0; i < RATE_COLUMNS; i++)
		if (is_shown(r, &rate_columns[i]))
			printf("  %*s", rate_columns[i].width, rate_columns[i].head);
	printf("%s\n", c->out.reset);
}

static void print_symptoms(const char *verb, uint32_t which)
{
	for (size_t i = 0; i < symptoms_count; i++)
		if (which & (1u << i))
			printf("  %s %s", verb, symptoms[i].name);
}

/* Prints the events of a row behind its rates. */
static void print_events(const struct flight_sample *s, uint32_t before)
{
	print_symptoms("raised", s->symptoms & ~before);
	print_symptoms("cleared", before & ~s->symptoms);
	if (s->link_downs)
		printf("  link down %u time%s", s->link_downs, s->link_downs == 1 ? "" : "s");
	if (s->watchdog_trips)
		printf("  watchdog tripped %u time%s", s->watchdog_trips,
		       s->watchdog_trips == 1 ? "" : "s");
}

static void print_row(const struct cli *c, const struct flight_recording *r, size_t i)
{
	const struct flight_sample *s = &r->samples[i];
	bool marked = i == recording_incident_row(r);
	struct rates f = flight_rates(s);
	char when[TIMESTAMP_MAX], cell[COLUMN_CELL_MAX];

	timestamp_text((int64_t)(s->at_ms / 1000), when);
	printf("%s%c %.8s", marked ? c->out.red : "", marked ? '>' : ' ',
	       strlen(when) == 20 ? &when[11] : "");
	for (size_t k = 0; k < RATE_COLUMNS; k++)
		if (is_shown(r, &rate_columns[k]))
			printf("  %*s", rate_columns[k].width,
			       columns_rate(&f, rate_columns[k].rate, cell));
	print_events(s, i ? r->samples[i - 1].symptoms : 0);
	printf("%s\n", marked ? c->out.reset : "");
}

static void print_samples(const struct cli *c, const struct flight_recording *r)
{
	const struct incident *i = &r->incident;
	char when[TIMESTAMP_MAX];

	printf("%s", c->out.bold);
	print_clean(stdout, i->port);
	printf("%s ", c->out.reset);
	print_outside(stdout, "%s: %s at %s: %s; origin: %s", i->pci, i->symptom,
		      timestamp_text(i->detected_s, when), i->message, i->origin);
	putchar('\n');
	if (i->withheld)
		printf("%u critical symptom%s before it had no recording: the last one was too "
		       "new\n",
		       i->withheld, i->withheld == 1 ? "" : "s");
	putchar('\n');
	print_heads(c, r);
	for (size_t row = 0; row < r->count; row++)
		print_row(c, r, row);
	puts("\npaused is the share of the time, with the priority (p3) or all; k and M are "
	     "thousand and\nmillion; rates that were zero throughout are left out");
	print_outside(stdout, "run `losslessctl explain %s` for the next steps", i->symptom);
	putchar('\n');
}

static bool load_recording(const struct cli *c, struct flight_recording *ret, json_t **document,
			   struct err *err)
{
	unsigned number = c->opt.recording;

	return c->captured ? captured_recording_load(c->captured, number, ret, document, err)
			   : recording_load(c->h, number, ret, document, err);
}

static bool not_loaded(const struct cli *c, const struct err *why, struct err *err)
{
	if (why->kind != ERR_MISSING) {
		*err = *why;
		return false;
	}
	err_record(err, ERR_NO_FILE, why->code, "there is no recording %u", c->opt.recording);
	return err_fix(err, "run `losslessctl history` for the list");
}

bool print_recording(struct cli *c, struct err *err)
{
	_free_ struct flight_recording *r = oom_calloc(1, sizeof(*r));
	json_auto_t *document = NULL;
	struct err why = { 0 };

	if (!r)
		return err_no_memory(err);
	if (!load_recording(c, r, &document, &why))
		return not_loaded(c, &why, err);
	if (c->opt.json)
		print_json(c, json_incref(document));
	else if (!c->opt.quiet)
		print_samples(c, r);
	return true;
}
