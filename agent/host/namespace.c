#include "namespace.h"

#include <ctype.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"

/* Only the initial user namespace maps all ids to themselves: user_namespaces(7). */
bool user_namespace_is_initial(struct host *h)
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
	if (!user_namespace_is_initial(h)) {
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

#define MOUNTS_MAX (4u << 20)
#define PLACE_MAX  (2 * PATH_TEXT_MAX + 32)

/*
 * Writes the place of a path on its file system, such as "8:1 /var/lib/lldpad/lldpad.conf". Anyone
 * may read a process's mountinfo: its ns/mnt and root require all capabilities of that process.
 * A sandbox of systemd has a mount namespace of its own with the same files.
 */
static bool find_place(struct host *h, const char *pid, const char *path, char ret[PLACE_MAX])
{
	_free_ char *text = NULL;
	struct err quiet = { 0 };
	size_t longest = 0;
	bool found = false;
	char *rest, *line;

	if (!host_read_large_file(h, MOUNTS_MAX, &text, &quiet, "/proc/%s/mountinfo", pid))
		return false;
	for (rest = text; (line = strsep(&rest, "\n"));) {
		char device[32], root[PATH_TEXT_MAX], point[PATH_TEXT_MAX];
		size_t n;

		if (sscanf(line, "%*s %*s %31s %255s %255s", device, root, point) != 3)
			continue;
		n = strcmp(point, "/") == 0 ? 0 : strlen(point);
		if (n < longest || strncmp(path, point, n) != 0 || path[n] != '/')
			continue;
		longest = n;
		found = true;
		snprintf(ret, PLACE_MAX, "%s %s%s", device, strcmp(root, "/") == 0 ? "" : root,
			 path + n);
	}
	return found;
}

static bool is_in_our_user_namespace(struct host *h, const char *pid)
{
	struct err quiet = { 0 };
	char theirs[4096], ours[4096];

	return host_read_file(h, theirs, sizeof(theirs), &quiet, "/proc/%s/uid_map", pid) &&
	       host_read_file(h, ours, sizeof(ours), &quiet, "/proc/self/uid_map") &&
	       strcmp(theirs, ours) == 0;
}

static bool is_one_place(struct host *h, const char *pid, const char *path)
{
	char theirs[PLACE_MAX], ours[PLACE_MAX];

	return find_place(h, pid, path, theirs) && find_place(h, "self", path, ours) &&
	       strcmp(theirs, ours) == 0;
}

/* Compares as text: no name is "." or "..", none is empty, and mountinfo escapes no character. */
static bool is_spelled_as_a_mount(const char *path)
{
	for (const char *name = path; *name == '/'; name += strcspn(name, "/")) {
		size_t n = strcspn(++name, "/");

		if (n == 0 || (n == 1 && name[0] == '.') || (n == 2 && strncmp(name, "..", n) == 0))
			return false;
	}
	return path[0] == '/' && strlen(path) < PATH_TEXT_MAX && !strpbrk(path, " \t\n\\#");
}

/* The file that our links lead to; their links are on the same file systems. */
static bool is_one_behind_links(struct host *h, const char *pid, const char *path)
{
	_free_ char *real = h->root_is_tree ? NULL : realpath(path, NULL);

	return !real || (is_spelled_as_a_mount(real) && is_one_place(h, pid, real));
}

bool namespace_has_file(struct host *h, unsigned pid, const char *path)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", pid);
	return is_in_our_user_namespace(h, number) && is_spelled_as_a_mount(path) &&
	       is_one_place(h, number, path) && is_one_behind_links(h, number, path);
}

/*
 * In a container process 1 is its own. The kernel registers net_core_table of
 * net/core/sysctl_net_core.c, with dev_weight, for the first network namespace alone, and
 * somaxconn for each.
 */
static bool is_first_network(struct host *h)
{
	return host_has_file(h, "/proc/sys/net/core/dev_weight") ||
	       !host_has_file(h, "/proc/sys/net/core/somaxconn");
}

bool namespace_is_hosts(struct host *h, struct err *err)
{
	if (namespace_is_shared(h, "self", "1") && is_first_network(h))
		return true;
	err_record(err, ERR_REFUSED, EXDEV,
		   "this network namespace is not that of the host: its ports and its lldpad are "
		   "not the host's");
	return err_fix(err, "run losslessctl in the host's network namespace (`nsenter -t 1 -n`), "
			    "or use --allow-other-netns for these ports");
}

/* ---- processes ---- */

struct search {
	struct host *h;
	const char *const *names;
	void (*each)(const struct process *p, void *arg);
	void *arg;
};

#define NAME_BYTES 15 /* TASK_COMM_LEN without its NUL */

/* NULL: it has none of the names. */
static const char *name_of(const struct search *s, const char *pid)
{
	struct err quiet = { 0 };
	char comm[32];

	if (!host_read_file(s->h, comm, sizeof(comm), &quiet, "/proc/%s/comm", pid))
		return NULL;
	for (const char *const *name = s->names; *name; name++)
		if (strlen(comm) <= NAME_BYTES && strncmp(comm, *name, NAME_BYTES) == 0)
			return *name;
	return NULL;
}

#define STATUS_MAX (1 << 20) /* a process may be in 65,536 groups, which it lists */

/*
 * Process names can be spoofed, so only processes of root count: not a program that gives its
 * caller root's rights, such as su at its prompt, whose real user is the caller. A process whose
 * owner cannot be read counts as root's.
 */
static bool is_of_root(struct host *h, const char *pid)
{
	_free_ char *status = NULL;
	struct err quiet = { 0 };
	const char *uid;
	unsigned real, effective, saved;

	if (!host_read_large_file(h, STATUS_MAX, &status, &quiet, "/proc/%s/status", pid))
		return true;
	uid = strstr(status, "\nUid:");
	return !uid || sscanf(uid, "\nUid: %u %u %u", &real, &effective, &saved) != 3 ||
	       !(real || effective || saved);
}

/* An exited process has no command line; a zombie keeps only its name. */
static bool read_command_line(struct host *h, const char *pid, struct process *p)
{
	struct err err = { 0 };

	memset(p->words, 0, sizeof(p->words));
	if (host_read_file(h, p->words, sizeof(p->words) - 1, &err, "/proc/%s/cmdline", pid))
		return p->words[0] != '\0';
	memset(p->words, 0, sizeof(p->words));
	return err.code == EFBIG;
}

static void check_process(const char *pid, void *arg)
{
	const struct search *s = arg;
	struct process p = { .pid = 0 };

	if (!isdigit((unsigned char)pid[0]))
		return;
	p.name = name_of(s, pid);
	if (!p.name || !namespace_is_shared(s->h, pid, "self") || !is_of_root(s->h, pid) ||
	    !read_command_line(s->h, pid, &p))
		return;
	p.pid = (unsigned)strtoul(pid, NULL, 10);
	s->each(&p, s->arg);
}

bool process_each_of(struct host *h, const char *const *names,
		     void (*each)(const struct process *p, void *arg), void *arg)
{
	struct search s = { h, names, each, arg };
	struct err quiet = { 0 };

	return host_list_dir(h, "/proc", check_process, &s, &quiet);
}

bool process_each(struct host *h, const char *name,
		  void (*each)(const struct process *p, void *arg), void *arg)
{
	const char *const names[] = { name, NULL };

	return process_each_of(h, names, each, arg);
}

static void note_pid(const struct process *p, void *arg)
{
	*(unsigned *)arg = p->pid;
}

bool process_may_be_hidden(const struct host *h)
{
	char text[32];
	ssize_t n = readlinkat(h->root, "proc/self/ns/pid", text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return n > 0 && strcmp(text, "pid:[4026531836]") != 0; /* PROC_PID_INIT_INO of Linux */
}

bool process_runs(struct host *h, const char *name, unsigned *ret_pid)
{
	*ret_pid = 0;
	return process_each(h, name, note_pid, ret_pid) && *ret_pid != 0;
}
