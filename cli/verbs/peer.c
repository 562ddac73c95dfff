#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../captured/captured_bundle.h"
#include "../output/fold.h"
#include "../output/peer_text.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "../peer/switch_commands.h"
#include "verbs.h"

/* Maps the status to the exit code of the run. */
/* Allowed differences of ETS count as agreement. */
static enum peer_status verdict(const struct compared_peer *n)
{
	enum peer_status worst = peer_compare_worst(n->agreed);

	return worst == PEER_STATUS_DIFFERS_ALLOWED ? PEER_STATUS_AGREES : worst;
}

/* The settings of all four sides, each as a configuration. */
struct sides {
	struct config policy, kernel, advertised, peer;
};

static struct sides sides_of(const struct target *t, const struct compared_peer *n)
{
	struct sides s = { .policy = t->task.desired, .kernel = t->seen.actual };

	if (n->seen.advertises)
		s.advertised = lldp_to_config(&n->seen.local);
	if (n->seen.heard)
		s.peer = lldp_to_config(&n->seen.peer);
	return s;
}

static json_t *side_to_json(const struct config *c, enum agreement a)
{
	struct config compact = dscp_compact(c, REST_KEEP);
	setting_set about = agreement_settings(a);

	if (about & SETTING(SETTING_DSCP_PRIO))
		about |= SETTING(SETTING_DSCP_REST);
	return c->has & about ? config_to_json(&compact, compact.has & about) : json_null();
}

static json_t *item_to_json(const struct sides *s, enum agreement a,
			    const struct peer_comparison *g)
{
	json_t *item = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "subject", agreement_name(a),
				 "status", status_words[peer_word(g->peer_status)].name, "desired",
				 side_to_json(&s->policy, a), "actual", side_to_json(&s->kernel, a),
				 "advertised", side_to_json(&s->advertised, a), "peer",
				 side_to_json(&s->peer, a));

	if (g->peer_reason) {
		json_object_set_new(item, "reason", json_string(g->peer_reason->name));
		json_object_set_new(item, "message", json_string(g->text));
		json_object_set_new(item, "fix", json_string(g->peer_reason->fix));
	}
	return item;
}

static json_t *port_to_json(const struct cli *c, const struct target *t,
			    const struct compared_peer *n)
{
	struct sides s = sides_of(t, n);
	json_t *items = json_array(), *port;

	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		json_array_append_new(items, item_to_json(&s, a, &n->agreed[a]));
	port = json_pack("{s:s, s:s, s:s, s:o, s:o}", "port", t->task.port.id.name, "verdict",
			 status_words[peer_word(verdict(n))].name, "lldp_source", n->seen.source,
			 "peer", peer_info_to_json(&n->seen), "comparisons", items);
	if (c->opt.fix_switch)
		json_object_set_new(port, "switch_commands", fix_switch_to_json(c, t, n));
	return port;
}

static const struct table_column columns[] = { { "", .width = 14 },  { .head = "desired" },
					       { .head = "actual" }, { .head = "advertised" },
					       { .head = "peer" },   { .head = "" } };

static bool is_row(enum agreement a, unsigned setting)
{
	return (agreement_settings(a) & SETTING(setting)) && setting != SETTING_APP_ENTRIES;
}

/* Adds each setting of an item with its value on each side; the status stands beside the first. */
static void add_rows(struct table *t, const struct sides *s, enum agreement a,
		     enum peer_status status)
{
	const struct config *const sides[] = { &s->policy, &s->kernel, &s->advertised, &s->peer };
	enum word word = peer_word(status);
	const char *text = status_words[word].text;
	char cell[SHORT_TEXT_MAX];

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!is_row(a, i))
			continue;
		table_add(t, "", settings[i].path);
		for (size_t k = 0; k < sizeof(sides) / sizeof(sides[0]); k++)
			table_add(t, "", short_text(i, sides[k], cell));
		table_add(t, word_colour(&t->c->out, word), text);
		text = "";
	}
}

static void print_reason(const struct cli *c, const struct peer_comparison *g)
{
	print_clean(c->to, g->text);
	fprintf(c->to, " %s(%s)%s\n", c->out.dim, g->peer_reason->name, c->out.reset);
}

/* Prints the rows of an item, from `*row` on, with the reason below them. */
static void print_item(const struct table *t, size_t *row, enum agreement a,
		       const struct peer_comparison *g)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (is_row(a, i)) {
			table_print_row(t, (*row)++);
			fputc('\n', t->c->to);
		}
	if (g->peer_reason) {
		fprintf(t->c->to, "  %-15s ", "");
		print_reason(t->c, g);
	}
	if (g->peer_status >= PEER_STATUS_UNKNOWN)
		fprintf(t->c->to, "  %-15s %s%s%s\n", "", t->c->out.dim, g->peer_reason->fix,
			t->c->out.reset);
}

/* A reason that all items share is printed once. */
static bool all_for_one_reason(const struct compared_peer *n)
{
	const struct peer_comparison *g = n->agreed;

	for (size_t i = 1; i < AGREE_COUNT; i++)
		if (g[i].peer_reason != g->peer_reason || strcmp(g[i].text, g->text) != 0)
			return false;
	return g->peer_reason != NULL;
}

static void print_table(const struct cli *c, const struct target *t, const struct compared_peer *n)
{
	_table_ struct table table = { .c = c,
				       .columns = columns,
				       .columns_count = sizeof(columns) / sizeof(columns[0]),
				       .indent = 2,
				       .gap = 2 };
	const struct sides s = sides_of(t, n);
	size_t row = 0;

	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		add_rows(&table, &s, a, n->agreed[a].peer_status);
	table_print_head(&table);
	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		print_item(&table, &row, a, &n->agreed[a]);
}

static void print_comparison(const struct cli *c, const struct target *t,
			     const struct compared_peer *n)
{
	bool one_reason = all_for_one_reason(n);

	fputs(c->out.bold, c->to);
	print_clean(c->to, t->task.port.id.name);
	fprintf(c->to, "%s  %s%s%s  ", c->out.reset, word_colour(&c->out, peer_word(verdict(n))),
		status_words[peer_word(verdict(n))].text, c->out.reset);
	print_peer_info(c, &n->seen);
	fputs(n->seen.heard && one_reason ? "\n  " : n->seen.heard ? "\n" : "", c->to);
	if (!one_reason) {
		print_table(c, t, n);
		return;
	}
	print_reason(c, &n->agreed[0]);
	fprintf(c->to, "  %s%s%s\n", c->out.dim, n->agreed[0].peer_reason->fix, c->out.reset);
}

static void print_port_peer(const struct cli *c, const struct target *t,
			    const struct compared_peer *n)
{
	print_comparison(c, t, n);
	if (c->opt.verbose)
		print_peer_details(c, &n->seen);
	if (c->opt.fix_switch)
		fix_switch_print(c, t, n);
}

/* Declares a name of the peer; a number may also be a value in the table. */
static void own_name(struct fold *f, const char *name, const char *instead)
{
	fold_own(f, name[strspn(name, "0123456789")] ? name : "", instead);
}

/* Ports are alike if their peers differ in nothing but their names. */
static void print_folded(struct fold *f, const struct target *t, const struct compared_peer *n)
{
	const struct cli *c = fold_begin(f, &t->task.port);

	own_name(f, n->seen.peer.system, "SWITCH");
	own_name(f, n->seen.peer.chassis, "CHASSIS");
	own_name(f, n->seen.peer.port, "PEER-PORT");
	own_name(f, n->seen.peer.port_description, "DESCRIPTION");
	print_port_peer(c, t, n);
	fold_end(f);
}

/* Without a port nothing was compared, which only a policy can call right. */
static enum peer_status worst_of(const struct policy *p, const struct targets *all,
				 const struct compared_peer *found)
{
	enum peer_status worst = all->count || p ? PEER_STATUS_AGREES : PEER_STATUS_UNKNOWN;

	for (size_t i = 0; i < all->count; i++)
		if (verdict(&found[i]) > worst)
			worst = verdict(&found[i]);
	return worst;
}

static void print_all(const struct cli *c, const struct targets *all,
		      const struct compared_peer *found)
{
	_fold_ struct fold f = { .c = c };

	if (!c->opt.fix_switch) /* commands name the port that they are for */
		fold_open(&f, all->count);
	for (size_t i = 0; i < all->count; i++)
		print_folded(&f, &all->list[i], &found[i]);
	fold_print(&f);
}

static json_t *run_to_json(const struct cli *c, const struct policy *p, const struct targets *all,
			   const struct compared_peer *found)
{
	json_t *doc = report_of_host(c, "peer"), *ports = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(ports, port_to_json(c, &all->list[i], &found[i]));
	json_object_set_new(doc, "policy", p ? report_policy(p) : json_null());
	json_object_set_new(doc, "verdict",
			    json_string(status_words[peer_word(worst_of(p, all, found))].name));
	json_object_set_new(doc, "ports", ports);
	return doc;
}

bool peer_document(struct cli *c, const struct inventory *inv, json_t **ret, struct err *err)
{
	_targets_ struct targets all = { NULL, 0 };
	_free_ struct compared_peer *found = NULL;

	if (!targets_of_all(inv, &all, err) || !targets_observe(c, &all, err) ||
	    !source_peers(c, &all, c->opt.listen_for_s, &found, err))
		return false;
	*ret = run_to_json(c, NULL, &all, found);
	return true;
}

int verb_peer(struct cli *c, struct err *err)
{
	_scope_ struct scope r = { .policy = NULL };
	_free_ struct compared_peer *found = NULL;

	if (!fix_switch_check(c, err) || !scope_open(c, POLICY_IF_ANY, &r, err) ||
	    !scope_find(c, true, &r, err) || !targets_observe(c, &r.targets, err) ||
	    !source_peers(c, &r.targets, c->opt.listen_for_s, &found, err))
		return -1;
	if (c->opt.json)
		print_json(c, run_to_json(c, r.policy, &r.targets, found));
	else if (!c->opt.quiet)
		print_all(c, &r.targets, found);
	if (r.inventory.count == 0)
		print_warning(c, "no port of this host has DCB or RDMA: nothing was compared");
	return exit_code_of_word(peer_word(worst_of(r.policy, &r.targets, found)));
}
