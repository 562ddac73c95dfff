/* lldpad's configuration file: a port's section is written, taken out and put back. */
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/config_text.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define PORT "ens1f0np0"
#define ETS_SETTINGS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))
#define RECO_SETTINGS \
	(SETTING(SETTING_ETS_RECO_PRIO_TC) | SETTING(SETTING_ETS_RECO_TSA) | \
	 SETTING(SETTING_ETS_RECO_BANDWIDTH))

/* As lldpad writes it, with what is not ours in every place where it may be. */
static const char written[] =
	"lldp : \n{\n"
	"  common : \n  {\n    tlvid00000005 : \n    {\n      enableTx = true;\n    };\n  };\n"
	"  eth0 : \n  {\n    adminStatus = 2;\n  };\n"
	"  " PORT " : \n  {\n"
	"    tlvid00000001 : \n    {\n      info = \"04B8CEF6510000\";\n    };\n"
	"    tlvid0080c20b : \n    {\n      delay = 7;\n      enabled = 1;\n    };\n"
	"    tlvid0080c20c : \n    {\n      APP0 = \"3,5,   26\";\n    };\n"
	"    adminStatus = 3;\n"
	"  };\n"
	"  eth1 : \n  {\n    adminStatus = 1;\n  };\n"
	"};\n"
	"dcbx : \n{\n  version = \"1.0\";\n  dcbx_version = 2;\n};\n"
	"list = ( 1, 0x10, 5000000000L, 1.5, \"a\\\"b\\n\", [ true, false ], \n  {\n    x = 1;\n  "
	"} );\n";

static struct config setup(void)
{
	struct config c = {
		.has = SETTING(SETTING_PFC_PRIORITIES) | ETS_SETTINGS,
		.dcbx.advertise = true,
		.pfc.priorities = 1u << 3,
		.ets = { .prio_tc = { 0, 0, 0, 3, 0, 0, 6, 0 },
			 .tsa = { TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_ETS, TSA_STRICT,
				  TSA_ETS },
			 .bandwidth = { 50, 0, 0, 50, 0, 0, 0, 0 } },
	};

	return c;
}

static char *amended(const char *conf, const struct config *says)
{
	struct err err = { 0 };
	char *text = NULL;

	if (!lldpad_conf_amend(conf, PORT, says, &text, &err))
		fail_msg("%s: %s", err.where, err.text);
	return text;
}

static char *section_of(const char *conf)
{
	struct err err = { 0 };
	char *text = NULL;

	if (!lldpad_conf_section(conf, PORT, &text, &err))
		fail_msg("%s: %s", err.where, err.text);
	return text;
}

static char *restored(const char *conf, const char *section)
{
	struct err err = { 0 };
	char *text = NULL;

	if (!lldpad_conf_restore(conf, PORT, section, &text, &err))
		fail_msg("%s: %s", err.where, err.text);
	return text;
}

/* What lldpad would find there: text, number, or "" for nothing of that type. */
static const char *stored(const char *conf, const char *path)
{
	static char buf[256];
	const char *text;
	config_t c;
	int n;

	buf[0] = '\0';
	config_init(&c);
	assert_true(config_read_string(&c, conf));
	if (config_lookup_string(&c, path, &text))
		snprintf(buf, sizeof(buf), "%s", text);
	else if (config_lookup_bool(&c, path, &n))
		snprintf(buf, sizeof(buf), "%s", n ? "true" : "false");
	else if (config_lookup_int(&c, path, &n))
		snprintf(buf, sizeof(buf), "%d", n);
	config_destroy(&c);
	return buf;
}

#define HAS(conf, path, value) assert_string_equal(stored(conf, "lldp." PORT "." path), value)

static void everything_is_said_in_lldpads_words(void **s)
{
	const struct config c = setup();
	char *conf = amended("", &c);

	(void)s;
	HAS(conf, "adminStatus", "3");
	HAS(conf, "tlvid0080c20b.enabled", "8");
	HAS(conf, "tlvid0080c20b.willing", "0");
	HAS(conf, "tlvid0080c20b.enableTx", "true");
	HAS(conf, "tlvid0080c209.willing", "0");
	HAS(conf, "tlvid0080c209.up2tc", "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	HAS(conf, "tlvid0080c209.tsa", "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets");
	HAS(conf, "tlvid0080c209.enableTx", "true");
	HAS(conf, "tlvid0080c20a.willing", "");
	HAS(conf, "tlvid0080c20a.up2tc", "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0");
	HAS(conf, "tlvid0080c20a.tcbw", "50,0,0,50,0,0,0,0");
	HAS(conf, "tlvid0080c20a.tsa", "0:ets,1:ets,2:ets,3:ets,4:ets,5:ets,6:strict,7:ets");
	HAS(conf, "tlvid0080c20a.enableTx", "true");
	HAS(conf, "tlvid0080c20c.enableTx", "true");
	free(conf);
}

static void a_willing_port_says_so_in_both_places(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.dcbx.willing = true;
	conf = amended(written, &c);
	HAS(conf, "tlvid0080c20b.willing", "1");
	HAS(conf, "tlvid0080c209.willing", "1");
	HAS(conf, "tlvid0080c20a.willing", "");
	free(conf);
}

static void every_algorithm_has_its_word_and_only_ets_has_shares(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.ets.tsa[1] = TSA_CBS;
	c.ets.tsa[7] = TSA_VENDOR;
	c.ets.bandwidth[7] = 100; /* as mlx5 reads it */
	conf = amended("", &c);
	HAS(conf, "tlvid0080c209.tsa",
	    "0:ets,1:cb_shaper,2:ets,3:ets,4:ets,5:ets,6:strict,7:vendor");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

static void the_longest_words_fit(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	memset(c.ets.tsa, TSA_CBS, sizeof(c.ets.tsa));
	conf = amended("", &c);
	HAS(conf, "tlvid0080c209.tsa",
	    "0:cb_shaper,1:cb_shaper,2:cb_shaper,3:cb_shaper,4:cb_shaper,5:cb_shaper,6:cb_shaper,"
	    "7:cb_shaper");
	free(conf);
}

static void where_nothing_is_ets_old_shares_are_gone(void **s)
{
	struct config c = setup();
	char *first = amended("", &c), *conf;

	(void)s;
	memset(c.ets.tsa, TSA_STRICT, sizeof(c.ets.tsa));
	conf = amended(first, &c);
	HAS(conf, "tlvid0080c209.tcbw", "0,0,0,0,0,0,0,0");
	HAS(conf, "tlvid0080c20a.tcbw", "0,0,0,0,0,0,0,0");
	free(first);
	free(conf);
}

static void shares_that_are_not_100_are_refused(void **s)
{
	struct config c = setup();
	struct err err = { 0 };
	char *conf = NULL;

	(void)s;
	c.ets.bandwidth[3] = 49;
	assert_false(lldpad_conf_amend(written, PORT, &c, &conf, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_non_null(strstr(err.text, "99"));
	assert_null(conf);
	c.dcbx.advertise = false; /* then nobody hears of it */
	free(amended(written, &c));
}

static void a_recommendation_of_its_own_is_said(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	c.ets.reco_prio_tc[5] = 1;
	c.ets.reco_tsa[0] = c.ets.reco_tsa[1] = TSA_ETS;
	c.ets.reco_bandwidth[0] = 30;
	c.ets.reco_bandwidth[1] = 70;
	conf = amended("", &c);
	HAS(conf, "tlvid0080c20a.up2tc", "0:0,1:0,2:0,3:0,4:0,5:1,6:0,7:0");
	HAS(conf, "tlvid0080c20a.tcbw", "30,70,0,0,0,0,0,0");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

static void a_recommendation_of_zeros_is_none(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	conf = amended("", &c);
	HAS(conf, "tlvid0080c20a.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

/* All in one class, which reads as 0, and one of another algorithm. */
static void a_recommendation_of_algorithms_only_is_one(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	c.ets.reco_tsa[0] = TSA_ETS;
	c.ets.reco_bandwidth[0] = 100;
	conf = amended("", &c);
	HAS(conf, "tlvid0080c20a.tcbw", "100,0,0,0,0,0,0,0");
	free(conf);
}

static void what_is_not_known_is_not_said(void **s)
{
	struct config c = setup();
	char *conf;

	(void)s;
	c.has &= ~SETTING(SETTING_ETS_TSA);
	conf = amended(written, &c);
	HAS(conf, "tlvid0080c209.enableTx", "false");
	HAS(conf, "tlvid0080c20a.enableTx", "false");
	HAS(conf, "tlvid0080c20b.enableTx", "true");
	free(conf);
	c.has = 0;
	conf = amended(written, &c);
	HAS(conf, "tlvid0080c20b.enableTx", "false");
	HAS(conf, "tlvid0080c20b.enabled", "1");
	HAS(conf, "tlvid0080c20c.enableTx", "true");
	free(conf);
}

static void a_silent_port_listens_only(void **s)
{
	struct config c = setup();
	char *spoken = amended(written, &c), *conf;

	(void)s;
	c.dcbx.advertise = false;
	conf = amended(spoken, &c);
	HAS(conf, "adminStatus", "2");
	HAS(conf, "tlvid0080c20b.enableTx", "false");
	HAS(conf, "tlvid0080c209.enableTx", "false");
	HAS(conf, "tlvid0080c20a.enableTx", "false");
	HAS(conf, "tlvid0080c20c.enableTx", "false");
	free(spoken);
	free(conf);
}

static void what_is_not_ours_is_kept(void **s)
{
	const struct config c = setup();
	char *conf = amended(written, &c);

	(void)s;
	HAS(conf, "tlvid00000001.info", "04B8CEF6510000");
	HAS(conf, "tlvid0080c20b.delay", "7");
	HAS(conf, "tlvid0080c20c.APP0", "3,5,   26");
	assert_string_equal(stored(conf, "lldp.common.tlvid00000005.enableTx"), "true");
	assert_string_equal(stored(conf, "lldp.eth0.adminStatus"), "2");
	assert_string_equal(stored(conf, "lldp.eth1.adminStatus"), "1");
	assert_string_equal(stored(conf, "dcbx.version"), "1.0");
	/* From the first to the last line but for the section. */
	assert_memory_equal(conf, written, strstr(written, "    tlvid0080c20b") - written);
	assert_string_equal(strstr(conf, "  eth1"), strstr(written, "  eth1"));
	free(conf);
}

static void a_version_is_kept(void **s)
{
	const struct config c = setup();
	char *conf = amended("version = \"0.9\";\n", &c);

	(void)s;
	assert_string_equal(stored(conf, "version"), "0.9");
	free(conf);
}

static void a_second_time_changes_nothing(void **s)
{
	const struct config c = setup();
	char *once = amended(written, &c), *twice = amended(once, &c);

	(void)s;
	assert_string_equal(once, twice);
	free(once);
	free(twice);
}

static void a_value_of_another_type_is_replaced(void **s)
{
	const struct config c = setup();
	char *conf = amended("lldp : { " PORT " : { adminStatus = \"3\"; tlvid0080c20b : {"
			     " enabled = 24L; willing = true; enableTx = 0; };"
			     " tlvid0080c209 : { tsa = ( ); up2tc = { }; tcbw = 7; }; }; };",
			     &c);

	(void)s;
	HAS(conf, "adminStatus", "3");
	HAS(conf, "tlvid0080c20b.enabled", "8");
	HAS(conf, "tlvid0080c20b.willing", "0");
	HAS(conf, "tlvid0080c20b.enableTx", "true");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	HAS(conf, "tlvid0080c209.up2tc", "0:0,1:0,2:0,3:3,4:0,5:0,6:6,7:0");
	assert_null(strstr(conf, "\"3\""));
	free(conf);
}

static void a_section_put_back_gives_the_same_file(void **s)
{
	struct config c = setup();
	char *section = section_of(written), *conf = amended(written, &c), *back;

	(void)s;
	back = restored(conf, section);
	assert_string_equal(back, written);
	free(back);
	c.dcbx.advertise = false;
	free(conf);
	conf = amended(written, &c);
	back = restored(conf, section);
	assert_string_equal(back, written);
	free(back);
	back = restored(written, section);
	assert_string_equal(back, written);
	free(back);
	free(conf);
	free(section);
}

static void a_section_holds_every_type(void **s)
{
	static const char all[] =
		"lldp : \n{\n  " PORT " : \n  {\n    a = 1;\n    b = 0x10;\n    c = 5000000000L;\n"
		"    d = 1.5;\n    e = true;\n    f = \"\";\n    g = [ 1, 2 ];\n    h = [ ];\n"
		"    i = ( 1, \"x\", [ 0x1L ], ( ) );\n    j : \n    {\n    };\n  };\n};\n";
	char *section = section_of(all), *without = restored(all, NULL), *back;

	(void)s;
	assert_string_equal(section, all);
	assert_string_equal(without, "");
	back = restored(without, section);
	assert_string_equal(back, all);
	free(section);
	free(without);
	free(back);
}

static void a_port_without_a_section_gets_none_back(void **s)
{
	static const char *const files[] = { "", "lldp : \n{\n  eth0 : \n  {\n  };\n};\n",
					     "version = \"1.0\";\n" };
	const struct config c = setup();

	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		char *conf = amended(files[i], &c), *back = restored(conf, NULL);

		assert_null(section_of(files[i]));
		assert_string_equal(back, files[i]);
		free(back);
		back = restored(files[i], NULL);
		assert_string_equal(back, files[i]);
		free(back);
		free(conf);
	}
}

static void what_lldpad_changed_meanwhile_elsewhere_stays(void **s)
{
	char *section = section_of(written);
	char *back = restored("lldp : { eth9 : { adminStatus = 1; }; };", section);

	(void)s;
	assert_string_equal(stored(back, "lldp.eth9.adminStatus"), "1");
	HAS(back, "adminStatus", "3");
	HAS(back, "tlvid0080c20b.enabled", "1");
	free(back);
	free(section);
}

/* ---- what is refused ---- */

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
	const struct config c = setup();

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

		if (lldpad_conf_restore(written, PORT, sections[i], &text, &err) || text ||
		    err.kind != ERR_UNKNOWN)
			fail_msg("%s: %s", sections[i], err.text);
	}
}

static void a_section_has_no_place_in_what_is_no_group(void **s)
{
	static const char *const sections[] = { NULL, written };

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
	const struct config c = setup();

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
	const struct config c = setup();

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
	const struct config c = setup();
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

/* Each beginning of a file, as of one that lldpad is just writing. */
static void half_a_file_is_read_or_refused(void **s)
{
	const struct config c = setup();
	char *half = malloc(sizeof(written));

	(void)s;
	assert_non_null(half);
	for (size_t n = 0; n < sizeof(written); n++) {
		struct err err = { 0 };
		char *text = NULL;
		bool ok;

		memcpy(half, written, n);
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

	SUITE_ADD(&s, everything_is_said_in_lldpads_words);
	SUITE_ADD(&s, a_willing_port_says_so_in_both_places);
	SUITE_ADD(&s, every_algorithm_has_its_word_and_only_ets_has_shares);
	SUITE_ADD(&s, the_longest_words_fit);
	SUITE_ADD(&s, where_nothing_is_ets_old_shares_are_gone);
	SUITE_ADD(&s, shares_that_are_not_100_are_refused);
	SUITE_ADD(&s, a_recommendation_of_its_own_is_said);
	SUITE_ADD(&s, a_recommendation_of_zeros_is_none);
	SUITE_ADD(&s, a_recommendation_of_algorithms_only_is_one);
	SUITE_ADD(&s, what_is_not_known_is_not_said);
	SUITE_ADD(&s, a_silent_port_listens_only);
	SUITE_ADD(&s, what_is_not_ours_is_kept);
	SUITE_ADD(&s, a_version_is_kept);
	SUITE_ADD(&s, a_second_time_changes_nothing);
	SUITE_ADD(&s, a_value_of_another_type_is_replaced);
	SUITE_ADD(&s, a_section_put_back_gives_the_same_file);
	SUITE_ADD(&s, a_section_holds_every_type);
	SUITE_ADD(&s, a_port_without_a_section_gets_none_back);
	SUITE_ADD(&s, what_lldpad_changed_meanwhile_elsewhere_stays);
	SUITE_ADD(&s, nothing_is_made_of_a_broken_file);
	SUITE_ADD(&s, what_was_kept_is_looked_at_again);
	SUITE_ADD(&s, a_section_has_no_place_in_what_is_no_group);
	SUITE_ADD(&s, a_name_that_lldpad_cannot_store_is_refused);
	SUITE_ADD(&s, an_odd_name_that_lldpad_can_store_is_none_of_these);
	SUITE_ADD(&s, deep_files_do_no_harm);
	SUITE_ADD(&s, half_a_file_is_read_or_refused);
	return suite_run(&s, "lldpad_conf");
}
