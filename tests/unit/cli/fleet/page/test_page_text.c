/* Tests of text from outside in HTML: none of it becomes markup, and all of it can be read. */
#include "cli/fleet/page/page_section.h"
#include "tests/support/harms.h"
#include "tests/support/unit.h"

/* Return the text that a function writes; the caller frees it. */
static char *written(void (*write)(FILE *out, const char *text), const char *text)
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	assert_non_null(stream);
	write(stream, text);
	fclose(stream);
	return out;
}

static void expect(void (*write)(FILE *out, const char *text), const char *text,
		   const char *expected)
{
	char *out = written(write, text);

	assert_string_equal(out, expected);
	free(out);
}

static const struct text {
	const char *sentence;
	void (*write)(FILE *out, const char *text);
	const char *text, *expected;
} texts[] = {
	{ "markup is text", text_write, "<b>&lt;", "&lt;b&gt;&amp;lt;" },
	{ "a quote does not end an attribute", text_write, "\" onclick=\"",
	  "&quot; onclick=&quot;" },
	{ "UTF-8 is kept", text_write, "größe ✓", "größe ✓" },
	{ "the writing direction is kept", text_write,
	  "a\xe2\x80\xae"
	  "b",
	  "a\\xe2\\x80\\xaeb" },
	{ "control characters are spelled out", text_write, "\x1b[2J\n", "\\x1b[2J\\x0a" },
	{ "bytes that are no UTF-8 are spelled out", text_write, "\xff", "\\xff" },
	{ "identifiers become words", words_write, "never_verified", "never verified" },
	{ "markup in an identifier is text", words_write, "a_<b>", "a &lt;b&gt;" },
	{ "a time is cut to the minute", time_write, "2026-11-24T09:30:59Z", "2026-11-24 09:30" },
	{ "another text is no time", time_write, "2026-11-24T<b>:59Z..",
	  "2026-11-24T&lt;b&gt;:59Z.." },
	{ "a short text is no time", time_write, "2026", "2026" },
	{ "a longer text is no time", time_write, "2026-11-24T09:30:59Z!",
	  "2026-11-24T09:30:59Z!" },
	/* printf 'a' | openssl dgst -sha256 -binary | base64 */
	{ "a hash is that of openssl", hash_source_write, "a",
	  "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='" },
	{ "the hash of no text is that of openssl", hash_source_write, "",
	  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" },
};

static void is_written(void **state)
{
	const struct text *row = *state;

	expect(row->write, row->text, row->expected);
}

static void a_long_text_is_cut_with_an_ellipsis(void **state)
{
	char text[TEXT_MAX + 2], *out;

	(void)state;
	memset(text, 'x', sizeof(text));
	text[TEXT_MAX] = '\0';
	expect(text_write, text, text);
	text[TEXT_MAX] = 'x';
	text[TEXT_MAX + 1] = '\0';
	out = written(text_write, text);
	assert_int_equal(strlen(out), TEXT_MAX + strlen("…"));
	assert_string_equal(out + TEXT_MAX, "…");
	free(out);
}

static void no_harm_is_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(harms); i++) {
		char *out = written(text_write, harms[i].bytes);

		if (strstr(out, harms[i].bytes))
			fail_msg("not so: %s", harms[i].sentence);
		free(out);
	}
}

static const struct number {
	const char *sentence;
	int64_t n;
	const char *expected;
} numbers[] = {
	{ "0 has no comma", 0, "0" },
	{ "999 has no comma", 999, "999" },
	{ "1000 has one", 1000, "1,000" },
	{ "a million has two", 1000000, "1,000,000" },
	{ "no comma follows a sign", -100, "-100" },
	{ "a negative number has commas", -123456, "-123,456" },
	{ "the least number is written", INT64_MIN, "-9,223,372,036,854,775,808" },
};

static void has_commas(void **state)
{
	const struct number *row = *state;
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	assert_non_null(stream);
	number_write(stream, row->n);
	fclose(stream);
	assert_string_equal(out, row->expected);
	free(out);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, texts, is_written);
	SUITE_ADD(&s, a_long_text_is_cut_with_an_ellipsis);
	SUITE_ADD(&s, no_harm_is_written);
	SUITE_ADD_ROWS(&s, numbers, has_commas);
	return suite_run(&s, "page_text");
}
