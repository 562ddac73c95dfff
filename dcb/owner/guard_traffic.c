#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../registry.h"
#include "../counters.h"

#define SAMPLE_MS 100

static uint64_t rdma_packets(const struct sample *s)
{
	return s->value[counter_slot(COUNT_RX_RDMA_PACKETS, 0)] +
	       s->value[counter_slot(COUNT_TX_RDMA_PACKETS, 0)];
}

/* Samples twice; false: it cannot be told. */
static bool count_packets(struct host *h, const struct port *port, uint64_t *ret, struct err *err)
{
	_free_ struct scratch *s = scratch_new();
	struct sample at[2] = { { .at_ms = 0 } };

	if (!s)
		return err_no_memory(err);
	for (size_t i = 0; i < 2; i++) {
		if (i)
			host_sleep(h, SAMPLE_MS);
		if (!counter_reader_ethtool.read(h, port, s, &at[i], err))
			return false;
	}
	*ret = rdma_packets(&at[1]) - rdma_packets(&at[0]);
	return true;
}

/*
 * The kernel does not list all queue pairs: those of DEVX (NCCL's GIN, DOCA) show by their packets
 * alone. Counters that cannot be read may grow; a driver without counters has no such queue pairs.
 */
static bool traffic_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct err err = { 0 };
	uint64_t packets = 0;

	if (!port->rdma_port && !port->shares_rdma)
		return false;
	if (!count_packets(h, port, &packets, &err)) {
		if (err.kind == ERR_UNSUPPORTED)
			return false;
		snprintf(why, GUARD_WHY_MAX,
			 "the RDMA traffic of this port cannot be counted: %.160s", err.text);
		return true;
	}
	if (packets)
		snprintf(why, GUARD_WHY_MAX,
			 "RDMA traffic passes through this port: %llu packet%s in %d ms",
			 (unsigned long long)packets, packets == 1 ? "" : "s", SAMPLE_MS);
	return packets != 0;
}

const struct guard guard_traffic = {
	.name = "rdma-traffic",
	.over = EVERY_SETTING,
	.from = DISRUPTS_LINK,
	.overridden_by = ALLOW_DISRUPTION,
	.objects = traffic_objects,
	.fix = "wait for the job to end, or use --allow-disruption",
};
