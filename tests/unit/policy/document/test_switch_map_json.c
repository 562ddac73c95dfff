#include <string.h>

#include "policy/document/switch_map_json.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

static void every_map_is_whole(void **s)
{
	(void)s;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++) {
		assert_int_equal(strlen(f->dscp_tc), DSCPS);
		assert_int_equal(strlen(f->pcp_tc), PRIOS);
		assert_int_equal(strspn(f->dscp_tc, "01234567-"), DSCPS);
		assert_int_equal(strspn(f->pcp_tc, "01234567-"), PRIOS);
	}
}

static void every_fabric_has_something_lossless_and_a_source(void **s)
{
	char marks[128];

	(void)s;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++) {
		assert_string_not_equal(switch_map_lossless_marks(f, marks, sizeof(marks)), "none");
		assert_true(f->display_name[0] && f->source[0]);
		assert_int_equal(f->watchdog_ms != 0, f->watchdog_source != NULL);
		assert_ptr_equal(switch_map_find(f->name), f);
		assert_false(f->has_cnp_tc && (f->lossless & (1u << f->cnp_tc)));
	}
	assert_null(switch_map_find("cumulus"));
	assert_null(switch_map_find(""));
}

/* Traffic classes as documented in the sources of each map. */
static const struct landing_row {
	const char *sentence, *switch_map;
	bool by_dscp;
	int mark, tc;
	bool dropped;
} landings[] = {
	{ "SONiC puts DSCP 26 into TC 1, which is lossy", "sonic-default", true, 26, 1, true },
	{ "SONiC puts DSCP 3 into TC 3, which is lossless", "sonic-default", true, 3, 3, false },
	{ "SONiC puts DSCP 4 into TC 4, which is lossless", "sonic-default", true, 4, 4, false },
	{ "SONiC puts DSCP 5 into TC 2", "sonic-default", true, 5, 2, true },
	{ "SONiC puts DSCP 8 into TC 0", "sonic-default", true, 8, 0, true },
	{ "SONiC puts DSCP 46 into TC 5", "sonic-default", true, 46, 5, true },
	{ "SONiC puts DSCP 48 into TC 6", "sonic-default", true, 48, 6, true },
	{ "SONiC puts DSCP 63 into TC 1", "sonic-default", true, 63, 1, true },
	{ "SONiC has no map of PCPs by default", "sonic-default", false, 3, NO_TC, false },
	{ "Cumulus puts DSCP 24 into TC 3, which is lossless", "cumulus-lossless", true, 24, 3,
	  false },
	{ "Cumulus puts DSCP 31 into TC 3", "cumulus-lossless", true, 31, 3, false },
	{ "Cumulus puts DSCP 32 into TC 0, which is lossy", "cumulus-lossless", true, 32, 0, true },
	{ "Cumulus puts DSCP 48 into TC 6", "cumulus-lossless", true, 48, 6, true },
	{ "Cumulus puts PCP 3 into TC 3", "cumulus-lossless", false, 3, 3, false },
	{ "Onyx puts DSCP 26 into TC 3, which is lossless", "onyx", true, 26, 3, false },
	{ "DSCP 40 is undocumented on Onyx, so nothing is wrong", "onyx", true, 40, NO_TC, false },
	{ "NX-OS for Azure Local puts CoS 3 into class 3, which is lossless", "nxos-azure-local",
	  false, 3, 3, false },
	{ "NX-OS for Azure Local puts CoS 7 into class 7, which is lossy", "nxos-azure-local",
	  false, 7, 7, true },
	{ "NX-OS for Azure Local puts CoS 5 into the default class", "nxos-azure-local", false, 5,
	  0, true },
	{ "NX-OS for Azure Local does not look at DSCPs", "nxos-azure-local", true, 26, NO_TC,
	  false },
};

static void lands_there(void **s)
{
	const struct landing_row *row = *s;
	const struct switch_map *f = switch_map_find(row->switch_map);
	int tc = row->by_dscp ? switch_map_tc_of_dscp(f, row->mark)
			      : switch_map_tc_of_pcp(f, row->mark);

	assert_int_equal(tc, row->tc);
	assert_int_equal(switch_map_drops(f, tc), row->dropped);
}

static const struct marks_row {
	const char *sentence, *custom, *marks;
} marks[] = {
	{ "two marks side by side are two",
	  "{'trust': 'dscp', 'lossless': [3,4], 'dscp_tc': {'3': 3, '4': 4}}", "DSCP 3, 4" },
	{ "three in a row are a range",
	  "{'trust': 'dscp', 'lossless': [3], 'dscp_tc': {'3': 3, '4': 3, '5': 3, '9': 3}}",
	  "DSCP 3 to 5, 9" },
	{ "the last mark ends a range",
	  "{'trust': 'pcp', 'lossless': [1], 'pcp_tc': {'5': 1, '6': 1, '7': 1}}", "PCP 5 to 7" },
	{ "only the marks that it goes by count",
	  "{'trust': 'pcp', 'lossless': [1], 'dscp_tc': {'5': 1}}", "none" },
	{ "lossy classes do not count", "{'trust': 'pcp', 'lossless': [1], 'pcp_tc': {'5': 2}}",
	  "none" },
};

static struct switch_map custom_of(const char *text)
{
	char whole[JSON_TEXT_MAX];
	const struct switch_map *taken = NULL;
	struct switch_map own;
	struct err err = { 0 };
	json_t *j;

	snprintf(whole, sizeof(whole), "{'custom': %s}", text);
	j = json_of(whole);
	if (!switch_map_from_json(&taken, &own, j, NULL, &err))
		fail_msg("%s at %s", err.text, err.at.pointer);
	assert_ptr_equal(taken, &own);
	json_decref(j);
	return own;
}

static void has_those_marks(void **s)
{
	const struct marks_row *row = *s;
	struct switch_map f = custom_of(row->custom);
	char text[128];

	assert_string_equal(switch_map_lossless_marks(&f, text, sizeof(text)), row->marks);
}

static void a_list_of_marks_that_is_too_long_is_cut(void **s)
{
	char text[8] = "xxxxxxx";

	(void)s;
	switch_map_lossless_marks(switch_map_find("cumulus-lossless"), text, sizeof(text) - 1);
	assert_string_equal(text, "DSCP 2");
	assert_int_equal(text[7], 0);
}

static void what_is_written_down_is_read_again(void **s)
{
	(void)s;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++) {
		json_t *j = switch_map_to_json(f);
		char *text = json_dumps(j, 0);
		struct switch_map again = custom_of(text);

		assert_string_equal(again.dscp_tc, f->dscp_tc);
		assert_string_equal(again.pcp_tc, f->pcp_tc);
		assert_int_equal(again.lossless, f->lossless);
		assert_int_equal(again.trust, f->trust);
		assert_int_equal(again.watchdog_ms, f->watchdog_ms);
		free(text);
		json_decref(j);
	}
}

static const struct refusal_row {
	const char *sentence, *switch_map, *where, *text;
} refusals[] = {
	{ "an unknown fabric is refused", "'cumulus-lossles'", "/fabric",
	  "no fabric is named \"cumulus-lossles\"" },
	{ "a number is no fabric", "3", "/fabric",
	  "expected the name of a fabric, or {\"custom\": {...}}" },
	{ "an object without custom is no fabric", "{}", "/fabric",
	  "expected the name of a fabric, or {\"custom\": {...}}" },
	{ "a key beside custom is refused", "{'custom': {}, 'name': 'x'}", "/fabric/name",
	  "unknown key \"name\"" },
	{ "a custom fabric is an object", "{'custom': 'x'}", "/fabric/custom",
	  "expected an object with \"trust\" and \"lossless\"" },
	{ "a custom fabric says what it goes by", "{'custom': {'lossless': [3]}}", "/fabric/custom",
	  "expected an object with \"trust\" and \"lossless\"" },
	{ "it goes by PCP or DSCP", "{'custom': {'trust': 'both', 'lossless': [3]}}",
	  "/fabric/custom/trust", "expected \"pcp\" or \"dscp\"" },
	{ "a custom fabric says what is lossless", "{'custom': {'trust': 'dscp'}}",
	  "/fabric/custom", "expected an object with \"trust\" and \"lossless\"" },
	{ "classes are listed", "{'custom': {'trust': 'dscp', 'lossless': 3}}",
	  "/fabric/custom/lossless", "expected a list of traffic classes, such as [3]" },
	{ "there are eight classes", "{'custom': {'trust': 'dscp', 'lossless': [8]}}",
	  "/fabric/custom/lossless/0", "found the number 8, expected 0 to 7" },
	{ "there are 64 DSCPs",
	  "{'custom': {'trust': 'dscp', 'lossless': [3], 'dscp_tc': {'64': 3}}}",
	  "/fabric/custom/dscp_tc/64", "found the key \"64\", expected a DSCP" },
	{ "a DSCP has one spelling",
	  "{'custom': {'trust': 'dscp', 'lossless': [3], 'dscp_tc': {'03': 3}}}",
	  "/fabric/custom/dscp_tc/03", "found the key \"03\", expected a DSCP" },
	{ "there are eight PCPs",
	  "{'custom': {'trust': 'pcp', 'lossless': [3], 'pcp_tc': {'8': 3}}}",
	  "/fabric/custom/pcp_tc/8", "found the key \"8\", expected a PCP" },
	{ "a DSCP lands in a class",
	  "{'custom': {'trust': 'dscp', 'lossless': [3], 'dscp_tc': {'26': 9}}}",
	  "/fabric/custom/dscp_tc/26", "found the number 9, expected 0 to 7" },
	{ "a map is an object", "{'custom': {'trust': 'dscp', 'lossless': [3], 'dscp_tc': [3]}}",
	  "/fabric/custom/dscp_tc", "expected an object, such as {\"3\": 3}" },
	{ "a watchdog has a time",
	  "{'custom': {'trust': 'dscp', 'lossless': [3], 'watchdog_ms': 0}}",
	  "/fabric/custom/watchdog_ms", "found the number 0, expected 1 to 5000000" },
	{ "the time of a watchdog is a number",
	  "{'custom': {'trust': 'dscp', 'lossless': [3], 'watchdog_ms': 'off'}}",
	  "/fabric/custom/watchdog_ms", "expected a whole number, 1 to 5000000" },
	{ "a name fits", "{'custom': {'name': '', 'trust': 'dscp', 'lossless': [3]}}",
	  "/fabric/custom/name", "expected a string" },
};

static void is_refused_there(void **s)
{
	const struct refusal_row *row = *s;
	char text[JSON_TEXT_MAX];
	struct err err;

	snprintf(text, sizeof(text), "{'version': 1, 'fabric': %s, 'rules': []}", row->switch_map);
	err = refusal_of(text);
	assert_string_equal(err.at.pointer, row->where);
	if (!strstr(err.text, row->text))
		fail_msg("says: %s", err.text);
}

static void a_policy_names_its_fabric(void **s)
{
	struct policy *p = policy_of("{'version': 1, 'fabric': 'onyx', 'rules': []}");

	(void)s;
	assert_ptr_equal(p->switch_map, switch_map_find("onyx"));
	free(p);
}

static void a_policy_may_describe_its_fabric(void **s)
{
	struct policy *p = policy_of("{'version': 1, 'rules': [], 'fabric': {'custom': {"
				     "'name': 'row 7', 'trust': 'pcp', 'lossless': [5],"
				     " 'pcp_tc': {'5': 5}, 'watchdog_ms': 400}}}");

	(void)s;
	assert_ptr_equal(p->switch_map, &p->own_switch_map);
	assert_string_equal(p->switch_map->display_name, "row 7");
	assert_int_equal(p->switch_map->lossless, 1 << 5);
	assert_int_equal(p->switch_map->watchdog_ms, 400);
	assert_int_equal(switch_map_tc_of_pcp(p->switch_map, 5), 5);
	assert_int_equal(switch_map_tc_of_pcp(p->switch_map, 4), NO_TC);
	free(p);
}

static void a_policy_need_not_name_a_fabric(void **s)
{
	struct policy *p = policy_of("{'version': 1, 'rules': []}");

	(void)s;
	assert_null(p->switch_map);
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, every_map_is_whole);
	SUITE_ADD(&s, every_fabric_has_something_lossless_and_a_source);
	SUITE_ADD_ROWS(&s, landings, lands_there);
	SUITE_ADD_ROWS(&s, marks, has_those_marks);
	SUITE_ADD(&s, a_list_of_marks_that_is_too_long_is_cut);
	SUITE_ADD(&s, what_is_written_down_is_read_again);
	SUITE_ADD_ROWS(&s, refusals, is_refused_there);
	SUITE_ADD(&s, a_policy_names_its_fabric);
	SUITE_ADD(&s, a_policy_may_describe_its_fabric);
	SUITE_ADD(&s, a_policy_need_not_name_a_fabric);
	return suite_run(&s, "fabric");
}
