/* The port's RDMA device: MTU, GIDs, network namespaces. */
#include <string.h>

#include "../gid.h"
#include "../device.h"
#include "reading.h"
#include "registry.h"

/*
 * Computed, not read: neither nldev (fill_port_info() of nldev.c) nor sysfs (ib_port_attributes of
 * sysfs.c) gives the active MTU, and libibverbs opens the device to ask. Drivers compute it with
 * iboe_get_mtu() of include/rdma/ib_addr.h, mlx5 in mlx5_query_port_roce().
 */
static void read_mtu(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	(void)s;
	if (!port->rdma_port || port->no_interface) {
		ready_not_applicable(r, port->rdma_port ? "its interface is elsewhere"
							: "the port has no RDMA device");
		return;
	}
	ready_found(r, rdma_mtu_of(port->mtu), "%u bytes (MTU %u)", rdma_mtu_of(port->mtu),
		    port->mtu);
}

const struct ready_reader ready_rdma_mtu = { .id = READY_RDMA_MTU, .read = read_mtu };

enum lag { SEPARATE, MERGED };

static void read_lag(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	char why[NO_LAG_TEXT_MAX];

	(void)s;
	if (!port->no_lag && !port->in_lag) {
		ready_not_applicable(r, "no bond has several RDMA ports, of which this is one");
		return;
	}
	ready_found(r, port->no_lag ? SEPARATE : MERGED, "%s", "");
	if (!port->no_lag)
		return;
	ready_reason(r, "%s", no_lag_text(port, why));
	ready_fix(r, "%s", no_lag_fix(port->no_lag));
}

const struct ready_reader ready_rdma_lag = { .id = READY_RDMA_LAG,
					     .read = read_lag,
					     .needs_no_host = true };

/* ---- GIDs ---- */

enum sameness { MISSING, DIFFERS, UNIFORM };

static bool find_gid(struct host *h, const struct port *port, unsigned *ret, struct err *err)
{
	struct gids_v2 gids;

	return gid_read_v2(h, port, &gids, err) &&
	       (gids_v2_choose(&gids, ret) || err_set(err, ERR_MISSING, 0, "%s", NO_GID_TEXT));
}

/* GIDs of a port without a link come and go with its addresses. */
static bool has_gids(const struct port *p)
{
	return p->rdma_port && p->up && p->carrier && p->eswitch_mode != ESWITCH_SWITCHDEV &&
	       !p->shares_rdma;
}

/*
 * The core gives a bond's GIDs to the device of its active member alone
 * (is_eth_port_of_netdev_filter() of drivers/infiniband/core/roce_gid_mgmt.c).
 */
static bool is_standby(const struct ready_scene *s, const struct port *p)
{
	unsigned index;

	for (size_t i = 0; p->no_lag && i < s->count; i++) {
		const struct port *other = &s->ports[i];
		struct err quiet = { 0 };

		if (strcmp(other->id.bond, p->id.bond) == 0 &&
		    find_gid(s->h, other, &index, &quiet))
			return true;
	}
	return false;
}

/* True if others carry the port's RoCE: its VFs, or the active member of its bond. */
static bool may_lack_gid(const struct ready_scene *s, const struct port *p)
{
	long vfs;

	return (reading_number(s->h, &vfs, "/sys/bus/pci/devices/%s/sriov_numvfs", p->id.pci) &&
		vfs > 0) ||
	       is_standby(s, p);
}

static void note_missing(const struct port *p, const struct err *err, struct ready_reading *r)
{
	if (err->kind != ERR_MISSING) {
		reading_failed(r, err);
		return;
	}
	ready_found(r, MISSING, "missing on %s", p->id.name);
	ready_reason(r, "%s has %s", p->id.name, err->text);
	ready_fix(r, "%s", ready_checks[READY_GID].fix);
}

static void read_gids(const struct ready_scene *s, const struct port *none, struct ready_reading *r)
{
	const struct port *first = NULL;
	unsigned index, first_index = 0;

	(void)none;
	ready_not_applicable(r, "no port needs a GID");
	for (size_t i = 0; i < s->count; i++) {
		const struct port *p = &s->ports[i];
		struct err err = { 0 };

		if (!has_gids(p))
			continue;
		if (!find_gid(s->h, p, &index, &err)) {
			if (err.kind == ERR_MISSING && may_lack_gid(s, p))
				continue;
			note_missing(p, &err, r);
			return;
		}
		if (!first) {
			first = p;
			first_index = index;
			ready_found(r, UNIFORM, "index %u", index);
			ready_reason(r, "%s", "");
		} else if (index != first_index) {
			ready_found(r, DIFFERS, "%s has index %u, %s %u", first->id.name,
				    first_index, p->id.name, index);
			ready_fix(r,
				  "take the addresses of %s away and give it one IPv4 address "
				  "while the link is up; with NCCL 2.21 or newer leave "
				  "NCCL_IB_GID_INDEX unset and set \"gid\": \"ignore\"",
				  p->id.name);
		}
	}
}

const struct ready_reader ready_gid = { .id = READY_GID, .read = read_gids };

/* ---- network namespaces ---- */

static void read_netns(const struct ready_scene *s, const struct port *port,
		       struct ready_reading *r)
{
	struct err err = { 0 };
	const char *mode;

	(void)port;
	if (!rdma_netns_mode(s->h, &mode, &err)) {
		reading_failed(r, &err);
		return;
	}
	if (!mode) {
		ready_not_applicable(r, "the kernel has no RDMA, or does not say");
		return;
	}
	ready_found(r, strcmp(mode, "shared") == 0, "%s", "");
}

const struct ready_reader ready_rdma_netns = { .id = READY_RDMA_NETNS, .read = read_netns };
