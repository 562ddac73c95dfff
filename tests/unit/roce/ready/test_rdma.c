/* Tests of the checks of ports' RDMA devices: their GIDs and their MTU. */
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define GIDS_OF(device, index, gid) \
	{ "/sys/class/infiniband/" device "/ports/1/gids/" index, gid }, \
	{ \
		"/sys/class/infiniband/" device "/ports/1/gid_attrs/types/" index, "RoCE v2" \
	}
#define PORT_FILES     "/sys/class/infiniband/mlx5_0/ports/1/"
#define V2(index, gid) GIDS_OF("mlx5_0", index, gid)
#define V1(index, gid) \
	{ PORT_FILES "gids/" index, gid }, \
	{ \
		PORT_FILES "gid_attrs/types/" index, "IB/RoCE v1" \
	}
#define IPV4  "0000:0000:0000:0000:0000:ffff:0a00:0001"
#define IPV6  "2001:0db8:0000:0000:bace:f6ff:fe00:0001"
#define LOCAL "fe80:0000:0000:0000:bace:f6ff:fe00:0001"

static const struct ready_row_test addresses[] = {
	{ "a GID of RoCE v2",
	  &ready_gid,
	  { V1("0", IPV4), V2("1", IPV4) },
	  READY_MET,
	  2,
	  "index 1" },
	{ "link-local GIDs alone",
	  &ready_gid,
	  { V1("0", LOCAL), V2("1", LOCAL) },
	  READY_MET,
	  0,
	  "missing on ens1f0np0" },
	{ "a GID of IPv6 that can be routed",
	  &ready_gid,
	  { V2("0", LOCAL), V2("1", IPV6) },
	  READY_MET,
	  2,
	  "index 1" },
	{ "a GID of IPv4 goes before one of IPv6",
	  &ready_gid,
	  { V2("0", IPV6), V2("1", IPV4) },
	  READY_MET,
	  2,
	  "index 1" },
	{ "GIDs of RoCE v1 alone", &ready_gid, { V1("0", IPV4) }, READY_MET, 0, "missing" },
	{ "a PF that leaves RoCE to its VFs",
	  &ready_gid,
	  { V2("0", LOCAL), { NIC "/sriov_numvfs", "4" } },
	  READY_NOT_APPLICABLE,
	  0,
	  "no port needs a GID" },
	{ "a PF with a GID and VFs",
	  &ready_gid,
	  { V2("0", IPV4), { NIC "/sriov_numvfs", "4" } },
	  READY_MET,
	  2,
	  "index 0" },
	{ "a PF that could have VFs",
	  &ready_gid,
	  { V2("0", LOCAL), { NIC "/sriov_numvfs", "0" } },
	  READY_MET,
	  0,
	  "missing" },
	{ "GIDs that cannot be read",
	  &ready_gid,
	  { { PORT_FILES "gids/0", BROKEN } },
	  READY_UNKNOWN,
	  0,
	  "gids/0" },
	{ "an MTU of 9000", &ready_rdma_mtu, { { NULL, NULL } }, READY_MET, 4096, "MTU 9000" },
};

static const struct ready_file two_indexes[] = { V2("0", IPV4),
						 GIDS_OF("mlx5_1", "0", LOCAL),
						 GIDS_OF("mlx5_1", "1", IPV4),
						 GIDS_OF("mlx5_2", "0", LOCAL),
						 { NULL, NULL } };

static void gids_at_two_indexes_differ(void **s)
{
	struct port two[2] = { ready_port, ready_port };
	struct ready_reading r = of_two(&ready_gid, two_indexes, two);

	(void)s;
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 1);
	assert_string_equal(r.actual, "ens1f0np0 has index 0, ens1f1np1 1");
	assert_non_null(strstr(r.fix, "take the addresses of ens1f1np1 away"));
	two[1].carrier = false;
	assert_int_equal(of_two(&ready_gid, two_indexes, two).value, 2);
}

static void a_missing_gid_has_its_own_fix_behind_those_that_differ(void **s)
{
	struct ready_host h = ready_host(two_indexes);
	struct port three[3] = { ready_port, ready_port, ready_port };
	struct ready_reading r;

	(void)s;
	snprintf(three[1].id.rdma, sizeof(three[1].id.rdma), "mlx5_1");
	snprintf(three[2].id.rdma, sizeof(three[2].id.rdma), "mlx5_2");
	r = ready_reading_of(&ready_gid, &h, three, 3);
	assert_int_equal(r.value, 0);
	assert_string_equal(r.fix, ready_checks[READY_GID].fix);
}

/* The active member of a bond over two adapters alone has GIDs. */
static void the_standby_of_a_bond_needs_none(void **s)
{
	static const struct ready_file files[] = { V2("0", LOCAL),
						   GIDS_OF("mlx5_1", "0", IPV4),
						   { NULL, NULL } };
	struct port two[2] = { ready_port, ready_port };

	(void)s;
	for (int i = 0; i < 2; i++) {
		two[i].no_lag = LAG_OF_SEVERAL_ADAPTERS;
		snprintf(two[i].id.bond, sizeof(two[i].id.bond), "bond0");
	}
	assert_int_equal(of_two(&ready_gid, files, two).value, 2);
	snprintf(two[1].id.bond, sizeof(two[1].id.bond), "bond1");
	assert_int_equal(of_two(&ready_gid, files, two).value, 0);
}

static void mtus_of_rdma_are_powers_of_two(void **s)
{
	static const uint32_t rows[][2] = { { 1500, 1024 }, { 4191, 2048 }, { 4192, 4096 },
					    { 352, 256 },   { 351, 0 },	    { 9978, 4096 } };
	struct ready_host h = ready_host(NULL);

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct port p = ready_port;

		p.mtu = rows[i][0];
		assert_int_equal(ready_reading_of(&ready_rdma_mtu, &h, &p, 1).value, rows[i][1]);
	}
}

static void a_port_without_rdma_has_no_mtu_of_it(void **s)
{
	struct ready_host h = ready_host(NULL);
	struct port p = ready_port;

	(void)s;
	p.rdma_port = 0;
	assert_int_equal(ready_reading_of(&ready_rdma_mtu, &h, &p, 1).status, READY_NOT_APPLICABLE);
	assert_int_equal(ready_reading_of(&ready_gid, &h, &p, 1).status, READY_NOT_APPLICABLE);
}

static void a_bond_is_merged_or_says_why_not(void **s)
{
	struct ready_host h = ready_host(NULL);
	struct port p = ready_port;
	struct ready_reading r;

	(void)s;
	assert_int_equal(ready_reading_of(&ready_rdma_lag, &h, &p, 1).status, READY_NOT_APPLICABLE);
	p.in_lag = true;
	assert_int_equal(ready_reading_of(&ready_rdma_lag, &h, &p, 1).value, 1);
	p.in_lag = false;
	snprintf(p.id.bond, sizeof(p.id.bond), "bond0");
	p.no_lag = LAG_DID_NOT_MERGE;
	r = ready_reading_of(&ready_rdma_lag, &h, &p, 1);
	assert_int_equal(r.value, 0);
	assert_string_equal(r.reason, "bond0 has no RoCE LAG, as the RDMA devices of its ports did "
				      "not merge: mlx5_0 uses ens1f0np0 alone");
	p.no_lag = LAG_OF_SEVERAL_ADAPTERS;
	r = ready_reading_of(&ready_rdma_lag, &h, &p, 1);
	assert_non_null(strstr(r.reason, "ports of several adapters"));
	assert_non_null(strstr(r.fix, "the ports of one adapter only"));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, addresses, ready_reads_so);
	SUITE_ADD(&s, gids_at_two_indexes_differ);
	SUITE_ADD(&s, a_missing_gid_has_its_own_fix_behind_those_that_differ);
	SUITE_ADD(&s, the_standby_of_a_bond_needs_none);
	SUITE_ADD(&s, mtus_of_rdma_are_powers_of_two);
	SUITE_ADD(&s, a_bond_is_merged_or_says_why_not);
	SUITE_ADD(&s, a_port_without_rdma_has_no_mtu_of_it);
	return suite_run(&s, "rdma");
}
