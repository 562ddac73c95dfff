#include <stdio.h>
#include <stdlib.h>

#include "../../agent/engine/lost_settings.h"
#include "../../agent/engine/unmet.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "../output/host_identity.h"
#include "../output/lint_text.h"
#include "../output/port_diff.h"
#include "../output/print.h"
#include "../output/rates_text.h"
#include "../output/report_json.h"
#include "../port_report.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/privileges.h"
#include "plan.h"

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, json_string(text));
}

/* The value of one setting; of what the switch must agree on, all that belongs to it. */
static json_t *value_to_json(const struct item *i, const struct config *c)
{
	if (i->kind == ITEM_SETTING)
		return setting_to_json(&settings[__builtin_ctzll(i->about)], c);
	return c->has & i->about ? config_to_json(c, c->has & i->about) : json_null();
}

/* Both values, of a setting only where they differ; of a symptom there are none. */
static void set_values(json_t *item, const struct item *i)
{
	struct config desired = { 0 }, actual = { 0 };

	if (i->kind != ITEM_SYMPTOM) {
		desired = *i->desired;
		actual = *i->actual;
	}
	if (i->status != STATUS_OK && i->kind == ITEM_SETTING)
		setting_drop_equal(&settings[__builtin_ctzll(i->about)], &desired, &actual);
	json_object_set_new(item, "want", value_to_json(i, &desired));
	json_object_set_new(item, "have", value_to_json(i, &actual));
}

static json_t *item_to_json(const struct item *i)
{
	json_t *item =
		json_pack("{s:s, s:s}", "knob", i->name, "status", status_words[i->status].name);

	set_values(item, i);
	set_text(item, "source", i->source);
	set_text(item, "why", item_why(i));
	set_text(item, "fix", item_fix(i));
	set_text(item, "look", i->look);
	set_text(item, "severity", i->severity);
	return item;
}

static json_t *rates_object(const struct rates *f)
{
	json_t *rates = json_object();

	rates_to_json(rates, f);
	return rates;
}

static json_t *port_to_json(const struct cli *c, const struct port_report *a)
{
	const struct target *t = a->target;
	struct lint_input in = target_lint_input(t);
	json_t *items = json_array(), *port;

	for (size_t i = 0; i < a->count; i++)
		if (c->opt.all || a->items[i].status != STATUS_OK)
			json_array_append_new(items, item_to_json(&a->items[i]));
	port = json_pack("{s:s, s:s, s:o, s:o, s:o*, s:o*}", "port", t->task.port.id.name,
			 "verdict", status_words[port_report_status(a)].verdict, "link",
			 report_link(&t->task.port), "items", items, "refused", report_refusals(t),
			 "findings", findings_to_json(&in, a->findings));
	if (a->rates)
		json_object_set_new(port, "rates", rates_object(a->rates));
	return port;
}

/* A rule without its ports makes the run unknown; what was found to differ outranks it. */
static enum status worst_of(const struct verify_totals *n, const struct unmet *unmet)
{
	enum status worst = verify_totals_worst(n);

	return unmet->count && worst < STATUS_UNKNOWN ? STATUS_UNKNOWN : worst;
}

static json_t *document(const struct cli *c, const struct policy *p, const struct port_reports *all,
			const struct verify_totals *n, const struct unmet *unmet)
{
	_free_ struct setup *setups = port_reports_setups(all);
	json_t *doc = report_of_host(c, "verify"), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, port_to_json(c, &all->list[i]));
	*c->lost = *c->lost || !setups;
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "verdict", json_string(status_words[worst_of(n, unmet)].verdict));
	json_object_set_new(doc, "warning_count",
			    json_integer((json_int_t)verify_totals_warnings(n)));
	report_unmet(unmet, doc);
	identity_add_state(doc, setups, all->count);
	json_object_set_new(doc, "ports", ports);
	json_object_set_new(doc, "differences",
			    setups ? uniform_to_json(setups, all->count) : json_null());
	return doc;
}

/* The first item or finding of a port that is as bad as this; NULL: there is none. */
static const char *first_as_bad(const struct port_report *a, enum status worst)
{
	enum severity s = worst == STATUS_DRIFT ? SEVERITY_ERROR : SEVERITY_WARNING;
	lint_set found = findings_of_severity(a->findings, a->target->severities, s);

	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status == worst)
			return a->items[i].name;
	if (found && (worst == STATUS_DRIFT || worst == STATUS_WARNING))
		return lint_at((size_t)__builtin_ctzll(found))->name;
	return NULL;
}

/* The first of the worst kind, for a line that somebody reads on a pager. */
static void name_worst(const struct port_reports *all, enum status worst)
{
	for (size_t i = 0; i < all->count; i++) {
		const char *name = first_as_bad(&all->list[i], worst);

		if (!name)
			continue;
		print_outside(stdout, "%s %s, ", all->list[i].target->task.port.id.name, name);
		return;
	}
}

/* ", 2 symptoms", and nothing of none. */
static void print_count(size_t n, const char *one, const char *more)
{
	if (n)
		printf(", %zu %s%s", n, one, n == 1 ? "" : more);
}

static void warn_of_unmet(const struct cli *c, const struct unmet *unmet)
{
	if (!unmet->count)
		return;
	print_failure(c, &unmet->first);
	if (unmet->count > 1)
		print_warning(c, "%zu more rule%s lack ports", unmet->count - 1,
			      unmet->count == 2 ? "" : "s");
}

/* A monitoring plugin's line and its codes. */
static int nagios(const struct cli *c, const struct port_reports *all,
		  const struct verify_totals *n, const struct unmet *unmet)
{
	enum status worst = worst_of(n, unmet);
	const struct status_word *word = verify_totals_word(n, worst);

	printf("LOSSLESSCTL %s - ", word->nagios);
	if (unmet->count)
		print_outside(stdout, "%s, ", unmet->first.text);
	if (word->nagios_code)
		name_worst(all, worst);
	printf("%zu of %zu settings on %zu port%s as wished", n->settings[STATUS_OK], n->items,
	       n->ports, n->ports == 1 ? "" : "s");
	print_count(n->errors, "error finding", "s");
	print_count(n->warnings, "warning", "s");
	print_count(n->advised, "advised", "");
	if (c->opt.counters_s)
		printf(", %zu symptom%s in %u s", verify_totals_symptoms(n),
		       verify_totals_symptoms(n) == 1 ? "" : "s", c->opt.counters_s);
	printf("|drift=%zu;;0 unknown=%zu ports=%zu errors=%zu;;0 warnings=%zu;0",
	       n->settings[STATUS_DRIFT], verify_totals_unclear(n), n->ports, n->errors,
	       n->warnings);
	if (c->opt.counters_s)
		printf(" symptoms=%zu", verify_totals_symptoms(n));
	print_rates_perfdata(all);
	printf("\n");
	return word->nagios_code;
}

static bool observe_all(struct cli *c, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		if (!target_observe(&c->engine, t, err))
			return false;
		lost_settings_reveal(c->h, &t->task.port, &t->seen);
	}
	return true;
}

/* Nobody is listened to unless the policy asks for the switch's agreement. */
static bool keep_what_is_asked_for(const struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (asks_for_peer(&all->list[i]))
			return true;
	return privilege_keep(PRIVILEGE_NONE, PRIVILEGE_NONE, err);
}

static int failed_for_nagios(const struct err *err)
{
	print_outside(stdout, "LOSSLESSCTL UNKNOWN - %s%s%s", err->where, err->where[0] ? ": " : "",
		      err->text);
	putchar('\n');
	return 3;
}

/* A pipe or a monitor is not told of the wait. */
static bool count(struct cli *c, const struct policy *p, const struct targets *all,
		  struct counted **ret, struct err *err)
{
	if (c->opt.counters_s && isatty(STDERR_FILENO) && !c->opt.quiet)
		fprintf(stderr, "losslessctl: counting for %u s\n", c->opt.counters_s);
	return counted_take(&c->engine, c->opt.counters_s, &p->thresholds, all, ret, err);
}

int verb_verify(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	_port_reports_ struct port_reports port_reports = { NULL, 0 };
	_free_ struct counterpart *found = NULL;
	_free_ struct counted *counted = NULL;
	struct unmet unmet;
	struct verify_totals n;

	if (!policy_open(c, &p, err) || !cli_open_host(c, false, err) ||
	    !inventory_take(&c->engine, &c->engine.selection, &inv, err) ||
	    !targets_choose(&c->engine, p, &inv, &all, err) || !keep_what_is_asked_for(&all, err) ||
	    !observe_all(c, &all, err) || !counterparts_find(c, &all, asks_for_peer, &found, err) ||
	    !count(c, p, &all, &counted, err) ||
	    !port_reports_make(&port_reports, c->h, &all, found, counted, err))
		return c->opt.nagios ? failed_for_nagios(err) : -1;
	warn_of_unfinished(c);
	unmet = unmet_find(&c->engine, p, &inv);
	n = port_reports_total(&port_reports, c->opt.strict);
	if (c->opt.nagios)
		return nagios(c, &port_reports, &n, &unmet);
	warn_of_unmet(c, &unmet);
	if (c->opt.json)
		print_json(c, document(c, p, &port_reports, &n, &unmet));
	else if (!c->opt.quiet)
		print_port_reports(c, &port_reports, &n);
	return verify_totals_word(&n, worst_of(&n, &unmet))->exit_code;
}
