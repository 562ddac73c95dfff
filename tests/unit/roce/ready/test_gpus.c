/* Tests of the checks of a port's place among GPUs and NUMA nodes, and the way to GPU memory. */
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define SYS "/sys/bus/pci/devices/"
#define GPU "0000:3c:00.0"

#define DEVICE(address, class, vendor) \
	{ SYS address "/class", class }, \
	{ \
		SYS address "/vendor", vendor \
	}
#define NVIDIA(address) DEVICE(address, "0x030200", "0x10de")
#define ABOVE(address, up, bridge) \
	{ \
		SYS address up "/uevent", "PCI_SLOT_NAME=" bridge \
	}
#define NODE(address, node) \
	{ \
		SYS address "/numa_node", node \
	}
#define ONLINE(nodes) \
	{ \
		"/sys/devices/system/node/online", nodes \
	}
#define NIC_AT "0000:3b:00.0"

static const struct ready_row_test places[] = {
	{ "no GPU",
	  &ready_gpu_distance,
	  { DEVICE(NIC_AT, "0x020000", "0x15b3") },
	  READY_NOT_APPLICABLE,
	  0,
	  "no GPU" },
	{ "a console's display is no GPU",
	  &ready_gpu_distance,
	  { DEVICE("0000:02:00.0", "0x030000", "0x1a03") },
	  READY_NOT_APPLICABLE,
	  0,
	  "no GPU" },
	{ "a GPU behind the same switch",
	  &ready_gpu_distance,
	  { NVIDIA(GPU), ABOVE(NIC_AT, "/..", "0000:3a:01.0"),
	    ABOVE(NIC_AT, "/../..", "0000:39:00.0"), ABOVE(GPU, "/..", "0000:3a:02.0"),
	    ABOVE(GPU, "/../..", "0000:39:00.0") },
	  READY_MET,
	  3,
	  "switch to 0000:3c:00.0" },
	{ "a GPU below the same root",
	  &ready_gpu_distance,
	  { NVIDIA(GPU), ABOVE(NIC_AT, "/..", "0000:39:01.0"), ABOVE(GPU, "/..", "0000:39:02.0") },
	  READY_MET,
	  2,
	  "same-root" },
	{ "a GPU on the same node",
	  &ready_gpu_distance,
	  { NVIDIA(GPU), ABOVE(NIC_AT, "/..", "0000:39:01.0"), ABOVE(GPU, "/..", "0000:80:02.0"),
	    NODE(NIC_AT, "0"), NODE(GPU, "0") },
	  READY_MET,
	  1,
	  "same-node" },
	{ "a GPU on another node",
	  &ready_gpu_distance,
	  { NVIDIA(GPU), ABOVE(NIC_AT, "/..", "0000:39:01.0"), ABOVE(GPU, "/..", "0000:80:02.0"),
	    NODE(NIC_AT, "0"), NODE(GPU, "1") },
	  READY_MET,
	  0,
	  "other-node" },
	{ "the nearest of two GPUs",
	  &ready_gpu_distance,
	  { NVIDIA("0000:81:00.0"), NVIDIA(GPU), ABOVE(NIC_AT, "/..", "0000:39:01.0"),
	    ABOVE("0000:81:00.0", "/..", "0000:80:02.0"), ABOVE(GPU, "/..", "0000:39:02.0") },
	  READY_MET,
	  2,
	  GPU },
	{ "the nearest of two GPUs, if it comes first",
	  &ready_gpu_distance,
	  { NVIDIA(GPU), NVIDIA("0000:81:00.0"), ABOVE(NIC_AT, "/..", "0000:39:01.0"),
	    ABOVE("0000:81:00.0", "/..", "0000:80:02.0"), ABOVE(GPU, "/..", "0000:39:02.0") },
	  READY_MET,
	  2,
	  GPU },
	{ "an accelerator of AMD",
	  &ready_gpu_distance,
	  { DEVICE(GPU, "0x120000", "0x1002"), ABOVE(NIC_AT, "/..", "0000:39:01.0"),
	    ABOVE(GPU, "/..", "0000:39:01.0") },
	  READY_MET,
	  3,
	  NULL },
	{ "one NUMA node",
	  &ready_numa_node,
	  { ONLINE("0"), NODE(NIC_AT, "-1") },
	  READY_NOT_APPLICABLE,
	  0,
	  "one NUMA node" },
	{ "a known NUMA node",
	  &ready_numa_node,
	  { ONLINE("0-1"), NODE(NIC_AT, "1") },
	  READY_MET,
	  1,
	  "node 1" },
	{ "an unknown NUMA node",
	  &ready_numa_node,
	  { ONLINE("0-1"), NODE(NIC_AT, "-1") },
	  READY_MET,
	  0,
	  NULL },
	{ "no GPU of NVIDIA",
	  &ready_gpu_memory,
	  { DEVICE(GPU, "0x120000", "0x1002") },
	  READY_NOT_APPLICABLE,
	  0,
	  "NVIDIA" },
	{ "a host without PCI",
	  &ready_gpu_memory,
	  { { NULL, NULL } },
	  READY_NOT_APPLICABLE,
	  0,
	  NULL },
	{ "GPU memory by nvidia_peermem",
	  &ready_gpu_memory,
	  { NVIDIA(GPU), { "/sys/module/nvidia_peermem/version", "550" } },
	  READY_MET,
	  2,
	  NULL },
	{ "GPU memory by MLNX_OFED's peer memory",
	  &ready_gpu_memory,
	  { NVIDIA(GPU), { "/sys/kernel/mm/memory_peers/nv_mem_nc/version", "2" } },
	  READY_MET,
	  2,
	  NULL },
	{ "another client of peer memory",
	  &ready_gpu_memory,
	  { NVIDIA(GPU), { "/sys/kernel/mm/memory_peers/amdkfd/version", "2" } },
	  READY_MET,
	  0,
	  "not loaded" },
	{ "GPU memory by dmabuf",
	  &ready_gpu_memory,
	  { NVIDIA(GPU),
	    { "/proc/driver/nvidia/version",
	      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550" } },
	  READY_MET,
	  1,
	  NULL },
	{ "a closed driver exports no dmabuf",
	  &ready_gpu_memory,
	  { NVIDIA(GPU),
	    { "/proc/driver/nvidia/version",
	      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550" } },
	  READY_MET,
	  0,
	  NULL },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, places, ready_reads_so);
	return suite_run(&s, "gpus");
}
