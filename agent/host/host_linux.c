#include "host_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <link.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "helper_line.h"

/* Unmaps the read-only segments of one loaded file: no write made them differ from the file. */
static int release_pages(struct dl_phdr_info *file, size_t size, void *page)
{
	uintptr_t mask = ~(*(const uintptr_t *)page - 1);

	(void)size;
	for (size_t i = 0; i < file->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &file->dlpi_phdr[i];
		uintptr_t start = (file->dlpi_addr + segment->p_vaddr) & mask;
		uintptr_t end = file->dlpi_addr + segment->p_vaddr + segment->p_memsz;

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W))
			/* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader has numbers. */
			(void)madvise((void *)start, end - start, MADV_DONTNEED);
	}
	return 0;
}

void memory_release(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	malloc_trim(0);
	dl_iterate_phdr(release_pages, &page);
}

/* Sends a signal to lldpad. */

/* Uses a pidfd: the process id could be reused between the check of the name and the signal. */
bool host_linux_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	_close_ int fd = pidfd_open((pid_t)pid, 0);
	struct err quiet = { 0 };
	char comm[32];

	if (fd < 0)
		return err_set(err, host_err_kind(errno), errno, "process %u: %s", pid,
			       strerror(errno));
	if (!host_read_file(h, comm, sizeof(comm), &quiet, "/proc/%u/comm", pid) ||
	    strcmp(comm, "lldpad") != 0)
		return err_set(err, ERR_SYSTEM, ESRCH, "process %u is not lldpad", pid);
	if (pidfd_send_signal(fd, number, NULL, 0) < 0)
		return err_set(err, host_err_kind(errno), errno, "signal process %u: %s", pid,
			       strerror(errno));
	return true;
}

static struct host_linux *linux_of(struct host *h)
{
	return (struct host_linux *)h;
}

static uint64_t now_ms(struct host *h)
{
	struct timespec t;

	(void)h;
	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void sleep_ms(struct host *h, unsigned ms)
{
	(void)h;
	poll(NULL, 0, (int)ms); /* a signal ends it early, on purpose */
}

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct ifreq request = { .ifr_data = command };
	struct host_linux *l = linux_of(h);

	if (l->ioctl_fd < 0) /* any address family works; sandboxes never remove this one */
		l->ioctl_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	memcpy(request.ifr_name, port, strnlen(port, IFNAMSIZ - 1));
	return (l->ioctl_fd >= 0 && ioctl(l->ioctl_fd, SIOCETHTOOL, &request) >= 0) ||
	       err_set(err, host_err_kind(errno), errno, "ethtool: %s", strerror(errno));
}

static int not_interrupted(struct host *h)
{
	(void)h;
	return 0;
}

static void report_nothing(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

static const struct host operations = {
	.talk = host_linux_talk,
	.ethtool = ethtool,
	.links = host_linux_links,
	.link = host_linux_link,
	.set_mtu = host_linux_set_mtu,
	.set_egress = host_linux_set_egress,
	.listen_lldp = host_linux_listen_lldp,
	.next_event = host_linux_next_event,
	.read_file = host_linux_read_file,
	.write_file = host_linux_write_file,
	.list_dir = host_linux_list_dir,
	.save_file = host_linux_save_file,
	.rewrite_file = host_linux_rewrite_file,
	.publish_file = host_linux_publish_file,
	.move_file = host_linux_move_file,
	.reserve_room = host_linux_reserve_room,
	.release_file = host_linux_release_file,
	.make_dir = host_linux_make_dir,
	.load_module = host_linux_load_module,
	.signal = host_linux_signal,
	.ask_lldpad = host_linux_ask_lldpad,
	.run_tool = host_linux_run_tool,
	.now_ms = now_ms,
	.sleep_ms = sleep_ms,
	.interrupted = not_interrupted,
	.release_memory = memory_release,
	.report = report_nothing,
};

bool host_linux_open(struct host_linux *l, const char *root, bool may_write, struct err *err)
{
	*l = (struct host_linux){
		.host = operations,
		.ioctl_fd = -1,
		.firmware_helper = -1,
		.modprobe_helper = -1,
		.seq = (unsigned)now_ms(NULL),
	};
	l->host.may_write = may_write;
	l->host.facts.is_kept = true;
	l->host.root_is_tree = strcmp(root, "/") != 0;
	l->host.root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (l->host.root < 0)
		return err_set(err, ERR_SYSTEM, errno, "open %s: %s", root, strerror(errno));
	return true;
}

void host_linux_close(struct host_linux *l)
{
	for (size_t i = 0; i < BUS_COUNT; i++)
		if (l->bus[i])
			mnl_socket_close(l->bus[i]);
	host_linux_close_event_sockets(l);
	run_facts_forget(&l->host.facts);
	if (l->ioctl_fd >= 0)
		close(l->ioctl_fd);
	if (l->host.root >= 0)
		close(l->host.root);
}

/* ---- helper processes that run tools ---- */

/* Asks the helper processes that run tools for this host. */

/* A tool that is ended halfway may keep the adapter's semaphore: only a signal ends the wait. */
static bool ended(struct host *h, int code, struct err *err)
{
	if (code == EINTR)
		return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
	return err_set(err, ERR_UNKNOWN, code, "the process that queries the firmware %s",
		       code == ETIMEDOUT ? "does not answer"
		       : code == EBADMSG ? "answers another question"
					 : "has ended");
}

/* ENOENT means that the tool is not installed; with another code it did not run to its end. */
bool host_linux_run_tool(struct host *h, enum helper_task tool, const char *pci,
			 struct tool_output *ret, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	const struct helper_question q = { tool, pci, strlen(pci) + 1, h, 0 };
	struct helper_answer a = { .text = ret->text, .text_max = sizeof(ret->text) - 1 };
	int code;

	if (l->firmware_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "%s needs root",
			       tool == TASK_RDMA_TOPO ? "rdma_topo" : "a query of the firmware");
	code = helper_ask(l->firmware_helper, &q, &a);
	if (code)
		return ended(h, code, err);
	ret->text[a.text_size] = '\0';
	ret->failed = a.result.failed;
	code = a.result.code;
	return !code || err_set(err, code == ENOENT ? ERR_UNSUPPORTED : ERR_UNKNOWN, code, "%s",
				a.result.reason);
}

bool host_linux_load_module(struct host *h, const char *name, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	const struct helper_question q = { TASK_MODPROBE, name, strlen(name) + 1, NULL, 0 };
	struct helper_answer a = { 0 };
	int code;

	if (l->modprobe_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "module %s: this process cannot request it",
			       name);
	code = helper_ask(l->modprobe_helper, &q, &a);
	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "module %s: the process that loads modules %s", name,
			       code == ETIMEDOUT ? "does not answer" : "has died");
	code = a.result.failed ? ENOENT : a.result.code;
	return !code || err_set(err, ERR_SYSTEM, code, "modprobe %s: %s", name, strerror(code));
}
