/* A document that was read, and what jansson makes of it. */
#ifndef LOSSLESSCTL_CLI_FLEET_INPUT_PARSED_H
#define LOSSLESSCTL_CLI_FLEET_INPUT_PARSED_H

#include <jansson.h>

#include "../../../policy/util/err.h"
#include "arena.h"

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
