/* Tests of what a probe has to know of a port: the address of its GID, or why it cannot be probed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/engine/probe/probe_port.h"
#include "tests/support/unit.h"

static const char *gid_text; /* the file of the GID; NULL: it cannot be read */

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	assert_string_equal(path, "/sys/class/infiniband/mlx5_0/ports/1/gids/3");
	if (!gid_text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "%s", gid_text);
	return true;
}

static const struct row {
	const char *sentence, *rdma, *gid;
	struct gids_v2 gids;
	bool no_carrier, is_untagged;
	const char *address, *lacks, *vlan;
} rows[] = {
	{ "a GID of IPv4",
	  "mlx5_0",
	  "0000:0000:0000:0000:0000:ffff:c000:0201",
	  { .ipv4 = 1 << 3 },
	  .address = "192.0.2.1",
	  .vlan = "ens1.100" },
	{ "a GID of IPv6",
	  "mlx5_0",
	  "2001:0db8:0000:0000:0000:0000:0000:0001",
	  { .ipv6 = 1 << 3 },
	  .address = "2001:db8::1",
	  .vlan = "ens1.100" },
	{ "a GID of the port itself has no tag",
	  "mlx5_0",
	  "2001:db8::1",
	  { .ipv6 = 1 << 3 },
	  .is_untagged = true,
	  .address = "2001:db8::1" },
	{ "a link-local address is not routed",
	  "mlx5_0",
	  "fe80::1",
	  { .ipv6 = 1 << 3 },
	  .lacks = "no GID of RoCE v2" },
	{ "a GID that is no address",
	  "mlx5_0",
	  "none",
	  { .ipv6 = 1 << 3 },
	  .lacks = "no GID of RoCE v2" },
	{ "a GID that cannot be read",
	  "mlx5_0",
	  NULL,
	  { .ipv6 = 1 << 3 },
	  .lacks = "no GID of RoCE v2" },
	{ "no GID", "mlx5_0", NULL, { 0 }, .lacks = "no GID of RoCE v2" },
	{ "no RDMA device", "", NULL, { 0 }, .lacks = "ens1 has no RDMA device" },
	{ "no carrier", "mlx5_0", NULL, { 0 }, .no_carrier = true, .lacks = "ens1 has no link" },
};

static void is_described(void **s)
{
	static const struct backends none;
	struct host h = { .read_file = read_file };
	const struct engine e = { .h = &h, .backends = &none };
	const struct row *r = *s;
	struct job_port job = { .rdma_port = 1,
				.gids = r->gids,
				.gid_netdev = "ens1.100",
				.is_untagged = r->is_untagged };
	struct target t = { .task.port.carrier = !r->no_carrier };
	struct probe_port p;

	gid_text = r->gid;
	snprintf(t.task.port.id.name, ID_MAX, "ens1");
	snprintf(job.rdma, sizeof(job.rdma), "%s", r->rdma);
	probe_port_read(&e, &t, &job, &p);
	assert_string_equal(p.name, "ens1");
	assert_string_equal(p.address, r->address ? r->address : "");
	assert_string_equal(p.vlan, r->vlan ? r->vlan : "");
	assert_int_equal(p.lacks[0] != '\0', r->lacks != NULL);
	if (r->lacks)
		assert_non_null(strstr(p.lacks, r->lacks));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_described);
	return suite_run(&s, "probe_port");
}
