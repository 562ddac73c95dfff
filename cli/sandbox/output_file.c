#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"

#define FRESH ".new"

static bool file_exists(const char *path, struct err *err)
{
	err_record(err, ERR_REFUSED, EEXIST, "%s exists, and is not overwritten", path);
	return err_fix(err, "remove it, or name another file");
}

static bool file_failed(const char *path, int code, struct err *err)
{
	return code == EEXIST ? file_exists(path, err)
			      : err_set(err, file_err_kind(code), code, "write %s: %s", path,
					strerror(code));
}

/* ---- helper process ---- */

/* File systems without RENAME_NOREPLACE, such as NFS, have links. */
static int give_name(const char *fresh, const char *path)
{
	if (renameat2(AT_FDCWD, fresh, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EINVAL && link(fresh, path) == 0)
		return 0;
	return errno;
}

static void serve(int line)
{
	char path[PATH_MAX] = "", fresh[PATH_MAX + sizeof(FRESH)], order;
	struct err err = { 0 };
	int code = 0;

	/* root writes to the directory of another user */
	if (!privilege_keep(PRIVILEGE(CAP_DAC_OVERRIDE), &err) ||
	    recv(line, path, sizeof(path) - 1, 0) <= 0)
		return;
	snprintf(fresh, sizeof(fresh), "%s" FRESH, path);
	if (recv(line, &order, 1, 0) == 1) {
		code = give_name(fresh, path);
		send(line, &code, sizeof(code), MSG_NOSIGNAL);
	}
	unlink(fresh);
}

/* ---- calling process ---- */

bool output_file_open(const char *path, int *ret_helper, struct err *err)
{
	char fresh[PATH_MAX + sizeof(FRESH)];
	_close_ int fd = -1;
	struct stat s;

	if (strlen(path) >= PATH_MAX)
		return file_failed(path, ENAMETOOLONG, err);
	if (lstat(path, &s) == 0)
		return file_exists(path, err);
	snprintf(fresh, sizeof(fresh), "%s" FRESH, path);
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return file_failed(fresh, errno, err);
	if (!helper_process_start(serve, SOCK_SEQPACKET, "names the file", ret_helper, err) ||
	    send(*ret_helper, path, strlen(path), MSG_NOSIGNAL) < 0 ||
	    dup2(fd, STDOUT_FILENO) < 0) {
		unlink(fresh);
		return err_set(err, ERR_SYSTEM, errno, "write %s: %s", path, strerror(errno));
	}
	return true;
}

bool output_file_keep(int helper, const char *path, struct err *err)
{
	int code;

	if (send(helper, "", 1, MSG_NOSIGNAL) < 0 ||
	    recv(helper, &code, sizeof(code), 0) != (ssize_t)sizeof(code))
		return err_set(err, ERR_SYSTEM, EPIPE,
			       "write %s: the process that names the file has ended", path);
	return code == 0 || file_failed(path, code, err);
}
