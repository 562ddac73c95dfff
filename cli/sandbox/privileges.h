/* Privileges of this process: a verb gives up at its start those that it does not need. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_PRIVILEGES_H
#define LOSSLESSCTL_CLI_SANDBOX_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>

#include "seccomp.h"

/* Capabilities: bits by number. */
#define PRIVILEGE(capability) (UINT64_C(1) << (capability))
#define PRIVILEGE_NONE	      UINT64_C(0)

/* Rights that a verb keeps after its start; verbs share rows. */
struct rights {
	const char *name;
	uint64_t keeps; /* capabilities, of those that it was given */
	enum calls calls;
	bool loads; /* may ask for kernel modules (modprobe_helper.h) */
};

extern const struct rights rights_talk, rights_read, rights_listen, rights_pci, rights_examine,
	rights_probe, rights_write, rights_apply;

/* Rights of helpers (helper_process.h), which programs that they run inherit. */
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
