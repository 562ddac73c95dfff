/* The system calls that a verb may make: the kernel answers every other one with EPERM. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_SECCOMP_H
#define LOSSLESSCTL_CLI_SANDBOX_SECCOMP_H

#include "../../policy/util/err.h"

/* Groups of system calls; bits, as a call may belong to several. */
enum calls {
	CALLS_TALK = 1,	  /* reads files, and writes to open outputs */
	CALLS_READ = 2,	  /* also asks the kernel and lldpad */
	CALLS_LISTEN = 4, /* also listens on the cable */
	CALLS_WRITE = 8,  /* also writes files, and leaves a process behind */
	CALLS_TOOL = 16,  /* a helper and the programs that it runs: all that no such tool needs */
	CALLS_LOADER = 32 /* the same, and loads kernel modules */
};

/* Stands in a program for the number of the process that loads it. No process has such a number. */
#define CALLS_OURSELVES 0x4f555253u

/*
 * Confines this process, and programs that it starts, to these calls for good. Others fail with
 * EPERM and do not end the process, so that a run that is writing a port still rolls back and says
 * what failed. Errors: ERR_SYSTEM.
 */
bool calls_confine(enum calls may, struct err *err) must_check;

#endif
