#include <string.h>

#include "../../../agent/host/cleanup.h"
#include "fields.h"
#include "flatten.h"
#include "state_values.h"

struct port {
	const char *port;
	json_t *settings, *comparisons, *symptoms, *drifted_settings, *unknown_settings;
};

struct setting_row {
	const char *setting, *status;
	json_t *desired, *actual;
	bool contested;
};

struct symptom_row {
	const char *symptom, *severity, *status;
};

static const struct field verify_port[] = {
	FIELD(port, port, FIELD_TEXT),
	FIELD(port, settings, FIELD_LIST),
	FIELD(port, comparisons, FIELD_OPTIONAL_LIST),
	FIELD(port, symptoms, FIELD_OPTIONAL_LIST),
};

static const struct field status_port[] = {
	FIELD(port, port, FIELD_TEXT),
	FIELD(port, drifted_settings, FIELD_LIST),
	FIELD(port, unknown_settings, FIELD_LIST),
	FIELD(port, symptoms, FIELD_OPTIONAL_LIST),
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

bool flatten_verify(struct store *s, const struct report *r, struct err *err)
{
	const struct json_path list = { NULL, "ports", 0 };

	for (size_t i = 0; i < list_size(r->ports); i++) {
		const struct json_path here = { &list, NULL, i };
		struct port p = { 0 };

		if (!FIELDS_READ(json_array_get(r->ports, i), verify_port, &p, &here, err) ||
		    !flatten_settings(s, r, &p, &here, err) ||
		    !flatten_comparisons(s, r, &p, &here, err) ||
		    !flatten_symptoms(s, r, &p, &here, err))
			return false;
	}
	return state_values_of_verify(s, r, err);
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
		    !flatten_symptoms(s, r, &p, &here, err))
			return false;
	}
	return true;
}
