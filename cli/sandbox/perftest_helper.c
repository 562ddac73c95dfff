#include "perftest_helper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"
#include "tool_process.h"

#define PROGRAM	     "/usr/bin/ib_write_bw"
#define HELP_LIMIT_S 5
#define SENDS_MS     10000
#define ENDS_LATER_S 10 /* the helper kills perftest before */

struct request {
	struct perftest perftest;
	uint32_t limit_s;
};

/* The output follows. */
struct answer {
	uint32_t kind; /* enum err_kind; 0: perftest ran to its end */
	int32_t code;
	uint32_t failed; /* perftest ended with an error */
	char text[256];	 /* with a kind: a sentence */
};

/* ---- helper process ---- */

static bool find_program(struct err *err)
{
	_close_ int fd = -1;

	if (trusted_open(PROGRAM, CHECK_EVERY_MOUNT, &fd, err))
		return true;
	if (err->kind != ERR_NO_FILE)
		return false;
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNSUPPORTED, ENOENT,
		       PROGRAM " is not installed (package perftest)");
}

static bool run(const struct request *r, int line, int output, bool *ok, struct err *err)
{
	struct perftest_words words;
	char *argv[PERFTEST_WORDS_MAX + 2] = { PROGRAM };
	struct tool t = { PROGRAM, argv, -1, output, r->limit_s, line };
	enum tool_end end;
	int status, code;

	if (!perftest_check(&r->perftest, err) || !find_program(err))
		return false;
	perftest_write_words(&r->perftest, &words);
	memcpy(argv + 1, words.list, (words.count + 1) * sizeof(*argv));
	code = tool_run(&t, &end, &status);
	if (code)
		return err_set(err, ERR_SYSTEM, code, PROGRAM ": %s", strerror(code));
	if (end == TOOL_LATE)
		return err_set(err, ERR_SYSTEM, ETIMEDOUT, PROGRAM " did not end within %u s",
			       r->limit_s);
	if (end == TOOL_CANCELLED)
		return err_set(err, ERR_SYSTEM, ECANCELED, PROGRAM " was cancelled");
	*ok = status == 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		dprintf(output, "\n" PROGRAM " was killed\n"); /* among its messages */
	return true;
}

static bool answer_to(const struct request *r, int line, const struct helper_head *head)
{
	_close_ int output = memfd_create("output", MFD_CLOEXEC);
	char text[PERFTEST_OUTPUT_MAX];
	struct err err = { 0 };
	struct answer a = { 0 };
	struct helper_answer answer = { &a, sizeof(a), text, sizeof(text) - 1, 0 };
	bool ok = false;
	ssize_t n;

	if (output < 0)
		err_record(&err, ERR_SYSTEM, errno, "%s", strerror(errno));
	else if (!run(r, line, output, &ok, &err))
		snprintf(a.text, sizeof(a.text), "%.255s", err.text);
	a.kind = err.kind;
	a.code = err.code;
	a.failed = !ok;
	n = pread(output, text, sizeof(text) - 1, 0);
	answer.text_size = n > 0 ? (size_t)n : 0;
	return helper_reply(line, head, &answer);
}

/* Skips what came too late to cancel a run. */
static bool receive_request(int line, struct request *ret, struct helper_head *head)
{
	do {
		if (!helper_next(line, ret, sizeof(*ret), head))
			return false;
	} while (!head->size);
	return head->size == sizeof(*ret);
}

/* Limits perftest's output, which goes to a file in memory. */
static bool limit_output(void)
{
	const struct rlimit most = { PERFTEST_OUTPUT_MAX, PERFTEST_OUTPUT_MAX };

	return setrlimit(RLIMIT_FSIZE, &most) == 0;
}

static void serve(int line)
{
	struct request r;
	struct helper_head head;
	struct err err = { 0 };

	signal(SIGTERM, SIG_IGN); /* the end of the line ends a run first */
	signal(SIGXFSZ, SIG_IGN); /* perftest may have filled its output */
	if (!privilege_narrow(&rights_perftest, &err) || !limit_output())
		return;
	while (receive_request(line, &r, &head)) {
		r.perftest.device[sizeof(r.perftest.device) - 1] = '\0';
		r.perftest.peer[sizeof(r.perftest.peer) - 1] = '\0';
		if (!answer_to(&r, line, &head))
			return;
	}
}

/* ---- the verb's process ---- */

bool perftest_helper_start(int *ret, struct err *err)
{
	return helper_process_start(serve, SOCK_STREAM, "runs perftest", ret, err);
}

static bool ended(struct err *err, int code)
{
	return err_set(err, ERR_SYSTEM, code, "the process that runs perftest %s",
		       code == ETIMEDOUT ? "does not answer" : "has ended");
}

bool perftest_start(int helper, const struct perftest *p, unsigned limit_s,
		    struct perftest_started *ret, struct err *err)
{
	const struct request r = { *p, limit_s };
	int code = helper_begin(helper, &(struct helper_question){ &r, sizeof(r), SENDS_MS, NULL },
				&ret->question);

	ret->limit_s = limit_s;
	return !code || ended(err, code);
}

/* A question without a byte cancels. */
void perftest_cancel(int helper)
{
	struct helper_head none;

	(void)!helper_begin(helper, &(struct helper_question){ "", 0, SENDS_MS, NULL }, &none);
}

bool perftest_result_read(int helper, const struct perftest_started *started,
			  struct perftest_result *ret, struct err *err)
{
	struct answer a;
	struct helper_answer answer = { &a, sizeof(a), ret->output, sizeof(ret->output) - 1, 0 };
	int code = helper_finish(helper, &started->question,
				 (int)(started->limit_s + ENDS_LATER_S) * 1000, &answer);

	if (code)
		return ended(err, code);
	ret->output[answer.text_size] = '\0';
	if (!answer.text_size)
		snprintf(ret->output, sizeof(ret->output), "perftest printed nothing");
	ret->ok = !a.failed;
	a.text[sizeof(a.text) - 1] = '\0';
	return !a.kind || err_set(err, a.kind, a.code, "%s", a.text);
}

bool perftest_uses_gpu(int helper)
{
	const struct perftest help = { .asks_help = 1 };
	struct perftest_started started;
	struct perftest_result r;
	struct err quiet = { 0 };

	return perftest_start(helper, &help, HELP_LIMIT_S, &started, &quiet) &&
	       perftest_result_read(helper, &started, &r, &quiet) &&
	       strstr(r.output, PERFTEST_GPU_OPTION);
}
