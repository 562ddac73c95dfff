#include <stdio.h>
#include <string.h>

#include "report_json.h"
#include "topics.h"

static const char *symptom_name(size_t i)
{
	return i < symptoms_count ? symptoms[i].name : NULL;
}

static const char *symptom_says(size_t i)
{
	return symptoms[i].description;
}

static void explain_symptom(struct cli *c, size_t i)
{
	const struct symptom *s = &symptoms[i];
	char kind[32], windows[80];

	snprintf(kind, sizeof(kind), "symptom: %s", symptom_severity_name(s->severity));
	topic_title(c, s->name, kind, s->description);
	topic_line("look at", symptom_origin_name(s->origin));
	snprintf(windows, sizeof(windows),
		 "raised in %u of %u windows, cleared after %u without it", s->windows.raise,
		 s->windows.of, s->windows.clear);
	topic_line("agent", windows);
	topic_line("cause", s->cause);
	topic_line("next", s->next);
}

static json_t *symptom_document(size_t i)
{
	const struct symptom *s = &symptoms[i];
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "symptom", json_string(s->name));
	json_object_set_new(doc, "alarm", json_string(symptom_severity_name(s->severity)));
	json_object_set_new(doc, "what", json_string(s->description));
	json_object_set_new(doc, "look", json_string(symptom_origin_name(s->origin)));
	json_object_set_new(doc, "raise_windows", json_integer(s->windows.raise));
	json_object_set_new(doc, "of_windows", json_integer(s->windows.of));
	json_object_set_new(doc, "clear_windows", json_integer(s->windows.clear));
	json_object_set_new(doc, "cause", json_string(s->cause));
	json_object_set_new(doc, "fix", json_string(s->next));
	return doc;
}

static const char *counter_name(size_t i)
{
	return i < COUNTER_COUNT ? counters[i].name : NULL;
}

static const char *counter_says(size_t i)
{
	return counters[i].doc;
}

/* "rx_prio3_pause" is rx_prio#_pause, too. */
static bool is_counter(size_t i, const char *name)
{
	size_t slot = slot_by_name(counters[i].source, name, strlen(name));
	int prio;

	return strcmp(counters[i].name, name) == 0 ||
	       (slot < COUNTER_SLOTS && slot_counter(slot, &prio) == i);
}

static const char *source_of(const struct counter *c)
{
	static const char *const commands[COUNTER_SOURCES] = {
		[FROM_ETHTOOL] = "ethtool -S PORT",
		[FROM_RDMA] = "rdma statistic show link DEVICE/PORT",
		[FROM_FEC] = "ethtool -I --show-fec PORT",
		[FROM_NETDEV] = "cat /sys/class/net/PORT/COUNTER",
	};

	return commands[c->source];
}

static void explain_counter(struct cli *c, size_t i)
{
	const struct counter *row = &counters[i];

	topic_title(c, row->name, row->is_gauge ? "gauge" : "counter", row->doc);
	topic_line("unit", row->unit);
	topic_line("kernel", source_of(row));
	topic_line("wraps", row->is_gauge ? NULL : row->bits == 32 ? "at 2^32" : "never (64 bits)");
}

static json_t *counter_document(size_t i)
{
	const struct counter *c = &counters[i];
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "counter", json_string(c->name));
	json_object_set_new(doc, "what", json_string(c->doc));
	json_object_set_new(doc, "unit", json_string(c->unit));
	json_object_set_new(doc, "surface", json_string(source_of(c)));
	json_object_set_new(doc, "gauge", json_boolean(c->is_gauge));
	json_object_set_new(doc, "bits", json_integer(c->bits));
	json_object_set_new(doc, "per_priority", json_boolean(i < COUNTERS_PER_PRIO));
	return doc;
}

const struct topic topic_symptoms = { "symptoms",      "symptoms",	 symptom_name, symptom_says,
				      explain_symptom, symptom_document, NULL };

const struct topic topic_counters = { "counters",      "counters",	 counter_name, counter_says,
				      explain_counter, counter_document, is_counter };
