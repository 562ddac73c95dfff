/*
 * The checks of `losslessctl ready`, and what a policy expects of each: its key "ready". Bare metal
 * and virtual machines want opposite things, so a check without an expectation only reports.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_READY_CHECK_TABLE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_READY_CHECK_TABLE_H

#include "../util/keys.h"

/* In the order of reports: of each port, then of the host. */
enum ready_id {
	READY_LINK,
	READY_PCI_LINK,
	READY_PCI_MAX_READ_REQUEST,
	READY_PCI_RELAXED_ORDERING,
	READY_PCI_ACS,
	READY_PCI_ATS,
	READY_IOMMU,
	READY_NUMA_NODE,
	READY_GPU_DISTANCE,
	READY_RDMA_MTU,
	READY_RDMA_LAG,
	READY_FEC_ERRORS,
	READY_SYMBOL_ERRORS,
	READY_LINK_DOWNS,
	READY_NVCONFIG,
	READY_ROCE_ACCL,
	READY_PORTS,
	READY_GPU_MEMORY,
	READY_RDMA_TOPO,
	READY_MEMLOCK,
	READY_MEMLOCK_SERVICES,
	READY_HUGEPAGES,
	READY_GID,
	READY_SHARED_SUBNET,
	READY_RDMA_NETNS,
	READY_FIRMWARE,
	READY_COUNT
};

#define READY(id)	 (UINT32_C(1) << (id))
#define READY_WORDS_MAX	 5
#define READY_UNLIMITED	 UINT64_MAX
#define READY_VALUE_TEXT 32
#define READY_RANGE_TEXT 160
#define READY_FIXES_TEXT 640

/* The relation of the actual value to the expected one. */
enum ready_relation { READY_IS, READY_AT_LEAST, READY_AT_MOST };

struct ready_check {
	const char *path, *name; /* "ready.pci-link", and the last part of it */
	bool of_host;		 /* one row for the host, not one for each port */
	bool on_request;	 /* read with --firmware only */
	enum ready_relation relation;
	const char *words[READY_WORDS_MAX + 1]; /* in rising order; none: the value is a number */
	uint64_t max;				/* the largest number in a policy */
	const char *unit;			/* NULL: the value is a word */
	bool may_be_unlimited;			/* so may the number */
	const char *default_value; /* as in a policy; NULL: only reported, never not ready */
	const char *doc;
	const char *reason; /* why it matters */
	const char
		*reasons[READY_WORDS_MAX]; /* by the actual word, where it matters; else `reason` */
	/* How to get the expected value. PORT, ADDRESS and VALUE are the port's and the expected
	 * one. */
	const char *fix;
	const char *fixes[READY_WORDS_MAX]; /* by the expected word; NULL: `fix` */
	const char *source;		    /* the kernel interface or command that it reads */
};

extern const struct ready_check ready_checks[READY_COUNT];

/* A value is the index of a word, or a number. Plain data. */
struct ready_expectations {
	uint32_t judged;  /* READY() bits: checks with an expectation */
	uint32_t ignored; /* checks that are left out */
	uint32_t stated;  /* those with an expectation of the policy's own */
	uint64_t value[READY_COUNT];
};

/* The defaults of a policy. */
struct ready_expectations ready_defaults(void);

/* Those of a host without a policy: a port that nobody asked for may lack its link and its GID. */
struct ready_expectations ready_without_policy(void);

/* True if an actual value is as expected. */
bool ready_meets(const struct ready_check *c, uint64_t expected, uint64_t actual);

/* Writes a value with its unit: "4096 bytes", "unlimited", "slot". Returns `buf`. */
char *ready_value_text(const struct ready_check *c, uint64_t value, char buf[READY_VALUE_TEXT]);

/* Writes the values that a policy may expect. Returns `buf`. */
char *ready_range_text(const struct ready_check *c, char buf[READY_RANGE_TEXT]);

/* Why an actual value matters, and how to get the expected one. */
const char *ready_reason_of(const struct ready_check *c, uint64_t actual);
const char *ready_fix_of(const struct ready_check *c, uint64_t expected);

/* Writes the fix, or those of all words: "for off, ...; for on, ...". Returns `buf`. */
char *ready_fixes_text(const struct ready_check *c, char buf[READY_FIXES_TEXT]);

/* The value as in a policy. The caller owns it. */
json_t *ready_value_to_json(const struct ready_check *c, uint64_t value);

/* The reverse, also of a number beyond what a policy may say. False: it is no such value. */
bool ready_value_from_json(const struct ready_check *c, const json_t *value, uint64_t *ret);

/* The keys of "ready", which is read into a struct ready_expectations. */
extern const struct key_object ready_object;

#endif
