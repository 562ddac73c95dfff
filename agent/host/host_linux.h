/* The host interface on Linux. */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_LINUX_H
#define LOSSLESSCTL_AGENT_HOST_HOST_LINUX_H

#include "host.h"

/* The memory of a process that runs for months. */

/*
 * Returns to the kernel free blocks of the heap, and the pages of the program and its libraries,
 * which are mapped again where they are used again.
 */
void memory_release(void);

struct mnl_socket;

enum event_socket {
	EVENT_SOCKET_ROUTE,
	EVENT_SOCKET_ETHTOOL,
	EVENT_SOCKET_RDMA,
	EVENT_SOCKET_COUNT
};

#define EVENTS_MAX 16

/* The event sockets and the events not delivered yet. */
struct event_listener {
	struct mnl_socket
		/* NULL: missing on this kernel, or not permitted. */
		*event_sockets[EVENT_SOCKET_COUNT];
	struct event queue[EVENTS_MAX]; /* oldest first */
	size_t queued;
};

/*
 * lldpad's socket, opened before connect() was given up. It ends with the first request that fails:
 * a late answer would be taken for that of the next request.
 */
struct lldpad_line {
	int fd;		/* -1: there is none */
	struct err why; /* with -1 */
};

struct host_linux {
	struct host
		host; /* must be first: host_linux.c casts struct host * to struct host_linux * */
	struct mnl_socket *bus[BUS_COUNT];
	struct event_listener listener;
	int ioctl_fd;
	struct lldpad_line *lldpad; /* borrowed; NULL: each request opens a socket of its own */
	int firmware_helper; /* socket to the process that queries firmware, or -1; borrowed */
	int modprobe_helper; /* socket to the process that loads modules, or -1; borrowed */
	unsigned seq;
	uint16_t family[BUS_COUNT]; /* ids of generic netlink; 0: not looked up yet */
	uint32_t monitor;	    /* multicast group of ethtool; 0: not looked up yet */
	bool kernel_unresponsive;   /* the last request got no reply */
	bool lldpad_unresponsive;   /* lldpad did not answer the last request in time */
};

/*
 * Initialises the host; sockets are opened on first use. `root` stands for "/" in every path. The
 * caller sets `interrupted` and `report` afterwards, and calls host_linux_close() even after a
 * failure.
 */
bool host_linux_open(struct host_linux *l, const char *root, bool may_write,
		     struct err *err) must_check;
void host_linux_close(struct host_linux *l);

/*
 * Time to wait for a netlink reply, in milliseconds. The kernel processes a request before the call
 * that sent it returns, however long the firmware takes (netlink_unicast_kernel in
 * net/netlink/af_netlink.c), so a missing reply never comes. After one missing reply the wait is
 * short: a port with many settings would take hours otherwise.
 */
unsigned host_linux_timeout_ms(const struct host_linux *l);

/*
 * Binds to an address that has the length of the longest one. The kernel takes it for each family
 * but AF_UNIX, so verbs that read may bind with this length alone (cli/sandbox/seccomp_compile.c):
 * it creates no file.
 */
bool host_linux_bind(int fd, const void *address, size_t size);

/*
 * True if the message lies within the `left` bytes. mnl_nlmsg_ok() reads a length of 2 GiB or more
 * as negative and accepts it; and mnl_attr_parse() reads on into the padding, which the kernel
 * always sends (nlmsg_put in include/net/netlink.h).
 */
bool host_linux_is_whole(const struct nlmsghdr *n, int left);

#define LINK_REQUEST 40 /* bytes: the headers, and IFLA_EXT_MASK */

/* A request for one link, or for all if `ifindex` is 0, with RTEXT_FILTER_*. */
struct nlmsghdr *link_request(char room[LINK_REQUEST], unsigned ifindex, uint32_t filter);

/* Operations of struct host that have files of their own. */
bool host_linux_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		     void *arg, struct err *err);
bool host_linux_listen_lldp(struct host *h, const struct lldp_listener *l, struct err *err);
bool host_linux_next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err);
void host_linux_close_event_sockets(struct host_linux *l);
bool host_linux_ethtool_monitor(struct host_linux *l, uint32_t *ret, struct err *err);
bool host_linux_read_file(struct host *h, const char *path, char *buf, size_t size,
			  struct err *err);
bool host_linux_write_file(struct host *h, const char *path, const char *value, struct err *err);
bool host_linux_list_dir(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err);
bool host_linux_save_file(struct host *h, const char *path, const char *text, struct err *err);
bool host_linux_rewrite_file(struct host *h, const char *path, const char *text, struct err *err);
bool host_linux_publish_file(struct host *h, const char *path, const char *text, struct err *err);
bool host_linux_move_file(struct host *h, const char *from, const char *to, struct err *err);
bool host_linux_reserve_room(struct host *h, const char *dir, size_t size, struct err *err);
bool host_linux_release_file(struct host *h, const char *path, struct err *err);
bool host_linux_make_dir(struct host *h, const char *path, struct err *err);
void host_linux_open_lldpad(struct lldpad_line *ret);
bool host_linux_ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
			   struct err *err);
bool host_linux_run_tool(struct host *h, enum helper_task tool, const char *pci,
			 struct tool_output *ret, struct err *err);
bool host_linux_links(struct host *h, struct link_list *ret, struct err *err);
bool host_linux_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err);
bool host_linux_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err);
bool host_linux_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
			   struct err *err);
bool host_linux_load_module(struct host *h, const char *name, struct err *err);
bool host_linux_signal(struct host *h, unsigned pid, int number, struct err *err);

#endif
