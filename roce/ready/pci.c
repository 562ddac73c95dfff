/* The port's PCI Express function, and the bridges above it. */
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_list.h"
#include "pci_config.h"
#include "rdma_topo.h"
#include "reading.h"
#include "registry.h"

#define SET_ACS_ON "enable ACS in the firmware setup of the host (BIOS)"
#define NOT_PCI	   "the port is no PCI function"
#define OF_PF	   "it belongs to the PF"
#define NOT_PCIE   "the port has no PCI Express link here, as in a virtual machine"

/* Speed and width of a PCI Express link. */
struct lanes {
	double speed; /* GT/s; 0: unknown */
	long width;
};

static struct lanes read_lanes(struct host *h, const char *device, const char *which)
{
	struct lanes l = { 0, 0 };
	struct err quiet = { 0 };
	char text[32]; /* "16.0 GT/s PCIe" or "Unknown" */

	if (host_read_file(h, text, sizeof(text), &quiet, "%s/%s_link_speed", device, which))
		l.speed = strtod(text, NULL);
	if (!reading_number(h, &l.width, "%s/%s_link_width", device, which))
		l.width = 0;
	return l;
}

static bool is_known(const struct lanes *l)
{
	return l->speed > 0 && l->width > 0;
}

static bool reaches(const struct lanes *l, const struct lanes *most)
{
	return l->speed >= most->speed && l->width >= most->width;
}

/* The best that the adapter and the slot, the bridge above it, share. */
static struct lanes shared_best(const struct lanes *adapter, const struct lanes *slot)
{
	struct lanes l = *adapter;

	if (is_known(slot) && slot->speed < l.speed)
		l.speed = slot->speed;
	if (is_known(slot) && slot->width < l.width)
		l.width = slot->width;
	return l;
}

static void read_link(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	char own[PCI_PATH_MAX], above[PCI_PATH_MAX];
	struct lanes now, most, slot, best;

	if (port->is_vf) {
		ready_not_applicable(r, OF_PF);
		return;
	}
	pci_path(port->id.pci, 0, own);
	now = read_lanes(s->h, own, "current");
	most = read_lanes(s->h, own, "max");
	slot = read_lanes(s->h, pci_path(port->id.pci, 1, above), "max");
	if (!is_known(&now) || !is_known(&most)) {
		ready_not_applicable(r, NOT_PCIE);
		return;
	}
	best = shared_best(&most, &slot);
	ready_found(r, reaches(&now, &most) ? 2 : reaches(&now, &best),
		    "%.1f GT/s x%ld of %.1f GT/s x%ld", now.speed, now.width, most.speed,
		    most.width);
	if (is_known(&slot))
		ready_reason(r, "the slot supports %.1f GT/s x%ld", slot.speed, slot.width);
}

const struct ready_reader ready_pci_link = { .id = READY_PCI_LINK, .read = read_link };

/* Reads the configuration space; false: the reading says why there is none. */
static bool read_config(struct host *h, const char *path, struct pci_config *c,
			struct ready_reading *r)
{
	struct err err = { 0 };

	if (!pci_config_read(h, path, c, &err)) {
		if (err.kind == ERR_UNSUPPORTED)
			ready_not_applicable(r, NOT_PCI);
		else
			reading_failed(r, &err);
		return false;
	}
	if (!c->is_whole)
		reading_denied(r, "only root may read PCI configuration space beyond 64 bytes");
	return c->is_whole;
}

/* Reads the register Device Control of a physical function. */
static bool read_device_control(const struct ready_scene *s, const struct port *port, uint16_t *ret,
				struct ready_reading *r)
{
	char path[PCI_PATH_MAX];
	struct pci_config c;
	unsigned at;

	if (port->is_vf) {
		ready_not_applicable(r, OF_PF);
		return false;
	}
	if (!read_config(s->h, pci_path(port->id.pci, 0, path), &c, r))
		return false;
	at = pci_capability(&c, PCI_CAP_ID_EXP);
	if (!at)
		ready_not_applicable(r, NOT_PCIE);
	*ret = at ? pci_word(&c, at + PCI_EXP_DEVCTL) : 0;
	return at;
}

static void read_max_read_request(const struct ready_scene *s, const struct port *port,
				  struct ready_reading *r)
{
	uint16_t control;

	if (read_device_control(s, port, &control, r))
		ready_found(r, 128u << ((control & PCI_EXP_DEVCTL_READRQ) >> 12), "%s", "");
}

const struct ready_reader ready_pci_max_read_request = { .id = READY_PCI_MAX_READ_REQUEST,
							 .read = read_max_read_request };

static void read_relaxed_ordering(const struct ready_scene *s, const struct port *port,
				  struct ready_reading *r)
{
	uint16_t control;
	bool on;

	if (!read_device_control(s, port, &control, r))
		return;
	on = control & PCI_EXP_DEVCTL_RELAX_EN;
	ready_found(r, on, "%s", "");
	ready_fix(r, "run `setpci -s ADDRESS CAP_EXP+8.w=%s:0010`", on ? "0000" : "0010");
}

const struct ready_reader ready_pci_relaxed_ordering = { .id = READY_PCI_RELAXED_ORDERING,
							 .read = read_relaxed_ordering };

/* Bits of ACS that send traffic between devices to the root complex. */
#define ACS_REDIRECTS (PCI_ACS_RR | PCI_ACS_CR)

/* True if a bridge above the device redirects, or cannot be read: the reading is complete. */
static bool find_redirect(struct host *h, const char *address, struct ready_reading *r)
{
	char names[PCI_DEPTH_MAX][PCI_NAME_MAX], path[PCI_PATH_MAX];
	size_t count = pci_bridges(h, address, names);

	for (unsigned i = 0; i < count; i++) {
		struct pci_config c;
		unsigned at;

		if (!read_config(h, pci_path(address, i + 1, path), &c, r))
			return true;
		at = pci_extended_capability(&c, PCI_EXT_CAP_ID_ACS);
		if (!at || !(pci_word(&c, at + PCI_ACS_CTRL) & ACS_REDIRECTS))
			continue;
		ready_found(r, 1, "on in %s", names[i]);
		ready_fix(r, "run `setpci -s %s ECAP_ACS+6.w=0000:000c`", names[i]);
		return true;
	}
	return false;
}

static bool is_below(struct host *h, const char *address, const char *root_port)
{
	char names[PCI_DEPTH_MAX][PCI_NAME_MAX];
	size_t count = pci_bridges(h, address, names);

	return count && strcmp(names[count - 1], root_port) == 0;
}

/* A switch redirects requests at the port's bridge, and completions at the GPU's (PCIe, 6.12). */
static void read_acs(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	char names[PCI_DEPTH_MAX][PCI_NAME_MAX];
	size_t count = pci_bridges(s->h, port->id.pci, names);
	struct gpus gpus = { .count = 0 };
	struct err err = { 0 };
	bool complete;

	if (!count) {
		ready_not_applicable(r, "no bridge is above the port");
		return;
	}
	if (rdma_topo_judgement(s->h).judges_acs) {
		ready_not_applicable(r, "rdma_topo judges ACS here: see rdma-topo");
		return;
	}
	if (!gpus_list(s->h, &gpus, &err)) {
		reading_failed(r, &err);
		return;
	}
	ready_found(r, 0, "%s", "");
	ready_fix(r, SET_ACS_ON);
	complete = find_redirect(s->h, port->id.pci, r);
	for (size_t i = 0; !complete && i < gpus.count; i++)
		complete = is_below(s->h, gpus.address[i], names[count - 1]) &&
			   find_redirect(s->h, gpus.address[i], r);
}

const struct ready_reader ready_pci_acs = { .id = READY_PCI_ACS, .read = read_acs };

enum { FAILED, PASSED };

static void read_topo(const struct ready_scene *s, const struct port *none, struct ready_reading *r)
{
	struct rdma_topo t = rdma_topo_judgement(s->h);

	(void)none;
	if (t.status == READY_NOT_APPLICABLE) {
		ready_not_applicable(r, t.text);
	} else if (t.needs_root) {
		reading_denied(r, t.text);
	} else if (t.status == READY_UNKNOWN) {
		ready_unknown(r, "rdma_topo: %s", t.text);
	} else {
		ready_found(r, t.passed ? PASSED : FAILED, "%s", "");
		ready_reason(r, "%s", t.text);
		if (strncmp(t.text, "ATS", 3) == 0)
			ready_fix(r, "set ATS_ENABLED with mstconfig, then reboot");
	}
}

const struct ready_reader ready_rdma_topo = { .id = READY_RDMA_TOPO, .read = read_topo };

static void read_ats(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	char path[PCI_PATH_MAX];
	struct pci_config c;
	unsigned at;

	if (!read_config(s->h, pci_path(port->id.pci, 0, path), &c, r))
		return;
	at = pci_extended_capability(&c, PCI_EXT_CAP_ID_ATS);
	ready_found(r, at && (pci_word(&c, at + PCI_ATS_CTRL) & PCI_ATS_CTRL_ENABLE), "%s",
		    at ? "" : "off (the port has no ATS)");
}

const struct ready_reader ready_pci_ats = { .id = READY_PCI_ATS, .read = read_ats };

/* The types are those of drivers/iommu/iommu.c, iommu_group_show_type(). */
static void read_iommu(const struct ready_scene *s, const struct port *port,
		       struct ready_reading *r)
{
	char path[PCI_PATH_MAX], type[32];
	struct err err = { 0 };
	bool has_group;

	pci_path(port->id.pci, 0, path);
	if (!port->id.pci[0] || !host_has_file(s->h, "%s/class", path)) {
		ready_not_applicable(r, NOT_PCI);
		return;
	}
	has_group = host_read_file(s->h, type, sizeof(type), &err, "%s/iommu_group/type", path);
	if (!has_group && err.kind != ERR_UNSUPPORTED) {
		reading_failed(r, &err);
		return;
	}
	if (!has_group)
		ready_found(r, 0, "%s", "");
	else
		ready_found(r, strcmp(type, "identity") == 0 ? 1 : 2, "%s", "");
}

const struct ready_reader ready_iommu = { .id = READY_IOMMU, .read = read_iommu };
