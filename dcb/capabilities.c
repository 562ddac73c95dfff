#include "capabilities.h"

#include <stdio.h>
#include <string.h>

#include "../agent/host/host_facts.h"
#include "../agent/host/namespace.h"
#include "../policy/lint/headroom.h"
#include "dcbnl.h"
#include "lldpad/detect.h"
#include "owner/other_writers.h"

static void read_link(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct link link = { 0 };
	struct err quiet = { 0 };
	bool known = host_link(h, port, &link, &quiet);

	ret->max_mtu = known ? link.max_mtu : 0;
	ret->min_mtu = known ? link.min_mtu : 0;
	if (!host_mqprio(h, &link, &ret->mqprio, &quiet))
		ret->mqprio.there = false;
}

static bool is_cell(const struct dcbnl_buffer *b, uint32_t bytes)
{
	for (int i = 0; i < PRIOS; i++)
		if (b->buffer_size[i] % bytes)
			return false;
	return b->total_size % bytes == 0;
}

/* mlx5 reports sizes in whole cells, and not their size: the smallest that fits all. 0: unknown. */
static uint32_t cell_of(const struct dcbnl_buffer *b)
{
	for (uint32_t bytes = HEADROOM_CELL_BYTES;
	     b->total_size && bytes <= HEADROOM_CELL_MAX_BYTES; bytes++)
		if (is_cell(b, bytes))
			return bytes;
	return 0;
}

static void read_dcb_limits(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct ieee_ets ets = { 0 };
	struct ieee_pfc pfc = { 0 };
	struct dcbnl_buffer buffer = { .total_size = 0 };
	struct dcb_object objects[] = {
		{ DCB_ATTR_IEEE_ETS, &ets, sizeof(ets), false },
		{ DCB_ATTR_IEEE_PFC, &pfc, sizeof(pfc), false },
		{ DCB_ATTR_DCB_BUFFER, &buffer, sizeof(buffer), false },
	};
	struct err quiet = { 0 };
	bool known = dcb_get_all(h, port->id.name, objects, 3, &quiet);

	ret->pfc_cap = known ? pfc.pfc_cap : 0;
	ret->traffic_classes = known ? ets.ets_cap : 0;
	ret->types = known && ets.cbs;
	ret->buffer_bytes = known ? buffer.total_size : 0;
	ret->cell_bytes = known ? cell_of(&buffer) : 0;
}

static void read_slow_kernel(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct host_facts facts;

	host_facts_read(h, &facts);
	if (facts.slows_mlx5 && strcmp(port->id.driver, "mlx5_core") == 0)
		snprintf(ret->slow_kernel, sizeof(ret->slow_kernel), "%s", facts.kernel);
	else
		ret->slow_kernel[0] = '\0';
}

/* A search for the program that controls congestion of a port. */
struct program_search {
	const struct port *port;
	struct capabilities *found;
};

static bool has_word(const struct process *p, const char *word)
{
	for (const char *w = p->words; *w; w += strlen(w) + 1)
		if (*word && strcmp(w, word) == 0)
			return true;
	return false;
}

/* Both programs name their RDMA or PCI device on the command line. */
static void check_program(const struct process *p, void *arg)
{
	const struct program_search *s = arg;

	if (has_word(p, s->port->id.rdma) || has_word(p, s->port->id.pci))
		snprintf(s->found->congestion_program, sizeof(s->found->congestion_program),
			 "%.15s", p->name);
}

/*
 * DOCA's programs that load an algorithm into the adapter: that of Spectrum-X, which the NIC
 * configuration operator starts, and the sample application for others.
 */
static void read_congestion_program(struct host *h, const struct port *port,
				    struct capabilities *ret)
{
	static const char *const names[] = { "doca_spcx_cc", "doca_pcc", NULL };
	struct program_search s = { port, ret };

	ret->congestion_program[0] = '\0';
	if (known_programs_run(h, names))
		(void)!process_each_of(h, names, check_program, &s);
}

void capabilities_read(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct lldpad_process lldpad;

	ret->speed_mbps = port->speed_mbps;
	read_link(h, port, ret);
	read_dcb_limits(h, port, ret);
	ret->maker = host_has_nvidia_driver(h) ? MAKER_NVIDIA : MAKER_KERNEL;
	read_slow_kernel(h, port, ret);
	read_congestion_program(h, port, ret);
	ret->lldpad_running = lldpad_find(h, &lldpad);
	ret->lldpad_starts_at_boot = !ret->lldpad_running && lldpad_is_enabled(h);
}

void capabilities_read_vf_vlans(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct err quiet = { 0 };

	if (!host_vf_vlans(h, port->ifindex, ret->vf_vlans, &quiet))
		memset(ret->vf_vlans, 0, sizeof(ret->vf_vlans));
}

/* ---- devices above the port ---- */

/* Devices on top of a port, whose MTU must fit that of the port. */

static bool is_smaller(const struct link *l, const struct capabilities *than)
{
	return !than->upper_mtu || l->mtu < than->upper_mtu ||
	       (l->mtu == than->upper_mtu && l->is_bond);
}

/*
 * Excludes bridges, whose MTU follows their ports', and one of a pair as veth: it is beside the
 * port in a bridge.
 */
static bool sends_through_port(const struct link_list *all, const struct link *l)
{
	const struct link *below = link_by_index(all, l->lower);

	return l->is_bond || (below && below->lower != l->ifindex);
}

void capabilities_read_upper(struct host *h, const struct port *port, struct capabilities *ret)
{
	_link_list_ struct link_list all = { .links = NULL };
	struct err quiet = { 0 };

	ret->upper_mtu = ret->largest_upper_mtu = 0;
	if (!host_links(h, &all, &quiet))
		return;
	for (size_t i = 0; i < all.count; i++) {
		const struct link *l = &all.links[i];

		if (l->ifindex == port->ifindex || !sends_through_port(&all, l) ||
		    !link_rests_on(&all, l, port->ifindex))
			continue;
		if (l->mtu > ret->largest_upper_mtu) {
			ret->largest_upper_mtu = l->mtu;
			snprintf(ret->largest_upper, sizeof(ret->largest_upper), "%s", l->name);
		}
		if ((l->is_bond || l->is_vlan) && is_smaller(l, ret)) {
			ret->upper_mtu = l->mtu;
			snprintf(ret->upper, sizeof(ret->upper), "%s", l->name);
		}
	}
}
