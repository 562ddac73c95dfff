/*
 * Values as NCCL and UCX read them, and traps: values that do not mean what their author thought.
 */
#ifndef LOSSLESSCTL_POLICY_JOB_TRAP_H
#define LOSSLESSCTL_POLICY_JOB_TRAP_H

#include <stdbool.h>
#include <stdint.h>

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

/* The reason why a value is not the one that its author wrote, and how to write it. */
struct trap_text {
	const char *why, *fix; /* NULL for TRAP_NONE */
};

extern const struct trap_text trap_texts[TRAP_COUNT];

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
