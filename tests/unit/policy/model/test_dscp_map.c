/* Tests of DSCP maps: completing a map, writing it compactly, and the round trip. */
#include <stdlib.h>
#include <string.h>

#include "policy/model/dscp_map.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define TRUST SETTING(SETTING_TRUST)
#define PRIO  SETTING(SETTING_DSCP_PRIO)
#define REST  SETTING(SETTING_DSCP_REST)

/* A config, and the priorities of DSCP 0, 26, 27 and 63 after completion. */
static const struct complete_row {
	const char *sentence, *config;
	setting_set has;
	enum trust trust;
	int d0, d26, d27, d63;
} complete[] = {
	{ "trust dscp alone is DSCP >> 3 for all 64", "{'trust': 'dscp'}", TRUST | PRIO, TRUST_DSCP,
	  0, 3, 3, 7 },
	{ "a map alone means trust dscp", "{'dscp': {'prio': {'26': 5}}}", TRUST | PRIO, TRUST_DSCP,
	  0, 5, 3, 7 },
	{ "the rest is DSCP >> 3 where it is not said",
	  "{'trust': 'dscp', 'dscp': {'prio': {'26': 5}}}", TRUST | PRIO, TRUST_DSCP, 0, 5, 3, 7 },
	{ "the rest can be class_selector",
	  "{'dscp': {'prio': {'26': 5}, 'rest': 'class_selector'}}", TRUST | PRIO, TRUST_DSCP, 0, 5,
	  3, 7 },
	{ "the rest can be one priority", "{'dscp': {'prio': {'26': 5}, 'rest': 1}}", TRUST | PRIO,
	  TRUST_DSCP, 1, 5, 1, 1 },
	{ "the rest can be priority 0, which is not nothing",
	  "{'dscp': {'prio': {'26': 5}, 'rest': 0}}", TRUST | PRIO, TRUST_DSCP, 0, 5, 0, 0 },
	{ "the rest can be priority 7", "{'dscp': {'prio': {'26': 5}, 'rest': 7}}", TRUST | PRIO,
	  TRUST_DSCP, 7, 5, 7, 7 },
	{ "the rest can be kept out of judgement", "{'dscp': {'prio': {'26': 5}, 'rest': 'keep'}}",
	  TRUST | PRIO, TRUST_DSCP, DSCP_KEEP, 5, DSCP_KEEP, DSCP_KEEP },
	{ "the rest can be without an entry", "{'dscp': {'prio': {'26': 5}, 'rest': 'none'}}",
	  TRUST | PRIO, TRUST_DSCP, DSCP_NONE, 5, DSCP_NONE, DSCP_NONE },
	{ "the rest alone is a map of all 64", "{'dscp': {'rest': 2}}", TRUST | PRIO, TRUST_DSCP, 2,
	  2, 2, 2 },
	{ "an empty map with a rest is that rest", "{'dscp': {'prio': {}, 'rest': 4}}",
	  TRUST | PRIO, TRUST_DSCP, 4, 4, 4, 4 },
	{ "trust pcp means that no entry exists", "{'trust': 'pcp'}", TRUST | PRIO, TRUST_PCP,
	  DSCP_NONE, DSCP_NONE, DSCP_NONE, DSCP_NONE },
	{ "what is not mentioned stays unmentioned", "{'mtu': 9000}", SETTING(SETTING_MTU),
	  TRUST_PCP, 0, 0, 0, 0 },
};

static void completes_to(void **s)
{
	const struct complete_row *row = *s;
	struct config c = config_of(row->config);
	struct err err = { 0 };

	assert_true(dscp_complete(&c, &err));
	assert_true(c.has == row->has);
	assert_int_equal(c.trust, row->trust);
	assert_int_equal(c.dscp.prio[0], row->d0);
	assert_int_equal(c.dscp.prio[26], row->d26);
	assert_int_equal(c.dscp.prio[27], row->d27);
	assert_int_equal(c.dscp.prio[63], row->d63);
}

static const struct contradiction_row {
	const char *sentence, *config, *text;
} contradictions[] = {
	{ "trust pcp with a map is refused", "{'trust': 'pcp', 'dscp': {'prio': {'26': 3}}}",
	  "no DSCP entry exists" },
	{ "trust pcp with an empty map is refused", "{'trust': 'pcp', 'dscp': {'prio': {}}}",
	  "no DSCP entry exists" },
	{ "trust pcp with a rest is refused",
	  "{'trust': 'pcp', 'dscp': {'rest': 'class_selector'}}", "no DSCP entry exists" },
	{ "trust dscp without any entry is refused", "{'trust': 'dscp', 'dscp': {'rest': 'none'}}",
	  "only while it has a DSCP entry" },
	{ "a map without any entry is refused", "{'dscp': {'prio': {}, 'rest': 'none'}}",
	  "only while it has a DSCP entry" },
};

static void is_refused_with_a_way_out(void **s)
{
	const struct contradiction_row *row = *s;
	struct config c = config_of(row->config);
	struct err err = { 0 };

	assert_false(dscp_complete(&c, &err));
	assert_int_equal(err.kind, ERR_POLICY);
	assert_non_null(strstr(err.text, row->text));
	assert_true(err.fix[0]);
}

/* Make an actual map: 'n': no entries, 'c': DSCP >> 3, '0': all 0; then one entry. */
static struct config port_with(char base, int dscp, int prio)
{
	struct config c = { .has = TRUST | PRIO };

	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = (int8_t)(base == 'c' ? d >> 3 : base == '0' ? 0 : DSCP_NONE);
	if (dscp >= 0)
		c.dscp.prio[dscp] = (int8_t)prio;
	c.trust = base != 'n' || dscp >= 0 ? TRUST_DSCP : TRUST_PCP;
	return c;
}

static const struct spelled_row {
	const char *sentence;
	char base;
	int dscp, prio;
	enum dscp_rest unlisted;
	const char *json;
} spelled[] = {
	{ "the default map is spelled class", 'c', -1, 0, REST_KEEP,
	  "{'trust': 'dscp', 'dscp': {'prio': {}, 'rest': 'class_selector'}}" },
	{ "a full map is spelled by its exceptions", 'c', 26, 5, REST_KEEP,
	  "{'trust': 'dscp', 'dscp': {'prio': {'26': 5}, 'rest': 'class_selector'}}" },
	{ "a map of mostly one priority is spelled by that", '0', 26, 3, REST_KEEP,
	  "{'trust': 'dscp', 'dscp': {'prio': {'26': 3}, 'rest': 0}}" },
	{ "a partial map is spelled keep by show", 'n', 26, 3, REST_KEEP,
	  "{'trust': 'dscp', 'dscp': {'prio': {'26': 3}, 'rest': 'keep'}}" },
	{ "a partial map is spelled none where it counts", 'n', 26, 3, REST_NONE,
	  "{'trust': 'dscp', 'dscp': {'prio': {'26': 3}, 'rest': 'none'}}" },
	{ "a hole in a full map makes it partial", 'c', 63, DSCP_NONE, REST_NONE, NULL },
	{ "trust pcp is spelled without a map", 'n', -1, 0, REST_KEEP, "{'trust': 'pcp'}" },
	{ "trust pcp is spelled without a map where it counts", 'n', -1, 0, REST_NONE,
	  "{'trust': 'pcp'}" },
};

static void is_spelled_so(void **s)
{
	const struct spelled_row *row = *s;
	struct config port = port_with(row->base, row->dscp, row->prio);
	struct config c = dscp_compact(&port, row->unlisted);
	json_t *out = config_to_json(&c, EVERY_SETTING),
	       *expected = row->json ? json_of(row->json) : NULL;

	if (expected && !json_equal(out, expected))
		fail_msg("is spelled %s", json_dumps(out, 0));
	json_decref(out);
	json_decref(expected);
}

/* The output of show is a valid policy, with which the port is in sync. */
static void wants_what_the_port_has(void **s)
{
	const struct spelled_row *row = *s;
	struct config port = port_with(row->base, row->dscp, row->prio);
	struct config out = dscp_compact(&port, row->unlisted), in = { 0 };
	json_t *j = config_to_json(&out, EVERY_SETTING);
	struct err err = { 0 };

	assert_true(config_amend(&in, j, NULL, &err));
	assert_true(dscp_complete(&in, &err));
	assert_true(in.has == port.has);
	assert_true(config_diff(&in, &port) == 0);
	if (row->unlisted == REST_NONE)
		assert_memory_equal(in.dscp.prio, port.dscp.prio, DSCPS);
	json_decref(j);
}

/* The output of show has the exact map of the port, so that it can be judged elsewhere. */
static void what_show_prints_is_the_map_again(void **s)
{
	const struct spelled_row *row = *s;
	struct config port = port_with(row->base, row->dscp, row->prio);
	struct config out = dscp_compact(&port, REST_KEEP), in = { 0 };
	json_t *j = config_to_json(&out, EVERY_SETTING);
	struct err err = { 0 };

	assert_true(config_amend_observed(&in, j, NULL, &err));
	dscp_restore(&in);
	assert_true(in.has == port.has);
	assert_memory_equal(in.dscp.prio, port.dscp.prio, DSCPS);
	json_decref(j);
}

static void a_config_without_a_map_is_spelled_as_it_is(void **s)
{
	struct config c = config_of("{'mtu': 9000}"), out = dscp_compact(&c, REST_KEEP);

	(void)s;
	assert_memory_equal(&c, &out, sizeof(c));
}

static void what_a_policy_wants_is_spelled_so_that_it_wants_the_same(void **s)
{
	const struct complete_row *row = *s;
	struct config c = config_of(row->config), out, in = { 0 };
	struct err err = { 0 };
	json_t *j;

	assert_true(dscp_complete(&c, &err));
	out = dscp_compact(&c, strstr(row->config, "none") ? REST_NONE : REST_KEEP);
	j = config_to_json(&out, EVERY_SETTING);
	assert_true(config_amend(&in, j, NULL, &err));
	assert_true(dscp_complete(&in, &err));
	assert_true(in.has == c.has);
	assert_memory_equal(in.dscp.prio, c.dscp.prio, c.has & PRIO ? DSCPS : 0);
	json_decref(j);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, complete, completes_to);
	SUITE_ADD_ROWS(&s, contradictions, is_refused_with_a_way_out);
	SUITE_ADD_ROWS(&s, spelled, is_spelled_so);
	SUITE_ADD_ROWS(&s, spelled, wants_what_the_port_has);
	SUITE_ADD_ROWS(&s, spelled, what_show_prints_is_the_map_again);
	SUITE_ADD(&s, a_config_without_a_map_is_spelled_as_it_is);
	SUITE_ADD_ROWS(&s, complete, what_a_policy_wants_is_spelled_so_that_it_wants_the_same);
	return suite_run(&s, "dscp");
}
