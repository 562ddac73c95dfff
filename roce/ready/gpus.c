/*
 * GPUs: the way of the adapter into the memory of NVIDIA's, looked for as NCCL does
 * (net_ib/gdr.cc), and the distance to it.
 */
#include <stdio.h>
#include <string.h>

#include "gpu_list.h"
#include "reading.h"
#include "registry.h"

/* ---- memory ---- */

enum way { MISSING, DMABUF, PEERMEM };

/* "nv_mem" of nvidia_peermem, and "nv_mem_nc" of MLNX_OFED's nv_peer_mem. */
static void note_client(const char *name, void *arg)
{
	*(bool *)arg |= strncmp(name, "nv_mem", 6) == 0;
}

/* The module alone does not suffice: it registers with MLNX_OFED's or the kernel's ib_core. */
static bool has_peermem(struct host *h)
{
	bool found = false;
	struct err quiet = { 0 };

	return (host_list_dir(h, "/sys/kernel/mm/memory_peers", note_client, &found, &quiet) &&
		found) ||
	       host_has_file(h, "/sys/module/nvidia_peermem/version");
}

/* Only NVIDIA's open kernel modules export dmabuf. */
static bool has_dmabuf(struct host *h)
{
	char version[1024];
	struct err quiet = { 0 };

	return host_read_file(h, version, sizeof(version), &quiet, "/proc/driver/nvidia/version") &&
	       strstr(version, "Open Kernel Module");
}

static void read_gpu_memory(const struct ready_scene *s, const struct port *port,
			    struct ready_reading *r)
{
	struct err err = { 0 };
	struct gpus gpus = { .count = 0 };

	(void)port;
	if (!gpus_list(s->h, &gpus, &err)) {
		reading_failed(r, &err);
		return;
	}
	if (!gpus.has_nvidia) {
		ready_not_applicable(r, "the host has no GPU of NVIDIA");
		return;
	}
	if (has_peermem(s->h)) {
		ready_found(r, PEERMEM, "%s", "");
		return;
	}
	ready_found(r, has_dmabuf(s->h) ? DMABUF : MISSING, "%s", "");
	if (!host_has_file(s->h, "/proc/driver/nvidia/version"))
		ready_reason(r, "the driver of NVIDIA is not loaded");
}

const struct ready_reader ready_gpu_memory = { .id = READY_GPU_MEMORY, .read = read_gpu_memory };

/* ---- distance ---- */

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
	if (!reading_number(h, &p.node, PCI_DEVICES "/%s/numa_node", p.address))
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
	struct gpus gpus = { .count = 0 };
	struct place own;
	int best = -1;

	if (!gpus_list(s->h, &gpus, &err)) {
		reading_failed(r, &err);
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

const struct ready_reader ready_gpu_distance = { .id = READY_GPU_DISTANCE, .read = read_distance };

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
	if (!reading_number(s->h, &node, PCI_DEVICES "/%s/numa_node", port->id.pci)) {
		ready_not_applicable(r, "the port is no PCI function");
		return;
	}
	if (node < 0)
		ready_found(r, 0, "%s", "");
	else
		ready_found(r, 1, "node %ld", node);
}

const struct ready_reader ready_numa_node = { .id = READY_NUMA_NODE, .read = read_numa_node };
