/*
 * Opens files, for verbs that write those that nobody but root can change, and reads them within
 * bounds.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_TRUSTED_OPEN_H
#define LOSSLESSCTL_CLI_SANDBOX_TRUSTED_OPEN_H

#include "../../policy/util/err.h"

enum mount_trust {
	CHECK_EVERY_MOUNT,
	/*
	 * A read-only mount, such as a Kubernetes ConfigMap, has what nobody can change. Only the
	 * user knows: a sandbox (ProtectSystem= of systemd) has read-only mounts of files that
	 * others may change outside.
	 */
	TRUST_READ_ONLY_MOUNTS
};

/*
 * Opens a regular file for reading, once; *ret is the descriptor that was checked, owned by the
 * caller. Each directory on the way, each link and the file itself must belong to root or to the
 * effective user, and not be writable by others, nor on a FUSE file system but the root. With
 * TRUST_READ_ONLY_MOUNTS neither the mode nor the owner of a link matters on such a mount.
 * ERR_REFUSED names the part, and the fix where a change of the part harms nobody; other errors are
 * those of file_err_kind().
 */
bool trusted_open(const char *path, enum mount_trust trust, int *ret, struct err *err) must_check;

/*
 * Opens a regular file or a pipe for reading, for a verb that only reads. Does not block: a FIFO
 * without a writer would, forever. Errors are those of file_err_kind().
 */
bool any_open(const char *path, int *ret, struct err *err) must_check;

/* Returns the kind of a failure to open a policy file: ERR_DENIED, ERR_NO_FILE or ERR_POLICY. */
enum err_kind file_err_kind(int code);

/* ---- files and pipes of users, read bounded in bytes and in time ---- */

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

/*
 * Reads a file of at most `most` bytes in pieces, each of which ends with a line if that is not too
 * long. Errors are ERR_POLICY.
 */
bool bounded_read_pieces(int fd, size_t most, struct patience patience,
			 void (*each)(void *arg, const char *text, size_t size), void *arg,
			 struct err *err) must_check;

#endif
