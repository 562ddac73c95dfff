/*
 * The place of a file that is to be written. A file that is replaced by renaming a draft keeps its
 * links and stays a regular file: a device, a FIFO or a link must not become one.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_FILE_PLACE_H
#define LOSSLESSCTL_AGENT_HOST_FILE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* A draft's name is longer than its file's by this. */
#define DRAFT_EXTRA    (sizeof("..new") - 1)
#define DRAFT_NAME_MAX (NAME_MAX + DRAFT_EXTRA + 1)

struct file_place {
	int dir;		 /* the directory; closed by file_place_close() */
	char name[NAME_MAX + 1]; /* the name in it */
	mode_t kind;		 /* the S_IFMT bits of what has the name; 0: nothing has */
};

#define _place_ __attribute__((cleanup(file_place_close)))

/* Closes the directory. */
void file_place_close(struct file_place *p);

/*
 * Follows each link on the way, and none that belongs to a user other than root and this one:
 * others could have planted it. A file that this process has open (/proc/self/fd/1, which is
 * /dev/stdout) stays a link. Paths and absolute links start at `root`; with AT_FDCWD relative paths
 * start in the working directory. Returns 0, or an errno: ELOOP for a link that is not followed.
 */
int file_place_find(int root, const char *path, struct file_place *ret);

/* True if the descriptor is of a file, a link or a directory in procfs. */
bool is_in_proc(int fd);

/*
 * Names the draft of a file, DIR/.NAME.new: readers of a directory skip names with a dot. A path
 * too long for `ret` is cut.
 */
void draft_of(const char *path, char *ret, size_t size);

/* True if a draft may be renamed to this place. */
bool file_place_is_regular(const struct file_place *p);

/* Opens what is no regular file for writing. Returns -1 and errno on failure. */
int file_place_open(const struct file_place *p);

/*
 * Opens files whose path somebody else chose, such as a variable of a process. To open a device may
 * already act (a watchdog starts), and to read some files of the kernel takes their text from
 * others (/proc/kmsg). So the kind of a file is known before it is opened.
 */

/* The kinds that open besides regular files on a disk or in memory. */
enum open_kinds {
	OPEN_PIPES = 1,	      /* pipes, and /dev/null, which is empty */
	OPEN_KERNEL_FILES = 2 /* regular files that the kernel makes up: procfs, sysfs and others */
};

/* Opens the file of an O_PATH descriptor for reading, like open_checked_at(). */
int open_checked(int place, unsigned kinds);

/*
 * Opens a file for reading, without waiting (O_NONBLOCK); links are followed. Returns a descriptor
 * that the caller owns, or -1 and errno: EISDIR, or EINVAL if the file is of another kind.
 */
int open_checked_at(int dir, const char *path, unsigned kinds);

#endif
