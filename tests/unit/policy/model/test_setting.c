#include <ctype.h>
#include <string.h>

#include "policy/model/setting.h"
#include "tests/support/unit.h"

/* Walk every setting; a failure names it. */
#define EACH_SETTING(k) for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++)
#define HOLDS(k, condition) \
	do { \
		if (!(condition)) \
			fail_msg("%s: not so: %s", (k)->path, #condition); \
	} while (0)

static bool ends_in(const char *text, char c)
{
	return text[0] && text[strlen(text) - 1] == c;
}

static void every_setting_has_a_path_of_its_own(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		HOLDS(k, k->path && k->path[0]);
		HOLDS(k,
		      strspn(k->path, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(k->path));
		HOLDS(k, !strchr(k->path, '.') || strchr(k->path, '.') == strrchr(k->path, '.'));
		HOLDS(k, !ends_in(k->path, '.') && k->path[0] != '.');
		HOLDS(k, setting_find(k->path) == k);
	}
}

/* "trust" as a setting and "trust.x" as another would make one JSON key mean two things. */
static void no_setting_is_the_group_of_another(void **s)
{
	(void)s;
	EACH_SETTING(k)
	EACH_SETTING(other)
	{
		size_t n = strlen(k->path);

		HOLDS(k, strncmp(other->path, k->path, n) != 0 || other->path[n] != '.');
	}
}

static void every_setting_explains_itself_in_sentences(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		HOLDS(k, k->doc && isupper((unsigned char)k->doc[0]) && ends_in(k->doc, '.'));
		HOLDS(k, k->why && isupper((unsigned char)k->why[0]) && ends_in(k->why, '.'));
		HOLDS(k, k->default_value && k->default_value[0]);
		HOLDS(k, k->kernel_interface && k->kernel_interface[0]);
		HOLDS(k, !strstr(k->doc, "  ") && !strstr(k->why, "  "));
	}
}

static void every_number_with_a_dimension_has_a_unit(void **s)
{
	(void)s;
	assert_string_equal(settings[SETTING_MTU].unit, "bytes");
	assert_string_equal(settings[SETTING_PFC_CABLE_M].unit, "metres");
	assert_string_equal(settings[SETTING_ETS_BANDWIDTH].unit, "percent");
	EACH_SETTING(k)
	HOLDS(k, !k->unit || ((k->type == T_INT || k->type == T_WORD_OR_INT) && k->unit[0]));
}

static void every_setting_has_the_width_of_its_type(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		uint64_t room = k->size < 8 ? (uint64_t)1 << 8 * k->size : UINT64_MAX;

		if (k->type == T_VLANMAP || k->type == T_APPS || k->type == T_PARAMETERS)
			continue; /* elements that are structs */
		HOLDS(k, k->size == 1 || k->size == 2 || k->size == 4);
		HOLDS(k, k->type == T_INT || k->type == T_WORD_OR_INT || k->size == 1);
		HOLDS(k, k->max < room);
		HOLDS(k, k->count >= 1);
		HOLDS(k, k->type != T_DSCPMAP || k->count == DSCPS);
		HOLDS(k, k->type != T_PRIOSET ||
				 (k->count == 1 && k->min == 0 && k->max == PRIOS - 1));
		HOLDS(k, k->type != T_BOOL || (k->min == 0 && k->max == 1));
	}
}

static void every_setting_lies_inside_config_and_on_no_other(void **s)
{
	char taken[sizeof(struct config)] = { 0 };

	(void)s;
	EACH_SETTING(k)
	{
		size_t end = k->offset + (size_t)k->size * k->count;

		HOLDS(k, k->offset >= sizeof(setting_set));
		HOLDS(k, end <= sizeof(struct config));
		HOLDS(k, k->size > 4 || k->offset % (k->type == T_APPS ? 2 : k->size) == 0);
		for (size_t i = k->offset; i < end; i++) {
			HOLDS(k, !taken[i]);
			taken[i] = 1;
		}
	}
}

static void every_setting_has_bounds_in_order(void **s)
{
	(void)s;
	EACH_SETTING(k)
	HOLDS(k, k->min < k->max);
}

/* T_ENUM counts its words from min to max; T_WORD_OR_INT has them above max. */
static void every_word_list_ends_and_has_no_word_twice(void **s)
{
	(void)s;
	EACH_SETTING(k)
	{
		size_t n = 0;

		HOLDS(k, (k->names != NULL) == (k->type == T_ENUM || k->type == T_WORD_OR_INT ||
						k->type == T_ORDER || k->type == T_WORDS));
		for (; k->names && k->names[n]; n++) {
			HOLDS(k, k->names[n][0]);
			for (size_t j = 0; j < n; j++)
				HOLDS(k, strcmp(k->names[n], k->names[j]) != 0);
		}
		HOLDS(k, k->type != T_ENUM || (k->min == 0 && n == k->max + 1));
		HOLDS(k, k->type != T_WORD_OR_INT || k->max + n < 1u << 8 * k->size);
		HOLDS(k, k->type != T_ORDER || (n == k->count && n == k->max));
		HOLDS(k, k->type != T_WORDS || k->max == (1u << n) - 1);
	}
}

static void the_words_of_dscp_rest_are_in_the_order_of_the_enum(void **s)
{
	const struct setting *k = &settings[SETTING_DSCP_REST];

	(void)s;
	assert_string_equal(k->names[REST_CLASS_SELECTOR - k->max - 1], "class_selector");
	assert_string_equal(k->names[REST_KEEP - k->max - 1], "keep");
	assert_string_equal(k->names[REST_NONE - k->max - 1], "none");
}

static void the_words_of_tsa_are_in_the_order_of_the_enum(void **s)
{
	const char *const *names = settings[SETTING_ETS_TSA].names;

	(void)s;
	assert_string_equal(names[TSA_STRICT], "strict");
	assert_string_equal(names[TSA_CBS], "cbs");
	assert_string_equal(names[TSA_ETS], "ets");
	assert_string_equal(names[TSA_VENDOR], "vendor");
}

static void every_element_keeps_what_is_put_there_and_touches_nothing_else(void **s)
{
	(void)s;
	EACH_SETTING(k)
	for (size_t i = 0; i < k->count; i++) {
		struct config c = { 0 }, zero = { 0 };

		setting_set_element(k, &c, i, k->max);
		HOLDS(k, setting_element(k, &c, i) == k->max);
		memset((char *)&c + k->offset + i * k->size, 0, k->size);
		HOLDS(k, memcmp(&c, &zero, sizeof(c)) == 0);
	}
}

static void a_dscp_entry_can_be_none_or_kept(void **s)
{
	const struct setting *k = &settings[SETTING_DSCP_PRIO];
	struct config c = { 0 };

	(void)s;
	setting_set_element(k, &c, 5, DSCP_NONE);
	setting_set_element(k, &c, 6, DSCP_KEEP);
	assert_int_equal(setting_element(k, &c, 5), DSCP_NONE);
	assert_int_equal(setting_element(k, &c, 6), DSCP_KEEP);
}

static void a_path_that_no_setting_has_is_not_found(void **s)
{
	static const char *const paths[] = {
		"", ".", "pfc", "pfc.", "MTU", "mtu ", "pfc.cable_m.x"
	};

	(void)s;
	for (size_t i = 0; i < COUNT(paths); i++)
		if (setting_find(paths[i]))
			fail_msg("\"%s\" is found", paths[i]);
}

static void every_setting_has_exactly_one_bit(void **s)
{
	setting_set all = 0;

	(void)s;
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		assert_true((all & SETTING(i)) == 0);
		all |= SETTING(i);
	}
	assert_true(all == EVERY_SETTING);
}

static void what_a_driver_rounds_is_what_was_asked_for(void **s)
{
	size_t rounded = 0;

	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const struct setting *k = &settings[i];
		int64_t tolerance = k->tolerance, desired = 100000;

		if (!tolerance)
			continue;
		rounded++;
		assert_true(element_equal(k, desired, desired - tolerance + 1));
		assert_false(element_equal(k, desired, desired - tolerance));
		assert_true(element_equal(k, desired, desired + tolerance - 1));
		assert_false(element_equal(k, desired, desired + tolerance));
	}
	assert_true(rounded > 0);
}

static const struct {
	uint32_t asked, stored, by_older;
	const char *text;
} rates[] = {
	{ 0, 0, 0, "0" },
	{ 1, 100, 100, "1 (becomes 100)" },
	{ 25500, 25500, 25500, "25500" },
	{ 30500, 30500, 30000, "30500 (30000 with older drivers)" },
	{ 30550, 30500, 30000, "30550 (becomes 30500, or 30000 with older drivers)" },
	{ 255000, 255000, 255000, "255000" },
	{ 400050, 400000, 400000, "400050 (becomes 400000)" },
	{ 6553500, 6553500, 6553500, "6553500" },
};

static void a_rate_is_what_either_driver_stores(void **s)
{
	const struct setting *k = &settings[SETTING_MAXRATE_TC_MBPS];

	(void)s;
	for (size_t i = 0; i < COUNT(rates); i++) {
		struct config c = { 0 };
		char text[SETTING_TEXT_MAX];

		assert_true(element_equal(k, rates[i].asked, rates[i].stored));
		assert_true(element_equal(k, rates[i].asked, rates[i].by_older));
		assert_false(element_equal(k, rates[i].asked, rates[i].stored + 100));
		for (int tc = 0; tc < PRIOS; tc++)
			c.maxrate.tc_mbps[tc] = rates[i].asked;
		assert_non_null(strstr(setting_text(k, &c, text), rates[i].text));
	}
	assert_false(element_equal(k, 30500, 30400));
	assert_false(element_equal(k, 30000, 30500));
}

static void a_config_fits_in_a_kilobyte(void **s)
{
	(void)s;
	assert_true(sizeof(struct config) < 1024);
}

static const struct withdraw_row {
	const char *sentence;
	uint8_t from, to;
	bool withdraws;
} withdraws[] = {
	{ "the same priorities withdraw nothing", 0x08, 0x08, false },
	{ "no priorities withdraw nothing", 0x00, 0x00, false },
	{ "one less withdraws", 0x18, 0x08, true },
	{ "the last one withdraws", 0x80, 0x00, true },
	{ "one more withdraws nothing", 0x08, 0x18, false },
	{ "one for another does not only withdraw", 0x08, 0x10, false },
};

static void withdraws_or_not(void **s)
{
	const struct withdraw_row *row = *s;
	struct config from = { .pfc.priorities = row->from }, to = { .pfc.priorities = row->to };

	assert_int_equal(config_withdraws_pfc(&from, &to), row->withdraws);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, every_setting_has_a_path_of_its_own);
	SUITE_ADD(&s, no_setting_is_the_group_of_another);
	SUITE_ADD(&s, every_setting_explains_itself_in_sentences);
	SUITE_ADD(&s, every_number_with_a_dimension_has_a_unit);
	SUITE_ADD(&s, every_setting_has_the_width_of_its_type);
	SUITE_ADD(&s, every_setting_lies_inside_config_and_on_no_other);
	SUITE_ADD(&s, every_setting_has_bounds_in_order);
	SUITE_ADD(&s, every_word_list_ends_and_has_no_word_twice);
	SUITE_ADD(&s, the_words_of_dscp_rest_are_in_the_order_of_the_enum);
	SUITE_ADD(&s, the_words_of_tsa_are_in_the_order_of_the_enum);
	SUITE_ADD(&s, every_element_keeps_what_is_put_there_and_touches_nothing_else);
	SUITE_ADD(&s, a_dscp_entry_can_be_none_or_kept);
	SUITE_ADD(&s, a_path_that_no_setting_has_is_not_found);
	SUITE_ADD(&s, every_setting_has_exactly_one_bit);
	SUITE_ADD(&s, what_a_driver_rounds_is_what_was_asked_for);
	SUITE_ADD(&s, a_rate_is_what_either_driver_stores);
	SUITE_ADD(&s, a_config_fits_in_a_kilobyte);
	SUITE_ADD_ROWS(&s, withdraws, withdraws_or_not);
	return suite_run(&s, "setting");
}
