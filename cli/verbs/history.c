#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/engine/target/inventory.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/log.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_bundle.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "../watch/columns.h"
#include "verbs.h"

/* ---- the list of recordings ---- */

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
	print_warning(l->c, "%s: %s%s%s", why->where, why->text, why->fix[0] ? "; " : "", why->fix);
}

/*
 * Adds the recordings of the named ports to a list, oldest first and without their samples. Warns
 * of those that are not read, unless the caller's rights or memory do not suffice for any.
 */
static bool recordings_list(const struct cli *c, json_t *list, struct err *err)
{
	struct listing l = { c, list };
	const struct recording_visitor v = { list_recording, warn_of_skipped, &l };
	struct err why = { 0 };

	if (source_recordings_each(c, &v, &why))
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
	bool ok = source_recordings_each(c, &v, err);

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

static void print_recordings(const struct cli *c, const json_t *list)
{
	static const struct table_column list_columns[] = { { "number", .is_right = true },
							    { "detected", .width = 20 },
							    { .head = "port" },
							    { .head = "symptom" },
							    { "samples", .is_right = true } };
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

static bool not_loaded(const struct cli *c, const struct err *why, struct err *err)
{
	if (why->kind != ERR_MISSING) {
		*err = *why;
		return false;
	}
	err_record(err, ERR_NO_FILE, why->code, "there is no recording %u", c->opt.recording);
	return err_fix(err, "run `losslessctl history` for the list");
}

static bool print_recording(struct cli *c, struct err *err)
{
	_free_ struct flight_recording *r = oom_calloc(1, sizeof(*r));
	json_auto_t *document = NULL;
	struct err why = { 0 };

	if (!r)
		return err_no_memory(err);
	if (!source_recording_load(c, c->opt.recording, r, &document, &why))
		return not_loaded(c, &why, err);
	if (c->opt.json)
		print_json(c, json_incref(document));
	else if (!c->opt.quiet)
		print_samples(c, r);
	return true;
}

/* ---- the history ---- */

enum { COLUMN_SETTING = 2, COLUMNS = 6 };

static const struct table_column record_columns[COLUMNS] = {
	{ "recorded", .width = 20 }, { .head = "port" },
	{ .head = "setting" },	     { "event", .width = 9 },
	{ "duration", .width = 8 },  { .head = "change, likely writer" },
};

/* The records to print. */
struct view {
	const struct cli *c;
	json_t *records, *recordings;
	size_t count, all; /* those of the named ports, and all */
	uint64_t dropped;  /* records that the history no longer has */
	struct table table;
	size_t row; /* the next one to print */
};

static bool is_wanted(const struct cli *c, const struct drift_record *r)
{
	return record_is_selected(&c->engine, r->port, r->pci);
}

/* Writes "15 s", "3 min", "2 h" or "4 d", rounded down; more precision is not needed. */
static const char *duration_text(uint64_t s, char buf[24])
{
	static const struct {
		uint64_t s;
		const char *unit;
	} units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	size_t i = 0;

	while (s < 2 * units[i].s && units[i].s > 1)
		i++;
	snprintf(buf, 24, "%llu %s", (unsigned long long)(s / units[i].s), units[i].unit);
	return buf;
}

static const char *colour_of(const struct cli *c, enum history_event e)
{
	return e == HISTORY_CONTESTED  ? c->out.red
	       : e == HISTORY_DETECTED ? c->out.yellow
				       : c->out.green;
}

static void add_record(const struct drift_record *r, void *arg)
{
	struct view *v = arg;
	char when[TIMESTAMP_MAX], lasted[24] = "";
	json_t *record;

	v->all++;
	if (!is_wanted(v->c, r))
		return;
	v->count++;
	record = history_to_json(r);
	json_object_del(record, "schema");
	json_array_append_new(v->records, record);
	table_add(&v->table, "", timestamp_text(r->when_s, when));
	table_add(&v->table, "", r->port);
	table_add(&v->table, "", settings[r->setting].path);
	table_add(&v->table, colour_of(v->c, r->event), history_event_name(r->event));
	table_add(&v->table, "", r->lasted_s ? duration_text(r->lasted_s, lasted) : "");
}

/* Writes "9000 → 1500"; "1500 at first" for a setting that was not read before. */
static void change_text(const struct view *v, const struct drift_record *r, char *buf, size_t size)
{
	char before[SETTING_TEXT_MAX], after[SETTING_TEXT_MAX];

	setting_change_text(&settings[r->setting], &r->from, &r->to, before, after);
	if (r->from.has & SETTING(r->setting))
		snprintf(buf, size, "%s %s %s", before, v->c->out.arrow, after);
	else
		snprintf(buf, size, "%s at first", after);
}

static void print_record(const struct drift_record *r, void *arg)
{
	struct view *v = arg;
	char change[2 * SETTING_TEXT_MAX + 16], text[sizeof(change) + WRITER_MAX + 8];
	struct report_row row;

	if (!is_wanted(v->c, r))
		return;
	row = table_print_row(&v->table, v->row++);
	row.indent = table_start(&v->table, COLUMN_SETTING);
	change_text(v, r, change, sizeof(change));
	snprintf(text, sizeof(text), "%s, by %s", change, r->writer);
	report_row_add(&row, 0, "", text, "");
	putchar('\n');
}

/* The history is bounded: names the number of records that are missing in front of these. */
static void print_dropped(const struct view *v)
{
	if (v->dropped)
		printf("the history has the newest %zu of %llu records; the oldest were dropped\n",
		       v->all, (unsigned long long)(v->all + v->dropped));
}

static void print_nothing(const struct cli *c)
{
	printf("no drift is recorded%s; only a running `losslessctl agent` records drift\n",
	       c->opt.words_count ? " for the named ports" : "");
}

static bool print_history(struct cli *c, struct view *v, struct err *err)
{
	if (v->count == 0) {
		print_nothing(c);
		return true;
	}
	table_print_head(&v->table);
	if (!source_history_each(c, print_record, v, NULL, err))
		return false;
	print_dropped(v);
	return true;
}

static bool print_all(struct cli *c, struct view *v, struct err *err)
{
	if (!print_history(c, v, err))
		return false;
	print_recordings(c, v->recordings);
	return true;
}

static json_t *view_to_json(const struct view *v)
{
	json_t *doc = report_of_host(v->c, "history");

	json_object_set_new(doc, "dropped_count", json_integer((json_int_t)v->dropped));
	json_object_set(doc, "records", v->records);
	json_object_set(doc, "recordings", v->recordings);
	return doc;
}

static bool needs_root(const struct cli *c, struct err *err)
{
	if (err->kind == ERR_DENIED)
		err_fix(err, "only root may read the history: run `sudo losslessctl %s`",
			c->opt.verb->name);
	return false;
}

static struct view view_of(const struct cli *c, json_t *records, json_t *recordings)
{
	return (struct view){ .c = c,
			      .records = records,
			      .recordings = recordings,
			      .table = { .c = c,
					 .columns = record_columns,
					 .columns_count = COLUMNS,
					 .gap = 2,
					 .has_rest = true } };
}

static bool read_history(struct view *v, struct err *err)
{
	size_t unread = 0;

	if (source_history_dropped(v->c, &v->dropped, err) &&
	    source_history_each(v->c, add_record, v, &unread, err) &&
	    recordings_list(v->c, v->recordings, err)) {
		if (unread)
			print_warning(v->c,
				      "%zu line%s of the history %s no record: damaged, or of a "
				      "later version",
				      unread, unread == 1 ? "" : "s", unread == 1 ? "is" : "are");
		return true;
	}
	return needs_root(v->c, err);
}

bool history_document(struct cli *c, json_t **ret, struct err *err)
{
	json_auto_t *records = json_array(), *recordings = json_array();
	struct view v = view_of(c, records, recordings);
	bool ok = read_history(&v, err);

	if (ok)
		*ret = view_to_json(&v);
	table_free(&v.table);
	return ok;
}

int verb_history(struct cli *c, struct err *err)
{
	json_auto_t *records = json_array(), *recordings = json_array();
	struct view v = view_of(c, records, recordings);
	bool ok;

	if (c->opt.recording && c->opt.words_count) {
		err_record(err, ERR_USAGE, 0, "a recording is of one port: name none");
		return -1;
	}
	if (!cli_open_host(c, false, err))
		return -1;
	if (c->opt.recording)
		return print_recording(c, err) || needs_root(c, err) ? EXIT_SUCCESS : -1;
	ok = read_history(&v, err);
	if (ok && c->opt.json)
		print_json(c, view_to_json(&v));
	else if (ok && !c->opt.quiet)
		ok = print_all(c, &v, err);
	table_free(&v.table);
	return ok ? EXIT_SUCCESS : -1;
}
