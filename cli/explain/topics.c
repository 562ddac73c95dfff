#include "topics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/monitor/symptom.h"
#include "../../dcb/lldp/peer_compare.h"
#include "../../policy/document/job_json.h"
#include "../../policy/document/match.h"
#include "../../policy/document/policy.h"
#include "../../policy/document/ready_check_table.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/document/switch_map_json.h"
#include "../../policy/job/environment_report.h"
#include "../../policy/lint/lint.h"
#include "../../policy/model/congestion_control.h"
#include "../../policy/model/setting.h"
#include "../help.h"
#include "../output/print.h"
#include "../output/report_json.h"

/* ---- pages ---- */

#define HEAD_WIDTH 9

void page_text(struct explain_page *p, const char *head, const char *key, const char *text)
{
	if (!p->is_text && key && text)
		json_object_set_new(p->doc, key, json_string(text));
	if (!p->is_text || !head || !text)
		return;
	if (!p->has_lines)
		putchar('\n');
	p->has_lines = true;
	if (*head) {
		wrap_row(stdout, head, HEAD_WIDTH, text);
	} else {
		fputs("  ", stdout);
		wrap_print(stdout, text, 2, 2);
	}
}

void page_json(struct explain_page *p, const char *key, json_t *value)
{
	if (p->is_text)
		json_decref(value);
	else
		json_object_set_new(p->doc, key, value);
}

void page_number(struct explain_page *p, const char *head, const char *key, unsigned number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	page_text(p, head, NULL, text);
	page_json(p, key, json_integer(number));
}

/* ---- congestion control ---- */

#define NAMES_MAX 512

bool topic_congestion_entry(size_t i, struct entry *ret)
{
	const struct congestion_control *c = &congestion_controls[i];

	if (!c->name)
		return false;
	*ret = (struct entry){ c->name, c->description, "congestion control", NULL };
	return true;
}

/* True of the first setting of "dcqcn.*" that is listed: it stands for all. */
static bool is_first_of_dcqcn(unsigned setting)
{
	return setting == SETTING_DCQCN_CLAMP_TGT_RATE;
}

static bool is_dcqcn(unsigned setting)
{
	return strncmp(settings[setting].path, "dcqcn.", 6) == 0;
}

/* Lists the settings; NULL if there are none. */
static const char *names_of(setting_set set, char buf[NAMES_MAX])
{
	const char *before = "";
	size_t used = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!(set & SETTING(i)) || (is_dcqcn(i) && !is_first_of_dcqcn(i)))
			continue;
		used += (size_t)snprintf(buf + used, NAMES_MAX - used, "%s%s", before,
					 is_dcqcn(i) ? "dcqcn.*" : settings[i].path);
		before = ", ";
	}
	return used ? buf : NULL;
}

static const char *asserted_text(const struct config *asserted, char buf[NAMES_MAX])
{
	const char *before = "";
	size_t used = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		char value[SETTING_TEXT_MAX];

		if (!(asserted->has & SETTING(i)))
			continue;
		setting_text(&settings[i], asserted, value);
		used += (size_t)snprintf(buf + used, NAMES_MAX - used, "%s%s %.40s", before,
					 settings[i].path, value);
		before = ", ";
	}
	return used ? buf : NULL;
}

void topic_congestion_fields(struct explain_page *p, size_t i)
{
	const struct congestion_control *c = &congestion_controls[i];
	char names[NAMES_MAX];

	page_text(p, "owner", "owner", c->owner);
	page_text(p, "asserts", NULL, asserted_text(&c->asserted, names));
	page_text(p, "verifies", NULL, names_of(c->verified, names));
	page_text(p, "rejects", NULL, names_of(c->rejected, names));
	page_text(p, "why", "rationale", c->reason);
	page_text(p, "source", "source", c->source);
	page_json(p, "asserted", config_to_json(&c->asserted, c->asserted.has));
	page_json(p, "verified_only", setting_paths_to_json(c->verified));
	page_json(p, "rejected", setting_paths_to_json(c->rejected));
}

/* ---- jobs ---- */

bool topic_check_entry(size_t i, struct entry *ret)
{
	if (i >= READY_COUNT)
		return false;
	*ret = (struct entry){ ready_checks[i].name, ready_checks[i].doc, "check", NULL };
	return true;
}

void topic_check_fields(struct explain_page *p, size_t i)
{
	const struct ready_check *c = &ready_checks[i];
	char range[READY_RANGE_TEXT], fixes[READY_FIXES_TEXT];

	ready_range_text(c, range);
	page_text(p, "of", "scope", c->of_host ? "host" : "port");
	page_json(p, "unit", c->unit ? json_string(c->unit) : json_null());
	page_text(p, "value", "range", range);
	page_text(p, "default", "default", c->default_value ? c->default_value : "only reported");
	page_text(p, "read", "kernel_interface", c->source);
	page_text(p, "why", "rationale", c->reason);
	page_text(p, "fix", "fix", ready_fixes_text(c, fixes));
}

/* "ready.pci-link" as well. */
bool topic_is_check(size_t i, const char *name)
{
	return strcmp(ready_checks[i].name, name) == 0 || strcmp(ready_checks[i].path, name) == 0;
}

bool topic_job_key_entry(size_t i, struct entry *ret)
{
	if (i >= JOB_KEYS)
		return false;
	*ret = (struct entry){ job_keys[i].path, job_keys[i].doc, "policy key", NULL };
	return true;
}

void topic_job_key_fields(struct explain_page *p, size_t i)
{
	if (job_keys[i].type != KEY_NUMBER)
		return;
	page_number(p, "minimum", "minimum", (unsigned)job_keys[i].min);
	page_number(p, "maximum", "maximum", (unsigned)job_keys[i].max);
}

bool topic_variable_entry(size_t i, struct entry *ret)
{
	if (i >= VARIABLE_COUNT)
		return false;
	*ret = (struct entry){ variables[i].name, variables[i].doc, "variable", NULL };
	return true;
}

void topic_variable_fields(struct explain_page *p, size_t i)
{
	const struct variable *v = &variables[i];
	char since[32];

	snprintf(since, sizeof(since), "NCCL %u.%u", v->since / 100, v->since % 100);
	page_text(p, "read by", "library",
		  v->of_ucx	   ? "UCX"
		  : v->nvidia_only ? "NCCL"
				   : "NCCL and RCCL");
	page_text(p, "since", "since", v->since ? since : NULL);
}

bool topic_trap_entry(size_t i, struct entry *ret)
{
	if (i + 1 >= TRAP_COUNT)
		return false;
	*ret = (struct entry){ trap_name((enum trap)(i + 1)), trap_texts[i + 1].why, "trap", NULL };
	return true;
}

void topic_trap_fields(struct explain_page *p, size_t i)
{
	page_text(p, "fix", "fix", trap_texts[i + 1].fix);
}

/* ---- terms ---- */

/* In the order of packaging/docs/glossary.md. */
const struct term terms[] = {
	{ "setting", "a value that can be set or verified, such as pfc.priorities" },
	{ "desired", "the value that the policy asks for" },
	{ "actual", "the value that the kernel reports" },
	{ "default", "the value of a setting before anyone sets it" },
	{ "policy", "the JSON document with the desired configuration of a host: profiles, and "
		    "rules that assign them to ports" },
	{ "class", "traffic with one priority and its DSCPs, from which settings are derived" },
	{ "rule", "an entry of rules that assigns a profile to ports; the last rule that matches a "
		  "port wins, and rules are not merged" },
	{ "valid", "said of a policy without errors; it may have warnings" },
	{ "origin", "where a desired value comes from: file and line, rule, class or default" },
	{ "port", "a network device that owns a wire, with its RDMA device" },
	{ "class selector", "the default map of the adapter: priority = DSCP >> 3 (RFC 2474)" },
	{ "in sync", "actual equals desired, within rounding that is known" },
	{ "drift", "actual differs from desired" },
	{ "unknown", "it cannot be read here and now: no permission, no link, an error" },
	{ "unsupported", "the port, its driver or firmware does not have it" },
	{ "skipped", "unsupported, and listed under \"optional\": the port is in sync without it" },
	{ "advice", "a difference that does not change the verdict, such as host.tcp_ecn" },
	{ "contested", "another program reverts the agent's repairs; the agent pauses repairs of "
		       "the setting and reports it" },
	{ "plan", "the steps from actual to desired, in a safe order; reads only" },
	{ "step", "one write of one feature, for example PFC" },
	{ "apply", "carry out the plan, read back, verify" },
	{ "roll back", "return to the state before; verified like an apply" },
	{ "rollback failed", "rolling back did not succeed: the port is partially configured, and "
			     "exit code 4 and the report name each setting" },
	{ "not reversible", "a change that cannot be rolled back exactly, named in the plan: "
			    "deleting a DSCP entry maps that DSCP to priority 0" },
	{ "refused", "nothing was written, for a reason that the report names" },
	{ "not attempted", "a port that a run did not reach: unchanged" },
	{ "link flap", "the link goes down and comes back; a PFC change causes one" },
	{ "transaction",
	  "the change of one port, from the first write to verified or rolled back" },
	{ "applying", "said of a run that writes now: its ports change until it ends" },
	{ "rolling back", "said of a run that is rolled back now: its ports change until it ends" },
	{ "awaiting confirmation", "said of an apply that confirm keeps; otherwise it is rolled "
				   "back at its deadline" },
	{ "incomplete", "said of a run that was killed, or whose rollback failed: rollback or "
			"apply completes it" },
	{ "transaction journal", "the file that is written before the first change, and from which "
				 "rollback and the run after a crash restore a port" },
	{ "repair", "bring a drifted port back; done by apply, or by the agent in mode enforce" },
	{ "fix", "how to repair something, in a message: mostly a command" },
	{ "report", "the mode of the agent that only reports drift" },
	{ "lint", "a check of a configuration, such as \"PFC and global pause are both on\"; "
		  "severity critical, warning or info" },
	{ "finding", "a violation of a lint by a port or a policy" },
	{ "symptom", "a fault that counters point to; severity critical, warning or info" },
	{ "recording", "the samples of a port in the minutes before a critical symptom, which the "
		       "agent saved; history --recording prints them" },
	{ "threshold", "the rate from which a counter becomes a symptom" },
	{ "peer reason", "why a port and its peer agree or not, or why that is unknown" },
	{ "trap", "the reason why a value in a job's environment does not mean what its author "
		  "wrote, such as quotes" },
	{ "verdict", "the result of verify: in sync, drift, unknown or symptom" },
	{ "lossless", "said of a priority that is paused instead of dropped" },
	{ "global pause", "802.3x flow control: pause for the whole link; excludes PFC" },
	{ "pause storm",
	  "pause for most of the time; the storm timeout ends it, and the port then drops" },
	{ "headroom", "the receive buffer for what still arrives after pause was sent; grows with "
		      "speed, cable and MTU" },
	{ "traffic class", "a queue of the adapter; priorities map to it" },
	{ "TC", "traffic class: a queue of the adapter; priorities map to it" },
	{ "TSA", "transmission selection algorithm of a traffic class: strict, ETS or vendor" },
	{ "priority", "0 to 7; PCP in the VLAN tag carries it" },
	{ "PCP",
	  "the mark in the VLAN tag, 0 to 7: of rdma_cm and of sockets, what vlan.egress has for "
	  "the kernel's priority of the ToS; of other queue pairs, the service level" },
	{ "service level",
	  "SL: a number that a program gives its queue pairs (NCCL_IB_SL, UCX_IB_SL), "
	  "by default 0; in a VLAN it is the PCP" },
	{ "ToS", "the byte of the IP header with DSCP and ECN: DSCP × 4 + ECN bits. 106 is DSCP 26 "
		 "with ECT(0)" },
	{ "traffic class byte", "the byte of the IP header with DSCP and ECN: DSCP × 4 + ECN bits. "
				"106 is DSCP 26 with ECT(0)" },
	{ "APP entry",
	  "a DCB table entry: an ethertype, a port number or a DSCP, and its priority" },
	{ "NP", "notification point: the receiver that sends CNPs" },
	{ "RP", "reaction point: the sender that slows down" },
	{ "FEC", "forward error correction of the link" },
};

const size_t terms_count = sizeof(terms) / sizeof(terms[0]);

/* ---- topics ---- */

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
