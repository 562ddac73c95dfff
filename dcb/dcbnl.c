#include "dcbnl.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/host/host.h"
#include "../policy/model/config.h"

static const uint8_t codes[] = {
	[TSA_STRICT] = IEEE_8021QAZ_TSA_STRICT,
	[TSA_CBS] = IEEE_8021QAZ_TSA_CB_SHAPER,
	[TSA_ETS] = IEEE_8021QAZ_TSA_ETS,
	[TSA_VENDOR] = IEEE_8021QAZ_TSA_VENDOR,
};

uint8_t tsa_from_kernel(uint8_t code)
{
	for (size_t i = 0; i < sizeof(codes); i++)
		if (codes[i] == code)
			return (uint8_t)i;
	return TSA_VENDOR;
}

uint8_t tsa_to_kernel(uint8_t tsa)
{
	return codes[tsa];
}

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

/*
 * True if the driver has this object (DCB_ATTR_IEEE_ETS or DCB_ATTR_IEEE_PFC), according to
 * CEE_GET. mlx5 answers CEE_GET without the functions that serve IEEE_GET. The driver must support
 * IEEE DCBX.
 */
static bool dcb_cee_has(struct host *h, const char *port, uint16_t attr)
{
	struct descent d = { .path = NULL };
	struct err quiet = { 0 };

	for (size_t i = 0; i < sizeof(cee_paths) / sizeof(cee_paths[0]); i++)
		if (cee_paths[i].attr == attr)
			d.path = cee_paths[i].path;
	return d.path && cee_get(h, port, &d, &quiet) && d.found;
}

#define REQUEST_MAX 2048

struct request {
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n;
};

static void start_dcb_request(struct request *r, uint16_t type, uint8_t cmd, const char *port)
{
	struct dcbmsg *d;

	memset(r->buf, 0, sizeof(r->buf));
	r->n = mnl_nlmsg_put_header(r->buf);
	r->n->nlmsg_type = type;
	d = mnl_nlmsg_put_extra_header(r->n, sizeof(*d));
	d->cmd = cmd;
	mnl_attr_put_strz(r->n, DCB_ATTR_IFNAME, port);
}

/* Visits the attributes inside DCB_ATTR_IEEE of a reply. */
struct walk {
	mnl_attr_cb_t each;
	void *arg;
};

static int into_ieee(const struct nlattr *a, void *arg)
{
	const struct walk *w = arg;

	if (mnl_attr_get_type(a) != DCB_ATTR_IEEE)
		return MNL_CB_OK;
	return mnl_attr_parse_nested(a, w->each, w->arg);
}

static int each_ieee(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct dcbmsg), into_ieee, arg);
}

static bool get_ieee(struct host *h, const char *port, mnl_attr_cb_t each, void *arg,
		     struct err *err)
{
	struct request r;
	struct walk w = { each, arg };

	start_dcb_request(&r, RTM_GETDCB, DCB_CMD_IEEE_GET, port);
	return host_talk(h, BUS_ROUTE, r.n, each_ieee, &w, err);
}

struct object_list {
	struct dcb_object *objects;
	size_t count;
};

static int parse_object(const struct nlattr *a, void *arg)
{
	const struct object_list *l = arg;

	for (size_t i = 0; i < l->count; i++) {
		struct dcb_object *o = &l->objects[i];

		/* Accept longer payloads: a newer kernel may add fields at the end. */
		if (mnl_attr_get_type(a) != o->attr || mnl_attr_get_payload_len(a) < o->size)
			continue;
		memcpy(o->out, mnl_attr_get_payload(a), o->size);
		o->found = true;
	}
	return MNL_CB_OK;
}

bool dcb_get_all(struct host *h, const char *port, struct dcb_object *objects, size_t count,
		 struct err *err)
{
	struct object_list l = { objects, count };

	return get_ieee(h, port, parse_object, &l, err);
}

bool dcb_lacks(struct err *err)
{
	return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the driver does not report it");
}

bool dcb_failed_to_read(struct err *err)
{
	err_record(err, ERR_UNKNOWN, EIO,
		   "the driver failed to read it (the kernel drops the errno)");
	return err_fix(err, "check `dmesg` for the driver's error, then run losslessctl again");
}

/* Asks the CEE side, which answers for the IEEE side only in drivers that support IEEE DCBX. */
static bool is_in_cee(struct host *h, const char *port, uint16_t attr)
{
	struct err quiet = { 0 };
	uint8_t mode = 0;

	return (attr == DCB_ATTR_IEEE_ETS || attr == DCB_ATTR_IEEE_PFC) &&
	       dcb_get_dcbx(h, port, &mode, &quiet) && (mode & DCB_CAP_DCBX_VER_IEEE) &&
	       dcb_cee_has(h, port, attr);
}

bool dcb_get(struct host *h, const char *port, uint16_t attr, void *out, size_t size,
	     struct err *err)
{
	struct dcb_object o = { attr, out, size, false };

	if (!dcb_get_all(h, port, &o, 1, err))
		return false;
	if (o.found)
		return true;
	return is_in_cee(h, port, attr) ? dcb_failed_to_read(err) : dcb_lacks(err);
}

/*
 * The kernel acknowledges a refused SET and reports the errno as a signed byte in this attribute.
 */
static int parse_hidden_errno(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == DCB_ATTR_IEEE && mnl_attr_get_payload_len(a) == 1)
		*(int *)arg = abs((int8_t)mnl_attr_get_u8(a));
	return MNL_CB_OK;
}

static int each_set(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct dcbmsg), parse_hidden_errno, arg);
}

static bool talk_set(struct host *h, struct nlmsghdr *n, struct err *err)
{
	int code = 0;

	if (!host_talk(h, BUS_ROUTE, n, each_set, &code, err))
		return false;
	/* The byte truncates ENOTSUPP (524) to the value of ENOMEM. */
	if (code == ENOMEM)
		return err_set(
			err, ERR_SYSTEM, code,
			"the driver refused: out of buffer space, or not supported (ENOMEM)");
	if (code == 0)
		return true;
	err_record(err, host_err_kind(code), code, "the driver refused: %s", strerror(code));
	if (code == EINVAL)
		err_fix(err, "the driver rejects this value, or leaves DCB to the firmware; check "
			     "dcbx.mode in `losslessctl show`");
	return false;
}

bool dcb_set(struct host *h, const char *port, uint16_t attr, const void *value, size_t size,
	     struct err *err)
{
	struct request r;
	struct nlattr *ieee;

	start_dcb_request(&r, RTM_SETDCB, DCB_CMD_IEEE_SET, port);
	ieee = mnl_attr_nest_start(r.n, DCB_ATTR_IEEE);
	mnl_attr_put(r.n, attr, size, value);
	mnl_attr_nest_end(r.n, ieee);
	return talk_set(h, r.n, err);
}

struct visit {
	void (*each)(const struct dcb_app *, void *);
	void *arg;
};

static int visit_app(const struct nlattr *a, void *arg)
{
	const struct visit *v = arg;
	struct dcb_app app;

	if (mnl_attr_get_type(a) == DCB_ATTR_IEEE_APP &&
	    mnl_attr_get_payload_len(a) >= sizeof(app)) {
		memcpy(&app, mnl_attr_get_payload(a), sizeof(app));
		v->each(&app, v->arg);
	}
	return MNL_CB_OK;
}

static int visit_table(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) != DCB_ATTR_IEEE_APP_TABLE)
		return MNL_CB_OK;
	return mnl_attr_parse_nested(a, visit_app, arg);
}

bool dcb_each_app(struct host *h, const char *port, void (*each)(const struct dcb_app *, void *),
		  void *arg, struct err *err)
{
	struct visit v = { each, arg };

	return get_ieee(h, port, visit_table, &v, err);
}

bool dcb_change_apps(struct host *h, const char *port, uint8_t cmd, const struct dcb_app *apps,
		     size_t count, struct err *err)
{
	struct request r;
	struct nlattr *ieee, *table;

	if (count == 0)
		return true;
	start_dcb_request(&r, RTM_SETDCB, cmd, port);
	ieee = mnl_attr_nest_start(r.n, DCB_ATTR_IEEE);
	table = mnl_attr_nest_start(r.n, DCB_ATTR_IEEE_APP_TABLE);
	for (size_t i = 0; i < count; i++)
		mnl_attr_put(r.n, DCB_ATTR_IEEE_APP, sizeof(apps[i]), &apps[i]);
	mnl_attr_nest_end(r.n, table);
	mnl_attr_nest_end(r.n, ieee);
	return talk_set(h, r.n, err);
}

struct selector_list {
	uint8_t *list;
	size_t count;
	bool found;
};

static int parse_selector(const struct nlattr *a, void *arg)
{
	struct selector_list *t = arg;

	if (mnl_attr_get_payload_len(a) == 1 && t->count < SELECTORS_MAX)
		t->list[t->count++] = mnl_attr_get_u8(a);
	return MNL_CB_OK;
}

static int parse_app_trust(const struct nlattr *a, void *arg)
{
	struct selector_list *t = arg;

	if (mnl_attr_get_type(a) != ATTR_APP_TRUST_TABLE)
		return MNL_CB_OK;
	t->found = true;
	return mnl_attr_parse_nested(a, parse_selector, t);
}

bool dcb_get_app_trust(struct host *h, const char *port, uint8_t *ret, size_t *ret_count,
		       struct err *err)
{
	struct selector_list t = { ret, 0, false };

	if (!get_ieee(h, port, parse_app_trust, &t, err))
		return false;
	*ret_count = t.count;
	return t.found || dcb_lacks(err);
}

bool dcb_set_app_trust(struct host *h, const char *port, const uint8_t *selectors, size_t count,
		       struct err *err)
{
	struct request r;
	struct nlattr *ieee, *table;

	start_dcb_request(&r, RTM_SETDCB, DCB_CMD_IEEE_SET, port);
	ieee = mnl_attr_nest_start(r.n, DCB_ATTR_IEEE);
	table = mnl_attr_nest_start(r.n, ATTR_APP_TRUST_TABLE);
	for (size_t i = 0; i < count; i++)
		mnl_attr_put_u8(r.n,
				selectors[i] == SELECTOR_PCP ? ATTR_DCB_APP : DCB_ATTR_IEEE_APP,
				selectors[i]);
	mnl_attr_nest_end(r.n, table);
	mnl_attr_nest_end(r.n, ieee);
	return talk_set(h, r.n, err);
}

static int parse_dcbx(const struct nlattr *a, void *arg)
{
	struct dcb_object *o = arg;

	if (mnl_attr_get_type(a) == DCB_ATTR_DCBX && mnl_attr_get_payload_len(a) >= 1) {
		*(uint8_t *)o->out = mnl_attr_get_u8(a);
		o->found = true;
	}
	return MNL_CB_OK;
}

static int each_dcbx(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct dcbmsg), parse_dcbx, arg);
}

bool dcb_get_dcbx(struct host *h, const char *port, uint8_t *ret, struct err *err)
{
	struct dcb_object o = { DCB_ATTR_DCBX, ret, 1, false };
	struct request r;

	start_dcb_request(&r, RTM_GETDCB, DCB_CMD_GDCBX, port);
	if (!host_talk(h, BUS_ROUTE, r.n, each_dcbx, &o, err))
		return false;
	return o.found || err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "the driver has no DCBX mode");
}

bool dcb_set_dcbx(struct host *h, const char *port, uint8_t mode, struct err *err)
{
	uint8_t status = 0;
	struct dcb_object o = { DCB_ATTR_DCBX, &status, 1, false };
	struct request r;

	start_dcb_request(&r, RTM_SETDCB, DCB_CMD_SDCBX, port);
	mnl_attr_put_u8(r.n, DCB_ATTR_DCBX, mode);
	if (!host_talk(h, BUS_ROUTE, r.n, each_dcbx, &o, err))
		return false;
	/* SDCBX replies with a status of 0 or 1, not with an errno. */
	if (status == 0)
		return true;
	return err_set(err, ERR_SYSTEM, EINVAL, "the driver refused DCBX mode 0x%02x", mode);
}

bool dcbx_is_firmwares(uint8_t mode)
{
	return !(mode & DCB_CAP_DCBX_HOST) || (mode & DCB_CAP_DCBX_LLD_MANAGED);
}
