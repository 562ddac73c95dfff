/* Checks the policy's signature, on hosts that accept signed policies only (signature_helper.h). */
#ifndef LOSSLESSCTL_CLI_SANDBOX_POLICY_SIGNATURE_H
#define LOSSLESSCTL_CLI_SANDBOX_POLICY_SIGNATURE_H

#include "../../policy/util/err.h"
#include "safe_open.h"
#include "signature_helper.h"

/*
 * Checks that the text read from `path` ("-": standard input) is signed, if this host requires it.
 * The signature is in PATH.sig, opened with this `trust`. `signature_helper` is the helper's
 * socket, or -1 if no signature was required at the start. Sets `signer` to "" if none is required.
 * ERR_REFUSED gives the reason.
 */
bool signature_check(int signature_helper, const char *path, enum mount_trust trust,
		     struct bytes text, char signer[SIGNER_MAX], struct err *err) must_check;

#endif
