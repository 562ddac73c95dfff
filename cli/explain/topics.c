#include "topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/monitor/symptom.h"
#include "../../dcb/lldp/peer_compare.h"
#include "../../policy/document/match.h"
#include "../../policy/document/policy.h"
#include "../../policy/document/switch_map_json.h"
#include "../../policy/lint/lint.h"
#include "../help.h"
#include "../output/report_json.h"
#include "congestion_topic.h"
#include "job_topics.h"
#include "page.h"
#include "terms.h"

#define FIELD_TEXT_MAX 128

/* The i-th key with details among those of an object; counts *i down by the others. */
static bool detailed_key(const struct key_object *o, size_t *i, struct key *ret)
{
	for (size_t n = 0; key_at(o, n, ret); n++)
		if (ret->more && (*i)-- == 0)
			return true;
	return false;
}

/* The keys of a policy, of profiles and rules, and of "match", whose "name" is among the first. */
static bool policy_key(size_t i, struct key *ret)
{
	struct key top;

	for (size_t n = 0; key_at(&policy_object, n, &top); n++) {
		*ret = top;
		if (top.more && i-- == 0)
			return true;
		if ((top.type == KEY_LIST || top.type == KEY_MAP) &&
		    detailed_key(top.objects, &i, ret))
			return true;
	}
	*ret = key_comment;
	return i == 0 || key_at(&match_object, i, ret);
}

static bool key_entry(size_t i, struct entry *ret)
{
	struct key k;

	if (!policy_key(i, &k))
		return false;
	*ret = (struct entry){ k.name, k.doc, "policy key", NULL };
	return true;
}

static void key_fields(struct explain_page *p, size_t i)
{
	struct key k;

	if (policy_key(i, &k))
		page_text(p, "", "details", k.more);
}

static bool limit_entry(size_t i, struct entry *ret)
{
	if (i >= THRESHOLD_COUNT)
		return false;
	*ret = (struct entry){ thresholds[i].path, thresholds[i].doc, "policy key", NULL };
	return true;
}

static void limit_fields(struct explain_page *p, size_t i)
{
	const struct threshold *l = &thresholds[i];
	char range[FIELD_TEXT_MAX], clears[FIELD_TEXT_MAX];

	snprintf(range, sizeof(range), "%u to %u", l->min, l->max);
	snprintf(clears, sizeof(clears), "below %u %% of the value", l->clear_percent);
	page_text(p, "unit", "unit", l->unit);
	page_json(p, "minimum", json_integer(l->min));
	page_json(p, "maximum", json_integer(l->max));
	page_text(p, "value", NULL, range);
	page_number(p, "default", "default", l->default_value);
	page_json(p, "clear_percent", json_integer(l->clear_percent));
	page_text(p, "why", "rationale", l->reason);
	page_text(p, "clears", NULL, l->clear_percent == 100 ? NULL : clears);
}

static bool setting_entry(size_t i, struct entry *ret)
{
	if (i >= SETTING_COUNT)
		return false;
	*ret = (struct entry){ settings[i].path, settings[i].doc, NULL, NULL };
	return true;
}

static void setting_fields(struct explain_page *p, size_t i)
{
	const struct setting *k = &settings[i];
	char range[SETTING_TEXT_MAX];

	setting_range(k, range);
	page_json(p, "unit", k->unit ? json_string(k->unit) : json_null());
	page_text(p, "value", "range", range);
	page_text(p, "default", "default", k->default_value);
	page_text(p, "kernel", "kernel_interface", k->kernel_interface);
	page_text(p, "why", "rationale", k->why);
	page_text(p, "note", "note", k->note);
	page_json(p, "value_schema", setting_to_schema(k));
}

static bool lint_entry(size_t i, struct entry *ret)
{
	const struct lint *r = lint_at(i);

	if (!r)
		return false;
	*ret = (struct entry){ r->name, r->message, "lint", severity_name(r->severity) };
	return true;
}

static void lint_fields(struct explain_page *p, size_t i)
{
	page_text(p, "fix", "fix", lint_at(i)->fix);
	page_text(p, "why", "rationale", lint_at(i)->why);
}

static bool fabric_entry(size_t i, struct entry *ret)
{
	if (!switch_maps[i].name[0])
		return false;
	*ret = (struct entry){ switch_maps[i].name, switch_maps[i].display_name, NULL, NULL };
	return true;
}

/* The times after which either side drops in a pause storm, and which comes first. */
static void watchdog_fields(struct explain_page *p, const struct switch_map *f)
{
	const struct setting *storm = &settings[SETTING_PFC_STORM_TIMEOUT_MS];
	char detects[FIELD_TEXT_MAX], host[FIELD_TEXT_MAX], order[2 * FIELD_TEXT_MAX];

	if (!f->watchdog_ms) {
		page_text(p, "watchdog", NULL, "unknown");
		return;
	}
	snprintf(detects, sizeof(detects), "drops after %u ms of pause, where it is on",
		 f->watchdog_ms);
	snprintf(host, sizeof(host), "drops after %s ms by default, after %u ms if %s is \"auto\"",
		 storm->default_value, STORM_AUTO_MS, storm->path);
	snprintf(order, sizeof(order),
		 "auto: host (%u ms), then switch (%u ms); default: switch "
		 "(%u ms), then host (%s ms)",
		 STORM_AUTO_MS, f->watchdog_ms, f->watchdog_ms, storm->default_value);
	page_text(p, "watchdog", NULL, detects);
	page_text(p, "host", NULL, host);
	page_text(p, "order", NULL, order);
	page_text(p, "source", "watchdog_source", f->watchdog_source);
}

static void fabric_fields(struct explain_page *p, size_t i)
{
	const struct switch_map *f = &switch_maps[i];
	char marks[FIELD_TEXT_MAX / 2], lossless[FIELD_TEXT_MAX];
	size_t used = (size_t)snprintf(lossless, sizeof(lossless), "%s; traffic class",
				       switch_map_lossless_marks(f, marks, sizeof(marks)));

	for (int tc = 0; tc < PRIOS; tc++)
		if (f->lossless >> tc & 1)
			used += (size_t)snprintf(lossless + used, sizeof(lossless) - used, " %d",
						 tc);
	page_text(p, "trusts", NULL, f->trust == TRUST_DSCP ? "dscp" : "pcp");
	page_text(p, "lossless", NULL, lossless);
	page_text(p, "source", "source", f->source);
	watchdog_fields(p, f);
	if (!p->is_text)
		json_object_update_new(p->doc, switch_map_to_json(f));
}

static bool peer_reason_entry(size_t i, struct entry *ret)
{
	const struct peer_reason *r = peer_reason_at(i);

	if (!r)
		return false;
	*ret = (struct entry){ r->name, r->message, "reason",
			       status_words[peer_word(r->peer_status)].name };
	return true;
}

static void peer_reason_fields(struct explain_page *p, size_t i)
{
	page_text(p, "fix", "fix", peer_reason_at(i)->fix);
	page_text(p, "why", "rationale", peer_reason_at(i)->why);
}

static bool symptom_entry(size_t i, struct entry *ret)
{
	if (i >= symptoms_count)
		return false;
	*ret = (struct entry){ symptoms[i].name, symptoms[i].description, "symptom",
			       severity_name(symptoms[i].severity) };
	return true;
}

static void symptom_fields(struct explain_page *p, size_t i)
{
	const struct symptom *s = &symptoms[i];
	char windows[FIELD_TEXT_MAX];

	snprintf(windows, sizeof(windows),
		 "raised after %u of %u windows, cleared after %u windows without it",
		 s->windows.raise, s->windows.of, s->windows.clear);
	page_text(p, "origin", "origin", symptom_origin_name(s->origin));
	page_text(p, "agent", NULL, windows);
	page_json(p, "raise_windows", json_integer(s->windows.raise));
	page_json(p, "of_windows", json_integer(s->windows.of));
	page_json(p, "clear_windows", json_integer(s->windows.clear));
	page_text(p, "cause", "cause", s->cause);
	page_text(p, "fix", "fix", s->next);
}

static bool counter_entry(size_t i, struct entry *ret)
{
	if (i >= COUNTER_COUNT)
		return false;
	*ret = (struct entry){ counters[i].name, counters[i].doc,
			       counters[i].is_gauge ? "gauge" : "counter", NULL };
	return true;
}

static void counter_fields(struct explain_page *p, size_t i)
{
	static const char *const commands[COUNTER_SOURCES] = {
		[FROM_ETHTOOL] = "ethtool -S PORT",
		[FROM_RDMA] = "rdma statistic show link DEVICE/PORT",
		[FROM_FEC] = "ethtool -I --show-fec PORT",
		[FROM_PAUSE] = "ethtool -I -a PORT",
		[FROM_NETDEV] = "cat /sys/class/net/PORT/COUNTER",
	};
	const struct counter *c = &counters[i];

	page_text(p, "unit", "unit", c->unit);
	page_text(p, "command", "command", commands[c->source]);
	page_text(p, c->is_gauge ? NULL : "wraps", NULL,
		  c->bits == 32 ? "at 2^32" : "never (64 bits)");
	page_json(p, "type", json_string(c->is_gauge ? "gauge" : "counter"));
	page_json(p, "bits", json_integer(c->bits));
	page_json(p, "per_priority", json_boolean(i < COUNTERS_PER_PRIO));
}

/* "rx_prio3_pause" is rx_prio#_pause as well. */
static bool is_counter(size_t i, const char *name)
{
	size_t slot = slot_by_name(counters[i].source, name, strlen(name));
	int prio;

	return strcmp(counters[i].name, name) == 0 ||
	       (slot < COUNTER_SLOTS && slot_counter(slot, &prio) == i);
}

static bool code_entry(size_t i, struct entry *ret)
{
	if (i >= exit_codes_count)
		return false;
	*ret = (struct entry){ exit_codes[i].code, exit_codes[i].doc, NULL, NULL };
	return true;
}

/* JSON has the name as a number. */
static void code_fields(struct explain_page *p, size_t i)
{
	page_json(p, "exit_code", json_integer(atoi(exit_codes[i].code)));
}

static bool term_entry(size_t i, struct entry *ret)
{
	if (i >= terms_count)
		return false;
	*ret = (struct entry){ terms[i].name, terms[i].says, "term", NULL };
	return true;
}

/* A term has no more than its meaning. */
static void term_fields(struct explain_page *p, size_t i)
{
	(void)p;
	(void)i;
}

const struct topic topic_terms = { .one = "term", .entry = term_entry, .fields = term_fields };

/* clang-format off */
const struct topic topics[] = {
	{ "policy keys", "policy_keys", "policy_key", .entry = key_entry,
	  .fields = key_fields },
	{ "thresholds", "thresholds", "threshold", .entry = limit_entry,
	  .fields = limit_fields },
	{ "settings", "settings", "setting", .entry = setting_entry, .fields = setting_fields },
	{ "lints", "lints", "lint", .weight_key = "severity", .entry = lint_entry,
	  .fields = lint_fields },
	{ "fabrics", "fabrics", "fabric", .entry = fabric_entry, .fields = fabric_fields },
	{ "congestion controls", "congestion_controls", "congestion_control",
	  .entry = topic_congestion_entry, .fields = topic_congestion_fields },
	{ "peer reasons", "peer_reasons", "peer_reason", .weight_key = "status",
	  .entry = peer_reason_entry, .fields = peer_reason_fields },
	{ "symptoms", "symptoms", "symptom", .weight_key = "severity", .entry = symptom_entry,
	  .fields = symptom_fields },
	{ "counters", "counters", "counter", .entry = counter_entry, .fields = counter_fields,
	  .is = is_counter },
	{ "checks of ready", "ready_checks", "ready_check", .entry = topic_check_entry,
	  .fields = topic_check_fields, .is = topic_is_check },
	{ "keys of job", "job_keys", "job_key", .entry = topic_job_key_entry,
	  .fields = topic_job_key_fields },
	{ "variables of a job", "variables", "variable", .entry = topic_variable_entry,
	  .fields = topic_variable_fields },
	{ "traps in the environment of a job", "traps", "trap", .entry = topic_trap_entry,
	  .fields = topic_trap_fields },
	{ "exit codes", "exit_codes", "exit_code", .prefix = "exit code ", .entry = code_entry,
	  .fields = code_fields },
};
/* clang-format on */

const size_t topics_count = sizeof(topics) / sizeof(topics[0]);
const struct topic *const topic_settings = &topics[2];

json_t *topic_document(const struct topic *t, size_t i)
{
	struct explain_page p = { .doc = report_new("explain") };
	struct entry e;

	if (t->entry(i, &e)) {
		page_text(&p, NULL, t->one, e.name);
		page_text(&p, NULL, t->weight_key, e.weight);
		page_text(&p, NULL, "description", e.says);
		t->fields(&p, i);
	}
	return p.doc;
}
