#include "verify_text.h"

#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/monitor/rates.h"
#include "../../policy/document/settings_json.h"
#include "environment_text.h"
#include "lint_text.h"
#include "report_json.h"

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, json_from_text(text));
}

/* Returns the value of a setting; for a comparison with the peer, all settings that it compares. */
static json_t *value_to_json(const struct item *i, const struct config *c)
{
	if (i->kind == ITEM_SETTING)
		return setting_to_json(&settings[__builtin_ctzll(i->about)], c);
	return c->has & i->about ? config_to_json(c, c->has & i->about) : json_null();
}

/* Adds both values, limited to the entries that differ. */
static void set_values(json_t *item, const struct item *i)
{
	struct config desired = *i->desired, actual = *i->actual;

	if (i->status > STATUS_SKIPPED && i->kind == ITEM_SETTING)
		setting_drop_equal(&settings[__builtin_ctzll(i->about)], &desired, &actual);
	json_object_set_new(item, "desired", value_to_json(i, &desired));
	json_object_set_new(item, "actual", value_to_json(i, &actual));
}

/* The list of a port that has the items of a kind, and the keys of its items. */
static const struct item_keys {
	const char *list, *name, *source;
} item_keys[] = {
	[ITEM_SETTING] = { "settings", "setting", "kernel_interface" },
	[ITEM_PEER] = { "comparisons", "subject", "lldp_source" },
	[ITEM_SYMPTOM] = { "symptoms", "symptom", NULL },
};

static json_t *item_to_json(const struct item *i)
{
	const struct item_keys *keys = &item_keys[i->kind];
	const char *name = i->kind == ITEM_PEER ? strchr(i->name, '.') + 1 : i->name;
	json_t *item = json_pack("{s:s, s:s}", keys->name, name, "status",
				 status_words[status_word(i->status)].name);

	if (i->kind != ITEM_SYMPTOM)
		set_values(item, i);
	if (keys->source)
		set_text(item, keys->source, i->source);
	set_text(item, "owner", i->owner);
	set_text(item, "severity", i->severity);
	set_text(item, "origin", i->origin[0] ? i->origin : NULL);
	set_text(item, "message", item_why(i));
	set_text(item, "fix", item_fix(i));
	return item;
}

/* Adds the symptoms that would show, but may not apply. */
static void add_not_judged(const struct port_report *r, json_t *port)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->count; i++) {
		const struct item *item = &r->items[i];

		if (item->kind == ITEM_SYMPTOM && item->status == STATUS_SKIPPED)
			json_array_append_new(list, json_pack("{s:s, s:s}", "symptom", item->name,
							      "message", item->why));
	}
	json_object_set_new(port, "symptoms_not_judged", list);
}

/* Adds the items of a kind; all of them with --all, else those that are not in sync. */
static void add_items(const struct cli *c, const struct port_report *r, enum item_kind kind,
		      json_t *port)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->count; i++) {
		const struct item *item = &r->items[i];

		if (item->kind != kind || (!c->opt.all && item->status <= STATUS_SKIPPED) ||
		    (kind == ITEM_SYMPTOM && item->status == STATUS_SKIPPED))
			continue;
		if (kind == ITEM_SYMPTOM && !item->severity)
			set_text(port, "symptoms_message", item->why);
		else
			json_array_append_new(list, item_to_json(item));
	}
	json_object_set_new(port, item_keys[kind].list, list);
}

static json_t *rates_object(const struct rates *f)
{
	json_t *rates = json_object();

	rates_to_json(rates, f);
	return rates;
}

static json_t *port_to_json(const struct cli *c, const struct port_report *r)
{
	const struct target *t = r->target;
	struct lint_input in = target_lint_input(t);
	json_t *findings = findings_to_json(&in, r->findings);
	json_t *port = json_pack("{s:s, s:s, s:o}", "port", t->task.port.id.name, "verdict",
				 status_words[verdict_word(port_report_status(r))].name, "link",
				 report_link(&t->task.port));

	for (enum item_kind kind = ITEM_SETTING; kind <= ITEM_SYMPTOM; kind++)
		add_items(c, r, kind, port);
	if (r->refusals_count)
		json_object_set_new(port, "refusals",
				    report_refusals(r->refusals, r->refusals_count));
	json_object_set_new(port, "findings", findings ? findings : json_array());
	if (r->rates) {
		add_not_judged(r, port);
		json_object_set_new(port, "rates", rates_object(r->rates));
	}
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
	json_object_set_new(doc, "verdict", json_string(status_words[verdict_word(r->worst)].name));
	json_object_set_new(doc, "warning_count",
			    json_integer((json_int_t)verify_totals_warnings(&r->totals)));
	report_unmet(&r->unmet, doc);
	identity_add_state(doc, setups, all->count);
	json_object_set_new(doc, "ports", ports);
	json_object_set_new(doc, "environment", environment_verdict_to_json(r->environment));
	set_text(doc, "environment_message",
		 r->environment ? environment_verdict_message(r->environment) : NULL);
	json_object_set_new(doc, "port_differences",
			    setups ? port_differences_to_json(setups, all->count) : json_null());
	return doc;
}
