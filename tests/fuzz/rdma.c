/* Fuzz target: the kernel's answers about RDMA devices, queue pairs, counters and devlink. */
#include <stdlib.h>
#include <string.h>

#include "../../agent/monitor/sampler.h"
#include "../../roce/device.h"
#include "../../roce/devlink.h"
#include "../../roce/registry.h"
#include "fuzz.h"
#include "outside.h"

#define PORTS 3

static const struct feature *const features[] = { &feature_roce_enabled };

static void find_devices(struct outside *o)
{
	struct port ports[PORTS];
	struct port_list others = { NULL, 0 };
	struct rdma_names infiniband;
	struct err err = { 0 };
	bool ok;

	for (unsigned i = 0; i < PORTS; i++) {
		ports[i] = o->port;
		ports[i].ifindex = i + 1;
		ports[i].rdma_port = 0;
		ports[i].id.rdma[0] = '\0';
	}
	ok = rdma_find(&o->host, ports, PORTS, &others, &infiniband, &err);
	free(others.list);
	if (!ok) {
		MUST(err.kind != ERR_NONE);
		return;
	}
	for (unsigned i = 0; i < PORTS; i++)
		MUST(strnlen(ports[i].id.rdma, ID_MAX) < ID_MAX);
}

static void list_names(struct outside *o)
{
	struct port_list others = { NULL, 0 };
	struct rdma_names names;
	struct err err = { 0 };
	bool ok = rdma_find(&o->host, NULL, 0, &others, &names, &err);

	free(others.list);
	if (!ok)
		return;
	MUST(names.count <= RDMA_NAMES_MAX);
	for (size_t i = 0; i < names.count; i++)
		MUST(strnlen(names.names[i], ID_MAX) < ID_MAX);
}

static void count_queue_pairs(struct outside *o)
{
	struct err err = { 0 };
	unsigned active;

	if (!rdma_count_active(&o->host, &o->port, &active, &err))
		MUST(err.kind != ERR_NONE);
}

static void read_counters(struct outside *o)
{
	struct sample s = { .has = { false } };
	struct err err = { 0 };

	if (!counter_reader_rdma.read(&o->host, &o->port, NULL, &s, &err))
		MUST(err.kind != ERR_NONE && err.text[0]);
}

static void list_modes(struct outside *o)
{
	struct eswitch_list all;

	devlink_list_eswitches(&o->host, &all);
	for (size_t i = 0; i < all.count; i++) {
		MUST(strnlen(all.list[i].pci, ID_MAX) < ID_MAX);
		MUST(all.list[i].mode < ESWITCH_MODES);
	}
	free(all.list);
}

/* The first byte of the input selects the request; the corpus depends on this order. */
static void (*const asks[])(struct outside *o) = { find_devices, list_names, count_queue_pairs,
						   read_counters, list_modes };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outside o;

	outside_begin(&o, data, size);
	if (!outside_ask(&o, asks, sizeof(asks) / sizeof(asks[0])))
		outside_converse(&o, features, sizeof(features) / sizeof(features[0]));
	outside_end(&o);
	return 0;
}
