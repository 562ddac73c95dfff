/* Tests of drafting a policy: it has all settings of a port, as classes where possible. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "policy/document/draft.h"
#include "policy/model/dscp_map.h"
#include "policy/model/setting.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define PORTS times(3000, 100000) /* random ports */

#define ROCE \
	"'trust':'dscp','pfc':{'priorities':[3]},'pause':{'rx':false,'tx':false}," \
	"'ets':{'prio_tc':[0,0,0,3,0,0,6,0],'bandwidth':[50,0,0,50,0,0,0,0]," \
	"'tsa':['ets','ets','ets','ets','ets','ets','strict','ets']}"
#define MARKS "'cnp':{'dscp':48,'priority':6},'roce':{'tos':106}"
#define CLASS "{'name':'roce','priority':3,'dscp':[26],'lossless':true,'bandwidth':50}"
#define CNP   "{'name':'cnp','priority':6,'dscp':[48],'strict':true,'cnp':true}"
#define REST  "{'name':'rest','priority':0,'bandwidth':50}"

/* Settings that are derived from the classes and that these ports lack. */
#define MARK (SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_ROCE_TRAFFIC_CLASS))

static const struct row {
	const char *sentence, *port, *profile;
} rows[] = {
	{ "what classes say needs no setting",
	  "{" ROCE "," MARKS ",'dscp':{'prio':{'26':3,'48':6},'rest':0}}",
	  "{'classes':[" CLASS "," CNP "," REST "]}" },
	{ "the DSCP that RoCE is marked with comes first",
	  "{" ROCE ",'roce':{'tos':106},'dscp':{'prio':{'24':3,'26':3},'rest':0}}",
	  "{'classes':[{'name':'roce','priority':3,'dscp':[26,24],'lossless':true,"
	  "'bandwidth':50}," REST "],'ets':{'prio_tc':[0,0,0,3,0,0,6,0],"
	  "'tsa':['ets','ets','ets','ets','ets','ets','strict','ets']}}" },
	{ "a mark without ECN stays a setting",
	  "{" ROCE ",'cnp':{'dscp':48,'priority':6},'roce':{'tos':104},"
	  "'dscp':{'prio':{'26':3,'48':6},'rest':0}}",
	  "{'classes':[" CLASS "," CNP "," REST "],'roce':{'tos':104}}" },
	{ "other settings stay settings",
	  "{" ROCE "," MARKS ",'dscp':{'prio':{'26':3,'48':6},'rest':0},'mtu':4200}",
	  "{'classes':[" CLASS "," CNP "," REST "],'mtu':4200}" },
	{ "a setting at its default is left out",
	  "{" ROCE "," MARKS ",'dscp':{'prio':{'26':3,'48':6},'rest':0},'mtu':1500}",
	  "{'classes':[" CLASS "," CNP "," REST "]}" },
	{ "a mode of CNPs that cannot be written with the priority is left out",
	  "{" ROCE ",'cnp':{'dscp':48,'priority':6,'priority_mode':1},"
	  "'dscp':{'prio':{'26':3,'48':6},'rest':0}}",
	  "{'classes':[" CLASS "," CNP "," REST "]}" },
	{ "a mode of CNPs that can be written is said",
	  "{" ROCE ",'cnp':{'dscp':48,'priority':6,'priority_mode':0},"
	  "'dscp':{'prio':{'26':3,'48':6},'rest':0}}",
	  "{'classes':[" CLASS "," CNP "," REST "],'cnp':{'priority_mode':0}}" },
	{ "without trust in DSCP there are no classes",
	  "{'trust':'pcp','pfc':{'priorities':[3]},'mtu':4200}",
	  "{'trust':'pcp','pfc':{'priorities':[3]},'mtu':4200}" },
	{ "shares that are no whole make no classes",
	  "{'trust':'dscp','dscp':{'prio':{'26':3},'rest':0},'pfc':{'priorities':[3]},"
	  "'ets':{'prio_tc':[0,0,0,3,0,0,6,0],'bandwidth':[50,0,0,40,0,0,10,0],"
	  "'tsa':['ets','ets','ets','ets','ets','ets','ets','ets']}}",
	  "{'trust':'dscp','dscp':{'prio':{'26':3},'rest':0},'pfc':{'priorities':[3]},"
	  "'ets':{'prio_tc':[0,0,0,3,0,0,6,0],'bandwidth':[50,0,0,40,0,0,10,0],"
	  "'tsa':['ets','ets','ets','ets','ets','ets','ets','ets']}}" },
};

static struct config port_of(const char *text)
{
	struct config c = config_of(text);

	dscp_restore(&c);
	return c;
}

static void it_is_drafted_so(void **s)
{
	const struct row *row = *s;
	struct config port = port_of(row->port);
	struct draft d = draft_port(&port, 0);
	json_t *expected = json_of(row->profile);

	if (!json_equal(d.profile, expected))
		fail_msg("is drafted %s", json_dumps(d.profile, JSON_COMPACT));
	assert_true((d.unset & ~MARK) == 0);
	assert_true(d.outside == 0);
	json_decref(d.profile);
	json_decref(expected);
}

static void what_the_port_lacks_is_optional(void **s)
{
	struct config port = port_of("{" ROCE ",'dscp':{'prio':{'26':3,'48':6},'rest':0}}");
	struct draft d = draft_port(&port, SETTING(SETTING_ROCE_TRAFFIC_CLASS));
	json_t *expected = json_of("['roce.traffic_class']");

	(void)s;
	assert_true(json_equal(json_object_get(d.profile, "optional"), expected));
	assert_true(d.unset == SETTING(SETTING_ROCE_TOS));
	json_decref(d.profile);
	json_decref(expected);
}

/* A port can have an MTU that no policy may request. */
static void a_value_outside_of_a_policy_is_left_out(void **s)
{
	struct config port = port_of("{'mtu':4200,'pfc':{'cable_m':30}}");
	json_t *expected = json_of("{'pfc':{'cable_m':30}}");
	struct draft d;

	(void)s;
	port.mtu = 60;
	d = draft_port(&port, 0);
	assert_true(json_equal(d.profile, expected));
	assert_true(d.outside == SETTING(SETTING_MTU));
	json_decref(d.profile);
	json_decref(expected);
}

/* ---- random ports ---- */

static unsigned below(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void share(struct config *c, unsigned *seed)
{
	unsigned left = 100;

	for (unsigned tc = 0; tc < PRIOS; tc++) {
		c->ets.tsa[tc] = below(seed, 3) ? TSA_ETS : TSA_STRICT;
		c->ets.bandwidth[tc] = 0;
		if (c->ets.tsa[tc] != TSA_ETS)
			continue;
		c->ets.bandwidth[tc] = (uint8_t)below(seed, left + 1);
		left -= c->ets.bandwidth[tc];
	}
	if (below(seed, 4)) {
		c->ets.tsa[0] = TSA_ETS;
		c->ets.bandwidth[0] = (uint8_t)(c->ets.bandwidth[0] + left);
	}
}

static void map(struct config *c, unsigned *seed)
{
	unsigned prios = 1 + below(seed, 4);

	c->trust = below(seed, 8) ? TRUST_DSCP : TRUST_PCP;
	for (int d = 0; d < DSCPS; d++)
		c->dscp.prio[d] = c->trust == TRUST_PCP ? DSCP_NONE
				  : below(seed, 4)	? (int8_t)below(seed, prios)
							: (int8_t)(d >> 3);
	if (c->trust == TRUST_DSCP && !below(seed, 6))
		c->dscp.prio[below(seed, DSCPS)] = DSCP_NONE;
}

static struct config any_port(unsigned *seed)
{
	struct config c = port_of("{'mtu':4200,'pause':{'rx':false,'tx':false},"
				  "'pfc':{'priorities':[],'cable_m':30},'roce':{'tos':104},"
				  "'ets':{'prio_tc':[0,0,0,0,0,0,0,0],"
				  "'bandwidth':[100,0,0,0,0,0,0,0],'tsa':['ets','ets','ets',"
				  "'ets','ets','ets','ets','ets']},'trust':'dscp',"
				  "'ecn':{'np':true,'rp_priorities':[3]},"
				  "'dscp':{'prio':{},'rest':0},'cnp':{'dscp':48,'priority':6}}");

	c.pfc.priorities = (uint8_t)(below(seed, 2) ? 1u << below(seed, 8) : below(seed, 256));
	share(&c, seed);
	map(&c, seed);
	for (unsigned p = 0; p < PRIOS; p++)
		c.ets.prio_tc[p] = (uint8_t)(below(seed, 2) ? p : below(seed, 8));
	c.ecn.rp_priorities = below(seed, 2) ? c.pfc.priorities : (uint8_t)below(seed, 256);
	c.cnp.priority = (uint8_t)below(seed, 8);
	c.roce.tos = (uint8_t)(below(seed, 64) << 2 | below(seed, 3));
	return c;
}

/* The drafted policy is valid, has all settings of the port, and the port is in sync with it. */
static void a_draft_says_all_of_a_port(void **s)
{
	unsigned seed = 7, with_classes = 0;

	(void)s;
	for (uint64_t n = 0; n < PORTS; n++) {
		struct config port = any_port(&seed), desired;
		struct draft d = draft_port(&port, SETTING(SETTING_ROCE_TRAFFIC_CLASS));
		json_t *doc =
			json_pack("{s:i, s:{s:O}, s:[{s:{s:s}, s:s}]}", "version", 1, "profiles",
				  "p", d.profile, "rules", "match", "name", "*", "profile", "p");
		char *text = json_dumps(doc, JSON_COMPACT);
		struct policy *p = NULL;
		struct err err = { 0 };

		if (!policy_parse(&p, text, strlen(text), "draft", &err))
			fail_msg("port %" PRIu64 ": %s: %s", n, err.text, text);
		desired = desired_of(p, 0);
		desired.has &= ~SETTING(SETTING_ROCE_TRAFFIC_CLASS);
		if (config_diff(&desired, &port))
			fail_msg("port %" PRIu64 " is not in sync: %s", n, text);
		if (port.has & ~draft_left_out(&port) & ~desired.has)
			fail_msg("port %" PRIu64 " lost a setting: %s", n, text);
		with_classes += json_object_get(d.profile, "classes") != NULL;
		free(p);
		free(text);
		json_decref(doc);
		json_decref(d.profile);
	}
	assert_in_range(with_classes, PORTS / 10, PORTS / 10 * 9);
}

/* ---- random classes ---- */

static json_t *any_dscps(unsigned *seed, bool used[DSCPS])
{
	json_t *list = json_array();

	for (unsigned n = 1 + below(seed, 4); json_array_size(list) < n;) {
		unsigned d = below(seed, DSCPS);

		if (!used[d])
			json_array_append_new(list, json_integer(d));
		used[d] = true;
	}
	return list;
}

/* Give the class a share of the remaining bandwidth; the last class gets all of it. */
static void any_share(json_t *class, unsigned *seed, unsigned *left, bool is_last)
{
	unsigned share = is_last ? *left : below(seed, *left + 1);

	if (!is_last && !below(seed, 3)) {
		json_object_set_new(class, "strict", json_true());
		return;
	}
	json_object_set_new(class, "bandwidth", json_integer(share));
	*left -= share;
}

/* Make up to six classes with DSCPs, at most one of them for CNPs, and one for other traffic. */
static json_t *any_classes(unsigned *seed)
{
	bool used[DSCPS] = { false }, has_cnp = false;
	unsigned count = 1 + below(seed, 6), first = below(seed, PRIOS), left = 100;
	json_t *list = json_array();

	for (unsigned i = 0; i <= count; i++) {
		bool is_rest = i == count;
		json_t *class = json_pack("{s:o, s:i}", "name", json_sprintf("c%u", i), "priority",
					  (int)((first + i) % PRIOS));

		if (!is_rest)
			json_object_set_new(class, "dscp", any_dscps(seed, used));
		any_share(class, seed, &left, is_rest);
		if (!is_rest && below(seed, 2)) {
			json_object_set_new(class, "lossless", json_true());
		} else if (!is_rest && !has_cnp && below(seed, 2)) {
			json_object_set_new(class, "cnp", json_true());
			has_cnp = true;
		}
		if (below(seed, 2))
			json_object_set_new(class, "ecn", json_true());
		json_array_append_new(list, class);
	}
	return list;
}

/* Derive the settings from classes; false if the classes contradict each other. */
static bool derived_of(json_t *classes, struct config *ret)
{
	json_t *doc =
		json_pack("{s:i, s:{s:{s:O}}, s:[{s:{s:s}, s:s}]}", "version", 1, "profiles", "p",
			  "classes", classes, "rules", "match", "name", "*", "profile", "p");
	char *text = json_dumps(doc, JSON_COMPACT);
	struct policy *p = NULL;
	struct err err = { 0 };
	bool ok = policy_parse(&p, text, strlen(text), "classes", &err);

	if (ok)
		*ret = desired_of(p, 0);
	free(p);
	free(text);
	json_decref(doc);
	return ok;
}

/* A port that was derived from classes is drafted as classes, without further settings. */
static void what_classes_can_say_is_said_as_classes(void **s)
{
	unsigned seed = 11;
	uint64_t possible = 0;

	(void)s;
	for (uint64_t n = 0; n < PORTS; n++) {
		json_t *classes = any_classes(&seed), *drafted;
		struct config port, again;
		struct draft d;

		if (!derived_of(classes, &port)) {
			json_decref(classes);
			continue;
		}
		possible++;
		d = draft_port(&port, 0);
		drafted = json_object_get(d.profile, "classes");
		if (json_object_size(d.profile) != 1 || !derived_of(drafted, &again) ||
		    json_array_size(drafted) != json_array_size(classes) ||
		    (config_diff(&port, &again) | config_diff(&again, &port)) != 0)
			fail_msg("%s is drafted %s", json_dumps(classes, JSON_COMPACT),
				 json_dumps(d.profile, JSON_COMPACT));
		json_decref(classes);
		json_decref(d.profile);
	}
	assert_true(possible > PORTS / 10);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_drafted_so);
	SUITE_ADD(&s, what_the_port_lacks_is_optional);
	SUITE_ADD(&s, a_value_outside_of_a_policy_is_left_out);
	SUITE_ADD(&s, a_draft_says_all_of_a_port);
	SUITE_ADD(&s, what_classes_can_say_is_said_as_classes);
	return suite_run(&s, "draft");
}
