#include "fold.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/engine.h"
#include "../../policy/model/setting.h"
#include "../watch/terminal.h"
#include "groups.h"
#include "print.h"

/* A range of bytes in a struct text. */
struct part {
	size_t begin, end;
};

struct folded {
	const struct port *port;
	const struct fold *fold;
	struct part printed, compared;
	const struct config *desired;
	bool alone, last;
};

/* ---- text ---- */

static bool make_room(struct text *t, size_t more)
{
	size_t room = 2 * (t->used + more);
	char *bytes = t->used + more > t->room ? realloc(t->bytes, room) : t->bytes;

	if (!bytes) {
		t->incomplete = true;
		return false;
	}
	t->room = t->used + more > t->room ? room : t->room;
	t->bytes = bytes;
	return true;
}

static void add(struct text *t, const char *bytes, size_t size)
{
	if (!size || !make_room(t, size))
		return;
	memcpy(t->bytes + t->used, bytes, size);
	t->used += size;
}

static ssize_t collect(void *cookie, const char *bytes, size_t size)
{
	struct text *t = cookie;

	add(t, bytes, size);
	return t->incomplete ? 0 : (ssize_t)size;
}

/* ---- comparing ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the entry of f->own that occurs here as a whole word, or NULL. */
static const struct own *own_at(const struct fold *f, size_t at, size_t end)
{
	const char *bytes = f->printed.bytes;

	if (at > 0 && is_word(bytes[at - 1]))
		return NULL;
	for (size_t i = 0; i < f->own_count; i++) {
		size_t length = strlen(f->own[i].text);

		if (length && length <= end - at &&
		    memcmp(bytes + at, f->own[i].text, length) == 0 &&
		    (length == end - at || !is_word(bytes[at + length])))
			return &f->own[i];
	}
	return NULL;
}

/*
 * Appends the replacement. The first line is a list of device facts: drops the entry with its comma
 * there.
 */
static void add_own(struct text *t, const struct own *o, bool head)
{
	if (head && t->used >= 2 && memcmp(t->bytes + t->used - 2, ", ", 2) == 0)
		t->used -= 2;
	else
		add(t, o->instead, strlen(o->instead));
}

/* Appends the port's text without its name, and with its own words replaced, to f->compared. */
static struct part compared(struct fold *f, const struct part *printed)
{
	struct part ret = { .begin = f->compared.used };
	size_t name = strlen(f->c->out.bold) + strlen(f->name) + strlen(f->c->out.reset);
	bool head = true;

	for (size_t at = printed->begin + name; at < printed->end;) {
		const struct own *o = own_at(f, at, printed->end);

		if (o) {
			add_own(&f->compared, o, head);
			at += strlen(o->text);
		} else {
			head = head && f->printed.bytes[at] != '\n';
			add(&f->compared, &f->printed.bytes[at++], 1);
		}
	}
	ret.end = f->compared.used;
	return ret;
}

static bool desire_alike(const struct config *a, const struct config *b)
{
	return a == b || (a && b && !config_diff(a, b) && !config_diff(b, a));
}

static bool alike(const void *all, size_t a, size_t b)
{
	const struct folded *x = (const struct folded *)all + a,
			    *y = (const struct folded *)all + b;
	size_t size = x->compared.end - x->compared.begin;
	const char *bytes = x->fold->compared.bytes;

	return !x->alone && !y->alone && desire_alike(x->desired, y->desired) &&
	       size == y->compared.end - y->compared.begin &&
	       (!size || memcmp(bytes + x->compared.begin, bytes + y->compared.begin, size) == 0);
}

/* ---- collecting ---- */

void fold_open(struct fold *f, size_t most)
{
	f->to = stdout;
	f->ports = calloc(most + 1, sizeof(*f->ports));
	f->first = calloc(most + 1, sizeof(*f->first));
	if (f->ports && f->first)
		f->collector =
			fopencookie(&f->printed, "w", (cookie_io_functions_t){ .write = collect });
}

void fold_own(struct fold *f, const char *text, const char *instead)
{
	if (f->own_count < OWN_MAX)
		f->own[f->own_count++] = (struct own){ text, instead };
}

void fold_desired(struct fold *f, const struct config *desired)
{
	f->desired = desired;
}

void fold_failed(struct fold *f)
{
	f->alone = f->last = true;
}

/*
 * Redirects standard output, which is a variable in glibc, so that printing functions need no
 * change.
 */
void fold_begin(struct fold *f, const struct port *p)
{
	if (!f->collector)
		return;
	sanitize_text(p->id.name, f->name, sizeof(f->name));
	f->port = p;
	f->alone = selection_names(&f->c->engine.selection, &p->id) == NAMED_BY_NAME;
	f->last = false;
	f->desired = NULL;
	f->own_count = 0;
	fold_own(f, f->name, "PORT");
	fold_own(f, p->id.pci, "PCI");
	fold_own(f, p->id.rdma, "RDMA");
	fold_own(f, p->id.mac, "MAC");
	f->ports[f->count].printed.begin = f->printed.used;
	stdout = f->collector;
}

void fold_end(struct fold *f)
{
	struct folded *p;

	if (!f->collector)
		return;
	fflush(f->collector);
	stdout = f->to;
	p = &f->ports[f->count++];
	p->port = f->port;
	p->fold = f;
	p->alone = f->alone;
	p->last = f->last;
	p->desired = f->desired;
	p->printed.end = f->printed.used;
	p->compared = compared(f, &p->printed);
}

/* ---- printing ---- */

/* Prints a list of names, wrapped at the terminal's width. */
static void print_names(const struct fold *f, size_t group)
{
	size_t width = terminal_report_columns(), column = 0;
	const char *sep = "";

	for (size_t i = group; i < f->count; i++) {
		char name[ID_MAX * SANITIZED_CHAR_MAX];

		if (f->first[i] != group)
			continue;
		sanitize_text(f->ports[i].port->id.name, name, sizeof(name));
		fputs(sep, stdout);
		if (column && column + strlen(name) + 3 > width) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%s", column ? " " : "  ", name) + 1;
		sep = ",";
	}
	putchar('\n');
}

static void print_once(const struct fold *f, size_t group, size_t size)
{
	const struct part *p = &f->ports[group].compared;
	const char *text = f->compared.bytes + p->begin;
	size_t length = p->end - p->begin;
	const char *line = memchr(text, '\n', length);
	size_t head = line ? (size_t)(line - text) + 1 : length;

	printf("%s%zu identical ports%s", f->c->out.bold, size, f->c->out.reset);
	fwrite(text, 1, head, stdout);
	print_names(f, group);
	fwrite(text + head, 1, length - head, stdout);
}

static void print_one(const struct fold *f, size_t i)
{
	const struct part *p = &f->ports[i].printed;

	fwrite(f->printed.bytes + p->begin, 1, p->end - p->begin, stdout);
}

static void print_groups(const struct fold *f)
{
	bool any = false;

	groups_find(f->ports, f->count, alike, f->first);
	for (size_t i = 0; i < f->count; i++) {
		size_t size = group_size(f->first, f->count, i);

		if (f->first[i] != i || size < FOLD_FROM)
			continue;
		print_once(f, i, size);
		any = true;
	}
	for (size_t i = 0; i < f->count; i++)
		if (group_size(f->first, f->count, i) < FOLD_FROM && !(any && f->ports[i].last))
			print_one(f, i);
	for (size_t i = 0; i < f->count; i++)
		if (any && f->ports[i].last)
			print_one(f, i);
}

/* Reports incomplete output if memory ran out. */
void fold_print(struct fold *f)
{
	if (f->printed.incomplete || f->compared.incomplete)
		*f->c->output_lost = true;
	else if (f->collector)
		print_groups(f);
}

void fold_close(struct fold *f)
{
	if (f->collector) {
		stdout = f->to;
		fclose(f->collector);
	}
	free(f->ports);
	free(f->first);
	free(f->printed.bytes);
	free(f->compared.bytes);
}
