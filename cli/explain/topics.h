/* The topics of `explain`: tables of named entries, whose fields are written as text or JSON. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_TOPICS_H
#define LOSSLESSCTL_CLI_EXPLAIN_TOPICS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "page.h"

/* One kind of named things. */
struct topic {
	const char *heading, *key;		    /* headings of the list, in text and JSON */
	const char *one;			    /* JSON key of an entry's name */
	const char *prefix;			    /* shown before the name; NULL: nothing */
	const char *weight_key;			    /* JSON key of an entry's weight */
	bool (*entry)(size_t i, struct entry *ret); /* false past the last */
	void (*fields)(struct explain_page *p, size_t i);
	bool (*is)(size_t i, const char *name); /* NULL: it must be the name */
};

/* All topics, in the order of the list. */
extern const struct topic topics[];
extern const size_t topics_count;
extern const struct topic *const topic_settings; /* one of them */
extern const struct topic topic_terms;		 /* the glossary, which is in no list */

/* The report about one entry. Owned by the caller. */
json_t *topic_document(const struct topic *t, size_t i);

#endif
