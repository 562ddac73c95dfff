/* Tests of lldpad's configuration file: writing a port's section. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldpad/config_text.h"
#include "policy/model/setting.h"
#include "tests/support/config_text.h"
#include "tests/support/unit.h"

#define RECO_SETTINGS \
	(SETTING(SETTING_ETS_RECO_PRIO_TC) | SETTING(SETTING_ETS_RECO_TSA) | \
	 SETTING(SETTING_ETS_RECO_BANDWIDTH))

static void everything_is_said_in_lldpads_words(void **s)
{
	const struct config c = conf_setup();
	char *conf = conf_amended("", &c);

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
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.dcbx.willing = true;
	conf = conf_amended(conf_written, &c);
	HAS(conf, "tlvid0080c20b.willing", "1");
	HAS(conf, "tlvid0080c209.willing", "1");
	HAS(conf, "tlvid0080c20a.willing", "");
	free(conf);
}

static void every_algorithm_has_its_word_and_only_ets_has_shares(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.ets.tsa[1] = TSA_CBS;
	c.ets.tsa[7] = TSA_VENDOR;
	c.ets.bandwidth[7] = 100; /* as mlx5 reads it */
	conf = conf_amended("", &c);
	HAS(conf, "tlvid0080c209.tsa",
	    "0:ets,1:cb_shaper,2:ets,3:ets,4:ets,5:ets,6:strict,7:vendor");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

static void the_longest_words_fit(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	memset(c.ets.tsa, TSA_CBS, sizeof(c.ets.tsa));
	conf = conf_amended("", &c);
	HAS(conf, "tlvid0080c209.tsa",
	    "0:cb_shaper,1:cb_shaper,2:cb_shaper,3:cb_shaper,4:cb_shaper,5:cb_shaper,6:cb_shaper,"
	    "7:cb_shaper");
	free(conf);
}

static void where_nothing_is_ets_old_shares_are_gone(void **s)
{
	struct config c = conf_setup();
	char *first = conf_amended("", &c), *conf;

	(void)s;
	memset(c.ets.tsa, TSA_STRICT, sizeof(c.ets.tsa));
	conf = conf_amended(first, &c);
	HAS(conf, "tlvid0080c209.tcbw", "0,0,0,0,0,0,0,0");
	HAS(conf, "tlvid0080c20a.tcbw", "0,0,0,0,0,0,0,0");
	free(first);
	free(conf);
}

static void shares_that_are_not_100_are_refused(void **s)
{
	struct config c = conf_setup();
	struct err err = { 0 };
	char *conf = NULL;

	(void)s;
	c.ets.bandwidth[3] = 49;
	assert_false(lldpad_conf_amend(conf_written, PORT, &c, &conf, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_non_null(strstr(err.text, "99"));
	assert_null(conf);
	c.dcbx.advertise = false; /* the shares are not advertised */
	free(conf_amended(conf_written, &c));
}

static void a_recommendation_of_its_own_is_said(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	c.ets.reco_prio_tc[5] = 1;
	c.ets.reco_tsa[0] = c.ets.reco_tsa[1] = TSA_ETS;
	c.ets.reco_bandwidth[0] = 30;
	c.ets.reco_bandwidth[1] = 70;
	conf = conf_amended("", &c);
	HAS(conf, "tlvid0080c20a.up2tc", "0:0,1:0,2:0,3:0,4:0,5:1,6:0,7:0");
	HAS(conf, "tlvid0080c20a.tcbw", "30,70,0,0,0,0,0,0");
	HAS(conf, "tlvid0080c209.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

static void a_recommendation_of_zeros_is_none(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	conf = conf_amended("", &c);
	HAS(conf, "tlvid0080c20a.tcbw", "50,0,0,50,0,0,0,0");
	free(conf);
}

/* All priorities are in one class, which reads as 0; one class has another algorithm. */
static void a_recommendation_of_algorithms_only_is_one(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.has |= RECO_SETTINGS;
	c.ets.reco_tsa[0] = TSA_ETS;
	c.ets.reco_bandwidth[0] = 100;
	conf = conf_amended("", &c);
	HAS(conf, "tlvid0080c20a.tcbw", "100,0,0,0,0,0,0,0");
	free(conf);
}

static void what_is_not_known_is_not_said(void **s)
{
	struct config c = conf_setup();
	char *conf;

	(void)s;
	c.has &= ~SETTING(SETTING_ETS_TSA);
	conf = conf_amended(conf_written, &c);
	HAS(conf, "tlvid0080c209.enableTx", "false");
	HAS(conf, "tlvid0080c20a.enableTx", "false");
	HAS(conf, "tlvid0080c20b.enableTx", "true");
	free(conf);
	c.has = 0;
	conf = conf_amended(conf_written, &c);
	HAS(conf, "tlvid0080c20b.enableTx", "false");
	HAS(conf, "tlvid0080c20b.enabled", "1");
	HAS(conf, "tlvid0080c20c.enableTx", "true");
	free(conf);
}

static void a_silent_port_listens_only(void **s)
{
	struct config c = conf_setup();
	char *spoken = conf_amended(conf_written, &c), *conf;

	(void)s;
	c.dcbx.advertise = false;
	conf = conf_amended(spoken, &c);
	HAS(conf, "adminStatus", "2");
	HAS(conf, "tlvid0080c20b.enableTx", "false");
	HAS(conf, "tlvid0080c209.enableTx", "false");
	HAS(conf, "tlvid0080c20a.enableTx", "false");
	HAS(conf, "tlvid0080c20c.enableTx", "false");
	free(spoken);
	free(conf);
}

static bool has(const char *conf, const struct config *says)
{
	struct err err = { 0 };
	bool is;

	assert_true(lldpad_conf_has(conf, PORT, says, &is, &err));
	return is;
}

static void what_was_amended_is_there(void **state)
{
	struct config says = conf_setup();
	char *amended = conf_amended(conf_written, &says);

	(void)state;
	assert_false(has("", &says));
	assert_false(has(conf_written, &says));
	assert_true(has(amended, &says));
	says.dcbx.willing = !says.dcbx.willing;
	assert_false(has(amended, &says));
	free(amended);
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
	SUITE_ADD(&s, what_was_amended_is_there);
	return suite_run(&s, "config_text");
}
