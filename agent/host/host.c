#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <rdma/rdma_netlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../../policy/util/oom.h"
#include "cleanup.h"

/* Requests that change nothing; any other counts as a change. */

static bool in(int what, const int *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

#define IN(what, ...) \
	in(what, (const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

bool host_reads_only(enum bus bus, const struct nlmsghdr *n)
{
	const struct dcbmsg *dcb = mnl_nlmsg_get_payload(n);
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(n);

	/* No default: a new bus must define its read-only requests. */
	switch (bus) {
	case BUS_ROUTE:
		/* The kernel executes set commands in RTM_GETDCB messages as well. */
		if (n->nlmsg_type == RTM_GETDCB)
			return IN(dcb->cmd, DCB_CMD_IEEE_GET, DCB_CMD_CEE_GET, DCB_CMD_GDCBX);
		return IN(n->nlmsg_type, RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE, RTM_GETRULE,
			  RTM_GETNEXTHOP, RTM_GETQDISC);
	case BUS_ETHTOOL:
		return IN(genl->cmd, ETHTOOL_MSG_PAUSE_GET, ETHTOOL_MSG_LINKMODES_GET,
			  ETHTOOL_MSG_FEC_GET);
	case BUS_DEVLINK:
		return IN(genl->cmd, DEVLINK_CMD_GET, DEVLINK_CMD_PARAM_GET,
			  DEVLINK_CMD_ESWITCH_GET, DEVLINK_CMD_RATE_GET);
	case BUS_RDMA:
		return n->nlmsg_type >> 10 == RDMA_NL_NLDEV &&
		       IN(n->nlmsg_type & 0x3ff, RDMA_NLDEV_CMD_GET, RDMA_NLDEV_CMD_SYS_GET,
			  RDMA_NLDEV_CMD_PORT_GET, RDMA_NLDEV_CMD_RES_QP_GET,
			  RDMA_NLDEV_CMD_STAT_GET);
	case BUS_SOCKETS:
		return n->nlmsg_type == SOCK_DIAG_BY_FAMILY;
	case BUS_COUNT:
		break;
	}
	return false;
}

bool host_ethtool_reads_only(uint32_t command)
{
	return IN((int)command, ETHTOOL_GDRVINFO, ETHTOOL_GTUNABLE, ETHTOOL_GFECPARAM,
		  ETHTOOL_GSSET_INFO, ETHTOOL_GSTRINGS, ETHTOOL_GSTATS);
}

bool host_lldpad_reads_only(const char *request)
{
	/*
	 * A ping, and three requests of module 1, version 3: statistics, a TLV, an agent's
	 * settings.
	 */
	static const char *const reads[] = { "M00000001C300", "M00000001C301", "M00000001C303" };

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
		if (strncmp(request, reads[i], strlen(reads[i])) == 0)
			return true;
	return strcmp(request, "P") == 0;
}

enum err_kind host_err_kind(int code)
{
	switch (code < 0 ? -code : code) {
	case EOPNOTSUPP:
		return ERR_UNSUPPORTED;
	case EPERM:
	case EACCES:
		return ERR_DENIED;
	case ENODEV:
	case ENXIO:
		return ERR_GONE;
	default:
		return ERR_SYSTEM;
	}
}

/* Every change of the outside passes this check. */
static bool may_write(struct host *h, const char *what, struct err *err)
{
	if (h->may_write) {
		h->changes++;
		reading_forget(&h->reading);
		run_facts_forget(&h->facts);
		return true;
	}
	return err_set(err, ERR_REFUSED, EROFS, "this run only reads, and %s is a change", what);
}

void host_cache_begin(struct host *h)
{
	reading_open(&h->reading);
}

void host_cache_end(struct host *h)
{
	reading_close(&h->reading);
}

/* Asks the kernel, unless the same was asked in this reading. */
static bool talk_once(struct host *h, struct nlmsghdr *request, reply_fn *each, void *arg,
		      struct err *err)
{
	struct reading_request rec = { &h->reading, each, arg, NULL };
	int known = reading_repeat(&h->reading, request, each, arg);
	bool ok;

	if (known == MNL_CB_ERROR)
		return err_set(err, ERR_SYSTEM, EPROTO, "the kernel's answer cannot be parsed");
	if (known != READING_UNKNOWN)
		return true;
	reading_begin(&rec, request);
	ok = h->talk(h, BUS_ROUTE, request, reading_record, &rec, err);
	reading_end(&rec, ok);
	return ok;
}

bool host_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
	       struct err *err)
{
	if (!host_reads_only(bus, request) && !may_write(h, "this message", err))
		return false;
	/* A dump that was interrupted is asked for again. */
	if (bus == BUS_ROUTE && h->reading.is_open && !(request->nlmsg_flags & NLM_F_DUMP))
		return talk_once(h, request, each, arg, err);
	return h->talk(h, bus, request, each, arg, err);
}

bool host_links(struct host *h, struct link_list *ret, struct err *err)
{
	if (run_links_recall(&h->facts, ret))
		return true;
	if (!h->links(h, ret, err))
		return false;
	run_links_remember(&h->facts, ret);
	return true;
}

bool host_vlans(struct host *h, unsigned lower, struct vlan_list *ret, struct err *err)
{
	_link_list_ struct link_list all = { .links = NULL };

	if (!host_links(h, &all, err))
		return false;
	links_vlans(&all, lower, ret);
	return true;
}

/* Its RDMA device is all that there is of it. */
static bool is_without_interface(const struct port *port, struct link *ret)
{
	*ret = (struct link){ .up = port->up, .carrier = port->carrier };
	return port->no_interface;
}

/* Within a reading its answer is parsed once; none is needed where the list of all has it. */
static bool read_link(struct host *h, const struct port *port, struct link *ret, struct err *err)
{
	const struct {
		char what[4];
		unsigned ifindex;
	} key = { { 'l', 'i', 'n', 'k' }, port->ifindex };
	const struct link *listed = h->reading.is_open ? run_link(&h->facts, port->id.name) : NULL;

	if (listed && listed->ifindex == port->ifindex) {
		*ret = *listed;
		return true;
	}
	if (reading_recall(&h->reading, &key, sizeof(key), ret, sizeof(*ret)))
		return true;
	if (!h->link(h, port->ifindex, ret, err))
		return false;
	reading_remember(&h->reading, &key, sizeof(key), ret, sizeof(*ret));
	return true;
}

bool host_link(struct host *h, const struct port *port, struct link *ret, struct err *err)
{
	if (is_without_interface(port, ret))
		return true;
	if (!read_link(h, port, ret, err))
		return false;
	return strcmp(ret->name, port->id.name) == 0 ||
	       err_set(err, ERR_GONE, ESTALE, "%s is called %s now", port->id.name, ret->name);
}

bool host_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	return may_write(h, "an MTU", err) && h->set_mtu(h, ifindex, mtu, err);
}

bool host_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err)
{
	return may_write(h, "an egress map", err) && h->set_egress(h, vlan, prio, pcp, err);
}

bool host_ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	uint32_t number;

	memcpy(&number, command, sizeof(number));
	if (!host_ethtool_reads_only(number) && !may_write(h, "this ethtool command", err))
		return false;
	return h->ethtool(h, port, command, err);
}

bool host_listen_lldp(struct host *h, const struct lldp_listener *l, struct err *err)
{
	run_facts_forget(&h->facts); /* time passes */
	return h->listen_lldp(h, l, err);
}

bool host_next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	return h->next_event(h, wait_ms, ret, err);
}

void host_sleep(struct host *h, unsigned ms)
{
	h->sleep_ms(h, ms);
	run_facts_forget(&h->facts);
}

void host_release_memory(const struct host *h)
{
	if (h->release_memory)
		h->release_memory();
}

#define FORMAT_PATH(path, fmt) \
	do { \
		va_list ap_; \
		va_start(ap_, fmt); \
		vsnprintf(path, sizeof(path), fmt, ap_); \
		va_end(ap_); \
	} while (0)

bool host_read_file(struct host *h, char *buf, size_t size, struct err *err, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX];

	FORMAT_PATH(path, fmt);
	if (!h->read_file(h, path, buf, size, err))
		return false;
	if (h->file_was_read)
		h->file_was_read(h->file_arg, path, buf);
	return true;
}

bool host_is_foreign_file(const struct err *why)
{
	return why->code == EFBIG || why->code == EISDIR || why->code == EINVAL ||
	       why->code == ELOOP;
}

#define FIRST_SIZE ((size_t)64 << 10)
#define GROWTH	   8

bool host_read_large_file(struct host *h, size_t max, char **ret, struct err *err, const char *fmt,
			  ...)
{
	char path[PATH_TEXT_MAX];

	FORMAT_PATH(path, fmt);
	for (size_t size = FIRST_SIZE;; size *= GROWTH) {
		size_t room = size < max ? size : max;
		_free_ char *text = malloc(room);
		struct err why = { 0 };

		*ret = NULL;
		if (!text)
			return err_no_memory(err);
		if (host_read_file(h, text, room, &why, "%s", path)) {
			*ret = take(text);
			return true;
		}
		if (why.code != EFBIG || room == max) {
			*err = why;
			return false;
		}
	}
}

bool host_read_file_once(struct host *h, char *buf, size_t size, struct err *err, const char *fmt,
			 ...)
{
	char path[PATH_TEXT_MAX];

	FORMAT_PATH(path, fmt);
	if (reading_recall(&h->reading, path, strlen(path) + 1, buf, size))
		return true;
	if (!host_read_file(h, buf, size, err, "%s", path))
		return false;
	reading_remember(&h->reading, path, strlen(path) + 1, buf, strlen(buf) + 1);
	return true;
}

bool host_has_file(struct host *h, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX], text[1]; /* has no room: the error tells */
	struct err why = { 0 };

	FORMAT_PATH(path, fmt);
	return h->read_file(h, path, text, sizeof(text), &why) || why.kind != ERR_UNSUPPORTED;
}

bool host_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		   void *arg, struct err *err)
{
	return h->list_dir(h, path, each, arg, err);
}

bool host_owns_dir(const struct host *h, const char *path, struct err *err)
{
	const char *all = strncmp(path, STATE_DIR, strlen(STATE_DIR)) == 0 ? "-R " : "";
	struct stat s;

	if (fstatat(h->root, path + (*path == '/'), &s, 0) < 0)
		return true;
	if (!S_ISDIR(s.st_mode))
		return err_set(err, ERR_SYSTEM, ENOTDIR, "%s: %s", path, strerror(ENOTDIR));
	if ((s.st_uid == 0 || s.st_uid == geteuid()) && !(s.st_mode & (S_IWGRP | S_IWOTH)))
		return true;
	err_record(err, ERR_REFUSED, EPERM,
		   "users other than root can change it: directory %s belongs to user %u and has "
		   "mode %04o",
		   path, (unsigned)s.st_uid, s.st_mode & 07777);
	/* Root without CAP_DAC_OVERRIDE cannot read what is in it, too, if that is another user's.
	 */
	return err_fix(err, "run `chown %sroot %.80s` and `chmod %sgo-w %.80s`", all, path, all,
		       path);
}

/* The place of a directory that may have to be made: the closest one above it that exists. */
static int open_closest(const struct host *h, const char *dir)
{
	char path[PATH_TEXT_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s", dir + (*dir == '/'));
	while ((fd = openat(h->root, path[0] ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0 &&
	       errno == ENOENT && path[0]) {
		char *slash = strrchr(path, '/');

		*(slash ? slash : path) = '\0';
	}
	return fd;
}

bool host_has_room(const struct host *h, const char *dir, unsigned files, struct err *err)
{
	_close_ int fd = open_closest(h, dir);
	struct statvfs s;
	int code = 0;

	if (fd < 0 || fstatvfs(fd, &s) < 0)
		return true;
	if (s.f_flag & ST_RDONLY)
		code = EROFS;
	else if (files && ((s.f_blocks && !s.f_bfree) || (s.f_files && s.f_ffree < files)))
		code = ENOSPC;
	return !code || err_set(err, ERR_SYSTEM, code, "write to %s: %s", dir, strerror(code));
}

bool host_write_file(struct host *h, const char *value, struct err *err, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX];

	FORMAT_PATH(path, fmt);
	return may_write(h, path, err) && h->write_file(h, path, value, err);
}

bool host_save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return may_write(h, path, err) && h->save_file(h, path, text, err);
}

bool host_rewrite_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return may_write(h, path, err) && h->rewrite_file(h, path, text, err);
}

bool host_publish_file(struct host *h, const char *path, const char *text, struct err *err)
{
	return may_write(h, path, err) && h->publish_file(h, path, text, err);
}

bool host_move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	return may_write(h, from, err) && h->move_file(h, from, to, err);
}

bool host_reserve_room(struct host *h, const char *dir, size_t size, struct err *err)
{
	return may_write(h, dir, err) && h->reserve_room(h, dir, size, err);
}

bool host_release_file(struct host *h, const char *path, struct err *err)
{
	return may_write(h, path, err) && h->release_file(h, path, err);
}

bool host_make_dir(struct host *h, struct err *err, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX];

	FORMAT_PATH(path, fmt);
	return may_write(h, path, err) && h->make_dir(h, path, err);
}

bool host_load_module(struct host *h, const char *name, struct err *err)
{
	return may_write(h, "loading a module", err) && h->load_module(h, name, err);
}

bool host_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	return may_write(h, "a signal", err) && h->signal(h, pid, number, err);
}

bool host_ask_lldpad(struct host *h, const char *request, char *reply, size_t size, struct err *err)
{
	if (!host_lldpad_reads_only(request) && !may_write(h, "this request to lldpad", err))
		return false;
	return h->ask_lldpad(h, request, reply, size, err);
}

bool host_run_tool(struct host *h, enum helper_task tool, const char *pci, struct tool_output *ret,
		   struct err *err)
{
	run_facts_forget(&h->facts); /* it takes seconds */
	return h->run_tool(h, tool, pci, ret, err);
}

void host_report(struct host *h, enum progress n, const char *port, const char *fmt, ...)
{
	char text[PATH_TEXT_MAX];

	FORMAT_PATH(text, fmt);
	h->report(h, n, port, text);
}
