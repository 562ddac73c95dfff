/* Tests of firmware parameters: in sync, awaiting a reset, or to be set. */
#include "policy/model/firmware_parameter.h"

#include "policy/model/setting.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

/* The actual value of a parameter; per-port parameters have the name of port 1. */
struct actual {
	const char *name;
	enum parameter_state state;
	uint8_t current, next_boot;
};

static const struct row {
	const char *sentence, *desired;
	struct actual actual[3];
	bool in_sync, awaits_reset;
	const char *to_set;
	enum err_kind kind; /* the result of parameters_are_reported() */
} rows[] = {
	{ "a value now and at the next boot is in sync",
	  "{'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_SET, 48, 48 } },
	  true,
	  true,
	  "",
	  ERR_NONE },
	{ "a value that is right at the next boot only awaits a reset",
	  "{'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_SET, 46, 48 } },
	  false,
	  true,
	  "",
	  ERR_NONE },
	{ "a value that is right now only is to be set",
	  "{'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_SET, 48, 46 } },
	  false,
	  false,
	  "CNP_DSCP_P1=48",
	  ERR_NONE },
	{ "only what differs at the next boot is to be set",
	  "{'QOS_TRUST_STATE': 'TRUST_DSCP', 'CNP_DSCP': 48, 'INTERNAL_CPU_OFFLOAD_ENGINE': "
	  "'DISABLED'}",
	  { { "QOS_TRUST_STATE", PARAMETER_SET, 5, 5 },
	    { "CNP_DSCP", PARAMETER_SET, 46, 48 },
	    { "INTERNAL_CPU_OFFLOAD_ENGINE", PARAMETER_SET, 0, 0 } },
	  false,
	  false,
	  "QOS_TRUST_STATE_P1=6 INTERNAL_CPU_OFFLOAD_ENGINE=1",
	  ERR_NONE },
	{ "a parameter that is not desired is not judged",
	  "{'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_SET, 48, 48 }, { "CNP_802P_PRIO", PARAMETER_SET, 1, 2 } },
	  true,
	  true,
	  "",
	  ERR_NONE },
	{ "a parameter that the adapter lacks is unsupported",
	  "{'LLDP_NB_DCBX': false}",
	  { { "CNP_DSCP", PARAMETER_SET, 48, 48 } },
	  false,
	  true,
	  "",
	  ERR_UNSUPPORTED },
	{ "a parameter that cannot be read is unknown",
	  "{'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_UNREADABLE, 0, 0 } },
	  false,
	  true,
	  "",
	  ERR_UNKNOWN },
	{ "drift of another parameter is reported first",
	  "{'LLDP_NB_DCBX': false, 'CNP_DSCP': 48}",
	  { { "CNP_DSCP", PARAMETER_SET, 46, 46 } },
	  false,
	  false,
	  "CNP_DSCP_P1=48",
	  ERR_NONE },
};

static const struct setting *nvconfig(void)
{
	return &settings[SETTING_FIRMWARE_NVCONFIG];
}

static void add(struct config *c, const struct actual *a)
{
	for (size_t i = 0; a->name && i < nvconfig()->count; i++)
		if (strcmp(nvconfig_rows[i].name, a->name) == 0)
			parameter_put(nvconfig(), c, i,
				      &(struct parameter){ (uint8_t)a->state, a->current,
							   a->next_boot,
							   nvconfig_rows[i].of_port });
}

static void is_judged_so(void **s)
{
	const struct row *row = *s;
	char json[JSON_TEXT_MAX], text[SETTING_TEXT_MAX];
	struct config desired, actual = { .has = SETTING(SETTING_FIRMWARE_NVCONFIG) };
	struct err err = { 0 };

	snprintf(json, sizeof(json), "{'firmware': {'nvconfig': %s}}", row->desired);
	desired = config_of(json);
	for (size_t i = 0; i < COUNT(row->actual); i++)
		add(&actual, &row->actual[i]);
	assert_int_equal(config_diff(&desired, &actual) == 0, row->in_sync);
	assert_int_equal(parameters_await_reset(nvconfig(), &desired, &actual), row->awaits_reset);
	assert_string_equal(parameters_to_set(nvconfig(), &desired, &actual, text), row->to_set);
	assert_int_equal(parameters_are_reported(nvconfig(), &desired, &actual, &err),
			 row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
}

static void fields_of_a_register_are_set_in_one_word(void **s)
{
	const struct setting *k = &settings[SETTING_FIRMWARE_ROCE_ACCL];
	struct config desired = config_of("{'firmware': {'roce_accl': {'roce_tx_window_en': true, "
					  "'roce_adp_retrans_en': true}}}"),
		      actual = config_of("{'firmware': {'roce_accl': {'roce_tx_window_en': false, "
					 "'roce_adp_retrans_en': false}}}");
	char text[SETTING_TEXT_MAX];

	(void)s;
	assert_string_equal(parameters_to_set(k, &desired, &actual, text),
			    "roce_adp_retrans_en=0x1,roce_tx_window_en=0x1");
}

/* All parameters differ, which gives the longest command; the fix has room for 200 bytes more. */
static void every_command_fits(void **s)
{
	(void)s;
	for (size_t id = SETTING_FIRMWARE_NVCONFIG; id <= SETTING_FIRMWARE_ROCE_ACCL; id++) {
		struct config desired = { 0 }, actual = { 0 };
		char text[SETTING_TEXT_MAX];

		for (size_t i = 0; i < settings[id].count; i++) {
			const struct parameter_row *row = &settings[id].rows[i];

			parameter_put(&settings[id], &desired, i,
				      &(struct parameter){ PARAMETER_SET, row->max, row->max, 0 });
			parameter_put(&settings[id], &actual, i,
				      &(struct parameter){ PARAMETER_SET, 0, 0, row->of_port });
		}
		assert_true(strlen(parameters_to_set(&settings[id], &desired, &actual, text)) <
			    300);
	}
}

static void every_parameter_has_words_up_to_its_maximum(void **s)
{
	(void)s;
	for (size_t id = SETTING_FIRMWARE_NVCONFIG; id <= SETTING_FIRMWARE_ROCE_ACCL; id++)
		for (size_t i = 0; i < settings[id].count; i++) {
			const struct parameter_row *row = &settings[id].rows[i];

			assert_true(row->name[0] && row->max > 0);
			assert_true(!row->words || (row->words[0] && row->words[row->max]));
			assert_true(!row->field_select == (id == SETTING_FIRMWARE_NVCONFIG));
		}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, is_judged_so);
	SUITE_ADD(&s, fields_of_a_register_are_set_in_one_word);
	SUITE_ADD(&s, every_command_fits);
	SUITE_ADD(&s, every_parameter_has_words_up_to_its_maximum);
	return suite_run(&s, "parameter");
}
