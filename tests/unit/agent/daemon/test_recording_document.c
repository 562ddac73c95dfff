/* Tests of a recording's document: it is written and read again, and a broken one is refused. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/cleanup.h"
#include "tests/support/recording_host.h"
#include "tests/support/unit.h"

static bool read_text(const char *text, struct flight_recording *ret, struct err *err)
{
	json_auto_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	return doc && recording_from_json(doc, ret, err);
}

static void same_sample(const struct flight_sample *a, const struct flight_sample *b)
{
	assert_int_equal(a->at_ms, b->at_ms);
	assert_int_equal(a->interval_ms, b->interval_ms);
	assert_int_equal(a->symptoms, b->symptoms);
	assert_int_equal(a->link_downs, b->link_downs);
	assert_int_equal(a->watchdog_trips, b->watchdog_trips);
	assert_int_equal(a->sent_on, b->sent_on);
	assert_int_equal(a->received_on, b->received_on);
	for (size_t i = 0; i < RATE_COUNT; i++)
		assert_true(flight_rate(a, i) == flight_rate(b, i) ||
			    (isnan(flight_rate(a, i)) && isnan(flight_rate(b, i))));
}

static void it_is_read_as_it_was_written(void **s)
{
	struct flight_recording r = recording_of(FLIGHT_SAMPLES), again;
	_free_ char *text = text_of_recording(&r);
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(text, &again, &err));
	assert_int_equal(again.count, r.count);
	assert_memory_equal(&again.incident, &r.incident, sizeof(r.incident));
	for (size_t i = 0; i < r.count; i++)
		same_sample(&again.samples[i], &r.samples[i]);
	assert_int_equal(recording_incident_row(&again), FLIGHT_SAMPLES - 1);
}

static void one_without_samples_is_read(void **s)
{
	struct flight_recording r = recording_of(0), again;
	_free_ char *text = text_of_recording(&r);
	struct err err = { 0 };

	(void)s;
	assert_true(read_text(text, &again, &err));
	assert_int_equal(recording_incident_row(&again), 0);
}

/* A document with all symptoms and the largest numbers stays small enough to be read. */
static void it_is_bounded(void **s)
{
	struct flight_recording r = recording_of(FLIGHT_SAMPLES);
	_free_ char *text = NULL;

	(void)s;
	for (size_t i = 0; i < r.count; i++) {
		struct rates rates = flight_rates(&r.samples[i]);

		r.samples[i].symptoms = UINT32_MAX;
		for (size_t k = 0; k < RATE_COUNT; k++)
			rates.value[k] = 1e14 / 3;
		flight_set_rates(&r.samples[i], &rates);
	}
	text = text_of_recording(&r);
	assert_true(strlen(text) < 200 << 10);
}

static const struct broken_row {
	const char *sentence, *find, *replace;
	enum err_kind kind;
} broken_rows[] = {
	{ "a later version is distinguished from damage", "recording/1", "recording/2",
	  ERR_UNSUPPORTED },
	{ "another document is none", "losslessctl/recording", "losslessctl/drift", ERR_POLICY },
	{ "no schema", "\"schema\":\"losslessctl/recording/1\",", "", ERR_POLICY },
	{ "a schema that is no text", "\"losslessctl/recording/1\"", "[]", ERR_POLICY },
	{ "no port", "\"port\"", "\"prot\"", ERR_POLICY },
	{ "a port's name that is too long", "ens1f0np0", "ens1f0np0ens1f0np0", ERR_POLICY },
	{ "no symptom", "\"symptom\":", "\"symptomatic\":", ERR_POLICY },
	{ "a message that is a number",
	  "\"1 packet was dropped on arrival on lossless priority 3\"", "7", ERR_POLICY },
	{ "a time without a zone", "12:00:00Z\",\"withheld", "12:00:00\",\"withheld", ERR_POLICY },
	{ "a time before 1970", "2026-05-01T12:00:00Z\",\"withheld",
	  "1926-05-01T12:00:00Z\",\"withheld", ERR_POLICY },
	{ "a count below zero", "\"withheld_count\":2", "\"withheld_count\":-2", ERR_POLICY },
	{ "a count that does not fit", "\"withheld_count\":2", "\"withheld_count\":4294967297",
	  ERR_POLICY },
	{ "no samples", "\"samples\"", "\"simples\"", ERR_POLICY },
	{ "samples that are no list", "\"samples\":[", "\"samples\":{},\"x\":[", ERR_POLICY },
	{ "a sample that is none", "\"samples\":[", "\"samples\":[null,", ERR_POLICY },
	{ "an interval of no time", "\"interval_s\":5.0", "\"interval_s\":0", ERR_POLICY },
	{ "an interval below zero", "\"interval_s\":5.0", "\"interval_s\":-5", ERR_POLICY },
	{ "an interval of years", "\"interval_s\":5.0", "\"interval_s\":1e9", ERR_POLICY },
	{ "a rate that is missing", "\"drops_per_s\"", "\"drips_per_s\"", ERR_POLICY },
	{ "a rate that is a text", "\"drops_per_s\":0.0", "\"drops_per_s\":\"0\"", ERR_POLICY },
	{ "a rate below zero", "\"drops_per_s\":0.0", "\"drops_per_s\":-1", ERR_POLICY },
	{ "a rate that no float holds", "\"drops_per_s\":0.0", "\"drops_per_s\":1e300",
	  ERR_POLICY },
	{ "a priority that there is not", "\"pause_sent_priority\":3", "\"pause_sent_priority\":8",
	  ERR_POLICY },
	{ "a priority below zero", "\"pause_sent_priority\":3", "\"pause_sent_priority\":-1",
	  ERR_POLICY },
	{ "more link downs than are counted", "\"link_down_count\":1", "\"link_down_count\":65536",
	  ERR_POLICY },
	{ "trips of half a time", "\"watchdog_trip_count\":0", "\"watchdog_trip_count\":0.5",
	  ERR_POLICY },
	{ "a symptom that is a number", "\"symptoms\":[]", "\"symptoms\":[3]", ERR_POLICY },
	{ "symptoms that are no list", "\"symptoms\":[]", "\"symptoms\":{}", ERR_POLICY },
};

static void broken(void **s)
{
	const struct broken_row *row = *s;
	struct flight_recording r = recording_of(3), again;
	_free_ char *text = text_of_recording(&r), *changed = NULL;
	const char *at = strstr(text, row->find);
	struct err err = { 0 };

	assert_non_null(at);
	assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, row->replace,
			     at + strlen(row->find)) > 0);
	assert_false(read_text(changed, &again, &err));
	assert_int_equal(err.kind, row->kind);
	assert_true(err.text[0] != '\0');
}

static void more_samples_than_are_kept_are_refused(void **s)
{
	struct flight_recording r = recording_of(FLIGHT_SAMPLES), again;
	_free_ char *text = text_of_recording(&r);
	json_auto_t *doc = json_loads(text, 0, NULL);
	json_t *list = json_object_get(doc, "samples");
	struct err err = { 0 };

	(void)s;
	json_array_append(list, json_array_get(list, 0));
	assert_false(recording_from_json(doc, &again, &err));
	assert_int_equal(err.kind, ERR_POLICY);
}

static void what_a_later_version_adds_is_passed_over(void **s)
{
	struct flight_recording r = recording_of(2), again;
	_free_ char *text = text_of_recording(&r);
	json_auto_t *doc = json_loads(text, 0, NULL);
	json_t *sample = json_array_get(json_object_get(doc, "samples"), 1);
	struct err err = { 0 };

	(void)s;
	json_object_set_new(doc, "more", json_true());
	json_array_append_new(json_object_get(sample, "symptoms"), json_string("warp-core-breach"));
	assert_true(recording_from_json(doc, &again, &err));
	assert_int_equal(again.samples[1].symptoms, r.samples[1].symptoms);
}

static void any_bytes_do_no_harm(void **s)
{
	struct flight_recording r = recording_of(3), again;
	_free_ char *text = text_of_recording(&r);
	size_t size = strlen(text);
	unsigned seed = 1;

	(void)s;
	for (int i = 0; i < 2000; i++) {
		_free_ char *bytes = strdup(text);
		struct err err = { 0 };

		for (int n = 0; n < 3; n++)
			bytes[(unsigned)rand_r(&seed) % size] = (char)rand_r(&seed);
		(void)read_text(bytes, &again, &err);
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, it_is_read_as_it_was_written);
	SUITE_ADD(&s, one_without_samples_is_read);
	SUITE_ADD(&s, it_is_bounded);
	SUITE_ADD_ROWS(&s, broken_rows, broken);
	SUITE_ADD(&s, more_samples_than_are_kept_are_refused);
	SUITE_ADD(&s, what_a_later_version_adds_is_passed_over);
	SUITE_ADD(&s, any_bytes_do_no_harm);
	return suite_run(&s, "recording_document");
}
