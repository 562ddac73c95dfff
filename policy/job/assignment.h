/*
 * Variables of a job's environment, and readers of environments: nccl.conf as NCCL reads it, and
 * blocks of NAME=VALUE.
 */
#ifndef LOSSLESSCTL_POLICY_JOB_ASSIGNMENT_H
#define LOSSLESSCTL_POLICY_JOB_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trap.h"

/* In the order in which `losslessctl env` prints them. */
enum variable_id {
	VARIABLE_NCCL_IB_TC,
	VARIABLE_NCCL_IB_FIFO_TC,
	VARIABLE_NCCL_GIN_IB_TC,
	VARIABLE_NCCL_IB_SL,
	VARIABLE_NCCL_IB_HCA,
	VARIABLE_NCCL_IB_ADDR_FAMILY,
	VARIABLE_NCCL_IB_ROCE_VERSION_NUM,
	VARIABLE_NCCL_IB_GID_INDEX,
	VARIABLE_NCCL_SOCKET_IFNAME,
	VARIABLE_NCCL_IB_TIMEOUT,
	VARIABLE_NCCL_IB_RETRY_CNT,
	VARIABLE_NCCL_IB_DISABLE,
	VARIABLE_NCCL_NET,
	VARIABLE_UCX_IB_TRAFFIC_CLASS,
	VARIABLE_UCX_IB_SL,
	VARIABLE_UCX_NET_DEVICES,
	VARIABLE_UCX_TLS,
	VARIABLE_COUNT
};

enum variable_type {
	VARIABLE_CLASS,	  /* a traffic class byte: DSCP << 2 | ECN */
	VARIABLE_INTEGER, /* a number, as strtoll() reads it */
	VARIABLE_TEXT,
};

/* Versions of NCCL are compared as 100 * major + minor: 221 is 2.21. */
#define NCCL_VERSION(major, minor) (100u * (major) + (minor))
#define NCCL_CHOOSES_GID	   NCCL_VERSION(2, 21) /* it needs no index of a GID */

#define NCCL_CLASS_UNSET (-1) /* the default of NCCL_IB_TC and NCCL_GIN_IB_TC */

struct variable {
	const char *name;
	enum variable_type type;
	unsigned since;	  /* the first version of NCCL that reads it; 0: all, or not NCCL's */
	bool of_ucx;	  /* read by UCX, not by NCCL and RCCL */
	bool nvidia_only; /* RCCL does not have it */
	const char *doc;
};

extern const struct variable variables[VARIABLE_COUNT];

/* The variable with this name of `length` characters; VARIABLE_COUNT: none of them. */
enum variable_id variable_find(const char *name, size_t length);

#define VALUE_MAX	 1024 /* as in NCCL, with the final NUL */
#define WRITTEN_NAME_MAX 64

struct assignment {
	enum variable_id variable;
	unsigned line;		     /* in a file; 0: it has no lines */
	enum trap trap;		     /* in the name or the length, not in the value */
	char name[WRITTEN_NAME_MAX]; /* as it stands in the file; without "=" the whole line */
	char text[VALUE_MAX];
};

/* A name and a value in a text, which need no NUL. */
struct written {
	const char *name;
	size_t name_length;
	const char *value;
	size_t length;
	unsigned line;
};

#define ASSIGNMENTS_MAX 64

/* The assignments of the variables that this program knows, in the order of the text. */
struct assignments {
	struct assignment list[ASSIGNMENTS_MAX];
	size_t count;
	size_t omitted; /* more than there is room for */
};

/* The variable that a name means; *trap says how the name differs. VARIABLE_COUNT: none. */
enum variable_id variable_resembled(const char *name, size_t length, enum trap *trap);

/* Appends an assignment, and returns it; NULL: there is no room. */
struct assignment *assignments_put(struct assignments *all, const struct written *w,
				   enum variable_id id, enum trap trap);

/*
 * Reads nccl.conf or rccl.conf as NCCL does (setEnvFile() of src/misc/param.cc): nothing is
 * trimmed, there are no quotes, a comment begins in the first column, a value has at most 1,023
 * bytes, and the first assignment of a name counts. A name that only resembles a variable, such as
 * "NCCL_IB_TC ", is listed with its trap: it sets nothing.
 */
void nccl_conf_parse(const char *text, size_t size, struct assignments *ret);

/*
 * Reads ucx.conf as UCX does (src/ucs/config/ini.c and parser.c): only its own variables. Blanks
 * around names and values do not matter, : stands for =, comments begin with # or ;, also behind a
 * value with " ;". The last assignment of a name counts. An indented line replaces the value of
 * the name before it. Of a line, 199 bytes are read. A section that begins with a condition, such
 * as "CPU model", is left out: it is for some hosts only.
 */
void ucx_conf_parse(const char *text, size_t size, struct assignments *ret);

/*
 * Reads NAME=VALUE, separated by NUL as in /proc/PID/environ, or by line where there is no NUL. Of
 * two assignments the first counts, as in the C library.
 */
void environ_parse(const char *text, size_t size, struct assignments *ret);

/*
 * True if the text can be an environment: what comes first, after empty lines and comments, is
 * NAME=VALUE with a name of printable characters. An empty text is one.
 */
bool environ_is_plausible(const char *text, size_t size);

/* True if the assignment reaches the library: its name is exact. */
bool assignment_counts(const struct assignment *a);

/* The first assignment of a variable that counts, or NULL. */
const struct assignment *assignment_of(const struct assignments *all, enum variable_id variable);

#endif
