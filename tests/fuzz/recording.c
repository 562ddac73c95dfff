/* Fuzz target: a recording of the agent, which is loaded whole or refused. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/daemon/recording.h"
#include "fuzz.h"

static bool read_again(const struct flight_recording *r, struct flight_recording *ret)
{
	char *text = recording_to_text(r, json_pack("{s:s}", "schema", RECORDING_SCHEMA));
	json_t *doc = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
	struct err err = { 0 };
	bool ok = doc && recording_from_json(doc, ret, &err);

	json_decref(doc);
	free(text);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct flight_recording r, again;
	json_t *doc = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
	struct err err = { 0 };

	if (doc && recording_from_json(doc, &r, &err)) {
		MUST(r.count <= FLIGHT_SAMPLES && recording_incident_row(&r) <= r.count);
		MUST(read_again(&r, &again));
		MUST(again.count == r.count && again.incident.detected_s == r.incident.detected_s);
		MUST(strcmp(again.incident.symptom, r.incident.symptom) == 0);
	} else {
		MUST(!doc || err.text[0]);
	}
	json_decref(doc);
	return 0;
}
