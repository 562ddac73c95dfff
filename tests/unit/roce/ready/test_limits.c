/* Tests of the checks of the host's limits, which /proc shows. */
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define LIMITS(soft) \
	"Limit                     Soft Limit           Hard Limit           Units     \n" \
	"Max open files            1024                 524288               files     \n" \
	"Max locked memory         " soft "               unlimited            bytes     \n"
#define USER \
	{ \
		"/proc/self/status", "Name:\tlosslessctl\nUid:\t1000\t1000\t1000\t1000\nGid:\t0" \
	}
#define PROCS(service) "/sys/fs/cgroup/system.slice/" service ".service/cgroup.procs"

/* A process of root. */
#define DAEMON(pid, name) \
	{ "/proc/" pid "/comm", name }, \
		{ "/proc/" pid "/status", "Name:\t" name "\nUid:\t0\t0\t0\t0\n" }, \
	{ \
		"/proc/" pid "/cmdline", "/usr/sbin/" name \
	}

static const struct ready_row_test limits[] = {
	{ "a user who may lock all memory",
	  &ready_memlock,
	  { USER, { "/proc/self/limits", LIMITS("unlimited") } },
	  READY_MET,
	  READY_UNLIMITED,
	  NULL },
	{ "a user who may lock 8 MB",
	  &ready_memlock,
	  { USER, { "/proc/self/limits", LIMITS("8388608") } },
	  READY_MET,
	  8388608,
	  NULL },
	{ "limits without that line",
	  &ready_memlock,
	  { USER, { "/proc/self/limits", "none" } },
	  READY_UNKNOWN,
	  0,
	  "Max locked memory" },
	{ "a limit that is no number",
	  &ready_memlock,
	  { USER, { "/proc/self/limits", LIMITS("much") } },
	  READY_UNKNOWN,
	  0,
	  "no number" },
	{ "no file of limits", &ready_memlock, { USER }, READY_UNKNOWN, 0, "/proc/self/limits" },
	{ "root, whom no limit binds",
	  &ready_memlock,
	  { { "/proc/self/status", "Name:\tlosslessctl\nUid:\t0\t0\t0\t0\n" },
	    { "/proc/self/limits", LIMITS("8388608") } },
	  READY_NOT_APPLICABLE,
	  0,
	  "root" },
	{ "no service that starts jobs",
	  &ready_memlock_services,
	  { { NULL, NULL } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
	{ "a service with all memory",
	  &ready_memlock_services,
	  { { PROCS("slurmd"), "812\n815" }, { "/proc/812/limits", LIMITS("unlimited") } },
	  READY_MET,
	  READY_UNLIMITED,
	  NULL },
	{ "the smaller limit of two services",
	  &ready_memlock_services,
	  { { PROCS("slurmd"), "812" },
	    { PROCS("containerd"), "99\n100" },
	    { "/proc/812/limits", LIMITS("unlimited") },
	    { "/proc/99/limits", LIMITS("65536") } },
	  READY_MET,
	  65536,
	  "[Service] of containerd" },
	{ "a service behind a process of its last run",
	  &ready_memlock_services,
	  { { PROCS("containerd"), "99\n812" },
	    { "/proc/99/comm", "containerd-shim" },
	    { "/proc/812/comm", "containerd" },
	    { "/proc/99/limits", LIMITS("65536") },
	    { "/proc/812/limits", LIMITS("unlimited") } },
	  READY_MET,
	  READY_UNLIMITED,
	  NULL },
	{ "a service of cgroup version 1",
	  &ready_memlock_services,
	  { { "/sys/fs/cgroup/systemd/system.slice/docker.service/cgroup.procs", "7" },
	    { "/proc/7/limits", LIMITS("65536") } },
	  READY_MET,
	  65536,
	  "65536 bytes of docker" },
	{ "a service without a process",
	  &ready_memlock_services,
	  { { PROCS("slurmd"), "" } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
	{ "a service whose process is hidden",
	  &ready_memlock_services,
	  { { PROCS("slurmd"), "812" } },
	  READY_UNKNOWN,
	  0,
	  "/proc/812/limits" },
	{ "a service that was started without its unit",
	  &ready_memlock_services,
	  { { "/proc/41/comm", "bash" },
	    DAEMON("812", "slurmd"),
	    { "/proc/812/limits", LIMITS("65536") },
	    DAEMON("813", "slurmd"),
	    { "/proc/813/limits", LIMITS("1024") } },
	  READY_MET,
	  65536,
	  "prlimit --pid 812 --memlock=unlimited" },
	{ "a service whose process has another name than its unit",
	  &ready_memlock_services,
	  { DAEMON("7", "pbs_mom"), { "/proc/7/limits", LIMITS("65536") } },
	  READY_MET,
	  65536,
	  "65536 bytes of pbs_mom" },
	{ "a service with its unit is not looked for by name",
	  &ready_memlock_services,
	  { { PROCS("docker"), "9" },
	    { "/proc/9/limits", LIMITS("unlimited") },
	    DAEMON("8", "dockerd"),
	    { "/proc/8/limits", LIMITS("65536") } },
	  READY_MET,
	  READY_UNLIMITED,
	  "unlimited of docker" },
	{ "a user who calls his program slurmd is no service",
	  &ready_memlock_services,
	  { { "/proc/812/comm", "slurmd" },
	    { "/proc/812/status", "Name:\tslurmd\nUid:\t1000\t1000\t1000\t1000\n" },
	    { "/proc/812/cmdline", "slurmd" },
	    { "/proc/812/limits", LIMITS("65536") } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
	{ "huge pages",
	  &ready_hugepages,
	  { { "/proc/meminfo", "MemTotal: 1 kB\nHugePages_Total:    1024\nHugePages_Free: 1" } },
	  READY_MET,
	  1024,
	  NULL },
	{ "a kernel without huge pages",
	  &ready_hugepages,
	  { { "/proc/meminfo", "MemTotal: 1 kB" } },
	  READY_MET,
	  0,
	  NULL },
	{ "memory that cannot be read",
	  &ready_hugepages,
	  { { NULL, NULL } },
	  READY_UNKNOWN,
	  0,
	  "/proc/meminfo" },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, limits, ready_reads_so);
	return suite_run(&s, "limits");
}
