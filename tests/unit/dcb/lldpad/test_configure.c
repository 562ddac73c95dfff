/* Tests of settings written through lldpad: following the switch, PFC and ETS. */
#include <errno.h>

#include "dcb/lldpad/configure.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/lldpad_scene.h"
#include "tests/support/unit.h"

#define RECO(shares) \
	"fe190080c20a00" \
	"00000000" shares "000000000000" \
	"0202000000000000"

/* ---- following the switch ---- */

static const struct follow_row {
	const char *sentence, *willing;
	bool cannot, advertise_only, follows;
} follows[] = {
	{ "a port that was never configured follows the switch", "", false, false, true },
	{ "who is willing follows the switch", "yes", false, false, true },
	{ "a port that is not willing follows no peer", "no", false, false, false },
	{ "nor does one that reads 0", "0", false, false, false },
	{ "nor one that cannot set up the port", "", true, false, false },
	{ "nor one that only advertises", "yes", false, true, false },
};

static void follows_or_not(void **state)
{
	const struct follow_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct lldpad l;
	struct err err = { 0 };
	bool follows_it;

	snprintf(s.willing, sizeof(s.willing), "%s", row->willing);
	s.cannot = row->cannot;
	s.advertise_only = row->advertise_only;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_true(lldpad_follows(&l, "ens1f0np0", &follows_it, &err));
	assert_int_equal(follows_it, row->follows);
}

static void one_that_hangs_is_not_taken_for_one_that_follows_nobody(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct lldpad l;
	struct err err = { 0 };
	bool follows_it;

	(void)state;
	s.hangs = true;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_false(lldpad_follows(&l, "ens1f0np0", &follows_it, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
}

static void it_stops_following(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct lldpad l;
	struct err err = { 0 };

	(void)state;
	assert_true(lldpad_open(&s.host, &l, &err));
	assert_true(lldpad_stop_following(&l, "ens1f0np0", &err));
	assert_string_equal(s.log, "pfc:willing ets:willing ");
	assert_string_equal(s.willing, "no");
}

static void it_may_refuse_to_stop_following(void **state)
{
	static const struct {
		const char *refuses, *log;
	} rows[] = { { TLV_PFC, "" }, { "0080c209", "pfc:willing " } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct lldpad_scene s = lldpad_scene();
		struct lldpad l;
		struct err err = { 0 };

		s.refuses = rows[i].refuses;
		assert_true(lldpad_open(&s.host, &l, &err));
		assert_false(lldpad_stop_following(&l, "ens1f0np0", &err));
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_string_equal(s.log, rows[i].log);
	}
}

/* lldpad follows the switch's ETS recommendation, not its ETS configuration. */
static void only_what_it_would_take_of_the_switch_is_otherwise(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config desired = lossless_config(true);

	(void)state;
	assert_false(lldpad_switch_differs(&s.host, &lldpad_port, &desired));
	s.heard_mask = 8;
	desired.ets.prio_tc[3] = 3;
	assert_false(lldpad_switch_differs(&s.host, &lldpad_port, &desired));
	s.heard_mask = 16;
	assert_true(lldpad_switch_differs(&s.host, &lldpad_port, &desired));
	desired.has &= ~SETTING(SETTING_PFC_PRIORITIES);
	assert_false(lldpad_switch_differs(&s.host, &lldpad_port, &desired));
	s.runs = false;
	assert_false(lldpad_switch_differs(&s.host, &lldpad_port, &desired));
}

static const struct heard_row {
	const char *sentence, *comes_in, *no_heard;
	uint64_t heard_at;
	bool otherwise;
	uint64_t until;
} heard[] = {
	{ "what is recommended is the same", HEAD PFC("08", "08") RECO("6400"), NULL, 0, false, 0 },
	{ "what is recommended is otherwise", HEAD PFC("08", "08") ETS("00") RECO("3c28"), NULL, 0,
	  true, 0 },
	{ "what comes late is waited for", HEAD PFC("08", "10"), NULL, 3000, true, 3000 },
	{ "what comes later is not", HEAD PFC("08", "10"), NULL, 9000, false, 6000 },
	{ "nonsense is not otherwise", "0207", NULL, 0, false, 0 },
	{ "who cannot be asked is not waited for", NULL, "07", 0, false, 200 },
};

static void is_otherwise_or_not(void **state)
{
	const struct heard_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config desired = lossless_config(true);

	desired.ets.tsa[1] = TSA_ETS;
	s.heard_mask = 8;
	s.comes_in = row->comes_in;
	s.no_heard = row->no_heard;
	s.heard_at = row->heard_at;
	assert_int_equal(lldpad_switch_differs(&s.host, &lldpad_port, &desired), row->otherwise);
	assert_in_range(s.now, row->until, row->until);
}

/* ---- writing through lldpad ---- */

static uint64_t arrives_at;
static bool cannot_be_read;

static bool arrived(struct host *h, const struct port *p, const struct config *to, bool *ret,
		    struct err *err)
{
	(void)p;
	(void)to;
	*ret = h->now_ms(h) >= arrives_at;
	return !cannot_be_read || err_set(err, ERR_GONE, ENODEV, "no such port");
}

static void what_it_writes_is_waited_for(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = { 0 }, to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	arrives_at = 15000;
	assert_true(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	assert_in_range(s.now, 15000, 15200);
	assert_string_equal(s.willing, "no");
	s.runs = false;
	assert_false(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_MISSING);
}

static void what_does_not_come_is_not_left_with_it(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = lossless_config(true), to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	arrives_at = 60000;
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_VERIFY);
	assert_int_equal(s.mask, from.pfc.priorities);
}

/* Its file may have the settings, so the fix is to bring the port to them. */
static void one_that_ends_is_not_waited_for(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = lossless_config(true), to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	arrives_at = 60000;
	s.ends_at = 1000;
	s.starts_at = 60000;
	assert_false(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	assert_string_equal(err.text, "lldpad (pid 42) ended while it was given the settings");
	assert_non_null(strstr(err.fix, "start lldpad again"));
	assert_in_range(s.now, 1000, 1200);
}

static void what_cannot_be_seen_is_not_left_with_it_either(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = lossless_config(true), to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	cannot_be_read = true;
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	cannot_be_read = false;
	assert_int_equal(err.kind, ERR_GONE);
	assert_int_equal(s.mask, from.pfc.priorities);
	assert_int_equal(s.waits, 1);
}

static void a_rollback_that_fails_is_reported(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = lossless_config(true), to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	s.refuses = "0080c20a";
	to.pfc.priorities = 16;
	assert_false(lldpad_write(&s.host, &lldpad_port, &from, &to, arrived, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(s.mask, 0);
	assert_string_equal(s.told,
			    "lldpad did not accept the previous settings: lldpad: invalid value");
}

/* lldpad writes with each LLDPDU that it sends. */
static bool is_sent(struct host *h, const struct port *p, const struct config *to, bool *ret,
		    struct err *err)
{
	(void)p;
	(void)to;
	(void)err;
	*ret = ((struct lldpad_scene *)h)->tells;
	return true;
}

static void one_that_writes_only_if_it_sends_is_let_send(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config from = { 0 }, to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	assert_true(lldpad_write(&s.host, &lldpad_port, &from, &to, is_sent, &err));
	assert_int_equal(err.kind, ERR_NONE);
	assert_in_range(s.now, 20000, 20200);
	s.has_sent = true;
	to.dcbx.advertise = false;
	assert_true(feature_advertise.reapply(&s.host, &lldpad_port, &to, &err));
	assert_false(s.tells);
}

static const struct through_row {
	const char *sentence;
	const struct feature *feature;
	uint8_t share; /* the first class's */
	const char *refuses;
	int no_dcb; /* as in struct lldpad_scene */
	enum err_kind kind;
	uint64_t until;
} through[] = {
	{ "PFC comes when lldpad writes it", &feature_pfc_lldpad, 100, NULL, 0, ERR_NONE, LATE_MS },
	{ "ETS that is there is not waited for", &feature_ets_lldpad, 100, NULL, 0, ERR_NONE, 0 },
	{ "ETS that does not come", &feature_ets_lldpad, 40, NULL, 0, ERR_VERIFY, 25000 },
	{ "PFC that lldpad refuses", &feature_pfc_lldpad, 100, TLV_PFC "07enabled", 0, ERR_SYSTEM,
	  0 },
	{ "PFC that cannot be read", &feature_pfc_lldpad, 100, NULL, ENODEV, ERR_GONE, 0 },
	{ "ETS that cannot be read", &feature_ets_lldpad, 100, NULL, ENODEV, ERR_GONE, 0 },
};

static void is_written_through_it(void **state)
{
	const struct through_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config from = lossless_config(false), to = lossless_config(false);
	struct err err = { 0 };

	from.pfc.priorities = 0;
	to.ets.bandwidth[0] = row->share;
	to.ets.tsa[1] = row->share < 100 ? TSA_ETS : TSA_STRICT;
	to.ets.bandwidth[1] = (uint8_t)(100 - row->share);
	s.refuses = row->refuses;
	s.no_dcb = row->no_dcb;
	assert_int_equal(row->feature->write(&s.host, &lldpad_port, &from, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_in_range(s.now, row->until, row->until + 200);
	assert_int_equal(s.mask, row->kind == ERR_NONE ? 8 : 0);
}

static void what_it_writes_is_read_only_where_one_writes(void **state)
{
	static const struct feature *const features[] = { &feature_pfc_lldpad,
							  &feature_ets_lldpad };

	(void)state;
	for (size_t i = 0; i < COUNT(features); i++) {
		struct lldpad_scene s = lldpad_scene();
		struct config c = { 0 };
		struct err err = { 0 };

		assert_true(features[i]->in_charge(&s.host));
		assert_true(features[i]->read(&s.host, &lldpad_port, &c, &err));
		assert_true(c.has == features[i]->owns);
		s.advertise_only = true;
		assert_false(features[i]->in_charge(&s.host));
		s.runs = false;
		assert_false(features[i]->in_charge(&s.host));
	}
}

static void only_one_that_writes_is_written_through(void **state)
{
	struct lldpad_scene s = lldpad_scene();

	(void)state;
	assert_true(lldpad_writes_here(&s.host));
	s.advertise_only = true;
	assert_false(lldpad_writes_here(&s.host));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, follows, follows_or_not);
	SUITE_ADD(&s, one_that_hangs_is_not_taken_for_one_that_follows_nobody);
	SUITE_ADD(&s, it_stops_following);
	SUITE_ADD(&s, it_may_refuse_to_stop_following);
	SUITE_ADD(&s, only_what_it_would_take_of_the_switch_is_otherwise);
	SUITE_ADD_ROWS(&s, heard, is_otherwise_or_not);
	SUITE_ADD(&s, what_it_writes_is_waited_for);
	SUITE_ADD(&s, what_does_not_come_is_not_left_with_it);
	SUITE_ADD(&s, one_that_ends_is_not_waited_for);
	SUITE_ADD(&s, what_cannot_be_seen_is_not_left_with_it_either);
	SUITE_ADD(&s, a_rollback_that_fails_is_reported);
	SUITE_ADD(&s, one_that_writes_only_if_it_sends_is_let_send);
	SUITE_ADD_ROWS(&s, through, is_written_through_it);
	SUITE_ADD(&s, what_it_writes_is_read_only_where_one_writes);
	SUITE_ADD(&s, only_one_that_writes_is_written_through);
	return suite_run(&s, "configure");
}
