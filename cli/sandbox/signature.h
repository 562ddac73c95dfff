/*
 * Checks the policy's signature with ssh-keygen -Y verify (PROTOCOL.sshsig of OpenSSH), on hosts
 * that accept signed policies only. A helper without any capability (helper.h) runs it, and treats
 * the policy as bytes only.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_H
#define LOSSLESSCTL_CLI_SANDBOX_SIGNATURE_H

#include <stddef.h>

#include "../../agent/host/helper_line.h"
#include "../../policy/document/policy.h"
#include "safe_open.h"

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

#endif
