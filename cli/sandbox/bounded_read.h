/* Reads files and pipes of users, bounded in bytes and in time. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_BOUNDED_READ_H
#define LOSSLESSCTL_CLI_SANDBOX_BOUNDED_READ_H

#include "../../policy/util/err.h"

/* The time for a pipe: until its writer writes more, and until its end. */
struct patience {
	unsigned idle_ms, total_ms;
};

/*
 * Reads all of a file of at most `most` bytes, and appends a NUL. The caller frees *ret. Errors are
 * ERR_POLICY.
 */
bool bounded_read_whole(int fd, size_t most, struct patience patience, char **ret, size_t *ret_size,
			struct err *err) must_check;

/* Reads a file of at most `most` bytes in pieces, each of which ends with a line if that is not
 * too long. Errors are ERR_POLICY.
 */
bool bounded_read_pieces(int fd, size_t most, struct patience patience,
			 void (*each)(void *arg, const char *text, size_t size), void *arg,
			 struct err *err) must_check;

#endif
