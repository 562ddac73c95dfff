/* A page of `explain`: fields, written as text or as JSON. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_PAGE_H
#define LOSSLESSCTL_CLI_EXPLAIN_PAGE_H

#include <jansson.h>
#include <stdbool.h>

/* The destination of fields: a document, or lines on standard output. */
struct explain_page {
	json_t *doc; /* also NULL where memory is short */
	bool is_text, has_lines;
};

/* A named thing; all of it is borrowed from its table. */
struct entry {
	const char *name, *says;
	const char *kind;   /* shown behind the name; NULL: nothing */
	const char *weight; /* severity, alarm or status; NULL: it has none */
};

/* Writes "  HEAD      TEXT" or "KEY": TEXT. A head or key that is NULL, or no text: nothing. */
void page_text(struct explain_page *p, const char *head, const char *key, const char *text);

/* Sets a field that only JSON has. Takes the value. */
void page_json(struct explain_page *p, const char *key, json_t *value);

/* The same for a number, which JSON has as one. */
void page_number(struct explain_page *p, const char *head, const char *key, unsigned number);

#endif
