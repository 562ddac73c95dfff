#include "reading.h"

#include <linux/pci_regs.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WITH_SUDO "run `sudo losslessctl ready`"

void reading_failed(struct ready_reading *r, const struct err *err)
{
	ready_unknown(r, "%s", err->text);
	if (err->kind == ERR_DENIED)
		ready_fix(r, WITH_SUDO);
}

void reading_denied(struct ready_reading *r, const char *reason)
{
	ready_unknown(r, "%s", reason);
	ready_fix(r, WITH_SUDO);
}

bool reading_number(struct host *h, long *ret, const char *fmt, ...)
{
	char path[PATH_TEXT_MAX], text[32], *end;
	struct err quiet = { 0 };
	va_list args;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	if (!host_read_file(h, text, sizeof(text), &quiet, "%s", path))
		return false;
	*ret = strtol(text, &end, 0);
	return end > text && !*end;
}

/* ---- PCI configuration space ---- */

#define EXTENDED	 256 /* where the extended capabilities begin (PCI_CFG_SPACE_SIZE) */
#define WHOLE		 4096
#define HEADER		 64
#define CAPABILITIES_MAX 64 /* against a list that is a circle */

char *pci_path(const char *address, unsigned up, char path[PCI_PATH_MAX])
{
	size_t used = (size_t)snprintf(path, PCI_PATH_MAX, "/sys/bus/pci/devices/%.15s", address);

	for (; up > 0 && used + 4 < PCI_PATH_MAX; up--)
		used += (size_t)snprintf(path + used, PCI_PATH_MAX - used, "/..");
	return path;
}

uint16_t pci_word(const struct pci_config *c, unsigned at)
{
	return (uint16_t)(c->bytes[at] | c->bytes[at + 1] << 8);
}

/* Bytes that were not read are 0, and no capability has that number. */
static bool is_whole(const struct pci_config *c)
{
	return !(pci_word(c, PCI_STATUS) & PCI_STATUS_CAP_LIST) ||
	       c->bytes[c->bytes[PCI_CAPABILITY_LIST] & ~3u] != 0;
}

bool pci_config_read(struct host *h, const char *path, struct pci_config *ret, struct err *err)
{
	memset(ret, 0, sizeof(*ret));
	if (!host_read_file(h, (char *)ret->bytes, sizeof(ret->bytes), err, "%s/config", path))
		return false;
	ret->is_whole = is_whole(ret);
	return true;
}

unsigned pci_capability(const struct pci_config *c, uint8_t id)
{
	unsigned at = c->bytes[PCI_CAPABILITY_LIST] & ~3u;

	if (!(pci_word(c, PCI_STATUS) & PCI_STATUS_CAP_LIST))
		return 0;
	for (int left = CAPABILITIES_MAX; at >= HEADER && left > 0; left--) {
		if (c->bytes[at] == id)
			return at;
		at = c->bytes[at + PCI_CAP_LIST_NEXT] & ~3u;
	}
	return 0;
}

unsigned pci_extended_capability(const struct pci_config *c, uint16_t id)
{
	unsigned at = EXTENDED;

	for (int left = CAPABILITIES_MAX; at >= EXTENDED && at + 8 <= WHOLE && left > 0; left--) {
		if (pci_word(c, at) == id)
			return at;
		at = pci_word(c, at + 2) >> 4 & ~3u;
	}
	return 0;
}

bool pci_name(struct host *h, const char *path, char ret[PCI_NAME_MAX])
{
	static const char key[] = "PCI_SLOT_NAME=";
	struct err quiet = { 0 };
	char uevent[1024];
	const char *at;

	if (!host_read_file(h, uevent, sizeof(uevent), &quiet, "%s/uevent", path))
		return false;
	at = strstr(uevent, key);
	if (at)
		snprintf(ret, PCI_NAME_MAX, "%.*s", (int)strcspn(at + strlen(key), "\n"),
			 at + strlen(key));
	return at;
}

size_t pci_bridges(struct host *h, const char *address, char ret[PCI_DEPTH_MAX][PCI_NAME_MAX])
{
	char path[PCI_PATH_MAX];
	size_t n = 0;

	while (n < PCI_DEPTH_MAX && pci_name(h, pci_path(address, (unsigned)n + 1, path), ret[n]))
		n++;
	return n;
}

/* ---- GPUs ---- */

_Static_assert(sizeof(struct gpus) <= FACT_BYTES, "a run remembers them");

/* Vendors of GPUs: servers have a display controller for their console as well. */
enum { VENDOR_AMD = 0x1002, VENDOR_NVIDIA = 0x10de, VENDOR_INTEL = 0x8086 };

/* A class is base, sub-class and interface, a byte each. */
enum { CLASS_DISPLAY = 0x03, CLASS_ACCELERATOR = 0x12, CLASS_DISPLAY_OTHER = 0x0380 };

static bool is_gpu(long class, long vendor)
{
	if (class >> 16 == CLASS_ACCELERATOR)
		return true;
	return (class >> 16 == CLASS_DISPLAY &&
		(vendor == VENDOR_NVIDIA || vendor == VENDOR_AMD)) ||
	       (class >> 8 == CLASS_DISPLAY_OTHER && vendor == VENDOR_INTEL);
}

struct search {
	struct host *h;
	struct gpus *found;
};

static void add_gpu(const char *address, void *arg)
{
	struct search *s = arg;
	struct gpus *g = s->found;
	long class, vendor;

	if (g->count == GPUS_MAX ||
	    !reading_number(s->h, &class, PCI_DEVICES "/%s/class", address) ||
	    !reading_number(s->h, &vendor, PCI_DEVICES "/%s/vendor", address) ||
	    !is_gpu(class, vendor))
		return;
	snprintf(g->address[g->count++], PCI_NAME_MAX, "%.15s", address);
	g->has_nvidia |= vendor == VENDOR_NVIDIA;
}

bool gpus_list(struct host *h, struct gpus *ret, struct err *err)
{
	struct search s = { h, ret };
	struct err why = { 0 };

	if (run_fact_recall(&h->facts, FACT_GPUS, ret, sizeof(*ret)))
		return true;
	*ret = (struct gpus){ .count = 0 };
	if (!host_list_dir(h, PCI_DEVICES, add_gpu, &s, &why) && why.kind != ERR_UNSUPPORTED) {
		*err = why;
		return false;
	}
	run_fact_remember(&h->facts, FACT_GPUS, ret, sizeof(*ret));
	return true;
}
