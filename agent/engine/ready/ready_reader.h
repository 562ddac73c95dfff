/*
 * A reader reads one check of `losslessctl ready` from the host
 * (policy/document/ready_check_table.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_READY_READY_READER_H
#define LOSSLESSCTL_AGENT_ENGINE_READY_READY_READER_H

#include "../../../policy/document/ready_check_table.h"
#include "../../host/host.h"
#include "../../monitor/counter.h"

/* The best first. */
enum ready_status {
	READY_MET,
	READY_INFO, /* nothing is expected: the value is only reported */
	READY_NOT_APPLICABLE,
	READY_UNKNOWN,
	READY_NOT_MET,
	READY_STATUS_COUNT
};

#define READY_TEXT_MAX 224
#define READY_FIX_MAX  640

/* Checks of `losslessctl ready` with an expectation: READY() bits. The others are unknown. */
struct readiness {
	uint32_t met, not_met;
};

/* A reading, which the caller initialises to an unknown value without a reason. */
struct ready_reading {
	enum ready_status status;    /* READY_MET: the value was read; NOT_APPLICABLE or UNKNOWN */
	uint64_t value;		     /* see struct ready_expectations */
	char actual[96];	     /* details of the value; "": the value says it all */
	char reason[READY_TEXT_MAX]; /* explains the value, or why there is none */
	char fix[READY_FIX_MAX];     /* "": the check's own */
};

struct unmet;

/* Inputs of a reader. */
struct ready_scene {
	struct host *h;		  /* NULL: the host of a document */
	const struct port *ports; /* all that are checked */
	size_t count;
	const struct unmet *unmet;   /* rules without their ports; NULL: there is no policy */
	const struct sample *sample; /* the port's counters; NULL: not read */
	bool is_agent; /* the caller is a service of its own, not a user who starts jobs */
};

struct ready_reader {
	enum ready_id id;
	/* `port` is NULL for a check of the host. */
	void (*read)(const struct ready_scene *s, const struct port *port,
		     struct ready_reading *ret);
	bool needs_no_host; /* it reads the scene's ports alone: also those of a document */
};

struct ready_readers {
	const struct ready_reader *const *list; /* one per check */
	size_t count;
};

/* Set the result of a reading. */
void ready_found(struct ready_reading *r, uint64_t value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void ready_unknown(struct ready_reading *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void ready_not_applicable(struct ready_reading *r, const char *reason);

/* Set how to fix it; without this the fix is the check's. */
void ready_fix(struct ready_reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Set the reason of a value. */
void ready_reason(struct ready_reading *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
