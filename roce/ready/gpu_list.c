#include "gpu_list.h"

#include <stdio.h>

#include "reading.h"

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
