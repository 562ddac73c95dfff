/* The way of the adapter into the memory of NVIDIA GPUs, looked for as NCCL does (net_ib/gdr.cc).
 */
#include <stdio.h>
#include <string.h>

#include "gpus.h"
#include "probe.h"
#include "registry.h"

enum way { MISSING, DMABUF, PEERMEM };

struct search {
	bool found;
};

/* "nv_mem" of nvidia_peermem, and "nv_mem_nc" of MLNX_OFED's nv_peer_mem. */
static void note_client(const char *name, void *arg)
{
	struct search *s = arg;

	s->found |= strncmp(name, "nv_mem", 6) == 0;
}

/* The module alone does not suffice: it registers with MLNX_OFED's or the kernel's ib_core. */
static bool has_peermem(struct host *h)
{
	struct search s = { false };
	struct err quiet = { 0 };

	return (host_list_dir(h, "/sys/kernel/mm/memory_peers", note_client, &s, &quiet) &&
		s.found) ||
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
	struct gpus gpus;

	(void)port;
	if (!gpus_list(s->h, &gpus, &err)) {
		probe_failed(r, &err);
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

const struct ready_probe ready_gpu_memory = { .id = READY_GPU_MEMORY, .read = read_gpu_memory };
