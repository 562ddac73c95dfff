/* Tests of writing JSON: the same bytes as jansson's, except harmful characters. */
#include <stdlib.h>
#include <string.h>

#include "policy/util/json_dump.h"
#include "policy/util/oom.h"
#include "tests/support/unit.h"

static const char *const documents[] = {
	"{}",
	"[]",
	"[[], {}, [{}]]",
	"{\"b\": 1, \"a\": {\"d\": [1, 2, {\"c\": null}], \"\": true}, \"aa\": false}",
	"[0, -1, 7, 10, 9223372036854775807, -9223372036854775808, 1000000]",
	"[0.5, -0.1, 1e30, 1e-7, 123456789.25, 0.1, 3.0]",
	"[\"\", \"plain\", \"a \\\"quoted\\\" \\\\ path\", \"/slash\"]",
	"[\"\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f\", \"end\\n\"]",
	"[\"gr\\u00f6\\u00dfe\", \"\\ud83d\\ude00\", \"\\u20ac\"]",
	"{\"key \\\"with\\\" gr\\u00f6\\u00dfe\\n\": \"\"}",
};

static const size_t flags[] = {
	JSON_COMPACT,
	JSON_INDENT(2),
	JSON_COMPACT | JSON_SORT_KEYS,
	JSON_INDENT(3) | JSON_SORT_KEYS,
	0,
	JSON_COMPACT | JSON_REAL_PRECISION(6),
};

static void is_as_jansson_writes_it(const json_t *j, size_t how)
{
	char *theirs = json_dumps(j, how), *ours = json_dump_sanitized(j, how);

	assert_non_null(theirs);
	assert_non_null(ours);
	assert_string_equal(ours, theirs);
	free(theirs);
	free(ours);
}

static void documents_are_as_jansson_writes_them(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(documents); i++)
		for (size_t k = 0; k < COUNT(flags); k++) {
			json_t *j = json_loads(documents[i], JSON_ALLOW_NUL, NULL);

			assert_non_null(j);
			is_as_jansson_writes_it(j, flags[k]);
			json_decref(j);
		}
}

/* The document exceeds the first buffer several times. */
static void a_long_document_is_whole(void **s)
{
	json_t *list = json_array();
	char text[3000];

	(void)s;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 50; i++) {
		json_array_append_new(list, json_string(text + i));
		json_array_append_new(list, json_integer(i * 1000003));
	}
	is_as_jansson_writes_it(list, JSON_COMPACT);
	is_as_jansson_writes_it(list, JSON_INDENT(2));
	json_decref(list);
}

static void harmful_characters_are_escaped(void **s)
{
	static const char text[] = "a\177b\xc2\x9b"
				   "c\xe2\x80\xae!";
	json_t *j = json_pack("{s:s}", "\177", text);
	char *out = json_dump_sanitized(j, JSON_COMPACT);

	(void)s;
	assert_string_equal(out, "{\"\\u007f\":\"a\\u007fb\\u009bc\\u202e!\"}");
	json_decref(j);
	free(out);
}

static void no_document_has_no_text(void **s)
{
	(void)s;
	assert_null(json_dump_sanitized(NULL, JSON_COMPACT));
	assert_false(oom_happened());
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, documents_are_as_jansson_writes_them);
	SUITE_ADD(&s, a_long_document_is_whole);
	SUITE_ADD(&s, harmful_characters_are_escaped);
	SUITE_ADD(&s, no_document_has_no_text);
	return suite_run(&s, "json_dump");
}
