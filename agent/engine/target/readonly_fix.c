#include "readonly_fix.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../../policy/model/parameter.h"
#include "../../../policy/model/setting.h"

/* Writes the value as commands take it: `on` is true for devlink. */
static const char *command_value(const struct difference *d, char buf[SETTING_TEXT_MAX])
{
	const struct setting *k = &settings[d->setting];

	if (k->type == T_PARAMETERS)
		return parameters_to_set(k, d->desired, d->actual, buf);
	if (k->type != T_BOOL)
		return setting_text(k, d->desired, buf);
	return setting_element(k, d->desired, 0) ? "true" : "false";
}

static const char *hint_of(const struct feature *f, const struct difference *d)
{
	const char *hint = f->hint ? f->hint(d->desired, d->actual) : NULL;

	return hint ? hint : f->readonly_hint;
}

/* Returns the length of the word in capitals that starts here. */
static size_t capitals(const char *text)
{
	size_t n = 0;

	while (isupper((unsigned char)text[n]))
		n++;
	return n;
}

const char *readonly_fix(const struct feature *f, const struct port *port,
			 const struct difference *d, char buf[READONLY_FIX_MAX])
{
	char value[SETTING_TEXT_MAX];
	const struct {
		const char *word, *instead;
	} rows[] = { { "PORT", port->id.name },
		     { "ADDRESS", port->id.pci },
		     { "VALUE", command_value(d, value) } };
	size_t used = 0;

	for (const char *at = hint_of(f, d); *at && used < READONLY_FIX_MAX;) {
		size_t length = capitals(at) ? capitals(at) : 1;
		int size = (int)length;
		const char *text = at;

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (strlen(rows[i].word) == length && !memcmp(at, rows[i].word, length)) {
				text = rows[i].instead;
				size = (int)strlen(text);
			}
		used += (size_t)snprintf(buf + used, READONLY_FIX_MAX - used, "%.*s", size, text);
		at += length;
	}
	return buf;
}
