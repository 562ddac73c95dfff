#include "registry.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <rdma/rdma_netlink.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define REQUEST_MAX 64

struct entry {
	const char *name;
	uint64_t value;
	bool has_value;
};

static int parse_entry(const struct nlattr *a, void *arg)
{
	struct entry *e = arg;

	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		e->name = mnl_attr_get_str(a);
	if (mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE &&
	    mnl_attr_validate(a, MNL_TYPE_U64) == 0) {
		e->value = mnl_attr_get_u64(a);
		e->has_value = true;
	}
	return MNL_CB_OK;
}

static void set_rdma_counter(struct sample *s, const char *name, uint64_t value)
{
	size_t slot = slot_by_name(FROM_RDMA, name, strlen(name));

	if (slot == COUNTER_SLOTS)
		return;
	s->value[slot] = value;
	s->has[slot] = true;
}

static int parse_counter(const struct nlattr *a, void *arg)
{
	struct entry e = { .name = NULL };

	if (mnl_attr_get_type(a) != RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY)
		return MNL_CB_OK;
	if (mnl_attr_parse_nested(a, parse_entry, &e) < 0)
		return MNL_CB_ERROR;
	if (e.name && e.has_value)
		set_rdma_counter(arg, e.name, e.value);
	return MNL_CB_OK;
}

static int parse_counters(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == RDMA_NLDEV_ATTR_STAT_HWCOUNTERS
		       ? mnl_attr_parse_nested(a, parse_counter, arg)
		       : MNL_CB_OK;
}

static int each_reply(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, 0, parse_counters, arg);
}

static bool ask_port(struct host *h, const struct port *port, struct sample *ret, struct err *err)
{
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	n->nlmsg_type = (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_STAT_GET);
	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_DEV_INDEX, port->rdma_index);
	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_PORT_INDEX, port->rdma_port);
	return host_talk(h, BUS_RDMA, n, each_reply, ret, err);
}

static bool read_hw_counter(struct host *h, uint64_t *ret, const char *device, const char *name)
{
	struct err quiet = { 0 };
	char text[32], *end;

	if (!host_read_file(h, text, sizeof(text), &quiet,
			    "/sys/class/infiniband/%s/hw_counters/%s", device, name))
		return false;
	*ret = strtoull(text, &end, 10);
	return end > text && !*end;
}

/*
 * Reads sysfs: in switchdev mode mlx5 counts per device, which netlink cannot report. Its port then
 * has no counters, or those of the vport alone.
 */
static bool read_device(struct host *h, const struct port *port, struct sample *ret,
			struct err *err)
{
	bool any = false;

	for (unsigned id = 0; id < COUNTER_COUNT; id++) {
		uint64_t value;

		if (counters[id].source != FROM_RDMA ||
		    !read_hw_counter(h, &value, port->id.rdma, counters[id].name))
			continue;
		set_rdma_counter(ret, counters[id].name, value);
		any = true;
	}
	return any ||
	       err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "%s has no counters", port->id.rdma);
}

static bool rdma_read_counters(struct host *h, const struct port *port, struct scratch *s,
			       struct sample *ret, struct err *err)
{
	struct err why = { 0 };
	bool asked;

	(void)s;
	if (!rdma_is_there(port, err))
		return false;
	asked = ask_port(h, port, ret, &why);
	if (!asked && why.code != EINVAL) {
		*err = why;
		return false;
	}
	if (ret->has[counter_slot(COUNT_CNP_SENT, 0)])
		return true;
	return read_device(h, port, ret, asked ? &why : err) || asked;
}

const struct counter_reader counter_reader_rdma = { .name = "rdma",
						    .read = rdma_read_counters,
						    .needs_no_interface = true };
