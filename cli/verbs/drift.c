#include <stdio.h>
#include <string.h>

#include "../../agent/daemon/drift_history.h"
#include "../../agent/engine/target/selection.h"
#include "../../agent/host/timestamp.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/short_text.h"
#include "verbs.h"

/* The records to print and the widths of their columns. */
struct view {
	const struct cli *c;
	json_t *records;
	size_t count;
	int port, setting, writer, change;
};

/* Matches the names in the record, because the port may no longer exist. */
static bool is_wanted(const struct cli *c, const struct drift_record *r)
{
	struct identity id = { .bond = "" };

	snprintf(id.name, sizeof(id.name), "%s", r->port);
	snprintf(id.pci, sizeof(id.pci), "%s", r->pci);
	return selection_has(&c->engine.selection, &id);
}

static int wider(int width, size_t length)
{
	return (size_t)width < length ? (int)length : width;
}

static size_t change_length(const struct drift_record *r)
{
	char from[SHORT_TEXT_MAX], to[SHORT_TEXT_MAX];

	short_change(r->setting, &r->from, &r->to, from, to);
	return strlen(from) + strlen(to);
}

static void measure(const struct drift_record *r, void *arg)
{
	struct view *v = arg;
	json_t *record;

	if (!is_wanted(v->c, r))
		return;
	v->count++;
	v->port = wider(v->port, strlen(r->port));
	v->setting = wider(v->setting, strlen(settings[r->setting].path));
	v->writer = wider(v->writer, strlen(r->writer));
	v->change = wider(v->change, change_length(r));
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

static void print_values(const struct view *v, const struct drift_record *r)
{
	char from[SHORT_TEXT_MAX], to[SHORT_TEXT_MAX];

	short_change(r->setting, &r->from, &r->to, from, to);
	print_clean(stdout, from);
	printf(" %s ", v->c->out.arrow);
	print_column(to, v->change - (int)strlen(from));
}

static void print_record(const struct drift_record *r, void *arg)
{
	const struct view *v = arg;
	char when[TIMESTAMP_MAX], lasted[24] = "";

	if (!is_wanted(v->c, r))
		return;
	print_column(timestamp_text(r->when_s, when), 20);
	print_column(r->port, v->port);
	print_column(settings[r->setting].path, v->setting);
	printf("%s%-9s%s  ", colour_of(v->c, r->event), history_event_name(r->event),
	       v->c->out.reset);
	print_values(v, r);
	if (r->lasted_s) {
		print_column(r->writer, v->writer);
		puts(duration_text(r->lasted_s, lasted));
	} else {
		print_clean(stdout, r->writer);
		putchar('\n');
	}
}

static void print_head(const struct view *v)
{
	printf("%s%-20s  %-*s  %-*s  %-9s  %-*s  %-*s  %s%s\n", v->c->out.dim, "recorded", v->port,
	       "port", v->setting, "setting", "event", v->change + 3, "from, to", v->writer,
	       "likely writer", "duration", v->c->out.reset);
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
	return history_each(c->h, print_record, v, err);
}

static void print_document(const struct cli *c, json_t *records)
{
	json_t *doc = report_of_host(c, "drift");

	json_object_set(doc, "records", records);
	print_json(c, doc);
}

int verb_drift(struct cli *c, struct err *err)
{
	json_auto_t *records = json_array();
	struct view v = {
		.c = c, .records = records, .port = 4, .setting = 7, .writer = 13, .change = 5
	};

	if (!cli_open_host(c, false, err))
		return -1;
	if (!history_each(c->h, measure, &v, err)) {
		if (err->kind == ERR_DENIED)
			err_fix(err,
				"only root may read the history: run `sudo losslessctl drift`");
		return -1;
	}
	if (c->opt.json)
		print_document(c, records);
	else if (!c->opt.quiet && !print_history(c, &v, err))
		return -1;
	return EXIT_SUCCESS;
}
