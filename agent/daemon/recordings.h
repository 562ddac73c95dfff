/*
 * The recordings of this host: a fixed number of files below the state directory, which survive
 * restarts and reboots. Only root reads and writes them.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_RECORDINGS_H
#define LOSSLESSCTL_AGENT_DAEMON_RECORDINGS_H

#include "../host/host.h"
#include "recording.h"

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
