/* Privileges of this process: a verb gives up at its start those that it does not need. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_PRIVILEGES_H
#define LOSSLESSCTL_CLI_SANDBOX_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#include "../../policy/util/err.h"

/* Capabilities: bits by number. */
#define PRIVILEGE(capability) (UINT64_C(1) << (capability))
#define PRIVILEGE_NONE	      UINT64_C(0)

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

/* Rights that a verb keeps after its start; verbs share rows. */
struct rights {
	const char *name;
	uint64_t keeps; /* capabilities, of those that it was given */
	enum calls calls;
	bool loads; /* may ask for kernel modules (HELPER_LOADER) */
};

extern const struct rights rights_talk, rights_read, rights_listen, rights_pci, rights_examine,
	rights_probe, rights_write, rights_apply;

/* Rights of helpers (helper.h), which programs that they run inherit. */
extern const struct rights rights_firmware, rights_loader, rights_perftest, rights_output,
	rights_helper;

/*
 * Gives up every capability but these, for good. Programs that it starts have no more, not by
 * privileges of their own either.
 */
bool privilege_keep(uint64_t keep, struct err *err) must_check;

/* Gives up the capabilities and the system calls that a verb's rights do not name. */
bool privilege_narrow(const struct rights *to, struct err *err) must_check;

#endif
