#include <string.h>

#include "../../../agent/host/cleanup.h"
#include "../../../policy/document/settings_json.h"
#include "../../../policy/util/json_dump.h"
#include "../../../policy/util/json_util.h"
#include "../../../policy/util/oom.h"
#include "../../../policy/util/sha256.h"
#include "fields.h"
#include "flatten.h"

/* ---- values ---- */

/*
 * The ports of a host by setting and value: {"mtu": {"9000": 8}}. The hash does not cover settings
 * beyond SETUP_SETTINGS, and a setting that is not known here may be one of those.
 */
static bool count_value(json_t *votes, const char *path, const json_t *value, struct err *err)
{
	const struct setting *k = setting_find(path);
	_free_ char *text = NULL;
	json_t *of;

	if (!k || !(SETUP_SETTINGS & SETTING(k - settings)) || !value || json_is_null(value))
		return true;
	text = json_dump_sanitized(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	of = json_object_get(votes, path);
	if (text && !of && json_object_set_new(votes, path, json_object()) == 0)
		of = json_object_get(votes, path);
	if (!text || !of ||
	    json_object_set_new(of, text,
				json_integer(1 + json_integer_value(json_object_get(of, text)))))
		return err_no_memory(err);
	return true;
}

static bool store_votes(struct store *s, const char *state_hash, json_t *votes, struct err *err)
{
	const char *setting, *value;
	json_t *of, *count;

	json_object_foreach (votes, setting, of)
		json_object_foreach (of, value, count)
			if (!STORE_RUN(s, STORE_STATE_VALUE, err, CELL_TEXT(state_hash),
				       CELL_TEXT(setting), CELL_TEXT(value),
				       CELL_NUMBER(json_integer_value(count))))
				return false;
	return true;
}

/* True, once, for a state, a kind of document and a policy: what is read of it depends on them. */
static bool is_first(struct store *s, const struct report *r)
{
	unsigned char digest[SHA256_SIZE];
	char text[256];
	uint64_t id;
	size_t slot;

	snprintf(text, sizeof(text), "%s %.64s %.64s", r->kind, r->state_hash,
		 r->policy_sha256 ? r->policy_sha256 : "");
	sha256(text, strlen(text), digest);
	memcpy(&id, digest, sizeof(id));
	slot = id % STATES_SEEN;
	if (s->states_seen[slot] == id)
		return false;
	s->states_seen[slot] = id;
	return true;
}

/* A map that drifted lists only the entries that differ: its whole value is not known. */
static bool is_whole(const json_t *item)
{
	return strcmp(json_text(item, "status"), "drift") != 0 ||
	       !json_is_object(json_object_get(item, "actual"));
}

static bool lists_all(const struct report *r)
{
	size_t i, k;
	json_t *port, *item;

	json_array_foreach (r->ports, i, port)
		json_array_foreach (json_object_get(port, "settings"), k, item)
			if (strcmp(json_text(item, "status"), "in_sync") == 0)
				return true;
	return false;
}

bool state_values_of_verify(struct store *s, const struct report *r, struct err *err)
{
	json_auto_t *votes = NULL;
	size_t i, k;
	json_t *port, *item;

	if (!r->state_hash || !lists_all(r) || !is_first(s, r))
		return true;
	votes = json_object();
	json_array_foreach (r->ports, i, port)
		json_array_foreach (json_object_get(port, "settings"), k, item)
			if (is_whole(item) && !count_value(votes, json_text(item, "setting"),
							   json_object_get(item, "actual"), err))
				return false;
	return store_votes(s, r->state_hash, votes, err);
}

/* show groups settings as a policy does, and shortens maps: verify's form is that of the settings.
 */
static bool count_config(json_t *votes, const json_t *object, const struct json_path *at,
			 struct err *err)
{
	struct config c = { 0 };

	if (!config_amend_observed(&c, object, at, err))
		return false;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		json_auto_t *value = c.has & SETTING(i) ? setting_to_json(&settings[i], &c) : NULL;

		if (!count_value(votes, settings[i].path, value, err))
			return false;
	}
	return true;
}

bool state_values_of_show(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "ports", 0 };
	json_auto_t *votes = NULL;
	size_t i;
	json_t *port;

	if (!r->state_hash || !is_first(s, r))
		return true;
	votes = json_object();
	json_array_foreach (r->ports, i, port) {
		const struct json_path entry = { &list, NULL, i }, here = { &entry, "config", 0 };
		const json_t *object = json_object_get(port, "config");

		if (!json_is_object(object))
			return err_expected(err, &here, object, "an object");
		if (!count_config(votes, object, &here, err))
			return false;
	}
	return store_votes(s, r->state_hash, votes, err);
}

/* ---- flatten state ---- */

struct port {
	const char *port;
	json_t *settings, *comparisons, *symptoms, *drifted_settings, *unknown_settings, *findings,
		*present;
};

struct setting_row {
	const char *setting, *status;
	json_t *desired, *actual;
	bool contested;
};

struct symptom_row {
	const char *symptom, *severity, *status;
};

struct finding_row {
	const char *lint, *severity;
	json_t *message;
};

static const struct field verify_port[] = {
	FIELD(port, port, FIELD_TEXT),
	FIELD(port, settings, FIELD_LIST),
	FIELD(port, comparisons, FIELD_OPTIONAL_LIST),
	FIELD(port, symptoms, FIELD_OPTIONAL_LIST),
	FIELD(port, findings, FIELD_OPTIONAL_LIST),
};

static const struct field status_port[] = {
	FIELD(port, port, FIELD_TEXT),
	FIELD(port, drifted_settings, FIELD_LIST),
	FIELD(port, unknown_settings, FIELD_LIST),
	FIELD(port, symptoms, FIELD_OPTIONAL_LIST),
	FIELD(port, findings, FIELD_OPTIONAL_LIST),
	FIELD(port, present, FIELD_VALUE),
};

static const struct field verified_setting[] = {
	FIELD(setting_row, setting, FIELD_TEXT),
	FIELD(setting_row, status, FIELD_TEXT),
	FIELD(setting_row, desired, FIELD_VALUE),
	FIELD(setting_row, actual, FIELD_VALUE),
};

static const struct field compared_setting[] = {
	{ "subject", FIELD_TEXT, offsetof(struct setting_row, setting) },
	FIELD(setting_row, status, FIELD_TEXT),
	FIELD(setting_row, desired, FIELD_VALUE),
	FIELD(setting_row, actual, FIELD_VALUE),
};

static const struct field drifted_setting[] = {
	FIELD(setting_row, setting, FIELD_TEXT),
	{ "state", FIELD_TEXT, offsetof(struct setting_row, status) },
	FIELD(setting_row, desired, FIELD_VALUE),
	FIELD(setting_row, actual, FIELD_VALUE),
};

static const struct field symptom_fields[] = {
	FIELD(symptom_row, symptom, FIELD_TEXT),
	FIELD(symptom_row, severity, FIELD_TEXT),
	FIELD(symptom_row, status, FIELD_OPTIONAL_TEXT),
};

static const struct field finding_fields[] = {
	FIELD(finding_row, lint, FIELD_TEXT),
	FIELD(finding_row, severity, FIELD_TEXT),
	FIELD(finding_row, message, FIELD_VALUE),
};

static const struct field host_fields[] = { { "unmet_message", FIELD_VALUE, 0 } };

static bool is_stored(const char *status)
{
	return strcmp(status, "drift") == 0 || strcmp(status, "unknown") == 0 ||
	       strcmp(status, "unsupported") == 0;
}

static bool store_setting(struct store *s, const struct report *r, const char *port,
			  const struct setting_row *row, const struct json_path *at,
			  struct err *err)
{
	_free_ char *desired = NULL, *actual = NULL;
	struct cell d, a;

	return value_cell(row->desired, false, at, &desired, &d, err) &&
	       value_cell(row->actual, false, at, &actual, &a, err) &&
	       STORE_RUN(s, STORE_SETTING, err, CELL_NUMBER(r->id), CELL_TEXT(port),
			 CELL_TEXT(row->setting), CELL_TEXT(row->status),
			 CELL_NUMBER(row->contested), d, a);
}

static bool flatten_settings(struct store *s, const struct report *r, const struct port *p,
			     const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "settings", 0 };

	for (size_t i = 0; i < list_size(p->settings); i++) {
		const struct json_path here = { &list, NULL, i };
		struct setting_row row = { 0 };

		if (!FIELDS_READ(json_array_get(p->settings, i), verified_setting, &row, &here,
				 err) ||
		    (is_stored(row.status) && !store_setting(s, r, p->port, &row, &here, err)))
			return false;
	}
	return true;
}

/* The peer's part of a setting goes by the name that the agent reports: "peer.pfc". */
static bool flatten_comparisons(struct store *s, const struct report *r, const struct port *p,
				const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "comparisons", 0 };
	char name[64];

	for (size_t i = 0; i < list_size(p->comparisons); i++) {
		const struct json_path here = { &list, NULL, i };
		struct setting_row row = { 0 };

		if (!FIELDS_READ(json_array_get(p->comparisons, i), compared_setting, &row, &here,
				 err))
			return false;
		snprintf(name, sizeof(name), "peer.%s", row.setting);
		row.setting = name;
		if (is_stored(row.status) && !store_setting(s, r, p->port, &row, &here, err))
			return false;
	}
	return true;
}

static bool flatten_drifted(struct store *s, const struct report *r, const struct port *p,
			    const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "drifted_settings", 0 };

	for (size_t i = 0; i < list_size(p->drifted_settings); i++) {
		const struct json_path here = { &list, NULL, i };
		struct setting_row row = { 0 };

		if (!FIELDS_READ(json_array_get(p->drifted_settings, i), drifted_setting, &row,
				 &here, err))
			return false;
		row.contested = strcmp(row.status, "contested") == 0;
		row.status = "drift";
		if (!store_setting(s, r, p->port, &row, &here, err))
			return false;
	}
	return true;
}

static bool flatten_unknown(struct store *s, const struct report *r, const struct port *p,
			    const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "unknown_settings", 0 };

	for (size_t i = 0; i < list_size(p->unknown_settings); i++) {
		const json_t *name = json_array_get(p->unknown_settings, i);
		const struct json_path here = { &list, NULL, i };
		struct setting_row row = { json_string_value(name), "unknown", NULL, NULL, false };

		if (!json_is_string(name))
			return err_policy(err, &here, "a name is expected");
		if (!store_setting(s, r, p->port, &row, &here, err))
			return false;
	}
	return true;
}

/* verify lists the symptoms that it looked for; the agent, those that it found. */
static bool flatten_symptoms(struct store *s, const struct report *r, const struct port *p,
			     const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "symptoms", 0 };

	for (size_t i = 0; i < list_size(p->symptoms); i++) {
		const struct json_path here = { &list, NULL, i };
		struct symptom_row row = { 0 };

		if (!FIELDS_READ(json_array_get(p->symptoms, i), symptom_fields, &row, &here, err))
			return false;
		if (row.status && strcmp(row.status, "in_sync") == 0)
			continue;
		if (!STORE_RUN(s, STORE_SYMPTOM, err, CELL_NUMBER(r->id), CELL_TEXT(p->port),
			       CELL_TEXT(row.symptom), CELL_TEXT(row.severity)))
			return false;
	}
	return true;
}

/* A critical finding is drift, whichever settings it comes of. */
static bool flatten_findings(struct store *s, const struct report *r, const struct port *p,
			     const struct json_path *at, struct err *err)
{
	const struct json_path list = { at, "findings", 0 };

	for (size_t i = 0; i < list_size(p->findings); i++) {
		const struct json_path here = { &list, NULL, i };
		struct finding_row f = { 0 };

		if (!FIELDS_READ(json_array_get(p->findings, i), finding_fields, &f, &here, err))
			return false;
		if (strcmp(f.severity, "critical") == 0 &&
		    !store_setting(s, r, p->port,
				   &(struct setting_row){ f.lint, "drift", NULL, f.message, false },
				   &here, err))
			return false;
	}
	return true;
}

/* A port that is gone has no settings to name. */
static bool flatten_present(struct store *s, const struct report *r, const struct port *p,
			    const struct json_path *at, struct err *err)
{
	const struct setting_row row = { "present", "unknown", json_true(), p->present, false };

	return !json_is_false(p->present) || store_setting(s, r, p->port, &row, at, err);
}

/* Rules without their ports are of no port. */
static bool flatten_unmet(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path here = { NULL, "unmet_message", 0 };
	struct setting_row row = { "rules", "unknown", NULL, NULL, false };

	return FIELDS_READ(r->document, host_fields, &row.actual, NULL, err) &&
	       (!row.actual || store_setting(s, r, "-", &row, &here, err));
}

bool flatten_verify(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "ports", 0 };

	for (size_t i = 0; i < list_size(r->ports); i++) {
		const struct json_path here = { &list, NULL, i };
		struct port p = { 0 };

		if (!FIELDS_READ(json_array_get(r->ports, i), verify_port, &p, &here, err) ||
		    !flatten_settings(s, r, &p, &here, err) ||
		    !flatten_comparisons(s, r, &p, &here, err) ||
		    !flatten_findings(s, r, &p, &here, err) ||
		    !flatten_symptoms(s, r, &p, &here, err))
			return false;
	}
	return flatten_unmet(s, r, err) && state_values_of_verify(s, r, err);
}

bool flatten_status(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "ports", 0 };

	for (size_t i = 0; i < list_size(r->ports); i++) {
		const struct json_path here = { &list, NULL, i };
		struct port p = { 0 };

		if (!FIELDS_READ(json_array_get(r->ports, i), status_port, &p, &here, err) ||
		    !flatten_drifted(s, r, &p, &here, err) ||
		    !flatten_unknown(s, r, &p, &here, err) ||
		    !flatten_present(s, r, &p, &here, err) ||
		    !flatten_findings(s, r, &p, &here, err) ||
		    !flatten_symptoms(s, r, &p, &here, err))
			return false;
	}
	return flatten_unmet(s, r, err);
}
