#include "confirm_watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../host/cleanup.h"
#include "../../host/host_linux.h"
#include "../../host/log.h"
#include "../journal/journal.h"
#include "../journal/lock.h"

#define READY_MS       10000
#define WATCH_WAIT_S   5   /* for the previous watchdog to exit */
#define CHECK_MS       250 /* how often to check if the wait was ended */
#define LOCK_TIMEOUT_S 86400
#define TRIES	       5
#define TRY_AGAIN_S    5

/* ---- the watchdog process ---- */

/* Descriptors of the watchdog, from 0. */
enum { NOWHERE_IN, NOWHERE_OUT, NOWHERE_ERR, LINE, WATCH, FIRST_FREE };

/*
 * Closes all other descriptors, so that readers of the caller's pipes do not wait for us, and no
 * other lock is kept.
 */
static bool keep_only(int line, int watch)
{
	int nowhere = open("/dev/null", O_RDWR);
	/* Move both above the descriptors that are set below. */
	int parked_line = fcntl(line, F_DUPFD, FIRST_FREE);
	int parked_watch = fcntl(watch, F_DUPFD, FIRST_FREE);

	for (int fd = NOWHERE_IN; fd <= NOWHERE_ERR; fd++)
		if (dup2(nowhere, fd) < 0)
			return false;
	if (dup2(parked_line, LINE) < 0 || dup2(parked_watch, WATCH) < 0)
		return false;
	fcntl(LINE, F_SETFD, FD_CLOEXEC);
	fcntl(WATCH, F_SETFD, FD_CLOEXEC);
	closefrom(FIRST_FREE);
	return true;
}

/* Blocks the termination signals, which sigtimedwait(2) fetches; ignores a terminal's hang-up. */
static void set_signals(sigset_t *ret)
{
	sigemptyset(ret);
	sigaddset(ret, SIGTERM);
	sigaddset(ret, SIGINT);
	sigprocmask(SIG_SETMASK, ret, NULL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

/*
 * Protects the watchdog from a shortage of memory and from the loss of a disk behind the port,
 * which may hold the program file.
 */
void confirm_watchdog_prepare(void)
{
	const struct rlimit any = { RLIM_INFINITY, RLIM_INFINITY };
	_close_ int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	setrlimit(RLIMIT_MEMLOCK, &any);
	(void)!write(fd, "-1000", sizeof("-1000") - 1);
}

/* The state of the watchdog: its own connection to the kernel, and the function that rolls back. */
struct watch {
	struct host_linux host;
	struct engine engine;
	rollback_fn *try_rollback;
	struct log log;
};

/* Overrides guards: a rollback must not be refused. */
static bool prepare(const struct engine *e, struct watch *w)
{
	struct err quiet = { 0 };

	if (!host_linux_open(&w->host, "/", true, &quiet))
		return false;
	w->engine = (struct engine){
		.h = &w->host.host,
		.backends = e->backends,
		.user = e->user,
		.overrides = OVERRIDE_ALL,
		.keep_going = true,
		.lock_timeout_s = LOCK_TIMEOUT_S,
	};
	(void)mlockall(MCL_CURRENT);
	log_open(&w->log, LOG_JOURNAL);
	return true;
}

/*
 * Waits for the apply's last message, see send_end(); false, without a change of *ret: the apply
 * died or gave up.
 */
static bool wait_for_apply(struct pending_confirm *ret)
{
	struct pending_confirm got;
	ssize_t n;

	do
		n = recv(LINE, &got, sizeof(got), 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(got))
		return false;
	*ret = got;
	return true;
}

/* True unless the journal says that the watched apply has ended. */
static bool still_pending(struct host *h, const struct pending_confirm *ours)
{
	_journal_ struct journal j = { .entries = NULL };
	struct err quiet = { 0 };

	return (!journal_load_copy(h, &j) && !journal_peek(h, JOURNAL_PENDING, &j, &quiet)) ||
	       (journal_own_count(&j) && strcmp(j.run.time, ours->started_at) == 0);
}

/* Somebody emptied /run: nobody sees that this process watches, and whether it still has to. */
static bool is_wiped(void)
{
	struct stat s;

	return fstat(WATCH, &s) == 0 && s.st_nlink == 0;
}

/* True if the journal says that the wait has ended, or a rollback by hand has ended it. */
static bool has_ended(struct host *h, const struct pending_confirm *ours)
{
	return !still_pending(h, ours) || pending_confirm_is_withdrawn(h, ours);
}

/*
 * Makes the files in /run again, under the lock of the runs that end the wait; false: it has ended.
 * Asks before it takes the lock, too: the next apply holds that, and waits until we are gone.
 */
static bool restore_files(struct host *h, const struct pending_confirm *ours)
{
	_close_ int lock = -1, watch = -1;
	struct err quiet = { 0 };

	if (has_ended(h, ours))
		return false;
	if (!lock_acquire(h, 0, &lock, &quiet))
		return true; /* see whether that run has ended it */
	if (has_ended(h, ours))
		return false;
	if (is_wiped() && lock_watch(h, 0, &watch, &quiet))
		(void)dup3(watch, WATCH, O_CLOEXEC);
	(void)!pending_confirm_save(h, ours, &quiet);
	return true;
}

/* True while this process still watches: a file that is lost or damaged ends no wait. */
static bool is_on(struct host *h, const struct pending_confirm *ours)
{
	struct pending_confirm w;
	struct err quiet = { 0 };

	return (pending_confirm_load(h, &w, &quiet) && w.there && w.pid == ours->pid) ||
	       restore_files(h, ours);
}

/*
 * True if a rollback by hand that ended the wait was killed: nobody can confirm any more, and the
 * rest is left to this process. One that fails says so, and what to do.
 */
static bool was_left(struct host *h, const struct pending_confirm *ours)
{
	while (still_pending(h, ours)) {
		if (lock_was_abandoned(h))
			return true;
		if (!lock_is_held(h))
			return false;
		host_sleep(h, CHECK_MS);
	}
	return false;
}

/* Waits for the deadline or a termination signal; false: another process ended the wait. */
static bool wait_for_deadline(struct host *h, const struct pending_confirm *ours,
			      const sigset_t *signals)
{
	const struct timespec interval = { .tv_nsec = CHECK_MS * 1000000 };

	while (is_on(h, ours)) {
		if (h->now_ms(h) >= ours->expires_ms || sigtimedwait(signals, NULL, &interval) > 0)
			return true;
	}
	return was_left(h, ours);
}

/*
 * Tries several times, because a failure may pass. After the first attempt, any process may roll
 * back the rest, as that of an interrupted run, and begin another run.
 */
static enum rollback_end try_rollback(const struct watch *w, const struct pending_confirm *ours,
				      struct err *err)
{
	enum rollback_end end = ROLLBACK_NOT_DONE;

	for (int try = 0; try < TRIES && end != ROLLBACK_DONE; try++) {
		enum rollback_end now;

		if (try)
			sleep(TRY_AGAIN_S);
		*err = (struct err){ 0 };
		now = w->try_rollback(&w->engine, ours, err);
		/* After a failure, another process did it; after a part, the rest cannot be. */
		if (now == NOTHING_PENDING)
			return end == ROLLBACK_PARTIAL ? end : now;
		end = now;
	}
	return end;
}

void rollback_end_log(const struct log *log, enum rollback_end end, const struct err *err)
{
	if (end == ROLLBACK_DONE)
		log_event(log, LOG_APPLY_ROLLED_BACK, NO_TOPIC,
			  "the last apply was not confirmed in time: it was rolled back");
	else if (end == ROLLBACK_PARTIAL)
		log_event(
			log, LOG_APPLY_ROLLBACK_FAILED, NO_TOPIC,
			"the last apply was not confirmed in time: it was rolled back, except for "
			"a port or a setting that is gone or cannot be read: run `losslessctl "
			"rollback` when it is back");
	else if (end == ROLLBACK_NOT_DONE)
		log_event(log, LOG_APPLY_ROLLBACK_FAILED, NO_TOPIC,
			  "the last apply was not confirmed in time, and the rollback failed: %s",
			  err->text[0] ? err->text : "run `losslessctl rollback` to see the error");
}

static void roll_back_and_log(const struct watch *w, const struct pending_confirm *ours)
{
	struct err err = { 0 };

	rollback_end_log(&w->log, try_rollback(w, ours, &err), &err);
}

/* Prepares everything before the apply may start. */
static void watchdog_main(const struct engine *e, rollback_fn *how,
			  const struct confirm_watchdog *s, int line, int watch)
{
	struct watch w = { .try_rollback = how };
	struct pending_confirm ours = s->pending_confirm;
	pid_t me = getpid();
	sigset_t signals;

	ours.pid = (unsigned)me;
	set_signals(&signals);
	if (!keep_only(line, watch) || chdir("/") < 0 || !prepare(e, &w))
		return;
	if (send(LINE, &me, sizeof(me), MSG_NOSIGNAL) != sizeof(me))
		return;
	if (!wait_for_apply(&ours) ||
	    (ours.expires_ms && wait_for_deadline(w.engine.h, &ours, &signals)))
		roll_back_and_log(&w, &ours);
}

/* ---- the apply ---- */

/* Forks twice, so that the watchdog is nobody's child and can get no controlling terminal. */
static bool detach(const struct engine *e, rollback_fn *how, const struct confirm_watchdog *s,
		   int line, int watch, struct err *err)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (setsid() >= 0 && fork() == 0)
			watchdog_main(e, how, s, line, watch);
		_exit(0);
	}
	if (pid < 0)
		return err_set(err, ERR_SYSTEM, errno,
			       "start the process that waits for `losslessctl confirm`: %s",
			       strerror(errno));
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}

static bool receive_pid(int line, unsigned *ret, struct err *err)
{
	struct pollfd ready = { .fd = line, .events = POLLIN };
	pid_t pid = 0;
	int n;

	do
		n = poll(&ready, 1, READY_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0 || recv(line, &pid, sizeof(pid), MSG_DONTWAIT) != sizeof(pid))
		return err_set(err, ERR_SYSTEM, EIO,
			       "the process that waits for `losslessctl confirm` did not start");
	*ret = (unsigned)pid;
	return true;
}

bool confirm_watchdog_arm(const struct engine *e, const char *policy, const char *started_at,
			  rollback_fn *how, struct confirm_watchdog *ret, struct err *err)
{
	_close_ int watch = -1, far_end = -1;
	int line[2];

	if (!lock_watch(e->h, WATCH_WAIT_S, &watch, err))
		return false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) < 0)
		return err_set(err, ERR_SYSTEM, errno, "socketpair: %s", strerror(errno));
	ret->line = line[0];
	far_end = line[1];
	ret->pending_confirm = (struct pending_confirm){ .there = true };
	snprintf(ret->pending_confirm.policy_name, sizeof(ret->pending_confirm.policy_name), "%s",
		 policy);
	snprintf(ret->pending_confirm.started_at, sizeof(ret->pending_confirm.started_at), "%s",
		 started_at);
	if (!detach(e, how, ret, far_end, watch, err))
		return false;
	close(far_end); /* so that each side notices when the other closes */
	far_end = -1;
	return receive_pid(ret->line, &ret->pending_confirm.pid, err) &&
	       pending_confirm_save(e->h, &ret->pending_confirm, err);
}

void confirm_watchdog_disarm(struct confirm_watchdog *s)
{
	if (s->line >= 0)
		close(s->line);
	s->line = -1;
}

/* Tells the watchdog how long to wait; without a deadline there is nothing to roll back. */
static bool send_end(struct confirm_watchdog *s, struct err *err)
{
	const struct pending_confirm *w = &s->pending_confirm;
	bool ok = send(s->line, w, sizeof(*w), MSG_NOSIGNAL) == sizeof(*w);

	confirm_watchdog_disarm(s);
	return ok || err_set(err, ERR_SYSTEM, EPIPE,
			     "the process that waits for `losslessctl confirm` has died; run "
			     "`losslessctl rollback` to undo the apply");
}

bool confirm_watchdog_wait(struct host *h, struct confirm_watchdog *s, unsigned seconds,
			   struct err *err)
{
	timestamp_text(time(NULL) + (int64_t)seconds, s->pending_confirm.expires_at);
	s->pending_confirm.expires_ms = h->now_ms(h) + (uint64_t)seconds * 1000;
	if (!pending_confirm_save(h, &s->pending_confirm, err))
		return err_in(err, "nobody could confirm the apply, which is rolled back now");
	return send_end(s, err);
}

bool confirm_watchdog_dismiss(struct host *h, struct confirm_watchdog *s, struct err *err)
{
	return pending_confirm_end(h, err) && send_end(s, err);
}
