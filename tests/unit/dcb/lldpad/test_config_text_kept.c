/* Tests of lldpad's configuration file: restoring a port's section, and keeping the rest. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/config_text.h"
#include "tests/support/config_text.h"
#include "tests/support/unit.h"

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

static void what_is_not_ours_is_kept(void **s)
{
	const struct config c = conf_setup();
	char *conf = conf_amended(conf_written, &c);

	(void)s;
	HAS(conf, "tlvid00000001.info", "04B8CEF6510000");
	HAS(conf, "tlvid0080c20b.delay", "7");
	HAS(conf, "tlvid0080c20c.APP0", "3,5,   26");
	assert_string_equal(conf_stored(conf, "lldp.common.tlvid00000005.enableTx"), "true");
	assert_string_equal(conf_stored(conf, "lldp.eth0.adminStatus"), "2");
	assert_string_equal(conf_stored(conf, "lldp.eth1.adminStatus"), "1");
	assert_string_equal(conf_stored(conf, "dcbx.version"), "1.0");
	/* All lines except the section are unchanged. */
	assert_memory_equal(conf, conf_written,
			    strstr(conf_written, "    tlvid0080c20b") - conf_written);
	assert_string_equal(strstr(conf, "  eth1"), strstr(conf_written, "  eth1"));
	free(conf);
}

static void a_version_is_kept(void **s)
{
	const struct config c = conf_setup();
	char *conf = conf_amended("version = \"0.9\";\n", &c);

	(void)s;
	assert_string_equal(conf_stored(conf, "version"), "0.9");
	free(conf);
}

static void a_second_time_changes_nothing(void **s)
{
	const struct config c = conf_setup();
	char *once = conf_amended(conf_written, &c), *twice = conf_amended(once, &c);

	(void)s;
	assert_string_equal(once, twice);
	free(once);
	free(twice);
}

static void a_value_of_another_type_is_replaced(void **s)
{
	const struct config c = conf_setup();
	char *conf = conf_amended("lldp : { " PORT " : { adminStatus = \"3\"; tlvid0080c20b : {"
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

static void a_restored_section_gives_the_same_file(void **s)
{
	struct config c = conf_setup();
	char *section = section_of(conf_written), *conf = conf_amended(conf_written, &c), *back;

	(void)s;
	back = restored(conf, section);
	assert_string_equal(back, conf_written);
	free(back);
	c.dcbx.advertise = false;
	free(conf);
	conf = conf_amended(conf_written, &c);
	back = restored(conf, section);
	assert_string_equal(back, conf_written);
	free(back);
	back = restored(conf_written, section);
	assert_string_equal(back, conf_written);
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
	const struct config c = conf_setup();

	(void)s;
	for (size_t i = 0; i < COUNT(files); i++) {
		char *conf = conf_amended(files[i], &c), *back = restored(conf, NULL);

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
	char *section = section_of(conf_written);
	char *back = restored("lldp : { eth9 : { adminStatus = 1; }; };", section);

	(void)s;
	assert_string_equal(conf_stored(back, "lldp.eth9.adminStatus"), "1");
	HAS(back, "adminStatus", "3");
	HAS(back, "tlvid0080c20b.enabled", "1");
	free(back);
	free(section);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, what_is_not_ours_is_kept);
	SUITE_ADD(&s, a_version_is_kept);
	SUITE_ADD(&s, a_second_time_changes_nothing);
	SUITE_ADD(&s, a_value_of_another_type_is_replaced);
	SUITE_ADD(&s, a_restored_section_gives_the_same_file);
	SUITE_ADD(&s, a_section_holds_every_type);
	SUITE_ADD(&s, a_port_without_a_section_gets_none_back);
	SUITE_ADD(&s, what_lldpad_changed_meanwhile_elsewhere_stays);
	return suite_run(&s, "config_text_kept");
}
