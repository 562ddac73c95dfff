/*
 * The interface to the operating system. host_linux.c implements it, tests replace it; code above
 * opens no socket and no path. A host with may_write false refuses every change here, whoever
 * calls.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_H
#define LOSSLESSCTL_AGENT_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../policy/model/marking.h"
#include "../../policy/util/err.h"
#include "cache.h"
#include "helper_tasks.h"
#include "links.h"

/* ---- helper processes ---- */

/*
 * The tasks of helper processes (cli/sandbox/helper.c), which do for this process what it may not:
 * it may start no program. The list is closed; the line to a helper is that of helper_line.h.
 */

#define TOOL_OUTPUT_MAX (512u << 10) /* the largest output of one tool */

/* Places of rdma-core's rdma_topo. */
#define RDMA_TOPO_PATH	 "/usr/sbin/rdma_topo"
#define RDMA_TOPO_PATH_2 "/usr/bin/rdma_topo"

/* The output of a vendor's tool (host_run_tool()). */
struct tool_output {
	bool failed; /* the tool reported an error: a part may be missing */
	char text[TOOL_OUTPUT_MAX];
};

/* ---- host ---- */

struct nlmsghdr;

/* Called for each reply message; returns MNL_CB_OK or a libmnl error. */
typedef int reply_fn(const struct nlmsghdr *reply, void *arg);

enum bus {
	BUS_ROUTE,   /* NETLINK_ROUTE: links and dcbnl */
	BUS_ETHTOOL, /* generic netlink "ethtool"; the family id is filled in */
	BUS_DEVLINK, /* generic netlink "devlink"; the family id is filled in */
	BUS_RDMA,    /* NETLINK_RDMA */
	BUS_SOCKETS, /* NETLINK_SOCK_DIAG: the sockets of this host */
	BUS_COUNT
};

/* Called for each frame with its bytes after the Ethernet header; false ends listening. */
typedef bool frame_fn(unsigned ifindex, const uint8_t *pdu, size_t len, void *arg);

/* The ports to listen on, and for how long. */
struct lldp_listener {
	const unsigned *ports; /* ifindexes */
	size_t count;
	unsigned wait_ms;
	frame_fn *each;
	void *arg;
};

enum event_kind {
	EVENT_NONE,    /* the time is over */
	EVENT_DCB,     /* a program wrote to DCB; a change of the DCBX mode causes none */
	EVENT_LINK,    /* a link appeared, disappeared or changed */
	EVENT_ETHTOOL, /* a program changed an ethtool setting */
	EVENT_RDMA,    /* an RDMA device appeared, disappeared or moved; since Linux 6.12 */
	EVENT_LOST,    /* events were lost: any port may have changed */
	EVENT_SIGNAL,  /* a signal was caught */
};

/* A hint that something happened to a port. */
struct event {
	enum event_kind kind;
	unsigned ifindex; /* 0: unknown */
	bool gone;	  /* the link is gone, or was gone for a moment */
	bool admin_down; /* an administrator took the link down (no IFF_UP), perhaps for a moment */
};

#define STATE_DIR     "/var/lib/losslessctl"
#define PATH_TEXT_MAX 256

/* Kinds of progress messages: each step, or only waits that a user should know of. */
enum progress { PROGRESS_STEP, PROGRESS_WAIT };

/* The SSH session in which the order was given, as SSH_CONNECTION tells; peer "": there is none. */
struct ssh_session {
	char peer[64], server[64]; /* addresses */
	uint16_t peer_port, server_port;
};

struct host {
	int root;	   /* directory used as "/"; all paths are below it */
	bool root_is_tree; /* it is not "/", so others may have made its files */
	bool may_write;	   /* false: every change is refused */
	bool at_ports;	   /* a run has begun to write to its ports */
	uint64_t changes;  /* number of changes requested, whether they succeeded or not */
	struct reading reading;
	struct run_facts facts;

	/* The operations. Call them through the functions below, which check may_write. */
	bool (*talk)(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		     void *arg, struct err *err);
	bool (*ethtool)(struct host *h, const char *port, void *command, struct err *err);
	bool (*links)(struct host *h, struct link_list *ret, struct err *err);
	bool (*link)(struct host *h, unsigned ifindex, struct link *ret, struct err *err);
	bool (*set_mtu)(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err);
	bool (*set_egress)(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
			   struct err *err);
	bool (*listen_lldp)(struct host *h, const struct lldp_listener *l, struct err *err);
	bool (*next_event)(struct host *h, unsigned wait_ms, struct event *ret, struct err *err);
	bool (*read_file)(struct host *h, const char *path, char *buf, size_t size,
			  struct err *err);
	bool (*write_file)(struct host *h, const char *path, const char *value, struct err *err);
	bool (*make_dir)(struct host *h, const char *path, struct err *err);
	bool (*list_dir)(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err);
	bool (*save_file)(struct host *h, const char *path, const char *text, struct err *err);
	bool (*rewrite_file)(struct host *h, const char *path, const char *text, struct err *err);
	bool (*publish_file)(struct host *h, const char *path, const char *text, struct err *err);
	bool (*move_file)(struct host *h, const char *from, const char *to, struct err *err);
	bool (*reserve_room)(struct host *h, const char *dir, size_t size, struct err *err);
	bool (*release_file)(struct host *h, const char *path, struct err *err);
	bool (*load_module)(struct host *h, const char *name, struct err *err);
	bool (*signal)(struct host *h, unsigned pid, int number, struct err *err);
	bool (*ask_lldpad)(struct host *h, const char *request, char *reply, size_t size,
			   struct err *err);
	bool (*run_tool)(struct host *h, enum helper_task tool, const char *pci,
			 struct tool_output *ret, struct err *err);
	uint64_t (*now_ms)(struct host *h); /* monotonic; includes time in suspend */
	void (*sleep_ms)(struct host *h, unsigned ms);
	int (*interrupted)(struct host *h); /* the signal that asked the process to stop, or 0 */
	bool no_link_wait;		    /* once interrupted, do not wait for links */
	void (*release_memory)(void);	    /* NULL: memory is kept until the process ends */
	void (*report)(struct host *h, enum progress n, const char *port, const char *what);
	/* Called with each file that was read, to record it; NULL: nobody does. */
	void (*file_was_read)(void *arg, const char *path, const char *text);
	void *file_arg;

	struct ssh_session session;
	struct eswitch_list eswitches; /* borrowed; read while this process had the rights */
};

/*
 * Sends a request and calls `each` for every reply until the kernel is done. Errors:
 * ERR_UNSUPPORTED (EOPNOTSUPP), ERR_DENIED (EPERM, EACCES), ERR_GONE (ENODEV), else ERR_SYSTEM;
 * ERR_REFUSED for a change if may_write is false.
 */
bool host_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
	       struct err *err) must_check;

/*
 * Within a reading of a port, which ends with a change at the latest, rtnetlink is asked the same
 * only once. Readings do not nest.
 */
void host_cache_begin(struct host *h);
void host_cache_end(struct host *h);

/* True if this message only reads. Unknown messages count as changes. */
bool host_reads_only(enum bus bus, const struct nlmsghdr *request);

/* True if this command of struct ethtool_* only reads. */
bool host_ethtool_reads_only(uint32_t command);

/*
 * Executes one struct ethtool_* command (SIOCETHTOOL), which begins with its number, on a port.
 * Errors are those of host_talk().
 */
bool host_ethtool(struct host *h, const char *port, void *command, struct err *err) must_check;

/*
 * All links. The caller frees the list before it writes or waits. Errors are those of host_talk().
 */
bool host_links(struct host *h, struct link_list *ret, struct err *err) must_check;

/* The VLAN devices on the link `lower`. Errors are those of host_links(). */
bool host_vlans(struct host *h, unsigned lower, struct vlan_list *ret, struct err *err) must_check;

/*
 * The classes that mqprio gives the link; none of another queueing discipline. Errors are those of
 * host_talk().
 */
bool host_mqprio(struct host *h, const struct link *link, struct mqprio *ret,
		 struct err *err) must_check;

/*
 * The VLANs that a PF gives its VFs, by their PCP (qos): the first VF of each. Errors are those of
 * host_talk().
 */
bool host_vf_vlans(struct host *h, unsigned ifindex, struct vf_vlan ret[PRIOS],
		   struct err *err) must_check;

/*
 * The link of a port, by ifindex. Most other kernel interfaces take a name, which may move to
 * another port: a port with a new name is ERR_GONE with ESTALE. Other errors are those of
 * host_talk().
 */
bool host_link(struct host *h, const struct port *port, struct link *ret,
	       struct err *err) must_check;

/* The error kind of an errno; the only place that interprets one. */
enum err_kind host_err_kind(int code);

/* Sets a port's MTU in bytes of layer 3 (IFLA_MTU). Errors are those of host_talk(). */
bool host_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err) must_check;

/* Sets the PCP of a priority for frames sent through a VLAN device (IFLA_VLAN_EGRESS_QOS). */
bool host_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
		     struct err *err) must_check;

/*
 * Listens on ports for LLDP of their nearest neighbours, until the time is over or `each` returns
 * false; sends nothing. A port that is down receives nothing. Errors: ERR_DENIED without
 * CAP_NET_RAW, ERR_GONE, ERR_INTERRUPTED, else ERR_SYSTEM.
 */
bool host_listen_lldp(struct host *h, const struct lldp_listener *l, struct err *err) must_check;

/*
 * Waits up to `wait_ms` for the next event. Signals are unblocked while it waits, so a program that
 * blocks the signals it handles misses none. Several events of one kind for one port are merged;
 * the first call starts recording. Errors: ERR_SYSTEM.
 */
bool host_next_event(struct host *h, unsigned wait_ms, struct event *ret,
		     struct err *err) must_check;

/*
 * Reads a whole small file without its last newline, NUL-terminated. ERR_UNSUPPORTED: the file does
 * not exist.
 */
bool host_read_file(struct host *h, char *buf, size_t size, struct err *err, const char *fmt,
		    ...) must_check __attribute__((format(printf, 5, 6)));

/* True if a file could not be read since it is none of ours: too long, a directory, a FIFO. */
bool host_is_foreign_file(const struct err *why);

/*
 * The same for a file of up to `max` bytes: most are far smaller, so the buffer grows as it is
 * needed. The caller frees *ret, which is NULL on an error. Errors: as above, ERR_SYSTEM with EFBIG
 * for a longer file, and no memory.
 */
bool host_read_large_file(struct host *h, size_t max, char **ret, struct err *err, const char *fmt,
			  ...) must_check __attribute__((format(printf, 5, 6)));

/* The same for a file that several features read: it is read once within a reading of a port. */
bool host_read_file_once(struct host *h, char *buf, size_t size, struct err *err, const char *fmt,
			 ...) must_check __attribute__((format(printf, 5, 6)));

/* True if there is a file, also one that cannot be read. */
bool host_has_file(struct host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Calls `each` for every name in a directory except "." and "..". */
bool host_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		   void *arg, struct err *err) must_check;

/*
 * True if no other user can create files in the directory, or if that cannot be checked. Errors:
 * ERR_REFUSED; ERR_SYSTEM if it is not a directory.
 */
bool host_owns_dir(const struct host *h, const char *path, struct err *err) must_check;

/*
 * True if so many new files may be written to the directory, which may have to be made, or if that
 * cannot be checked; 0 files: of which each has its room. ERR_SYSTEM: the disk is read-only or
 * full.
 */
bool host_has_room(const struct host *h, const char *dir, unsigned files,
		   struct err *err) must_check;

/* Writes `value` to an existing file in a single write(). */
bool host_write_file(struct host *h, const char *value, struct err *err, const char *fmt,
		     ...) must_check __attribute__((format(printf, 4, 5)));

/*
 * Replaces a whole file: a crash or power cut leaves either the old or the new one. The directory
 * must exist.
 */
bool host_save_file(struct host *h, const char *path, const char *text, struct err *err) must_check;

/*
 * The same for a file of another program: its mode stays, but for a right of others to write. So
 * do its owner and group, where this process may give them.
 */
bool host_rewrite_file(struct host *h, const char *path, const char *text,
		       struct err *err) must_check;

/*
 * The same for world-readable files that need not survive a reboot: readers find the old or the new
 * file, complete.
 */
bool host_publish_file(struct host *h, const char *path, const char *text,
		       struct err *err) must_check;

/* Renames a file durably; removes it if `to` is NULL. ERR_UNSUPPORTED: it does not exist. */
bool host_move_file(struct host *h, const char *from, const char *to, struct err *err) must_check;

/*
 * Reserves room for one file of `size` bytes in a directory, in a file named "reserve". When the
 * disk has no blocks or inodes left, host_save_file() uses that room once; host_release_file()
 * returns it. A copy-on-write file system may still need more.
 */
bool host_reserve_room(struct host *h, const char *dir, size_t size, struct err *err) must_check;

/*
 * Removes a file durably; its room becomes the directory's reserve if that is smaller or missing.
 * ERR_UNSUPPORTED: it does not exist.
 */
bool host_release_file(struct host *h, const char *path, struct err *err) must_check;

/* Creates one directory; succeeds if it exists. */
bool host_make_dir(struct host *h, struct err *err, const char *fmt, ...) must_check
	__attribute__((format(printf, 3, 4)));

/* Requests a kernel module. */
bool host_load_module(struct host *h, const char *name, struct err *err) must_check;

/*
 * Sends a signal to lldpad and to no other process: ERR_SYSTEM with ESRCH if the process id has
 * ended or been reused.
 */
bool host_signal(struct host *h, unsigned pid, int number, struct err *err) must_check;

/*
 * Sends lldpad one datagram and receives the reply, NUL-terminated. Call it only if lldpad is known
 * to run: if systemd holds its socket, a datagram starts it. Errors: ERR_MISSING (nothing listens),
 * ERR_UNKNOWN (no reply in time), ERR_DENIED (another user's process replied), ERR_INTERRUPTED (a
 * signal arrived while waiting), else ERR_SYSTEM.
 */
bool host_ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
		     struct err *err) must_check;

/*
 * True if root made the UNIX socket with this inode, or if the kernel does not say: it does since
 * Linux 5.3, with unix_diag, and in the initial user namespace.
 */
bool host_socket_may_be_roots(struct host *h, uint32_t inode);

/*
 * Runs a vendor's tool. It queries the firmware of the adapter at a PCI address, which takes
 * seconds and writes PCI configuration space; rdma_topo is asked about the host ("" for `pci`), and
 * only reads. Errors: ERR_UNSUPPORTED (the tool is not installed), ERR_DENIED without root,
 * ERR_INTERRUPTED, else ERR_UNKNOWN.
 */
bool host_run_tool(struct host *h, enum helper_task tool, const char *pci, struct tool_output *ret,
		   struct err *err) must_check;

/* Waits; what was known of the host is asked anew afterwards. */
void host_sleep(struct host *h, unsigned ms);

/* Returns to the kernel the memory that only a start, a reload or a check needed. */
void host_release_memory(const struct host *h);

/* True if this request only reads. Unknown requests count as changes. */
bool host_lldpad_reads_only(const char *request);

/* Reports progress on a port to the user: a step, or a long wait. */
void host_report(struct host *h, enum progress n, const char *port, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
