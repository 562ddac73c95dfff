/* Tests of drafted policies: ports alike share a profile, and a rule if the driver selects them. */
#include <stdio.h>
#include <string.h>

#include "cli/draft/drafted_policy.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define NAME(port, profile)	"{'match':{'name':'" port "'},'profile':'" profile "'}"
#define DRIVER(driver, profile) "{'match':{'driver':'" driver "'},'profile':'" profile "'}"

static const struct row {
	const char *sentence;
	struct {
		const char *name, *driver, *profile;
		setting_set unset;
	} ports[4];
	bool by_name;
	const char *rules;
	size_t profiles;
} rows[] = {
	{ "a driver of which all ports are alike has one rule",
	  { { "a", "mlx5_core", "{'mtu':9000}", 0 }, { "b", "mlx5_core", "{'mtu':9000}", 0 } },
	  false,
	  "[" DRIVER("mlx5_core", "host") "]",
	  1 },
	{ "ports that are named have a rule each",
	  { { "a", "mlx5_core", "{'mtu':9000}", 0 }, { "b", "mlx5_core", "{'mtu':9000}", 0 } },
	  true,
	  "[" NAME("a", "host") "," NAME("b", "host") "]",
	  1 },
	{ "ports that differ are chosen by their names, others by their driver",
	  { { "a", "mlx5_core", "{'mtu':9000}", 0 },
	    { "b", "mlx5_core", "{'mtu':1400}", 0 },
	    { "c", "ice", "{'mtu':9000}", 0 },
	    { "d", "ice", "{'mtu':9000}", 0 } },
	  false,
	  "[" NAME("a", "host-1") "," NAME("b", "host-2") "," DRIVER("ice", "host-1") "]",
	  2 },
	{ "a port without a driver is chosen by its name",
	  { { "a", "", "{'mtu':9000}", 0 } },
	  false,
	  "[" NAME("a", "host") "]",
	  1 },
	{ "what a port has no value of is removed from its profile",
	  { { "a", "mlx5_core", "{'mtu':9000}", SETTING(SETTING_ROCE_TOS) | SETTING(SETTING_MTU) },
	    { "b", "mlx5_core", "{'mtu':9000}", 0 } },
	  false,
	  "[{'match':{'name':'a'},'profile':'host-1','set':{'mtu':null,'roce':{'tos':null}}}," NAME(
		  "b", "host-2") "]",
	  2 },
};

static void rules_are_so(void **s)
{
	const struct row *row = *s;
	struct port ports[4] = { 0 };
	struct drafted_port drafted[4] = { 0 };
	json_t *expected = json_of(row->rules), *policy;
	size_t n = 0;

	for (; n < 4 && row->ports[n].name; n++) {
		snprintf(ports[n].id.name, ID_MAX, "%s", row->ports[n].name);
		snprintf(ports[n].id.driver, ID_MAX, "%s", row->ports[n].driver);
		drafted[n].port = &ports[n];
		drafted[n].draft.profile = json_of(row->ports[n].profile);
		drafted[n].draft.unset = row->ports[n].unset;
	}
	policy = drafted_policy(drafted, n, row->by_name);
	if (!json_equal(json_object_get(policy, "rules"), expected))
		fail_msg("%s", json_dumps(policy, 0));
	assert_int_equal(json_object_size(json_object_get(policy, "profiles")), row->profiles);
	while (n--)
		json_decref(drafted[n].draft.profile);
	json_decref(policy);
	json_decref(expected);
}

#define LONG "0123456789012345678901234567890123456789012345678901234567890123456789"

static void a_line_holds_what_fits(void **s)
{
	const char *expected = "{\n  \"a\": [1, 2],\n  \"b\": [\n    \"" LONG
			       "\",\n    {\"c\": \"" LONG "\"}\n  ],\n  \"d\": {}\n}\n";
	json_t *value = json_of("{'a':[1,2],'b':['" LONG "',{'c':'" LONG "'}],'d':{}}");
	char text[512] = "";
	FILE *to = fmemopen(text, sizeof(text), "w");

	(void)s;
	assert_non_null(to);
	assert_true(json_text_print(to, value));
	fclose(to);
	assert_string_equal(text, expected);
	json_decref(value);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD_ROWS(&s, rows, rules_are_so);
	SUITE_ADD(&s, a_line_holds_what_fits);
	return suite_run(&s, "drafted_policy");
}
