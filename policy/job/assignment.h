/*
 * Variables of a job's environment, and readers of environments: nccl.conf as NCCL reads it, and
 * blocks of NAME=VALUE.
 */
#ifndef LOSSLESSCTL_POLICY_JOB_ASSIGNMENT_H
#define LOSSLESSCTL_POLICY_JOB_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* A value that does not mean what its author thought. */
enum trap {
	TRAP_NONE,
	TRAP_QUOTES,	      /* "106": NCCL knows no quotes */
	TRAP_BLANK_IN_NAME,   /* NCCL_IB_TC = 106 sets another name */
	TRAP_EXPORT,	      /* export NCCL_IB_TC=106 sets another name */
	TRAP_OCTAL,	      /* 0152 is 106 */
	TRAP_TRAILING_TEXT,   /* 106 # comment */
	TRAP_NOT_A_NUMBER,    /* reads as 0 */
	TRAP_OUT_OF_RANGE,    /* does not fit into a byte, or into 64 bits */
	TRAP_CARRIAGE_RETURN, /* the file has lines as on Windows */
	TRAP_TOO_LONG,	      /* NCCL cuts a value at 1,023 bytes */
	TRAP_SET_TWICE,	      /* for NCCL the first one counts, for UCX the last one */
	TRAP_HCA_PREFIX,      /* mlx5_1 also matches mlx5_10 */
	TRAP_GID_INDEX,	      /* set for an NCCL that chooses the GID itself */
	TRAP_NO_EQUALS,	      /* NCCL_IB_TC:106 sets nothing */
	TRAP_MISSPELLED,      /* NCCL_IB_TCC=106: one letter off, or another case */
	TRAP_BYTE_ORDER_MARK, /* NCCL takes it for a part of the first name */
	TRAP_INDENTED,	      /* for UCX an indented line replaces the value before it */
	TRAP_COUNT
};

/* The name of a trap in JSON: "quotes"; NULL for TRAP_NONE. */
const char *trap_name(enum trap t);

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

/*
 * The number that NCCL reads (ncclLoadParam(): strtoll() with base 0, of which only ERANGE is an
 * error), or `unset` where it takes its default. Sets *trap if the text is not that number.
 */
int64_t nccl_integer(const char *text, int64_t unset, enum trap *trap);

/* The number that UCX reads (sscanf() with %lu, so neither hexadecimal nor octal); -1: none. */
int64_t ucx_integer(const char *text, enum trap *trap);

/* The selection by NCCL_IB_HCA of one device and port, as parseStringList() and matchIfList(). */
bool nccl_hca_selects(const char *text, const char *device, unsigned port);

#endif
