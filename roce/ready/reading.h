/* Shared by several readers: numbers, PCI devices, GPUs, rdma_topo. */
#ifndef LOSSLESSCTL_ROCE_READY_READING_H
#define LOSSLESSCTL_ROCE_READY_READING_H

#include "../../agent/engine/ready/ready_reader.h"
#include "../../agent/host/host.h"

/* Unknown, for this error. Without the right to read, the fix is to use sudo. */
void reading_failed(struct ready_reading *r, const struct err *err);

/* Unknown: only root may read it. */
void reading_denied(struct ready_reading *r, const char *reason);

/* Reads a whole number from a file; false: there is no such file, or no number. */
bool reading_number(struct host *h, long *ret, const char *fmt, ...) must_check
	__attribute__((format(printf, 3, 4)));

/* ---- PCI devices in sysfs: their configuration space, and the bridges above them ---- */

#define PCI_DEPTH_MAX 16 /* bridges above a device */
#define PCI_NAME_MAX  16 /* "0000:3b:00.0" */
#define PCI_PATH_MAX  128

/*
 * The configuration space of a device. Without CAP_SYS_ADMIN the kernel gives the first 64 bytes
 * (pci_read_config() of drivers/pci/pci-sysfs.c).
 */
struct pci_config {
	uint8_t bytes[4096 + 2];
	bool is_whole; /* capabilities can be read */
};

/*
 * Writes the sysfs directory of the device that is `up` bridges above an address; 0: its own.
 * sysfs's links lead to the tree of devices, where the parent is the bridge.
 */
char *pci_path(const char *address, unsigned up, char path[PCI_PATH_MAX]);

/* Errors are those of host_read_file(). */
bool pci_config_read(struct host *h, const char *path, struct pci_config *ret,
		     struct err *err) must_check;

/* The offset of a capability, as PCI_CAP_ID_EXP; 0: the device has none. */
unsigned pci_capability(const struct pci_config *c, uint8_t id);

/* The offset of an extended capability, as PCI_EXT_CAP_ID_ACS; 0: the device has none. */
unsigned pci_extended_capability(const struct pci_config *c, uint16_t id);

/* The register of 16 bits at an offset. */
uint16_t pci_word(const struct pci_config *c, unsigned at);

/* The address of the device in this directory; false: there is none, as above a root port. */
bool pci_name(struct host *h, const char *path, char ret[PCI_NAME_MAX]);

/* The devices above an address, the nearest first; returns their number. */
size_t pci_bridges(struct host *h, const char *address, char ret[PCI_DEPTH_MAX][PCI_NAME_MAX]);

/* ---- the GPUs of the host ---- */

#define GPUS_MAX 16

#define PCI_DEVICES "/sys/bus/pci/devices"

struct gpus {
	char address[GPUS_MAX][PCI_NAME_MAX];
	uint16_t count;
	bool has_nvidia;
};

/* Lists them once a run; none on a host without PCI. Errors are those of host_list_dir(). */
bool gpus_list(struct host *h, struct gpus *ret, struct err *err) must_check;

/* ---- rdma_topo ---- */

/* Its judgement. Plain data. */
struct rdma_topo {
	enum ready_status status; /* READY_MET: it has judged; NOT_APPLICABLE or UNKNOWN */
	bool passed;
	bool judges_acs; /* it knows the platform, and its bridges */
	bool needs_root;
	char text[READY_TEXT_MAX]; /* the first failure, or why there is no judgement */
};

/* Reads its output, of any bytes. The text is printable. */
struct rdma_topo rdma_topo_from_text(const struct tool_output *output);

/* Asks it, once a run. */
struct rdma_topo rdma_topo_judgement(struct host *h);

#endif
