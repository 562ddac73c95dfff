#include "open_checked.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "cleanup.h"

#define CONFIGFS_MAGIC 0x62656570 /* fs/configfs/mount.c */
#define MQUEUE_MAGIC   0x19800202 /* ipc/mqueue.c */

static bool is_made_by_kernel(int place)
{
	static const long types[] = { PROC_SUPER_MAGIC,	 SYSFS_MAGIC,	     DEBUGFS_MAGIC,
				      TRACEFS_MAGIC,	 SECURITYFS_MAGIC,   CONFIGFS_MAGIC,
				      BPF_FS_MAGIC,	 CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
				      EFIVARFS_MAGIC,	 PSTOREFS_MAGIC,     SELINUX_MAGIC,
				      BINFMTFS_MAGIC,	 MQUEUE_MAGIC,	     NSFS_MAGIC,
				      DEVPTS_SUPER_MAGIC };
	struct statfs s;

	if (fstatfs(place, &s) < 0)
		return true;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((unsigned)s.f_type == (unsigned)types[i])
			return true;
	return false;
}

static bool may_open(int place, unsigned kinds)
{
	struct stat s;

	if (fstat(place, &s) < 0)
		return false;
	if (S_ISREG(s.st_mode))
		return (kinds & OPEN_KERNEL_FILES) || !is_made_by_kernel(place);
	if (S_ISDIR(s.st_mode))
		errno = EISDIR;
	return (kinds & OPEN_PIPES) &&
	       (S_ISFIFO(s.st_mode) || (S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3)));
}

int open_checked(int place, unsigned kinds)
{
	char link[32];

	errno = 0;
	if (!may_open(place, kinds)) {
		errno = errno ? errno : EINVAL;
		return -1;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int open_checked_at(int dir, const char *path, unsigned kinds)
{
	_close_ int place = openat(dir, path, O_PATH | O_CLOEXEC);

	return place < 0 ? -1 : open_checked(place, kinds);
}
