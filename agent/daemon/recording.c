#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../host/cleanup.h"
#include "../host/log.h"

/* ---- writing ---- */

static json_t *time_to_json(int64_t when_s)
{
	char text[TIMESTAMP_MAX];

	return json_string(timestamp_text(when_s, text));
}

static json_t *symptoms_to_json(uint32_t raised)
{
	json_t *list = json_array();

	for (size_t i = 0; i < symptoms_count; i++)
		if (raised & (1u << i))
			json_array_append_new(list, json_string(symptoms[i].name));
	return list;
}

static json_t *sample_to_json(const struct flight_sample *s)
{
	struct rates r = flight_rates(s);
	json_t *object =
		json_pack("{s:o, s:o}", "sampled_at", time_to_json((int64_t)(s->at_ms / 1000)),
			  "interval_s", rates_number((double)s->interval_ms / 1000));

	rates_to_json(object, &r);
	json_object_set_new(object, "link_down_count", json_integer(s->link_downs));
	json_object_set_new(object, "watchdog_trip_count", json_integer(s->watchdog_trips));
	json_object_set_new(object, "symptoms", symptoms_to_json(s->symptoms));
	return object;
}

json_t *recording_summary(const struct flight_recording *r)
{
	const struct incident *i = &r->incident;

	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i}", "number", (int)r->number,
			 "port", json_from_text(i->port), "pci", json_from_text(i->pci), "symptom",
			 json_from_text(i->symptom), "origin", json_from_text(i->origin), "message",
			 json_from_text(i->message), "detected_at", time_to_json(i->detected_s),
			 "withheld_count", (int)i->withheld, "sample_count", (int)r->count);
}

/* One row at a time: a tree of all of them takes four times their text. */
static bool print_samples(FILE *to, const struct flight_recording *r)
{
	bool whole = true;

	for (size_t i = 0; i < r->count; i++) {
		json_auto_t *sample = sample_to_json(&r->samples[i]);
		_free_ char *text =
			json_dump_sanitized(sample,
					    JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS));

		whole = whole && text && fprintf(to, "%s\n%s", i ? "," : "", text) > 0;
	}
	return whole;
}

char *recording_to_text(const struct flight_recording *r, json_t *head)
{
	json_auto_t *doc = head, *summary = recording_summary(r);
	_free_ char *begin = NULL;
	char *text = NULL;
	size_t size;
	bool whole;
	FILE *to;

	json_object_update(doc, summary);
	begin = json_dump_sanitized(doc, JSON_COMPACT);
	to = begin ? open_memstream(&text, &size) : NULL;
	if (!to)
		return NULL;
	begin[strlen(begin) - 1] = '\0'; /* its closing brace */
	whole = fprintf(to, "%s,\"samples\":[", begin) > 0 && print_samples(to, r) &&
		fputs("\n]}\n", to) >= 0;
	if (fclose(to) == 0 && whole)
		return text;
	free(text);
	return NULL;
}

/* ---- reading ---- */

static bool text_from_json(const json_t *j, const char *key, char *ret, size_t size)
{
	const json_t *value = json_object_get(j, key);
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) &&
	       (size_t)snprintf(ret, size, "%s", text) < size;
}

static bool time_from_json(const json_t *j, const char *key, int64_t *ret)
{
	const char *text = json_string_value(json_object_get(j, key));

	return text && timestamp_parse(text, ret) && *ret >= 0;
}

static bool count_from_json(const json_t *j, const char *key, json_int_t max, json_int_t *ret)
{
	const json_t *value = json_object_get(j, key);

	*ret = json_integer_value(value);
	return json_is_integer(value) && *ret >= 0 && *ret <= max;
}

/* Symptoms of a later version are left out. */
static bool symptoms_from_json(const json_t *list, uint32_t *ret)
{
	const json_t *name;
	size_t at;

	*ret = 0;
	json_array_foreach (list, at, name) {
		if (!json_is_string(name))
			return false;
		for (size_t i = 0; i < symptoms_count; i++)
			if (strcmp(symptoms[i].name, json_string_value(name)) == 0)
				*ret |= 1u << i;
	}
	return json_is_array(list);
}

static bool sample_from_json(const json_t *j, struct flight_sample *ret)
{
	double interval = json_number_value(json_object_get(j, "interval_s"));
	json_int_t link_downs, watchdog_trips;
	struct rates r;
	int64_t at;

	if (!time_from_json(j, "sampled_at", &at) || !(interval >= 0.001 && interval < 1e6) ||
	    !rates_from_json(j, &r) ||
	    !count_from_json(j, "link_down_count", UINT16_MAX, &link_downs) ||
	    !count_from_json(j, "watchdog_trip_count", UINT16_MAX, &watchdog_trips) ||
	    !symptoms_from_json(json_object_get(j, "symptoms"), &ret->symptoms))
		return false;
	ret->at_ms = (uint64_t)at * 1000;
	ret->interval_ms = (uint32_t)(interval * 1000);
	ret->link_downs = (uint16_t)link_downs;
	ret->watchdog_trips = (uint16_t)watchdog_trips;
	flight_set_rates(ret, &r);
	return true;
}

static bool incident_from_json(const json_t *j, struct incident *ret)
{
	json_int_t withheld;
	bool ok = text_from_json(j, "port", ret->port, sizeof(ret->port)) &&
		  text_from_json(j, "pci", ret->pci, sizeof(ret->pci)) &&
		  text_from_json(j, "symptom", ret->symptom, sizeof(ret->symptom)) &&
		  text_from_json(j, "origin", ret->origin, sizeof(ret->origin)) &&
		  text_from_json(j, "message", ret->message, sizeof(ret->message)) &&
		  time_from_json(j, "detected_at", &ret->detected_s) &&
		  count_from_json(j, "withheld_count", INT32_MAX, &withheld);

	ret->withheld = ok ? (unsigned)withheld : 0;
	return ok;
}

#define damaged(err, ...) err_set(err, ERR_POLICY, EINVAL, __VA_ARGS__)

bool recording_from_json(const json_t *j, struct flight_recording *ret, struct err *err)
{
	const char *schema = json_string_value(json_object_get(j, "schema"));
	const json_t *list = json_object_get(j, "samples"), *sample;
	size_t i;

	*ret = (struct flight_recording){ .count = 0 };
	if (!schema || strncmp(schema, RECORDING_SCHEMA, strlen(RECORDING_SCHEMA) - 1) != 0)
		return damaged(err, "not a recording: its schema is not " RECORDING_SCHEMA);
	if (strcmp(schema, RECORDING_SCHEMA) != 0)
		return err_set(err, ERR_UNSUPPORTED, 0,
			       "its schema is %.40s, and this version reads " RECORDING_SCHEMA,
			       schema);
	if (!incident_from_json(j, &ret->incident))
		return damaged(err, "damaged: its incident is incomplete");
	if (!json_is_array(list) || json_array_size(list) > FLIGHT_SAMPLES)
		return damaged(err, "damaged: it has no samples, or more than %d", FLIGHT_SAMPLES);
	json_array_foreach (list, i, sample) {
		if (!sample_from_json(sample, &ret->samples[i]))
			return damaged(err, "damaged: sample %zu is incomplete", i + 1);
	}
	ret->count = json_array_size(list);
	return true;
}

size_t recording_incident_row(const struct flight_recording *r)
{
	size_t i = 0;

	while (i < r->count && (int64_t)(r->samples[i].at_ms / 1000) < r->incident.detected_s)
		i++;
	return i;
}

/* ---- files ---- */

#define READ_MAX (512u << 10) /* a recording has at most 200 KiB */

/* A regular file of root. */
static bool is_trusted_file(const struct host *h, const char *path, struct err *err)
{
	struct stat s;

	if (fstatat(h->root, &path[1], &s, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(err, errno == ENOENT ? ERR_MISSING : host_err_kind(errno), errno,
			       "%s", strerror(errno));
	if (!S_ISREG(s.st_mode))
		return err_set(err, ERR_REFUSED, EINVAL, "not a regular file");
	return s.st_uid == 0 || s.st_uid == geteuid() ||
	       err_set(err, ERR_REFUSED, EPERM, "it belongs to user %u instead of root",
		       (unsigned)s.st_uid);
}

static bool parse(const char *text, struct flight_recording *ret, json_t **document,
		  struct err *err)
{
	json_auto_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	if (oom_happened())
		return err_no_memory(err);
	if (!doc)
		return err_set(err, ERR_POLICY, EINVAL, "damaged: not a JSON document");
	if (!recording_from_json(doc, ret, err))
		return false;
	*document = json_incref(doc);
	return true;
}

static bool load(struct host *h, unsigned number, struct flight_recording *ret, json_t **document,
		 struct err *err)
{
	_free_ char *text = NULL;
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), RECORDING_FILE, number);
	if (is_trusted_file(h, path, err) &&
	    host_read_large_file(h, READ_MAX, &text, err, "%s", path) &&
	    parse(text, ret, document, err)) {
		ret->number = number;
		return true;
	}
	if (err->kind != ERR_DENIED && err->code != ENOMEM)
		err_add_fix(err, "run `rm %s` if it is not needed", path);
	return err_in(err, "%s", path);
}

bool recording_load(struct host *h, unsigned number, struct flight_recording *ret,
		    json_t **document, struct err *err)
{
	return host_owns_dir(h, STATE_DIR, err) && host_owns_dir(h, RECORDINGS_DIR, err) &&
	       load(h, number, ret, document, err);
}

/* Reports one file; false if no other could be read either. */
static bool visit(struct host *h, unsigned number, const struct recording_visitor *v,
		  struct err *err)
{
	_free_ struct flight_recording *r = calloc(1, sizeof(*r));
	json_auto_t *document = NULL;
	struct err why = { 0 };

	if (!r)
		return err_no_memory(err);
	if (load(h, number, r, &document, &why)) {
		v->found(r, document, v->arg);
		return true;
	}
	if (why.kind == ERR_DENIED || why.code == ENOMEM) {
		*err = why;
		return false;
	}
	if (why.kind != ERR_MISSING && v->skipped)
		v->skipped(number, &why, v->arg);
	return true;
}

bool recordings_each(struct host *h, const struct recording_visitor *v, struct err *err)
{
	if (!host_owns_dir(h, STATE_DIR, err) || !host_owns_dir(h, RECORDINGS_DIR, err))
		return false;
	for (unsigned number = 1; number <= RECORDINGS_MAX; number++)
		if (!visit(h, number, v, err))
			return false;
	return true;
}

bool recording_save(struct host *h, unsigned number, const char *text, struct err *err)
{
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), RECORDING_FILE, number);
	return host_make_dir(h, err, "%s", RECORDINGS_DIR) &&
	       host_owns_dir(h, RECORDINGS_DIR, err) && host_save_file(h, path, text, err);
}
