/* The system calls that a verb may make: the kernel answers every other one with EPERM. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SECCOMP_H
#define LOSSLESSCTL_CLI_SANDBOX_SECCOMP_H

#include "../../policy/util/err.h"

/* What a verb is there for; bits, as a system call is of use to several. */
enum calls {
	CALLS_TALK = 1,	  /* reads files, and tells on what it was given as output */
	CALLS_READ = 2,	  /* also asks the kernel and lldpad */
	CALLS_LISTEN = 4, /* also listens on the cable */
	CALLS_WRITE = 8,  /* also writes files, and leaves a process behind */
};

/*
 * From here on this process, and what it starts, may do no more than this. EPERM and not an end:
 * whoever is in the middle of writing a port still undoes that, and says what failed. Errors:
 * ERR_SYSTEM.
 */
bool calls_confine(enum calls may, struct err *err) must_check;

#endif
