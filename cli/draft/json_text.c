#include "json_text.h"

#include <string.h>

#include "../../agent/host/cleanup.h"

#define COLUMNS 100

static bool print_value(FILE *to, const json_t *value, int indent, size_t column);

/* `key` is NULL in a list. */
static bool print_entry(FILE *to, const char *key, const json_t *value, int indent, bool is_first)
{
	json_auto_t *name = key ? json_string(key) : NULL;
	_free_ char *text = key ? json_dumps(name, JSON_ENCODE_ANY) : NULL;
	int used = 0;

	if (key && !text)
		return false;
	fprintf(to, "%s\n%*s", is_first ? "" : ",", indent, "");
	if (text)
		used = fprintf(to, "%s: ", text);
	return print_value(to, value, indent, (size_t)indent + (size_t)used);
}

static bool print_entries(FILE *to, const json_t *value, int indent)
{
	bool is_list = json_is_array(value), ok = true;
	const json_t *entry;
	const char *key;
	size_t i;

	fputc(is_list ? '[' : '{', to);
	json_array_foreach (value, i, entry)
		ok = ok && print_entry(to, NULL, entry, indent + 2, i == 0);
	i = 0;
	json_object_foreach ((json_t *)value, key, entry)
		ok = ok && print_entry(to, key, entry, indent + 2, i++ == 0);
	fprintf(to, "\n%*s%c", indent, "", is_list ? ']' : '}');
	return ok;
}

static bool print_value(FILE *to, const json_t *value, int indent, size_t column)
{
	_free_ char *text = json_dumps(value, JSON_ENCODE_ANY);
	bool is_list = json_is_array(value) && json_array_size(value) > 0;
	bool is_object = json_is_object(value) && json_object_size(value) > 0;

	if (!text)
		return false;
	if ((is_list || is_object) && column + strlen(text) > COLUMNS)
		return print_entries(to, value, indent);
	fputs(text, to);
	return true;
}

bool json_text_print(FILE *to, const json_t *value)
{
	bool ok = print_entries(to, value, 0);

	fputc('\n', to);
	return ok;
}
