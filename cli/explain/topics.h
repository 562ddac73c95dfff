/* The topics of `explain`: tables of named entries, whose fields are written as text or JSON. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_TOPICS_H
#define LOSSLESSCTL_CLI_EXPLAIN_TOPICS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- pages ---- */

/* A page of `explain`: fields, written as text or as JSON. */

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

/* ---- congestion control ---- */

/* The topic of `explain` about congestion controls that a policy can name. */

/* Describes the i-th value of `congestion_control`. False: there are fewer. */
bool topic_congestion_entry(size_t i, struct entry *ret);

/* Adds what it asserts, and who owns which settings. */
void topic_congestion_fields(struct explain_page *p, size_t i);

/* ---- jobs ---- */

/* Topics of `explain` about jobs: the checks of ready, the keys of "job", variables and traps. */

/* As in struct topic (topics.h). */
bool topic_check_entry(size_t i, struct entry *ret);
void topic_check_fields(struct explain_page *p, size_t i);
bool topic_is_check(size_t i, const char *name);
bool topic_job_key_entry(size_t i, struct entry *ret);
void topic_job_key_fields(struct explain_page *p, size_t i);
bool topic_variable_entry(size_t i, struct entry *ret);
void topic_variable_fields(struct explain_page *p, size_t i);
bool topic_trap_entry(size_t i, struct entry *ret);
void topic_trap_fields(struct explain_page *p, size_t i);

/* ---- terms ---- */

/* The terms of the glossary (packaging/docs/glossary.md), for `explain`. */

struct term {
	const char *name, *says;
};

extern const struct term terms[];
extern const size_t terms_count;

/* ---- topics ---- */

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
