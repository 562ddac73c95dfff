/* Tests of the digest of the ports' settings, and of the differences between ports. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/verify/state_hash.h"
#include "tests/support/unit.h"

static const struct config slow = { .has = SETTING(SETTING_MTU), .mtu = 1500 };
static const struct config fast = { .has = SETTING(SETTING_MTU), .mtu = 9000 };
static const struct config tagged = { .has = SETTING(SETTING_VLAN_EGRESS),
				      .vlan.egress = { { .name = "a.7", .id = 7, .pcp = { 3 } } } };
static const struct config untagged = { .has = SETTING(SETTING_VLAN_EGRESS) };
static const struct config open_ = { .has = 0 };

static void a_setting_that_differs_or_is_missing_is_a_difference(void **s)
{
	const struct setup alike[] = { { "a", &fast, NULL, 0 }, { "b", &fast, NULL, 0 } };
	const struct setup differ[] = { { "a", &fast, NULL, 0 },
					{ "b", &fast, NULL, 0 },
					{ "c", &slow, NULL, 0 } };
	const struct setup missing[] = { { "a", &fast, NULL, 0 }, { "b", &open_, NULL, 0 } };

	(void)s;
	assert_int_equal(setups_differences(alike, COUNT(alike)), 0);
	assert_int_equal(setups_differences(differ, COUNT(differ)), SETTING(SETTING_MTU));
	assert_int_equal(setups_differences(missing, COUNT(missing)), SETTING(SETTING_MTU));
}

/* A policy asks nothing of VLAN devices that it does not name: neither port is a policy. */
static void a_vlan_device_of_one_port_is_a_difference(void **s)
{
	const struct setup first[] = { { "a", &tagged, NULL, 0 }, { "b", &untagged, NULL, 0 } };
	const struct setup second[] = { { "a", &untagged, NULL, 0 }, { "b", &tagged, NULL, 0 } };

	(void)s;
	assert_int_equal(setups_differences(first, 2), SETTING(SETTING_VLAN_EGRESS));
	assert_int_equal(setups_differences(second, 2), SETTING(SETTING_VLAN_EGRESS));
}

/* A VF has the PFC of its PF, the member of a LAG the congestion control of another. */
static void a_setting_of_another_port_is_no_difference(void **s)
{
	const struct setup one[] = { { "a", &open_, NULL, SETTING(SETTING_MTU) },
				     { "b", &fast, NULL, 0 } };
	const struct setup two[] = { { "a", &open_, NULL, SETTING(SETTING_MTU) },
				     { "b", &fast, NULL, 0 },
				     { "c", &slow, NULL, 0 } };

	(void)s;
	assert_int_equal(setups_differences(one, COUNT(one)), 0);
	assert_int_equal(setups_differences(two, COUNT(two)), SETTING(SETTING_MTU));
}

static void the_digest_depends_on_the_settings_alone(void **s)
{
	const struct setup ports[] = { { "a", &fast, NULL, 0 }, { "b", &slow, NULL, 0 } };
	const struct setup turned[] = { { "x", &slow, NULL, 0 }, { "y", &fast, NULL, 0 } };
	const struct setup others[] = { { "a", &fast, NULL, 0 }, { "b", &fast, NULL, 0 } };
	char digest[SHA256_HEX], same[SHA256_HEX], other[SHA256_HEX];

	(void)s;
	assert_true(state_hash(ports, COUNT(ports), digest));
	assert_true(state_hash(turned, COUNT(turned), same));
	assert_true(state_hash(others, COUNT(others), other));
	assert_string_equal(digest, same);
	assert_string_not_equal(digest, other);
	assert_false(state_hash(ports, 0, digest));
}

static unsigned asked;

static void *count_malloc(size_t size)
{
	asked++;
	return malloc(size);
}

static void ports_that_are_set_up_alike_cost_one_digest(void **s)
{
	const struct setup ports[] = { { "a", &fast, NULL, 0 },
				       { "b", &fast, NULL, 0 },
				       { "c", &fast, NULL, 0 } };
	char digest[SHA256_HEX];
	unsigned one;

	(void)s;
	json_set_alloc_funcs(count_malloc, free);
	assert_true(state_hash(ports, 1, digest));
	one = asked;
	assert_true(one > 0 && state_hash(ports, COUNT(ports), digest));
	json_set_alloc_funcs(malloc, free);
	assert_int_equal(asked, 2 * one);
}

static void a_digest_that_is_kept_is_made_once(void **s)
{
	char kept[SHA256_HEX] = "", digest[SHA256_HEX], again[SHA256_HEX], other[SHA256_HEX];
	const struct setup ports[] = { { "a", &fast, kept, 0 }, { "b", &open_, NULL, 0 } };
	const struct setup moved[] = { { "a", &slow, kept, 0 }, { "b", &open_, NULL, 0 } };
	const struct setup anew[] = { { "a", &slow, NULL, 0 }, { "b", &open_, NULL, 0 } };

	(void)s;
	assert_true(state_hash(ports, COUNT(ports), digest));
	assert_int_equal(strlen(kept), SHA256_HEX - 1);
	assert_true(state_hash(moved, COUNT(moved), again));
	assert_string_equal(again, digest);
	kept[0] = '\0';
	assert_true(state_hash(moved, COUNT(moved), again));
	assert_true(state_hash(anew, COUNT(anew), other));
	assert_string_equal(again, other);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_setting_that_differs_or_is_missing_is_a_difference);
	SUITE_ADD(&s, a_vlan_device_of_one_port_is_a_difference);
	SUITE_ADD(&s, a_setting_of_another_port_is_no_difference);
	SUITE_ADD(&s, the_digest_depends_on_the_settings_alone);
	SUITE_ADD(&s, ports_that_are_set_up_alike_cost_one_digest);
	SUITE_ADD(&s, a_digest_that_is_kept_is_made_once);
	return suite_run(&s, "compare_ports");
}
