/* The judgement of one environment, as the files that judge its variables share it. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_JUDGING_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_JUDGING_H

#include "environment.h"
#include "environment_report.h"

/* The input. All pointers are borrowed. */
struct environment_check {
	const struct environment_input *input;
	const struct environment *desired;
	const struct environment_sources *sources;
	const char (*devices)[ID_MAX]; /* all RDMA devices of the host */
	size_t devices_count;
	bool knows_devices; /* the list has all of them */
};

struct judging {
	const struct environment_check *c;
	struct environment_report *ret;
};

/* The assignment of a variable that reaches the job, and its source. */
struct found {
	const struct environment_source *source;
	const struct assignment *a; /* NULL: no source sets it */
};

/* The first source that sets the variable counts. */
struct found judging_find(const struct judging *j, enum variable_id id);

/* Adds an item with the value that is expected, and the fix to set it. */
struct environment_item *judging_add(struct judging *j, enum variable_id id, const struct found *f,
				     const struct lint *lint);

/* As judging_add(), with the lint env-off-policy. */
struct environment_item *judging_add_drift(struct judging *j, enum variable_id id,
					   const struct found *f);

/* The source of an unset variable: the environment that is known as a whole; NULL: none is. */
const struct environment_source *judging_complete(const struct judging *j);

/* The trap in a value that is no number. */
enum trap judging_text_trap(const struct assignment *a);

#endif
