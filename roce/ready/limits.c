/* Limits of the host: memory that may be locked, and huge pages. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/namespace.h"
#include "reading.h"
#include "registry.h"

/* Reads the soft limit of a process, as in "Max locked memory   8388608   8388608   bytes". */
static bool read_memlock(struct host *h, const char *process, uint64_t *ret, struct err *err)
{
	static const char key[] = "Max locked memory";
	char limits[4096], *end;
	const char *at;

	if (!host_read_file(h, limits, sizeof(limits), err, "/proc/%s/limits", process))
		return false;
	at = strstr(limits, key);
	if (!at)
		return err_set(err, ERR_UNKNOWN, EINVAL, "/proc/%s/limits has no \"%s\"", process,
			       key);
	at += strlen(key);
	at += strspn(at, " ");
	*ret = strncmp(at, "unlimited", 9) == 0 ? READY_UNLIMITED : strtoull(at, &end, 10);
	return *ret == READY_UNLIMITED || end > at ||
	       err_set(err, ERR_UNKNOWN, EINVAL, "the limit of locked memory is no number");
}

/* CAP_IPC_LOCK, which root has, exceeds the limit (ib_umem_get() of drivers/infiniband). */
static bool is_root(struct host *h)
{
	char status[4096];
	struct err quiet = { 0 };
	const char *uid;

	if (!host_read_file(h, status, sizeof(status), &quiet, "/proc/self/status"))
		return false;
	uid = strstr(status, "\nUid:\t");
	return uid && strncmp(uid + 6, "0\t", 2) == 0;
}

static void read_caller(const struct ready_scene *s, const struct port *port,
			struct ready_reading *r)
{
	struct err err = { 0 };
	uint64_t limit;

	(void)port;
	if (s->is_agent || is_root(s->h)) {
		ready_not_applicable(r, "the caller is root, whom no limit binds");
		return;
	}
	if (!read_memlock(s->h, "self", &limit, &err)) {
		reading_failed(r, &err);
		return;
	}
	ready_found(r, limit, "%s", "");
}

const struct ready_reader ready_memlock = { .id = READY_MEMLOCK, .read = read_caller };

/* Services that start jobs, or the containers of jobs: units of systemd, and their processes. */
static const struct service {
	const char *unit;
	const char *process; /* NULL: another row has it */
	enum { JOBS, CONTAINERS } starts;
} services[] = {
	{ "slurmd", "slurmd", JOBS },
	{ "pbs", "pbs_mom", JOBS },
	{ "pbs_mom", NULL, JOBS },
	{ "lsfd", "sbatchd", JOBS },
	{ "sge_execd", "sge_execd", JOBS },
	{ "condor", "condor_master", JOBS },
	{ "k3s", "k3s-server", CONTAINERS },
	{ "k3s-agent", "k3s-agent", CONTAINERS },
	{ "rke2-agent", "rke2", CONTAINERS },
	{ "crio", "crio", CONTAINERS },
	{ "containerd", "containerd", CONTAINERS }, /* docker's as well; that of k3s has no unit */
};

#define SERVICES (sizeof(services) / sizeof(services[0]))

static bool has_name(struct host *h, unsigned pid, const char *name)
{
	char comm[32];
	struct err quiet = { 0 };

	return name && host_read_file(h, comm, sizeof(comm), &quiet, "/proc/%u/comm", pid) &&
	       strcmp(comm, name) == 0;
}

/* Children that a restart left, as containerd's shims, may come before the service: it has the
 * name. */
static unsigned choose_process(struct host *h, char *list, const char *name)
{
	unsigned first = (unsigned)strtoul(list, NULL, 10);

	for (char *line; (line = strsep(&list, "\n"));) {
		unsigned pid = (unsigned)strtoul(line, NULL, 10);

		if (pid && has_name(h, pid, name))
			return pid;
	}
	return first;
}

/* Finds the process of a service in the tree of systemd, of cgroup version 2 or 1; 0: none. */
static unsigned find_in_unit(struct host *h, const struct service *s)
{
	static const char *const trees[] = { "", "systemd/" };

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		char list[4096];
		struct err err = { 0 };

		if (host_read_file(h, list, sizeof(list), &err,
				   "/sys/fs/cgroup/%ssystem.slice/%s.service/cgroup.procs",
				   trees[i], s->unit))
			return choose_process(h, list, s->process);
	}
	return 0;
}

struct found {
	unsigned pid[SERVICES]; /* 0: not running */
	bool has_unit[SERVICES];
};

/* The first process of a name is the service; its children may have the same name. */
static void note_process(const struct process *p, void *arg)
{
	struct found *f = arg;

	for (size_t i = 0; i < SERVICES; i++)
		if (!f->pid[i] && services[i].process && strcmp(services[i].process, p->name) == 0)
			f->pid[i] = p->pid;
}

/* A service that was started without its unit is found by the name of its process. */
static struct found find_services(struct host *h)
{
	const char *names[SERVICES + 1] = { NULL };
	struct found f = { .pid = { 0 } };
	size_t count = 0;

	for (size_t i = 0; i < SERVICES; i++) {
		f.pid[i] = find_in_unit(h, &services[i]);
		f.has_unit[i] = f.pid[i];
		if (!f.pid[i] && services[i].process)
			names[count++] = services[i].process;
	}
	/* A host that hides its processes has none to find. */
	(void)!process_each_of(h, names, note_process, &f);
	return f;
}

#define OR_CONTAINERS \
	"; or give the containers the capability IPC_LOCK or a limit of their own " \
	"(docker run --ulimit memlock=-1), and set \"memlock-services\": \"ignore\""

static void fix_service(const struct service *s, bool has_unit, unsigned pid,
			struct ready_reading *r)
{
	if (has_unit)
		ready_fix(
			r,
			"add LimitMEMLOCK=infinity below [Service] of %s, as systemctl edit does, "
			"and restart it%s",
			s->unit, s->starts == CONTAINERS ? OR_CONTAINERS : "");
	else
		ready_fix(r,
			  "run `prlimit --pid %u --memlock=unlimited`, and add `ulimit -l "
			  "unlimited` to the script that starts %s",
			  pid, s->process);
}

/* Containers are those of jobs only where no service starts the jobs themselves. */
static bool limits_jobs(const struct found *f, const struct service *s)
{
	for (size_t i = 0; s->starts == CONTAINERS && i < SERVICES; i++)
		if (f->pid[i] && services[i].starts == JOBS)
			return false;
	return true;
}

static void read_services(const struct ready_scene *s, const struct port *port,
			  struct ready_reading *r)
{
	struct found f = find_services(s->h);

	(void)port;
	ready_not_applicable(r, "no service that starts jobs is running");
	for (size_t i = 0; i < SERVICES; i++) {
		struct err err = { 0 };
		uint64_t limit;
		char pid[16], text[READY_VALUE_TEXT];

		if (!f.pid[i] || !limits_jobs(&f, &services[i]))
			continue;
		snprintf(pid, sizeof(pid), "%u", f.pid[i]);
		if (!read_memlock(s->h, pid, &limit, &err)) {
			reading_failed(r, &err);
			return;
		}
		if (r->status == READY_MET && limit >= r->value)
			continue;
		ready_found(r, limit, "%s of %s",
			    ready_value_text(&ready_checks[READY_MEMLOCK_SERVICES], limit, text),
			    f.has_unit[i] ? services[i].unit : services[i].process);
		ready_reason(r, "%s", "");
		fix_service(&services[i], f.has_unit[i], f.pid[i], r);
	}
}

const struct ready_reader ready_memlock_services = { .id = READY_MEMLOCK_SERVICES,
						     .read = read_services };

#define HUGEPAGES "/sys/kernel/mm/hugepages"

struct pages {
	struct host *h;
	uint64_t count;
};

static void add_pages(const char *size, void *arg)
{
	struct pages *all = arg;
	long count;

	if (reading_number(all->h, &count, HUGEPAGES "/%s/nr_hugepages", size))
		all->count += (uint64_t)count;
}

/* The file meminfo has those of the default size alone. */
static void read_hugepages(const struct ready_scene *s, const struct port *port,
			   struct ready_reading *r)
{
	static const char key[] = "HugePages_Total:";
	struct pages all = { s->h, 0 };
	char meminfo[8192];
	struct err err = { 0 }, quiet = { 0 };
	const char *at;

	(void)port;
	if (host_list_dir(s->h, HUGEPAGES, add_pages, &all, &quiet)) {
		ready_found(r, all.count, "%s", "");
		return;
	}
	if (!host_read_file(s->h, meminfo, sizeof(meminfo), &err, "/proc/meminfo")) {
		reading_failed(r, &err);
		return;
	}
	at = strstr(meminfo, key);
	ready_found(r, at ? strtoull(at + strlen(key), NULL, 10) : 0, "%s", "");
}

const struct ready_reader ready_hugepages = { .id = READY_HUGEPAGES, .read = read_hugepages };
