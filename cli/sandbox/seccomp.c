#include "seccomp.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

bool calls_confine(enum calls may, struct err *err)
{
	const uint32_t ourselves = (uint32_t)getpid(); /* the programs compare with it */
	const struct sock_fprog programs[] = {
#include "cli/seccomp_programs.def"
	};

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG,
		       &programs[may]) == 0 ||
	       err_set(err, ERR_SYSTEM, errno, "confine the system calls: %s", strerror(errno));
}
