/*
 * The devlink parameter enable_roce, which turns RoCE on as a whole. Read-only: a change needs a
 * driver reload.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "registry.h"

struct request {
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

static void start_devlink_request(struct request *r, const char *pci)
{
	struct genlmsghdr *g;

	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	g = mnl_nlmsg_put_extra_header(r->n, sizeof(*g));
	g->cmd = DEVLINK_CMD_PARAM_GET;
	g->version = DEVLINK_GENL_VERSION;
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_BUS_NAME, "pci");
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_DEV_NAME, pci);
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_PARAM_NAME, "enable_roce");
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

static bool enabled_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	struct answer answer = { false, false };
	struct err why = { 0 };
	struct request r;

	start_devlink_request(&r, port->id.pci);
	/*
	 * Without devlink, without the device in it (ENODEV) or without the parameter (EINVAL) it
	 * is unsupported.
	 */
	if (!host_talk(h, BUS_DEVLINK, r.n, each_param, &answer, &why) && why.kind == ERR_DENIED)
		return err_set(err, ERR_DENIED, why.code, "%s", why.text);
	if (!answer.found)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
			       "the driver has no devlink parameter enable_roce");

	out->roce.enabled = answer.enabled;
	out->has |= feature_roce_enabled.owns;
	return true;
}

const struct feature feature_roce_enabled = {
	.name = "roce-enabled",
	.phase = PHASE_STEER,
	.owns = SETTING(SETTING_ROCE_ENABLED),
	.source = "devlink enable_roce",
	.read = enabled_read,
	.readonly_hint =
		"run `devlink dev param set pci/ADDRESS name enable_roce value VALUE cmode "
		"driverinit`, then reload the driver, which removes the port for some seconds",
};
