#include "lines.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "terminal.h"

/* ---- JSON lines ---- */

/* Returns the counters that changed since the last sample. */
static json_t *counters_to_json(const struct live_port *p)
{
	json_t *object = json_object();
	char name[COUNTER_NAME_MAX];

	for (size_t i = 0; i < COUNTER_SLOTS && p->measured; i++)
		if (p->last.known[i] && p->last.count[i])
			json_object_set_new(object, counter_slot_name(i, name),
					    json_integer((json_int_t)p->last.count[i]));
	return object;
}

static json_t *symptoms_to_json(const struct live_port *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->sampler.active_symptoms_count; i++) {
		const struct active_symptom *k = &p->sampler.active_symptoms[i];

		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "symptom", k->symptom->name,
						"severity", severity_name(k->severity), "origin",
						symptom_origin_name(k->origin), "message",
						k->text));
	}
	return list;
}

static json_t *port_to_json(const struct live_port *p)
{
	json_t *object = json_pack("{s:o, s:b, s:b, s:o}", "port", json_from_text(p->port.id.name),
				   "present", !p->gone, "carrier", p->port.carrier, "counters",
				   counters_to_json(p));

	rates_to_json(object, &p->now);
	json_object_set_new(object, "symptoms", symptoms_to_json(p));
	return object;
}

static void print_document(const struct cli *c, const struct live *l, const char *when)
{
	json_auto_t *doc = report_of_host(c, "watch");
	json_t *ports = json_array();

	for (size_t i = 0; i < l->count; i++)
		json_array_append_new(ports, port_to_json(&l->ports[i]));
	json_object_set_new(doc, "sampled_at", json_string(when));
	json_object_set_new(doc, "interval_s", rates_number(l->seconds));
	json_object_set_new(doc, "ports", ports);
	json_dumpf(doc, stdout, JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS));
	putchar('\n');
}

/* ---- lines of text ---- */

#define TIME_WIDTH 20

/* Returns the width of a column in lines: that of the heading or of the longest value. */
static unsigned line_width(const struct column *c)
{
	unsigned name = (unsigned)strlen(c->name);

	return c == columns ? LINK_NAME_MAX - 1 : name > c->width ? name : c->width;
}

static void choose_columns(bool ret[COLUMNS_MAX])
{
	unsigned used = TIME_WIDTH + sizeof("  symptoms") - 1, width = terminal_report_columns();

	for (unsigned rank = 1; rank <= columns_count; rank++)
		for (size_t i = 0; i < columns_count; i++) {
			unsigned more;

			if (columns[i].rank != rank || !columns[i].name)
				continue;
			more = 2 + line_width(&columns[i]);
			ret[i] = used + more <= width;
			used += ret[i] ? more : 0;
		}
}

/* The headings are a row without colours, whatever --color is: scripts read them. */
void watch_lines_open(struct watch_lines *l, const struct cli *c)
{
	bool is_shown[COLUMNS_MAX] = { false };
	size_t n = 0;

	choose_columns(is_shown);
	l->heads[n++] = (struct table_column){ "", .width = TIME_WIDTH };
	for (size_t i = 0; i < columns_count; i++)
		if (is_shown[i]) {
			size_t width = line_width(&columns[i]);

			l->columns[n - 1] = &columns[i];
			l->heads[n++] = (struct table_column){ "", .width = width, .max = width,
							       .is_right = !columns[i].left };
		}
	l->heads[n++] = (struct table_column){ .head = "" };
	l->table = (struct table){ .c = c, .columns = l->heads, .columns_count = n, .gap = 2 };
	table_add(&l->table, "", "time");
	for (size_t i = 0; i + 2 < n; i++)
		table_add(&l->table, "", l->columns[i]->name);
	table_add(&l->table, "", "symptoms");
	if (!c->opt.json)
		table_print_rows(&l->table);
}

/* Adds fields without blanks, the same number in every line, so that scripts can split them. */
static void add_line(struct watch_lines *l, const struct live_port *p, const char *when)
{
	char cell[COLUMN_CELL_MAX], list[1024] = "-";
	size_t used = 0;

	table_add(&l->table, "", when);
	for (size_t i = 0; i + 2 < l->table.columns_count; i++) {
		l->columns[i]->write(l->columns[i], p, cell);
		table_add(&l->table, "", cell);
	}
	for (size_t i = 0; i < p->sampler.active_symptoms_count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? "," : "",
					 p->sampler.active_symptoms[i].symptom->name);
	table_add(&l->table, "", list);
}

void watch_lines_print(struct watch_lines *l, const struct cli *c, const struct live *live,
		       const char *when)
{
	if (c->opt.json) {
		print_document(c, live, when);
		return;
	}
	for (size_t i = 0; i < live->count; i++)
		add_line(l, &live->ports[i], when);
	table_print_rows(&l->table);
}

void watch_lines_free(struct watch_lines *l)
{
	table_free(&l->table);
}
