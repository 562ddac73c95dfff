#include "state_values.h"

#include <string.h>

#include "../../../agent/host/cleanup.h"
#include "../../../policy/document/config_json.h"
#include "../../../policy/util/json_dump.h"
#include "../../../policy/util/json_util.h"
#include "../../../policy/util/oom.h"
#include "../../../policy/util/sha256.h"

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
