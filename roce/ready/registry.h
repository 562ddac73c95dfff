/* The readers of this directory. */
#ifndef LOSSLESSCTL_ROCE_READY_REGISTRY_H
#define LOSSLESSCTL_ROCE_READY_REGISTRY_H

#include "../../agent/engine/ready/ready_reader.h"

extern const struct ready_reader ready_link, ready_ports, ready_pci_link,
	ready_pci_max_read_request, ready_pci_relaxed_ordering, ready_pci_acs, ready_pci_ats,
	ready_iommu, ready_numa_node, ready_gpu_distance, ready_rdma_mtu, ready_rdma_lag,
	ready_fec_errors, ready_symbol_errors, ready_link_downs, ready_nvconfig, ready_roce_accl,
	ready_gpu_memory, ready_rdma_topo, ready_memlock, ready_memlock_services, ready_hugepages,
	ready_gid, ready_shared_subnet, ready_rdma_netns, ready_firmware;

#endif
