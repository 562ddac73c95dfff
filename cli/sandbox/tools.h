/*
 * The programs that helper processes run (helper.h): each in a process group of its own, for a
 * limited time, and only if root alone can change it.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_TOOLS_H
#define LOSSLESSCTL_CLI_SANDBOX_TOOLS_H

#include <stddef.h>

#include "../../agent/engine/probe/perftest.h"
#include "../../agent/host/helper_line.h"
#include "../../policy/document/policy.h"
#include "trusted_open.h"

enum tool_end {
	TOOL_ENDED,    /* by itself: the status is that of waitpid() */
	TOOL_LATE,     /* killed when its time was over */
	TOOL_CANCELLED /* killed because of `cancel` */
};

struct tool {
	const char *path;
	char *const *argv; /* with the program's name */
	int input;	   /* descriptor for its standard input; -1: ours. Borrowed */
	int output;	   /* descriptor for its standard output and error; borrowed */
	unsigned limit_s;
	int cancel; /* a socket: any byte, or the end, kills the program; -1: nothing does */
};

/*
 * Runs the program to its end, kills it with its children if it has to be, and reaps it. It is
 * killed as well if this process ends before. Its environment is PATH and LC_ALL=C. SIGCHLD is
 * blocked from now on. Returns 0 or an errno: the program could not be started.
 */
int tool_run(const struct tool *t, enum tool_end *end, int *status);

/* True if root alone can change the program, and each directory on its path. */
bool tool_is_trusted(const char *path, struct err *err) must_check;

/* Runs the tool of a task with the words of its row; one of them may be the question. */
helper_answer_fn tool_answer;

/* True if the tool of this task is installed. */
bool tool_is_installed(enum helper_task task);

/* True if no module that TASK_MODPROBE may load is missing. */
bool modules_are_loaded(void);

/* ---- signatures ---- */

/*
 * Checks the policy's signature with ssh-keygen -Y verify (PROTOCOL.sshsig of OpenSSH), on hosts
 * that accept signed policies only. A helper without any capability (helper.h) runs it, and treats
 * the policy as bytes only.
 */

/*
 * The allowed signers, in the format of ssh-keygen(1). If the file exists, every policy must be
 * signed.
 */
#define SIGNERS		  "/etc/losslessctl/allowed_signers"
#define SIGNING_NAMESPACE "losslessctl"
#define SIGNER_MAX	  128 /* the longest name of a signer, with its NUL */
#define SIGNATURE_MAX	  (16u << 10)

struct bytes {
	const char *at; /* borrowed */
	size_t size;
};

/* True if this host accepts signed policies only, or if that cannot be determined. */
bool signature_is_needed(void);

/*
 * Checks that the text read from `path` ("-": standard input) is signed, if this host requires it.
 * The signature is in PATH.sig, opened with this `trust`. `signature_helper` is the helper's line,
 * or -1 if no signature was required at the start. Sets `signer` to that of SIGNERS who signed, or
 * to "" if no signature is required. ERR_REFUSED gives the reason; ERR_SYSTEM if the helper does
 * not answer: it answers no further question then (helper_line.h).
 */
bool signature_check(int signature_helper, const char *path, enum mount_trust trust,
		     struct bytes text, char signer[SIGNER_MAX], struct err *err) must_check;

/* ---- the helper ---- */

/* The question is the size of the policy (uint32_t), the policy, and its signature. */
#define SIGNATURE_QUESTION_MIN sizeof(uint32_t)
#define SIGNATURE_QUESTION_MAX (sizeof(uint32_t) + POLICY_MAX_BYTES + SIGNATURE_MAX)
helper_answer_fn signature_answer;

/* ---- perftest ---- */

/*
 * A helper process that runs perftest, the traffic of `losslessctl probe`: the verb itself may
 * start no program. It runs nothing else, with words that it writes itself, and keeps no capability
 * but the one to lock memory.
 */

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
