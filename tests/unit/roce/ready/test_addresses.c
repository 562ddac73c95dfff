/* Ports with addresses in one subnet, and how they answer ARP. */
#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define CONF "/proc/sys/net/ipv4/conf/"

struct has_address {
	unsigned ifindex;
	const char *address;
	uint8_t bits;
};

static const struct row {
	const char *sentence;
	struct has_address addresses[4];
	struct ready_file files[6];
	bool no_dump;
	enum ready_status status;
	uint64_t value;
	const char *says;
} rows[] = {
	{ "a subnet for each port",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.2.1", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "two ports in one subnet, as Linux comes",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "sysctl -w net.ipv4.conf.ens1f0np0.arp_ignore=1" },
	{ "two ports that answer for themselves",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "2" } },
	  .status = READY_MET,
	  .value = 1 },
	{ "one of two ports that answers for both",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_announce", "2" }, { CONF "ens1f0np0/arp_ignore", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "net.ipv4.conf.ens1f1np1.arp_ignore=1" },
	{ "addresses that are announced by the wrong port",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "arp_announce=2" },
	{ "a strict reverse path filter",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f0np0/rp_filter", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "rp_filter=2" },
	{ "a loose reverse path filter",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f0np0/rp_filter", "2" } },
	  .status = READY_MET,
	  .value = 1 },
	{ "two addresses of one port",
	  { { 3, "10.0.1.1", 24 }, { 3, "10.0.1.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "a port and one that is not checked",
	  { { 3, "10.0.1.1", 24 }, { 9, "10.0.1.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "host routes have no neighbours",
	  { { 3, "10.0.1.1", 32 }, { 4, "10.0.1.1", 32 } },
	  .status = READY_NOT_APPLICABLE },
	{ "subnets of two sizes",
	  { { 3, "10.0.0.1", 16 }, { 4, "10.0.0.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "addresses on VLANs of the ports",
	  { { 5, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "conf.ens1f0np0.7.arp_ignore" },
	{ "addresses that cannot be listed",
	  { { 0 } },
	  .no_dump = true,
	  .status = READY_UNKNOWN,
	  .says = "no dump" },
};

static const struct row *now;

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	static const struct link list[] = {
		{ .ifindex = 3, .name = "ens1f0np0" },
		{ .ifindex = 4, .name = "ens1f1np1" },
		{ .ifindex = 5, .name = "ens1f0np0.7", .lower = 3 },
		{ .ifindex = 9, .name = "eno1" },
	};

	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = malloc(sizeof(list)), .count = COUNT(list) };
	assert_non_null(ret->links);
	memcpy(ret->links, list, sizeof(list));
	return true;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	(void)h;
	assert_int_equal(bus, BUS_ROUTE);
	assert_int_equal(request->nlmsg_type, RTM_GETADDR);
	if (now->no_dump)
		return err_set(err, ERR_SYSTEM, EIO, "no dump");
	for (size_t i = 0; i < COUNT(now->addresses) && now->addresses[i].ifindex; i++) {
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct ifaddrmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));
		uint32_t address;

		m->ifa_family = AF_INET;
		m->ifa_index = now->addresses[i].ifindex;
		m->ifa_prefixlen = now->addresses[i].bits;
		assert_int_equal(inet_pton(AF_INET, now->addresses[i].address, &address), 1);
		mnl_attr_put(n, IFA_LOCAL, sizeof(address), &address);
		assert_true(each(n, arg) >= 0);
	}
	return true;
}

static void is_judged_so(void **s)
{
	const struct row *row = now = *s;
	struct ready_host h = ready_host(row->files);
	struct port two[2] = { ready_port, ready_port };
	struct ready_reading r;

	two[1].ifindex = 4;
	h.host.links = links;
	h.host.talk = talk;
	r = ready_reading_of(&ready_shared_subnet, &h, two, 2);
	if (r.status != row->status || (r.status == READY_MET && r.value != row->value))
		fail_msg("status %d, value %llu: %s", r.status, (unsigned long long)r.value,
			 r.reason);
	if (row->says && !strstr(r.fix, row->says) && !strstr(r.reason, row->says))
		fail_msg("says \"%s\", \"%s\"", r.reason, r.fix);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_judged_so);
	return suite_run(&s, "addresses");
}
