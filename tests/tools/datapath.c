/*
 * Makes a datapath of Open vSwitch as ovs-vswitchd does, with a network interface and an internal
 * port in it, for tests; or removes it. Nobody forwards its packets.
 *
 *   datapath NAME INTERFACE INTERNAL
 *   datapath NAME
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/openvswitch.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mnl_socket *kernel;
static char buf[8192] __attribute__((aligned(NLMSG_ALIGNTO)));

static struct nlmsghdr *start(uint16_t family, uint8_t command, uint8_t version)
{
	struct nlmsghdr *n;
	struct genlmsghdr *g;

	memset(buf, 0, sizeof(buf));
	n = mnl_nlmsg_put_header(buf);
	n->nlmsg_type = family;
	n->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	g = mnl_nlmsg_put_extra_header(n, sizeof(*g));
	*g = (struct genlmsghdr){ .cmd = command, .version = version };
	return n;
}

static int read_id(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
		*(uint16_t *)arg = mnl_attr_get_u16(a);
	return MNL_CB_OK;
}

static int read_family(const struct nlmsghdr *n, void *arg)
{
	return mnl_attr_parse(n, sizeof(struct genlmsghdr), read_id, arg);
}

static void ask(const struct nlmsghdr *n, mnl_cb_t each, void *arg, const char *doing)
{
	ssize_t len = mnl_socket_sendto(kernel, n, n->nlmsg_len);
	int more = 1;

	while (len >= 0 && more == 1) {
		len = mnl_socket_recvfrom(kernel, buf, sizeof(buf));
		more = len < 0 ? -1 : mnl_cb_run(buf, (size_t)len, 0, 0, each, arg);
	}
	if (len >= 0 && more >= 0)
		return;
	perror(doing);
	exit(1);
}

static uint16_t family(const char *name)
{
	struct nlmsghdr *n = start(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	uint16_t id = 0;

	mnl_attr_put_strz(n, CTRL_ATTR_FAMILY_NAME, name);
	ask(n, read_family, &id, name);
	return id;
}

static void add_port(const char *datapath, uint32_t type, const char *name)
{
	struct nlmsghdr *n = start(family(OVS_VPORT_FAMILY), OVS_VPORT_CMD_NEW, OVS_VPORT_VERSION);
	struct ovs_header *o = mnl_nlmsg_put_extra_header(n, sizeof(*o));

	o->dp_ifindex = (int)if_nametoindex(datapath);
	mnl_attr_put_u32(n, OVS_VPORT_ATTR_TYPE, type);
	mnl_attr_put_strz(n, OVS_VPORT_ATTR_NAME, name);
	mnl_attr_put_u32(n, OVS_VPORT_ATTR_UPCALL_PID, 0);
	ask(n, NULL, NULL, name);
}

int main(int argc, char **argv)
{
	bool removes = argc == 2;
	struct nlmsghdr *n;

	kernel = mnl_socket_open(NETLINK_GENERIC);
	if ((argc != 4 && !removes) || !kernel ||
	    mnl_socket_bind(kernel, 0, MNL_SOCKET_AUTOPID) < 0) {
		fprintf(stderr, "usage: datapath NAME [INTERFACE INTERNAL]\n");
		return 1;
	}
	n = start(family(OVS_DATAPATH_FAMILY), removes ? OVS_DP_CMD_DEL : OVS_DP_CMD_NEW,
		  OVS_DATAPATH_VERSION);
	mnl_nlmsg_put_extra_header(n, sizeof(struct ovs_header));
	mnl_attr_put_strz(n, OVS_DP_ATTR_NAME, argv[1]);
	mnl_attr_put_u32(n, OVS_DP_ATTR_UPCALL_PID, 0);
	ask(n, NULL, NULL, argv[1]);
	if (!removes) {
		add_port(argv[1], OVS_VPORT_TYPE_NETDEV, argv[2]);
		add_port(argv[1], OVS_VPORT_TYPE_INTERNAL, argv[3]);
	}
	mnl_socket_close(kernel);
	return 0;
}
