#include "verify_json.h"

#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "host_identity.h"
#include "lint_text.h"
#include "rates_text.h"
#include "report_json.h"
#include "status_words.h"
#include "verify_text.h"

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, json_string(text));
}

/* Returns the value of a setting; for an item about the peer, all settings that it compares. */
static json_t *value_to_json(const struct item *i, const struct config *c)
{
	if (i->kind == ITEM_SETTING)
		return setting_to_json(&settings[__builtin_ctzll(i->about)], c);
	return c->has & i->about ? config_to_json(c, c->has & i->about) : json_null();
}

/* Adds both values, limited to the entries that differ; null for a symptom. */
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
	set_text(item, "look", i->origin);
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

json_t *verify_to_json(const struct cli *c, const struct verify_run *r)
{
	const struct port_reports *all = &r->ports;
	_free_ struct setup *setups = port_reports_setups(all);
	json_t *doc = report_of_host(c, "verify"), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, port_to_json(c, &all->list[i]));
	*c->output_lost = *c->output_lost || !setups;
	json_object_set_new(doc, "policy", report_policy(r->policy));
	json_object_set_new(doc, "verdict", json_string(status_words[r->worst].verdict));
	json_object_set_new(doc, "warning_count",
			    json_integer((json_int_t)verify_totals_warnings(&r->totals)));
	report_unmet(&r->unmet, doc);
	identity_add_state(doc, setups, all->count);
	json_object_set_new(doc, "ports", ports);
	json_object_set_new(doc, "differences",
			    setups ? port_differences_to_json(setups, all->count) : json_null());
	return doc;
}
