#include "policy_signature.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/shell_word.h"

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
	if (signature_helper < 0 && !signature_helper_is_needed())
		return true;
	if (strcmp(path, "-") == 0)
		return unsigned_here(err, "it has no signature");
	if (signature_helper < 0)
		return unsigned_here(err, "no signature was read when this process started");
	return read_signature(path, trust, bytes, &n, err) &&
	       signature_helper_ask(signature_helper, text, (struct bytes){ bytes, n }, signer,
				    err);
}
