/* One document: checked, and flattened into the tables. */
#ifndef LOSSLESSCTL_CLI_FLEET_STORE_DOCUMENT_H
#define LOSSLESSCTL_CLI_FLEET_STORE_DOCUMENT_H

#include "database.h"
#include "input/parsed.h"

enum document_outcome {
	DOCUMENT_NEW,
	DOCUMENT_KNOWN,	  /* the same report was stored before */
	DOCUMENT_IGNORED, /* a kind of document that says nothing about a fleet */
	DOCUMENT_REJECTED,
	DOCUMENT_OUTCOMES
};

/*
 * Stores all of a document, or nothing of it. One that is not accepted is set aside with its source
 * and the reason, which d->reason receives. Errors are those of the database.
 */
bool document_ingest(struct store *s, struct parsed *d, enum document_outcome *ret,
		     struct err *err) must_check;

#endif
