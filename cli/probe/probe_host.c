#include "probe_host.h"

#include <stdlib.h>
#include <string.h>

#include "../../policy/util/oom.h"

void probe_host_free(struct probe_host *h)
{
	free(h->scratch);
	free(h->ports);
	job_free(&h->job);
	targets_free(&h->targets);
	inventory_free(&h->inventory);
}

static bool describe_ports(struct probe_host *h, struct err *err)
{
	h->ports = oom_calloc(h->targets.count + 1, sizeof(*h->ports));
	h->scratch = scratch_new();
	if (!h->ports || !h->scratch)
		return err_no_memory(err);
	for (size_t i = 0; i < h->targets.count; i++)
		probe_port_read(h->e, &h->targets.list[i], &h->job.ports[i], &h->ports[i]);
	return true;
}

bool probe_host_read(const struct engine *e, const struct policy *p, struct probe_host *ret,
		     struct err *err)
{
	ret->e = e;
	ret->asked = &p->probe;
	if (!inventory_read(e, &e->selection, &ret->inventory, err) ||
	    !targets_choose(e, p, &ret->inventory, &ret->targets, err))
		return false;
	for (size_t i = 0; i < ret->targets.count; i++)
		if (!target_observe(e, &ret->targets.list[i], err))
			return false;
	return job_read_ports(e, &ret->targets, &ret->job, err) && describe_ports(ret, err);
}

bool probe_host_find(const struct probe_host *h, const char *name, size_t *ret)
{
	for (size_t i = 0; i < h->targets.count; i++)
		if (strcmp(h->ports[i].name, name) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

bool probe_host_count(const struct probe_host *h, size_t port, struct probe_counts *ret,
		      struct err *err)
{
	const struct engine *e = h->e;
	struct sample sample;

	if (!sample_read(e->h, e->backends->counter_readers, &h->targets.list[port].task.port,
			 h->scratch, &sample, err))
		return false;
	*ret = probe_counts_from(&sample);
	return true;
}
