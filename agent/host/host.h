/*
 * The outside world, as a few doors. host_linux.c opens the real one, tests
 * build their own; nothing above opens a socket or a path. A host that may not
 * write refuses every change here, at the door, whoever asks.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HOST_H
#define LOSSLESSCTL_AGENT_HOST_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "../../policy/util/err.h"
#include "links.h"

struct nlmsghdr;

/* Called for each reply message; returns MNL_CB_OK or an error of libmnl. */
typedef int reply_fn(const struct nlmsghdr *reply, void *arg);

enum bus {
	BUS_ROUTE,   /* NETLINK_ROUTE: links and dcbnl */
	BUS_ETHTOOL, /* generic netlink "ethtool"; the door fills in the family */
	BUS_DEVLINK, /* generic netlink "devlink"; likewise */
	BUS_RDMA,    /* NETLINK_RDMA */
	BUS_COUNT
};

/* Called for a frame, with what follows its Ethernet header; false: that is enough. */
typedef bool frame_fn(unsigned ifindex, const uint8_t *pdu, size_t len, void *arg);

/* Whom to listen to, and for how long. */
struct listening {
	const unsigned *ports; /* by ifindex */
	size_t count;
	unsigned wait_ms;
	frame_fn *each;
	void *arg;
};

enum event_kind {
	EVENT_NONE,    /* the time is over */
	EVENT_DCB,     /* somebody wrote to DCB; a change of the DCBX mode is not told */
	EVENT_LINK,    /* a link came, went, or changed */
	EVENT_ETHTOOL, /* somebody wrote to ethtool */
	EVENT_RDMA,    /* an RDMA device came, went, or moved; since Linux 6.12 */
	EVENT_LOST,    /* more happened than can be told: anything may have changed */
	EVENT_SIGNAL,  /* a signal was caught */
};

/* A hint that something happened to a port, and no more than that. */
struct event {
	enum event_kind kind;
	unsigned ifindex; /* 0: it cannot be told which */
	bool gone;	  /* the link is no longer there, or was not for a moment */
	bool admin_down;  /* likewise: an administrator took the link down (no IFF_UP) */
};

#define PATH_TEXT_MAX 256

/* What people are told: each step as it is taken, or only what they have to wait for. */
enum notice { NOTICE_STEP, NOTICE_WAIT };

struct host {
	int root;	  /* directory that stands for "/"; every path is below it */
	bool may_write;	  /* else every change is refused */
	uint64_t changes; /* that were asked for, whether they succeeded or not */

	/* The doors. Call the functions below, which guard them. */
	bool (*talk)(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		     void *arg, struct err *err);
	bool (*ethtool)(struct host *h, const char *port, void *command, struct err *err);
	bool (*links)(struct host *h, struct link_list *ret, struct err *err);
	bool (*link)(struct host *h, unsigned ifindex, struct link *ret, struct err *err);
	bool (*set_mtu)(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err);
	bool (*vlans)(struct host *h, unsigned lower, struct vlan_list *ret, struct err *err);
	bool (*set_egress)(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
			   struct err *err);
	bool (*hear_lldp)(struct host *h, const struct listening *l, struct err *err);
	bool (*next_event)(struct host *h, unsigned wait_ms, struct event *ret, struct err *err);
	bool (*read_file)(struct host *h, const char *path, char *buf, size_t size,
			  struct err *err);
	bool (*write_file)(struct host *h, const char *path, const char *value, struct err *err);
	bool (*make_dir)(struct host *h, const char *path, struct err *err);
	bool (*list_dir)(struct host *h, const char *path,
			 void (*each)(const char *name, void *arg), void *arg, struct err *err);
	bool (*save_file)(struct host *h, const char *path, const char *text, struct err *err);
	bool (*publish_file)(struct host *h, const char *path, const char *text, struct err *err);
	bool (*move_file)(struct host *h, const char *from, const char *to, struct err *err);
	bool (*reserve_room)(struct host *h, const char *dir, size_t size, struct err *err);
	bool (*release_file)(struct host *h, const char *path, struct err *err);
	bool (*load_module)(struct host *h, const char *name, struct err *err);
	bool (*signal)(struct host *h, unsigned pid, int number, struct err *err);
	bool (*ask_lldpad)(struct host *h, const char *request, char *reply, size_t size,
			   struct err *err);
	uint64_t (*now_ms)(struct host *h); /* monotonic */
	void (*sleep_ms)(struct host *h, unsigned ms);
	int (*interrupted)(struct host *h); /* the signal that asked us to stop, or 0 */
	bool no_link_wait;		    /* once interrupted, it waits for no link */
	void (*tell)(struct host *h, enum notice n, const char *port, const char *what);

	char session_peer[64]; /* address of who is logged in to give us orders, or "" */
};

/*
 * Sends a request and hands every reply to `each` until the kernel is done.
 * Errors: ERR_UNSUPPORTED (EOPNOTSUPP), ERR_DENIED (EPERM, EACCES), ERR_GONE
 * (ENODEV), else ERR_SYSTEM; ERR_REFUSED if it would change something and the
 * host may not write.
 */
bool host_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
	       struct err *err) must_check;

/* Is this message one that only reads? What is not known to read counts as a change. */
bool host_reads_only(enum bus bus, const struct nlmsghdr *request);

/*
 * Carries out one struct ethtool_* command (SIOCETHTOOL), which begins with its
 * number, on a port. Errors: as host_talk().
 */
bool host_ethtool(struct host *h, const char *port, void *command, struct err *err) must_check;

/*
 * The link of a port. It is known by its ifindex; most of the kernel takes a name instead, and
 * names move: a port that goes by another one now is ERR_GONE with ESTALE. Other errors: as
 * host_talk().
 */
bool host_link(struct host *h, const struct port *port, struct link *ret,
	       struct err *err) must_check;

/* A failed call's errno as a kind: the one place where errno is given a meaning. */
enum err_kind host_err_kind(int code);

/* Sets a port's MTU, in bytes of layer 3 (IFLA_MTU). Errors: as host_talk(). */
bool host_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err) must_check;

/* Sets the PCP that a priority leaves with through a VLAN device (IFLA_VLAN_EGRESS_QOS). */
bool host_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
		     struct err *err) must_check;

/*
 * Listens on ports for LLDP of their nearest neighbours until the time is over
 * or `each` has enough; sends nothing. A port that is down is silent. Errors:
 * ERR_DENIED without CAP_NET_RAW, ERR_GONE, ERR_INTERRUPTED, else ERR_SYSTEM.
 */
bool host_hear_lldp(struct host *h, const struct listening *l, struct err *err) must_check;

/*
 * Waits for something to happen, with no signal blocked meanwhile: a program
 * that blocks those it catches misses none. What happened to a port more than
 * once before it was asked for is told once for each kind; the first call tells
 * what happens from then on. Errors: ERR_SYSTEM.
 */
bool host_next_event(struct host *h, unsigned wait_ms, struct event *ret,
		     struct err *err) must_check;

/*
 * Reads a whole small file, without its last newline, NUL-terminated. A file
 * that is not there is ERR_UNSUPPORTED.
 */
bool host_read_file(struct host *h, char *buf, size_t size, struct err *err, const char *fmt,
		    ...) must_check __attribute__((format(printf, 5, 6)));

/* Calls `each` for every name in a folder but "." and "..". */
bool host_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		   void *arg, struct err *err) must_check;

/*
 * Is this a folder that nobody else can put files into? Where that cannot be told, it is. Errors:
 * ERR_REFUSED; ERR_SYSTEM: it is no folder.
 */
bool host_owns_dir(const struct host *h, const char *path, struct err *err) must_check;

/* Are two processes in one network namespace? Where that cannot be told, they are. */
bool host_same_network(const struct host *h, const char *pid_a, const char *pid_b);

/* Writes `value` to a file that is there already, in one write. */
bool host_write_file(struct host *h, const char *value, struct err *err, const char *fmt,
		     ...) must_check __attribute__((format(printf, 4, 5)));

/*
 * Puts a whole file in place so that a crash or a power cut leaves the old one
 * or the new one; the folder must exist.
 */
bool host_save_file(struct host *h, const char *path, const char *text, struct err *err) must_check;

/*
 * The same for what everybody may read and nobody needs after a reboot: a
 * reader finds the old file or the new one, whole.
 */
bool host_publish_file(struct host *h, const char *path, const char *text,
		       struct err *err) must_check;

/* Renames a file, durably; with `to` NULL removes it. ERR_UNSUPPORTED: it is not there. */
bool host_move_file(struct host *h, const char *from, const char *to, struct err *err) must_check;

/*
 * Keeps room for one file of `size` bytes in a directory, in a file named "reserve". Once the disk
 * has no room or no inode left, host_save_file() writes to that room, once; host_release_file()
 * gives it back. A copy-on-write file system may still need more.
 */
bool host_reserve_room(struct host *h, const char *dir, size_t size, struct err *err) must_check;

/*
 * Removes a file durably; its room becomes the directory's reserve if that is smaller or missing.
 * ERR_UNSUPPORTED: it is not there.
 */
bool host_release_file(struct host *h, const char *path, struct err *err) must_check;

/* Makes one directory; one that is there already is a success. */
bool host_make_dir(struct host *h, struct err *err, const char *fmt, ...) must_check
	__attribute__((format(printf, 3, 4)));

/* Asks for a kernel module. */
bool host_load_module(struct host *h, const char *name, struct err *err) must_check;

/*
 * Sends a signal to lldpad, and to nobody else: a number that has another
 * process by now, or none, is ERR_SYSTEM with ESRCH.
 */
bool host_signal(struct host *h, unsigned pid, int number, struct err *err) must_check;

/*
 * Sends lldpad one datagram and takes the one that answers it, NUL-terminated.
 * Only where lldpad is known to run: if systemd holds its socket, a datagram
 * starts it. Errors: ERR_MISSING (nobody listens), ERR_UNKNOWN (no answer in
 * time), ERR_DENIED (another user's process answers), else ERR_SYSTEM;
 * ERR_INTERRUPTED by a signal that comes meanwhile.
 */
bool host_ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
		     struct err *err) must_check;

/* Is this request one that only reads? What is not known to read counts as a change. */
bool host_lldpad_reads_only(const char *request);

/* Tells the user what is going on with a port, or what a long piece of work waits for. */
void host_tell(struct host *h, enum notice n, const char *port, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
