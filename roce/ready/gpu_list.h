/* The GPUs of the host. */
#ifndef LOSSLESSCTL_ROCE_READY_GPU_LIST_H
#define LOSSLESSCTL_ROCE_READY_GPU_LIST_H

#include "pci_config.h"

#define GPUS_MAX 16

#define PCI_DEVICES "/sys/bus/pci/devices"

struct gpus {
	char address[GPUS_MAX][PCI_NAME_MAX];
	uint16_t count;
	bool has_nvidia;
};

/* Lists them once a run; none on a host without PCI. Errors are those of host_list_dir(). */
bool gpus_list(struct host *h, struct gpus *ret, struct err *err) must_check;

#endif
