/* Tests of signals: only lldpad receives them. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

static struct host_linux outside;

/* Start a process of this name. SIGHUP ends it, and so does closing `*ret_stop`. */
static pid_t start(const char *name, int *ret_stop)
{
	int ready[2], stop[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(stop), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(stop[1]);
		prctl(PR_SET_NAME, name);
		signal(SIGHUP, SIG_DFL); /* nohup may have ignored it */
		if (write(ready[1], "", 1) == 1 && read(stop[0], &c, 1) == 0)
			_exit(0);
		_exit(1);
	}
	close(stop[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	*ret_stop = stop[1];
	return pid;
}

/* End the process, and return the signal that it died of, or 0. */
static int end(pid_t pid, int stop)
{
	int status;

	close(stop);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void lldpad_gets_it(void **s)
{
	struct err err = { 0 };
	int stop, status;
	pid_t pid = start("lldpad", &stop);

	(void)s;
	if (!host_signal(&outside.host, (unsigned)pid, SIGHUP, &err))
		fail_msg("%s", err.text);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	close(stop);
}

static void another_process_does_not(void **s)
{
	static const char *const names[] = { "lldpd", "lldpad2", "lldpa", "" };

	(void)s;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct err err = { 0 };
		int stop;
		pid_t pid = start(names[i], &stop);

		assert_false(host_signal(&outside.host, (unsigned)pid, SIGHUP, &err));
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_int_equal(err.code, ESRCH);
		assert_int_equal(end(pid, stop), 0);
	}
}

static void who_is_gone_is_no_lldpad(void **s)
{
	struct err err = { 0 };
	int stop;
	pid_t pid = start("lldpad", &stop);

	(void)s;
	assert_int_equal(end(pid, stop), 0);
	assert_false(host_signal(&outside.host, (unsigned)pid, SIGHUP, &err));
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_int_equal(err.code, ESRCH);
}

static void no_number_means_a_group_of_processes(void **s)
{
	static const unsigned numbers[] = { 0, (unsigned)-1, 1u << 31 };

	(void)s;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		struct err err = { 0 };

		assert_false(host_signal(&outside.host, numbers[i], SIGHUP, &err));
		assert_int_equal(err.kind, ERR_SYSTEM);
	}
}

static void a_run_that_only_reads_sends_none(void **s)
{
	struct err err = { 0 };
	int stop;
	pid_t pid = start("lldpad", &stop);

	(void)s;
	outside.host.may_write = false;
	assert_false(host_signal(&outside.host, (unsigned)pid, SIGHUP, &err));
	outside.host.may_write = true;
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_int_equal(end(pid, stop), 0);
}

int main(void)
{
	static struct suite s;
	struct err err = { 0 };
	int failed;

	if (!host_linux_open(&outside, "/", true, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	SUITE_ADD(&s, lldpad_gets_it);
	SUITE_ADD(&s, another_process_does_not);
	SUITE_ADD(&s, who_is_gone_is_no_lldpad);
	SUITE_ADD(&s, no_number_means_a_group_of_processes);
	SUITE_ADD(&s, a_run_that_only_reads_sends_none);
	failed = suite_run(&s, "signal");
	host_linux_close(&outside);
	return failed;
}
