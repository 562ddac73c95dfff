/* The composition root: names the back ends that this program supports. */
#include "backends.h"

#include <stdio.h>
#include <string.h>

#include "../dcb/capabilities.h"
#include "../dcb/dcbnl.h"
#include "../dcb/ethtool.h"
#include "../dcb/lldpad/configure.h"
#include "../dcb/owner/dcbx_owner.h"
#include "../dcb/owner/other_writers.h"
#include "../dcb/peer.h"
#include "../dcb/registry.h"
#include "../roce/device.h"
#include "../roce/devlink.h"
#include "../roce/gid.h"
#include "../roce/ready/registry.h"
#include "../roce/registry.h"
#include "output/print.h"
#include "sandbox/policy_file.h"
#include "write_order.h"

static const struct guard *const guards[] = {
	&guard_driver,		&guard_shared_function, &guard_bluefield,   &guard_lldpad,
	&guard_network_manager, &guard_advertiser,	&guard_follower,    &guard_default_route,
	&guard_session,		&guard_functions,	&guard_queue_pairs, &guard_traffic,
};

static const struct counter_reader *const counter_readers[] = {
	&counter_reader_ethtool, &counter_reader_rdma,	 &counter_reader_fec,
	&counter_reader_pause,	 &counter_reader_netdev,
};

static const struct ready_reader *const ready_readers[] = {
	&ready_link,
	&ready_pci_link,
	&ready_pci_max_read_request,
	&ready_pci_relaxed_ordering,
	&ready_pci_acs,
	&ready_pci_ats,
	&ready_iommu,
	&ready_numa_node,
	&ready_gpu_distance,
	&ready_rdma_mtu,
	&ready_rdma_lag,
	&ready_fec_errors,
	&ready_symbol_errors,
	&ready_link_downs,
	&ready_nvconfig,
	&ready_roce_accl,
	&ready_ports,
	&ready_gpu_memory,
	&ready_rdma_topo,
	&ready_memlock,
	&ready_memlock_services,
	&ready_hugepages,
	&ready_gid,
	&ready_shared_subnet,
	&ready_rdma_netns,
	&ready_firmware,
};

/* A subfunction's device is of the auxiliary bus, so that it has no PCI address. */
static bool is_subfunction(struct host *h, const char *port, const struct driver_info *info)
{
	return strcmp(info->driver, "mlx5_core") == 0 &&
	       host_has_file(h, "/sys/class/net/%s/device/sfnum", port);
}

static bool describe(struct host *h, struct port *p)
{
	struct link_speeds speeds = { 0, 0 };
	struct driver_info info;
	struct err quiet = { 0 };

	if (!ethtool_get_driver(h, p->id.name, &info, &quiet) ||
	    !(info.bus[0] || is_subfunction(h, p->id.name, &info)))
		return false;
	snprintf(p->id.pci, sizeof(p->id.pci), "%s", info.bus);
	snprintf(p->id.driver, sizeof(p->id.driver), "%s", info.driver);
	snprintf(p->id.firmware, sizeof(p->id.firmware), "%s", info.firmware);
	snprintf(p->firmware, sizeof(p->firmware), "%s", info.firmware);
	if (!ethtool_get_speeds(h, p->id.name, &speeds, &quiet))
		speeds = (struct link_speeds){ 0, 0 };
	p->speed_mbps = speeds.now;
	p->best_speed_mbps = speeds.best;
	p->id.speed_mbps = p->carrier ? speeds.now : speeds.best;
	return true;
}

static bool answers_dcb(struct host *h, const char *port)
{
	struct err quiet = { 0 };
	uint8_t mode;

	return dcb_get_dcbx(h, port, &mode, &quiet);
}

static void read_rate_object(struct host *h, const struct port *port, struct capabilities *ret)
{
	_Static_assert(sizeof(ret->rate_object) >= RATE_OBJECT_MAX, "the name fits");
	if (!devlink_find_tc_bw(h, port->id.pci, ret->rate_object))
		ret->rate_object[0] = '\0';
}

static bool load_policy(void *arg, struct policy **ret, struct err *err)
{
	return policy_load(arg, ret, err);
}

const struct backends all_backends = {
	.load_policy = load_policy,
	.features = { features_in_write_order,
		      sizeof(features_in_write_order) / sizeof(features_in_write_order[0]) },
	.guards = { guards, sizeof(guards) / sizeof(guards[0]) },
	.counter_readers = { counter_readers,
			     sizeof(counter_readers) / sizeof(counter_readers[0]) },
	.ready_readers = { ready_readers, sizeof(ready_readers) / sizeof(ready_readers[0]) },
	.ports = { describe, answers_dcb, rdma_find, eswitch_mode },
	.read_capabilities = capabilities_read,
	.read_upper = capabilities_read_upper,
	.read_vf_vlans = capabilities_read_vf_vlans,
	.read_rate_object = read_rate_object,
	.find_owner = owner_find,
	.find_writers = other_writers_find,
	.read_peers = compared_peers_read,
	.read_gids = gid_read_v2,
	.switch_differs = lldpad_switch_differs,
};

static void warn(void *arg, const char *text)
{
	print_warning(arg, "%s", text);
}

struct engine cli_engine(struct cli *c)
{
	return (struct engine){
		.h = c->h,
		.backends = &all_backends,
		.selection = { c->opt.words, c->opt.words_count },
		.user = c->user[0] ? c->user : NULL,
		.overrides = (c->opt.allow_disruption ? ALLOW_DISRUPTION : 0) |
			     (c->opt.any_driver ? ANY_DRIVER : 0),
		.no_link_flap = c->opt.no_link_flap,
		.lock_timeout_s = c->opt.lock_timeout_s,
		.listen_s = c->opt.listen_for_s,
		.keep_going = c->opt.keep_going,
		.query_firmware = c->opt.firmware,
		.warn = warn,
		.arg = c,
	};
}
