/* The guard for RDMA traffic that passes through the port. */
#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/pci_functions.h"
#include "../../policy/util/oom.h"
#include "../registry.h"

#define SAMPLE_MS 100

static uint64_t rdma_packets(const struct sample *s)
{
	return s->value[counter_slot(COUNT_RX_RDMA_PACKETS, 0)] +
	       s->value[counter_slot(COUNT_TX_RDMA_PACKETS, 0)];
}

/* Packets of a port and its functions. */
struct count {
	struct host *h;
	struct scratch *scratch;
	uint64_t packets;
	unsigned functions;
	struct err err; /* why the packets of a function are unknown */
};

static bool add_packets(struct count *c, const char *interface, struct err *err)
{
	struct sample now = { .at_ms = 0 };
	struct port one = { .ifindex = 0 };

	snprintf(one.id.name, sizeof(one.id.name), "%s", interface);
	if (!counter_reader_ethtool.read(c->h, &one, c->scratch, &now, err))
		return false;
	c->packets += rdma_packets(&now);
	return true;
}

static void add_function(const char *interface, void *arg)
{
	struct count *c = arg;
	struct err why = { 0 };

	if (add_packets(c, interface, &why))
		c->functions++;
	else if (why.kind != ERR_UNSUPPORTED && why.kind != ERR_GONE)
		c->err = why;
}

/* Packets of VFs and SFs pass through the port, and only they count them. */
static bool count_packets(struct host *h, const struct port *port, struct guard_look *ret,
			  struct err *err)
{
	_free_ struct scratch *s = scratch_new();
	struct count c = { .h = h, .scratch = s };

	if (!s)
		return err_no_memory(err);
	if (!add_packets(&c, port->id.name, err) || !functions_here(h, port, add_function, &c, err))
		return false;
	*ret = (struct guard_look){ true, h->now_ms(h), c.packets, c.functions };
	if (c.err.kind)
		*err = c.err;
	return !c.err.kind;
}

static bool has_rdma(const struct port *port)
{
	return port->rdma_port || port->shares_rdma;
}

static void traffic_look(struct host *h, const struct port *port, struct guard_look *ret)
{
	struct err quiet = { 0 };

	ret->taken = has_rdma(port) && count_packets(h, port, ret, &quiet);
}

static bool count_again(struct host *h, const struct port *port, struct guard_look *first,
			struct guard_look *ret, struct err *err)
{
	uint64_t passed;

	if (!first->taken && !count_packets(h, port, first, err))
		return false;
	passed = h->now_ms(h) - first->at_ms;
	if (passed < SAMPLE_MS)
		host_sleep(h, (unsigned)(SAMPLE_MS - passed));
	if (!count_packets(h, port, ret, err))
		return false;
	if (ret->functions == first->functions)
		return true;
	*first = *ret; /* a function came or went, with its count */
	host_sleep(h, SAMPLE_MS);
	return count_packets(h, port, ret, err);
}

/*
 * The kernel does not list all queue pairs: those of DEVX (NCCL's GIN, DOCA) show by their packets
 * alone. Counters that cannot be read may grow; a driver without counters has no such queue pairs.
 */
static bool traffic_objects(struct host *h, const struct port *port, const struct guard_look *look,
			    char why[GUARD_WHY_MAX])
{
	struct guard_look first = *look, now;
	struct err err = { 0 };
	uint64_t packets;

	if (!has_rdma(port))
		return false;
	if (!count_again(h, port, &first, &now, &err)) {
		if (err.kind == ERR_UNSUPPORTED)
			return false;
		snprintf(why, GUARD_WHY_MAX,
			 "the RDMA traffic of this port cannot be counted: %.160s", err.text);
		return true;
	}
	packets = now.count > first.count ? now.count - first.count : 0;
	if (packets)
		snprintf(why, GUARD_WHY_MAX,
			 "RDMA traffic passes through this port: %llu packet%s in %llu ms",
			 (unsigned long long)packets, packets == 1 ? "" : "s",
			 (unsigned long long)(now.at_ms - first.at_ms));
	return packets != 0;
}

const struct guard guard_traffic = {
	.name = "rdma-traffic",
	.over = EVERY_SETTING,
	.from = DISRUPTS_RDMA,
	.overridden_by = ALLOW_DISRUPTION,
	.look = traffic_look,
	.objects_since = traffic_objects,
	.fix = "wait for the job to end, or use --allow-disruption",
};
