#include "namespace.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>

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
			   "no CAP_NET_ADMIN in the initial user namespace: this is another one");
		return err_fix(err, "run it without PrivateUsers=, hostUsers: false or `unshare "
				    "-U`; the kernel refuses DCB to all but the first");
	}
	if (!has_net_admin(h)) {
		err_record(err, ERR_DENIED, EPERM,
			   "no CAP_NET_ADMIN in the initial user namespace");
		return err_fix(err, "run it as root, with that capability");
	}
	return true;
}

bool namespace_is_hosts(struct host *h, struct err *err)
{
	if (host_same_network(h, "self", "1"))
		return true;
	err_record(err, ERR_REFUSED, EXDEV,
		   "this is another network namespace than that of process 1: its ports, and the "
		   "lldpad that speaks for them, are not the host's");
	return err_fix(err, "run it in the host's (`nsenter -t 1 -n`), or, if these ports are "
			    "meant, with --allow-other-netns");
}
