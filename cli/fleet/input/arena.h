/* Memory of one document: taken piece by piece, bounded, and given back as a whole. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_ARENA_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_piece;

struct arena {
	struct arena_piece *pieces; /* the newest first */
	size_t used;		    /* bytes of the newest */
	size_t size;		    /* bytes of all */
	bool exhausted;		    /* there was no more */
};

/* Lets jansson take memory of the arena of its thread; where there is none, as oom.h does. */
void arena_serve_jansson(void);

/* Sets the arena of this thread, or none. What is in an arena is never freed by itself. */
void arena_use(struct arena *a);

/* Forgets all that was taken; keeps one piece for the next document. */
void arena_reset(struct arena *a);

/* Frees all of it; nothing that was taken is valid any longer. */
void arena_free(struct arena *a);

#endif
