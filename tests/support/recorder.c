#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "tests/support/recorder.h"
#include "tests/support/unit.h"

static int note_app(const struct nlattr *a, void *arg)
{
	struct sent *s = arg;
	struct dcb_app app;

	memcpy(&app, mnl_attr_get_payload(a), sizeof(app));
	s->apps[s->apps_count++] = app.protocol;
	return MNL_CB_OK;
}

static int note_object(const struct nlattr *a, void *arg)
{
	struct sent *s = arg;
	const void *value = mnl_attr_get_payload(a);

	s->attr = mnl_attr_get_type(a);
	if (s->attr == DCB_ATTR_DCB_BUFFER)
		memcpy(&s->buffer, value, sizeof(s->buffer));
	if (s->attr == DCB_ATTR_IEEE_PFC)
		memcpy(&s->pfc, value, sizeof(s->pfc));
	if (s->attr == DCB_ATTR_IEEE_APP_TABLE)
		return mnl_attr_parse_nested(a, note_app, s);
	if (s->attr == DCB_ATTR_IEEE_ETS)
		memcpy(&s->ets, value, sizeof(s->ets));
	return MNL_CB_OK;
}

static int into_ieee(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == DCB_ATTR_IEEE ? mnl_attr_parse_nested(a, note_object, arg)
						     : MNL_CB_OK;
}

static bool answer(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	char buf[2048] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct recorder *d = (struct recorder *)h;
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct nlattr *ieee;

	if (bus != BUS_ROUTE || request->nlmsg_type == RTM_GETLINK)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not here");
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	if (request->nlmsg_type == RTM_SETDCB) {
		assert_true(d->sent_count < SETS_MAX);
		mnl_attr_parse(request, sizeof(struct dcbmsg), into_ieee, &d->sent[d->sent_count]);
		mnl_attr_put_u8(n, DCB_ATTR_IEEE, (uint8_t)-d->codes[d->sent_count++]);
	} else {
		ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);
		mnl_attr_put(n, d->attr, d->size, &d->has);
		mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(d->ets), &d->ets);
		mnl_attr_nest_end(n, ieee);
	}
	return each(n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "cannot be understood");
}

static bool no_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)buf;
	(void)size;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static bool no_directory(struct host *h, const char *path, void (*each)(const char *, void *),
			 void *arg, struct err *err)
{
	(void)h;
	(void)each;
	(void)arg;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

static bool no_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	(void)h;
	(void)ret;
	return err_set(err, ERR_GONE, ENODEV, "no link %u", ifindex);
}

struct recorder recorder(uint16_t attr, size_t size)
{
	return (struct recorder){ .host = { .may_write = true,
					    .root = -1,
					    .talk = answer,
					    .link = no_link,
					    .read_file = no_file,
					    .list_dir = no_directory },
				  .attr = attr,
				  .size = size };
}

struct recorder recorder_with_pfc(uint8_t enabled, uint16_t delay)
{
	struct recorder d = recorder(DCB_ATTR_IEEE_PFC, sizeof(struct ieee_pfc));

	d.has.pfc.pfc_cap = 8;
	d.has.pfc.pfc_en = enabled;
	d.has.pfc.delay = delay;
	return d;
}
