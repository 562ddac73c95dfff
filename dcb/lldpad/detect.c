#include "detect.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/namespace.h"

#define SOCKETS_MAX (4u << 20) /* if /proc/net/unix is larger, the result is unknown */
#define UNITS	    "/etc/systemd/system"

_Static_assert(sizeof(struct lldpad_process) <= FACT_BYTES, "a run remembers it");

struct socket_state {
	bool known, is_bound;
};

/* Finds -R alone or among others ("-tR"); -f and -V take the rest of the word as their value. */
static bool is_read_only_option(const char *word)
{
	if (*word++ != '-')
		return false;
	for (; *word && *word != 'f' && *word != 'V'; word++)
		if (*word == 'R')
			return true;
	return false;
}

/*
 * The value of "-f FILE" or "-fFILE"; NULL for another word. A relative path is lldpad's own, and
 * the kernel's files are nobody's configuration: to read /proc/kmsg takes it from others.
 */
static const char *file_named_by(const char *word)
{
	const char *file = word[0] && word[1] && word[2] ? word + 2 : word + sizeof("-f");

	if (strncmp(word, "-f", 2) != 0 || file[0] != '/' || strncmp(file, "/proc/", 6) == 0 ||
	    strncmp(file, "/sys/", 5) == 0)
		return NULL;
	return file;
}

static void consider_process(const struct process *p, void *arg)
{
	struct lldpad_process *found = arg;
	struct lldpad_process this = { .pid = p->pid, .conf = LLDPAD_DEFAULT_CONF };

	for (const char *w = p->words; *w; w += strlen(w) + 1) {
		const char *file = file_named_by(w);

		this.advertise_only = this.advertise_only || is_read_only_option(w);
		if (file)
			snprintf(this.conf, sizeof(this.conf), "%s", file);
	}
	if (!found->pid || found->advertise_only)
		*found = this;
}

/*
 * Lines of /proc/net/unix: "Num RefCount Protocol Flags Type St Inode Path". Type 2 is SOCK_DGRAM,
 * and "@" stands for the zero byte of an abstract name.
 */
static bool has_socket(char *text, uint32_t *ret_inode)
{
	for (const char *line; (line = strsep(&text, "\n"));) {
		char type[8], path[32];

		if (sscanf(line, "%*s %*s %*s %*s %7s %*s %u %31s", type, ret_inode, path) == 3 &&
		    strcmp(type, "0002") == 0 && strcmp(path, "@/com/intel/lldpad") == 0)
			return true;
	}
	return false;
}

static struct socket_state find_socket(struct host *h)
{
	_free_ char *text = NULL;
	uint32_t inode;
	struct socket_state s = { .known = false };
	struct err quiet = { 0 };

	if (run_fact_recall(&h->facts, FACT_LLDPAD_SOCKET, &s, sizeof(s)))
		return s;
	s.known = host_read_large_file(h, SOCKETS_MAX, &text, &quiet, "/proc/net/unix");
	/* Any user may bind lldpad's address while no lldpad runs. */
	s.is_bound = s.known && has_socket(text, &inode) && host_socket_may_be_roots(h, inode);
	run_fact_remember(&h->facts, FACT_LLDPAD_SOCKET, &s, sizeof(s));
	return s;
}

/* Checks for the socket first: without it no lldpad runs, and listing all processes is slow. */
static void find_process(struct host *h, struct lldpad_process *ret)
{
	struct socket_state s = find_socket(h);

	if ((s.is_bound || !s.known) && !process_each(h, "lldpad", consider_process, ret))
		ret->pid = 0;
}

bool lldpad_find(struct host *h, struct lldpad_process *ret)
{
	*ret = (struct lldpad_process){ .pid = 0 };
	if (!run_fact_recall(&h->facts, FACT_LLDPAD, ret, sizeof(*ret))) {
		find_process(h, ret);
		run_fact_remember(&h->facts, FACT_LLDPAD, ret, sizeof(*ret));
	}
	return ret->pid != 0;
}

bool lldpad_socket_is_held(struct host *h)
{
	struct lldpad_process awake;

	return find_socket(h).is_bound && !lldpad_find(h, &awake);
}

bool lldpad_may_be_hidden(struct host *h)
{
	return lldpad_socket_is_held(h) && process_may_be_hidden(h);
}

struct units {
	struct host *h;
	bool found;
};

static void check_unit(const char *name, void *arg)
{
	struct units *u = arg;

	if (strcmp(name, "lldpad.service") == 0 || strcmp(name, "lldpad.socket") == 0)
		u->found = true;
}

static void check_wants_dir(const char *name, void *arg)
{
	struct units *all = arg, one = { .h = all->h };
	const char *dot = strrchr(name, '.');
	char path[PATH_TEXT_MAX];
	struct err quiet = { 0 };

	if (!dot || strcmp(dot, ".wants") != 0)
		return;
	snprintf(path, sizeof(path), UNITS "/%s", name);
	if (host_list_dir(all->h, path, check_unit, &one, &quiet) && one.found)
		all->found = true;
}

/* Looks where systemd.unit(5) does. Both units need the service, also the socket. */
static bool is_installed(struct host *h)
{
	static const char *const folders[] = { "/usr/lib", "/lib", "/etc", "/usr/local/lib",
					       "/run" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (host_has_file(h, "%s/systemd/system/lldpad.service", folders[i]))
			return true;
	return false;
}

bool lldpad_is_enabled(struct host *h)
{
	struct units u = { .h = h };
	struct err quiet = { 0 };
	bool is_enabled = false;

	if (run_fact_recall(&h->facts, FACT_LLDPAD_ENABLED, &is_enabled, sizeof(is_enabled)))
		return is_enabled;
	/* Where there is no lldpad, this spares listing a dozen directories. */
	is_enabled =
		is_installed(h) && host_list_dir(h, UNITS, check_wants_dir, &u, &quiet) && u.found;
	run_fact_remember(&h->facts, FACT_LLDPAD_ENABLED, &is_enabled, sizeof(is_enabled));
	return is_enabled;
}
