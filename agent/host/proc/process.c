#include "process.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../namespace.h"

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

/*
 * Process names can be spoofed, so only processes of root count. A process whose owner cannot be
 * read counts as root's.
 */
static bool is_of_root(struct host *h, const char *pid)
{
	struct err quiet = { 0 };
	char status[4096], *uid;
	unsigned effective;

	if (!host_read_file(h, status, sizeof(status), &quiet, "/proc/%s/status", pid))
		return true;
	uid = strstr(status, "\nUid:");
	return !uid || sscanf(uid, "\nUid: %*u %u", &effective) != 1 || effective == 0;
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

bool process_runs(struct host *h, const char *name, unsigned *ret_pid)
{
	*ret_pid = 0;
	return process_each(h, name, note_pid, ret_pid) && *ret_pid != 0;
}
