/* The capabilities of this process: a verb gives up at its start what it has no use for. */
#ifndef LOSSLESSCTL_CLI_PRIVILEGE_H
#define LOSSLESSCTL_CLI_PRIVILEGE_H

#include <linux/capability.h>
#include <stdint.h>

#include "../policy/err.h"

/* What a verb keeps of what it was given: bits by number of the capability. */
#define PRIVILEGE(capability) (UINT64_C(1) << (capability))
#define PRIVILEGE_NONE	      UINT64_C(0)
#define PRIVILEGE_TO_LISTEN   PRIVILEGE(CAP_NET_RAW) /* to what the switch says */
#define PRIVILEGE_FOR_PORTS   (~PRIVILEGE_TO_LISTEN)

/*
 * Gives up every capability but these, for good: what this process starts, a
 * program with privileges of its own too, has no more than it.
 */
bool privilege_keep(uint64_t keep, struct err *err) must_check;

#endif
