/* Remarks on the environment of a job. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_REPORT_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_REPORT_H

#include "../lint/lint.h"
#include "assignment.h"
#include "environment.h"

/* One place that sets variables. */
struct environment_source {
	char label[160];  /* "/etc/nccl.conf", "process 4711" */
	bool is_complete; /* with those after it, all that the job has: unset is a default */
	bool fills_in;	  /* a file of the host, which a container does not see */
	bool of_rccl;	  /* AMD's library reads it */
	struct assignments assignments;
};

#define ENVIRONMENT_SOURCES_MAX 6

/* In order of precedence: the first that sets a variable counts. */
struct environment_sources {
	struct environment_source *list[ENVIRONMENT_SOURCES_MAX];
	size_t count;
};

/* A remark on one variable. */
struct environment_item {
	enum variable_id variable;
	const struct environment_source *source; /* borrowed; NULL: no source sets it */
	const struct assignment *written;	 /* borrowed; NULL: no source sets it */
	unsigned line;				 /* 0: none */
	const struct lint *lint;		 /* NULL: a note */
	bool is_unknown; /* the log does not say it: the verdict is unknown */
	enum trap trap;
	char text[VALUE_MAX];	  /* as written; "" if no source sets it */
	char expected[VALUE_MAX]; /* "" if nothing in particular is, or more than fits */
	char message[256], fix[224];
};

#define ENVIRONMENT_ITEMS_MAX 48

struct environment_report {
	struct environment_item items[ENVIRONMENT_ITEMS_MAX];
	size_t count;
};

/* Sets the fix: the variable gets this value, or that of `losslessctl env` if it does not fit. */
void environment_item_set(struct environment_item *item, enum variable_id id, const char *value);

/* Adds an item, with the source and the line of the assignment; both may be NULL. */
struct environment_item *environment_report_add(struct environment_report *r, enum variable_id id,
						const struct lint *lint,
						const struct environment_source *source,
						const struct assignment *a);

/* Appends to the item's message. */
void environment_item_say(struct environment_item *item, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Appends the trap's explanation; its fix replaces the item's. TRAP_NONE: nothing. */
void environment_item_say_trap(struct environment_item *item, enum trap trap);

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

/* Judges NCCL_IB_HCA. */
void judge_hca(struct judging *j, enum variable_id id, const struct found *f);

/* Judges UCX_NET_DEVICES. */
void judge_ucx_devices(struct judging *j, enum variable_id id, const struct found *f);

/* Judges UCX_TLS. */
void judge_ucx_transports(struct judging *j, enum variable_id id, const struct found *f);

#endif
