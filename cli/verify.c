#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/cleanup.h"
#include "../policy/json.h"
#include "findings.h"
#include "plan.h"
#include "policy_file.h"
#include "print.h"
#include "report.h"
#include "uniform.h"

/* In rising order of alarm, except that drift outranks what cannot be told. */
enum status { STATUS_OK, STATUS_ADVICE, STATUS_UNSUPPORTED, STATUS_UNKNOWN, STATUS_DRIFT };

/* What each is called, and which verdict and codes it makes. */
static const struct {
	const char *name, *verdict, *nagios;
	int exit_code, nagios_code;
} kinds[] = {
	[STATUS_OK] = { "ok", "ok", "OK", EXIT_AS_WISHED, 0 },
	[STATUS_ADVICE] = { "advice", "ok", "WARNING", EXIT_AS_WISHED, 1 },
	[STATUS_UNSUPPORTED] = { "unsupported", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_UNKNOWN] = { "unknown", "unknown", "UNKNOWN", EXIT_CANNOT_TELL, 3 },
	[STATUS_DRIFT] = { "drift", "drift", "CRITICAL", EXIT_DIFFERS, 2 },
};

struct tally {
	size_t ports, items, by_status[STATUS_DRIFT + 1];
};

static const struct feature *speaker(const struct target *t, unsigned knob)
{
	return observation_speaker(&t->seen, all_features, knob);
}

static enum status judge(const struct target *t, unsigned knob)
{
	if (t->skipped & KNOB(knob))
		return STATUS_OK;
	if (t->seen.unsupported & KNOB(knob))
		return STATUS_UNSUPPORTED;
	if (!(t->seen.have.has & KNOB(knob)))
		return STATUS_UNKNOWN;
	if (!(config_diff(&t->task.want, &t->seen.have) & KNOB(knob)))
		return STATUS_OK;
	return speaker(t, knob)->is_advice ? STATUS_ADVICE : STATUS_DRIFT;
}

static bool is_wanted(const struct target *t, unsigned knob)
{
	return (t->task.want.has | t->skipped) & KNOB(knob);
}

static enum status port_status(const struct target *t)
{
	enum status worst = t->refusals_count ? STATUS_UNKNOWN : STATUS_OK;

	for (unsigned i = 0; i < KNOB_COUNT; i++)
		if (is_wanted(t, i) && judge(t, i) > worst)
			worst = judge(t, i);
	return worst;
}

static const char *why(const struct target *t, unsigned knob, enum status s)
{
	const struct reason *r = observation_reason(&t->seen, knob);

	if (t->skipped & KNOB(knob))
		return target_skip_why(t, knob);
	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return knobs[knob].why;
	return r && s != STATUS_OK ? r->text : NULL;
}

static const char *fix(const struct target *t, unsigned knob, enum status s)
{
	const struct reason *r = observation_reason(&t->seen, knob);

	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		return speaker(t, knob)->not_ours ? speaker(t, knob)->not_ours
						  : "losslessctl apply sets it again";
	if (s == STATUS_UNSUPPORTED)
		return "list it under \"optional\" if the port may lack it";
	return r && r->hint[0] && s != STATUS_OK ? r->hint : NULL;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, json_string(text));
}

static json_t *item_to_json(const struct target *t, unsigned knob, enum status s)
{
	struct config want = t->task.want, have = t->seen.have;
	json_t *item;

	if (s != STATUS_OK)
		knob_narrow(&knobs[knob], &want, &have);
	item = json_pack("{s:s, s:s, s:o, s:o, s:s}", "knob", knobs[knob].path, "status",
			 kinds[s].name, "want", knob_to_json(&knobs[knob], &want), "have",
			 knob_to_json(&knobs[knob], &have), "source", speaker(t, knob)->source);
	set_text(item, "why", why(t, knob, s));
	set_text(item, "fix", fix(t, knob, s));
	return item;
}

static json_t *port_to_json(const struct cli *c, const struct target *t)
{
	json_t *items = json_array();

	for (unsigned i = 0; i < KNOB_COUNT; i++)
		if (is_wanted(t, i) && (c->opt.all || judge(t, i) != STATUS_OK))
			json_array_append_new(items, item_to_json(t, i, judge(t, i)));
	return json_pack("{s:s, s:s, s:o, s:o*, s:o*}", "port", t->task.port.id.name, "verdict",
			 kinds[port_status(t)].verdict, "items", items, "refused",
			 report_refusals(t), "findings", port_findings(t));
}

static const char *colour_of(const struct cli *c, enum status s)
{
	return s == STATUS_OK ? c->out.green : s == STATUS_DRIFT ? c->out.red : c->out.yellow;
}

static void print_item(const struct cli *c, const struct target *t, unsigned knob, enum status s)
{
	const char *colour = colour_of(c, s);
	struct config want = t->task.want, have = t->seen.have;
	char text[KNOB_TEXT_MAX];

	if (s != STATUS_OK)
		knob_narrow(&knobs[knob], &want, &have);
	printf("  %s%-11s%s %-21s ", colour, kinds[s].name, c->out.reset, knobs[knob].path);
	if (t->skipped & KNOB(knob)) {
		printf("skipped: %s\n", why(t, knob, s));
		return;
	}
	printf("%s %s", s == STATUS_OK ? "is" : "want", knob_text(&knobs[knob], &want, text));
	if (s == STATUS_DRIFT || s == STATUS_ADVICE)
		printf(", have %s%s%s", colour, knob_text(&knobs[knob], &have, text), c->out.reset);
	printf("\n");
	if (why(t, knob, s) && s != STATUS_OK)
		printf("              %s%s%s\n", c->out.dim, why(t, knob, s), c->out.reset);
}

static void print_port_verdict(const struct cli *c, const struct target *t)
{
	enum status worst = port_status(t);

	fputs(c->out.bold, stdout);
	print_clean(stdout, t->task.port.id.name);
	printf("%s  %s%s%s\n", c->out.reset, colour_of(c, worst), kinds[worst].verdict,
	       c->out.reset);
	for (size_t i = 0; i < t->refusals_count; i++)
		printf("  %s: %s\n", t->refusals[i].knob, t->refusals[i].why);
	for (unsigned i = 0; i < KNOB_COUNT; i++)
		if (is_wanted(t, i) && (c->opt.all || judge(t, i) != STATUS_OK))
			print_item(c, t, i, judge(t, i));
	print_port_findings(c, t);
}

static struct tally tally_up(const struct targets *all)
{
	struct tally n = { .ports = all->count };

	for (size_t i = 0; i < all->count; i++) {
		n.items += all->list[i].refusals_count;
		n.by_status[STATUS_UNKNOWN] += all->list[i].refusals_count;
		for (unsigned k = 0; k < KNOB_COUNT; k++)
			if (is_wanted(&all->list[i], k)) {
				n.items++;
				n.by_status[judge(&all->list[i], k)]++;
			}
	}
	return n;
}

/* The ports as they are, for a look at whether they are alike; the caller frees it. */
static struct setup *setups_of(const struct targets *all)
{
	struct setup *setups = calloc(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++)
		setups[i] =
			(struct setup){ all->list[i].task.port.id.name, &all->list[i].seen.have };
	return setups;
}

/* What some rule wants is judged port by port. */
static knobset judged(const struct targets *all)
{
	knobset set = 0;

	for (size_t i = 0; i < all->count; i++)
		set |= all->list[i].task.want.has;
	return set;
}

static void print_differing(const struct cli *c, knobset off)
{
	const char *sep = "";

	if (off)
		printf("%sthe policy is silent on it, and the ports differ in ", c->out.dim);
	for (unsigned i = 0; i < KNOB_COUNT; i++)
		if (off & KNOB(i)) {
			printf("%s%s", sep, knobs[i].path);
			sep = ", ";
		}
	if (off)
		printf(" (--all shows how)%s\n", c->out.reset);
}

static void print_text(const struct cli *c, const struct targets *all, const struct tally *n)
{
	size_t unclear = n->by_status[STATUS_UNKNOWN] + n->by_status[STATUS_UNSUPPORTED];
	_free_ struct setup *setups = setups_of(all);

	for (size_t i = 0; i < all->count; i++)
		print_port_verdict(c, &all->list[i]);
	if (setups && c->opt.all)
		print_uniform(c, setups, all->count);
	else if (setups)
		print_differing(c, uniform_differences(setups, all->count) & ~judged(all));
	printf("\n%s%zu of %zu settings on %zu port%s are as wished", c->out.bold,
	       n->by_status[STATUS_OK], n->items, n->ports, n->ports == 1 ? "" : "s");
	if (n->by_status[STATUS_DRIFT])
		printf("; %zu %s drifted: `losslessctl apply` repairs that",
		       n->by_status[STATUS_DRIFT],
		       n->by_status[STATUS_DRIFT] == 1 ? "has" : "have");
	if (unclear)
		printf("; %zu cannot be told", unclear);
	if (n->by_status[STATUS_ADVICE])
		printf("; %zu worth a look", n->by_status[STATUS_ADVICE]);
	printf("%s\n", c->out.reset);
}

static json_t *document(const struct cli *c, const struct policy *p, const struct targets *all,
			enum status worst)
{
	_free_ struct setup *setups = setups_of(all);
	json_t *doc = report_new("verify"), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, port_to_json(c, &all->list[i]));
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "verdict", json_string(kinds[worst].verdict));
	json_object_set_new(doc, "ports", ports);
	json_object_set_new(doc, "differences",
			    setups ? uniform_to_json(setups, all->count) : json_null());
	return doc;
}

static enum status worst_of(const struct tally *n)
{
	for (int s = STATUS_DRIFT; s > STATUS_OK; s--)
		if (n->by_status[s])
			return (enum status)s;
	return STATUS_OK;
}

/* The first setting of the worst kind, for a line that somebody reads on a pager. */
static void name_worst(const struct targets *all, enum status worst)
{
	for (size_t i = 0; i < all->count; i++)
		for (unsigned k = 0; k < KNOB_COUNT; k++)
			if (is_wanted(&all->list[i], k) && judge(&all->list[i], k) == worst) {
				printf("%s %s, ", all->list[i].task.port.id.name, knobs[k].path);
				return;
			}
}

/* A monitoring plugin's line and its codes. Where nothing was judged, nothing is known. */
static int nagios(const struct targets *all, const struct tally *n)
{
	enum status worst = n->ports ? worst_of(n) : STATUS_UNKNOWN;
	size_t unclear = n->by_status[STATUS_UNKNOWN] + n->by_status[STATUS_UNSUPPORTED];

	printf("LOSSLESSCTL %s - ", kinds[worst].nagios);
	if (worst != STATUS_OK)
		name_worst(all, worst);
	printf("%zu of %zu settings on %zu port%s as wished|drift=%zu;;0 unknown=%zu ports=%zu\n",
	       n->by_status[STATUS_OK], n->items, n->ports, n->ports == 1 ? "" : "s",
	       n->by_status[STATUS_DRIFT], unclear, n->ports);
	return kinds[worst].nagios_code;
}

static bool observe_all(struct cli *c, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (!target_observe(c, &all->list[i], err))
			return false;
	return true;
}

static int failed_for_nagios(const struct err *err)
{
	printf("LOSSLESSCTL UNKNOWN - %s%s%s\n", err->where, err->where[0] ? ": " : "", err->text);
	return 3;
}

int verb_verify(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	enum status worst;
	struct tally n;

	if (!policy_open(c, &p, err) || !cli_open_host(c, false, err) ||
	    !inventory_take(c, &inv, err) || !targets_find(c, p, &inv, &all, err) ||
	    !observe_all(c, &all, err))
		return c->opt.nagios ? failed_for_nagios(err) : -1;
	warn_of_unfinished(c);
	n = tally_up(&all);
	worst = worst_of(&n);
	if (c->opt.nagios)
		return nagios(&all, &n);
	if (c->opt.json)
		print_json(c, document(c, p, &all, worst));
	else if (!c->opt.quiet)
		print_text(c, &all, &n);
	return kinds[worst].exit_code;
}
