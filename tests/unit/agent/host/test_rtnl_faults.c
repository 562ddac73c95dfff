/*
 * The door to libnl where libnl, or the kernel behind it, fails. The door's own source is built in
 * here, with calls that fail when a row says so; what succeeds is in test_rtnl.c.
 */
#include <errno.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

/* Calls of libnl and the C library, by what they are for. */
enum call {
	NOTHING,
	ALLOCATE_SOCKET,
	CONNECT,
	SET_DEADLINE,
	LIST,
	LOOK,
	BUILD,
	CHANGE,
	ALLOCATE_LINK,
	ALLOCATE_VLAN,
	ALLOCATE_LIST,
	MAP,
};

static struct {
	enum call fails;
	int code; /* of libnl: what the call gives */
} outside;

static bool fails(enum call c)
{
	return outside.fails == c;
}

static int code_of(enum call c)
{
	return fails(c) ? -outside.code : 0;
}

static int fails_to_set(void)
{
	errno = ENOBUFS;
	return -1;
}

#define nl_socket_alloc() (fails(ALLOCATE_SOCKET) ? NULL : nl_socket_alloc())
#define nl_connect(s, p)  (fails(CONNECT) ? code_of(CONNECT) : nl_connect(s, p))
#define setsockopt(...)	  (fails(SET_DEADLINE) ? fails_to_set() : setsockopt(__VA_ARGS__))
#define rtnl_link_alloc_cache(s, f, ret) \
	(fails(LIST) ? code_of(LIST) : rtnl_link_alloc_cache(s, f, ret))
#define rtnl_link_get_kernel(s, i, n, ret) \
	(fails(LOOK) ? code_of(LOOK) : rtnl_link_get_kernel(s, i, n, ret))
#define rtnl_link_build_change_request(w, c, f, ret) \
	(fails(BUILD) ? code_of(BUILD) : rtnl_link_build_change_request(w, c, f, ret))
#define nl_send_sync(s, m)     (nlmsg_free(m), code_of(CHANGE))
#define rtnl_link_alloc()      (fails(ALLOCATE_LINK) ? NULL : rtnl_link_alloc())
#define rtnl_link_vlan_alloc() (fails(ALLOCATE_VLAN) ? NULL : rtnl_link_vlan_alloc())
#define rtnl_link_vlan_set_egress_map(...) \
	(fails(MAP) ? code_of(MAP) : rtnl_link_vlan_set_egress_map(__VA_ARGS__))
#define calloc(n, size) (fails(ALLOCATE_LIST) ? NULL : calloc(n, size))
#include "agent/host/rtnl.c"
#undef calloc

enum work { DO_LIST, DO_LOOK, DO_MTU, DO_VLANS, DO_EGRESS };

static bool carry_out(struct host *h, enum work w, struct err *err)
{
	_link_list_ struct link_list list = { .links = NULL };
	struct vlan_list vlans;
	struct link link;

	switch (w) {
	case DO_LIST:
		return host_linux_links(h, &list, err);
	case DO_LOOK:
		return host_linux_link(h, 1, &link, err);
	case DO_MTU:
		return host_linux_set_mtu(h, 1, 4200, err);
	case DO_VLANS:
		return host_linux_vlans(h, 1, &vlans, err);
	case DO_EGRESS:
		return host_linux_set_egress(h, 1, 3, 5, err);
	}
	return false;
}

static const struct row {
	const char *sentence;
	enum call fails;
	int nl_code;
	enum work work;
	enum err_kind kind;
	int code;
	const char *text;
} rows[] = {
	{ "nothing fails: a list", NOTHING, 0, DO_LIST, ERR_NONE, 0, "" },
	{ "nothing fails: a look", NOTHING, 0, DO_LOOK, ERR_NONE, 0, "" },
	{ "nothing fails: an MTU", NOTHING, 0, DO_MTU, ERR_NONE, 0, "" },
	{ "nothing fails: VLANs", NOTHING, 0, DO_VLANS, ERR_NONE, 0, "" },
	{ "nothing fails: a map", NOTHING, 0, DO_EGRESS, ERR_NONE, 0, "" },
	{ "no memory for a socket", ALLOCATE_SOCKET, 0, DO_LIST, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no socket for a look", CONNECT, NLE_NOMEM, DO_LOOK, ERR_SYSTEM, EIO, "open a netlink" },
	{ "no socket for an MTU", CONNECT, NLE_NOMEM, DO_MTU, ERR_SYSTEM, EIO, "open a netlink" },
	{ "no socket for VLANs", CONNECT, NLE_NOMEM, DO_VLANS, ERR_SYSTEM, EIO, "open a netlink" },
	{ "no socket for a map", CONNECT, NLE_PERM, DO_EGRESS, ERR_DENIED, EIO, "open a netlink" },
	{ "no deadline", SET_DEADLINE, 0, DO_LIST, ERR_SYSTEM, ENOBUFS, "set the timeout" },
	{ "no list", LIST, NLE_DUMP_INTR, DO_LIST, ERR_SYSTEM, EIO, "list the links" },
	{ "no list for VLANs", LIST, NLE_PERM, DO_VLANS, ERR_DENIED, EIO, "list the links" },
	{ "no memory for a list", ALLOCATE_LIST, 0, DO_LIST, ERR_SYSTEM, ENOMEM, "memory" },
	{ "no answer to a list", LIST, NLE_AGAIN, DO_LIST, ERR_SYSTEM, ETIMEDOUT,
	  "does not answer" },
	{ "a link that is not there", LOOK, NLE_NODEV, DO_LOOK, ERR_GONE, ENODEV, "read the link" },
	{ "a link that was not found", LOOK, NLE_OBJ_NOTFOUND, DO_LOOK, ERR_GONE, ENODEV, "read" },
	{ "no memory for an MTU", ALLOCATE_LINK, 0, DO_MTU, ERR_SYSTEM, EIO, "refused" },
	{ "no message for an MTU", BUILD, NLE_NOMEM, DO_MTU, ERR_SYSTEM, EIO, "refused" },
	{ "an MTU that the driver refuses", CHANGE, NLE_INVAL, DO_MTU, ERR_SYSTEM, EIO, "refused" },
	{ "an MTU without permission", CHANGE, NLE_PERM, DO_MTU, ERR_DENIED, EIO, "refused" },
	{ "no answer to an MTU", CHANGE, NLE_AGAIN, DO_MTU, ERR_SYSTEM, ETIMEDOUT, "answer" },
	{ "no link for a map", ALLOCATE_LINK, 0, DO_EGRESS, ERR_SYSTEM, EIO, "refused" },
	{ "no VLAN for a map", ALLOCATE_VLAN, 0, DO_EGRESS, ERR_SYSTEM, EIO, "refused" },
	{ "no memory for a map", MAP, NLE_NOMEM, DO_EGRESS, ERR_SYSTEM, EIO, "VLAN device" },
	{ "a map that is refused", CHANGE, NLE_OPNOTSUPP, DO_EGRESS, ERR_SYSTEM, EIO,
	  "VLAN device" },
};

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = { .host.may_write = true };
	struct err err = { 0 };

	outside.fails = r->fails;
	outside.code = r->nl_code;
	assert_int_equal(carry_out(&l.host, r->work, &err), r->kind == ERR_NONE);
	assert_int_equal(err.kind, r->kind);
	assert_int_equal(err.code, r->code);
	assert_non_null(strstr(err.text, r->text));
	assert_int_equal(l.kernel_unresponsive, r->code == ETIMEDOUT);
	if (r->code == ETIMEDOUT)
		assert_null(l.links); /* what comes late is not taken for the next answer */
	nl_socket_free(l.links);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	return suite_run(&s, "links");
}
