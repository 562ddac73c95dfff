#include "privilege.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whoever may not narrow the bounding set gains nothing from it: no new privileges are to be had.
 */
static void bound(uint64_t keep)
{
	for (unsigned c = 0; c < 64 && prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
		if (!(keep & PRIVILEGE(c)))
			prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
}

static bool failed(struct err *err)
{
	return err_set(err, ERR_SYSTEM, errno, "give up capabilities: %s", strerror(errno));
}

/* The ambient set follows: the kernel keeps it within the permitted and the inheritable one. */
bool privilege_keep(uint64_t keep, struct err *err)
{
	struct __user_cap_header_struct ours = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &ours, sets) < 0)
		return failed(err);
	bound(keep); /* takes a capability that may be given up below */
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		uint32_t word = (uint32_t)(keep >> (32 * i));

		sets[i].effective &= word;
		sets[i].permitted &= word;
		sets[i].inheritable &= word;
	}
	return syscall(SYS_capset, &ours, sets) == 0 || failed(err);
}
