#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/engine/target/inventory.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_bundle.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/wrap.h"
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
	print_warning(l->c, "%s: %s; %s", why->where, why->text, why->fix);
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

static int widest(const json_t *list, const char *key)
{
	size_t i, width = strlen(key);
	const json_t *one;

	json_array_foreach (list, i, one) {
		size_t length = strlen(json_text(one, key));

		width = length > width ? length : width;
	}
	return (int)width;
}

static void print_padded(const char *text, int width)
{
	int length = (int)strlen(text);

	print_clean(stdout, text);
	printf("%*s  ", length < width ? width - length : 0, "");
}

static void print_recordings(const struct cli *c, const json_t *list)
{
	int port = widest(list, "port"), symptom = widest(list, "symptom");
	const json_t *one;
	size_t i;

	if (!json_array_size(list))
		return;
	puts("\nrecordings of the minutes before critical symptoms; --recording NUMBER prints one");
	printf("%snumber  %-20s  %-*s  %-*s  samples%s\n", c->out.dim, "detected", port, "port",
	       symptom, "symptom", c->out.reset);
	json_array_foreach (list, i, one) {
		printf("%6d  ", (int)json_integer_value(json_object_get(one, "number")));
		print_padded(json_text(one, "detected_at"), 20);
		print_padded(json_text(one, "port"), port);
		fputs(c->out.red, stdout);
		print_padded(json_text(one, "symptom"), symptom);
		printf("%s%7d\n", c->out.reset,
		       (int)json_integer_value(json_object_get(one, "sample_count")));
	}
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

/* Writes "85%p3", "85%all" for global pause, or "0". */
static void write_pause(double value, int on, char cell[COLUMN_CELL_MAX])
{
	char number[COLUMN_CELL_MAX];

	columns_number(value, number);
	if (on == ON_NONE)
		snprintf(cell, COLUMN_CELL_MAX, "%.8s", number);
	else if (on == ON_ALL)
		snprintf(cell, COLUMN_CELL_MAX, "%.8s%%all", number);
	else
		snprintf(cell, COLUMN_CELL_MAX, "%.8s%%p%d", number, on);
}

static void print_rate(const struct rate_column *column, const struct rates *f)
{
	char cell[COLUMN_CELL_MAX];

	if (column->rate == RATE_PAUSE_SENT)
		write_pause(f->value[column->rate], f->sent_on, cell);
	else if (column->rate == RATE_PAUSE_RECEIVED)
		write_pause(f->value[column->rate], f->received_on, cell);
	else
		columns_number(f->value[column->rate], cell);
	printf("  %*s", column->width, cell);
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
	char when[TIMESTAMP_MAX];

	timestamp_text((int64_t)(s->at_ms / 1000), when);
	printf("%s%c %.8s", marked ? c->out.red : "", marked ? '>' : ' ',
	       strlen(when) == 20 ? &when[11] : "");
	for (size_t k = 0; k < RATE_COLUMNS; k++)
		if (is_shown(r, &rate_columns[k]))
			print_rate(&rate_columns[k], &f);
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

#define DURATION_WIDTH 8

/* The records to print and the widths of their columns. */
struct view {
	const struct cli *c;
	json_t *records, *recordings;
	size_t count, all; /* those of the named ports, and all */
	uint64_t dropped;  /* records that the history no longer has */
	int port, setting;
};

static bool is_wanted(const struct cli *c, const struct drift_record *r)
{
	return record_is_selected(&c->engine, r->port, r->pci);
}

static int wider(int width, size_t length)
{
	return (size_t)width < length ? (int)length : width;
}

static void measure(const struct drift_record *r, void *arg)
{
	struct view *v = arg;
	json_t *record;

	v->all++;
	if (!is_wanted(v->c, r))
		return;
	v->count++;
	v->port = wider(v->port, strlen(r->port));
	v->setting = wider(v->setting, strlen(settings[r->setting].path));
	record = history_to_json(r);
	json_object_del(record, "schema");
	json_array_append_new(v->records, record);
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

static void print_column(const char *text, int width)
{
	print_clean(stdout, text);
	printf("%*s  ", (int)strlen(text) < width ? width - (int)strlen(text) : 0, "");
}

static const char *colour_of(const struct cli *c, enum history_event e)
{
	return e == HISTORY_CONTESTED  ? c->out.red
	       : e == HISTORY_DETECTED ? c->out.yellow
				       : c->out.green;
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
	const struct view *v = arg;
	char when[TIMESTAMP_MAX], lasted[24] = "", change[2 * SETTING_TEXT_MAX + 16];
	char text[sizeof(change) + WRITER_MAX + 8];
	struct report_row row = { .indent = 22 + (size_t)v->port + 2 };

	if (!is_wanted(v->c, r))
		return;
	print_column(timestamp_text(r->when_s, when), 20);
	print_column(r->port, v->port);
	print_column(settings[r->setting].path, v->setting);
	printf("%s%-9s%s  ", colour_of(v->c, r->event), history_event_name(r->event),
	       v->c->out.reset);
	print_column(r->lasted_s ? duration_text(r->lasted_s, lasted) : "", DURATION_WIDTH);
	change_text(v, r, change, sizeof(change));
	snprintf(text, sizeof(text), "%s, by %s", change, r->writer);
	row.column = row.indent + (size_t)v->setting + 2 + 11 + DURATION_WIDTH + 2;
	report_row_add(&row, 0, "", text, "");
	putchar('\n');
}

static void print_head(const struct view *v)
{
	printf("%s%-20s  %-*s  %-*s  %-9s  %-*s  %s%s\n", v->c->out.dim, "recorded", v->port,
	       "port", v->setting, "setting", "event", DURATION_WIDTH, "duration",
	       "change, likely writer", v->c->out.reset);
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
	print_head(v);
	if (!source_history_each(c, print_record, v, err))
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

static bool read_history(struct view *v, struct err *err)
{
	if (source_history_dropped(v->c, &v->dropped, err) &&
	    source_history_each(v->c, measure, v, err) && recordings_list(v->c, v->recordings, err))
		return true;
	return needs_root(v->c, err);
}

bool history_document(struct cli *c, json_t **ret, struct err *err)
{
	json_auto_t *records = json_array(), *recordings = json_array();
	struct view v = { .c = c, .records = records, .recordings = recordings };

	if (!read_history(&v, err))
		return false;
	*ret = view_to_json(&v);
	return true;
}

int verb_history(struct cli *c, struct err *err)
{
	json_auto_t *records = json_array(), *recordings = json_array();
	struct view v = {
		.c = c, .records = records, .recordings = recordings, .port = 4, .setting = 7
	};

	if (c->opt.recording && c->opt.words_count) {
		err_record(err, ERR_USAGE, 0, "a recording is of one port: name none");
		return -1;
	}
	if (!cli_open_host(c, false, err))
		return -1;
	if (c->opt.recording)
		return print_recording(c, err) || needs_root(c, err) ? EXIT_SUCCESS : -1;
	if (!read_history(&v, err))
		return -1;
	if (c->opt.json)
		print_json(c, view_to_json(&v));
	else if (!c->opt.quiet && !print_all(c, &v, err))
		return -1;
	return EXIT_SUCCESS;
}
