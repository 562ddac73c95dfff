#include "namespace.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Only the initial user namespace maps all ids to themselves: user_namespaces(7). */
static bool is_initial_user_namespace(struct host *h)
{
	struct err quiet = { 0 };
	char map[4096];
	unsigned count;

	return !host_read_file(h, map, sizeof(map), &quiet, "/proc/self/uid_map") ||
	       sscanf(map, "%*u %*u %u", &count) != 1 || count == UINT32_MAX;
}

static bool has_net_admin(struct host *h)
{
	static const char key[] = "\nCapEff:";
	struct err quiet = { 0 };
	unsigned long long set;
	char status[8192];
	const char *at;

	if (!host_read_file(h, status, sizeof(status), &quiet, "/proc/self/status"))
		return true;
	at = strstr(status, key);
	return !at || sscanf(at + sizeof(key) - 1, "%llx", &set) != 1 ||
	       (set & (1ull << CAP_NET_ADMIN));
}

bool namespace_may_change(struct host *h, struct err *err)
{
	if (!is_initial_user_namespace(h)) {
		err_record(err, ERR_DENIED, EPERM,
			   "this process is in another user namespace, without CAP_NET_ADMIN in "
			   "the initial one");
		return err_fix(
			err,
			"run losslessctl without PrivateUsers=, hostUsers: false or `unshare -U`; "
			"the kernel allows DCB changes only from the initial user namespace");
	}
	if (!has_net_admin(h)) {
		err_record(err, ERR_DENIED, EPERM,
			   "no CAP_NET_ADMIN in the initial user namespace");
		return err_fix(err, "run losslessctl as root, with CAP_NET_ADMIN");
	}
	return true;
}

/*
 * Identifies a process's network namespace by its /proc/PID/net/unix, which anyone may stat:
 * /proc/PID/ns/net requires all capabilities of that process.
 */
static bool stat_network(const struct host *h, const char *pid, struct stat *ret)
{
	char path[PATH_TEXT_MAX];

	snprintf(path, sizeof(path), "proc/%s/net/unix", pid);
	return fstatat(h->root, path, ret, 0) == 0;
}

bool namespace_is_shared(const struct host *h, const char *pid_a, const char *pid_b)
{
	struct stat a, b;

	return !stat_network(h, pid_a, &a) || !stat_network(h, pid_b, &b) ||
	       (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

bool namespace_is_hosts(struct host *h, struct err *err)
{
	if (namespace_is_shared(h, "self", "1"))
		return true;
	err_record(err, ERR_REFUSED, EXDEV,
		   "this network namespace is not that of process 1: its ports and its lldpad are "
		   "not the host's");
	return err_fix(err, "run losslessctl in the host's network namespace (`nsenter -t 1 -n`), "
			    "or use --allow-other-netns for these ports");
}
