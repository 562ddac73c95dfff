/* Tests of hostile documents: each is refused quickly and never read beyond its end. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

/*
 * The slowest document takes some tenths of a second, ten times that with sanitizers, and more on a
 * busy machine. A quadratic walk over a hundred thousand elements takes minutes.
 */
#define QUICK_S 20.0

/* Parse exactly `size` bytes and a NUL on the heap, so that reads beyond them are detected. */
static bool parse(const char *text, size_t size, struct err *err)
{
	char *exact = malloc(size + 1);
	struct policy *p = NULL;
	bool ok;

	assert_non_null(exact);
	memcpy(exact, text, size);
	exact[size] = '\0';
	ok = policy_parse(&p, exact, size, "p.json", err);
	assert_true(ok == (p != NULL));
	free(exact);
	free(p);
	return ok;
}

/* Measure processor time, because the machine may be busy. */
static struct err refused_quickly(const char *text, size_t size)
{
	struct err err = { 0 };
	clock_t started_at = clock();

	assert_false(parse(text, size, &err));
	assert_true((double)(clock() - started_at) / CLOCKS_PER_SEC < QUICK_S);
	assert_int_equal(err.kind, ERR_POLICY);
	assert_true(err.text[0]);
	return err;
}

static const struct deep_row {
	const char *sentence, *before, *unit;
	size_t times;
} deep[] = {
	{ "a hundred thousand brackets are refused quickly", "", "[", 100000 },
	{ "a hundred thousand objects are refused quickly", "", "{\"a\":", 100000 },
	{ "brackets below a known key are refused quickly", "{\"version\":1,\"rules\":", "[",
	  100000 },
	{ "objects below a setting are refused quickly",
	  "{\"profiles\":{\"p\":", "{\"mtu\":", 100000 },
	{ "a megabyte of closing brackets is refused quickly", "", "]", 1000000 },
	{ "a megabyte of quotes is refused quickly", "{", "\"", 1000000 },
	{ "a megabyte of backslashes is refused quickly", "{\"", "\\", 1000000 },
	{ "a megabyte of blanks is refused quickly", "", " ", 1000000 },
	{ "a hundred thousand unknown keys of no length are refused quickly", "{", "\"\":1,",
	  100000 },
	{ "a megabyte of one number is refused quickly", "{\"version\":", "9", 1000000 },
	{ "a megabyte of a fraction is refused quickly", "{\"version\":0.", "9", 1000000 },
};

static void is_refused_quickly(void **s)
{
	const struct deep_row *row = *s;
	size_t head = strlen(row->before), n = strlen(row->unit), size = head + n * row->times;
	char *text = malloc(size);

	assert_non_null(text);
	memcpy(text, row->before, head);
	for (size_t i = 0; i < row->times; i++)
		memcpy(text + head + i * n, row->unit, n);
	refused_quickly(text, size);
	free(text);
}

/* Nesting that the JSON parser accepts reaches the policy's own checks. */
static void nesting_as_deep_as_the_parser_takes_is_refused_at_its_place(void **s)
{
	char text[8000] = "{\"version\":1,\"rules\":[";
	size_t n = strlen(text);
	struct err err;

	(void)s;
	memset(text + n, '[', 1800);
	memset(text + n + 1800, ']', 1800);
	memcpy(text + n + 3600, "]}", 2);
	err = refused_quickly(text, n + 3602);
	assert_string_equal(err.at.pointer, "/rules/0");
	assert_int_equal(err.at.column, n + 1);
}

/* The last rule is wrong: finding its place passes all others. */
static void an_error_at_the_end_of_a_megabyte_is_found_quickly(void **s)
{
	static const char rule[] = "{\"match\":{\"name\":\"a\"},\"profile\":\"p\"},\n";
	static const char head[] = "{\"version\":1,\"profiles\":{\"p\":{}},\"rules\":[\n";
	size_t rules = 26000, n = strlen(rule);
	char *text = malloc(POLICY_MAX_BYTES);
	size_t size = strlen(head);
	struct err err;

	(void)s;
	assert_non_null(text);
	memcpy(text, head, size);
	for (size_t i = 0; i < rules; i++, size += n)
		memcpy(text + size, rule, n);
	memcpy(text + size, "5]}", 3);
	err = refused_quickly(text, size + 3);
	assert_string_equal(err.at.pointer, "/rules/26000");
	assert_int_equal(err.at.line, rules + 2);
	assert_int_equal(err.at.column, 1);
	free(text);
}

static const struct many_row {
	const char *sentence, *before, *unit, *after, *says;
	size_t times;
} many[] = {
	{ "a rule too many is refused by the count", "{\"version\":1,\"rules\":[{}", ",{}", "]}",
	  "more than 65536 rules", RULES_MAX },
	{ "as many as fit are refused by the count", "{\"version\":1,\"rules\":[0", ",{}", "]}",
	  "more than 65536 rules", 690000 },
};

static void is_refused_by_the_count(void **s)
{
	const struct many_row *row = *s;
	size_t n = strlen(row->before), unit = strlen(row->unit);
	char *text = malloc(n + unit * row->times + 3);
	struct err err;

	assert_non_null(text);
	memcpy(text, row->before, n);
	for (size_t i = 0; i < row->times; i++, n += unit)
		memcpy(text + n, row->unit, unit);
	memcpy(text + n, row->after, 2);
	err = refused_quickly(text, n + 2);
	assert_string_equal(err.text, row->says);
	free(text);
}

static bool of_size(size_t size, struct err *err)
{
	static const char head[] = "{\"version\":1,\"rules\":[]}";
	char *text = malloc(size);
	bool ok;

	assert_non_null(text);
	memset(text, ' ', size);
	memcpy(text, head, strlen(head));
	ok = parse(text, size, err);
	free(text);
	return ok;
}

static void two_mebibytes_are_accepted(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_true(of_size(POLICY_MAX_BYTES, &err));
}

static void a_byte_more_is_refused_with_the_limit(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_false(of_size(POLICY_MAX_BYTES + 1, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_string_equal(err.text, "larger than 2 MiB");
	assert_string_equal(err.where, "p.json");
}

static void the_most_is_two_mebibytes(void **s)
{
	(void)s;
	assert_int_equal(POLICY_MAX_BYTES, 2 << 20);
}

static const char valid[] =
	"{\"version\":1,\"name\":\"gr\\u00f6\\u00dfe "
	"\xc3\xbc\",\"mode\":\"report\",\"profiles\":{\"p\":"
	"{\"mtu\":9000,\"dcbx\":{\"mode\":\"host\"},\"pause\":{\"rx\":false},\"pfc\":{"
	"\"priorities\":[3]},"
	"\"ets\":{\"prio_tc\":[0,0,0,3,0,0,6,0]},\"dscp\":{\"prio\":{\"26\":3},\"rest\":\"class_"
	"selector\"},"
	"\"roce\":{\"tos\":106},\"optional\":[\"roce.*\"]}},\"rules\":[{\"match\":{\"name\":\"ens*"
	"\"},"
	"\"profile\":\"p\",\"set\":{\"mtu\":null},\"required\":true}]}";

static void every_beginning_of_a_policy_is_refused(void **s)
{
	(void)s;
	for (size_t size = 0; size < strlen(valid); size++) {
		struct err err = { 0 };

		if (parse(valid, size, &err))
			fail_msg("the first %zu bytes are accepted", size);
		assert_int_equal(err.kind, ERR_POLICY);
		assert_true(err.at.line == 1 && err.at.column >= 1);
	}
}

/* Any change of one byte is accepted, or refused with a reason, and never crashes the parser. */
static void every_byte_can_be_any_other(void **s)
{
	static const char bytes[] = "\"\\{}[]:,0-e ~/\n\x80\xff\x01z";
	char text[sizeof(valid)];

	(void)s;
	for (size_t i = 0; i < strlen(valid); i++)
		for (size_t b = 0; b < strlen(bytes); b++) {
			struct err err = { 0 };

			memcpy(text, valid, sizeof(valid));
			text[i] = bytes[b];
			if (!parse(text, strlen(valid), &err))
				assert_true(err.kind == ERR_POLICY && err.text[0]);
		}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, deep, is_refused_quickly);
	SUITE_ADD_ROWS(&s, many, is_refused_by_the_count);
	SUITE_ADD(&s, nesting_as_deep_as_the_parser_takes_is_refused_at_its_place);
	SUITE_ADD(&s, an_error_at_the_end_of_a_megabyte_is_found_quickly);
	SUITE_ADD(&s, two_mebibytes_are_accepted);
	SUITE_ADD(&s, a_byte_more_is_refused_with_the_limit);
	SUITE_ADD(&s, the_most_is_two_mebibytes);
	SUITE_ADD(&s, every_beginning_of_a_policy_is_refused);
	SUITE_ADD(&s, every_byte_can_be_any_other);
	return suite_run(&s, "hostile");
}
