#include "devlink.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <string.h>

struct request {
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

static void start_devlink_request(struct request *r, uint8_t command, const char *pci)
{
	struct genlmsghdr *g;

	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	g = mnl_nlmsg_put_extra_header(r->n, sizeof(*g));
	g->cmd = command;
	g->version = DEVLINK_GENL_VERSION;
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_BUS_NAME, "pci");
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_DEV_NAME, pci);
}

struct answer {
	bool found, enabled;
};

/* A boolean is a flag attribute: present means true. */
static int parse_value(const struct nlattr *a, void *arg)
{
	struct answer *out = arg;

	if (mnl_attr_get_type(a) == DEVLINK_ATTR_PARAM_VALUE_CMODE)
		out->found = true;
	if (mnl_attr_get_type(a) == DEVLINK_ATTR_PARAM_VALUE_DATA)
		out->enabled = true;
	return MNL_CB_OK;
}

/* PARAM contains VALUES_LIST, which contains VALUE; other attributes are skipped. */
static int devlink_descend(const struct nlattr *a, void *arg)
{
	switch (mnl_attr_get_type(a)) {
	case DEVLINK_ATTR_PARAM:
	case DEVLINK_ATTR_PARAM_VALUES_LIST:
		return mnl_attr_parse_nested(a, devlink_descend, arg);
	case DEVLINK_ATTR_PARAM_VALUE:
		return mnl_attr_parse_nested(a, parse_value, arg);
	default:
		return MNL_CB_OK;
	}
}

static int each_param(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), devlink_descend, arg);
}

bool devlink_read_enable_roce(struct host *h, const char *pci, bool *ret, struct err *err)
{
	struct answer answer = { false, false };
	struct err why = { 0 };
	struct request r;

	start_devlink_request(&r, DEVLINK_CMD_PARAM_GET, pci);
	mnl_attr_put_strz(r.n, DEVLINK_ATTR_PARAM_NAME, "enable_roce");
	if (!host_talk(h, BUS_DEVLINK, r.n, each_param, &answer, &why) && why.kind == ERR_DENIED)
		return err_set(err, ERR_DENIED, why.code, "%s", why.text);
	if (!answer.found)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
			       "the driver has no devlink parameter enable_roce");
	*ret = answer.enabled;
	return true;
}

static int parse_mode(const struct nlattr *a, void *arg)
{
	enum eswitch *ret = arg;

	if (mnl_attr_get_type(a) == DEVLINK_ATTR_ESWITCH_MODE &&
	    mnl_attr_validate(a, MNL_TYPE_U16) == 0)
		*ret = mnl_attr_get_u16(a) == DEVLINK_ESWITCH_MODE_SWITCHDEV ? ESWITCH_SWITCHDEV
									     : ESWITCH_LEGACY;
	return MNL_CB_OK;
}

static int each_eswitch(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_mode, arg);
}

enum eswitch devlink_eswitch(struct host *h, const char *pci)
{
	enum eswitch mode = ESWITCH_UNKNOWN;
	struct err why = { 0 };
	struct request r;

	start_devlink_request(&r, DEVLINK_CMD_ESWITCH_GET, pci);
	if (!host_talk(h, BUS_DEVLINK, r.n, each_eswitch, &mode, &why) && why.code == EOPNOTSUPP)
		return ESWITCH_NONE; /* mlx5_eswitch_check() */
	return mode;
}
