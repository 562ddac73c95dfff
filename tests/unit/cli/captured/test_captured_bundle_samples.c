/* Tests of the two samples in a bundle, judged as the host judges its own. */
#include <stdlib.h>
#include <string.h>

#include "cli/captured/captured_bundle.h"
#include "tests/support/unit.h"

#define MOMENT(ms, counters) \
	"{'ports': [{'port': 'p0', 'uptime_ms': " ms ", 'counters': {" counters "}}]}"
#define IDLE   "'rx_prio3_pause_duration': 0, 'rx_prio3_pause': 0, 'rx_bytes_phy': 0"
#define PAUSED "'rx_prio3_pause_duration': 9000000, 'rx_prio3_pause': 9000, 'rx_bytes_phy': 1000000"

static const struct row {
	const char *sentence, *samples;
	bool counted;
	unsigned seconds;
	const char *symptom; /* "": none */
	const char *unknown; /* "": it is known */
} rows[] = {
	{ "pause for 9 of 10 seconds is a storm",
	  "[" MOMENT("1000", IDLE) "," MOMENT("11000", PAUSED) "]", true, 10,
	  "pause-storm-received", "" },
	{ "no pause is none", "[" MOMENT("1000", IDLE) "," MOMENT("11000", IDLE) "]", true, 10, "",
	  "" },
	{ "one sample proves nothing", "[" MOMENT("1000", IDLE) "]", false, 0, "", "" },
	{ "nor does none", "null", false, 0, "", "" },
	{ "time that runs back is no sample",
	  "[" MOMENT("1000", IDLE) "," MOMENT("999", PAUSED) "]", true, 0, "",
	  "the document does not have two samples of this port's counters" },
	{ "nor is one of another port",
	  "[" MOMENT("1000", IDLE) ",{'ports': [{'port': 'p1', 'uptime_ms': 9000}]}]", true, 0, "",
	  "the document does not have two samples of this port's counters" },
	{ "nor is an error",
	  "[" MOMENT("1000", IDLE) ",{'ports': [{'port': 'p0', 'error': {'message': 'gone'}}]}]",
	  true, 0, "", "the document does not have two samples of this port's counters" },
	{ "a count below zero, and one that is a text, are absent",
	  "[" MOMENT("1000",
		     "'rx_prio3_pause_duration': -1, 'rx_prio3_pause': '0'") "," MOMENT("11000",
											PAUSED) "]",
	  true, 10, "", "the driver lacks the counters that show symptoms" },
};

static json_t *samples_of(const char *text)
{
	char *json = strdup(text);
	json_t *doc;

	for (char *at = json; *at; at++)
		*at = *at == '\'' ? '"' : *at;
	doc = json_loads(json, JSON_DECODE_ANY, NULL);
	free(json);
	assert_non_null(doc);
	return json_pack("{s:o}", "samples", doc);
}

static void samples_are_judged(void **s)
{
	const struct row *row = *s;
	struct captured_host h = { .bundle = samples_of(row->samples) };
	struct target *t = calloc(1, sizeof(*t));
	const struct targets all = { t, 1 };
	const struct thresholds limits = thresholds_defaults();
	struct counted *counted = NULL;
	unsigned seconds = 0;
	struct err err = { 0 };

	strcpy(t->task.port.id.name, "p0");
	t->seen.actual.has = SETTING(SETTING_PFC_PRIORITIES);
	t->seen.actual.pfc.priorities = 1 << 3;
	assert_true(captured_counters_judge(&h, &limits, &all, &counted, &seconds, &err));
	assert_int_equal(seconds, row->seconds);
	assert_true(!counted == !row->counted);
	if (counted) {
		assert_string_equal(counted->unknown, row->unknown);
		assert_int_equal(counted->count, row->symptom[0] != '\0');
		if (counted->count)
			assert_string_equal(counted->active_symptoms[0].symptom->name,
					    row->symptom);
	}
	free(counted);
	free(t);
	json_decref(h.bundle);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, samples_are_judged);
	return suite_run(&s, "captured samples");
}
