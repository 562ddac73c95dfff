/*
 * A recording: the minutes of a port before a critical symptom, as a document and as a file, which
 * history, doctor and bundle read. The files survive restarts and reboots, and only root reads and
 * writes them.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_RECORDING_H
#define LOSSLESSCTL_AGENT_DAEMON_RECORDING_H

#include <jansson.h>

#include "../host/host.h"
#include "flight_samples.h"

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

/* ---- their files ---- */

#define RECORDINGS_DIR "/var/lib/losslessctl/recordings"
#define RECORDING_FILE RECORDINGS_DIR "/%u.json"

/* A host with eight rails can have an incident on all of them at once. */
#define RECORDINGS_MAX 8

/* Receives recordings. */
struct recording_visitor {
	/* Borrows. `document` is the whole file. */
	void (*found)(const struct flight_recording *r, const json_t *document, void *arg);
	/* A file that is damaged, of another version or not ours; `why` names it. */
	void (*skipped)(unsigned number, const struct err *why, void *arg);
	void *arg;
};

/*
 * Calls the visitor for each file, by number; none is no error. Errors: ERR_REFUSED if users other
 * than root can change the directory, ERR_DENIED, or no memory.
 */
bool recordings_each(struct host *h, const struct recording_visitor *v, struct err *err) must_check;

/*
 * Reads one recording; the caller owns *document. Errors: ERR_MISSING without such a file,
 * ERR_POLICY for a damaged one, and those of recordings_each().
 */
bool recording_load(struct host *h, unsigned number, struct flight_recording *ret,
		    json_t **document, struct err *err) must_check;

/*
 * Replaces a file atomically by the text of recording_to_text(). Makes the directory. Errors: as of
 * host_save_file().
 */
bool recording_save(struct host *h, unsigned number, const char *text, struct err *err) must_check;

#endif
