#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/policy.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/oom.h"
#include "trusted_open.h"

#define PROGRAM "/usr/bin/ssh-keygen"

#define SIGNERS_FOLDER "/etc/losslessctl"
#define SIGNERS_MAX    65536 /* bytes */

/* ---- helper process ---- */

/* The files of one request; each is read or written from the start. */
struct files {
	int text, signature, signers, output;
};

static bool write_all(int fd, const char *bytes, size_t size)
{
	return write(fd, bytes, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0;
}

/* Keeps the first line; of principals the first that is for somebody, as "!bad@x" excludes. */
static void keep_line(char *output)
{
	const char *line = output;

	while (*line == '!' && strchr(line, '\n'))
		line = strchr(line, '\n') + 1;
	memmove(output, line, strlen(line) + 1);
	output[strcspn(output, "\r\n")] = '\0';
}

/* Runs ssh-keygen, one of two times, and writes its first line of output to `output`. Returns 0 or
 * an errno. */
static int run(const struct files *f, char *const argv[], char output[SIGNER_MAX])
{
	const struct tool t = {
		PROGRAM, argv, f->text, f->output, helper_limit_s[TASK_SIGNATURE] / 2, -1
	};
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
	keep_line(output);
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
		    output = memfd_create("said", MFD_CLOEXEC);
	const struct files f = { of_text, of_signature, of_signers, output };
	_free_ char *list = malloc(SIGNERS_MAX + 1);
	int code;

	if (!list || of_text < 0 || of_signature < 0 || of_signers < 0 || output < 0 ||
	    !write_all(of_text, text.at, text.size) ||
	    !write_all(of_signature, signature.at, signature.size))
		return errno ? errno : EIO;
	if (!tool_is_trusted(PROGRAM, err))
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

/* The reason of the result is the signer, or why the signature is not accepted. */
void signature_answer(const struct helper_work *w, struct helper_answer *ret)
{
	char signer[SIGNER_MAX] = "";
	const char *text = w->question + sizeof(uint32_t);
	struct err err = { 0 };
	uint32_t text_size;
	int code = EINVAL;

	memcpy(&text_size, w->question, sizeof(text_size));
	if (text_size <= w->size - sizeof(text_size))
		code = check_signature((struct bytes){ text, text_size },
				       (struct bytes){ text + text_size,
						       w->size - sizeof(text_size) - text_size },
				       signer, &err);
	ret->result.code = code;
	snprintf(ret->result.reason, sizeof(ret->result.reason), "%s",
		 reason_of(code, &err, signer));
}

/* ---- calling process ---- */

/* True for a link that leads nowhere, as to a file system that is not mounted. */
static bool is_dangling(const char *path)
{
	struct stat s;

	return stat(path, &s) < 0 && lstat(path, &s) == 0;
}

bool signature_is_needed(void)
{
	return access(SIGNERS, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) ||
	       is_dangling(SIGNERS) || is_dangling(SIGNERS_FOLDER);
}

static int ask(int line, struct bytes text, struct bytes signature, struct helper_answer *ret)
{
	uint32_t text_size = (uint32_t)text.size;
	size_t size = sizeof(text_size) + text.size + signature.size;
	_free_ char *all = oom_calloc(1, size);

	if (!all)
		return ENOMEM;
	memcpy(all, &text_size, sizeof(text_size));
	memcpy(all + sizeof(text_size), text.at, text.size);
	memcpy(all + sizeof(text_size) + text.size, signature.at, signature.size);
	return helper_ask(line, &(struct helper_question){ TASK_SIGNATURE, all, size, NULL, 0 },
			  ret);
}

/* Sets `signer` to the one of SIGNERS whose signature of the text this is. */
static bool ask_helper(int line, struct bytes text, struct bytes signature, char signer[SIGNER_MAX],
		       struct err *err)
{
	struct helper_answer a = { 0 };
	const struct helper_result *r = &a.result;
	int code = ask(line, text, signature, &a);

	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "the process that verifies signatures %s; run the command again, or "
			       "restart the agent",
			       code == ETIMEDOUT ? "does not answer" : "has ended");
	if (r->code == 0) {
		snprintf(signer, SIGNER_MAX, "%.*s", SIGNER_MAX - 1, r->reason);
		return true;
	}
	if (r->code == EKEYREJECTED)
		return err_set(err, ERR_REFUSED, r->code, "its signature is not valid: %s",
			       r->reason[0] ? r->reason : "none of " SIGNERS);
	return err_set(err, ERR_REFUSED, r->code,
		       "its signature cannot be verified by " PROGRAM ": %s", r->reason);
}

static bool unsigned_here(struct err *err, const char *why)
{
	return err_set(err, ERR_REFUSED, EPERM,
		       "%s, and this host accepts only signed policies (" SIGNERS ")", why);
}

static bool read_signature(const char *path, enum mount_trust trust, char bytes[SIGNATURE_MAX],
			   size_t *ret, struct err *err)
{
	_free_ char *name = NULL;
	_close_ int fd = -1;
	char word[128];
	ssize_t n;

	if (asprintf(&name, "%s.sig", path) < 0)
		return err_no_memory(err);
	if (!trusted_open(name, trust, &fd, err)) {
		if (err->code != ENOENT)
			return err_in(err, "its signature");
		*err = (struct err){ 0 };
		unsigned_here(err, "it is not signed");
		path = shell_word(path, word, sizeof(word));
		return err_fix(err, "ssh-keygen -Y sign -n " SIGNING_NAMESPACE " -f KEY %s",
			       path ? path : "POLICY");
	}
	n = read(fd, bytes, SIGNATURE_MAX);
	if (n < 0)
		return err_set(err, ERR_SYSTEM, errno, "its signature: %s", strerror(errno));
	*ret = (size_t)n;
	return n > 0 || unsigned_here(err, "its signature is empty");
}

bool signature_check(int signature_helper, const char *path, enum mount_trust trust,
		     struct bytes text, char signer[SIGNER_MAX], struct err *err)
{
	char bytes[SIGNATURE_MAX];
	size_t n = 0;

	signer[0] = '\0';
	if (signature_helper < 0 && !signature_is_needed())
		return true;
	if (strcmp(path, "-") == 0)
		return unsigned_here(err, "it has no signature");
	if (signature_helper < 0)
		return unsigned_here(err, "no signature was read when this process started");
	return read_signature(path, trust, bytes, &n, err) &&
	       ask_helper(signature_helper, text, (struct bytes){ bytes, n }, signer, err);
}
