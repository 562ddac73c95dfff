#include "port_diff.h"

#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "../../policy/util/oom.h"
#include "fold.h"
#include "groups.h"
#include "print.h"

static bool differs(const struct setup *a, const struct setup *b, unsigned knob)
{
	bool in_a = a->have->has & KNOB(knob), in_b = b->have->has & KNOB(knob);

	return (SETUP_KNOBS & KNOB(knob)) &&
	       (in_a != in_b || (in_a && !knob_equal(&knobs[knob], a->have, b->have)));
}

knobset uniform_differences(const struct setup *setups, size_t count)
{
	knobset off = 0;

	for (size_t i = 1; i < count; i++)
		for (unsigned k = 0; k < KNOB_COUNT; k++)
			if (differs(&setups[0], &setups[i], k))
				off |= KNOB(k);
	return off;
}

json_t *uniform_to_json(const struct setup *setups, size_t count)
{
	knobset off = uniform_differences(setups, count);
	json_t *list = json_array();

	for (unsigned k = 0; k < KNOB_COUNT; k++) {
		json_t *values;

		if (!(off & KNOB(k)))
			continue;
		values = json_object();
		for (size_t i = 0; i < count; i++)
			json_object_set_new(values, setups[i].port,
					    knob_to_json(&knobs[k], setups[i].have));
		json_array_append_new(list, json_pack("{s:s, s:o}", "knob", knobs[k].path, "values",
						      values));
	}
	return list;
}

/* One setting of all ports. */
struct row {
	const struct setup *setups;
	unsigned knob;
};

static bool is_same(const void *all, size_t a, size_t b)
{
	const struct row *r = all;

	return !differs(&r->setups[a], &r->setups[b], r->knob);
}

/* "ens1f0np0 1500", or "62 ports 9000". */
static void print_value(const struct cli *c, const struct row *r, size_t i, size_t size)
{
	char text[KNOB_TEXT_MAX];
	const struct config *have = r->setups[i].have;

	fputs(c->out.dim, stdout);
	if (size >= FOLD_FROM)
		printf("%zu ports", size);
	else
		print_clean(stdout, r->setups[i].port);
	printf("%s %s", c->out.reset,
	       have->has & KNOB(r->knob) ? knob_text(&knobs[r->knob], have, text) : "has none");
}

static void print_difference(const struct cli *c, const struct row *r, size_t count, size_t *first)
{
	const char *sep = "";

	groups_find(r, count, is_same, first);
	print_knob_name(&knobs[r->knob]);
	for (size_t i = 0; i < count; i++) {
		size_t size = group_size(first, count, i);

		if (first[i] != i && size >= FOLD_FROM)
			continue;
		fputs(sep, stdout);
		print_value(c, r, i, size);
		sep = "; ";
	}
	putchar('\n');
}

static void print_differences(const struct cli *c, const struct setup *setups, size_t count,
			      knobset off)
{
	_free_ size_t *first = memory_room(count, sizeof(*first));

	*c->lost = *c->lost || !first;
	if (!first)
		return;
	printf("%sthe ports differ in%s\n", c->out.bold, c->out.reset);
	for (unsigned k = 0; k < KNOB_COUNT; k++)
		if (off & KNOB(k))
			print_difference(c, &(struct row){ setups, k }, count, first);
}

void print_uniform(const struct cli *c, const struct setup *setups, size_t count)
{
	knobset off = uniform_differences(setups, count);

	if (off)
		print_differences(c, setups, count, off);
	else if (count > 1)
		printf("%sall %zu ports are set up alike%s\n", c->out.dim, count, c->out.reset);
}
