#include "latest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../agent/cleanup.h"
#include "../policy/memory.h"
#include "print.h"

#define PATH	    "/run/losslessctl/latest" /* a line for each port: its key, and struct latest */
#define LOADED	    "/run/losslessctl/agent-policy" /* the agent's: its SHA-256, and when */
#define ROLLED_BACK "rolled-back"
#define TEXT_MAX    262144

static const char *key_of(const struct port *p)
{
	return p->id.pci[0] ? p->id.pci : p->id.name;
}

static bool is_line_of(const char *line, const struct port *p)
{
	size_t n = strlen(key_of(p));

	return strncmp(line, key_of(p), n) == 0 && line[n] == ' ';
}

static const char *next_line(const char *line)
{
	line = strchr(line, '\n');
	return line && line[1] ? line + 1 : NULL;
}

/* The caller owns the text, which is empty while nothing was noted; NULL with *err. */
static char *load(struct host *h, struct err *err)
{
	_free_ char *text = calloc(1, TEXT_MAX);
	struct err why = { 0 };

	if (!text) {
		(void)err_no_memory(err);
		return NULL;
	}
	if (!host_read_file(h, text, TEXT_MAX, &why, PATH)) {
		text[0] = '\0';
		if (why.kind != ERR_UNSUPPORTED) {
			*err = why;
			return NULL;
		}
	}
	return take(text);
}

static bool is_done(const struct target *t)
{
	return t->task.result.outcome <= OUTCOME_AWAITING;
}

static bool is_done_anew(const char *line, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (is_done(&all->list[i]) && is_line_of(line, &all->list[i].task.port))
			return true;
	return false;
}

static void time_text(char buf[32])
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(buf, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* The part of each line behind the port, which is about this run. */
static struct latest of_this_run(const struct engine *e, const struct policy *p)
{
	struct latest l = { .at_ms = e->h->now_ms(e->h) };

	snprintf(l.word, sizeof(l.word), "%s", p ? p->sha256 : ROLLED_BACK);
	snprintf(l.verb, sizeof(l.verb), "%s", p ? "apply" : "rollback");
	snprintf(l.user, sizeof(l.user), "%s", e->user ? e->user : "-");
	time_text(l.time);
	return l;
}

/* The lines of other ports, and those of these. The caller owns the text; NULL: no memory. */
static char *with_these(const char *old, const struct latest *l, const struct targets *all)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char *line = *old ? old : NULL; line; line = next_line(line))
		if (!is_done_anew(line, all))
			fprintf(f, "%.*s\n", (int)strcspn(line, "\n"), line);
	for (size_t i = 0; i < all->count; i++)
		if (is_done(&all->list[i]))
			fprintf(f, "%s %s %" PRIu64 " %s %s %s\n", key_of(&all->list[i].task.port),
				l->word, l->at_ms, l->time, l->verb, l->user);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

void latest_note(const struct engine *e, const struct policy *p, const struct targets *all)
{
	struct err err = { 0 };
	struct latest l = of_this_run(e, p);
	_free_ char *old = load(e->h, &err), *text = NULL;

	if (old)
		text = with_these(old, &l, all);
	if (old && !text)
		(void)err_no_memory(&err);
	if (!text || !host_save_file(e->h, PATH, text, &err))
		engine_warn(e, "an agent in mode enforce may undo this: %s", err.text);
}

static bool take_line(const char *line, struct latest *ret)
{
	*ret = (struct latest){ .word = "" };
	return sscanf(line, "%*s %64s %" SCNu64 " %31s %15s %63s", ret->word, &ret->at_ms,
		      ret->time, ret->verb, ret->user) == 5;
}

bool latest_of(struct host *h, const struct port *port, struct latest *ret, struct err *err)
{
	_free_ char *text = load(h, err);
	const char *line = text && text[0] ? text : NULL;

	*ret = (struct latest){ .word = "" };
	while (line && !is_line_of(line, port))
		line = next_line(line);
	return text && (!line || take_line(line, ret) ||
			err_set(err, ERR_SYSTEM, EINVAL, "%s is damaged", PATH));
}

bool latest_is(struct host *h, const struct policy *p, uint64_t loaded_ms, const struct port *port,
	       struct err *err)
{
	struct latest l;

	if (!latest_of(h, port, &l, err))
		return false;
	if (!l.word[0] || l.at_ms < loaded_ms || strcmp(l.word, p->sha256) == 0)
		return true;
	return err_set(err, ERR_REFUSED, EBUSY,
		       "%s since this one was loaded (%s at %s, by %s): repairs are paused; "
		       "`systemctl reload losslessctl` resumes them",
		       strcmp(l.word, ROLLED_BACK) == 0 ? "an apply was rolled back"
							: "another policy was applied",
		       l.verb, l.time, l.user);
}

uint64_t latest_reloaded(struct host *h, const struct policy *p)
{
	uint64_t now = h->now_ms(h);
	char text[128];
	struct err quiet = { 0 };

	snprintf(text, sizeof(text), "%s %" PRIu64 "\n", p->sha256, now);
	(void)!host_save_file(h, LOADED, text, &quiet);
	return now;
}

uint64_t latest_started(struct host *h, const struct policy *p)
{
	char text[128], sha256[65];
	uint64_t loaded_ms;
	struct err quiet = { 0 };

	if (host_read_file(h, text, sizeof(text), &quiet, LOADED) &&
	    sscanf(text, "%64s %" SCNu64, sha256, &loaded_ms) == 2 &&
	    strcmp(sha256, p->sha256) == 0)
		return loaded_ms;
	return latest_reloaded(h, p);
}
