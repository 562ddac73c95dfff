#include "look_history.h"

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
#define LOOKS  FOLDER "/ready-looks"

#define LIMIT_MS 30000 /* for a lock that another run holds */

/* Looks, the newest last: '1' is bad, '0' is good, and '-' stands for none. */
struct looks {
	char at[LOOKS_MAX];
};

struct answer {
	int code; /* an errno; 0: the looks are valid */
	struct looks looks;
};

/* ---- helper process ---- */

/* A file that is missing, short or damaged has no looks. */
static void read_looks(int fd, struct looks *ret)
{
	memset(ret->at, '-', sizeof(ret->at));
	if (pread(fd, ret->at, sizeof(ret->at), 0) != (ssize_t)sizeof(ret->at))
		memset(ret->at, '-', sizeof(ret->at));
}

/*
 * Writes all of them at once, with the lock held: another run reads the old or the new ones. Who
 * could open the file could hold its lock.
 */
static int add_look(char look, struct looks *ret)
{
	_close_ int fd = open(LOOKS, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 || fchmod(fd, 0600) < 0 || flock(fd, LOCK_EX) < 0)
		return errno;
	read_looks(fd, ret);
	memmove(ret->at, ret->at + 1, sizeof(ret->at) - 1);
	ret->at[LOOKS_MAX - 1] = look;
	return pwrite(fd, ret->at, sizeof(ret->at), 0) == (ssize_t)sizeof(ret->at) ? 0 : errno;
}

static void serve(int line)
{
	struct answer a = { 0 };
	const struct helper_answer answer = { &a, sizeof(a), NULL, 0, 0 };
	struct helper_head head;
	struct err err = { 0 };
	char look;

	if (!privilege_narrow(&rights_helper, &err) || !helper_next(line, &look, 1, &head) ||
	    !head.size)
		return;
	(void)mkdir(FOLDER, 0755);
	a.code = add_look(look, &a.looks);
	(void)!helper_reply(line, &head, &answer);
}

/* ---- calling process ---- */

bool look_history_start(int *ret, struct err *err)
{
	if (geteuid() != 0) {
		err_record(err, ERR_DENIED, EACCES,
			   "--require keeps its looks in " FOLDER ", which is root's");
		return err_fix(err, "run it with sudo, or leave out --require");
	}
	return helper_process_start(serve, SOCK_STREAM, "keeps the looks", ret, err);
}

bool look_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad, struct err *err)
{
	const struct helper_question q = { is_bad ? "1" : "0", 1, LIMIT_MS, NULL };
	struct answer a = { 0 };
	struct helper_answer answer = { &a, sizeof(a), NULL, 0, 0 };
	int code = helper_ask(helper, &q, &answer);

	a.code = code ? code : a.code;
	if (a.code)
		return err_set(err, ERR_SYSTEM, a.code, "write " LOOKS ": %s", strerror(a.code));
	*ret_bad = 0;
	for (unsigned i = LOOKS_MAX - of; i < LOOKS_MAX; i++)
		*ret_bad += a.looks.at[i] == '1';
	return true;
}
