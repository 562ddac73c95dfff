#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const struct text_row {
	const char *sentence;
	enum setting_id setting;
	const char *config, *text;
} rows[] = {
	{ "a number is a number", SETTING_MTU, "{'mtu': 9000}", "9000" },
	{ "true is on", SETTING_PAUSE_RX, "{'pause': {'rx': true}}", "on" },
	{ "false is off", SETTING_PAUSE_RX, "{'pause': {'rx': false}}", "off" },
	{ "a word is itself", SETTING_ROCE_MODE, "{'roce': {'mode': 'v1'}}", "v1" },
	{ "no priority is none", SETTING_PFC_PRIORITIES, "{'pfc': {'priorities': []}}", "none" },
	{ "one priority is a number", SETTING_PFC_PRIORITIES, "{'pfc': {'priorities': [3]}}", "3" },
	{ "more priorities have commas", SETTING_PFC_PRIORITIES, "{'pfc': {'priorities': [7,3,0]}}",
	  "0, 3, 7" },
	{ "a list has spaces", SETTING_ETS_PRIO_TC, "{'ets': {'prio_tc': [1,0,2,3,4,5,6,7]}}",
	  "1 0 2 3 4 5 6 7" },
	{ "a list of words is printed word by word", SETTING_ETS_TSA,
	  "{'ets': {'tsa': ['ets','strict','vendor','cbs','ets','ets','ets','ets']}}",
	  "strict 1; cbs 3; ets 0,4-7; vendor 2" },
	{ "a list of one word says all", SETTING_ETS_TSA,
	  "{'ets': {'tsa': ['ets','ets','ets','ets','ets','ets','ets','ets']}}", "all ets" },
	{ "a word's places reach the last", SETTING_ETS_TSA,
	  "{'ets': {'tsa': ['ets','strict','ets','ets','ets','ets','strict','strict']}}",
	  "strict 1,6-7; ets 0,2-5" },
	{ "the rest can be a word", SETTING_DSCP_REST, "{'dscp': {'rest': 'keep'}}", "keep" },
	{ "the rest can be a priority", SETTING_DSCP_REST, "{'dscp': {'rest': 7}}", "7" },
	{ "a map with kept entries shows the others", SETTING_DSCP_PRIO,
	  "{'dscp': {'prio': {'26': 3, '48': 6}}}", "26:3 48:6" },
	{ "runs of one priority are one entry", SETTING_DSCP_PRIO,
	  "{'dscp': {'prio': {'24': 3, '25': 3, '26': 3, '27': 4, '30': 3}}}",
	  "24-26:3 27:4 30:3" },
	{ "a run reaches the last DSCP", SETTING_DSCP_PRIO,
	  "{'dscp': {'prio': {'62': 1, '63': 1}}}", "62-63:1" },
};

static void reads_so(void **s)
{
	const struct text_row *row = *s;
	struct config c = config_of(row->config);
	char text[SETTING_TEXT_MAX];

	assert_string_equal(setting_text(&settings[row->setting], &c, text), row->text);
}

/* Actual maps: `base` for all DSCPs ('c': DSCP >> 3, 'n': none, 'z': 0), then the entries. */
static const struct map_row {
	const char *sentence;
	char base;
	struct {
		int dscp, prio;
	} entries[3];
	const char *text;
} maps[] = {
	{ "the default map is DSCP >> 3", 'c', { { 0, 0 } }, "DSCP >> 3" },
	{ "no entry at all is no entries", 'n', { { 0, DSCP_NONE } }, "no entries" },
	{ "the default map with exceptions names those",
	  'c',
	  { { 26, 5 }, { 48, 1 }, { 0, 0 } },
	  "DSCP >> 3 but 26:5 48:1" },
	{ "the default map with a hole names it",
	  'c',
	  { { 26, DSCP_NONE }, { 27, DSCP_NONE }, { 0, 0 } },
	  "DSCP >> 3 but 26-27:none" },
	{ "a map to one priority names the exceptions",
	  'z',
	  { { 26, 3 }, { 48, 6 }, { 0, 0 } },
	  "26:3 48:6, others 0" },
	{ "a map to one priority alone", 'z', { { 0, 0 } }, "all 0" },
	{ "few entries are listed", 'n', { { 26, 3 }, { 48, 6 }, { 0, DSCP_NONE } }, "26:3 48:6" },
	{ "entries that say DSCP >> 3 are listed, too",
	  'n',
	  { { 8, 1 }, { 9, 1 }, { 0, DSCP_NONE } },
	  "8-9:1" },
};

static void map_reads_so(void **s)
{
	const struct map_row *row = *s;
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) };
	char text[SETTING_TEXT_MAX];

	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = (int8_t)(row->base == 'c'   ? d >> 3
					  : row->base == 'z' ? 0
							     : DSCP_NONE);
	for (size_t i = 0; i < COUNT(row->entries); i++)
		if (row->entries[i].dscp)
			c.dscp.prio[row->entries[i].dscp] = (int8_t)row->entries[i].prio;
	assert_string_equal(setting_text(&settings[SETTING_DSCP_PRIO], &c, text), row->text);
}

/* The text is longest if no two neighbours are equal and the map has no pattern. */
static void the_longest_map_fits(void **s)
{
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) };
	char text[SETTING_TEXT_MAX];

	(void)s;
	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = (int8_t)((d >> 3) + 1 + d % 2) % PRIOS;
	setting_text(&settings[SETTING_DSCP_PRIO], &c, text);
	assert_non_null(strstr(text, " 63:1"));
	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = (int8_t)(d % 2 ? DSCP_NONE : ((d >> 3) + 1) % PRIOS);
	setting_text(&settings[SETTING_DSCP_PRIO], &c, text);
	assert_true(strlen(text) < SETTING_TEXT_MAX - 1);
}

static void every_setting_has_a_text_at_both_ends(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		for (int end = 0; end < 2; end++) {
			struct config c = { .has = SETTING(i) };
			char text[SETTING_TEXT_MAX];

			for (size_t e = 0; e < settings[i].count; e++)
				setting_set_element(&settings[i], &c, e,
						    end ? settings[i].max : settings[i].min);
			if (!setting_text(&settings[i], &c, text)[0])
				fail_msg("%s has no text", settings[i].path);
		}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, reads_so);
	SUITE_ADD_ROWS(&s, maps, map_reads_so);
	SUITE_ADD(&s, the_longest_map_fits);
	SUITE_ADD(&s, every_setting_has_a_text_at_both_ends);
	return suite_run(&s, "text");
}
