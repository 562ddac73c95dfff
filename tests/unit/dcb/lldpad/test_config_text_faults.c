/*
 * Tests of lldpad's configuration file when memory runs out: no text is returned. The source is
 * built in here, with calls that fail when a row says so, because libconfig itself does not survive
 * a failed allocation everywhere. test_config_text.c tests success.
 */
#include <errno.h>
#include <libconfig.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"

enum call { OPEN_TEXT, SPOIL_TEXT, CLOSE_TEXT, ADD, SET_INT, SET_INT64, SET_FORMAT, CALL_COUNT };

static struct {
	enum call call;
	unsigned nth; /* from 1 */
} outside;

static bool fails(enum call c)
{
	return c == outside.call && --outside.nth == 0;
}

static FILE *open_text(char **text, size_t *size)
{
	errno = ENOMEM;
	return fails(OPEN_TEXT) ? NULL : open_memstream(text, size);
}

static int spoils_text(void)
{
	return fails(SPOIL_TEXT);
}

static int close_text(FILE *f)
{
	int closed = fclose(f);

	return fails(CLOSE_TEXT) ? EOF : closed;
}

static config_setting_t *add(config_setting_t *in, const char *name, int type)
{
	return fails(ADD) ? NULL : config_setting_add(in, name, type);
}

static int set_int(config_setting_t *s, int value)
{
	return !fails(SET_INT) && config_setting_set_int(s, value);
}

static int set_int64(config_setting_t *s, long long value)
{
	return !fails(SET_INT64) && config_setting_set_int64(s, value);
}

static int set_format(config_setting_t *s, short format)
{
	return !fails(SET_FORMAT) && config_setting_set_format(s, format);
}

#define open_memstream		  open_text
#define ferror(f)		  spoils_text()
#define fclose			  close_text
#define config_setting_add	  add
#define config_setting_set_int	  set_int
#define config_setting_set_int64  set_int64
#define config_setting_set_format set_format
#include "dcb/lldpad/config_text.c"

#define PORT "ens1f0np0"

/* A nested group with every kind of number. */
static const char written[] = "lldp : { " PORT " : { adminStatus = 3; tlvid0080c20b : { enabled = "
			      "0x08; delay = 5000000000L; }; }; };";
static const char empty[] = "dcbx : { };";

enum work { AMEND, SECTION, RESTORE };

static bool carry_out(enum work w, const char *conf, char **ret, struct err *err)
{
	const struct config silent = { .has = 0 };

	switch (w) {
	case AMEND:
		return lldpad_conf_amend(conf, PORT, &silent, ret, err);
	case SECTION:
		return lldpad_conf_section(conf, PORT, ret, err);
	case RESTORE:
		return lldpad_conf_restore(conf, PORT, written, ret, err);
	}
	return false;
}

static const struct row {
	const char *sentence;
	enum work work;
	const char *conf;
	enum call call;
	unsigned nth;
	const char *text;
} rows[] = {
	{ "no room for a text", AMEND, written, OPEN_TEXT, 1, "Cannot allocate memory" },
	{ "no room in a text", AMEND, written, SPOIL_TEXT, 1, "Cannot allocate memory" },
	{ "no room at the end of a text", AMEND, written, CLOSE_TEXT, 1, "Cannot allocate memory" },
	{ "no room for the text of a section", SECTION, written, OPEN_TEXT, 1,
	  "Cannot allocate memory" },
	{ "no room for a text that is restored", RESTORE, written, OPEN_TEXT, 1,
	  "Cannot allocate memory" },
	{ "no room for the group of all ports", AMEND, empty, ADD, 1, "no room for \"lldp\"" },
	{ "no room for the group of a port", AMEND, empty, ADD, 2, "no room for \"" PORT "\"" },
	{ "no room for the group of a TLV", AMEND, empty, ADD, 3, "no room for \"tlvid0080c20b\"" },
	{ "no room for a section that is taken out", SECTION, written, ADD, 1,
	  "no room for \"lldp\"" },
	{ "no room for what is in a section", SECTION, written, ADD, 3,
	  "no room for \"" PORT "\"" },
	{ "no room for what is in a part of it", SECTION, written, ADD, 5,
	  "no room for \"" PORT "\"" },
	{ "no room for a section that is restored", RESTORE, empty, ADD, 3,
	  "no room for \"" PORT "\"" },
	{ "a number that is not taken", SECTION, written, SET_INT, 1, "no room for \"" PORT "\"" },
	{ "a number whose spelling is not taken", SECTION, written, SET_FORMAT, 1,
	  "no room for \"" PORT "\"" },
	{ "a great number that is not taken", SECTION, written, SET_INT64, 1,
	  "no room for \"" PORT "\"" },
	{ "a great number whose spelling is not taken", SECTION, written, SET_FORMAT, 3,
	  "no room for \"" PORT "\"" },
};

static void nothing_comes_out(void **s)
{
	const struct row *r = *s;
	struct err err = { 0 };
	char *text = NULL;

	outside.call = r->call;
	outside.nth = r->nth;
	assert_false(carry_out(r->work, r->conf, &text, &err));
	assert_int_equal(outside.nth, 0); /* the call was made */
	assert_null(text);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(err.code, ENOMEM);
	assert_string_equal(err.text, r->text);
}

static void where_nothing_fails_all_of_it_does(void **s)
{
	(void)s;
	for (enum work w = AMEND; w <= RESTORE; w++) {
		struct err err = { 0 };
		char *text = NULL;

		outside.call = CALL_COUNT;
		assert_true(carry_out(w, written, &text, &err));
		assert_non_null(text);
		free(text);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, nothing_comes_out);
	SUITE_ADD(&s, where_nothing_fails_all_of_it_does);
	return suite_run(&s, "lldpad_conf, without room");
}
