/* Tests of reading an object's members by a table, and of the errors for those refused. */
#include "cli/fleet/flatten/fields.h"
#include "policy/util/json_location.h"
#include "tests/support/unit.h"

struct read {
	const char *text, *time, *optional, *past;
	json_int_t number;
	json_t *list, *object, *value;
};

static const struct field fields[] = {
	FIELD(read, text, FIELD_TEXT),
	FIELD(read, time, FIELD_TIME),
	FIELD(read, optional, FIELD_OPTIONAL_TEXT),
	FIELD(read, number, FIELD_NUMBER),
	FIELD(read, list, FIELD_LIST),
	FIELD(read, object, FIELD_OBJECT),
	FIELD(read, value, FIELD_VALUE),
};

static const struct field past_fields[] = { FIELD(read, past, FIELD_PAST) };

#define LEAST "\"text\":\"a\",\"time\":\"2026-11-24T10:00:00Z\",\"list\":[]"

static bool read_text(const char *text, json_t **document, struct read *ret, struct err *err)
{
	*document = json_loads(text, JSON_DECODE_ANY, NULL);
	assert_non_null(*document);
	*ret = (struct read){ 0 };
	return FIELDS_READ(*document, fields, ret, NULL, err);
}

static void members_that_may_be_absent_are_null(void **state)
{
	struct err err = { 0 };
	struct read r;
	json_t *document;

	(void)state;
	assert_true(read_text("{" LEAST ",\"optional\":null,\"more\":1}", &document, &r, &err));
	assert_string_equal(r.text, "a");
	assert_string_equal(r.time, "2026-11-24T10:00:00Z");
	assert_int_equal(list_size(r.list), 0);
	assert_true(!r.optional && !r.object && !r.value && r.number == 0);
	assert_int_equal(list_size(NULL), 0);
	json_decref(document);
}

static void all_members_are_read(void **state)
{
	struct err err = { 0 };
	struct read r;
	json_t *document;

	(void)state;
	assert_true(read_text("{" LEAST
			      ",\"optional\":\"b\",\"number\":7,\"object\":{},\"value\":[1]}",
			      &document, &r, &err));
	assert_string_equal(r.optional, "b");
	assert_int_equal(r.number, 7);
	assert_true(json_is_object(r.object) && json_is_array(r.value));
	json_decref(document);
}

static const struct wrong {
	const char *sentence, *text, *pointer, *message;
} wrongs[] = {
	{ "a list is no object", "[1]", "", "expected an object" },
	{ "a member that must be there is named", "{\"time\":1}", "", "\"text\" is missing" },
	{ "so is a time", "{\"text\":\"a\"}", "", "\"time\" is missing" },
	{ "null is not a text", "{\"text\":null}", "/text", "found null, expected a text" },
	{ "an empty text is none", "{\"text\":\"\"}", "/text", "found an empty string" },
	{ "yesterday is no time", "{\"text\":\"a\",\"time\":\"yesterday\"}", "/time",
	  "expected a time" },
	{ "an object is no list", "{\"text\":\"a\",\"time\":\"2026-11-24T10:00:00Z\",\"list\":{}}",
	  "/list", "expected a list" },
	{ "a number is no optional text", "{" LEAST ",\"optional\":7}", "/optional",
	  "found the number 7, expected a text" },
	{ "a count is not negative", "{" LEAST ",\"number\":-1}", "/number",
	  "expected a whole number" },
	{ "a count is whole", "{" LEAST ",\"number\":1.5}", "/number", "expected a whole number" },
	{ "a text is no object", "{" LEAST ",\"object\":\"a\"}", "/object", "expected an object" },
};

static void is_refused(void **state)
{
	const struct wrong *row = *state;
	struct err err = { 0 };
	struct read r;
	json_t *document;

	assert_false(read_text(row->text, &document, &r, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.at.pointer, row->pointer);
	if (!strstr(err.text, row->message))
		fail_msg("not in \"%s\"", err.text);
	json_decref(document);
}

static void a_text_has_a_longest_length(void **state)
{
	char *text = malloc(FIELD_TEXT_MAX + 2);
	json_t *document;
	struct err err = { 0 };
	struct read r = { 0 };

	(void)state;
	memset(text, 'x', FIELD_TEXT_MAX + 1);
	text[FIELD_TEXT_MAX + 1] = '\0';
	document = json_pack("{s:s}", "text", text);
	assert_false(fields_read(document, fields, 1, &r, NULL, &err));
	json_object_set_new(document, "text", json_string(text + 1));
	assert_true(fields_read(document, fields, 1, &r, NULL, &err));
	json_decref(document);
	free(text);
}

static void a_time_to_come_is_read_where_it_may_be_one(void **state)
{
	json_t *document = json_pack("{s:s}", "past", "2099-11-24T10:00:00Z");
	struct err err = { 0 };
	struct read r = { 0 };

	(void)state;
	assert_false(FIELDS_READ(document, past_fields, &r, NULL, &err));
	assert_string_equal(err.text, "the time is in the future: check the host's clock");
	assert_true(time_is_ahead("2099-11-24T10:00:00Z"));
	assert_false(time_is_ahead("2026-11-24T10:00:00Z"));
	json_object_clear(document);
	err = (struct err){ 0 };
	assert_false(FIELDS_READ(document, past_fields, &r, NULL, &err));
	assert_string_equal(err.text, "\"past\" is missing");
	json_decref(document);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, members_that_may_be_absent_are_null);
	SUITE_ADD(&s, all_members_are_read);
	SUITE_ADD_ROWS(&s, wrongs, is_refused);
	SUITE_ADD(&s, a_text_has_a_longest_length);
	SUITE_ADD(&s, a_time_to_come_is_read_where_it_may_be_one);
	return suite_run(&s, "fields");
}
