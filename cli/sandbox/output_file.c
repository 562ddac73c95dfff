#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trusted_open.h"

/* Questions of TASK_NAME_FILE. */
#define COMPLETE  "c" /* name it */
#define OF_OTHERS "o" /* the draft is of another process: leave it */

static bool file_exists(const char *path, struct err *err)
{
	err_record(err, ERR_REFUSED, EEXIST, "%s exists, and is not overwritten", path);
	return err_fix(err, "remove it, or name another file");
}

static bool file_failed(const char *path, int code, struct err *err)
{
	enum err_kind kind = code == EACCES || code == ENOENT ? file_err_kind(code) : ERR_SYSTEM;

	return code == EEXIST ? file_exists(path, err)
			      : err_set(err, kind, code, "write %s: %s", path, strerror(code));
}

bool output_file_find(const char *path, struct file_place *ret, struct err *err)
{
	struct stat s;
	int code;

	if (strlen(path) >= PATH_MAX)
		return file_failed(path, ENAMETOOLONG, err);
	if (lstat(path, &s) == 0)
		return file_exists(path, err);
	code = file_place_find(AT_FDCWD, path, ret);
	return code == 0 || file_failed(path, code, err);
}

bool output_file_create(int helper, const char *path, const struct file_place *place, int *ret,
			struct err *err)
{
	const struct helper_question q = { TASK_NAME_FILE, OF_OTHERS, 1, NULL, 0 };
	struct helper_answer a = { 0 };
	char draft[DRAFT_NAME_MAX];
	int code;

	draft_of(place->name, draft, sizeof(draft));
	*ret = openat(place->dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	if (*ret >= 0)
		return true;
	code = errno;
	(void)!helper_ask(helper, &q, &a);
	return file_failed(path, code, err);
}

void output_file_remove(void *place)
{
	const struct file_place *p = place;
	char draft[DRAFT_NAME_MAX];

	draft_of(p->name, draft, sizeof(draft));
	unlinkat(p->dir, draft, 0);
}

/* File systems without RENAME_NOREPLACE, such as NFS, have links. */
static int give_name(const struct file_place *p, const char *draft)
{
	if (renameat2(p->dir, draft, p->dir, p->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EINVAL && linkat(p->dir, draft, p->dir, p->name, 0) == 0)
		return 0;
	return errno;
}

void output_file_answer(const struct helper_work *w, struct helper_answer *ret)
{
	struct file_place *p = w->arg;
	char draft[DRAFT_NAME_MAX];

	if (strcmp(w->question, OF_OTHERS) == 0) {
		file_place_close(p); /* nothing is removed */
		return;
	}
	draft_of(p->name, draft, sizeof(draft));
	ret->result.code = give_name(p, draft);
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
	const struct helper_question q = { TASK_NAME_FILE, COMPLETE, 1, NULL, 0 };
	struct helper_answer a = { 0 };
	int code = helper_ask(helper, &q, &a);

	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "write %s: the process that names the file %s", path,
			       code == ETIMEDOUT ? "does not answer" : "has ended");
	return a.result.code == 0 || file_failed(path, a.result.code, err);
}
