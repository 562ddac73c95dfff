#include "device.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/host/pci_functions.h"
#include "../agent/host/host.h"
#include "../policy/util/oom.h"

#define CLASS "/sys/class/infiniband/%s/"

static bool read_uevent(struct host *h, const char *rdma, char *buf, size_t size)
{
	struct err quiet = { 0 };

	return host_read_file(h, buf, size, &quiet, CLASS "device/uevent", rdma);
}

/* True if the RDMA device is that of the PCI function; false also if that cannot be read. */
static bool rdma_is_function(struct host *h, const char *rdma, const char *pci)
{
	char uevent[UEVENT_MAX];

	return pci[0] && read_uevent(h, rdma, uevent, sizeof(uevent)) && strstr(uevent, pci);
}

/* As ethtool has it: "28.41.1000 (MT_0000000834)". */
static void read_firmware(struct host *h, struct port *port)
{
	char version[24], board[32];
	struct err quiet = { 0 };

	if (!host_read_file(h, version, sizeof(version), &quiet, CLASS "fw_ver", port->id.rdma))
		return;
	if (!host_read_file(h, board, sizeof(board), &quiet, CLASS "board_id", port->id.rdma))
		board[0] = '\0';
	snprintf(port->firmware, sizeof(port->firmware), "%s", version);
	snprintf(port->id.firmware, sizeof(port->id.firmware), board[0] ? "%s (%s)" : "%s", version,
		 board);
}

#define RATE_MAX_GBPS 1e6 /* more is no rate */

/* From "100 Gb/sec (4X EDR)" and "2.5 Gb/sec (1X SDR)". */
static void read_speed(struct host *h, struct port *port)
{
	double gbps;
	char rate[48];
	struct err quiet = { 0 };

	if (!host_read_file(h, rate, sizeof(rate), &quiet, CLASS "ports/%u/rate", port->id.rdma,
			    port->rdma_port))
		return;
	gbps = strtod(rate, NULL);
	if (gbps > 0 && gbps <= RATE_MAX_GBPS)
		port->speed_mbps = port->id.speed_mbps = (uint32_t)(gbps * 1000);
}

/* "4: ACTIVE" */
static bool is_active(struct host *h, const struct port *port)
{
	char state[32];
	struct err quiet = { 0 };

	return host_read_file(h, state, sizeof(state), &quiet, CLASS "ports/%u/state",
			      port->id.rdma, port->rdma_port) &&
	       strstr(state, "ACTIVE");
}

/*
 * Describes a port that has id.rdma and rdma_port, and no interface in this network namespace:
 * name, PCI address, driver, firmware, speed, link. A subfunction has no PCI address of its own.
 */
static void rdma_describe(struct host *h, struct port *port)
{
	char uevent[UEVENT_MAX];

	port->no_interface = true;
	snprintf(port->id.name, sizeof(port->id.name), "%s", port->id.rdma);
	if (read_uevent(h, port->id.rdma, uevent, sizeof(uevent))) {
		(void)uevent_value(uevent, "PCI_SLOT_NAME=", "\n", port->id.pci);
		(void)uevent_value(uevent, "DRIVER=", ".\n", port->id.driver); /* mlx5_core.sf */
	}
	read_firmware(h, port);
	read_speed(h, port);
	port->up = port->carrier = is_active(h, port);
}

#define DEVICES_STEP 64
#define REQUEST_MAX  128
#define TRIES	     8

/* RDMA_NLDEV_ATTR_DRIVER_DETAILS of newer headers; older kernels ignore it. */
#define NLDEV_ATTR_DRIVER_DETAILS 97

/* Values of the kernel's enum ib_qp_state, which the UAPI headers do not define. */
enum { QP_READY_TO_RECEIVE = 2, QP_READY_TO_SEND = 3 };

/* One port of an RDMA device and its network interface; of a device the number of its ports. */
struct rdma_dev {
	uint32_t index, port, ifindex;
	char name[ID_MAX];
	bool is_infiniband, is_roce;
	bool is_unlisted; /* a device whose ports the kernel does not list */
};

/* A switch has one port per representor: hundreds of them are common. */
struct rdma_devs {
	struct rdma_dev *list;
	size_t count, room;
	bool out_of_memory;
};

static void rdma_devs_free(struct rdma_devs *devs)
{
	free(devs->list);
}
#define _rdma_devs_ __attribute__((cleanup(rdma_devs_free)))

struct request {
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

static void start_rdma_request(struct request *r, int command)
{
	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	r->n->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
	r->n->nlmsg_flags = NLM_F_DUMP;
}

static int parse_device(const struct nlattr *a, void *arg)
{
	struct rdma_dev *d = arg;

	switch (mnl_attr_get_type(a)) {
	case RDMA_NLDEV_ATTR_DEV_INDEX:
		d->index = mnl_attr_validate(a, MNL_TYPE_U32) == 0 ? mnl_attr_get_u32(a) : 0;
		break;
	case RDMA_NLDEV_ATTR_PORT_INDEX:
		d->port = mnl_attr_validate(a, MNL_TYPE_U32) == 0 ? mnl_attr_get_u32(a) : 0;
		break;
	case RDMA_NLDEV_ATTR_NDEV_INDEX:
		d->ifindex = mnl_attr_validate(a, MNL_TYPE_U32) == 0 ? mnl_attr_get_u32(a) : 0;
		break;
	case RDMA_NLDEV_ATTR_DEV_NAME:
		if (mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
			snprintf(d->name, sizeof(d->name), "%s", mnl_attr_get_str(a));
		break;
	case RDMA_NLDEV_ATTR_DEV_PROTOCOL:
		if (mnl_attr_validate(a, MNL_TYPE_NUL_STRING) != 0)
			break;
		d->is_infiniband = strcmp(mnl_attr_get_str(a), "ib") == 0;
		d->is_roce = strcmp(mnl_attr_get_str(a), "roce") == 0;
		break;
	default:
		break;
	}
	return MNL_CB_OK;
}

static bool make_room(struct rdma_devs *devs)
{
	struct rdma_dev *more;

	if (devs->count < devs->room)
		return true;
	more = realloc(devs->list, (devs->room + DEVICES_STEP) * sizeof(*more));
	if (!more)
		return false;
	devs->list = more;
	devs->room += DEVICES_STEP;
	return true;
}

static int each_device(const struct nlmsghdr *reply, void *arg)
{
	struct rdma_devs *devs = arg;

	devs->out_of_memory = devs->out_of_memory || !make_room(devs);
	if (devs->out_of_memory)
		return MNL_CB_OK;
	devs->list[devs->count] = (struct rdma_dev){ 0 };
	return mnl_attr_parse(reply, 0, parse_device, &devs->list[devs->count++]);
}

static bool dump(struct host *h, int command, const uint32_t *index, reply_fn *each, void *arg,
		 struct err *err)
{
	struct request r;

	start_rdma_request(&r, command);
	if (index)
		mnl_attr_put_u32(r.n, RDMA_NLDEV_ATTR_DEV_INDEX, *index);
	return host_talk(h, BUS_RDMA, r.n, each, arg, err);
}

/* The error of a kernel without RDMA modules. */
static bool is_no_rdma(const struct err *err)
{
	return err->kind == ERR_UNSUPPORTED || err->code == ECONNREFUSED ||
	       err->code == EPROTONOSUPPORT || err->code == EINVAL;
}

static bool list_devices(struct host *h, struct rdma_devs *devs, struct err *err)
{
	struct err why = { 0 };

	devs->count = 0;
	if (dump(h, RDMA_NLDEV_CMD_GET, NULL, each_device, devs, &why) || is_no_rdma(&why))
		return !devs->out_of_memory || err_no_memory(err);
	*err = why;
	return err_in(err, "listing RDMA devices");
}

static void note_infiniband(const struct rdma_devs *devs, struct rdma_names *ret)
{
	ret->count = 0;
	for (size_t i = 0; i < devs->count && ret->count < RDMA_NAMES_MAX; i++)
		if (devs->list[i].is_infiniband)
			snprintf(ret->names[ret->count++], ID_MAX, "%s", devs->list[i].name);
}

/*
 * A port that does not answer ends the kernel's list without an error (nldev_port_get_dumpit()):
 * the device has more ports, and perhaps connections, than are seen.
 */
static void note_unlisted(struct rdma_devs *ports, size_t first, const struct rdma_dev *of)
{
	if (ports->out_of_memory || ports->count - first >= of->port)
		return;
	ports->out_of_memory = !make_room(ports);
	if (ports->out_of_memory)
		return;
	ports->list[ports->count] = *of;
	ports->list[ports->count].ifindex = 0;
	ports->list[ports->count++].is_unlisted = true;
}

static bool list_ports_once(struct host *h, struct rdma_devs *ports, struct rdma_names *infiniband,
			    struct err *err)
{
	_rdma_devs_ struct rdma_devs devs = { 0 };

	ports->count = 0;
	if (!list_devices(h, &devs, err))
		return false;
	note_infiniband(&devs, infiniband);
	for (size_t i = 0; i < devs.count; i++) {
		size_t first = ports->count;

		if (!dump(h, RDMA_NLDEV_CMD_PORT_GET, &devs.list[i].index, each_device, ports, err))
			return err_in(err, "reading %s", devs.list[i].name);
		for (size_t p = first; p < ports->count; p++)
			ports->list[p].is_roce = devs.list[i].is_roce;
		note_unlisted(ports, first, &devs.list[i]);
	}
	return !ports->out_of_memory || err_no_memory(err);
}

/*
 * Lists all ports of all RDMA devices. The kernel resumes a dump at the number of devices already
 * sent, so that it skips one if another is removed meanwhile (nldev_get_dumpit()). The removed
 * device shows by EINVAL for its ports; the dump is then repeated.
 */
static bool list_ports(struct host *h, struct rdma_devs *ports, struct rdma_names *infiniband,
		       struct err *err)
{
	struct err why;
	int tries = 0;

	do {
		why = (struct err){ 0 };
		if (list_ports_once(h, ports, infiniband, &why))
			return true;
	} while ((why.code == EINVAL || why.code == ENODEV) && ++tries < TRIES);
	*err = why;
	return false;
}

static void adopt(struct port *port, const struct rdma_dev *d)
{
	snprintf(port->id.rdma, sizeof(port->id.rdma), "%s", d->name);
	port->rdma_index = d->index;
	port->rdma_port = d->port;
	port->rdma_is_roce = d->is_roce;
}

/* Lists the ports of RoCE devices without an interface in this network namespace. */
static bool list_others(struct host *h, const struct rdma_devs *devs, struct port_list *ret,
			struct err *err)
{
	ret->list = calloc(devs->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < devs->count; i++)
		if (devs->list[i].is_roce && !devs->list[i].ifindex && !devs->list[i].is_unlisted) {
			adopt(&ret->list[ret->count], &devs->list[i]);
			rdma_describe(h, &ret->list[ret->count++]);
		}
	return true;
}

/*
 * The port of a device: the one whose function it has, if that is in the bond of its netdev. In a
 * LAG by active-backup the kernel reports the member that is active now (mlx5_ib_get_netdev()).
 */
static struct port *port_of(struct host *h, const struct rdma_dev *d, struct port *ports,
			    size_t count)
{
	struct port *of_netdev = NULL;

	for (size_t i = 0; i < count; i++)
		if (ports[i].ifindex == d->ifindex)
			of_netdev = &ports[i];
	for (size_t i = 0; of_netdev && of_netdev->id.bond[0] && i < count; i++)
		if (strcmp(ports[i].id.bond, of_netdev->id.bond) == 0 &&
		    rdma_is_function(h, d->name, ports[i].id.pci))
			return &ports[i];
	return of_netdev;
}

bool rdma_find(struct host *h, struct port *ports, size_t count, struct port_list *others,
	       struct rdma_names *infiniband, struct err *err)
{
	_rdma_devs_ struct rdma_devs devs = { 0 };

	if (!list_ports(h, &devs, infiniband, err) || !list_others(h, &devs, others, err))
		return false;
	for (size_t i = 0; i < devs.count; i++) {
		const struct rdma_dev *d = &devs.list[i];
		struct port *port = d->is_unlisted ? NULL : port_of(h, d, ports, count);

		for (size_t p = 0; d->is_unlisted && p < count; p++)
			ports[p].rdma_unlisted |= rdma_is_function(h, d->name, ports[p].id.pci);
		if (port && (!port->rdma_port || rdma_is_function(h, d->name, port->id.pci)))
			adopt(port, d);
	}
	return true;
}

bool rdma_is_there(const struct port *port, struct err *err)
{
	if (port->rdma_port)
		return true;
	if (port->rdma_unlisted)
		return err_set(err, ERR_UNKNOWN, EIO,
			       "the kernel does not list the port of its RDMA device: the adapter "
			       "does not answer");
	if (port->shares_rdma)
		return err_set(err, ERR_ELSEWHERE, ENODEV,
			       "the bond's RDMA device is on another member");
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the port has no RDMA device");
}

bool rdma_has_roce(const struct port *port, struct err *err)
{
	if (!rdma_is_there(port, err))
		return false;
	return port->eswitch_mode != ESWITCH_SWITCHDEV ||
	       err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       "the port is the uplink of a switch (switchdev): RoCE is on its VFs and "
		       "SFs");
}

struct qp {
	uint8_t state, type;
	bool by_kernel;
};

static int parse_qp(const struct nlattr *a, void *arg)
{
	struct qp *q = arg;

	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_STATE &&
	    mnl_attr_validate(a, MNL_TYPE_U8) == 0)
		q->state = mnl_attr_get_u8(a);
	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_TYPE &&
	    mnl_attr_validate(a, MNL_TYPE_U8) == 0)
		q->type = mnl_attr_get_u8(a);
	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_RES_KERN_NAME)
		q->by_kernel = true;
	return MNL_CB_OK;
}

/*
 * Those of the device itself are always connected: GSI, and of a driver's own type those that the
 * kernel made, as mlx5's REG_UMR from the first registered memory on. Applications make DCT and
 * DCI.
 */
static bool serves_the_device(const struct qp *q)
{
	return q->type < IB_UVERBS_QPT_RC || (q->type == IB_UVERBS_QPT_DRIVER && q->by_kernel);
}

static int count_qp(const struct nlattr *a, void *arg)
{
	unsigned *active = arg;
	struct qp q = { 0 };

	if (mnl_attr_get_type(a) != RDMA_NLDEV_ATTR_RES_QP_ENTRY)
		return MNL_CB_OK;
	if (mnl_attr_parse_nested(a, parse_qp, &q) < 0)
		return MNL_CB_ERROR;
	if (!serves_the_device(&q) &&
	    (q.state == QP_READY_TO_RECEIVE || q.state == QP_READY_TO_SEND))
		++*active;
	return MNL_CB_OK;
}

static int into_qps(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) != RDMA_NLDEV_ATTR_RES_QP)
		return MNL_CB_OK;
	return mnl_attr_parse_nested(a, count_qp, arg);
}

static int each_qp(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, 0, into_qps, arg);
}

static unsigned master_of(const struct link_list *links, unsigned ifindex)
{
	const struct link *l = link_by_index(links, ifindex);

	return l ? l->master : 0;
}

/* In a LAG the device's netdev is any member of the bond. VFs and SFs have devices of their own. */
static bool is_on(struct host *h, const struct rdma_dev *d, const struct port *port,
		  const struct link_list *links)
{
	unsigned bond = port->in_lag ? master_of(links, port->ifindex) : 0;

	if (d->is_unlisted && (port->in_lag || rdma_is_function(h, d->name, port->id.pci)))
		return true;
	return d->ifindex == port->ifindex || (bond && master_of(links, d->ifindex) == bond) ||
	       function_has(h, port, "infiniband", d->name);
}

/* With details, without which 6.12 omits a driver's own types of queue pairs (DCT, DCI). */
static bool dump_qps(struct host *h, uint32_t index, unsigned *ret, struct err *err)
{
	struct request r;

	start_rdma_request(&r, RDMA_NLDEV_CMD_RES_QP_GET);
	mnl_attr_put_u32(r.n, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	mnl_attr_put_u8(r.n, NLDEV_ATTR_DRIVER_DETAILS, 1);
	return host_talk(h, BUS_RDMA, r.n, each_qp, ret, err);
}

bool rdma_count_active(struct host *h, const struct port *port, unsigned *ret, struct err *err)
{
	_rdma_devs_ struct rdma_devs devs = { 0 };
	_link_list_ struct link_list links = { .links = NULL };
	struct rdma_names infiniband;

	*ret = 0;
	if (!list_ports(h, &devs, &infiniband, err) ||
	    (port->in_lag && !host_links(h, &links, err)))
		return false;
	for (size_t i = 0; i < devs.count; i++)
		if (is_on(h, &devs.list[i], port, &links) &&
		    !dump_qps(h, devs.list[i].index, ret, err))
			return false;
	return true;
}

static int parse_mode(const struct nlattr *a, void *arg)
{
	const char **ret = arg;

	if (mnl_attr_get_type(a) == RDMA_NLDEV_SYS_ATTR_NETNS_MODE &&
	    mnl_attr_validate(a, MNL_TYPE_U8) == 0)
		*ret = mnl_attr_get_u8(a) ? "shared" : "exclusive";
	return MNL_CB_OK;
}

static int each_reply(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, 0, parse_mode, arg);
}

bool rdma_netns_mode(struct host *h, const char **ret, struct err *err)
{
	char buf[64] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	*ret = NULL;
	n->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_SYS_GET);
	if (host_talk(h, BUS_RDMA, n, each_reply, ret, err))
		return true;
	if (err->code == ETIMEDOUT)
		return err_in(err, "read whether network namespaces share RDMA devices");
	*err = (struct err){ 0 };
	return true;
}
