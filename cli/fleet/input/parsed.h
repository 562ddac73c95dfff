/* A document that was read, and what jansson makes of it. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_PARSED_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_PARSED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../../policy/util/err.h"

/* ---- memory ---- */

/* Memory of one document: taken piece by piece, bounded, and given back as a whole. */

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

/* ---- parsed ---- */

#define DOCUMENT_MAX (8u << 20) /* bytes */

/* The caller owns it, zero at first, and may fill it again. */
struct parsed {
	char *text, *source; /* FILE:LINE */
	size_t size, room;
	json_t *root;	   /* in the arena; NULL: see `reason` */
	struct err reason; /* ERR_POLICY: the document is not accepted */
	struct arena arena;
};

/* Copies a document. One with a reason is not parsed. */
bool parsed_fill(struct parsed *p, const char *text, size_t size, const char *source,
		 const struct err *reason, struct err *err) must_check;

/* Parses it, in any thread. */
void parsed_parse(struct parsed *p);

void parsed_free(struct parsed *p);
#define _parsed_ __attribute__((cleanup(parsed_free)))

#endif
