/* A host with its recordings in a directory of the test. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_RECORDING_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_RECORDING_HOST_H

#include "agent/daemon/flight_recorder.h"
#include "agent/host/host_linux.h"

#define RECORDINGS "var/lib/losslessctl/recordings"

extern struct host *const recording_h;

/* Makes the directories; false: that failed. */
bool make_recording_root(void);
int remove_recording_root(void);

/* Empties the directory. */
void begin_recordings(void);

/* A recording of this many samples, with something in each of its fields. */
struct flight_recording recording_of(size_t samples);

/* The document of a recording, which the caller frees. */
char *text_of_recording(const struct flight_recording *r);

/* Writes these bytes to the file of that number. */
void put_recording(unsigned number, const char *bytes, size_t size);

/* The recordings that are found. */
struct seen_recordings {
	size_t found, skipped;
	unsigned last, last_skipped; /* their numbers */
	struct err why;
};
struct seen_recordings seen_recordings(void);
extern const struct recording_visitor counting_visitor; /* set its arg before use */

#endif
