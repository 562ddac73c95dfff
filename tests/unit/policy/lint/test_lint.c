/* Tests of all lints: each judges every row of rows_*.h. */
#include <string.h>

#include "policy/lint/finding.h"
#include "policy/model/setting.h"
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_bond.h"
#include "tests/unit/policy/lint/rows_buffer.h"
#include "tests/unit/policy/lint/rows_ecn.h"
#include "tests/unit/policy/lint/rows_ets.h"
#include "tests/unit/policy/lint/rows_host.h"
#include "tests/unit/policy/lint/rows_marking.h"
#include "tests/unit/policy/lint/rows_mtu.h"
#include "tests/unit/policy/lint/rows_pfc.h"
#include "tests/unit/policy/lint/rows_switch_map.h"
#include "tests/unit/policy/lint/rows_vlan.h"

#define ROWS_MAX 256

/* Every row, its config, which is parsed once, and its port. */
static struct {
	const struct lint_row *row;
	struct config config;
	const struct capabilities *capabilities;
} all[ROWS_MAX];
static size_t count;

static void add_row(const struct lint_row *row, const struct capabilities *capabilities)
{
	assert_true(count < ROWS_MAX);
	all[count].row = row;
	all[count].config = lint_config_of(row->config);
	all[count++].capabilities = capabilities;
}

static void add_rows(const struct lint_row *rows, size_t n)
{
	static const struct capabilities none = { 0 };

	for (size_t i = 0; i < n; i++)
		add_row(&rows[i], &none);
}

static void add_ports(const struct lint_port_row *ports, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_row(&ports[i].row, &ports[i].capabilities);
}

static void add_all(void)
{
	add_rows(ets_rows, COUNT(ets_rows));
	add_rows(pfc_rows, COUNT(pfc_rows));
	add_rows(mtu_rows, COUNT(mtu_rows));
	add_rows(marking_rows, COUNT(marking_rows));
	add_rows(buffer_rows, COUNT(buffer_rows));
	add_rows(vlan_rows, COUNT(vlan_rows));
	add_ports(vlan_ports, COUNT(vlan_ports));
	add_rows(ecn_rows, COUNT(ecn_rows));
	add_ports(ecn_ports, COUNT(ecn_ports));
	add_ports(ets_ports, COUNT(ets_ports));
	add_ports(pfc_ports, COUNT(pfc_ports));
	add_ports(mtu_ports, COUNT(mtu_ports));
	add_ports(bond_ports, COUNT(bond_ports));
	add_ports(buffer_ports, COUNT(buffer_ports));
	add_ports(switch_map_ports, COUNT(switch_map_ports));
	add_ports(host_ports, COUNT(host_ports));
}

/* True if the lint is about a document, not a config; tests/policies has its cases. */
static bool is_written(const struct lint *r)
{
	return r >= lint_of_document(LINT_CLASS_OVERRIDDEN) &&
	       r <= lint_of_document(LINT_GIN_CLASS_UNSET);
}

/* A config passes a lint only if the lint judges it. */
static void every_rule_has_a_config_that_breaks_it_and_one_that_holds(void **s)
{
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++) {
		unsigned breaking = 0, holding = 0;

		if (is_written(r))
			continue;
		for (size_t n = 0; n < count; n++) {
			struct config c = all[n].config;
			bool judged = (c.has & r->needs) == r->needs && (c.has & lint_reads(r));

			breaking += lint_is_named(all[n].row->breaks, r->name);
			holding += judged && !lint_is_named(all[n].row->breaks, r->name);
		}
		if (!breaking || !holding)
			fail_msg("%s: %u configs break it, %u hold", r->name, breaking, holding);
	}
}

/* Call `ask` for each lint, row and setting. */
static void for_all(void (*ask)(const struct lint *r, size_t n, unsigned k))
{
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++)
		for (size_t n = 0; n < count; n++)
			for (unsigned k = 0; k < SETTING_COUNT; k++)
				ask(r, n, k);
}

static void is_not_judged_without(const struct lint *r, size_t n, unsigned k)
{
	struct config c = all[n].config;

	c.has &= ~SETTING(k);
	if ((r->needs & SETTING(k)) && lint_fails(r, &c, all[n].capabilities))
		fail_msg("%s judges without %s", r->name, settings[k].path);
}

static void a_rule_does_not_judge_what_is_not_known(void **s)
{
	(void)s;
	for_all(is_not_judged_without);
}

/* Set another valid value. */
static void set_otherwise(const struct setting *k, struct config *c)
{
	if (k->type == T_VLANMAP || k->type == T_APPS || k->type == T_PARAMETERS)
		memset((char *)c + k->offset, 1, (size_t)k->size * k->count);
	else
		for (size_t e = 0; e < k->count; e++)
			setting_set_element(k, c, e, k->max);
}

/* True if another value of one setting changes the lint's result. */
static bool otherwise(const struct lint *r, size_t n, unsigned k)
{
	struct config c = all[n].config, other = c;

	set_otherwise(&settings[k], &other);
	return lint_fails(r, &c, all[n].capabilities) != lint_fails(r, &other, all[n].capabilities);
}

static void is_named_or_not_read(const struct lint *r, size_t n, unsigned k)
{
	if (!(lint_reads(r) & SETTING(k)) && otherwise(r, n, k))
		fail_msg("%s looks at %s", r->name, settings[k].path);
}

/* A lint that reads a setting without naming it would judge a value that was not read. */
static void a_rule_looks_only_at_what_it_names(void **s)
{
	(void)s;
	for_all(is_named_or_not_read);
}

static void is_known_or_not_read(const struct lint *r, size_t n, unsigned k)
{
	if (!(all[n].config.has & SETTING(k)) && otherwise(r, n, k))
		fail_msg("%s looks at %s, which is unknown in: %s", r->name, settings[k].path,
			 all[n].row->sentence);
}

static void a_rule_looks_only_at_what_is_known(void **s)
{
	(void)s;
	for_all(is_known_or_not_read);
}

/* An unknown port breaks no lint that a known port passes, unless that has mqprio. */
static void without_facts_no_more_is_wrong(void **s)
{
	const struct capabilities none = { 0 };
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++)
		for (size_t n = 0; n < count; n++) {
			struct config c = all[n].config;

			if (!all[n].capabilities->mqprio.there && lint_fails(r, &c, &none) &&
			    !lint_fails(r, &c, all[n].capabilities))
				fail_msg("%s: %s", r->name, all[n].row->sentence);
		}
}

/* One desired setting is enough, unless the row says that another one must be desired as well. */
static void is_found_on_its_port(const struct lint *r, size_t n, unsigned k)
{
	struct lint_input in = { &all[n].config, SETTING(k), all[n].capabilities, NULL };
	bool counts = (in.desired & lint_reads(r)) && !(r->if_desired & ~in.desired);

	if (lint_is_named(all[n].row->breaks, r->name) && counts &&
	    !(findings_of(&in, 0) & LINT(lint_index(r))))
		fail_msg("%s: no finding on a port whose policy sets %s: %s", r->name,
			 settings[k].path, all[n].row->sentence);
}

/*
 * plan and apply ask for the findings of the planned settings, verify, doctor and the agent for
 * those of the actual ones; what no port has, a verb finds that the row names.
 */
static void every_rule_is_seen_wherever_a_port_is_judged_or_says_why_not(void **s)
{
	const struct lint *r;

	(void)s;
	for_all(is_found_on_its_port);
	for (size_t i = 0; (r = lint_at(i)); i++) {
		assert_true(!r->not_of_ports == !is_written(r));
		if (r->not_of_ports && !strstr(r->not_of_ports, "`"))
			fail_msg("%s names no verb: %s", r->name, r->not_of_ports);
	}
}

static void an_empty_config_breaks_nothing(void **s)
{
	const struct capabilities none = { 0 };
	struct config c = { 0 };
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++)
		assert_false(lint_fails(r, &c, &none));
}

static void assert_sentence(const char *text, bool has_stop)
{
	assert_true(text[0]);
	assert_true((text[strlen(text) - 1] == '.') == has_stop);
}

static void every_rule_has_a_name_and_explains_itself(void **s)
{
	const struct lint *r;

	(void)s;
	for (size_t i = 0; (r = lint_at(i)); i++) {
		assert_int_equal(strspn(r->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				 strlen(r->name));
		assert_true((lint_reads(r) == 0) == is_written(r));
		assert_true((lint_reads(r) & ~EVERY_SETTING) == 0);
		assert_true((r->needs & r->also_reads) == 0);
		assert_int_equal(!r->passes + !r->passes_on, is_written(r) ? 2 : 1);
		assert_sentence(r->message, false);
		assert_sentence(r->fix, false);
		assert_sentence(r->why, true);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(r->name, lint_at(j)->name);
	}
}

static void every_severity_has_a_name(void **s)
{
	(void)s;
	assert_string_equal(severity_name(SEVERITY_IGNORE), "ignore");
	assert_string_equal(severity_name(SEVERITY_INFO), "info");
	assert_string_equal(severity_name(SEVERITY_WARNING), "warning");
	assert_string_equal(severity_name(SEVERITY_CRITICAL), "critical");
}

int main(void)
{
	static struct suite s;

	add_all();
	SUITE_ADD(&s, every_rule_has_a_config_that_breaks_it_and_one_that_holds);
	SUITE_ADD(&s, a_rule_does_not_judge_what_is_not_known);
	SUITE_ADD(&s, a_rule_looks_only_at_what_it_names);
	SUITE_ADD(&s, a_rule_looks_only_at_what_is_known);
	SUITE_ADD(&s, without_facts_no_more_is_wrong);
	SUITE_ADD(&s, every_rule_is_seen_wherever_a_port_is_judged_or_says_why_not);
	SUITE_ADD(&s, an_empty_config_breaks_nothing);
	SUITE_ADD(&s, every_rule_has_a_name_and_explains_itself);
	SUITE_ADD(&s, every_severity_has_a_name);
	return suite_run(&s, "lint");
}
