#include "devlink.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "device.h"
#include "gid.h"
#include "registry.h"

struct request {
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

static void start_request(struct request *r, uint8_t command)
{
	struct genlmsghdr *g;

	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	g = mnl_nlmsg_put_extra_header(r->n, sizeof(*g));
	g->cmd = command;
	g->version = DEVLINK_GENL_VERSION;
}

static void start_request_about(struct request *r, uint8_t command, const char *pci)
{
	start_request(r, command);
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_BUS_NAME, "pci");
	mnl_attr_put_strz(r->n, DEVLINK_ATTR_DEV_NAME, pci);
}

static const char *text_of(const struct nlattr *a)
{
	return mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0 ? mnl_attr_get_str(a) : NULL;
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

	start_request_about(&r, DEVLINK_CMD_PARAM_GET, pci);
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
	enum eswitch_mode *ret = arg;

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

/* False if this process may not ask. */
static bool ask_eswitch(struct host *h, const char *pci, enum eswitch_mode *ret)
{
	struct err why = { 0 };
	struct request r;

	*ret = ESWITCH_UNKNOWN;
	start_request_about(&r, DEVLINK_CMD_ESWITCH_GET, pci);
	if (host_talk(h, BUS_DEVLINK, r.n, each_eswitch, ret, &why))
		return true;
	if (why.code == EOPNOTSUPP)
		*ret = ESWITCH_NONE; /* mlx5_eswitch_check() */
	return why.kind != ERR_DENIED;
}

enum eswitch_mode devlink_eswitch(struct host *h, const char *pci)
{
	enum eswitch_mode mode;

	for (size_t i = 0; i < h->eswitches.count; i++)
		if (strcmp(h->eswitches.list[i].pci, pci) == 0)
			return h->eswitches.list[i].mode;
	(void)!ask_eswitch(h, pci, &mode);
	return mode;
}

/* The name of a device of devlink, borrowed from the reply. */
struct handle {
	const char *bus, *device;
};

static int parse_handle(const struct nlattr *a, void *arg)
{
	struct handle *ret = arg;

	if (mnl_attr_get_type(a) == DEVLINK_ATTR_BUS_NAME)
		ret->bus = text_of(a);
	if (mnl_attr_get_type(a) == DEVLINK_ATTR_DEV_NAME)
		ret->device = text_of(a);
	return MNL_CB_OK;
}

/* Since Linux 6.12 a function of mlx5 has a second one, "auxiliary/mlx5_core.eth.0". */
static int each_device(const struct nlmsghdr *reply, void *arg)
{
	struct eswitch_list *all = arg;
	struct handle of = { NULL, NULL };
	struct eswitch *more;

	if (mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_handle, &of) < 0 || !of.bus ||
	    !of.device || strcmp(of.bus, "pci") != 0)
		return MNL_CB_OK;
	more = realloc(all->list, (all->count + 1) * sizeof(*more));
	if (!more)
		return MNL_CB_ERROR;
	all->list = more;
	more[all->count] = (struct eswitch){ .mode = ESWITCH_UNKNOWN };
	snprintf(more[all->count++].pci, ID_MAX, "%s", of.device);
	return MNL_CB_OK;
}

void devlink_list_eswitches(struct host *h, struct eswitch_list *ret)
{
	struct err quiet = { 0 };
	struct request r;
	bool ok;

	*ret = (struct eswitch_list){ NULL, 0 };
	start_request(&r, DEVLINK_CMD_GET);
	r.n->nlmsg_flags = NLM_F_DUMP;
	ok = host_talk(h, BUS_DEVLINK, r.n, each_device, ret, &quiet);
	for (size_t i = 0; ok && i < ret->count; i++)
		ok = ask_eswitch(h, ret->list[i].pci, &ret->list[i].mode);
	if (ok)
		return;
	free(ret->list);
	*ret = (struct eswitch_list){ NULL, 0 };
}

/* Attributes of Linux 6.17, for older headers. */
enum { ATTR_RATE_TC_BWS = 180, RATE_TC_ATTR_BW = 2 };

struct rate_object {
	const char *device, *node; /* borrowed from the reply */
	uint32_t port;
	bool has_port, has_tc_bw;
};

struct rate_search {
	const char *pci;
	char *ret;
};

static int parse_tc_bw(const struct nlattr *a, void *arg)
{
	struct rate_object *r = arg;

	if (mnl_attr_get_type(a) == RATE_TC_ATTR_BW && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->has_tc_bw = r->has_tc_bw || mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

/* Since Linux 6.17 every object lists the shares of all classes; they are 0 if nobody set them. */
static int parse_rate_object(const struct nlattr *a, void *arg)
{
	struct rate_object *r = arg;

	switch (mnl_attr_get_type(a)) {
	case DEVLINK_ATTR_DEV_NAME:
		r->device = text_of(a);
		break;
	case DEVLINK_ATTR_RATE_NODE_NAME:
		r->node = text_of(a);
		break;
	case DEVLINK_ATTR_PORT_INDEX:
		r->has_port = mnl_attr_validate(a, MNL_TYPE_U32) == 0;
		r->port = r->has_port ? mnl_attr_get_u32(a) : 0;
		break;
	case ATTR_RATE_TC_BWS:
		return mnl_attr_parse_nested(a, parse_tc_bw, r);
	default:
		break;
	}
	return MNL_CB_OK;
}

/* Older kernels list the objects of every function. */
static int each_rate_object(const struct nlmsghdr *reply, void *arg)
{
	const struct rate_search *s = arg;
	struct rate_object r = { .device = NULL };

	if (s->ret[0] ||
	    mnl_attr_parse(reply, sizeof(struct genlmsghdr), parse_rate_object, &r) < 0 ||
	    !r.has_tc_bw || !r.device || strcmp(r.device, s->pci) != 0)
		return MNL_CB_OK;
	if (r.node)
		snprintf(s->ret, RATE_OBJECT_MAX, "pci/%s/%s", s->pci, r.node);
	else if (r.has_port)
		snprintf(s->ret, RATE_OBJECT_MAX, "pci/%s/%u", s->pci, r.port);
	return MNL_CB_OK;
}

bool devlink_find_tc_bw(struct host *h, const char *pci, char ret[RATE_OBJECT_MAX])
{
	struct rate_search s = { pci, ret };
	struct err quiet = { 0 };
	struct request r;

	ret[0] = '\0';
	start_request_about(&r, DEVLINK_CMD_RATE_GET, pci);
	r.n->nlmsg_flags = NLM_F_DUMP;
	return host_talk(h, BUS_DEVLINK, r.n, each_rate_object, &s, &quiet) && ret[0];
}

static bool has_gid(struct host *h, const struct port *p)
{
	struct gid_list gids;
	struct err quiet = { 0 };

	return gid_list(h, p, &gids, &quiet) && gids.count > 0;
}

enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *links, const struct port *p)
{
	static const uint8_t none[SWITCH_ID_MAX];
	enum eswitch_mode mode = devlink_eswitch(h, p->id.pci);
	const struct link *l = link_by_index(links, p->ifindex);

	/* The host of a BlueField in DPU mode has GIDs and no E-Switch, hence no switch ID. */
	if (mode != ESWITCH_UNKNOWN || !l || memcmp(l->switch_id, none, sizeof(none)) == 0)
		return mode;
	if (link_has_representor(links, l))
		return ESWITCH_SWITCHDEV;
	return has_gid(h, p) ? ESWITCH_LEGACY : ESWITCH_UNKNOWN;
}

/*
 * The devlink parameter enable_roce, which turns RoCE on as a whole. Read-only: a change needs a
 * driver reload.
 */

/*
 * devlink has the value for the next reload. The driver makes an RDMA device without RoCE for raw
 * packets (mlx5r_probe()), as it does for a switch; a LAG's is that of another function.
 */
static bool awaits_reload(struct host *h, const struct port *port, bool next)
{
	struct err quiet = { 0 };

	if (port->eswitch_mode == ESWITCH_SWITCHDEV || port->in_lag || !rdma_is_there(port, &quiet))
		return false;
	return next != (port->rdma_is_roce || has_gid(h, port));
}

static bool enabled_read(struct host *h, const struct port *port, struct config *out,
			 struct err *err)
{
	bool next;

	if (!devlink_read_enable_roce(h, port->id.pci, &next, err))
		return false;
	if (awaits_reload(h, port, next)) {
		err_record(err, ERR_UNKNOWN, EAGAIN,
			   "devlink has the value for the next reload, %s; RoCE is %s now",
			   next ? "on" : "off", next ? "off" : "on");
		return err_fix(err,
			       "run `devlink dev reload pci/%s`, which removes the port for some "
			       "seconds",
			       port->id.pci);
	}
	out->roce.enabled = next;
	out->has |= feature_roce_enabled.owns;
	return true;
}

const struct feature feature_roce_enabled = {
	.name = "roce-enabled",
	.owns = SETTING(SETTING_ROCE_ENABLED),
	.source = "devlink enable_roce",
	.read = enabled_read,
	.readonly_hint =
		"run `devlink dev param set pci/ADDRESS name enable_roce value VALUE cmode "
		"driverinit`, then reload the driver, which removes the port for some seconds",
};
