/*
 * Threads that parse documents beside the one that stores them: parsing is most of the work of an
 * ingest. Documents come out in the order in which they went in.
 */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_PARSERS_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_PARSERS_H

#include <pthread.h>

#include "parsed.h"

#define PARSERS_THREADS 2
#define PARSERS_SLOTS	8 /* a document and its arena each: they bound the memory */

struct parsers {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t threads[PARSERS_THREADS];
	size_t threads_count;
	struct parsed slots[PARSERS_SLOTS];
	bool done[PARSERS_SLOTS];
	size_t put, begun, taken; /* documents so far */
	bool stop;
};

/* Starts the threads; parsers_stop() ends them, and frees the slots. */
bool parsers_start(struct parsers *p, struct err *err) must_check;
void parsers_stop(struct parsers *p);
#define _parsers_ __attribute__((cleanup(parsers_stop)))

/* A slot to fill, or NULL: take a document first. parsers_put() has it parsed. */
struct parsed *parsers_slot(struct parsers *p);
void parsers_put(struct parsers *p);

/* Waits for the oldest document; NULL: there is none. parsers_taken() frees its slot. */
struct parsed *parsers_oldest(struct parsers *p);
void parsers_taken(struct parsers *p);

#endif
