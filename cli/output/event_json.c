#include "event_json.h"

#include "../../agent/daemon/drift_log.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "report_json.h"

static void add_texts(json_t *doc, const struct topic *about)
{
	for (size_t i = 0; i < log_fields_count; i++) {
		const char *value = log_field_value(about, &log_fields[i]);

		if (value && value[0])
			json_object_set_new(doc, log_fields[i].key, json_from_text(value));
	}
}

static void add_settings(json_t *doc, setting_set which)
{
	json_t *list = json_array();

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (which & SETTING(k))
			json_array_append_new(list, json_string(settings[k].path));
	json_object_set_new(doc, "settings", list);
}

/* Adds the keys of a record of the history that the event lacks. */
static void add_drift(json_t *doc, const struct drift_record *r)
{
	static const char *const keys[] = { "from", "to", "likely_writer", "first_seen_at",
					    "duration_s" };
	json_auto_t *record = history_narrow(r);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set(doc, keys[i], json_object_get(record, keys[i]));
}

static void add_policy(json_t *doc, const struct policy *p)
{
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "mode",
			    json_string(p->mode == MODE_ENFORCE ? "enforce" : "report"));
}

bool event_print(void *arg, const struct log_entry *e)
{
	json_auto_t *doc = report_of_host(arg, "agent");
	_free_ char *text = NULL;

	json_object_set_new(doc, "event", json_string(e->event));
	json_object_set_new(doc, "severity", json_string(e->severity));
	json_object_set_new(doc, "priority", json_integer(e->priority));
	json_object_set_new(doc, "message", json_from_text(e->message));
	add_texts(doc, e->about); /* the severity of a symptom or lint replaces the event's */
	if (e->about->rule_number)
		json_object_set_new(doc, "rule_number", json_integer(e->about->rule_number));
	if (e->about->settings)
		add_settings(doc, e->about->settings);
	if (e->about->drift)
		add_drift(doc, e->about->drift);
	if (e->about->policy)
		add_policy(doc, e->about->policy);
	text = json_dump_sanitized(doc, JSON_COMPACT);
	return text && puts(text) >= 0 && fflush(stdout) == 0;
}
