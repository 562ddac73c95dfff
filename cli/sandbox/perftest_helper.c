#include "tools.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"

#define PROGRAM	     "/usr/bin/ib_write_bw"
#define SENDS_MS     10000
#define ENDS_LATER_S 10 /* the helper kills perftest before */

/* ---- helper process ---- */

static bool find_program(struct err *err)
{
	if (tool_is_trusted(PROGRAM, err))
		return true;
	if (err->kind != ERR_NO_FILE)
		return false;
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNSUPPORTED, ENOENT,
		       PROGRAM " is not installed (package perftest)");
}

static bool run(const struct perftest_request *r, int line, int output, bool *ok, struct err *err)
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

void perftest_answer(const struct helper_work *w, struct helper_answer *ret)
{
	_close_ int output = memfd_create("output", MFD_CLOEXEC);
	struct perftest_request r;
	struct err err = { 0 };
	bool ok = false;
	ssize_t n;

	memcpy(&r, w->question, sizeof(r));
	r.perftest.device[sizeof(r.perftest.device) - 1] = '\0';
	r.perftest.peer[sizeof(r.perftest.peer) - 1] = '\0';
	if (output < 0)
		err_record(&err, ERR_SYSTEM, errno, "%s", strerror(errno));
	else if (!run(&r, w->line, output, &ok, &err))
		snprintf(ret->result.reason, sizeof(ret->result.reason), "%.255s", err.text);
	ret->result.kind = err.kind;
	ret->result.code = err.code;
	ret->result.failed = !ok;
	n = pread(output, ret->text, ret->text_max, 0);
	ret->text_size = n > 0 ? (size_t)n : 0;
}

/* ---- the verb's process ---- */

static bool ended(struct err *err, int code)
{
	return err_set(err, ERR_SYSTEM, code, "the process that runs perftest %s",
		       code == ETIMEDOUT ? "does not answer" : "has ended");
}

bool perftest_start(int helper, const struct perftest *p, unsigned limit_s,
		    struct perftest_started *ret, struct err *err)
{
	const struct perftest_request r = { *p, limit_s };
	const struct helper_question q = { TASK_PERFTEST, &r, sizeof(r), NULL, SENDS_MS };
	int code = helper_begin(helper, &q, &ret->question);

	ret->limit_s = limit_s;
	return !code || ended(err, code);
}

/* A question without a byte cancels. */
void perftest_cancel(int helper)
{
	const struct helper_question nothing = { TASK_PERFTEST, "", 0, NULL, SENDS_MS };
	struct helper_head none;

	(void)!helper_begin(helper, &nothing, &none);
}

bool perftest_result_read(int helper, const struct perftest_started *started,
			  struct perftest_result *ret, struct err *err)
{
	struct helper_answer a = { .text = ret->output, .text_max = sizeof(ret->output) - 1 };
	int code = helper_finish(helper, &started->question,
				 (int)(started->limit_s + ENDS_LATER_S) * 1000, &a);

	if (code)
		return ended(err, code);
	ret->output[a.text_size] = '\0';
	if (!a.text_size)
		snprintf(ret->output, sizeof(ret->output), "perftest printed nothing");
	ret->ok = !a.result.failed;
	return !a.result.kind || err_set(err, a.result.kind, a.result.code, "%s", a.result.reason);
}

bool perftest_uses_gpu(int helper)
{
	const struct perftest help = { .asks_help = 1 };
	struct perftest_started started;
	struct perftest_result r;
	struct err quiet = { 0 };

	return perftest_start(helper, &help, helper_limit_s[TASK_PERFTEST], &started, &quiet) &&
	       perftest_result_read(helper, &started, &r, &quiet) &&
	       strstr(r.output, PERFTEST_GPU_OPTION);
}
