#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "output_file.h"
#include "privileges.h"
#include "ready_history.h"
#include "tools.h"

/* The descriptors of a helper: /dev/null, the line, and one that it keeps. */
enum { LINE = STDERR_FILENO + 1, KEPT, FREE };

/* A row for each helper: its rights are those that each of its tasks needs. */
static const struct process {
	const char *does;
	const struct rights *rights;
	uint64_t may_keep;	  /* where nothing else works: see give_up_rights() */
	rlim_t output_max;	  /* bytes that a tool can write to a file; 0: no limit */
	bool once;		  /* ends after its first answer */
	bool outlives_sigterm;	  /* ends by its line alone, which ends a run first */
	void (*leave)(void *arg); /* called at its end */
} processes[HELPERS] = {
	[HELPER_FIRMWARE] = { .does = "queries the firmware",
			      .rights = &rights_firmware,
			      .output_max = TOOL_OUTPUT_MAX },
	[HELPER_LOADER] = { .does = "loads modules", .rights = &rights_loader },
	[HELPER_SIGNATURE] = { .does = "verifies signatures",
			       .rights = &rights_helper,
			       .may_keep = PRIVILEGE(CAP_NET_ADMIN) },
	[HELPER_READY] = { .does = "keeps the results", .rights = &rights_helper, .once = true },
	[HELPER_OUTPUT] = { .does = "names the file",
			    .rights = &rights_output,
			    .once = true,
			    .leave = output_file_remove },
	[HELPER_PERFTEST] = { .does = "runs perftest",
			      .rights = &rights_perftest,
			      .output_max = PERFTEST_OUTPUT_MAX,
			      .outlives_sigterm = true },
};

/* Questions that helpers answer, and no others. Their limits of time are helper_limit_s[]. */
static const struct task {
	enum helper helper;
	size_t min, max; /* bytes of the question */
	size_t text_max; /* bytes of the answer */
	helper_answer_fn *answer;
} tasks[HELPER_TASKS] = {
	[TASK_NVCONFIG] = { HELPER_FIRMWARE, 1, 32, TOOL_OUTPUT_MAX - 1, tool_answer },
	[TASK_ROCE_ACCL] = { HELPER_FIRMWARE, 1, 32, TOOL_OUTPUT_MAX - 1, tool_answer },
	[TASK_RDMA_TOPO] = { HELPER_FIRMWARE, 1, 1, TOOL_OUTPUT_MAX - 1, tool_answer },
	[TASK_MODPROBE] = { HELPER_LOADER, 1, 32, 0, tool_answer },
	[TASK_SIGNATURE] = { HELPER_SIGNATURE, SIGNATURE_QUESTION_MIN, SIGNATURE_QUESTION_MAX, 0,
			     signature_answer },
	[TASK_PERFTEST] = { HELPER_PERFTEST, sizeof(struct perftest_request),
			    sizeof(struct perftest_request), PERFTEST_OUTPUT_MAX - 1,
			    perftest_answer },
	[TASK_READY_RUN] = { HELPER_READY, 1, 1, READY_RUNS_MAX, ready_history_answer },
	[TASK_NAME_FILE] = { HELPER_OUTPUT, 1, 1, 0, output_file_answer },
};

/*
 * Closes all inherited descriptors but two: a process that reads from the caller's pipes must see
 * their end, and no file of the caller stays open.
 */
static bool keep_only(int line, int *kept)
{
	int nowhere = open("/dev/null", O_RDWR), other = kept ? *kept : nowhere;

	/* Above those that are replaced. */
	line = fcntl(line, F_DUPFD_CLOEXEC, FREE);
	other = fcntl(other, F_DUPFD_CLOEXEC, FREE);
	for (int fd = 0; fd < LINE; fd++)
		if (dup2(nowhere, fd) < 0)
			return false;
	if (dup3(line, LINE, O_CLOEXEC) < 0 || dup3(other, KEPT, O_CLOEXEC) < 0)
		return false;
	closefrom(kept ? FREE : KEPT);
	if (kept)
		*kept = KEPT;
	return true;
}

/*
 * Keeps more if nothing else works: a sandbox that leaves only this one capability may also block
 * the call that drops it.
 */
static bool give_up_rights(const struct process *p)
{
	struct rights rights = *p->rights;
	struct err err = { 0 };

	if (p->may_keep && !privilege_keep(rights.keeps, &err))
		rights.keeps = p->may_keep;
	return privilege_narrow(&rights, &err);
}

/* The tool's output is a file in memory; the tool gets a signal, and the helper an error. */
static bool limit_output(rlim_t most)
{
	const struct rlimit limit = { most, most };

	signal(SIGXFSZ, SIG_IGN);
	return !most || setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

static bool accepts(enum helper helper, const struct helper_head *head)
{
	const struct task *t = &tasks[head->task < HELPER_TASKS ? head->task : 0];

	return head->task < HELPER_TASKS && t->helper == helper && head->size >= t->min &&
	       head->size <= t->max;
}

/* Answers questions until the line ends. One without a byte came too late to cancel a run. */
static void serve(enum helper helper, void *arg)
{
	size_t question_max = 0, text_max = 0;
	_free_ char *question = NULL, *text = NULL;
	struct helper_head head;

	for (const struct task *t = tasks; t < tasks + HELPER_TASKS; t++) {
		if (t->helper == helper && t->max > question_max)
			question_max = t->max;
		if (t->helper == helper && t->text_max > text_max)
			text_max = t->text_max;
	}
	question = malloc(question_max + 1);
	text = malloc(text_max + 1);
	while (question && text && helper_next(LINE, question, question_max, &head)) {
		struct helper_work work = { head.task, question, head.size, LINE, arg };
		struct helper_answer answer = { .text = text };

		if (!head.size)
			continue;
		if (!accepts(helper, &head))
			return;
		question[head.size] = '\0';
		answer.text_max = tasks[head.task].text_max;
		tasks[head.task].answer(&work, &answer);
		if (!helper_reply(LINE, &head, &answer) || processes[helper].once)
			return;
	}
}

static void become(enum helper helper, void *arg, int line, int *kept)
{
	const struct process *p = &processes[helper];

	/* Ignore signals from the terminal: they are meant for the caller. */
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (p->outlives_sigterm)
		signal(SIGTERM, SIG_IGN);
	/* Ignored SIGCHLD, which a shell may pass on, would hide how programs end. */
	signal(SIGCHLD, SIG_DFL);
	if (keep_only(line, kept) && give_up_rights(p) && limit_output(p->output_max))
		serve(helper, arg);
	if (p->leave)
		p->leave(arg);
}

bool helper_start(enum helper helper, void *arg, int *kept, int *ret, struct err *err)
{
	int line[2];
	pid_t pid;

	*ret = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0)
		return err_set(err, ERR_SYSTEM, errno, "socketpair: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		become(helper, arg, line[1], kept);
		_exit(0);
	}
	close(line[1]);
	if (pid > 0)
		*ret = line[0];
	else
		close(line[0]);
	return pid > 0 || err_set(err, ERR_SYSTEM, errno, "start a process that %s: %s",
				  processes[helper].does, strerror(errno));
}
