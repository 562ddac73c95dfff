/* One document: checked, and flattened into the tables. */
#ifndef LOSSLESSCTL_CLI_FLEET_DOCUMENT_H
#define LOSSLESSCTL_CLI_FLEET_DOCUMENT_H

#include "store.h"

#define DOCUMENT_MAX (16u << 20) /* bytes */

enum document_outcome {
	DOCUMENT_NEW,
	DOCUMENT_KNOWN,	  /* the same report was stored before */
	DOCUMENT_IGNORED, /* of losslessctl, and of a kind that tells nothing about a fleet */
	DOCUMENT_REJECTED,
	DOCUMENT_OUTCOMES
};

/*
 * Stores all of a document, or nothing of it. One that is not accepted is set aside with its source
 * and the reason, which `ret_reason` receives. Errors are those of the database.
 */
bool document_ingest(struct store *s, const char *text, size_t size, const char *source,
		     enum document_outcome *ret, struct err *ret_reason,
		     struct err *err) must_check;

#endif
