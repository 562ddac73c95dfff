/* A host may take signed policies only (signature_helper.h). */
#ifndef LOSSLESSCTL_CLI_SANDBOX_POLICY_SIGNATURE_H
#define LOSSLESSCTL_CLI_SANDBOX_POLICY_SIGNATURE_H

#include "../../policy/util/err.h"
#include "signature_helper.h"

/*
 * Is what was read from `path` ("-": standard input) signed, where it has to be? The signature is
 * in PATH.sig. `signature helper` is the line to it, -1 where it was not needed when this process
 * began. `signer` is "" where none is needed. ERR_REFUSED says why not.
 */
bool signature_check(int signature_helper, const char *path, const char *text, size_t size,
		     char signer[SIGNER_MAX], struct err *err) must_check;

#endif
