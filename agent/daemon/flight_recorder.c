#include "flight_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../host/cleanup.h"
#include "../host/log.h"
#include "../monitor/rates.h"
#include "monitored_ports.h"

/* ---- samples ---- */

_Static_assert(SYMPTOMS_MAX <= 32, "a bit for each in struct flight_sample");

void flight_begin(struct flight *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < FLIGHT_SAMPLES; i++)
		f->ring[i].sent_on = f->ring[i].received_on = ON_NONE;
}

void flight_interrupt(struct flight *f)
{
	f->begun = false;
}

/* The upper half of a float without its sign: 8 of the 23 digits of its fraction. */
#define LOWER_BITS 15

static uint16_t to_16_bits(double rate)
{
	float rounded = (float)rate;
	uint32_t bits;

	memcpy(&bits, &rounded, sizeof(bits));
	return (uint16_t)((bits + (1u << (LOWER_BITS - 1))) >> LOWER_BITS);
}

double flight_rate(const struct flight_sample *row, enum rate which)
{
	uint32_t bits = (uint32_t)row->rate[which] << LOWER_BITS;
	float rate;

	memcpy(&rate, &bits, sizeof(rate));
	return (double)rate;
}

struct rates flight_rates(const struct flight_sample *row)
{
	struct rates r = { .sent_on = row->sent_on, .received_on = row->received_on };

	for (size_t i = 0; i < RATE_COUNT; i++)
		r.value[i] = flight_rate(row, (enum rate)i);
	return r;
}

void flight_set_rates(struct flight_sample *row, const struct rates *r)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		row->rate[i] = to_16_bits(r->value[i]);
	row->sent_on = (int8_t)r->sent_on;
	row->received_on = (int8_t)r->received_on;
}

static uint16_t at_most_16_bits(uint64_t n)
{
	return n < UINT16_MAX ? (uint16_t)n : UINT16_MAX;
}

/* By the driver's counter, else by the kernel's: that one also counts an administrator's. */
static uint64_t link_downs(const struct counter_delta *s)
{
	bool known = counter_delta_known(s, COUNT_LINK_DOWNS, 0);

	return counter_delta_count(s, known ? COUNT_LINK_DOWNS : COUNT_CARRIER_DOWNS, 0);
}

/* Events are of all priorities, and errors of priority 0; kernels before 2026 lack events. */
static uint64_t watchdog_trips(const struct counter_delta *s)
{
	uint64_t first = counter_delta_count(s, COUNT_STORM_ERRORS, 0);
	uint64_t all = counter_delta_count(s, COUNT_STORM_EVENTS, 0);

	return all > first ? all : first;
}

static struct flight_sample row_of(const struct sample *from, const struct sample *to,
				   uint32_t raised)
{
	struct counter_delta s = counter_delta_between(from, to);
	struct rates r = rates_of(&s);
	uint64_t ms = to->at_ms - from->at_ms;
	struct flight_sample row = {
		.at_ms = to->at_ms,
		.interval_ms = ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX,
		.symptoms = raised,
		.link_downs = at_most_16_bits(link_downs(&s)),
		.watchdog_trips = at_most_16_bits(watchdog_trips(&s)),
	};

	flight_set_rates(&row, &r);
	return row;
}

static void push(struct flight *f, const struct flight_sample *row)
{
	f->newest = f->count ? (f->newest + 1) % FLIGHT_SAMPLES : 0;
	f->ring[f->newest] = *row;
	if (f->count < FLIGHT_SAMPLES)
		f->count++;
}

void flight_add(struct flight *f, const struct sample *s, uint32_t raised, bool at_once)
{
	uint64_t step = at_once ? 1 : FLIGHT_STEP_MS;
	struct flight_sample row;

	if (f->begun && s->at_ms - f->from.at_ms < step)
		return;
	if (f->begun) {
		row = row_of(&f->from, s, raised);
		push(f, &row);
	}
	f->from = *s;
	f->begun = true;
}

const struct flight_sample *flight_row(const struct flight *f, size_t i)
{
	size_t oldest = f->newest + FLIGHT_SAMPLES + 1 - f->count;

	return &f->ring[(oldest + i) % FLIGHT_SAMPLES];
}

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

/* ---- the files ---- */

/* A file of the last ten minutes is kept as long as if this agent had written it. */
static uint64_t kept_until(int64_t detected_s, uint64_t now_ms)
{
	int64_t age_ms = ((int64_t)time(NULL) - detected_s) * 1000;

	return age_ms >= 0 && age_ms < RECORDING_PAUSE_MS
		       ? now_ms + RECORDING_PAUSE_MS - (uint64_t)age_ms
		       : 0;
}

struct loading {
	struct recorders *all;
	uint64_t now_ms;
};

static void note_file(const struct flight_recording *r, const json_t *document, void *arg)
{
	const struct loading *l = arg;
	struct recorded *file = &l->all->files[r->number - 1];

	(void)document;
	*file = (struct recorded){ .exists = true,
				   .detected_s = r->incident.detected_s,
				   .until_ms = kept_until(r->incident.detected_s, l->now_ms) };
	memcpy(file->port, r->incident.port, sizeof(file->port));
	memcpy(file->pci, r->incident.pci, sizeof(file->pci));
	memcpy(file->symptom, r->incident.symptom, sizeof(file->symptom));
}

/* A file that cannot be read is the first to be replaced once there is no free number. */
static void note_skipped(unsigned number, const struct err *why, void *arg)
{
	const struct loading *l = arg;

	(void)why;
	l->all->files[number - 1] = (struct recorded){ .exists = true };
}

bool recorders_load(struct recorders *all, struct host *h, struct err *err)
{
	struct loading l = { all, h->now_ms(h) };
	const struct recording_visitor v = { note_file, note_skipped, &l };

	return recordings_each(h, &v, err);
}

static bool is_of(const struct recorded *file, const char *port, const char *pci)
{
	return file->exists && strcmp(file->port, port) == 0 && strcmp(file->pci, pci) == 0;
}

const struct recorded *recorded_last(const struct recorded files[RECORDINGS_MAX],
				     const struct port *port)
{
	const struct recorded *last = NULL;

	for (size_t i = 0; i < RECORDINGS_MAX; i++)
		if (is_of(&files[i], port->id.name, port->id.pci) &&
		    (!last || files[i].detected_s > last->detected_s))
			last = &files[i];
	return last;
}

/* The oldest file, or a free number; NULL if all are too new. */
static struct recorded *replaceable(struct recorders *all, uint64_t now_ms)
{
	struct recorded *oldest = NULL;

	for (size_t i = 0; i < RECORDINGS_MAX; i++) {
		struct recorded *file = &all->files[i];

		if (!file->exists)
			return file;
		if (file->until_ms <= now_ms && (!oldest || file->detected_s < oldest->detected_s))
			oldest = file;
	}
	return oldest;
}

unsigned recorders_take_file(struct recorders *all, const struct recorder *r, uint64_t now_ms)
{
	struct recorded *file = replaceable(all, now_ms);

	for (size_t i = 0; i < RECORDINGS_MAX; i++)
		if (is_of(&all->files[i], r->port, r->pci) && all->files[i].until_ms > now_ms)
			return 0;
	if (!file)
		return 0;
	*file = (struct recorded){ .exists = true,
				   .detected_s = (int64_t)time(NULL),
				   .until_ms = now_ms + RECORDING_PAUSE_MS };
	memcpy(file->port, r->port, sizeof(file->port));
	memcpy(file->pci, r->pci, sizeof(file->pci));
	return (unsigned)(file - all->files) + 1;
}

/* ---- the recorders ---- */

static struct recorder *recorder_new(const struct port *port)
{
	struct recorder *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	memcpy(r->port, port->id.name, sizeof(r->port));
	memcpy(r->pci, port->id.pci, sizeof(r->pci));
	flight_begin(&r->flight);
	return r;
}

/* Takes the recorder of a port out of the list, or makes one. */
static struct recorder *take_or_make(struct recorders *all, const struct port *port)
{
	for (size_t i = 0; i < all->count; i++) {
		struct recorder *r = all->list[i];

		if (!r || strcmp(r->port, port->id.name) != 0 || strcmp(r->pci, port->id.pci) != 0)
			continue;
		all->list[i] = NULL;
		return r;
	}
	return recorder_new(port);
}

void recorders_free(struct recorders *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->list[i]);
	free(all->list);
	all->list = NULL;
	all->count = 0;
}

void recorders_follow(struct recorders *all, const struct monitored_ports *ports)
{
	struct recorder **list = calloc(ports->count + 1, sizeof(struct recorder *));

	for (size_t i = 0; list && i < ports->count; i++)
		list[i] = take_or_make(all, &ports->list[i].port);
	recorders_free(all);
	all->list = list;
	all->count = list ? ports->count : 0;
}

struct recorder *recorders_of_port(const struct recorders *all, const struct monitored_ports *ports,
				   const struct monitored_port *mp)
{
	size_t i = (size_t)(mp - ports->list);

	return i < all->count ? all->list[i] : NULL;
}
