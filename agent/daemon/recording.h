/*
 * A recording: the minutes of a port before a critical symptom, as a document that the agent writes
 * and that drift, doctor and bundle read (recordings.h).
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_RECORDING_H
#define LOSSLESSCTL_AGENT_DAEMON_RECORDING_H

#include <jansson.h>

#include "../host/links.h"
#include "../monitor/flight.h"

#define RECORDING_SCHEMA "losslessctl/recording/1"

/* The incident of a recording. Times are seconds since 1970, UTC. */
struct incident {
	char port[LINK_NAME_MAX], pci[ID_MAX];
	char symptom[64], origin[16], message[SYMPTOM_TEXT_MAX];
	int64_t detected_s;
	unsigned withheld; /* critical symptoms since the port's recording before, without their own
			    */
};

struct flight_recording {
	unsigned number; /* from 1, as in the name of its file; 0: not in a file */
	struct incident incident;
	size_t count;
	struct flight_sample samples[FLIGHT_SAMPLES]; /* oldest first; at_ms is Unix time */
};

/*
 * Returns the document as text, which the caller frees; NULL without memory. `head` is the
 * beginning of a report on the host with its schema; takes ownership.
 */
char *recording_to_text(const struct flight_recording *r, json_t *head);

/* Reads a document. Fails with ERR_POLICY; ERR_UNSUPPORTED: of another version. */
bool recording_from_json(const json_t *j, struct flight_recording *ret, struct err *err) must_check;

/* Returns the incident with the number and sample_count, but without the samples. The caller owns
 * it. */
json_t *recording_summary(const struct flight_recording *r);

/* Returns the first sample at or after the incident; count if there is none. */
size_t recording_incident_row(const struct flight_recording *r);

#endif
