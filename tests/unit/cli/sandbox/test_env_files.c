/* Tests of the files that set the environment of jobs: those that a job cannot read set nothing. */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/sandbox/env_files.h"
#include "tests/support/unit.h"

static char root[] = "/tmp/losslessctl-test-XXXXXX";
static char etc[64], nccl_conf[80];

static int make_root(void **s)
{
	(void)s;
	if (!mkdtemp(root))
		return -1;
	snprintf(etc, sizeof(etc), "%s/etc", root);
	snprintf(nccl_conf, sizeof(nccl_conf), "%s/nccl.conf", etc);
	return mkdir(etc, 0700);
}

static int remove_root(void **s)
{
	(void)s;
	unlink(nccl_conf);
	return rmdir(etc) || rmdir(root);
}

static void put(const char *path, mode_t mode)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("NCCL_IB_TC=106\n", f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static struct cli opened(const struct verb *verb)
{
	struct cli c = { .opt = { .verb = verb, .root = "/" } };

	for (size_t i = 0; i < ENV_FILES; i++)
		c.env_fds[i] = -1;
	return c;
}

/* Closes the files; returns whether this one was among them. */
static bool had(struct cli *c, enum env_file file)
{
	bool is_open = c->env_fds[file] >= 0;

	for (size_t i = 0; i < ENV_FILES; i++)
		if (c->env_fds[i] >= 0)
			close(c->env_fds[i]);
	return is_open;
}

static void a_file_that_other_users_cannot_read_sets_nothing(void **s)
{
	static const struct verb judges_host = { .takes = READS_ENVIRONMENT };
	static const mode_t modes[] = { 0644, 0640, 0600, 0604 };

	(void)s;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct cli c = opened(&judges_host);
		struct err err = { 0 };
		char fix[128];

		c.opt.root = root;
		put(nccl_conf, modes[i]);
		assert_true(env_files_open(&c, &err));
		assert_int_equal(had(&c, ENV_FILE_NCCL_CONF), (modes[i] & S_IROTH) != 0);
		if (modes[i] & S_IROTH) {
			assert_int_equal(c.env_why.kind, ERR_NONE);
			continue;
		}
		assert_int_equal(c.env_why.code, EACCES);
		assert_non_null(strstr(c.env_why.text, "a job of another user cannot read it"));
		snprintf(fix, sizeof(fix), "run `chmod a+r %s`", nccl_conf);
		assert_string_equal(c.env_why.fix, fix);
	}
}

/* Starts a process of this user and group, with HOME in the directory. */
static pid_t start_job(uid_t user, gid_t group, gid_t other_group)
{
	static char home[96];
	char *const words[] = { "sleep", "100", NULL }, *const environment[] = { home, NULL };
	pid_t pid;

	snprintf(home, sizeof(home), "HOME=%s", root);
	pid = fork();
	if (pid != 0)
		return pid;
	if (setgroups(1, &other_group) == 0 && setgid(group) == 0 && setuid(user) == 0)
		execve("/bin/sleep", words, environment);
	_exit(1);
}

static bool is_sleeping(pid_t pid)
{
	char path[64], name[16] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/cmdline", (unsigned)pid);
	f = fopen(path, "r");
	if (f && !fgets(name, sizeof(name), f))
		name[0] = '\0';
	if (f)
		fclose(f);
	return strcmp(name, "sleep") == 0;
}

/* Valgrind does not, and Linux before 5.6. */
static bool has_openat2(void)
{
	return syscall(SYS_openat2, -1, NULL, NULL, 0) == 0 || errno != ENOSYS;
}

static void a_process_reads_what_its_ids_may(void **s)
{
	static const struct verb judges_process = { .takes = TAKES_ENVIRONMENT };
	static const struct {
		mode_t mode;
		uid_t owner;
		gid_t group;
		uid_t user;
		bool may;
	} rows[] = {
		{ 0600, 0, 0, 0, true },	{ 0600, 0, 0, 1000, false },
		{ 0600, 1000, 0, 1000, true },	{ 0044, 1000, 0, 1000, false },
		{ 0640, 0, 1000, 1000, true },	{ 0640, 0, 2000, 1000, true },
		{ 0604, 0, 2000, 1000, false }, { 0640, 0, 3000, 1000, false },
		{ 0644, 0, 0, 1000, true },
	};
	char conf[96], number[16];

	(void)s;
	if (getuid() != 0 || !has_openat2())
		skip();
	snprintf(conf, sizeof(conf), "%s/.nccl.conf", root);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cli c = opened(&judges_process);
		struct err err = { 0 };
		pid_t pid = start_job(rows[i].user, rows[i].user, 2000);
		bool opens;

		while (!is_sleeping(pid))
			assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
		put(conf, rows[i].mode);
		assert_int_equal(chown(conf, rows[i].owner, rows[i].group), 0);
		snprintf(number, sizeof(number), "%u", (unsigned)pid);
		c.opt.pid = number;
		opens = env_files_open(&c, &err);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		unlink(conf);
		if (!opens)
			fail_msg("row %zu: %s", i, err.text);
		if (had(&c, ENV_FILE_USER_CONF) != rows[i].may)
			fail_msg("row %zu: %s", i, c.env_why.text);
		assert_true(rows[i].may || strstr(c.env_why.text, "the process cannot read it"));
		assert_null(strstr(c.env_why.fix, "chmod"));
	}
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_file_that_other_users_cannot_read_sets_nothing);
	SUITE_ADD(&s, a_process_reads_what_its_ids_may);
	return _cmocka_run_group_tests("env_files", s.tests, s.count, make_root, remove_root);
}
