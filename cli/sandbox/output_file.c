#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/file_place.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"

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

/* ---- between the two processes: an errno, and with 0 a file ---- */

#define FILE_ROOM CMSG_SPACE(sizeof(int))

static bool send_file(int line, int code, int fd)
{
	char control[FILE_ROOM] __attribute__((aligned(__alignof__(struct cmsghdr)))) = { 0 };
	struct iovec text = { &code, sizeof(code) };
	struct msghdr m = { .msg_iov = &text, .msg_iovlen = 1 };

	if (fd >= 0) {
		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(fd)),
						       .cmsg_level = SOL_SOCKET,
						       .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof(fd));
	}
	return sendmsg(line, &m, MSG_NOSIGNAL) >= 0;
}

/* Returns the errno that came; *ret_fd is the file, with 0. */
static int receive_file(int line, int *ret_fd)
{
	char control[FILE_ROOM] __attribute__((aligned(__alignof__(struct cmsghdr))));
	int code = 0;
	struct iovec text = { &code, sizeof(code) };
	struct msghdr m = { .msg_iov = &text,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };

	*ret_fd = -1;
	if (recvmsg(line, &m, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof(code))
		return EPIPE;
	if (code == 0 && CMSG_FIRSTHDR(&m))
		memcpy(ret_fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(*ret_fd));
	return code || *ret_fd >= 0 ? code : EPIPE;
}

/* ---- helper process ---- */

/* File systems without RENAME_NOREPLACE, such as NFS, have links. */
static int give_name(const struct file_place *p, const char *draft)
{
	if (renameat2(p->dir, draft, p->dir, p->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EINVAL && linkat(p->dir, draft, p->dir, p->name, 0) == 0)
		return 0;
	return errno;
}

/*
 * Creates the file under a temporary name, and renames it on request. When the caller ends
 * without one, killed or not, it removes the file.
 */
static void serve(int line)
{
	_place_ struct file_place place = { .dir = -1 };
	char path[PATH_MAX] = "", draft[DRAFT_NAME_MAX], order;
	struct err err = { 0 };
	int fd = -1, code;

	if (!privilege_narrow(&rights_output, &err) || recv(line, path, sizeof(path) - 1, 0) <= 0)
		return;
	code = file_place_find(AT_FDCWD, path, &place);
	draft_of(place.name, draft, sizeof(draft));
	if (!code)
		fd = openat(place.dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
	if (fd < 0) {
		send_file(line, code ? code : errno, -1);
		return;
	}
	send_file(line, 0, fd);
	close(fd);
	if (recv(line, &order, 1, 0) == 1) {
		code = give_name(&place, draft);
		send(line, &code, sizeof(code), MSG_NOSIGNAL);
	}
	unlinkat(place.dir, draft, 0);
}

/* ---- calling process ---- */

bool output_file_open(const char *path, int *ret_helper, int *ret_fd, struct err *err)
{
	char draft[PATH_MAX + DRAFT_EXTRA];
	struct stat s;
	int code;

	if (strlen(path) >= PATH_MAX)
		return file_failed(path, ENAMETOOLONG, err);
	if (lstat(path, &s) == 0)
		return file_exists(path, err);
	draft_of(path, draft, sizeof(draft));
	if (!helper_process_start(serve, SOCK_SEQPACKET, "writes the file", ret_helper, err))
		return false;
	if (send(*ret_helper, path, strlen(path), MSG_NOSIGNAL) < 0)
		return file_failed(path, errno, err);
	code = receive_file(*ret_helper, ret_fd);
	return code == 0 || file_failed(draft, code, err);
}

/* dup2() is not allowed in the sandbox. dup() takes the lowest number, which is 0 without input. */
bool output_file_use(int fd, const char *path, struct err *err)
{
	int is = -1;

	if (fflush(stdout) != 0 || ferror(stdout))
		return err_set(err, ERR_SYSTEM, errno, "standard output: %s", strerror(errno));
	close(STDOUT_FILENO);
	do
		is = dup(fd);
	while (is >= 0 && is < STDOUT_FILENO);
	return is == STDOUT_FILENO || file_failed(path, is < 0 ? errno : EBADF, err);
}

bool output_file_finish(const char *path, struct err *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	err_record(err, ERR_SYSTEM, errno, "write %s: %s", path, strerror(errno));
	__fpurge(stdout);
	clearerr(stdout);
	return false;
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
