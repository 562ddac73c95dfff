/* Tests of links as the kernel lists them, in a network namespace that has only lo. */
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "agent/host/host_linux.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define NOBODY 4711 /* an index that no link has */

static struct host_linux outside;
static struct host *const h = &outside.host;
static unsigned lo;

static void needs_a_namespace(void)
{
	if (!lo)
		skip();
}

static void every_link_is_listed(void **s)
{
	_link_list_ struct link_list list = { .links = NULL };
	struct err err = { 0 };

	(void)s;
	needs_a_namespace();
	assert_true(h->links(h, &list, &err));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.links[0].name, "lo");
	assert_int_equal(list.links[0].ifindex, lo);
	assert_false(list.links[0].up);
	assert_false(list.links[0].is_bond);
}

static void a_link_is_looked_at_by_its_number(void **s)
{
	struct link link;
	struct err err = { 0 };

	(void)s;
	needs_a_namespace();
	assert_true(h->link(h, lo, &link, &err));
	assert_string_equal(link.name, "lo");
	assert_string_equal(link.mac, "00:00:00:00:00:00");
	assert_int_equal(link.mtu, 65536);
	assert_false(h->link(h, NOBODY, &link, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_int_equal(err.code, ENODEV);
}

static void an_mtu_is_set_and_reads_back(void **s)
{
	struct link link;
	struct err err = { 0 };

	(void)s;
	needs_a_namespace();
	assert_true(host_set_mtu(h, lo, 4200, &err));
	assert_true(h->link(h, lo, &link, &err));
	assert_int_equal(link.mtu, 4200);
	assert_true(host_set_mtu(h, lo, 65536, &err));
	assert_false(host_set_mtu(h, NOBODY, 4200, &err));
	assert_int_equal(err.kind, ERR_GONE);
}

static void a_link_without_vlan_devices_has_none(void **s)
{
	struct vlan_list list = { .count = 7 };
	struct err err = { 0 };

	(void)s;
	needs_a_namespace();
	assert_true(host_vlans(h, lo, &list, &err));
	assert_int_equal(list.count, 0);
	assert_false(list.more);
}

static void what_is_no_vlan_device_takes_no_map(void **s)
{
	struct err err = { 0 }, none = { 0 };

	(void)s;
	needs_a_namespace();
	assert_false(host_set_egress(h, lo, 3, 5, &err));
	assert_true(err.kind != ERR_NONE && err.text[0]);
	assert_false(host_set_egress(h, NOBODY, 3, 5, &none));
	assert_int_equal(none.kind, ERR_GONE);
}

static void who_only_reads_sets_nothing(void **s)
{
	struct err err = { 0 }, other = { 0 };

	(void)s;
	h->may_write = false;
	assert_false(host_set_mtu(h, lo, 4200, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_false(host_set_egress(h, lo, 3, 5, &other));
	assert_int_equal(other.kind, ERR_REFUSED);
	h->may_write = true;
}

int main(void)
{
	static struct suite s;
	struct err err = { 0 };
	int failed;

	if (unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
		lo = if_nametoindex("lo");
	if (!host_linux_open(&outside, "/", true, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	SUITE_ADD(&s, every_link_is_listed);
	SUITE_ADD(&s, a_link_is_looked_at_by_its_number);
	SUITE_ADD(&s, an_mtu_is_set_and_reads_back);
	SUITE_ADD(&s, a_link_without_vlan_devices_has_none);
	SUITE_ADD(&s, what_is_no_vlan_device_takes_no_map);
	SUITE_ADD(&s, who_only_reads_sets_nothing);
	failed = suite_run(&s, "ports");
	host_linux_close(&outside);
	return failed;
}
