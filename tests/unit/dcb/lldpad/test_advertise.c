/* Tests of advertising through lldpad: the requests, their order, and the wait for its LLDPDU. */
#include <errno.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/lldpad_scene.h"
#include "tests/support/unit.h"

#define FOREVER UINT64_MAX

static void the_values_are_set_before_they_are_advertised(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	assert_true(write_advertised(&s, &to, &err));
	assert_string_equal(s.log,
			    "pfc:willing ets:willing reco:tcbw pfc:enabled app:enableTx rxtx ");
	assert_in_range(s.now, LATE_MS, LATE_MS + 200);
	assert_true(read_advertised(&s).dcbx.advertise);
	assert_false(read_advertised(&s).dcbx.willing);
}

/* The log ends at the refusal. */
static const struct refusal_row {
	const char *sentence, *refuses, *log;
} refusals[] = {
	{ "whether it is willing may be refused", TLV_PFC "07willing", "" },
	{ "ETS may be refused", "0080c209", "pfc:willing " },
	{ "the recommendation may be refused", "0080c20a", "pfc:willing ets:willing " },
	{ "PFC may be refused", TLV_PFC "07enabled", "pfc:willing ets:willing reco:tcbw " },
	{ "APP may be refused", "0080c20c", "pfc:willing ets:willing reco:tcbw pfc:enabled " },
	{ "speaking may be refused", "adminstatus",
	  "pfc:willing ets:willing reco:tcbw pfc:enabled app:enableTx " },
};

static void what_it_refuses_is_an_error(void **state)
{
	const struct refusal_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	s.refuses = row->refuses;
	assert_false(write_advertised(&s, &to, &err));
	assert_string_equal(s.log, row->log);
	assert_false(s.tells);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.text, "lldpad: invalid value");
	assert_int_equal(s.now, 0);
}

static void shares_that_it_would_refuse_are_not_half_written(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	to.ets.bandwidth[0] = 99;
	assert_false(write_advertised(&s, &to, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_string_equal(s.log, "");
}

/* lldpad reports the old LLDPDU until it sends the next one. */
static void what_goes_out_must_be_willing_too(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	s.heard_mask = s.sent_mask = 8;
	s.tells = s.has_sent = true;
	assert_true(write_advertised(&s, &to, &err));
	assert_true(read_advertised(&s).dcbx.willing);
}

static const struct end_row {
	const char *sentence;
	uint64_t ends_at, starts_at;
	const char *no_sent, *goes_out;
	enum err_kind kind;
	const char *text;
	uint64_t until; /* at least, and half a second more at most */
} ends[] = {
	{ "one that ends and is started again is waited for", 200, 5000, NULL, NULL, ERR_NONE, "",
	  5000 },
	{ "one that ends for good is missing", 200, FOREVER, NULL, NULL, ERR_MISSING,
	  "lldpad (pid 42) ended while it was given the settings", 20000 },
	{ "the sent LLDPDU may be unreadable", 0, 0, "07", NULL, ERR_SYSTEM,
	  "lldpad: another version", 20000 },
	{ "what goes out may be no LLDPDU", 0, 0, NULL, "0207", ERR_VERIFY,
	  "lldpad does not advertise the desired settings", 20000 },
	{ "what goes out may be another mask", 0, 0, NULL, HEAD PFC("08", "10") ETS("00"),
	  ERR_VERIFY, "lldpad does not advertise the desired settings", 20000 },
	{ "what goes out may lack ETS", 0, 0, NULL, HEAD PFC("08", "08"), ERR_VERIFY,
	  "lldpad does not advertise the desired settings", 20000 },
};

static void what_goes_out_is_waited_for(void **state)
{
	const struct end_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	s.ends_at = row->ends_at;
	s.starts_at = row->starts_at;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	assert_int_equal(write_advertised(&s, &to, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_string_equal(err.text, row->text);
	assert_in_range(s.now, row->until, row->until + 500);
}

static void without_an_lldpad_nothing_is_configured(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	s.runs = false;
	assert_false(write_advertised(&s, &to, &err));
	assert_int_equal(err.kind, ERR_MISSING);
	assert_int_equal(s.now, 0);
}

static void one_that_only_advertises_is_configured_by_its_file(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	s.advertise_only = true;
	snprintf(s.willing, sizeof(s.willing), "no");
	assert_true(write_advertised(&s, &to, &err));
	assert_string_equal(s.log, "kept /var/lib/lldpad/lldpad.conf hangup ");
	assert_true(read_advertised(&s).dcbx.advertise);
}

static void one_that_does_not_watch_its_file_is_not_waited_for(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	s.advertise_only = s.no_signal = true;
	assert_false(write_advertised(&s, &to, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_in_range(s.now, 0, 1000); /* the wait for a complete file */
	assert_int_equal(s.waits, 0);
}

static void what_never_goes_out_is_an_error(void **state)
{
	struct config to = lossless_config(false);

	(void)state;
	to.pfc.priorities = 3; /* a mask that lldpad never sends in this scene */
	for (int advertise_only = 0; advertise_only <= 1; advertise_only++) {
		struct lldpad_scene s = lldpad_scene();
		struct err err = { 0 };

		s.advertise_only = advertise_only;
		assert_false(write_advertised(&s, &to, &err));
		assert_int_equal(err.kind, ERR_VERIFY);
		assert_in_range(s.now, 20000, 21000);
		assert_int_equal(strstr(err.fix, "an lldpad of 2018 to 2021") != NULL,
				 advertise_only);
	}
}

static void a_port_falls_silent(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	s.tells = true;
	to.dcbx.advertise = false;
	assert_true(write_advertised(&s, &to, &err));
	assert_non_null(strstr(s.log, "rx "));
	assert_false(read_advertised(&s).dcbx.advertise);
}

static void what_says_it_already_is_left_alone(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	assert_true(write_advertised(&s, &to, &err));
	s.log[0] = '\0';
	assert_true(feature_advertise.reapply(&s.host, &lldpad_port, &to, &err));
	assert_string_equal(s.log, "");
	s.sent_mask = s.mask = 16;
	assert_true(feature_advertise.reapply(&s.host, &lldpad_port, &to, &err));
	assert_int_equal(s.mask, 8);
}

static const struct settle_row {
	const char *sentence;
	bool advertise, runs;
	const char *no_sent, *goes_out;
	enum err_kind kind;
	bool told; /* lldpad is sent the settings again */
} settles[] = {
	{ "a port that is to be silent is left alone", false, true, NULL, NULL, ERR_NONE, false },
	{ "a port that is still silent is reported", true, true, NULL, NULL, ERR_NONE, true },
	{ "a port that says it is left alone", true, true, NULL, HEAD PFC("08", "08") ETS("00"),
	  ERR_NONE, false },
	{ "a port that does not answer is reported", true, true, "07", NULL, ERR_SYSTEM, true },
	{ "without an lldpad there is nothing to settle with", true, false, NULL, NULL, ERR_MISSING,
	  false },
};

static void is_settled(void **state)
{
	const struct settle_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(false);
	struct err err = { 0 };

	to.dcbx.advertise = row->advertise;
	s.runs = row->runs;
	s.no_sent = row->no_sent;
	s.goes_out = row->goes_out;
	assert_int_equal(feature_advertise.reapply(&s.host, &lldpad_port, &to, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(s.log[0] != '\0', row->told);
}

static void only_a_port_that_begins_to_advertise_leaves_something_behind(void **state)
{
	struct config silent = lossless_config(false), speaks = lossless_config(false);

	(void)state;
	silent.dcbx.advertise = false;
	assert_non_null(strstr(feature_advertise.irreversible(&lldpad_port, &silent, &speaks),
			       "keeps the settings of this port"));
	assert_null(feature_advertise.irreversible(&lldpad_port, &speaks, &speaks));
	assert_null(feature_advertise.irreversible(&lldpad_port, &speaks, &silent));
	assert_null(feature_advertise.irreversible(&lldpad_port, &silent, &silent));
}

/* The unreadable file shows whether the function reads it. */
static void only_a_port_that_was_silent_is_made_silent_after_a_boot(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config back = lossless_config(false);
	struct err err = { 0 };

	(void)state;
	s.no_kept = true;
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	back.dcbx.advertise = false;
	assert_false(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	assert_int_equal(err.code, EIO);
	s.no_kept = false;
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	s.no_kept = true;
	back.has &= ~SETTING(SETTING_DCBX_ADVERTISE);
	assert_true(feature_advertise.restore_files(&s.host, "ens1f0np0", &back, &err));
	assert_string_equal(s.log, "");
}

/* A file that cannot be read may be there. */
static const struct hidden_row {
	const char *sentence;
	bool runs, advertise_only, no_kept, hidden;
} hidden_rows[] = {
	{ "an lldpad that has ended may hold what it was given", false, true, false, true },
	{ "so may one that writes", true, false, false, true },
	{ "so may the file of one that only advertises, if the section from before is kept", true,
	  true, true, true },
	{ "its file holds nothing of ours otherwise", true, true, false, false },
};

static void is_hidden_so(void **state)
{
	const struct hidden_row *row = *state;
	struct lldpad_scene s = lldpad_scene();

	s.runs = row->runs;
	s.advertise_only = row->advertise_only;
	s.no_kept = row->no_kept;
	assert_int_equal(feature_advertise.is_hidden(&s.host, &lldpad_port), row->hidden);
}

static void the_switch_is_waited_for(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	s.heard_mask = 8;
	s.heard_at = 30000;
	assert_true(write_advertised(&s, &to, &err));
	assert_in_range(s.now, 30000, 31000);
	assert_int_equal(s.waits, 1);
}

/* LLDPDUs without PFC and malformed ones count as silence. */
static const struct silent_row {
	const char *sentence;
	int heard_mask;
	const char *comes_in;
} silent[] = {
	{ "a silent switch is no failure", -1, NULL },
	{ "nor is one about something else", 8, HEAD ETS("00") },
	{ "nor is one that talks nonsense", 8, "0207" },
};

static void a_silent_switch_is_no_failure(void **state)
{
	const struct silent_row *row = *state;
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(true);
	struct err err = { 0 };

	s.heard_mask = row->heard_mask;
	s.comes_in = row->comes_in;
	assert_true(write_advertised(&s, &to, &err));
	assert_in_range(s.now, 45000, 46000);
	assert_int_equal(s.waits, 2);
	assert_string_equal(
		s.told, "the switch does not advertise PFC: the port keeps the PFC just written");
}

static void an_interruption_ends_the_wait(void **state)
{
	struct lldpad_scene s = lldpad_scene();
	struct config to = lossless_config(true);
	struct err err = { 0 };

	(void)state;
	s.interrupted = 2;
	assert_true(write_advertised(&s, &to, &err));
	assert_in_range(s.now, LATE_MS, 2 * LATE_MS);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, the_values_are_set_before_they_are_advertised);
	SUITE_ADD_ROWS(&s, hidden_rows, is_hidden_so);
	SUITE_ADD_ROWS(&s, refusals, what_it_refuses_is_an_error);
	SUITE_ADD(&s, shares_that_it_would_refuse_are_not_half_written);
	SUITE_ADD_ROWS(&s, ends, what_goes_out_is_waited_for);
	SUITE_ADD(&s, without_an_lldpad_nothing_is_configured);
	SUITE_ADD(&s, one_that_only_advertises_is_configured_by_its_file);
	SUITE_ADD(&s, one_that_does_not_watch_its_file_is_not_waited_for);
	SUITE_ADD_ROWS(&s, settles, is_settled);
	SUITE_ADD(&s, only_a_port_that_begins_to_advertise_leaves_something_behind);
	SUITE_ADD(&s, only_a_port_that_was_silent_is_made_silent_after_a_boot);
	SUITE_ADD(&s, what_goes_out_must_be_willing_too);
	SUITE_ADD(&s, what_never_goes_out_is_an_error);
	SUITE_ADD(&s, a_port_falls_silent);
	SUITE_ADD(&s, what_says_it_already_is_left_alone);
	SUITE_ADD(&s, the_switch_is_waited_for);
	SUITE_ADD_ROWS(&s, silent, a_silent_switch_is_no_failure);
	SUITE_ADD(&s, an_interruption_ends_the_wait);
	return suite_run(&s, "advertise");
}
