#include <string.h>

#include "policy/model/dscp_map.h"
#include "tests/support/lint_rows.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

struct config lint_config_of(const char *text)
{
	struct config c = config_of(text);
	struct err err = { 0 };

	assert_true(dscp_complete(&c, &err));
	return c;
}

bool lint_is_named(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

static size_t words_of(const char *list)
{
	size_t words = list[0] != '\0';

	for (; *list; list++)
		words += *list == ' ';
	return words;
}

static void breaks_those(const struct lint_row *row, const struct capabilities *capabilities)
{
	struct config c = lint_config_of(row->config);
	const struct lint *r;
	size_t broken = 0;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (lint_fails(r, &c, capabilities) != lint_is_named(row->breaks, r->name))
			fail_msg("%s", r->name);
		broken += lint_is_named(row->breaks, r->name);
	}
	assert_int_equal(broken, words_of(row->breaks));
}

void lint_breaks_exactly(void **s)
{
	static const struct capabilities none = { 0 };

	breaks_those(*s, &none);
}

void lint_port_breaks_exactly(void **s)
{
	const struct lint_port_row *port = *s;

	breaks_those(&port->row, &port->capabilities);
}

void lint_says(void **s)
{
	const struct lint_text_row *row = *s;
	struct config c = lint_config_of(row->config);
	char text[LINT_TEXT_MAX];
	const struct lint *r;
	size_t i;

	for (i = 0; (r = lint_at(i)) && strcmp(r->name, row->rule) != 0; i++)
		;
	assert_int_equal(lint_fails(r, &c, &row->capabilities), row->text != NULL);
	if (row->text)
		assert_string_equal(lint_message(r, &c, &row->capabilities, text), row->text);
}
