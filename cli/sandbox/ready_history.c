#include "ready_history.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"

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

	if (mkdir(FOLDER, 0755) == 0)
		(void)chmod(FOLDER, 0755); /* whatever the umask: others read the agent's files */
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
