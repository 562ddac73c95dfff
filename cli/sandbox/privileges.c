#include "privileges.h"

#include <errno.h>
#include <linux/bpf_common.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool failed(struct err *err)
{
	return err_set(err, ERR_SYSTEM, errno, "give up capabilities: %s", strerror(errno));
}

/* Returns whether anything was given up. */
static bool narrow(struct __user_cap_data_struct *set, uint32_t keep)
{
	struct __user_cap_data_struct had = *set;

	set->effective &= keep;
	set->permitted &= keep;
	set->inheritable = 0;
	return memcmp(&had, set, sizeof(had)) != 0;
}

/*
 * The ambient set follows: the kernel keeps it within the permitted and the inheritable one. The
 * bounding set is out of reach: with no_new_privs execve() takes no capability from it that is not
 * permitted already (cap_bprm_creds_from_file of security/commoncap.c).
 */
bool privilege_keep(uint64_t keep, struct err *err)
{
	struct __user_cap_header_struct ours = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
	bool too_many = false; /* a sandbox that leaves no more takes the call away, too */

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &ours, sets) < 0)
		return failed(err);
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		too_many |= narrow(&sets[i], (uint32_t)(keep >> (32 * i)));
	return !too_many || syscall(SYS_capset, &ours, sets) == 0 || failed(err);
}

#ifdef LOSSLESSCTL_SECCOMP
/* Computed by seccomp_compile.c: a row for each group of system calls. */
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
#else
/* Sanitizers make system calls that no verb needs: their builds have no filter. */
bool calls_confine(enum calls may, struct err *err)
{
	(void)may;
	(void)err;
	return true;
}
#endif

bool privilege_narrow(const struct rights *to, struct err *err)
{
	return privilege_keep(to->keeps, err) && calls_confine(to->calls, err);
}

/*
 * All reading of ports works without a capability, as root for debugfs and lldpad; only hearing
 * the cable needs one. The mode of an E-Switch is asked for before (enter.c). What root may do to
 * its own files needs no capability.
 */
const struct rights rights_talk = { "talk", PRIVILEGE_NONE, CALLS_TALK, false };
const struct rights rights_read = { "read", PRIVILEGE_NONE, CALLS_READ, false };
const struct rights rights_listen = { "listen", PRIVILEGE(CAP_NET_RAW), CALLS_LISTEN, false };
/*
 * PCI configuration space beyond 64 bytes is for who opens it with CAP_SYS_ADMIN (pci_read_config()
 * of drivers/pci/pci-sysfs.c). The system calls allow no other use of it.
 */
const struct rights rights_pci = { "pci", PRIVILEGE(CAP_SYS_ADMIN), CALLS_READ, false };
/* PCI configuration space first, and then the cable. */
const struct rights rights_examine = { "examine", PRIVILEGE(CAP_SYS_ADMIN) | PRIVILEGE(CAP_NET_RAW),
				       CALLS_LISTEN, false };
/* Accepts the other end of a probe. */
const struct rights rights_probe = { "probe", PRIVILEGE_NONE, CALLS_LISTEN, false };
const struct rights rights_write = { "write", PRIVILEGE(CAP_NET_ADMIN), CALLS_WRITE, false };
const struct rights rights_apply = { "apply", PRIVILEGE(CAP_NET_ADMIN), CALLS_WRITE, true };

/* Config space beyond its first 64 bytes is CAP_SYS_ADMIN's, as above. */
const struct rights rights_firmware = { "firmware", PRIVILEGE(CAP_SYS_ADMIN), CALLS_TOOL, false };
const struct rights rights_loader = { "loader", PRIVILEGE(CAP_SYS_MODULE), CALLS_LOADER, false };
const struct rights rights_perftest = { "perftest", PRIVILEGE(CAP_IPC_LOCK), CALLS_TOOL, false };
/* root writes to the directory of another user */
const struct rights rights_output = { "output", PRIVILEGE(CAP_DAC_OVERRIDE), CALLS_TOOL, false };
const struct rights rights_helper = { "helper", PRIVILEGE_NONE, CALLS_TOOL, false };
