/* Tests of sanitizing text: harmful characters are escaped, others stay unchanged. */
#include "policy/util/sanitize.h"
#include "tests/support/harms.h"
#include "tests/support/unit.h"

static const char *const innocent[] = {
	"a",
	"~",
	" ",
	"\"\\",
	"\xc2\xa0",
	"\xc3\xbc",
	"\xd8\x9b",
	"\xe2\x80\x8d",
	"\xe2\x80\xa7",
	"\xe2\x80\xaf",
	"\xe2\x81\xa5",
	"\xe2\x81\xaa",
	"\xe2\x82\xac",
	"\xed\x9f\xbf",
	"\xee\x80\x80",
	"\xef\xbf\xbd",
	"\xf0\x9f\x98\x80",
	"\xf4\x8f\xbf\xbf",
};

static void is_spelled_out(void **s)
{
	const struct harm_row *row = *s;
	char text[16], buf[64], expected[64];

	snprintf(text, sizeof(text), "a%s\xc3\xbc", row->bytes);
	snprintf(expected, sizeof(expected), "a%s\xc3\xbc", row->spelled);
	assert_string_equal(sanitize_text(text, buf, sizeof(buf)), expected);
}

static void what_means_no_harm_stays_as_it_is(void **s)
{
	char buf[16];

	(void)s;
	for (size_t i = 0; i < COUNT(innocent); i++)
		assert_string_equal(sanitize_text(innocent[i], buf, sizeof(buf)), innocent[i]);
}

static void a_text_is_cut_between_characters(void **s)
{
	static const char text[] = "a\033\xe2\x82\xac";
	static const char *const fits[] = {
		"", "", "a", "a", "a", "a", "a\\x1b", "a\\x1b", "a\\x1b", "a\\x1b\xe2\x82\xac"
	};
	char buf[16];

	(void)s;
	for (size_t size = 1; size < COUNT(fits); size++)
		assert_string_equal(sanitize_text(text, buf, size), fits[size]);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, harms, is_spelled_out);
	SUITE_ADD(&s, what_means_no_harm_stays_as_it_is);
	SUITE_ADD(&s, a_text_is_cut_between_characters);
	return suite_run(&s, "sanitize");
}
