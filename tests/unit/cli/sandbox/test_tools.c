/* Tests of a helper's program: how it ends, and that no part of it outlives an ended run. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/sandbox/tools.h"
#include "tests/support/unit.h"

#define SHELL "/bin/sh"
#define LONG  100 /* seconds; no test takes as long */

static int output[2]; /* a pipe; the program's output is read from output[0] */

static int open_output(void **state)
{
	(void)state;
	return pipe2(output, O_CLOEXEC);
}

static int close_output(void **state)
{
	(void)state;
	close(output[0]);
	return 0;
}

static int run(const char *script, unsigned limit_s, int cancel, enum tool_end *end)
{
	char *argv[] = { SHELL, "-c", (char *)script, NULL };
	const struct tool t = { SHELL, argv, -1, output[1], limit_s, cancel };
	int status = -1;

	assert_int_equal(tool_run(&t, end, &status), 0);
	close(output[1]);
	return status;
}

/* Expect this output to its end: each process that could print has ended. */
static void expect_output(const char *expected)
{
	char text[256];
	size_t used = 0;
	ssize_t n = 1;

	while (n > 0) {
		struct pollfd p = { output[0], POLLIN, 0 };

		assert_int_equal(poll(&p, 1, 20000), 1);
		n = read(output[0], text + used, sizeof(text) - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	text[used] = '\0';
	assert_string_equal(text, expected);
}

static void a_program_that_ends_has_its_status_and_output(void **state)
{
	enum tool_end end;
	int status = run("echo out; echo err >&2; exit 7", LONG, -1, &end);

	(void)state;
	assert_int_equal(end, TOOL_ENDED);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	expect_output("out\nerr\n");
}

static void a_program_that_is_late_is_killed_with_its_children(void **state)
{
	enum tool_end end;
	int status = run("sleep 1000 & sleep 1000", 0, -1, &end);

	(void)state;
	assert_int_equal(end, TOOL_LATE);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	expect_output("");
}

static void a_byte_kills_the_program_with_its_children(void **state)
{
	enum tool_end end;
	int cancel[2], status;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, cancel), 0);
	assert_int_equal(write(cancel[1], "", 1), 1);
	status = run("sleep 1000 & sleep 1000", LONG, cancel[0], &end);
	assert_int_equal(end, TOOL_CANCELLED);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	expect_output("");
	close(cancel[0]);
	close(cancel[1]);
}

static void the_end_of_the_line_kills_it_as_well(void **state)
{
	enum tool_end end;
	int cancel[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, cancel), 0);
	close(cancel[1]);
	run("sleep 1000", LONG, cancel[0], &end);
	assert_int_equal(end, TOOL_CANCELLED);
	expect_output("");
	close(cancel[0]);
}

/* SIGCHLD of a killed program is still pending when the next one runs. */
static void the_end_of_an_earlier_program_is_not_its_end(void **state)
{
	char *argv[] = { SHELL, "-c", "sleep 1000", NULL };
	const struct tool late = { SHELL, argv, -1, output[1], 0, -1 };
	enum tool_end end;
	int status;

	(void)state;
	assert_int_equal(tool_run(&late, &end, &status), 0);
	assert_int_equal(end, TOOL_LATE);
	assert_int_equal(run("sleep 0.1; echo done", LONG, -1, &end), 0);
	assert_int_equal(end, TOOL_ENDED);
	expect_output("done\n");
}

/* A helper that is killed cannot kill its program. */
static void the_end_of_the_helper_kills_it(void **state)
{
	char byte, *argv[] = { SHELL, "-c", "echo runs; exec sleep 1000", NULL };
	const struct tool t = { SHELL, argv, -1, output[1], LONG, -1 };
	enum tool_end end;
	int status;
	pid_t helper = fork();

	(void)state;
	if (helper == 0)
		_exit(tool_run(&t, &end, &status));
	close(output[1]);
	assert_int_equal(read(output[0], &byte, 1), 1);
	kill(helper, SIGKILL);
	waitpid(helper, NULL, 0);
	expect_output("uns\n");
}

static void its_environment_is_ours(void **state)
{
	enum tool_end end;

	(void)state;
	setenv("LD_PRELOAD_OF_A_USER", "x", 1);
	run("echo $PATH $LC_ALL $LD_PRELOAD_OF_A_USER", LONG, -1, &end);
	expect_output("/usr/sbin:/usr/bin:/sbin:/bin C\n");
}

static void signals_that_the_helper_ignores_or_blocks_end_it(void **state)
{
	enum tool_end end;
	sigset_t term, before;
	int status;

	(void)state;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &before);
	signal(SIGTERM, SIG_IGN);
	status = run("kill -TERM $$; echo ignored", LONG, -1, &end);
	signal(SIGTERM, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	expect_output("");
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	char *argv[] = { "/nonexistent", NULL };
	const struct tool t = { argv[0], argv, -1, output[1], LONG, -1 };
	enum tool_end end;
	int status;

	(void)state;
	assert_int_equal(tool_run(&t, &end, &status), ENOENT);
	close(output[1]);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_program_that_ends_has_its_status_and_output);
	SUITE_ADD(&s, a_program_that_is_late_is_killed_with_its_children);
	SUITE_ADD(&s, a_byte_kills_the_program_with_its_children);
	SUITE_ADD(&s, the_end_of_the_line_kills_it_as_well);
	SUITE_ADD(&s, the_end_of_an_earlier_program_is_not_its_end);
	SUITE_ADD(&s, the_end_of_the_helper_kills_it);
	SUITE_ADD(&s, its_environment_is_ours);
	SUITE_ADD(&s, signals_that_the_helper_ignores_or_blocks_end_it);
	SUITE_ADD(&s, a_program_that_is_not_there_is_an_error);
	for (size_t i = 0; i < s.count; i++) {
		s.tests[i].setup_func = open_output;
		s.tests[i].teardown_func = close_output;
	}
	return suite_run(&s, "tools");
}
