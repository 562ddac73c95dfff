/* The place of a port in the host: its nearest GPU, and its NUMA node. */
#include <stdio.h>
#include <string.h>

#include "gpus.h"
#include "probe.h"
#include "registry.h"

enum distance { OTHER_NODE, SAME_NODE, SAME_ROOT, SAME_SWITCH };

#define ROOT_LENGTH 7 /* "0000:3a": domain and bus */

/* A device and those above it, up to the root bus. */
struct place {
	char address[PCI_NAME_MAX];
	char bridges[PCI_DEPTH_MAX][PCI_NAME_MAX];
	size_t count;
	long node;
};

static struct place place_of(struct host *h, const char *address)
{
	struct place p = { .count = 0 };

	snprintf(p.address, sizeof(p.address), "%.15s", address);
	p.count = pci_bridges(h, address, p.bridges);
	if (!probe_number(h, &p.node, PCI_DEVICES "/%s/numa_node", p.address))
		p.node = -1;
	return p;
}

/* The address of the topmost device, which lies on the root bus. */
static const char *top_of(const struct place *p)
{
	return p->count ? p->bridges[p->count - 1] : p->address;
}

static bool share_bridge(const struct place *a, const struct place *b)
{
	return a->count && b->count && strcmp(top_of(a), top_of(b)) == 0;
}

static enum distance distance_of(const struct place *a, const struct place *b)
{
	if (share_bridge(a, b))
		return SAME_SWITCH;
	if (strncmp(top_of(a), top_of(b), ROOT_LENGTH) == 0)
		return SAME_ROOT;
	return a->node == b->node ? SAME_NODE : OTHER_NODE;
}

static void read_distance(const struct ready_scene *s, const struct port *port,
			  struct ready_reading *r)
{
	struct err err = { 0 };
	struct gpus gpus;
	struct place own;
	int best = -1;

	if (!gpus_list(s->h, &gpus, &err)) {
		probe_failed(r, &err);
		return;
	}
	if (!gpus.count || !port->id.pci[0]) {
		ready_not_applicable(r, gpus.count ? "the port is no PCI function"
						   : "the host has no GPU");
		return;
	}
	own = place_of(s->h, port->id.pci);
	for (size_t i = 0; i < gpus.count; i++) {
		struct place gpu = place_of(s->h, gpus.address[i]);
		int d = (int)distance_of(&own, &gpu);

		if (d <= best)
			continue;
		best = d;
		ready_found(r, (uint64_t)d, "%s to %s", ready_checks[READY_GPU_DISTANCE].words[d],
			    gpu.address);
	}
}

const struct ready_probe ready_gpu_distance = { .id = READY_GPU_DISTANCE, .read = read_distance };

/* ---- NUMA ---- */

/* "0", or "0-1" and "0,2" with several. */
static bool has_several_nodes(struct host *h)
{
	struct err quiet = { 0 };
	char nodes[64];

	return host_read_file(h, nodes, sizeof(nodes), &quiet, "/sys/devices/system/node/online") &&
	       strpbrk(nodes, "-,");
}

static void read_numa_node(const struct ready_scene *s, const struct port *port,
			   struct ready_reading *r)
{
	long node;

	if (!has_several_nodes(s->h)) {
		ready_not_applicable(r, "the host has one NUMA node");
		return;
	}
	if (!probe_number(s->h, &node, PCI_DEVICES "/%s/numa_node", port->id.pci)) {
		ready_not_applicable(r, "the port is no PCI function");
		return;
	}
	if (node < 0)
		ready_found(r, 0, "%s", "");
	else
		ready_found(r, 1, "node %ld", node);
}

const struct ready_probe ready_numa_node = { .id = READY_NUMA_NODE, .read = read_numa_node };
