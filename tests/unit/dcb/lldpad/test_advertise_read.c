/* Tests of reading from lldpad what a port advertises. */
#include <errno.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/lldpad_scene.h"
#include "tests/support/unit.h"

static void without_an_lldpad_nothing_is_advertised(void **state)
{
	struct lldpad_scene s = lldpad_scene();

	(void)state;
	s.runs = false;
	assert_false(read_advertised(&s).dcbx.advertise);
	assert_false(read_advertised(&s).dcbx.willing);
}

static void before_it_advertises_its_configuration_counts(void **state)
{
	struct lldpad_scene s = lldpad_scene();

	(void)state;
	assert_false(read_advertised(&s).dcbx.advertise);
	assert_true(read_advertised(&s).dcbx.willing);
}

static const struct read_row {
	const char *sentence;
	bool cannot, advertise_only;
	setting_set unknown; /* settings of the port that are unknown */
	const char *no_sent, *goes_out;
	enum err_kind kind;
	bool advertise, willing;
} reads[] = {
	{ "what goes out is what the port has", false, false, 0, NULL,
	  HEAD PFC("08", "08") ETS("00"), ERR_NONE, true, false },
	{ "what goes out is not what the port has", false, false, 0, NULL,
	  HEAD PFC("08", "18") ETS("00"), ERR_NONE, false, false },
	{ "what goes out is half of what the port has", false, false, 0, NULL, HEAD PFC("08", "08"),
	  ERR_NONE, false, false },
	{ "half of it is no more where the port does not know the rest", false, false,
	  SET_BY_DCBX & ~SETTING(SETTING_PFC_PRIORITIES), NULL, HEAD PFC("08", "08"), ERR_NONE,
	  false, false },
	{ "a port that takes only ETS from the switch is willing", false, false, 0, NULL,
	  HEAD PFC("08", "08") ETS("80"), ERR_NONE, true, true },
	{ "a port that takes only PFC is willing, too", false, false, 0, NULL,
	  HEAD PFC("88", "08") ETS("00"), ERR_NONE, true, true },
	{ "where nonsense goes out, what lldpad would do counts", false, false, 0, NULL, "0207",
	  ERR_NONE, false, true },
	{ "a port that lldpad cannot set up says nothing", true, false, 0, "08", NULL, ERR_NONE,
	  false, false },
	{ "the sent LLDPDU may be unreadable", false, false, 0, "07", NULL, ERR_SYSTEM, false,
	  false },
	{ "one that only advertises is asked whatever the mode", false, true,
	  SETTING(SETTING_DCBX_MODE), NULL, HEAD PFC("08", "08") ETS("00"), ERR_NONE, true, false },
};

static void is_read_so(void **state)
{
	const struct read_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config c = lossless_config(false);
	struct err err = { 0 };

	s.cannot = row->cannot;
	s.advertise_only = row->advertise_only;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	c.has &= ~(row->unknown | feature_advertise.owns);
	assert_int_equal(feature_advertise.read(&s.host, &lldpad_port, &c, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.dcbx.advertise, row->advertise);
	assert_int_equal(c.dcbx.willing, row->willing);
	assert_true((c.has & feature_advertise.owns) ==
		    (row->kind == ERR_NONE ? feature_advertise.owns : 0));
}

/* Reading the mode, which comes first, has already waited for lldpad. */
static void one_that_hangs_is_not_asked_twice(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config c = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	c.has &= ~SETTING(SETTING_DCBX_MODE);
	assert_false(feature_advertise.read(&s.host, &lldpad_port, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

/* lldpad drops its LLDPDU when the link comes up, and when it starts. */
static const struct wait_row {
	const char *sentence;
	bool sends, advertise_only;
	const char *no_sent;
	uint64_t until; /* at least, and a poll more at most */
	bool advertise;
} waits[] = {
	{ "the first LLDPDU after a link-up is waited for", true, false, NULL, LATE_MS, true },
	{ "so is that of one that only advertises", true, true, NULL, LATE_MS, true },
	{ "one that sends nothing is waited for in vain", true, false, "06", 3000, false },
	{ "one that is to be silent is not waited for", false, false, NULL, 0, false },
};

static void the_next_is_waited_for(void **state)
{
	const struct wait_row *row = *state;
	struct lldpad_scene s = lldpad_scene();

	s.tells = row->sends;
	s.advertise_only = row->advertise_only;
	s.no_sent = row->no_sent;
	s.mask = 8;
	snprintf(s.willing, sizeof(s.willing), "no");
	assert_int_equal(read_advertised(&s).dcbx.advertise, row->advertise);
	assert_in_range(s.now, row->until, row->until + 200);
}

/* Without a link lldpad has no agent for the port: its file says what it is going to send. */
static void without_a_link_the_file_counts(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false), read = to;
	struct port down = lldpad_port;
	struct err err = { 0 };

	(void)state;
	down.carrier = false;
	s.advertise_only = true;
	s.no_sent = "02";
	assert_true(feature_advertise.write(&s.host, &down, &to, &to, &err));
	assert_in_range(s.now, 0, 1000); /* the wait for a complete file */
	assert_true(feature_advertise.read(&s.host, &down, &read, &err));
	assert_true(read.dcbx.advertise);
	assert_false(read.dcbx.willing);
	s.log[0] = '\0';
	assert_true(feature_advertise.reapply(&s.host, &down, &to, &err));
	assert_string_equal(s.log, "");
	read.pfc.priorities = 16;
	assert_true(feature_advertise.read(&s.host, &down, &read, &err));
	assert_false(read.dcbx.advertise);
	to.dcbx.willing = true;
	assert_true(feature_advertise.write(&s.host, &down, &to, &to, &err));
	read = to;
	assert_true(feature_advertise.read(&s.host, &down, &read, &err));
	assert_true(read.dcbx.advertise && read.dcbx.willing);
	s.conf[0] = '\0';
	assert_true(feature_advertise.read(&s.host, &down, &read, &err));
	assert_false(read.dcbx.advertise || read.dcbx.willing);
	snprintf(s.conf, sizeof(s.conf), "lldp : {");
	assert_false(feature_advertise.read(&s.host, &down, &read, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, reads, is_read_so);
	SUITE_ADD_ROWS(&s, waits, the_next_is_waited_for);
	SUITE_ADD(&s, without_a_link_the_file_counts);
	SUITE_ADD(&s, without_an_lldpad_nothing_is_advertised);
	SUITE_ADD(&s, before_it_advertises_its_configuration_counts);
	SUITE_ADD(&s, one_that_hangs_is_not_asked_twice);
	return suite_run(&s, "advertise_read");
}
