#include "latest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/cleanup.h"
#include "../policy/memory.h"
#include "print.h"

#define PATH	   "/run/losslessctl/latest" /* a line for each port: its key, a space, the word */
#define TAKEN_BACK "taken back"
#define TEXT_MAX   131072

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

/* The lines of other ports, and those of these. The caller owns the text; NULL: no memory. */
static char *with_these(const char *old, const char *word, const struct targets *all)
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
			fprintf(f, "%s %s\n", key_of(&all->list[i].task.port), word);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

void latest_note(struct cli *c, const struct policy *p, const struct targets *all)
{
	struct err err = { 0 };
	_free_ char *old = load(c->h, &err), *text = NULL;

	if (old)
		text = with_these(old, p ? p->sha256 : TAKEN_BACK, all);
	if (old && !text)
		(void)err_no_memory(&err);
	if (!text || !host_save_file(c->h, PATH, text, &err))
		print_warning(c, "an agent in mode enforce may undo this: %s", err.text);
}

static bool speaks_of(const char *line, const char *word)
{
	line = strchr(line, ' ') + 1;
	return strcspn(line, "\n") == strlen(word) && strncmp(line, word, strlen(word)) == 0;
}

bool latest_is(struct host *h, const struct policy *p, const struct port *port, struct err *err)
{
	_free_ char *text = load(h, err);
	const char *line = text && text[0] ? text : NULL;

	while (line && !is_line_of(line, port))
		line = next_line(line);
	if (!text || !line || speaks_of(line, p->sha256))
		return text;
	return err_set(err, ERR_REFUSED, EBUSY,
		       "%s since this one was loaded: nothing is repaired until a policy is loaded "
		       "anew (systemctl reload losslessctl)",
		       speaks_of(line, TAKEN_BACK) ? "an apply was taken back"
						   : "another policy was applied");
}

void latest_forget(struct host *h)
{
	struct err quiet = { 0 };

	(void)!host_move_file(h, PATH, NULL, &quiet);
}
