/* Tests of lldpad's configuration file: broken files and odd names. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/config_text.h"
#include "tests/support/config_text.h"
#include "tests/support/unit.h"

static void nothing_is_made_of_a_broken_file(void **s)
{
	static const struct {
		const char *conf, *says;
	} rows[] = {
		{ "lldp : {", "line 1" },
		{ "a = 1;\nb = ;\n", "line 2" },
		{ "a = 1;\n\na = 2;\n", "line 3: duplicate" },
		{ "lldp = 5;", "line 1: \"lldp\" is not a group" },
		{ "lldp = ( { " PORT " = 1; } );", "\"lldp\" is not a group" },
		{ "lldp : {\n " PORT " = \"x\";\n};", "line 2: \"" PORT "\" is not a group" },
		{ "lldp : { " PORT " : {\ntlvid0080c20b = 1; }; };",
		  "line 2: \"tlvid0080c20b\" is not a group" },
		{ "@include \"/etc/passwd\"\n", "line 1 includes" },
		{ "a = 1;\n \t@include\t\"/dev/zero\"\n", "line 2 includes" },
		{ "a = 1e999;", "line 1" },
		{ "a = [ 1, \"x\" ];", "line 1" },
		{ "lldp : { true : { }; };", "line 1" },
		{ "lldp : { 7port : { }; };", "line 1" },
		{ "/* never closed", NULL },
		{ "\x80\xff", "line 1" },
	};
	const struct config c = conf_setup();

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };
		char *text = NULL;
		bool ok = lldpad_conf_amend(rows[i].conf, PORT, &c, &text, &err);

		if (ok != !rows[i].says || (!ok && err.kind != ERR_UNKNOWN) ||
		    (!ok && !strstr(err.text, rows[i].says)) || ok != !!text)
			fail_msg("%s: %s, %s", rows[i].conf, err.where, err.text);
		free(text);
	}
}

static void what_was_kept_is_looked_at_again(void **s)
{
	static const char *const sections[] = {
		"",
		"lldp : { };",
		"lldp : { eth1 : { }; };",
		"lldp : {",
		"lldp : { " PORT " = 1; };",
		"lldp = 1;",
		PORT " : { }",
		"@include \"/dev/zero\"",
	};

	(void)s;
	for (size_t i = 0; i < COUNT(sections); i++) {
		struct err err = { 0 };
		char *text = NULL;

		if (lldpad_conf_restore(conf_written, PORT, sections[i], &text, &err) || text ||
		    err.kind != ERR_UNKNOWN)
			fail_msg("%s: %s", sections[i], err.text);
	}
}

static void a_section_has_no_place_in_what_is_no_group(void **s)
{
	static const char *const sections[] = { NULL, conf_written };

	(void)s;
	for (size_t i = 0; i < COUNT(sections); i++) {
		struct err err = { 0 };
		char *text = NULL;

		assert_false(lldpad_conf_restore("lldp = 1;", PORT, sections[i], &text, &err));
		assert_int_equal(err.kind, ERR_UNKNOWN);
		assert_string_equal(err.text, "line 1: \"lldp\" is not a group");
		assert_null(text);
	}
}

static void a_name_that_lldpad_cannot_store_is_refused(void **s)
{
	static const char *const names[] = {
		"",    "7port",	  "eth0.100", "rail.a", "_x",	"a+b",	 "a b",
		"a:b", "eth0[1]", "a@if2",    "common", "true", "False", "\xc3\xa9",
	};
	const struct config c = conf_setup();

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct err err[3] = { 0 };
		char *text = NULL;

		if (lldpad_conf_amend("", names[i], &c, &text, &err[0]) ||
		    lldpad_conf_section("", names[i], &text, &err[1]) ||
		    lldpad_conf_restore("", names[i], NULL, &text, &err[2]) || text)
			fail_msg("%s", names[i]);
		for (int e = 0; e < 3; e++)
			assert_int_equal(err[e].kind, ERR_UNSUPPORTED);
	}
}

static void an_odd_name_that_lldpad_can_store_is_none_of_these(void **s)
{
	static const char *const names[] = { "a-b", "a_b", "A0", "truer", "commons", "*x" };
	const struct config c = conf_setup();

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct err err = { 0 };
		char *text = NULL;

		assert_true(lldpad_conf_amend("", names[i], &c, &text, &err));
		assert_non_null(strstr(text, names[i]));
		free(text);
	}
}

static void deep_files_do_no_harm(void **s)
{
	enum { DEPTH = 20000 };
	char *deep = calloc(DEPTH, 4);
	const struct config c = conf_setup();
	struct err err = { 0 };
	char *text = NULL;

	(void)s;
	assert_non_null(deep);
	for (size_t i = 0; i < DEPTH; i++)
		memcpy(deep + 3 * i, "a:{", 3);
	assert_false(lldpad_conf_amend(deep, PORT, &c, &text, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_null(text);
	free(deep);
}

/* Read every prefix of a file, as if lldpad were still writing it. */
static void half_a_file_is_read_or_refused(void **s)
{
	const struct config c = conf_setup();
	char *half = malloc(strlen(conf_written) + 1);

	(void)s;
	assert_non_null(half);
	for (size_t n = 0; n < strlen(conf_written) + 1; n++) {
		struct err err = { 0 };
		char *text = NULL;
		bool ok;

		memcpy(half, conf_written, n);
		half[n] = '\0';
		ok = lldpad_conf_amend(half, PORT, &c, &text, &err);
		assert_true(ok ? text != NULL : !text && err.kind == ERR_UNKNOWN);
		free(text);
	}
	free(half);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, nothing_is_made_of_a_broken_file);
	SUITE_ADD(&s, what_was_kept_is_looked_at_again);
	SUITE_ADD(&s, a_section_has_no_place_in_what_is_no_group);
	SUITE_ADD(&s, a_name_that_lldpad_cannot_store_is_refused);
	SUITE_ADD(&s, an_odd_name_that_lldpad_can_store_is_none_of_these);
	SUITE_ADD(&s, deep_files_do_no_harm);
	SUITE_ADD(&s, half_a_file_is_read_or_refused);
	return suite_run(&s, "config_text_refused");
}
