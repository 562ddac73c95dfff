#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/log.h"
#include "../../agent/monitor/rates.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "../watch/columns.h"
#include "../watch/screen.h"
#include "../watch/terminal.h"
#include "verbs.h"

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

/* The columns of lines, between the time and the symptoms: those that fit, by rank. */
struct lines {
	struct table_column heads[COLUMNS_MAX + 2];
	const struct column *columns[COLUMNS_MAX];
	struct table table;
};

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
static void open_lines(struct lines *l, const struct cli *c)
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
}

/* Adds fields without blanks, the same number in every line, so that scripts can split them. */
static void add_line(struct lines *l, const struct live_port *p, const char *when)
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

/* ---- sampling ---- */

/* The number of samples taken and the time of the next one. */
struct schedule {
	struct cli *c;
	struct live *live;
	unsigned taken;
	uint64_t next_ms;
};

static void plan_next(struct schedule *s)
{
	s->next_ms = s->live->round_ms + (uint64_t)s->live->interval_s * 1000;
}

static bool is_over(const struct schedule *s)
{
	return s->c->opt.count && s->taken == s->c->opt.count;
}

static unsigned left_ms(const struct schedule *s)
{
	uint64_t now = s->c->h->now_ms(s->c->h);

	return now < s->next_ms ? (unsigned)(s->next_ms - now) : 0;
}

static void collect_samples(struct schedule *s)
{
	live_round(s->live, s->c);
	plan_next(s);
	s->taken++;
}

static void print_lines(struct lines *l, const struct schedule *s, const char *when)
{
	for (size_t i = 0; i < s->live->count; i++)
		add_line(l, &s->live->ports[i], when);
	table_print_rows(&l->table);
}

static int watch_in_lines(struct schedule *s)
{
	struct lines lines = { .columns = { NULL } };
	char when[TIMESTAMP_MAX];

	open_lines(&lines, s->c);
	if (!s->c->opt.json)
		table_print_rows(&lines.table);
	while (!is_over(s) && fflush(stdout) == 0) {
		while (left_ms(s))
			host_sleep(s->c->h, left_ms(s));
		collect_samples(s);
		timestamp_now(when);
		if (s->c->opt.json)
			print_document(s->c, s->live, when);
		else
			print_lines(&lines, s, when);
	}
	table_free(&lines.table);
	return EXIT_SUCCESS; /* run() checks for write errors at the end of every verb */
}

/* Resources for drawing, reused for every picture. */
struct drawing {
	const struct terminal *terminal;
	char *bytes; /* CANVAS_BYTES */
	char host[256];
};

static bool draw(const struct schedule *s, const struct drawing *e)
{
	struct screen_buffer screen_buffer;
	char when[TIMESTAMP_MAX];
	time_t now = time(NULL);
	struct tm t;

	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", localtime_r(&now, &t));
	screen_buffer_start(&screen_buffer, e->bytes, e->terminal->cols, e->terminal->rows);
	frame_draw(&(struct scene){ .ports = s->live->ports,
				    .count = s->live->count,
				    .interval_s = s->live->interval_s,
				    .host = e->host,
				    .time = when,
				    .style = &s->c->out },
		   &screen_buffer);
	return terminal_show(screen_buffer.bytes, screen_buffer.used);
}

/* Leaving by a key or Ctrl-C is no failure; other signals are reported to their sender. */
static int quit_code(int signal)
{
	return signal == 0 || signal == SIGINT ? EXIT_SUCCESS : 128 + signal;
}

static int watch_on_terminal(struct schedule *s, struct err *err)
{
	_free_ char *bytes = malloc(CANVAS_BYTES);
	_terminal_ struct terminal t = { .open = false };
	struct drawing e = { .terminal = &t, .bytes = bytes };

	if (!bytes)
		return err_no_memory(err) ? 0 : -1;
	gethostname(e.host, sizeof(e.host) - 1);
	if (!terminal_open(&t, err))
		return -1;
	while (draw(s, &e) && !is_over(s)) {
		if (terminal_wait(&t, left_ms(s)) == TERMINAL_QUIT)
			break;
		if (!left_ms(s))
			collect_samples(s);
	}
	return quit_code(t.quit_by);
}

int verb_watch(struct cli *c, struct err *err)
{
	_live_ struct live live = { .ports = NULL };
	struct schedule s = { .c = c, .live = &live };

	if (!cli_open_host(c, false, err) || !live_open(&live, c, err))
		return -1;
	plan_next(&s);
	if (c->opt.json || !terminal_can_draw())
		return watch_in_lines(&s);
	return watch_on_terminal(&s, err);
}
