#include "assignment.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *trap_name(enum trap t)
{
	static const char *const names[TRAP_COUNT] = {
		[TRAP_QUOTES] = "quotes",
		[TRAP_BLANK_IN_NAME] = "blank_in_name",
		[TRAP_EXPORT] = "export",
		[TRAP_OCTAL] = "octal",
		[TRAP_TRAILING_TEXT] = "trailing_text",
		[TRAP_NOT_A_NUMBER] = "not_a_number",
		[TRAP_OUT_OF_RANGE] = "out_of_range",
		[TRAP_CARRIAGE_RETURN] = "carriage_return",
		[TRAP_TOO_LONG] = "too_long",
		[TRAP_SET_TWICE] = "set_twice",
		[TRAP_HCA_PREFIX] = "hca_prefix",
		[TRAP_GID_INDEX] = "gid_index_set",
	};

	return names[t];
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Finds the variable that a name means, and how the name differs from it. */
static enum variable_id resembled(const char *name, size_t length, enum trap *trap)
{
	static const char export_word[] = "export";
	size_t word = sizeof(export_word) - 1;
	enum variable_id exact = variable_find(name, length);

	*trap = TRAP_NONE;
	if (exact != VARIABLE_COUNT)
		return exact;
	*trap = TRAP_BLANK_IN_NAME;
	for (; length && is_blank(*name); length--)
		name++;
	if (length > word && memcmp(name, export_word, word) == 0 && is_blank(name[word])) {
		*trap = TRAP_EXPORT;
		for (name += word, length -= word; length && is_blank(*name); length--)
			name++;
	}
	while (length && is_blank(name[length - 1]))
		length--;
	return variable_find(name, length);
}

/* Adds "NAME=VALUE" if it concerns a variable; the text ends at `length` or at a NUL. */
static void add(struct assignments *all, const char *text, size_t length, unsigned line)
{
	const char *end = memchr(text, '\0', length), *equals;
	struct assignment *a = &all->list[all->count];
	size_t size;

	length = end ? (size_t)(end - text) : length;
	equals = memchr(text, '=', length);
	if (!equals)
		return;
	if (all->count == ASSIGNMENTS_MAX) {
		all->omitted++;
		return;
	}
	a->variable = resembled(text, (size_t)(equals - text), &a->trap);
	if (a->variable == VARIABLE_COUNT)
		return;
	size = length - (size_t)(equals + 1 - text);
	if (size >= VALUE_MAX) {
		size = VALUE_MAX - 1;
		a->trap = a->trap ? a->trap : TRAP_TOO_LONG;
	}
	memcpy(a->text, equals + 1, size);
	a->text[size] = '\0';
	a->line = line;
	if (assignment_counts(a) && assignment_of(all, a->variable))
		a->trap = TRAP_SET_TWICE;
	all->count++;
}

void nccl_conf_parse(const char *text, size_t size, struct assignments *ret)
{
	const char *end = text + size;
	unsigned line = 1;

	ret->count = ret->omitted = 0;
	for (const char *next; text < end; text = next, line++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		next = stop + 1;
		if (*text != '#')
			add(ret, text, (size_t)(stop - text), line);
	}
}

void environ_parse(const char *text, size_t size, struct assignments *ret)
{
	const char *end = text + size;
	bool has_nul = size && memchr(text, '\0', size);
	unsigned line = 1;

	ret->count = ret->omitted = 0;
	for (const char *next; text < end; text = next, line++) {
		const char *mark = memchr(text, has_nul ? '\0' : '\n', (size_t)(end - text));
		const char *stop = mark ? mark : end;

		next = stop + 1;
		add(ret, text, (size_t)(stop - text), has_nul ? 0 : line);
	}
}

bool environ_is_plausible(const char *text, size_t size)
{
	const char *end = text + size, *name = text;

	while (name < end && (*name == '\n' || *name == '#')) {
		const char *newline = memchr(name, '\n', (size_t)(end - name));

		name = newline ? newline + 1 : end;
	}
	if (name == end)
		return true;
	for (text = name; text < end && *text != '='; text++)
		if (!isprint((unsigned char)*text) || strchr("{}[]\"'<>()", *text))
			return false;
	return text < end && text > name;
}

bool assignment_counts(const struct assignment *a)
{
	return a->trap == TRAP_NONE || a->trap == TRAP_TOO_LONG;
}

const struct assignment *assignment_of(const struct assignments *all, enum variable_id variable)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].variable == variable && assignment_counts(&all->list[i]))
			return &all->list[i];
	return NULL;
}

/* The trap in the text of a number that ends at `rest`. */
static enum trap trap_of_number(const char *text, const char *rest)
{
	const char *digits = text + strspn(text, " \t+-");

	if (strpbrk(text, "\"'"))
		return TRAP_QUOTES;
	if (rest == text)
		return TRAP_NOT_A_NUMBER;
	if (strcmp(rest, "\r") == 0)
		return TRAP_CARRIAGE_RETURN;
	if (rest[strspn(rest, " \t")])
		return TRAP_TRAILING_TEXT;
	return digits[0] == '0' && isdigit((unsigned char)digits[1]) ? TRAP_OCTAL : TRAP_NONE;
}

int64_t nccl_integer(const char *text, int64_t unset, enum trap *trap)
{
	char *rest = NULL;
	long long value;

	*trap = TRAP_NONE;
	if (!text[0])
		return unset;
	errno = 0;
	value = strtoll(text, &rest, 0);
	*trap = errno ? TRAP_OUT_OF_RANGE : trap_of_number(text, rest);
	return errno ? unset : value;
}

/* One entry of the list, "NAME" or "NAME:PORT", of `length` characters. */
static bool entry_selects(const char *entry, size_t length, bool exact, const char *device,
			  unsigned port)
{
	const char *colon = memchr(entry, ':', length);
	size_t name = colon ? (size_t)(colon - entry) : length;
	long number = colon ? strtol(colon + 1, NULL, 10) : -1;

	if (!name || (number != -1 && number != (long)port))
		return false;
	return strncmp(device, entry, name) == 0 && (!exact || strlen(device) == name);
}

bool nccl_hca_selects(const char *text, const char *device, unsigned port)
{
	bool exclude = text[0] == '^', exact = text[exclude] == '=', any = false, found = false;

	text += exclude + exact;
	while (*text) {
		size_t length = strcspn(text, ",");

		any = any || (length && *text != ':');
		found = found || entry_selects(text, length, exact, device, port);
		text += length + (text[length] == ',');
	}
	return !any || found != exclude;
}
