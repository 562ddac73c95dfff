#include "helper_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "trusted_open.h"

/* ---- the file of a report ---- */

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
	return code == EEXIST ? file_exists(path, err)
			      : err_set(err, file_err_kind(code), code, "write %s: %s", path,
					strerror(code));
}

static bool draft_failed(const char *path, int code, struct err *err)
{
	char draft[PATH_MAX + DRAFT_EXTRA];

	draft_of(path, draft, sizeof(draft));
	return file_failed(draft, code, err);
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
	return code == 0 || draft_failed(path, code, err);
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
	return draft_failed(path, code, err);
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

/* ---- the results of `ready` ---- */

#define FOLDER "/run/losslessctl"
#define RUNS   FOLDER "/ready-runs"

/* The results of runs, the newest last: '1' is bad, '0' is good, and '-' stands for none. */
struct runs {
	char at[READY_RUNS_MAX];
};

/* A file that is missing, short or damaged has no results. */
static void read_runs(int fd, struct runs *ret)
{
	memset(ret->at, '-', sizeof(ret->at));
	if (pread(fd, ret->at, sizeof(ret->at), 0) != (ssize_t)sizeof(ret->at))
		memset(ret->at, '-', sizeof(ret->at));
}

/*
 * Writes all of them at once, with the lock held: another run reads the old or the new ones. Who
 * could open the file could hold its lock.
 */
static int add_run(char run, struct runs *ret)
{
	_close_ int fd = open(RUNS, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, 0600) < 0 || flock(fd, LOCK_EX) < 0)
		return errno;
	read_runs(fd, ret);
	memmove(ret->at, ret->at + 1, sizeof(ret->at) - 1);
	ret->at[READY_RUNS_MAX - 1] = run;
	return pwrite(fd, ret->at, sizeof(ret->at), 0) == (ssize_t)sizeof(ret->at) ? 0 : errno;
}

void ready_history_answer(const struct helper_work *w, struct helper_answer *ret)
{
	struct runs runs;

	(void)mkdir(FOLDER, 0755);
	ret->result.code = add_run(w->question[0] == '1' ? '1' : '0', &runs);
	if (ret->result.code)
		return;
	memcpy(ret->text, runs.at, sizeof(runs.at));
	ret->text_size = sizeof(runs.at);
}

bool ready_history_is_permitted(struct err *err)
{
	if (geteuid() == 0)
		return true;
	err_record(err, ERR_DENIED, EACCES,
		   "--require keeps its results in " FOLDER ", which is root's");
	return err_fix(err, "run it with sudo, or leave out --require");
}

bool ready_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad, struct err *err)
{
	const struct helper_question q = { TASK_READY_RUN, is_bad ? "1" : "0", 1, NULL, 0 };
	struct runs runs = { "" };
	struct helper_answer a = { .text = runs.at, .text_max = sizeof(runs.at) };
	int code = helper_ask(helper, &q, &a);

	code = code ? code : a.result.code;
	if (code)
		return err_set(err, ERR_SYSTEM, code, "write " RUNS ": %s", strerror(code));
	*ret_bad = 0;
	for (unsigned i = READY_RUNS_MAX - of; i < READY_RUNS_MAX; i++)
		*ret_bad += runs.at[i] == '1';
	return true;
}
