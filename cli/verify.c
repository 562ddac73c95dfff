#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../agent/cleanup.h"
#include "../policy/json.h"
#include "findings.h"
#include "items.h"
#include "plan.h"
#include "policy_file.h"
#include "print.h"
#include "privilege.h"
#include "report.h"
#include "uniform.h"

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

/* One port, with all that is told of it. */
struct account {
	const struct target *target;
	struct config peer; /* what its neighbour says */
	struct item items[ITEMS_MAX];
	size_t count;
};

/* Owned by verb_verify. */
struct accounts {
	struct account *list;
	size_t count;
};

static void accounts_free(struct accounts *a)
{
	free(a->list);
}

static bool accounts_make(struct accounts *ret, struct host *h, const struct targets *all,
			  const struct counterpart *found, struct err *err)
{
	ret->list = calloc(all->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_set(err, ERR_SYSTEM, ENOMEM, "out of memory");
	for (size_t i = 0; i < all->count; i++) {
		struct account *a = &ret->list[ret->count++];

		a->target = &all->list[i];
		a->count = items_of(h, a->target, &found[i], &a->peer, a->items);
	}
	return true;
}

static enum status port_status(const struct account *a)
{
	enum status worst = a->target->refusals_count ? STATUS_UNKNOWN : STATUS_OK;

	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].status > worst)
			worst = a->items[i].status;
	return worst;
}

static void set_text(json_t *object, const char *key, const char *text)
{
	if (text)
		json_object_set_new(object, key, json_string(text));
}

/* The value of one setting; of what the switch must agree on, all that belongs to it. */
static json_t *value_to_json(const struct item *i, const struct config *c)
{
	if (!i->of_peer)
		return knob_to_json(&knobs[__builtin_ctzll(i->about)], c);
	return c->has & i->about ? config_to_json(c, c->has & i->about) : json_null();
}

static json_t *item_to_json(const struct item *i)
{
	struct config want = *i->want, have = *i->have;
	json_t *item;

	if (i->status != STATUS_OK && !i->of_peer)
		knob_narrow(&knobs[__builtin_ctzll(i->about)], &want, &have);
	item = json_pack("{s:s, s:s, s:o, s:o, s:s}", "knob", i->name, "status",
			 kinds[i->status].name, "want", value_to_json(i, &want), "have",
			 value_to_json(i, &have), "source", i->source);
	set_text(item, "why", item_why(i));
	set_text(item, "fix", i->fix);
	return item;
}

static json_t *port_to_json(const struct cli *c, const struct account *a)
{
	const struct target *t = a->target;
	json_t *items = json_array();

	for (size_t i = 0; i < a->count; i++)
		if (c->opt.all || a->items[i].status != STATUS_OK)
			json_array_append_new(items, item_to_json(&a->items[i]));
	return json_pack("{s:s, s:s, s:o, s:o*, s:o*}", "port", t->task.port.id.name, "verdict",
			 kinds[port_status(a)].verdict, "items", items, "refused",
			 report_refusals(t), "findings", port_findings(t));
}

static const char *colour_of(const struct cli *c, enum status s)
{
	return s == STATUS_OK ? c->out.green : s == STATUS_DRIFT ? c->out.red : c->out.yellow;
}

static void print_values(const struct cli *c, const struct item *i)
{
	const struct knob *k = &knobs[__builtin_ctzll(i->about)];
	struct config want = *i->want, have = *i->have;
	char text[KNOB_TEXT_MAX];

	if (i->status != STATUS_OK)
		knob_narrow(k, &want, &have);
	printf("%s %s", i->status == STATUS_OK ? "is" : "want", knob_text(k, &want, text));
	if (i->status == STATUS_DRIFT || i->status == STATUS_ADVICE)
		printf(", have %s%s%s", colour_of(c, i->status), knob_text(k, &have, text),
		       c->out.reset);
}

static void print_item(const struct cli *c, const struct item *i)
{
	const char *more;

	printf("  %s%-11s%s %-21s ", colour_of(c, i->status), kinds[i->status].name, c->out.reset,
	       i->name);
	if (i->skipped)
		printf("skipped: %s\n", i->why);
	else if (i->of_peer)
		printf("%s\n", i->why ? i->why : "the switch has the same");
	else
		print_values(c, i);
	if (!i->skipped && !i->of_peer)
		printf("\n");
	more = i->of_peer ? i->fix : i->skipped ? NULL : item_why(i);
	if (more && i->status != STATUS_OK)
		printf("              %s%s%s\n", c->out.dim, more, c->out.reset);
}

static void print_port_verdict(const struct cli *c, const struct account *a)
{
	const struct target *t = a->target;
	enum status worst = port_status(a);

	fputs(c->out.bold, stdout);
	print_clean(stdout, t->task.port.id.name);
	printf("%s  %s%s%s\n", c->out.reset, colour_of(c, worst), kinds[worst].verdict,
	       c->out.reset);
	for (size_t i = 0; i < t->refusals_count; i++)
		printf("  %s: %s\n", t->refusals[i].knob, t->refusals[i].why);
	for (size_t i = 0; i < a->count; i++)
		if (c->opt.all || a->items[i].status != STATUS_OK)
			print_item(c, &a->items[i]);
	print_port_findings(c, t);
}

static struct tally tally_up(const struct accounts *all)
{
	struct tally n = { .ports = all->count };

	for (size_t i = 0; i < all->count; i++) {
		const struct account *a = &all->list[i];

		n.items += a->target->refusals_count + a->count;
		n.by_status[STATUS_UNKNOWN] += a->target->refusals_count;
		for (size_t k = 0; k < a->count; k++)
			n.by_status[a->items[k].status]++;
	}
	return n;
}

/* The ports as they are, for a look at whether they are alike; the caller frees it. */
static struct setup *setups_of(const struct accounts *all)
{
	struct setup *setups = calloc(all->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < all->count; i++)
		setups[i] = (struct setup){ all->list[i].target->task.port.id.name,
					    &all->list[i].target->seen.have };
	return setups;
}

/* What some rule wants is judged port by port. */
static knobset judged(const struct accounts *all)
{
	knobset set = 0;

	for (size_t i = 0; i < all->count; i++)
		set |= all->list[i].target->task.want.has;
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

static void print_text(const struct cli *c, const struct accounts *all, const struct tally *n)
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

static json_t *document(const struct cli *c, const struct policy *p, const struct accounts *all,
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
static void name_worst(const struct accounts *all, enum status worst)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->list[i].count; k++)
			if (all->list[i].items[k].status == worst) {
				printf("%s %s, ", all->list[i].target->task.port.id.name,
				       all->list[i].items[k].name);
				return;
			}
}

/* A monitoring plugin's line and its codes. Where nothing was judged, nothing is known. */
static int nagios(const struct accounts *all, const struct tally *n)
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

/* Nobody is listened to unless the policy asks for the switch's agreement. */
static bool keep_what_is_asked_for(const struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (asks_for_peer(&all->list[i]))
			return true;
	return privilege_keep(PRIVILEGE_FOR_PORTS, err);
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
	__attribute__((cleanup(accounts_free))) struct accounts accounts = { NULL, 0 };
	_free_ struct counterpart *found = NULL;
	enum status worst;
	struct tally n;

	if (!policy_open(c, &p, err) || !cli_open_host(c, false, err) ||
	    !inventory_take(c, &inv, err) || !targets_find(c, p, &inv, &all, err) ||
	    !keep_what_is_asked_for(&all, err) || !observe_all(c, &all, err) ||
	    !counterparts_find(c, &all, asks_for_peer, &found, err) ||
	    !accounts_make(&accounts, c->h, &all, found, err))
		return c->opt.nagios ? failed_for_nagios(err) : -1;
	warn_of_unfinished(c);
	n = tally_up(&accounts);
	worst = worst_of(&n);
	if (c->opt.nagios)
		return nagios(&accounts, &n);
	if (c->opt.json)
		print_json(c, document(c, p, &accounts, worst));
	else if (!c->opt.quiet)
		print_text(c, &accounts, &n);
	return kinds[worst].exit_code;
}
