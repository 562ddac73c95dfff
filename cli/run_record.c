#include "run_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../agent/cleanup.h"
#include "../policy/memory.h"

#define PATH	 "/run/losslessctl/last-runs" /* a line for each port: its key, and the record */
#define TEXT_MAX 131072
#define LINE_MAX 256

static const char *key_of(const struct port *p)
{
	return p->id.pci[0] ? p->id.pci : p->id.name;
}

static bool read_line(const char *line, char key[64], struct run_record *ret)
{
	return sscanf(line, "%63s %15s %39s %15s %llu %llu %u %llx", key, ret->verb, ret->user,
		      ret->time, &ret->began_ms, &ret->ended_ms, &ret->pid, &ret->settings) == 8;
}

static const char *next_line(const char *line)
{
	line = strchr(line, '\n');
	return line && line[1] ? line + 1 : NULL;
}

/* The caller owns the text, which is empty while nothing is recorded; NULL: out of memory. */
static char *load(struct host *h)
{
	_free_ char *text = calloc(1, TEXT_MAX);
	struct err quiet = { 0 };

	if (text && !host_read_file(h, text, TEXT_MAX, &quiet, PATH))
		text[0] = '\0';
	return take(text);
}

static bool is_of(const char *line, const struct port *p)
{
	struct run_record r;
	char key[64];

	return read_line(line, key, &r) && strcmp(key, key_of(p)) == 0;
}

static bool is_of_any(const char *line, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (is_of(line, &all->list[i].task.port))
			return true;
	return false;
}

static void write_lines(FILE *f, const struct run_record *r, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = &all->list[i];

		fprintf(f, "%s %s %s %s %llu %llu %u %llx\n", key_of(&t->task.port), r->verb,
			r->user, r->time, r->began_ms, r->ended_ms, r->pid,
			(unsigned long long)plan_touched(&t->task.plan));
	}
}

/* The lines of other ports, and those of these. The caller owns the text; NULL: no memory. */
static char *with_these(const char *old, const struct run_record *r, const struct targets *all)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char *line = *old ? old : NULL; line; line = next_line(line))
		if (!is_of_any(line, all))
			fprintf(f, "%.*s\n", (int)strcspn(line, "\n"), line);
	write_lines(f, r, all);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static void save(const struct engine *e, struct run_record *r, const char *verb,
		 const struct targets *all)
{
	_free_ char *old = load(e->h), *text = NULL;
	struct err quiet = { 0 };
	time_t now = time(NULL);
	struct tm utc;

	snprintf(r->verb, sizeof(r->verb), "%.15s", verb);
	snprintf(r->user, sizeof(r->user), "%.39s", e->user ? e->user : "unknown");
	gmtime_r(&now, &utc);
	strftime(r->time, sizeof(r->time), "%H:%M:%SZ", &utc);
	r->pid = (unsigned)getpid();
	text = old ? with_these(old, r, all) : NULL;
	if (text)
		(void)!host_save_file(e->h, PATH, text, &quiet);
}

void run_record_begin(const struct engine *e, const char *verb, const struct targets *all)
{
	struct run_record r = { .began_ms = e->h->now_ms(e->h) };

	save(e, &r, verb, all);
}

void run_record_end(const struct engine *e, const char *verb, const struct targets *all)
{
	struct run_record r = { .ended_ms = e->h->now_ms(e->h) };

	if (all->count && run_record_find(e->h, &all->list[0].task.port, &r))
		r.ended_ms = e->h->now_ms(e->h);
	save(e, &r, verb, all);
}

bool run_record_find(struct host *h, const struct port *port, struct run_record *ret)
{
	_free_ char *text = load(h);
	char key[64];

	for (const char *line = text && *text ? text : NULL; line; line = next_line(line))
		if (read_line(line, key, ret) && strcmp(key, key_of(port)) == 0)
			return true;
	return false;
}

uint64_t run_record_latest_ms(struct host *h)
{
	_free_ char *text = load(h);
	struct run_record r;
	uint64_t latest = 0;
	char key[64];

	for (const char *line = text && *text ? text : NULL; line; line = next_line(line))
		if (read_line(line, key, &r) && r.ended_ms > latest)
			latest = r.ended_ms;
	return latest;
}

static bool is_under_way(struct host *h, const struct run_record *r)
{
	struct err quiet = { 0 };
	char comm[32];

	return host_read_file(h, comm, sizeof(comm), &quiet, "/proc/%u/comm", r->pid) &&
	       strcmp(comm, "losslessctl") == 0;
}

bool run_record_explains(struct host *h, const struct run_record *r, unsigned knob,
			 uint64_t from_ms, uint64_t until_ms)
{
	if (!(r->settings & KNOB(knob)) || r->began_ms > until_ms)
		return false;
	return r->ended_ms ? r->ended_ms >= from_ms : is_under_way(h, r);
}

const char *run_record_text(const struct run_record *r, char buf[RUN_TEXT_MAX])
{
	snprintf(buf, RUN_TEXT_MAX, "losslessctl %s (%s, %s)", r->verb, r->user, r->time);
	return buf;
}
