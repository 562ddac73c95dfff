#include "uniform.h"

#include <stdio.h>

#include "../policy/json.h"
#include "print.h"

static bool differs(const struct setup *a, const struct setup *b, unsigned knob)
{
	bool in_a = a->have->has & KNOB(knob), in_b = b->have->has & KNOB(knob);

	return in_a != in_b || (in_a && !knob_equal(&knobs[knob], a->have, b->have));
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

static void print_difference(const struct cli *c, const struct setup *setups, size_t count,
			     unsigned knob)
{
	char text[KNOB_TEXT_MAX];

	print_knob_name(&knobs[knob]);
	for (size_t i = 0; i < count; i++) {
		bool has = setups[i].have->has & KNOB(knob);

		printf("%s%s", i ? "; " : "", c->out.dim);
		print_clean(stdout, setups[i].port);
		printf("%s %s", c->out.reset,
		       has ? knob_text(&knobs[knob], setups[i].have, text) : "has none");
	}
	putchar('\n');
}

void print_uniform(const struct cli *c, const struct setup *setups, size_t count)
{
	knobset off = uniform_differences(setups, count);

	if (count < 2)
		return;
	if (!off) {
		printf("%sall %zu ports are set up alike%s\n", c->out.dim, count, c->out.reset);
		return;
	}
	printf("%sthe ports differ in%s\n", c->out.bold, c->out.reset);
	for (unsigned k = 0; k < KNOB_COUNT; k++)
		if (off & KNOB(k))
			print_difference(c, setups, count, k);
}
