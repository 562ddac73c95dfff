/* What `explain` can explain: tables with names, each of which tells itself to people and in JSON.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_TOPICS_H
#define LOSSLESSCTL_CLI_OUTPUT_TOPICS_H

#include "../cli.h"

/* Everything of one kind that has a name to ask for. */
struct topic {
	const char *heading, *key;     /* of the list, for people and in JSON */
	const char *(*name)(size_t i); /* NULL behind the last */
	const char *(*says)(size_t i);
	void (*explain)(struct cli *c, size_t i);
	json_t *(*document)(size_t i);
	bool (*is)(size_t i, const char *name); /* NULL: it must be the name */
};

/* What is counted, and what is made of it (topics_counted.c). */
extern const struct topic topic_symptoms, topic_counters;

/* What a policy is made of (topics_policy.c). */
extern const struct topic topic_keys, topic_limits, topic_fabrics;

/* All of them, in the order of the list. */
extern const struct topic *const topics[];
extern const size_t topics_count;

/* "NAME (KIND)", and the sentence below it. */
void topic_title(const struct cli *c, const char *name, const char *kind, const char *says);

/* "  HEAD      TEXT", where there is a text. */
void topic_line(const char *head, const char *text);

#endif
