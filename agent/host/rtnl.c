/* Links, VLANs and MTUs through libnl; no other file may use libnl. */
#include <errno.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "../../policy/util/oom.h"
#include "host_linux.h"

/* Closes the socket, so that a late reply cannot be taken for the reply to the next request. */
static bool reply_timed_out(struct host_linux *l, const char *doing, struct err *err)
{
	nl_socket_free(l->links);
	l->links = NULL;
	l->kernel_unresponsive = true;
	return err_set(err, ERR_SYSTEM, ETIMEDOUT, "%s: the kernel does not answer", doing);
}

/* Words it as strerror() does if the kernel sent an errno: libnl has words of its own. */
static bool nl_failed(struct host_linux *l, int code, const char *doing, struct err *err)
{
	bool gone = code == -NLE_OBJ_NOTFOUND || code == -NLE_NODEV;
	int sent = l->links_errno;

	if (code == -NLE_AGAIN)
		return reply_timed_out(l, doing, err);
	return err_set(err,
		       gone		   ? ERR_GONE
		       : code == -NLE_PERM ? ERR_DENIED
					   : ERR_SYSTEM,
		       gone   ? ENODEV
		       : sent ? sent
			      : EIO,
		       "%s: %s", doing, sent ? strerror(sent) : nl_geterror(code));
}

/* Keeps the kernel's errno, of which libnl returns only its own code. */
static int note_errno(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	struct host_linux *l = arg;

	(void)from;
	l->links_errno = -e->error;
	return NL_STOP;
}

/*
 * Drops messages of other senders: any process with CAP_NET_ADMIN in this network namespace may
 * send to this socket.
 */
static int only_from_kernel(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **buf,
			    struct ucred **who)
{
	int n;

	while ((n = nl_recv(socket, from, buf, who)) > 0 && from->nl_pid != 0) {
		free(*buf);
		*buf = NULL;
	}
	return n;
}

static void set_callbacks(struct host_linux *l)
{
	struct nl_cb *cb = nl_socket_get_cb(l->links);

	nl_cb_overwrite_recv(cb, only_from_kernel);
	nl_cb_err(cb, NL_CB_CUSTOM, note_errno, l);
	nl_cb_put(cb);
}

static bool connect_links(struct host_linux *l, struct err *err)
{
	int code;

	l->links = nl_socket_alloc();
	if (!l->links)
		return err_no_memory(err);
	set_callbacks(l);
	code = nl_connect(l->links, NETLINK_ROUTE);
	if (code == 0)
		return true;
	nl_socket_free(l->links);
	l->links = NULL;
	return nl_failed(l, code, "open a netlink socket", err);
}

/* Sets a receive timeout on libnl's socket, because libnl has no deadlines. */
static bool open_links(struct host_linux *l, struct err *err)
{
	unsigned ms = host_linux_timeout_ms(l);
	struct timeval most = { .tv_sec = ms / 1000, .tv_usec = (ms % 1000) * 1000 };

	l->links_errno = 0;
	if (!l->links && !connect_links(l, err))
		return false;
	return setsockopt(nl_socket_get_fd(l->links), SOL_SOCKET, SO_RCVTIMEO, &most,
			  sizeof(most)) == 0 ||
	       err_set(err, ERR_SYSTEM, errno, "set the timeout of a netlink socket: %s",
		       strerror(errno));
}

static void link_from_rtnl(struct link *out, struct rtnl_link *from)
{
	struct nl_addr *mac = rtnl_link_get_addr(from);
	const char *name = rtnl_link_get_name(from), *type = rtnl_link_get_type(from);

	*out = (struct link){
		.ifindex = (unsigned)rtnl_link_get_ifindex(from),
		.master = (unsigned)rtnl_link_get_master(from),
		/*
		 * Only for VLANs: other kinds have a peer there, perhaps in another network
		 * namespace.
		 */
		.lower = rtnl_link_is_vlan(from) ? (unsigned)rtnl_link_get_link(from) : 0,
		.mtu = rtnl_link_get_mtu(from),
		.up = rtnl_link_get_flags(from) & IFF_UP,
		.carrier = rtnl_link_get_carrier(from),
		.is_bond = type && strcmp(type, "bond") == 0,
	};
	snprintf(out->name, sizeof(out->name), "%s", name ? name : "");
	if (mac)
		nl_addr2str(mac, out->mac, sizeof(out->mac));
	rtnl_link_get_carrier_changes(from, &out->carrier_changes);
}

static bool copy_links(struct nl_cache *cache, struct link_list *ret, struct err *err)
{
	size_t max = (size_t)nl_cache_nitems(cache);

	*ret = (struct link_list){ calloc(max + 1, sizeof(*ret->links)), 0 };
	if (!ret->links)
		return err_no_memory(err);
	for (struct nl_object *o = nl_cache_get_first(cache); o; o = nl_cache_get_next(o))
		link_from_rtnl(&ret->links[ret->count++], (struct rtnl_link *)o);
	return true;
}

bool host_linux_links(struct host *h, struct link_list *ret, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct nl_cache *cache;
	int code;
	bool ok;

	if (!open_links(l, err))
		return false;
	code = rtnl_link_alloc_cache(l->links, AF_UNSPEC, &cache);
	if (code < 0)
		return nl_failed(l, code, "list the links", err);
	ok = copy_links(cache, ret, err);
	nl_cache_free(cache);
	return ok;
}

bool host_linux_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct rtnl_link *link;
	int code;

	if (!open_links(l, err))
		return false;
	code = rtnl_link_get_kernel(l->links, (int)ifindex, NULL, &link);
	if (code < 0)
		return nl_failed(l, code, "read the link", err);
	link_from_rtnl(ret, link);
	rtnl_link_put(link);
	return true;
}

/*
 * Takes `change`; NULL fails for lack of memory. rtnl_link_change() would try a refused change of a
 * VLAN once more as RTM_SETLINK, which ignores the change and succeeds.
 */
static bool change_link(struct host_linux *l, unsigned ifindex, struct rtnl_link *change,
			const char *doing, struct err *err)
{
	struct rtnl_link *which = rtnl_link_alloc();
	struct nl_msg *m = NULL;
	int code = -NLE_NOMEM;

	if (which && change) {
		rtnl_link_set_ifindex(which, (int)ifindex);
		code = rtnl_link_build_change_request(which, change, 0, &m);
	}
	if (code == 0)
		code = nl_send_sync(l->links, m); /* frees the message */
	rtnl_link_put(which);
	rtnl_link_put(change);
	return code == 0 || nl_failed(l, code, doing, err);
}

bool host_linux_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct rtnl_link *change;

	if (!open_links(l, err))
		return false;
	change = rtnl_link_alloc();
	if (change)
		rtnl_link_set_mtu(change, mtu);
	return change_link(l, ifindex, change, "the driver refused", err);
}

static void note_vlan(struct vlan_list *ret, struct rtnl_link *l)
{
	struct vlan *v = &ret->vlans[ret->count];
	int count = 0;
	const struct vlan_map *map = rtnl_link_vlan_get_egress_map(l, &count);

	if (ret->count == VLANS_MAX) {
		ret->more = true;
		return;
	}
	*v = (struct vlan){ .ifindex = (unsigned)rtnl_link_get_ifindex(l) };
	snprintf(v->map.name, sizeof(v->map.name), "%s", rtnl_link_get_name(l));
	for (int i = 0; map && i < count; i++)
		if (map[i].vm_from < PRIOS)
			v->map.pcp[map[i].vm_from] = map[i].vm_to & 7;
	ret->count++;
}

bool host_linux_vlans(struct host *h, unsigned lower, struct vlan_list *ret, struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;
	struct nl_cache *cache;
	int code;

	*ret = (struct vlan_list){ .count = 0 };
	if (!open_links(l, err))
		return false;
	code = rtnl_link_alloc_cache(l->links, AF_UNSPEC, &cache);
	if (code < 0)
		return nl_failed(l, code, "list the links", err);
	for (struct nl_object *o = nl_cache_get_first(cache); o; o = nl_cache_get_next(o)) {
		struct rtnl_link *link = (struct rtnl_link *)o;

		if (rtnl_link_is_vlan(link) && (unsigned)rtnl_link_get_link(link) == lower)
			note_vlan(ret, link);
	}
	nl_cache_free(cache);
	return true;
}

/*
 * Puts the mapping in twice: libnl up to 3.11 numbers mappings from 0 (its pull request 421), and
 * kernels since 2024 skip all that are not of type 1, IFLA_VLAN_QOS_MAPPING.
 */
static struct rtnl_link *egress_change(uint8_t prio, uint8_t pcp)
{
	struct rtnl_link *change = rtnl_link_vlan_alloc();

	if (change && rtnl_link_vlan_set_egress_map(change, prio, pcp) == 0 &&
	    rtnl_link_vlan_set_egress_map(change, prio, pcp) == 0)
		return change;
	rtnl_link_put(change);
	return NULL;
}

bool host_linux_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
			   struct err *err)
{
	struct host_linux *l = (struct host_linux *)h;

	return open_links(l, err) &&
	       change_link(l, vlan, egress_change(prio, pcp), "the VLAN device refused", err);
}
