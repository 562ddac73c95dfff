#include "cee.h"

#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

/* A path of nested attributes, which ends in a u8. */
struct descent {
	const uint16_t *path; /* terminated by 0 */
	bool found;
};

/*
 * The kernel initialises the value to "undefined", and a driver without the capability keeps that.
 */
static int cee_descend(const struct nlattr *a, void *arg)
{
	struct descent *d = arg;
	int ret = MNL_CB_OK;

	if (mnl_attr_get_type(a) != d->path[0])
		return MNL_CB_OK;
	if (!d->path[1]) {
		d->found = mnl_attr_get_payload_len(a) >= 1 &&
			   mnl_attr_get_u8(a) != DCB_ATTR_VALUE_UNDEFINED;
		return MNL_CB_OK;
	}
	d->path++;
	ret = mnl_attr_parse_nested(a, cee_descend, d);
	d->path--;
	return ret;
}

static int each_cee(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct dcbmsg), cee_descend, arg);
}

/* The CEE_GET attributes that hold the same object as an IEEE_GET attribute. */
static const struct {
	uint16_t attr, path[5];
} cee_paths[] = {
	{ DCB_ATTR_IEEE_ETS,
	  { DCB_ATTR_CEE, DCB_ATTR_CEE_TX_PG, DCB_PG_ATTR_TC_0, DCB_TC_ATTR_PARAM_PGID } },
	{ DCB_ATTR_IEEE_PFC, { DCB_ATTR_CEE, DCB_ATTR_CEE_PFC, DCB_PFC_UP_ATTR_0 } },
};

static bool cee_get(struct host *h, const char *port, struct descent *d, struct err *err)
{
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct dcbmsg *dcb = mnl_nlmsg_put_extra_header(n, sizeof(*dcb));

	n->nlmsg_type = RTM_GETDCB;
	dcb->cmd = DCB_CMD_CEE_GET;
	mnl_attr_put_strz(n, DCB_ATTR_IFNAME, port);
	return host_talk(h, BUS_ROUTE, n, each_cee, d, err);
}

bool dcb_cee_has(struct host *h, const char *port, uint16_t attr)
{
	struct descent d = { .path = NULL };
	struct err quiet = { 0 };

	for (size_t i = 0; i < sizeof(cee_paths) / sizeof(cee_paths[0]); i++)
		if (cee_paths[i].attr == attr)
			d.path = cee_paths[i].path;
	return d.path && cee_get(h, port, &d, &quiet) && d.found;
}
