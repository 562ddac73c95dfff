/* Tests of VLAN devices on a port: valid names, and writing only what differs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

struct world {
	struct host host;
	struct link links[VLANS_MAX + 2];
	size_t count;
	int list_code, write_code;
	unsigned writes, vlan;
	uint8_t prio, pcp; /* the last write's */
};

static bool outcome(int code, struct err *err)
{
	return !code || err_set(err, host_err_kind(code), code, "%s", strerror(code));
}

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	const struct world *w = (const struct world *)h;

	*ret = (struct link_list){ .links = calloc(w->count, sizeof(*ret->links)),
				   .count = w->count };
	assert_non_null(ret->links);
	for (size_t i = 0; i < w->count; i++)
		ret->links[i] = w->links[i];
	return outcome(w->list_code, err);
}

static bool set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err)
{
	struct world *w = (struct world *)h;

	w->writes++;
	w->vlan = vlan;
	w->prio = prio;
	w->pcp = pcp;
	return outcome(w->write_code, err);
}

/* Make two devices, the second with this name; the first maps priority 3 to PCP 3. */
static struct world with_second(const char *name)
{
	struct world w = { .host = {
				   .may_write = true, .links = links, .set_egress = set_egress } };

	w.count = 3;
	w.links[0] = (struct link){ .ifindex = 2, .name = "ens1f0np0" };
	w.links[1] = (struct link){
		.ifindex = 7, .lower = 2, .is_vlan = true, .name = "v100", .pcp[3] = 3
	};
	w.links[2] = (struct link){ .ifindex = 8, .lower = 2, .is_vlan = true };
	snprintf(w.links[2].name, sizeof(w.links[2].name), "%s", name);
	return w;
}

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 2 };

static const struct read_row {
	const char *sentence, *name;
	bool more;
	int code;
	enum err_kind kind;
} read_rows[] = {
	{ "every device is read", "ens1f0np0.7", false, 0, ERR_NONE },
	{ "a name of letters beyond ASCII is a text", "vl\xc3\xa4n", false, 0, ERR_NONE },
	{ "a name of other bytes is none", "v\xff", false, 0, ERR_UNKNOWN },
	{ "a name that controls a terminal is none", "v\x1b[2J", false, 0, ERR_UNKNOWN },
	{ "more devices than there is room for are not known", "v8", true, 0, ERR_UNKNOWN },
	{ "devices that cannot be listed are reported", "v8", false, EPERM, ERR_DENIED },
};

static void devices_are_read_so(void **s)
{
	const struct read_row *row = *s;
	struct world w = with_second(row->name);
	struct config c = { 0 };
	struct err err = { 0 };

	for (; row->more && w.count < COUNT(w.links); w.count++)
		w.links[w.count] = w.links[2];
	w.list_code = row->code;
	assert_int_equal(feature_vlan.read(&w.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.has, row->kind == ERR_NONE ? SETTING(SETTING_VLAN_EGRESS) : 0);
}

/* Read the port, and map priority 3 of v100 to this PCP. */
static struct config seen_with(struct world *w, uint8_t pcp)
{
	struct config c = { 0 };
	struct err err = { 0 };

	assert_true(feature_vlan.read(&w->host, &port, &c, &err));
	for (size_t i = 0; i < VLANS_MAX; i++)
		if (strcmp(c.vlan.egress[i].name, "v100") == 0)
			c.vlan.egress[i].pcp[3] = pcp;
	return c;
}

static void only_what_differs_is_written(void **s)
{
	struct world w = with_second("v8");
	struct config from = seen_with(&w, 3), to = seen_with(&w, 5);
	struct err err = { 0 };

	(void)s;
	assert_true(feature_vlan.write(&w.host, &port, &from, &to, &err));
	assert_int_equal(w.writes, 1);
	assert_int_equal(w.vlan, 7);
	assert_int_equal(w.prio, 3);
	assert_int_equal(w.pcp, 5);
	assert_true(feature_vlan.write(&w.host, &port, &to, &from, &err));
	assert_int_equal(w.writes, 1);
}

static void a_device_that_refuses_is_reported(void **s)
{
	struct world w = with_second("v8");
	struct config from = seen_with(&w, 3), to = seen_with(&w, 5);
	struct err err = { 0 }, other = { 0 };

	(void)s;
	w.write_code = EPERM;
	assert_false(feature_vlan.write(&w.host, &port, &from, &to, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	w.list_code = ENODEV;
	assert_false(feature_vlan.write(&w.host, &port, &from, &to, &other));
	assert_int_equal(other.kind, ERR_GONE);
	assert_int_equal(w.writes, 1);
}

static void a_device_that_is_not_there_is_not_made(void **s)
{
	struct world w = with_second("v8"), more = with_second("v9");
	struct config from = seen_with(&w, 3), to = seen_with(&more, 3);
	struct port member = port;
	struct err err = { 0 }, bonded = { 0 };

	(void)s;
	snprintf(member.id.bond, sizeof(member.id.bond), "bond0");
	assert_false(feature_vlan.accepts(&member, NULL, &from, &to, &bonded));
	assert_non_null(strstr(bonded.fix, "no VLAN devices of bond0"));
	assert_true(feature_vlan.accepts(&port, NULL, &from, &from, &err));
	assert_false(feature_vlan.accepts(&port, NULL, &from, &to, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_non_null(strstr(err.text, "v9"));
	assert_non_null(strstr(err.fix, "link ens1f0np0 name v9 type vlan"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, read_rows, devices_are_read_so);
	SUITE_ADD(&s, only_what_differs_is_written);
	SUITE_ADD(&s, a_device_that_refuses_is_reported);
	SUITE_ADD(&s, a_device_that_is_not_there_is_not_made);
	return suite_run(&s, "vlan");
}
