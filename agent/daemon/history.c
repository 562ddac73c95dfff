#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/document/settings_json.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../host/cleanup.h"
#include "../host/log.h"
#include "history.h"

#define FILE_NAME "/var/lib/losslessctl/drift.jsonl"

/* Maximum number of bytes read; a longer file is not ours and is moved aside. */
#define READ_MAX (1u << 20)

/* The first line of a file from which records were dropped. */
#define DROPPED_SCHEMA "losslessctl/drift-dropped/1"
#define FIRST_LINE_MAX 100

static const char *const events[HISTORY_EVENT_COUNT] = {
	[HISTORY_DETECTED] = "detected",
	[HISTORY_REPAIRED] = "repaired",
	[HISTORY_RESOLVED] = "resolved",
	[HISTORY_CONTESTED] = "contested",
};

const char *history_event_name(enum history_event e)
{
	return events[e];
}

json_t *history_to_json(const struct drift_record *r)
{
	const struct setting *k = &settings[r->setting];
	char when[TIMESTAMP_MAX], first[TIMESTAMP_MAX];

	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:s, s:o}", "schema",
			 HISTORY_SCHEMA, "recorded_at", timestamp_text(r->when_s, when), "port",
			 json_from_text(r->port), "pci", json_from_text(r->pci), "setting", k->path,
			 "event", events[r->event], "from", setting_to_json(k, &r->from), "to",
			 setting_to_json(k, &r->to), "likely_writer", json_from_text(r->writer),
			 "first_seen_at", timestamp_text(r->first_seen_s, first), "duration_s",
			 r->event == HISTORY_DETECTED ? json_null()
						      : json_integer((json_int_t)r->lasted_s));
}

static bool text_from_json(const json_t *j, const char *key, char *ret, size_t size)
{
	const char *text = json_string_value(json_object_get(j, key));

	return text && (size_t)snprintf(ret, size, "%s", text) < size;
}

static bool time_from_json(const json_t *j, const char *key, int64_t *ret)
{
	const char *text = json_string_value(json_object_get(j, key));

	return text && timestamp_parse(text, ret);
}

static bool event_from_json(const json_t *j, enum history_event *ret)
{
	const char *name = json_string_value(json_object_get(j, "event"));

	for (*ret = 0; name && *ret < HISTORY_EVENT_COUNT; ++*ret)
		if (strcmp(name, events[*ret]) == 0)
			return true;
	return false;
}

/* Replaces null, a DSCP without an entry, by 0, because a policy cannot express null. */
static json_t *without_null(json_t *value)
{
	json_t *out = json_copy(value), *entry;
	const char *key;

	json_object_foreach (value, key, entry)
		if (json_is_null(entry))
			json_object_set_new(out, key, json_integer(0));
	return out;
}

static void nulls_from_json(struct config *c, json_t *value)
{
	const char *key;
	json_t *entry;

	json_object_foreach (value, key, entry)
		if (json_is_null(entry))
			c->dscp.prio[strtoul(key, NULL, 10)] = DSCP_NONE;
}

static bool value_from_json(struct config *ret, unsigned setting, json_t *value)
{
	const struct setting *k = &settings[setting];
	json_auto_t *setup = json_object();
	json_t *into = setup;
	struct err quiet = { 0 };
	char group[GROUP_MAX];

	*ret = (struct config){ .has = 0 };
	if (!value)
		return false;
	if (setting_group(k, group)[0]) {
		into = json_object();
		json_object_set_new(setup, group, into);
	}
	json_object_set_new(into, setting_leaf(k),
			    k->type == T_DSCPMAP ? without_null(value) : json_incref(value));
	if (!config_amend_observed(ret, setup, NULL, &quiet))
		return false;
	if (k->type == T_DSCPMAP)
		nulls_from_json(ret, value);
	return true;
}

bool history_from_json(const json_t *j, struct drift_record *ret)
{
	const char *path = json_string_value(json_object_get(j, "setting"));
	const json_t *lasted = json_object_get(j, "duration_s");
	const struct setting *k = path ? setting_find(path) : NULL;

	if (!k || !(json_is_null(lasted) || json_is_integer(lasted)) ||
	    json_integer_value(lasted) < 0)
		return false;
	ret->setting = (enum setting_id)(k - settings);
	if (!event_from_json(j, &ret->event))
		return false;
	ret->lasted_s = ret->event == HISTORY_DETECTED ? 0 : (uint64_t)json_integer_value(lasted);
	return time_from_json(j, "recorded_at", &ret->when_s) &&
	       time_from_json(j, "first_seen_at", &ret->first_seen_s) &&
	       text_from_json(j, "port", ret->port, sizeof(ret->port)) &&
	       text_from_json(j, "pci", ret->pci, sizeof(ret->pci)) &&
	       text_from_json(j, "likely_writer", ret->writer, sizeof(ret->writer)) &&
	       value_from_json(&ret->from, ret->setting, json_object_get(j, "from")) &&
	       value_from_json(&ret->to, ret->setting, json_object_get(j, "to"));
}

static bool has_schema(const json_t *j, const char *name)
{
	const char *schema = json_string_value(json_object_get(j, "schema"));

	return schema && strcmp(schema, name) == 0;
}

/* Reads the file, whose text the caller frees; NULL: there is none. */
static bool load(struct host *h, char **ret, struct err *err)
{
	struct err why = { 0 };

	if (host_read_large_file(h, READ_MAX, ret, &why, FILE_NAME))
		return true;
	if (why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

bool history_each(struct host *h, void (*each)(const struct drift_record *r, void *arg), void *arg,
		  size_t *unread, struct err *err)
{
	_free_ char *text = NULL;
	char *rest, *line;
	size_t others = 0;

	if (!load(h, &text, err))
		return false;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		json_auto_t *j = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		struct drift_record r = { .setting = 0 };
		bool ours = has_schema(j, HISTORY_SCHEMA) && history_from_json(j, &r);

		if (oom_happened())
			return err_no_memory(err);
		if (ours)
			each(&r, arg);
		else
			others += line[0] && !has_schema(j, DROPPED_SCHEMA);
	}
	if (unread)
		*unread = others;
	return true;
}

/* Moves an oversized file aside, and keeps it for the administrator. */
static bool load_or_begin(struct host *h, char **ret, struct err *err)
{
	struct err why = { 0 };

	if (load(h, ret, &why))
		return true;
	if (why.code == EFBIG)
		return host_move_file(h, FILE_NAME, FILE_NAME ".damaged", err);
	*err = why;
	return false;
}

/* Returns the number of dropped records, which is the first line once there are any. */
static uint64_t dropped_before(const char *text)
{
	json_auto_t *j = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
	json_int_t n = json_integer_value(json_object_get(j, "dropped_count"));

	return has_schema(j, DROPPED_SCHEMA) && n > 0 ? (uint64_t)n : 0;
}

/* Skips the oldest lines beyond the maximum, and adds their number to *dropped. */
static const char *newest(const char *text, uint64_t *dropped)
{
	const char *end = text + strlen(text);
	size_t lines = 0;

	if (*dropped)
		text = strchr(text, '\n') + 1;
	for (const char *p = text; p < end; p++)
		lines += *p == '\n';
	while (lines > HISTORY_MAX || end - text > HISTORY_BYTES_MAX - FIRST_LINE_MAX) {
		text = strchr(text, '\n') + 1;
		lines--;
		++*dropped;
	}
	return text;
}

bool history_dropped(struct host *h, uint64_t *ret, struct err *err)
{
	_free_ char *text = NULL;

	*ret = 0;
	if (!load(h, &text, err))
		return false;
	*ret = text ? dropped_before(text) : 0;
	return true;
}

static bool save_newest(struct host *h, const char *all, struct err *err)
{
	uint64_t dropped = dropped_before(all);
	const char *records = newest(all, &dropped);
	_free_ char *text = NULL;

	if (!dropped)
		return host_save_file(h, FILE_NAME, records, err);
	if (asprintf(&text, "{\"schema\":\"" DROPPED_SCHEMA "\",\"dropped_count\":%llu}\n%s",
		     (unsigned long long)dropped, records) < 0) {
		text = NULL;
		return err_no_memory(err);
	}
	return host_save_file(h, FILE_NAME, text, err);
}

json_t *history_narrow(const struct drift_record *r)
{
	struct drift_record narrow = *r;

	if (narrow.from.has & narrow.to.has & SETTING(r->setting))
		setting_drop_equal(&settings[r->setting], &narrow.from, &narrow.to);
	return history_to_json(&narrow);
}

static bool make_dir(struct host *h, struct err *err)
{
	static const char *const folders[] = { "/var", "/var/lib", "/var/lib/losslessctl" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!host_make_dir(h, err, "%s", folders[i]))
			return false;
	return true;
}

/* Returns the new text of the file, which the caller owns. NULL: out of memory. */
static char *with_records(const char *old, const json_t *records)
{
	char *text = NULL;
	size_t size, i;
	json_t *record;
	FILE *f = open_memstream(&text, &size);
	bool whole = f != NULL;

	if (!f)
		return NULL;
	if (old && old[0])
		fprintf(f, "%s\n", old);
	json_array_foreach (records, i, record) {
		_free_ char *line = json_dump_sanitized(record, JSON_COMPACT);

		whole = whole && line && fprintf(f, "%s\n", line) > 0;
	}
	if (fclose(f) == 0 && whole)
		return text;
	free(text);
	return NULL;
}

bool history_add(struct host *h, const json_t *records, struct err *err)
{
	_free_ char *old = NULL, *text = NULL;

	if (!make_dir(h, err) || !load_or_begin(h, &old, err))
		return false;
	text = with_records(old, records);
	if (!text)
		return err_no_memory(err);
	return save_newest(h, text, err);
}
