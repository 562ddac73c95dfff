/* Tests of text that is not JSON: each mistake has a message at its place and quotes nothing. */
#include <string.h>

#include "policy/document/policy.h"
#include "policy/document/syntax.h"
#include "tests/support/unit.h"

static const struct syntax_row {
	const char *sentence, *text;
	unsigned line, column;
	const char *says, *fix;
} rows[] = {
	{ "an empty file", "", 1, 1, "the file is empty", "a policy begins with" },
	{ "blanks only", " \n ", 1, 1, "the file is empty", "a policy begins with" },
	{ "a comment only", "# to do\n", 1, 1, "the file is empty", "a policy begins with" },
	{ "null", "null", 1, 1, "not a policy: expected \"{\"", "a policy begins with" },
	{ "a broken list", "[1,", 1, 1, "not a policy: expected \"{\"", "a policy begins with" },
	{ "a file of passwords", "root:$y$j9T$secret:20000::::::\n", 1, 1, "not a policy", "" },
	{ "YAML behind a comment", "# RoCE\nversion: 1\n", 1, 1, "not a policy", "" },
	{ "a byte order mark", "\xef\xbb\xbf{}", 1, 1, "byte order mark", "save it as UTF-8" },
	{ "UTF-16 with a byte order mark", "\xff\xfe{", 1, 1, "the file is UTF-16", "iconv" },
	{ "UTF-16 from the other end", "\xfe\xffx{", 1, 1, "the file is UTF-16", "iconv" },

	{ "an object that is not closed", "{\"version\": 1\n", 2, 1,
	  "the file ends too early: expected \",\" or \"}\"", "line 1 has the {" },
	{ "a list that is not closed", "{\n\"rules\": [1,\n", 3, 1,
	  "the file ends too early: expected a value", "line 2 has the [" },
	{ "a list closed like an object", "{\"a\":\n[1}", 2, 3, "wrong closing bracket",
	  "line 2 has the [" },
	{ "an object closed like a list", "{\"a\": 1]", 1, 8, "wrong closing bracket",
	  "line 1 has the {" },
	{ "a string that is not closed", "{\"version", 1, 2, "no closing \"", "add the closing" },
	{ "a string that its line ends", "{\"name\":\"a\nb\"}", 1, 9, "no closing \"", "add" },
	{ "a comma behind the last member", "{\"version\":1,\n}", 1, 13,
	  "trailing comma: expected a key in double quotes", "remove the comma" },
	{ "a comma behind the last item", "{\"rules\":[1,\n]}", 1, 12,
	  "trailing comma: expected a value", "remove the comma" },
	{ "two commas", "{\"a\":1,,\"b\":2}", 1, 8, "a comma too many", "remove the comma" },
	{ "a comma before all", "{,\"b\":2}", 1, 2, "a comma too many", "remove the comma" },
	{ "no comma between members", "{\"version\":1\n\"rules\":[]}", 1, 13,
	  "missing comma: expected \",\" or \"}\"", "add a comma" },
	{ "no comma between items", "{\"rules\":[1 2]}", 1, 12,
	  "missing comma: expected \",\" or \"]\"", "add a comma" },
	{ "no colon", "{\"version\" 1}", 1, 11, "missing colon: expected \":\"", "add a colon" },
	{ "an equals sign for a colon", "{\"version\" = 1}", 1, 11, "missing colon",
	  "add a colon" },
	{ "no value", "{\"version\": }", 1, 13, "missing value", "add a value" },
	{ "two slashes", "// a policy\n{}", 1, 1, "JSON has no comments", "\"comment\"" },
	{ "slash and star", "{\"version\":1, /* one */ \"rules\":[]}", 1, 15,
	  "JSON has no comments", "\"comment\"" },
	{ "a hash", "{\n# a policy\n}", 2, 1, "JSON has no comments", "\"comment\"" },
	{ "single quotes of a key", "{'version':1}", 1, 2, "wrong quotation mark",
	  "double quotes" },
	{ "single quotes of a value", "{\"name\":'a'}", 1, 9, "wrong quotation mark", "double" },
	{ "quotes of a word processor",
	  "{\"name\":\xe2\x80\x9c"
	  "a\xe2\x80\x9d}",
	  1, 9, "wrong quotation mark", "double quotes" },
	{ "a key without quotes", "{version:1}", 1, 2, "the key has no quotes", "double quotes" },
	{ "NaN", "{\"version\":NaN}", 1, 12, "not a number, true", "" },
	{ "True", "{\"version\":True}", 1, 12, "not a number, true", "" },
	{ "a word for a value", "{\"trust\":dscp}", 1, 10, "not a number, true", "put a word in" },
	{ "a number with a zero before it", "{\"version\":01}", 1, 12, "not a number, true", "" },
	{ "a number with a plus", "{\"version\":+1}", 1, 12, "not a number, true", "" },
	{ "a number with a unit", "{\"mtu\":9k}", 1, 8, "not a number, true", "" },
	{ "a hexadecimal number", "{\"version\":0x1}", 1, 12, "not a number, true", "" },
	{ "a point and no digit", "{\"version\":1.}", 1, 12, "not a number, true", "" },
	{ "an exponent of nothing", "{\"version\":1e}", 1, 12, "not a number, true", "" },
	{ "a number that no computer holds", "{\"version\":99999999999999999999}", 1, 31,
	  "a number too large", "" },
	{ "more behind the end", "{\"version\":1,\"rules\":[]}\n{}", 2, 1,
	  "the policy ends before this", "remove" },
	{ "a brace too many", "{\"a\":{}}}", 1, 9, "the policy ends before this", "remove" },
	{ "a member twice", "{\"version\":1,\"rules\":[],\n\"version\":1}", 2, 1,
	  "found the key \"version\" twice in one object", "remove one" },
	{ "a DSCP twice", "{\"prio\":{\"26\":3, \"26\":4}}", 1, 18,
	  "found the key \"26\" twice in one object", "" },
	{ "the character NUL", "{\"name\":\"a\\u0000\"}", 1, 17, "the character \\u0000", "" },
	{ "half a surrogate pair", "{\"name\":\"\\ud800\"}", 1, 16, "no string may have", "" },
	{ "an escape that is none", "{\"name\":\"a\\q\"}", 1, 12, "no string may have", "" },
	{ "a tab in a string", "{\"name\":\"a\tb\"}", 1, 10, "no string may have", "" },
	{ "a byte that is no UTF-8", "{\"name\":\"\xff\"}", 1, 10, "not UTF-8", "save the file" },
	{ "UTF-8 that ends early", "{\"name\":\"\xc3\"}", 1, 10, "not UTF-8", "save the file" },
	{ "an escape before a later mistake", "{\"a\":\"\\q\",\n}", 1, 8, "no string may have",
	  "" },
	{ "a control character between", "{\"a\":1\x01}", 1, 7, "no such character here", "" },
};

static void has_its_message(void **s)
{
	const struct syntax_row *row = *s;
	struct policy *p = NULL;
	struct err err = { 0 };

	assert_false(policy_parse(&p, row->text, strlen(row->text), "p.json", &err));
	assert_int_equal(err.kind, ERR_POLICY);
	if (!strstr(err.text, row->says) || !strstr(err.fix, row->fix))
		fail_msg("says: %s; %s", err.text, err.fix);
	assert_int_equal(err.at.line, row->line);
	assert_int_equal(err.at.column, row->column);
}

static void a_nul_byte_makes_it_utf16(void **s)
{
	static const char text[] = "{\0\"\0";
	struct policy *p = NULL;
	struct err err = { 0 };

	(void)s;
	assert_false(policy_parse(&p, text, sizeof(text) - 1, "p.json", &err));
	assert_non_null(strstr(err.text, "UTF-16"));
}

/* jansson alone takes it, and the index of places ended there. */
static void a_nul_byte_behind_a_literal_is_refused(void **s)
{
	static const char text[] = "{\"version\": 1, \"strict\": true\0, \"rules\": [],\n"
				   "\"profiles\": {}}";
	struct policy *p = NULL;
	struct err err = { 0 };

	(void)s;
	assert_false(policy_parse(&p, text, sizeof(text) - 1, "p.json", &err));
	assert_non_null(strstr(err.text, "JSON has no such character here"));
	assert_int_equal(err.at.line, 1);
	assert_int_equal(err.at.column, 30);
}

static const struct quote_row {
	const char *sentence, *text;
	bool may;
} quotes[] = {
	{ "a policy may be quoted", "{\"version\":1,\"rules\":[]}", true },
	{ "a broken one may", "{\"version\":1,\"profiles\":{,}", true },
	{ "one behind a comment may", "// GPUs\n {\"rules\":[1,]}", true },
	{ "one behind a byte order mark may", "\xef\xbb\xbf{\"rules\":[]}", true },
	{ "one in single quotes may", "{'version':1,'rules':[]}", true },
	{ "what show prints may", "{\"schema\":\"losslessctl/show/1\"", true },
	{ "a file of passwords may not", "root:$y$j9T$:\"rules\":", false },
	{ "an object without rules may not", "{\"password\":\"hunter2\"}", false },
	{ "a list may not", "[\"rules\"]", false },
	{ "an empty file may not", "", false },
};

static void may_be_quoted_or_not(void **s)
{
	const struct quote_row *row = *s;

	assert_int_equal(policy_may_be_quoted(row->text, strlen(row->text)), row->may);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, has_its_message);
	SUITE_ADD(&s, a_nul_byte_makes_it_utf16);
	SUITE_ADD(&s, a_nul_byte_behind_a_literal_is_refused);
	SUITE_ADD_ROWS(&s, quotes, may_be_quoted_or_not);
	return suite_run(&s, "syntax");
}
