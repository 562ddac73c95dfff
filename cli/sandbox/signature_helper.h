/*
 * A helper process that verifies a policy's signature with ssh-keygen -Y verify (PROTOCOL.sshsig of
 * OpenSSH). The program cannot start others once its rights are dropped, so a helper
 * (helper_process.h) does, without any capability. It treats the policy as bytes only.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_HELPER_H

#include <stddef.h>

#include "../../policy/util/err.h"

/*
 * The allowed signers, in the format of ssh-keygen(1). If the file exists, every policy must be
 * signed.
 */
#define SIGNERS		  "/etc/losslessctl/allowed_signers"
#define SIGNING_NAMESPACE "losslessctl"
#define SIGNER_MAX	  128 /* the longest name of a signer, with its NUL */
#define SIGNATURE_MAX	  (16u << 10)

/* True if this host accepts signed policies only, or if that cannot be determined. */
bool signature_helper_is_needed(void);

/*
 * Starts the helper if it is needed. *ret is its socket, owned by the caller, or -1. Errors:
 * ERR_SYSTEM.
 */
bool signature_helper_start(int *ret, struct err *err) must_check;

struct bytes {
	const char *at; /* borrowed */
	size_t size;
};

/*
 * Checks that this is the signature of the text by one of SIGNERS, and sets `signer` to that name.
 * Errors: ERR_REFUSED with the reason; ERR_SYSTEM if the helper does not answer within 30 s:
 * it answers no further question then (helper_line.h).
 */
bool signature_helper_ask(int line, struct bytes text, struct bytes signature,
			  char signer[SIGNER_MAX], struct err *err) must_check;

#endif
