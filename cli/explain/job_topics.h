/* Topics of `explain` about jobs: the checks of ready, the keys of "job", variables and traps. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_JOB_TOPICS_H
#define LOSSLESSCTL_CLI_EXPLAIN_JOB_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

#include "page.h"

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

#endif
