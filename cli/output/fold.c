#include "fold.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/selection.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../watch/terminal.h"
#include "print.h"

/* ---- groups ---- */

static size_t first_equal(const void *all, size_t i, equal_entries equal, const size_t *first)
{
	for (size_t k = 0; k < i; k++)
		if (first[k] == k && equal(all, k, i))
			return k;
	return i;
}

void groups_find(const void *all, size_t count, equal_entries equal, size_t *ret_first)
{
	for (size_t i = 0; i < count; i++)
		ret_first[i] = first_equal(all, i, equal, ret_first);
}

size_t group_size(const size_t *first, size_t count, size_t i)
{
	size_t size = 0;

	for (size_t k = 0; k < count; k++)
		size += first[k] == first[i];
	return size;
}

struct folded {
	char name[ID_MAX * SANITIZED_CHAR_MAX]; /* as printed */
	char *text;
	size_t size, facts; /* where the text goes on behind the name */
	struct own own[OWN_MAX];
	size_t own_count;
	const struct config *desired;
	bool alone, last;
};

/* ---- own words ---- */

void own_of_port(const struct identity *id, struct own ret[OWN_OF_PORT])
{
	ret[0] = (struct own){ id->name, "PORT" };
	ret[1] = (struct own){ id->pci, "PCI" };
	ret[2] = (struct own){ id->rdma, "RDMA" };
	ret[3] = (struct own){ id->mac, "MAC" };
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the length of an own word that stands here as a whole word, or 0. */
static size_t length_of_own(const struct own *o, const char *text, const char *at)
{
	size_t length = strlen(o->text);

	return length && strncmp(at, o->text, length) == 0 && !is_word(at[length]) &&
			       (at == text || !is_word(at[-1]))
		       ? length
		       : 0;
}

bool is_alike_but_own(const char *a, const struct own *own_a, const char *b,
		      const struct own *own_b, size_t count)
{
	const char *at = a, *at_b = b;

	while (*at && *at_b) {
		size_t n = 0, n_b = 0;

		for (size_t i = 0; i < count && !(n && n_b); i++) {
			n = length_of_own(&own_a[i], a, at);
			n_b = length_of_own(&own_b[i], b, at_b);
		}
		if (!(n && n_b)) {
			if (*at != *at_b)
				return false;
			n = n_b = 1;
		}
		at += n;
		at_b += n_b;
	}
	return *at == *at_b;
}

/*
 * Prints a text with other words for its own. The first line is a list of facts of the device, from
 * which they are left out with the comma in front.
 */
static void print_without_own(FILE *to, const struct folded *p, const char *from, const char *end,
			      bool is_head)
{
	for (const char *at = from; at < end;) {
		const char *skipped = is_head && strncmp(at, ", ", 2) == 0 ? at + 2 : at;
		size_t length = 0, i = 0;

		for (; i < p->own_count && !length; i++)
			length = length_of_own(&p->own[i], from, skipped);
		if (!length) {
			fputc(*at++, to);
			continue;
		}
		if (skipped == at)
			fputs(p->own[i - 1].instead, to);
		at = skipped + length;
	}
}

/* ---- collecting ---- */

void fold_open(struct fold *f, size_t most)
{
	f->into = *f->c;
	f->ports = calloc(most + 1, sizeof(*f->ports));
	f->first = calloc(most + 1, sizeof(*f->first));
	if (!f->first) {
		free(f->ports);
		f->ports = NULL;
	}
}

const struct cli *fold_begin(struct fold *f, const struct port *p)
{
	struct folded *now;

	if (!f->ports)
		return f->c;
	now = &f->ports[f->count];
	*now = (struct folded){
		.own_count = OWN_OF_PORT,
		.alone = selection_names(&f->c->engine.selection, &p->id) == NAMED_BY_NAME,
	};
	sanitize_text(p->id.name, now->name, sizeof(now->name));
	now->facts = strlen(f->c->out.bold) + strlen(now->name) + strlen(f->c->out.reset);
	own_of_port(&p->id, now->own);
	now->own[0].text = now->name;
	f->into.to = open_memstream(&now->text, &now->size);
	return f->into.to ? &f->into : f->c;
}

void fold_own(struct fold *f, const char *text, const char *instead)
{
	if (f->ports && f->ports[f->count].own_count < OWN_MAX)
		f->ports[f->count].own[f->ports[f->count].own_count++] =
			(struct own){ text, instead };
}

void fold_desired(struct fold *f, const struct config *desired)
{
	if (f->ports)
		f->ports[f->count].desired = desired;
}

void fold_failed(struct fold *f)
{
	if (f->ports)
		f->ports[f->count].alone = f->ports[f->count].last = true;
}

void fold_end(struct fold *f)
{
	if (!f->ports || !f->into.to)
		return;
	*f->c->output_lost = *f->c->output_lost || fclose(f->into.to) != 0;
	f->into.to = NULL;
	f->count++;
}

/* ---- comparing ---- */

static bool desire_alike(const struct config *a, const struct config *b)
{
	return a == b || (a && b && !config_diff(a, b) && !config_diff(b, a));
}

static bool is_alike(const void *all, size_t a, size_t b)
{
	const struct folded *x = (const struct folded *)all + a,
			    *y = (const struct folded *)all + b;

	return !x->alone && !y->alone && desire_alike(x->desired, y->desired) &&
	       x->own_count == y->own_count &&
	       is_alike_but_own(x->text + x->facts, x->own, y->text + y->facts, y->own,
				x->own_count);
}

/* ---- printing ---- */

/* Prints a list of names, wrapped at the terminal's width. */
static void print_names(const struct fold *f, size_t group)
{
	size_t width = terminal_report_columns(), column = 0;
	const char *sep = "";

	for (size_t i = group; i < f->count; i++) {
		const char *name = f->ports[i].name;

		if (f->first[i] != group)
			continue;
		fputs(sep, f->c->to);
		if (column && column + strlen(name) + 3 > width) {
			fputc('\n', f->c->to);
			column = 0;
		}
		column += (size_t)fprintf(f->c->to, "%s%s", column ? " " : "  ", name) + 1;
		sep = ",";
	}
	fputc('\n', f->c->to);
}

/* Prints the report of a group behind the number of its ports, which stands for their names. */
static void print_once(const struct fold *f, size_t group, size_t size)
{
	const struct folded *p = &f->ports[group];
	const struct style *s = &f->c->out;
	const char *rest = strchr(p->text, '\n');

	rest = rest ? rest + 1 : p->text + p->size;
	fprintf(f->c->to, "%s%zu identical ports%s", s->bold, size, s->reset);
	print_without_own(f->c->to, p, p->text + p->facts, rest, true);
	print_names(f, group);
	print_without_own(f->c->to, p, rest, p->text + p->size, false);
}

static void print_groups(const struct fold *f)
{
	bool any = false;

	groups_find(f->ports, f->count, is_alike, f->first);
	for (size_t i = 0; i < f->count; i++) {
		size_t size = group_size(f->first, f->count, i);

		if (f->first[i] != i || size < FOLD_FROM)
			continue;
		print_once(f, i, size);
		any = true;
	}
	for (size_t i = 0; i < f->count; i++)
		if (group_size(f->first, f->count, i) < FOLD_FROM && !(any && f->ports[i].last))
			fputs(f->ports[i].text, f->c->to);
	for (size_t i = 0; i < f->count; i++)
		if (any && f->ports[i].last)
			fputs(f->ports[i].text, f->c->to);
}

/* Reports incomplete output if memory ran out. */
void fold_print(struct fold *f)
{
	if (f->ports && !*f->c->output_lost)
		print_groups(f);
}

void fold_close(struct fold *f)
{
	for (size_t i = 0; f->ports && i <= f->count; i++)
		free(f->ports[i].text);
	free(f->ports);
	free(f->first);
}

/* ---- differences between ports ---- */

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
