/*
 * Whether a policy is signed by somebody whom this host trusts, by ssh-keygen -Y verify (PROTOCOL.
 * sshsig of OpenSSH). No program may be started once rights are given up, so that a process of its
 * own (helper_process.h) does it, without any capability; it reads no policy but as bytes.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_HELPER_H

#include <stddef.h>

#include "../../policy/util/err.h"

/* Who may sign, as ssh-keygen(1) has it; where it is there, every policy must be signed. */
#define SIGNERS		  "/etc/losslessctl/allowed_signers"
#define SIGNING_NAMESPACE "losslessctl"
#define SIGNER_MAX	  128 /* the longest name of a signer, with its NUL */
#define SIGNATURE_MAX	  (16u << 10)

/* Does this host take signed policies only? Where that cannot be told, it does. */
bool signature_helper_is_needed(void);

/* Starts it where it is needed. *ret is the line to it, or -1. Errors: ERR_SYSTEM. */
bool signature_helper_start(int *ret, struct err *err) must_check;

struct bytes {
	const char *at; /* borrowed */
	size_t size;
};

/*
 * Is this the signature of that text, by one of SIGNERS? `signer` is their name there.
 * ERR_REFUSED says why not; ERR_SYSTEM: it does not answer within half a minute.
 */
bool signature_helper_ask(int line, struct bytes text, struct bytes signature,
			  char signer[SIGNER_MAX], struct err *err) must_check;

#endif
