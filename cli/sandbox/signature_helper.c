#include "signature_helper.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/policy.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"

#define PROGRAM	    "/usr/bin/ssh-keygen"
#define DEADLINE_MS 30000

/* Descriptors for ssh-keygen, besides standard input, output and error. */
enum { SIGNATURE_FD = 10, SIGNERS_FD };

struct question {
	uint32_t size, signature_size; /* sizes of the data that follows */
};

struct answer {
	int code; /* 0 or an errno; EKEYREJECTED: ssh-keygen rejected the signature */
	char text[256];
};

/* ---- helper process ---- */

/* The files of one request; each is read or written from the start. */
struct files {
	int text, signature, signers, output;
};

static bool write_all(int fd, const char *bytes, size_t size)
{
	return write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0;
}

/* Runs ssh-keygen and writes its first line of output to `said`. Returns 0 or an errno. */
static int run(const struct files *f, char *const argv[], char output[SIGNER_MAX])
{
	char *const envp[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", NULL };
	posix_spawn_file_actions_t files;
	pid_t pid;
	int status, code;
	ssize_t n;

	lseek(f->text, 0, SEEK_SET);
	if (ftruncate(f->output, 0) < 0 || lseek(f->output, 0, SEEK_SET) < 0)
		return errno;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, f->text, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, f->output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, f->output, STDERR_FILENO);
	posix_spawn_file_actions_adddup2(&files, f->signature, SIGNATURE_FD);
	posix_spawn_file_actions_adddup2(&files, f->signers, SIGNERS_FD);
	code = posix_spawn(&pid, PROGRAM, &files, NULL, argv, envp);
	posix_spawn_file_actions_destroy(&files);
	if (code)
		return code;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	n = pread(f->output, output, SIGNER_MAX - 1, 0);
	output[n > 0 ? n : 0] = '\0';
	output[strcspn(output, "\r\n")] = '\0';
	return status ? EKEYREJECTED : 0;
}

/*
 * Finds the principal, then verifies that the signature is theirs. On failure `signer` is the
 * reason.
 */
static int verify(const struct files *f, char signer[SIGNER_MAX])
{
	char signature[32], signers[32], output[SIGNER_MAX] = "";
	char *const who[] = {
		PROGRAM, "-Y", "find-principals", "-s", signature, "-f", signers, NULL
	};
	char *const is_it[] = { PROGRAM, "-Y", "verify",  "-n", SIGNING_NAMESPACE, "-I",
				signer,	 "-s", signature, "-f", signers,	   NULL };
	int code;

	snprintf(signature, sizeof(signature), "/proc/self/fd/%d", SIGNATURE_FD);
	snprintf(signers, sizeof(signers), "/proc/self/fd/%d", SIGNERS_FD);
	code = run(f, who, signer);
	if (code)
		return code;
	signer[strcspn(signer, ",")] = '\0'; /* the first pattern of the list */
	code = run(f, is_it, output);
	if (code)
		memcpy(signer, output, SIGNER_MAX);
	return code;
}

static int check_signature(const char *text, const struct question *q, char signer[SIGNER_MAX],
			   struct err *err)
{
	_close_ int of_text = memfd_create("policy", MFD_CLOEXEC),
		    of_signature = memfd_create("signature", MFD_CLOEXEC),
		    output = memfd_create("said", MFD_CLOEXEC), signers = -1;
	struct files f = { of_text, of_signature, -1, output };

	if (of_text < 0 || of_signature < 0 || output < 0 || !write_all(of_text, text, q->size) ||
	    !write_all(of_signature, text + q->size, q->signature_size))
		return errno ? errno : EIO;
	if (!trusted_open(SIGNERS, CHECK_EVERY_MOUNT, &signers, err))
		return err->code ? err->code : EPERM;
	f.signers = signers;
	return verify(&f, signer);
}

/* The answer holds the signer, or the reason for rejecting the signature. */
static struct answer answer_to(const char *text, const struct question *q)
{
	char signer[SIGNER_MAX] = "";
	struct err err = { 0 };
	struct answer a = { .code = check_signature(text, q, signer, &err) };

	snprintf(a.text, sizeof(a.text), "%s",
		 a.code == 0 || a.code == EKEYREJECTED ? signer
		 : err.kind			       ? err.text
						       : strerror(a.code));
	return a;
}

/*
 * Keeps CAP_NET_ADMIN if nothing else works: a sandbox that leaves only this one may also block the
 * call that drops it.
 */
static bool give_up_rights(void)
{
	struct err err = { 0 };

	return privilege_keep(PRIVILEGE_NONE, &err) ||
	       privilege_keep(PRIVILEGE(CAP_NET_ADMIN), &err);
}

static void serve(int line)
{
	_free_ char *text = malloc(POLICY_MAX_BYTES + SIGNATURE_MAX);
	struct question q;

	if (!text || !give_up_rights())
		return;
	while (helper_receive(line, &q, sizeof(q)) && q.size <= POLICY_MAX_BYTES &&
	       q.signature_size <= SIGNATURE_MAX &&
	       helper_receive(line, text, q.size + q.signature_size)) {
		struct answer a = answer_to(text, &q);

		if (!helper_send(line, &a, sizeof(a)))
			return;
	}
}

/* ---- calling process ---- */

bool signature_helper_is_needed(void)
{
	return access(SIGNERS, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool signature_helper_start(int *ret, struct err *err)
{
	*ret = -1;
	return !signature_helper_is_needed() ||
	       helper_process_start(serve, SOCK_STREAM, "verifies signatures", ret, err);
}

static bool receive(int line, struct answer *ret, struct err *err)
{
	struct pollfd p = { line, POLLIN, 0 };
	int n;

	do {
		n = poll(&p, 1, DEADLINE_MS);
	} while (n < 0 && errno == EINTR);
	return (n > 0 && helper_receive(line, ret, sizeof(*ret))) ||
	       err_set(err, ERR_SYSTEM, ETIMEDOUT,
		       "the process that verifies signatures does not answer; run the command "
		       "again");
}

bool signature_helper_ask(int line, struct bytes text, struct bytes signature,
			  char signer[SIGNER_MAX], struct err *err)
{
	struct question q = { (uint32_t)text.size, (uint32_t)signature.size };
	struct answer a = { 0 };

	if (!helper_send(line, &q, sizeof(q)) || !helper_send(line, text.at, text.size) ||
	    !helper_send(line, signature.at, signature.size))
		return err_set(err, ERR_SYSTEM, errno,
			       "the process that verifies signatures has ended (%s); run the "
			       "command again",
			       strerror(errno));
	if (!receive(line, &a, err))
		return false;
	a.text[sizeof(a.text) - 1] = '\0';
	if (a.code == 0) {
		snprintf(signer, SIGNER_MAX, "%.*s", SIGNER_MAX - 1, a.text);
		return true;
	}
	if (a.code == EKEYREJECTED)
		return err_set(err, ERR_REFUSED, a.code, "its signature is not valid: %s",
			       a.text[0] ? a.text : "none of " SIGNERS);
	return err_set(err, ERR_REFUSED, a.code,
		       "its signature cannot be verified by " PROGRAM ": %s", a.text);
}
