#include <stdlib.h>
#include <string.h>

#include "policy/util/json_location.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const struct pointer_row {
	const char *sentence;
	const char *keys[4]; /* "#": index 7 of a list */
	const char *pointer;
} pointers[] = {
	{ "the document is the empty pointer", { NULL }, "" },
	{ "a key is a token", { "rules" }, "/rules" },
	{ "keys and indices stand in order", { "rules", "#", "set", "mtu" }, "/rules/7/set/mtu" },
	{ "a slash in a key is ~1", { "a/b" }, "/a~1b" },
	{ "a tilde in a key is ~0", { "a~b" }, "/a~0b" },
	{ "~1 in a key is ~01", { "~1" }, "/~01" },
	{ "slashes only", { "//" }, "/~1~1" },
	{ "an empty key is an empty token", { "", "x" }, "//x" },
	{ "a blank and a quote stay as they are", { "a \"b" }, "/a \"b" },
	{ "letters beyond ASCII stay as they are", { "größe" }, "/größe" },
};

static void is_written_so(void **s)
{
	const struct pointer_row *row = *s;
	struct json_path way[4];
	char buf[160];
	size_t n = 0;

	for (; n < COUNT(row->keys) && row->keys[n]; n++) {
		way[n] = (struct json_path){ n ? &way[n - 1] : NULL, row->keys[n], 7 };
		if (strcmp(row->keys[n], "#") == 0)
			way[n].key = NULL;
	}
	json_path_to_pointer(n ? &way[n - 1] : NULL, buf, sizeof(buf));
	assert_string_equal(buf, row->pointer);
}

static void a_pointer_that_is_too_long_is_cut_and_ended(void **s)
{
	char lots[400], buf[160];
	struct json_path at = { NULL, lots, 0 }, below = { &at, lots, 0 }, end = { &below, "x", 0 };

	(void)s;
	for (size_t n = 1; n < sizeof(lots); n++) {
		memset(lots, '/', n);
		lots[n] = '\0';
		memset(buf, 'Z', sizeof(buf));
		json_path_to_pointer(&end, buf, sizeof(buf));
		assert_non_null(memchr(buf, '\0', sizeof(buf)));
		assert_int_equal(buf[0], '/');
	}
}

/* A pointer, and line and column, from 1, of its value and of its key. */
static const struct find_row {
	const char *sentence, *text, *pointer;
	unsigned line, column, key_line, key_column;
} finds[] = {
	{ "the document begins at its bracket", "{}", "", 1, 1, 1, 1 },
	{ "blanks before the document count", " \n\t{}", "", 2, 2, 2, 2 },
	{ "a value is behind its colon", "{'a': 1}", "/a", 1, 7, 1, 2 },
	{ "blanks around the colon count", "{ 'a'  :\n  1}", "/a", 2, 3, 1, 3 },
	{ "a second member is found", "{'a': 1, 'b': 2}", "/b", 1, 15, 1, 10 },
	{ "members that are objects are passed by", "{'a': {'b': [1, {'c': 2}]}, 'b': 3}", "/b", 1,
	  34, 1, 29 },
	{ "a key below is not the key above", "{'a': {'x': 1}, 'x': 2}", "/x", 1, 22, 1, 17 },
	{ "the way down is walked", "{'a': {'b': {'c': 5}}}", "/a/b/c", 1, 19, 1, 14 },
	{ "an item is counted from 0", "[10, 20, 30]", "/2", 1, 10, 1, 10 },
	{ "items that are lists are passed by", "[[1, 2], [3, 4], 5]", "/2", 1, 18, 1, 18 },
	{ "an item of an item is found", "[[1, 2], [3, 4]]", "/1/1", 1, 14, 1, 14 },
	{ "texts with brackets are passed by", "{'a': ']}', 'b': 1}", "/b", 1, 18, 1, 13 },
	{ "texts with quotes are passed by", "{'a': 'x\\'}', 'b': 1}", "/b", 1, 20, 1, 15 },
	{ "texts with backslashes are passed by", "{'a': '\\\\', 'b': 1}", "/b", 1, 18, 1, 13 },
	{ "words and numbers are passed by", "{'a': true, 'b': -1.5e3, 'c': null, 'd': 1}", "/d", 1,
	  42, 1, 37 },
	{ "empty objects and lists are passed by", "{'a': {}, 'b': [], 'c': 1}", "/c", 1, 25, 1,
	  20 },
	{ "lines are counted", "{\n  'a': 1,\n  'b': 2\n}", "/b", 3, 8, 3, 3 },
	{ "a carriage return begins no line", "{\r\n'a': 1}", "/a", 2, 6, 2, 1 },
	{ "a tab is one column", "{\t'a':\t1}", "/a", 1, 8, 1, 3 },
	{ "a character of two bytes is one column", "{'ü': 1, 'b': 2}", "/b", 1, 15, 1, 10 },
	{ "a character of four bytes is one column", "{'\xf0\x9f\x98\x80': 1, 'b': 2}", "/b", 1, 15,
	  1, 10 },
	{ "an escaped slash in the pointer is a slash in the key", "{'a/b': 1}", "/a~1b", 1, 9, 1,
	  2 },
	{ "an escaped tilde in the pointer is a tilde in the key", "{'a~b': 1}", "/a~0b", 1, 9, 1,
	  2 },
	{ "~01 is the key ~1, not a slash", "{'/': 1, '~1': 2}", "/~01", 1, 16, 1, 10 },
	{ "an empty key is found", "{'a': 1, '': 2}", "/", 1, 14, 1, 10 },
	{ "what is not there has the place of its object", "{'a': 1, 'b': {'c': 2}}", "/b/d", 1, 15,
	  1, 10 },
	{ "what is below a number has the number's place", "{'a': 1}", "/a/b", 1, 7, 1, 2 },
	{ "an item behind the last has the place of its list", "{'a': [1, 2]}", "/a/2", 1, 7, 1,
	  2 },
	{ "a word is no index", "{'a': [1, 2]}", "/a/x", 1, 7, 1, 2 },
	{ "a letter that is escaped in the text is found", "{'a': 1, '\\u0062': 2}", "/b", 1, 20, 1,
	  10 },
	{ "an escaped character of three bytes is found", "{'a': 1, '\\u20ac': 2}", "/€", 1, 20, 1,
	  10 },
	{ "two halves of a character are one", "{'a': 1, '\\ud83d\\uDE00': 2}", "/\xf0\x9f\x98\x80",
	  1, 26, 1, 10 },
	{ "an escaped quote ends no key", "{'a\\\"': 1, 'b': 2}", "/b", 1, 17, 1, 12 },
	{ "an escaped slash in the text is a slash", "{'a': 1, 'b\\/': 2}", "/b~1", 1, 17, 1, 10 },
	{ "an escaped tab is a tab", "{'a': 1, '\\t': 2}", "/\t", 1, 16, 1, 10 },
	{ "the first of two lists' items is found in the right list", "{'a': [1], 'b': [2]}",
	  "/b/0", 1, 18, 1, 18 },
};

static void is_found_there(void **s)
{
	const struct find_row *row = *s;
	char text[JSON_TEXT_MAX];
	struct json_location value = { 0 }, key = { 0 };
	struct json_index in;
	struct err err = { 0 };

	json_quoted(row->text, text);
	snprintf(value.pointer, sizeof(value.pointer), "%s", row->pointer);
	key = value;
	key.of_key = true;
	assert_true(json_index_new(text, &in, &err));
	json_locate(&in, &value);
	json_locate(&in, &key);
	free(in.places);
	assert_int_equal(value.line, row->line);
	assert_int_equal(value.column, row->column);
	assert_int_equal(key.line, row->key_line);
	assert_int_equal(key.column, row->key_column);
}

/* The lines of all values, and how many each has in it, with itself. */
static const struct index_row {
	const char *sentence, *text;
	unsigned lines[6], sizes[6];
} indexes[] = {
	{ "items have their lines", "[1,\n2,\n\n3]", { 1, 1, 2, 4 }, { 4, 1, 1, 1 } },
	{ "members have those of their values",
	  "{'a':\n{'b': [1]},\n'c': {}}",
	  { 1, 2, 2, 2, 3 },
	  { 5, 3, 2, 1, 1 } },
	{ "an empty list has itself", "\n[ ]", { 2 }, { 1 } },
	{ "texts may have brackets and commas", "['[,{\\',', 2\n]", { 1, 1, 1 }, { 3, 1, 1 } },
};

static void is_found_in_one_pass(void **s)
{
	const struct index_row *row = *s;
	struct json_index in;
	struct err err = { 0 };
	char text[JSON_TEXT_MAX];

	assert_true(json_index_new(json_quoted(row->text, text), &in, &err));
	for (size_t i = 0; i < row->sizes[0]; i++) {
		assert_int_equal(in.places[i].line, row->lines[i]);
		assert_int_equal(in.places[i].size, row->sizes[i]);
	}
	assert_int_equal(in.places->size, row->sizes[0]);
	free(in.places);
}

static void a_place_below_another_is_found_from_there(void **s)
{
	static const char text[] = "{\"a\": [{\"b\": 1},\n{\"b\": 2}]}";
	const struct json_place *second;
	struct json_index in;
	struct err err = { 0 };

	(void)s;
	assert_true(json_index_new(text, &in, &err));
	second = json_place_below(&in, in.places, "/a/1");
	assert_int_equal(text[json_place_below(&in, second, "/b")->value], '2');
	assert_ptr_equal(json_place_below(&in, second, "/c"), second);
	free(in.places);
}

static void a_policy_error_keeps_the_first_place(void **s)
{
	struct err err = { 0 };
	struct json_path a = { NULL, "a", 0 }, b = { NULL, "b", 0 };

	(void)s;
	assert_false(err_policy(&err, &a, "first"));
	assert_false(err_policy(&err, &b, "second"));
	assert_string_equal(err.at.pointer, "/a");
	assert_string_equal(err.text, "first");
	assert_int_equal(err.kind, ERR_POLICY);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, pointers, is_written_so);
	SUITE_ADD(&s, a_pointer_that_is_too_long_is_cut_and_ended);
	SUITE_ADD_ROWS(&s, finds, is_found_there);
	SUITE_ADD_ROWS(&s, indexes, is_found_in_one_pass);
	SUITE_ADD(&s, a_place_below_another_is_found_from_there);
	SUITE_ADD(&s, a_policy_error_keeps_the_first_place);
	return suite_run(&s, "position");
}
