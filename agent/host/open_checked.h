/*
 * Opens files whose path somebody else chose, such as a variable of a process. To open a device may
 * already act (a watchdog starts), and to read some files of the kernel takes their text from
 * others (/proc/kmsg). So the kind of a file is known before it is opened.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_OPEN_CHECKED_H
#define LOSSLESSCTL_AGENT_HOST_OPEN_CHECKED_H

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
