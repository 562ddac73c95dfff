#include "captured_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"

static const json_t *port_of(const json_t *moment, const char *name)
{
	const json_t *port;
	size_t i;

	json_array_foreach (json_object_get(moment, "ports"), i, port)
		if (strcmp(json_text(port, "port"), name) == 0)
			return port;
	return NULL;
}

/* A counter of a later version, or that is no count, is absent. */
static struct sample sample_from_json(const json_t *port)
{
	const json_t *list = json_object_get(port, "counters");
	json_int_t at_ms = json_integer_value(json_object_get(port, "uptime_ms"));
	struct sample s = { .at_ms = at_ms > 0 ? (uint64_t)at_ms : 0 };
	char name[COUNTER_NAME_MAX];

	for (size_t i = 0; i < COUNTER_SLOTS; i++) {
		const json_t *value = json_object_get(list, counter_slot_name(i, name));

		s.has[i] = json_is_integer(value) && json_integer_value(value) >= 0;
		s.value[i] = s.has[i] ? (uint64_t)json_integer_value(value) : 0;
	}
	return s;
}

/* Returns the milliseconds between the two samples; 0: the port is unknown, and ret says why. */
static uint64_t judge_port(const json_t *samples, const struct thresholds *l,
			   const struct target *t, struct counted *ret)
{
	const char *name = t->task.port.id.name;
	struct sample first = sample_from_json(port_of(json_array_get(samples, 0), name)),
		      last = sample_from_json(port_of(json_array_get(samples, 1), name));

	if (first.at_ms && last.at_ms > first.at_ms) {
		counter_check_judge(l, t, &first, &last, ret);
		return last.at_ms - first.at_ms;
	}
	ret->rates = rates_unknown();
	snprintf(ret->unknown, sizeof(ret->unknown),
		 "the document does not have two samples of this port's counters");
	return 0;
}

bool captured_counters_judge(const struct captured_host *h, const struct thresholds *l,
			     const struct targets *all, struct counted **ret, unsigned *seconds,
			     struct err *err)
{
	const json_t *samples = json_object_get(h->bundle, "samples");
	uint64_t longest = 0;

	if (json_array_size(samples) < 2)
		return true;
	*ret = calloc(all->count + 1, sizeof(**ret));
	if (!*ret)
		return err_no_memory(err);
	for (size_t i = 0; i < all->count; i++) {
		uint64_t ms = judge_port(samples, l, &all->list[i], &(*ret)[i]);

		longest = ms > longest ? ms : longest;
	}
	*seconds = (unsigned)(longest / 1000);
	return true;
}
