#include <stdio.h>
#include <stdlib.h>
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
#include "../watch/lines.h"
#include "../watch/screen.h"
#include "../watch/terminal.h"
#include "verbs.h"

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

static int watch_in_lines(struct schedule *s)
{
	_watch_lines_ struct watch_lines lines = { .columns = { NULL } };
	char when[TIMESTAMP_MAX];

	watch_lines_open(&lines, s->c);
	while (!is_over(s) && fflush(stdout) == 0) {
		while (left_ms(s))
			host_sleep(s->c->h, left_ms(s));
		collect_samples(s);
		watch_lines_print(&lines, s->c, s->live, timestamp_now(when));
	}
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
