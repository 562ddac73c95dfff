#include "seccomp.h"

#include <errno.h>
#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct program {
	unsigned short count;
	const struct sock_filter *list;
};

static const struct program programs[] = {
#include "cli/seccomp_programs.def"
};

bool calls_confine(enum calls may, struct err *err)
{
	const struct program *p = &programs[may];
	struct sock_filter list[BPF_MAXINSNS];
	const struct sock_fprog loaded = { p->count, list };

	memcpy(list, p->list, p->count * sizeof(list[0]));
	for (size_t i = 0; i < p->count; i++)
		if (list[i].k == CALLS_OURSELVES)
			list[i].k = (uint32_t)getpid();
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_LOG, &loaded) ==
		       0 ||
	       err_set(err, ERR_SYSTEM, errno, "confine the system calls: %s", strerror(errno));
}
