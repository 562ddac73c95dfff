/*
 * A helper process that runs perftest, the traffic of `losslessctl probe`: the verb itself may
 * start no program. It runs nothing else, with words that it writes itself, and keeps no capability
 * but the one to lock memory.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_PERFTEST_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_PERFTEST_HELPER_H

#include "../../agent/engine/probe/perftest.h"
#include "../../agent/host/helper_line.h"

#define PERFTEST_OUTPUT_MAX 16384

/* The result of one run. */
struct perftest_result {
	bool ok;			  /* perftest ended with success */
	char output[PERFTEST_OUTPUT_MAX]; /* its messages; cut if they are longer */
};

/* A question to the helper. */
struct perftest_request {
	struct perftest perftest;
	uint32_t limit_s;
};

/* A run that was started, and whose result is to be read. */
struct perftest_started {
	struct helper_head question;
	unsigned limit_s;
};

/*
 * Starts one end of a run, which is killed after `limit_s` seconds, when it is cancelled, and when
 * this process ends. perftest_result_read() must follow.
 */
bool perftest_start(int helper, const struct perftest *p, unsigned limit_s,
		    struct perftest_started *ret, struct err *err) must_check;

/* Kills the run. */
void perftest_cancel(int helper);

/*
 * Reads the result, and waits for it if poll() has not announced it. ERR_UNSUPPORTED: perftest is
 * not installed; ERR_REFUSED: not only root can change it; ERR_SYSTEM: it could not be started, or
 * was killed.
 */
bool perftest_result_read(int helper, const struct perftest_started *started,
			  struct perftest_result *ret, struct err *err) must_check;

/*
 * True if the installed perftest was built with CUDA, as its help says. For no more than a few
 * seconds, and not beside a run.
 */
bool perftest_uses_gpu(int helper);

helper_answer_fn perftest_answer;

#endif
