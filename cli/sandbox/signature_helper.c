#include "signature_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/policy.h"
#include "../../policy/util/oom.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"
#include "tool_process.h"

#define PROGRAM "/usr/bin/ssh-keygen"

/* It runs twice, within the limit of the whole exchange. */
#define TOOL_LIMIT_S 12
#define LIMIT_MS     30000
#define SIGNERS_MAX  65536 /* bytes */

/* The policy of `size` bytes and its signature follow. */
struct question {
	uint32_t size;
};

struct answer {
	int code; /* 0 or an errno; EKEYREJECTED: ssh-keygen rejected the signature */
	char text[256];
};

#define QUESTION_MAX (sizeof(struct question) + POLICY_MAX_BYTES + SIGNATURE_MAX)

/* ---- helper process ---- */

/* The files of one request; each is read or written from the start. */
struct files {
	int text, signature, signers, output;
};

static bool write_all(int fd, const char *bytes, size_t size)
{
	return write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0;
}

/* Runs ssh-keygen and writes its first line of output to `output`. Returns 0 or an errno. */
static int run(const struct files *f, char *const argv[], char output[SIGNER_MAX])
{
	const struct tool t = { PROGRAM, argv, f->text, f->output, TOOL_LIMIT_S, -1 };
	enum tool_end end;
	int status, code;
	ssize_t n;

	lseek(f->text, 0, SEEK_SET);
	if (ftruncate(f->output, 0) < 0 || lseek(f->output, 0, SEEK_SET) < 0)
		return errno;
	code = tool_run(&t, &end, &status);
	if (code)
		return code;
	if (end != TOOL_ENDED)
		return ETIMEDOUT;
	n = pread(f->output, output, SIGNER_MAX - 1, 0);
	output[n > 0 ? n : 0] = '\0';
	output[strcspn(output, "\r\n")] = '\0';
	return status ? EKEYREJECTED : 0;
}

/*
 * Finds the principal of a line of the signers, then verifies that the signature is theirs. On
 * failure `signer` is the reason. *has_key: the line has the key that signed.
 */
static int verify_line(const struct files *f, char signer[SIGNER_MAX], bool *has_key)
{
	char signature[32], signers[32], output[SIGNER_MAX] = "";
	char *const who[] = {
		PROGRAM, "-Y", "find-principals", "-s", signature, "-f", signers, NULL
	};
	char *const is_it[] = { PROGRAM, "-Y", "verify",  "-n", SIGNING_NAMESPACE, "-I",
				signer,	 "-s", signature, "-f", signers,	   NULL };
	int code;

	snprintf(signature, sizeof(signature), "/proc/self/fd/%d", f->signature);
	snprintf(signers, sizeof(signers), "/proc/self/fd/%d", f->signers);
	code = run(f, who, signer);
	*has_key = !code;
	if (code)
		return code;
	signer[strcspn(signer, ",")] = '\0'; /* the first pattern of the list */
	code = run(f, is_it, output);
	if (code)
		memcpy(signer, output, SIGNER_MAX);
	return code;
}

/*
 * find-principals takes the first line with the key, which may be for another namespace: each line
 * is tried by itself. The reason of a line that has the key is the better one.
 */
static int verify(const struct files *f, char *list, char signer[SIGNER_MAX])
{
	int code = EKEYREJECTED;

	for (char *line; code == EKEYREJECTED && (line = strsep(&list, "\n"));) {
		char reason[SIGNER_MAX] = "";
		bool has_key;

		if (!line[strspn(line, " \t\r")] || line[0] == '#')
			continue;
		if (ftruncate(f->signers, 0) < 0 || !write_all(f->signers, line, strlen(line)))
			return errno ? errno : EIO;
		code = verify_line(f, reason, &has_key);
		if (has_key || !signer[0])
			memcpy(signer, reason, SIGNER_MAX);
	}
	return code;
}

static int read_signers(char list[SIGNERS_MAX + 1], struct err *err)
{
	_close_ int fd = -1;
	ssize_t n;

	if (!trusted_open(SIGNERS, CHECK_EVERY_MOUNT, &fd, err))
		return err->code ? err->code : EPERM;
	n = read(fd, list, SIGNERS_MAX + 1);
	if (n < 0)
		return errno;
	list[n <= SIGNERS_MAX ? n : 0] = '\0';
	return n <= SIGNERS_MAX ? 0 : EFBIG;
}

/* ssh-keygen inherits the signature and the line of the signers. */
static int check_signature(struct bytes text, struct bytes signature, char signer[SIGNER_MAX],
			   struct err *err)
{
	_close_ int of_text = memfd_create("policy", MFD_CLOEXEC),
		    of_signature = memfd_create("signature", 0),
		    of_signers = memfd_create("signers", 0),
		    output = memfd_create("said", MFD_CLOEXEC), program = -1;
	const struct files f = { of_text, of_signature, of_signers, output };
	_free_ char *list = malloc(SIGNERS_MAX + 1);
	int code;

	if (!list || of_text < 0 || of_signature < 0 || of_signers < 0 || output < 0 ||
	    !write_all(of_text, text.at, text.size) ||
	    !write_all(of_signature, signature.at, signature.size))
		return errno ? errno : EIO;
	if (!trusted_open(PROGRAM, CHECK_EVERY_MOUNT, &program, err))
		return err->code ? err->code : EPERM;
	code = read_signers(list, err);
	return code ? code : verify(&f, list, signer);
}

static const char *reason_of(int code, const struct err *err, const char *signer)
{
	if (code == 0 || code == EKEYREJECTED)
		return signer;
	return err->kind	   ? err->text
	       : code == ETIMEDOUT ? "it did not end in time"
				   : strerror(code);
}

/* The answer holds the signer, or the reason for rejecting the signature. */
static struct answer answer_to(const char *question, size_t size)
{
	char signer[SIGNER_MAX] = "";
	struct err err = { 0 };
	struct answer a = { .code = EINVAL };
	struct question q;

	memcpy(&q, question, sizeof(q));
	if (q.size <= size - sizeof(q))
		a.code = check_signature((struct bytes){ question + sizeof(q), q.size },
					 (struct bytes){ question + sizeof(q) + q.size,
							 size - sizeof(q) - q.size },
					 signer, &err);
	snprintf(a.text, sizeof(a.text), "%s", reason_of(a.code, &err, signer));
	return a;
}

/*
 * Keeps CAP_NET_ADMIN if nothing else works: a sandbox that leaves only this one may also block the
 * call that drops it.
 */
static bool give_up_rights(void)
{
	struct rights rights = rights_helper;
	struct err err = { 0 };

	if (!privilege_keep(PRIVILEGE_NONE, &err))
		rights.keeps = PRIVILEGE(CAP_NET_ADMIN);
	return privilege_narrow(&rights, &err);
}

static void serve(int line)
{
	_free_ char *question = malloc(QUESTION_MAX);
	struct helper_head head;

	if (!question || !give_up_rights())
		return;
	while (helper_next(line, question, QUESTION_MAX, &head) &&
	       head.size >= sizeof(struct question)) {
		struct answer answer = answer_to(question, head.size);
		const struct helper_answer a = { &answer, sizeof(answer), NULL, 0, 0 };

		if (!helper_reply(line, &head, &a))
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

static int ask(int line, struct bytes text, struct bytes signature, struct answer *ret)
{
	struct question q = { (uint32_t)text.size };
	struct helper_answer a = { ret, sizeof(*ret), NULL, 0, 0 };
	size_t size = sizeof(q) + text.size + signature.size;
	_free_ char *all = oom_calloc(1, size);

	if (!all)
		return ENOMEM;
	memcpy(all, &q, sizeof(q));
	memcpy(all + sizeof(q), text.at, text.size);
	memcpy(all + sizeof(q) + text.size, signature.at, signature.size);
	return helper_ask(line, &(struct helper_question){ all, size, LIMIT_MS, NULL }, &a);
}

bool signature_helper_ask(int line, struct bytes text, struct bytes signature,
			  char signer[SIGNER_MAX], struct err *err)
{
	struct answer a = { 0 };
	int code = ask(line, text, signature, &a);

	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "the process that verifies signatures %s; run the command again, or "
			       "restart the agent",
			       code == ETIMEDOUT ? "does not answer" : "has ended");
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
