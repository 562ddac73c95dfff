#include <ctype.h>
#include <string.h>

#include "assignment.h"

#define LINE_BYTES_MAX 199 /* INI_MAX_LINE, less the NUL */

/* A file that is being read. */
struct reading {
	struct assignments *all;
	unsigned line;
	bool in_section,
		left_out; /* the section is for other hosts, as far as this program knows */
	bool is_cut;	  /* the line is longer than UCX reads */
	bool has_name;	  /* a name was read, which an indented line continues */
	enum variable_id variable; /* has that name; VARIABLE_COUNT: another one */
};

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

/* Removes the blanks around a text. */
static void trim(const char **text, const char **end)
{
	while (*text < *end && is_space(**text))
		++*text;
	while (*text < *end && is_space((*end)[-1]))
		--*end;
}

/* The first of these characters, or the start of a comment behind a blank; or the end. */
static const char *find(const char *text, const char *end, const char *chars)
{
	bool was_space = false;

	for (; text < end && !strchr(chars, *text) && !(was_space && *text == ';'); text++)
		was_space = is_space(*text);
	return text;
}

/* The last value counts: it takes the place of an earlier one. */
static void put(struct reading *r, const struct written *w, enum variable_id id, enum trap trap)
{
	struct assignment *earlier = NULL;

	for (size_t i = 0; !trap && i < r->all->count; i++)
		if (r->all->list[i].variable == id && assignment_counts(&r->all->list[i]))
			earlier = &r->all->list[i];
	if (earlier)
		earlier->trap = TRAP_SET_TWICE;
	if (!trap && r->is_cut)
		trap = TRAP_TOO_LONG;
	(void)assignments_put(r->all, w, id, trap);
}

/* UCX ends a name at 49 bytes, which no variable here has. */
static void read_assignment(struct reading *r, const char *text, const char *end, enum trap trap)
{
	const char *mark = find(text, end, "=:"), *name_end = mark, *value = mark + 1, *value_end;
	enum trap found;
	enum variable_id id;

	if (mark == end || *mark == ';') { /* UCX warns, and reads on */
		id = variable_resembled(text, (size_t)(find(text, end, " \t") - text), &found);
		if (id != VARIABLE_COUNT && variables[id].of_ucx && !trap)
			put(r, &(struct written){ text, (size_t)(end - text), "", 0, r->line }, id,
			    TRAP_NO_EQUALS);
		return;
	}
	trim(&text, &name_end);
	value_end = find(value, end, "");
	trim(&value, &value_end);
	id = variable_resembled(text, (size_t)(name_end - text), &found);
	if (!trap) {
		r->has_name = true;
		r->variable = found ? VARIABLE_COUNT : id;
		r->left_out = r->left_out || (r->in_section && strncmp(text, "UCX_", 4) != 0);
	}
	if (id != VARIABLE_COUNT && variables[id].of_ucx && !r->left_out)
		put(r,
		    &(struct written){ text, (size_t)(name_end - text), value,
				       (size_t)(value_end - value), r->line },
		    id, trap ? trap : found);
}

/* The whole line becomes the value of the name before it. */
static void read_continuation(struct reading *r, const char *text, const char *end)
{
	if (r->variable != VARIABLE_COUNT && variables[r->variable].of_ucx && !r->left_out)
		put(r,
		    &(struct written){ variables[r->variable].name,
				       strlen(variables[r->variable].name), text,
				       (size_t)(end - text), r->line },
		    r->variable, TRAP_NONE);
	read_assignment(r, text, end, TRAP_INDENTED);
}

static void read_line(struct reading *r, const char *text, const char *end)
{
	const char *start = text;

	trim(&start, &end);
	if (start == end || *start == '#' || *start == ';')
		return;
	if (r->has_name && start > text) {
		read_continuation(r, start, end);
	} else if (*start == '[' && find(start + 1, end, "]") < end) {
		r->in_section = true;
		r->left_out = r->has_name = false;
	} else {
		read_assignment(r, start, end, TRAP_NONE);
	}
}

void ucx_conf_parse(const char *text, size_t size, struct assignments *ret)
{
	static const char mark[] = "\xef\xbb\xbf"; /* UCX skips it */
	const char *end = text + size;
	struct reading r = { .all = ret, .variable = VARIABLE_COUNT };

	ret->count = ret->omitted = 0;
	if (size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0)
		text += strlen(mark);
	for (const char *next; text < end; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		const char *nul = memchr(text, '\0', (size_t)(stop - text));

		r.line++;
		next = stop + 1;
		stop = nul ? nul : stop;
		r.is_cut = stop - text > LINE_BYTES_MAX;
		read_line(&r, text, r.is_cut ? text + LINE_BYTES_MAX : stop);
	}
}
