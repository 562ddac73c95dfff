#include <stdio.h>
#include <string.h>

#include "../../agent/daemon/drift_log.h"
#include "../../agent/engine/target/inventory.h"
#include "../../agent/host/timestamp.h"
#include "../captured/captured_history.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "history_recordings.h"
#include "verbs.h"

enum { COLUMN_SETTING = 2, COLUMNS = 6 };

static const struct table_column columns[COLUMNS] = {
	{ "recorded", 20, false }, { "port", 0, false },     { "setting", 0, false },
	{ "event", 9, false },	   { "duration", 8, false }, { "change, likely writer", 0, false },
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

static bool each_record(const struct cli *c, void (*each)(const struct drift_record *r, void *arg),
			struct view *v, struct err *err)
{
	return c->captured ? captured_history_each(c->captured, each, v, err)
			   : history_each(c->h, each, v, err);
}

static bool count_dropped(const struct cli *c, uint64_t *ret, struct err *err)
{
	return c->captured ? captured_history_dropped(c->captured, ret, err)
			   : history_dropped(c->h, ret, err);
}

static bool print_history(struct cli *c, struct view *v, struct err *err)
{
	if (v->count == 0) {
		print_nothing(c);
		return true;
	}
	table_print_head(&v->table);
	if (!each_record(c, print_record, v, err))
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
					 .columns = columns,
					 .columns_count = COLUMNS,
					 .gap = 2,
					 .has_rest = true } };
}

static bool read_history(struct view *v, struct err *err)
{
	if (count_dropped(v->c, &v->dropped, err) && each_record(v->c, add_record, v, err) &&
	    recordings_list(v->c, v->recordings, err))
		return true;
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
