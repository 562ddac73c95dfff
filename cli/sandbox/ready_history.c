#include "ready_history.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "helper_process.h"
#include "privileges.h"

#define FOLDER "/run/losslessctl"
#define RUNS   FOLDER "/ready-runs"

#define LIMIT_MS 30000 /* for a lock that another run holds */

/* The results of runs, the newest last: '1' is bad, '0' is good, and '-' stands for none. */
struct runs {
	char at[READY_RUNS_MAX];
};

struct answer {
	int code; /* an errno; 0: the results are valid */
	struct runs runs;
};

/* ---- helper process ---- */

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

static void serve(int line)
{
	struct answer a = { 0 };
	const struct helper_answer answer = { &a, sizeof(a), NULL, 0, 0 };
	struct helper_head head;
	struct err err = { 0 };
	char run;

	if (!privilege_narrow(&rights_helper, &err) || !helper_next(line, &run, 1, &head) ||
	    !head.size)
		return;
	(void)mkdir(FOLDER, 0755);
	a.code = add_run(run, &a.runs);
	(void)!helper_reply(line, &head, &answer);
}

/* ---- calling process ---- */

bool ready_history_start(int *ret, struct err *err)
{
	if (geteuid() != 0) {
		err_record(err, ERR_DENIED, EACCES,
			   "--require keeps its results in " FOLDER ", which is root's");
		return err_fix(err, "run it with sudo, or leave out --require");
	}
	return helper_process_start(serve, SOCK_STREAM, "keeps the results", ret, err);
}

bool ready_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad, struct err *err)
{
	const struct helper_question q = { is_bad ? "1" : "0", 1, LIMIT_MS, NULL };
	struct answer a = { 0 };
	struct helper_answer answer = { &a, sizeof(a), NULL, 0, 0 };
	int code = helper_ask(helper, &q, &answer);

	a.code = code ? code : a.code;
	if (a.code)
		return err_set(err, ERR_SYSTEM, a.code, "write " RUNS ": %s", strerror(a.code));
	*ret_bad = 0;
	for (unsigned i = READY_RUNS_MAX - of; i < READY_RUNS_MAX; i++)
		*ret_bad += a.runs.at[i] == '1';
	return true;
}
