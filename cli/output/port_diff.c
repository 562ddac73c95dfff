#include "port_diff.h"

#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/config_json.h"
#include "../../policy/util/oom.h"
#include "fold.h"
#include "groups.h"
#include "print.h"

json_t *port_differences_to_json(const struct setup *setups, size_t count)
{
	setting_set off = setups_differences(setups, count);
	json_t *list = json_array();

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		json_t *values;

		if (!(off & SETTING(k)))
			continue;
		values = json_object();
		for (size_t i = 0; i < count; i++)
			json_object_set_new(values, setups[i].port,
					    setting_to_json(&settings[k], setups[i].actual));
		json_array_append_new(list, json_pack("{s:s, s:o}", "setting", settings[k].path,
						      "values", values));
	}
	return list;
}

/* One setting across all ports. */
struct row {
	const struct setup *setups;
	unsigned setting;
};

static bool is_elsewhere(const struct row *r, size_t i)
{
	return r->setups[i].elsewhere & SETTING(r->setting);
}

static bool is_same(const void *all, size_t a, size_t b)
{
	const struct row *r = all;

	return is_elsewhere(r, a) == is_elsewhere(r, b) &&
	       !setups_differ(&r->setups[a], &r->setups[b], r->setting);
}

/* Prints "ens1f0np0 1500" or "62 ports 9000". */
static void print_value(const struct cli *c, const struct row *r, size_t i, size_t size)
{
	char text[SETTING_TEXT_MAX];
	const struct config *actual = r->setups[i].actual;

	fputs(c->out.dim, c->to);
	if (size >= FOLD_FROM)
		fprintf(c->to, "%zu ports", size);
	else
		print_clean(c->to, r->setups[i].port);
	fprintf(c->to, "%s %s", c->out.reset,
		actual->has & SETTING(r->setting)
			? setting_text(&settings[r->setting], actual, text)
			: "unavailable");
}

static void print_difference(const struct cli *c, const struct row *r, size_t count, size_t *first)
{
	const char *sep = "";

	groups_find(r, count, is_same, first);
	print_name(c->to, settings[r->setting].path, NAME_WIDTH_MIN);
	for (size_t i = 0; i < count; i++) {
		size_t size = group_size(first, count, i);

		if (is_elsewhere(r, i) || (first[i] != i && size >= FOLD_FROM))
			continue;
		fputs(sep, c->to);
		print_value(c, r, i, size);
		sep = "; ";
	}
	fputc('\n', c->to);
}

static void print_differences(const struct cli *c, const struct setup *setups, size_t count,
			      setting_set off)
{
	_free_ size_t *first = oom_calloc(count, sizeof(*first));

	*c->output_lost = *c->output_lost || !first;
	if (!first)
		return;
	fprintf(c->to, "%sthe ports differ in%s\n", c->out.bold, c->out.reset);
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (off & SETTING(k))
			print_difference(c, &(struct row){ setups, k }, count, first);
}

void print_port_differences(const struct cli *c, const struct setup *setups, size_t count)
{
	setting_set off = setups_differences(setups, count);

	if (off)
		print_differences(c, setups, count, off);
	else if (count == 2)
		fprintf(c->to, "%sboth ports have the same configuration%s\n", c->out.dim,
			c->out.reset);
	else if (count > 2)
		fprintf(c->to, "%sall %zu ports have the same configuration%s\n", c->out.dim, count,
			c->out.reset);
}
