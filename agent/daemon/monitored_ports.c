#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/oom.h"
#include "../engine/journal/last_run.h"
#include "../engine/journal/policy_generation.h"
#include "../host/cleanup.h"
#include "monitored_ports.h"

static bool same_desired(const struct config *a, const struct config *b)
{
	return a->has == b->has && !config_diff(a, b) && !config_diff(b, a);
}

/*
 * How surely two ports are the same one; 0: they are not. A VF that a pod takes or gives back is
 * another port: its driver was not restarted.
 */
static unsigned likeness(const struct port *a, const struct port *b)
{
	bool same_index = a->ifindex == b->ifindex;

	if (a->no_interface != b->no_interface)
		return 0;
	if (!b->id.pci[0])
		return same_index && strcmp(a->id.rdma, b->id.rdma) == 0 ? 3 : 0;
	if (strcmp(a->id.pci, b->id.pci) != 0)
		return 0;
	return same_index ? 3 : strcmp(a->id.name, b->id.name) == 0 ? 2 : 1;
}

/* Several ports may share a PCI function, as those of mlx4 do; then the address is not enough. */
static const struct monitored_port *known(const struct monitored_ports *old,
					  const struct port *port)
{
	const struct monitored_port *best = NULL;
	unsigned most = 0, alike = 0;

	for (size_t i = 0; i < old->count; i++) {
		unsigned n = likeness(&old->list[i].port, port);

		alike += n > 0;
		if (n > most) {
			most = n;
			best = &old->list[i];
		}
	}
	return most == 1 && alike > 1 ? NULL : best;
}

static bool rule_is_of(const struct policy *p, const struct port_rule *r)
{
	return r >= p->rules && r < p->rules + p->count;
}

/* True if the function has another netdev or RDMA device: its driver was restarted. */
static bool is_anew(const struct monitored_port *mp, const struct port *now)
{
	return mp->gone || mp->port.ifindex != now->ifindex ||
	       mp->port.rdma_index != now->rdma_index;
}

/* True also for the initial carrier: it may have come after the apply at boot. */
static bool link_came(const struct monitored_port *before, const struct port *now)
{
	if (!before)
		return now->carrier;
	return before->came_up || (now->carrier && !before->port.carrier);
}

/*
 * Keeps the desired settings while the link is down: the speed is a guess then, and nothing should
 * be rewritten while a switch boots.
 */
static bool keeps_desired(const struct policy *p, const struct monitored_port *before,
			  const struct port *now)
{
	return before && !now->carrier && !is_anew(before, now) && rule_is_of(p, before->rule) &&
	       strcmp(before->port.id.name, now->id.name) == 0 &&
	       strcmp(before->port.id.bond, now->id.bond) == 0;
}

static void keep_desired(struct target *t, const struct monitored_port *before)
{
	t->rule = before->rule;
	t->task.desired = before->desired;
	t->task.port.id.speed_mbps = before->port.id.speed_mbps;
}

/* Returns the critical lints that the desired settings break, as `check` reports them. */
static lint_set errors_of(const struct policy *p, const struct target *t)
{
	struct lint_input in = { &t->task.desired, t->task.desired.has, &t->capabilities,
				 &p->severities };

	if (p->is_show_document)
		return 0;
	return findings_of_severity(findings_of(&in, 0), &p->severities, SEVERITY_CRITICAL);
}

/* A lint of the fabric refers to the policy, which a reload frees. */
static void take_fabric(struct monitored_port *mp, const struct policy *p)
{
	struct capabilities *c = &mp->capabilities;

	if (c->switch_map != p->switch_map || c->congestion_control != p->congestion_control)
		mp->findings = 0;
	c->switch_map = p->switch_map;
	c->congestion_control = p->congestion_control;
}

static struct monitored_port monitor_port(const struct policy *p, struct target *t,
					  const struct monitored_port *before)
{
	struct monitored_port mp = before ? *before : (struct monitored_port){ .last_error = "" };

	if (keeps_desired(p, before, &t->task.port))
		keep_desired(t, before);
	else
		snprintf(mp.unresolved, sizeof(mp.unresolved), "%s",
			 t->refusals_count ? t->refusals[0].why : "");

	if (before && is_anew(before, &t->task.port)) {
		mp.clues |= CLUE_DRIVER;
		mp.restart = RESTART_SEEN;
		mp.new_netdev = mp.new_netdev || before->port.ifindex != t->task.port.ifindex;
		sampler_begin_anew(&mp.sampler);
		mp.sampled = false;
	}
	take_fabric(&mp, p);
	mp.invalid = errors_of(p, t);
	if (before &&
	    (!same_desired(&before->desired, &t->task.desired) || before->invalid != mp.invalid)) {
		drift_forget(&mp.drift);
		mp.actual = (struct config){ .has = 0 };
		mp.digest[0] = '\0';
		mp.checked = false;
		mp.recalled = 0;
	}
	if (before && before->port.mtu != t->task.port.mtu)
		mp.clues |= CLUE_MTU;
	mp.due = mp.due || !mp.checked || (mp.clues & CLUE_DRIVER);
	mp.gone = false;
	mp.came_up = link_came(before, &t->task.port);
	mp.port = t->task.port;
	mp.rule = t->rule;
	mp.desired = t->task.desired;
	return mp;
}

/* A port that no rule matches any more may be out of its bond, and no member that is down. */
static void leave_bond(struct port *gone, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		if (likeness(&inv->ports[i], gone) == 3)
			memcpy(gone->id.bond, inv->ports[i].id.bond, sizeof(gone->id.bond));
}

/* Gives up a name that another port has taken: each port is known by its own. */
static void give_up_name(struct port *gone, const struct monitored_port *here, size_t count)
{
	for (size_t i = 0; i < count && gone->id.pci[0]; i++)
		if (strcmp(here[i].port.id.name, gone->id.name) == 0)
			memcpy(gone->id.name, gone->id.pci, sizeof(gone->id.name));
}

/*
 * Keeps ports that are gone under the same policy: another policy's settings for an absent port are
 * unknown. Ignores VFs, which move to guests and containers.
 */
static void keep_gone(const struct monitored_ports *old, const struct policy *p,
		      const struct inventory *inv, struct monitored_ports *ret)
{
	size_t here = ret->count;

	for (size_t i = 0; i < old->count; i++) {
		const struct monitored_port *o = &old->list[i];

		if (known(&(struct monitored_ports){ .list = ret->list, .count = here },
			  &o->port) ||
		    !rule_is_of(p, o->rule) || o->port.is_vf)
			continue;
		ret->list[ret->count] = *o;
		leave_bond(&ret->list[ret->count].port, inv);
		give_up_name(&ret->list[ret->count].port, ret->list, here);
		ret->list[ret->count++].gone = true;
	}
}

static void narrow(const struct selection *s, struct inventory *inv)
{
	size_t kept = 0;

	for (size_t i = 0; i < inv->count; i++)
		if (selection_has(s, &inv->ports[i].id))
			inv->ports[kept++] = inv->ports[i];
	inv->count = kept;
}

static bool is_monitored(const struct targets *all, const char *word)
{
	for (size_t i = 0; i < all->count; i++)
		if (word_names(word, &all->list[i].task.port.id) != NAMED_NOT)
			return true;
	return false;
}

/* A port that is named and missing is unverified, as that of a rule. */
static void add_missing(const struct selection *s, const struct targets *all, struct unmet *u)
{
	for (size_t i = 0; i < s->count; i++) {
		struct err err = { 0 };

		if (is_monitored(all, s->words[i]))
			continue;
		err_record(&err, ERR_GONE, ENODEV,
			   "this host has no port %s that a rule of the policy matches",
			   s->words[i]);
		err_fix(&err, "run `losslessctl show` to list the ports");
		if (u->count++ == 0)
			u->first = err;
	}
}

/* Fails at the start if none of the ports that are named is here: they may be misspelled. */
static bool some_are_here(const struct engine *e, const struct monitored_ports *old,
			  const struct inventory *inv, struct err *err)
{
	_inventory_ struct inventory named = { .ports = NULL };

	return old->count || inv->count || !e->selection.count ||
	       inventory_read(e, &e->selection, &named, err);
}

bool monitored_ports_update(const struct engine *e, const struct policy *p,
			    const struct monitored_ports *old, struct monitored_ports *ret,
			    struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	struct engine any = *e; /* that of a host whose selected ports may be missing */
	struct monitored_port *list;
	struct unmet unmet;

	any.selection = *EVERY_PORT;
	if (!inventory_read(e, EVERY_PORT, &inv, err))
		return false;
	narrow(&e->selection, &inv);
	if (!some_are_here(e, old, &inv, err) || !targets_choose(&any, p, &inv, &all, err))
		return false;
	unmet = unmet_find(e, p, &inv, true);
	add_missing(&e->selection, &all, &unmet);
	list = calloc(all.count + old->count + 1, sizeof(*list));
	if (!list)
		return err_no_memory(err);
	*ret = (struct monitored_ports){ list, all.count, unmet };
	for (size_t i = 0; i < all.count; i++)
		list[i] = monitor_port(p, &all.list[i], known(old, &all.list[i].task.port));
	keep_gone(old, p, &inv, ret);
	return true;
}

struct monitored_port *monitored_port_by_index(const struct monitored_ports *all, unsigned ifindex)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].port.ifindex == ifindex)
			return &all->list[i];
	return NULL;
}

static bool share_a_bond(const struct monitored_port *a, const struct monitored_port *b)
{
	return a != b && a->port.id.bond[0] && strcmp(a->port.id.bond, b->port.id.bond) == 0;
}

const struct monitored_port *monitored_port_unlike(const struct monitored_ports *all,
						   const struct monitored_port *mp)
{
	for (size_t i = 0; i < all->count; i++)
		if (share_a_bond(mp, &all->list[i]) && !all->list[i].gone &&
		    !same_desired(&mp->desired, &all->list[i].desired))
			return &all->list[i];
	return NULL;
}

const struct monitored_port *monitored_port_down(const struct monitored_ports *all,
						 const struct monitored_port *mp)
{
	for (size_t i = 0; i < all->count; i++)
		if (share_a_bond(mp, &all->list[i]) &&
		    (all->list[i].gone || !all->list[i].port.carrier))
			return &all->list[i];
	return NULL;
}

struct topic monitored_port_topic(const struct monitored_port *mp, const char *setting)
{
	return (struct topic){ .port = mp->port.id.name, .setting = setting };
}

enum status monitored_port_settings(const struct monitored_port *mp, const struct severities *s)
{
	if (mp->gone || !mp->checked || mp->invalid)
		return STATUS_UNKNOWN;
	if (!mp->check_failed &&
	    (mp->differ || findings_of_severity(mp->findings, s, SEVERITY_CRITICAL)))
		return STATUS_DRIFT;
	return mp->check_failed || mp->unknown || mp->unresolved[0] ? STATUS_UNKNOWN : STATUS_OK;
}

enum status monitored_port_status(const struct monitored_port *mp, const struct severities *s)
{
	enum status worst = monitored_port_settings(mp, s);

	if (mp->gone || !mp->checked || mp->invalid)
		return worst; /* its symptoms are out of date */
	for (size_t i = 0; i < mp->sampler.active_symptoms_count; i++)
		if (mp->sampler.active_symptoms[i].severity == SEVERITY_CRITICAL)
			worst = worse_status(worst, STATUS_SYMPTOM);
	return worst;
}

struct lint_input monitored_port_lint_input(const struct monitored_port *mp,
					    const struct severities *s)
{
	return (struct lint_input){ mp->invalid ? &mp->desired : &mp->actual, mp->desired.has,
				    &mp->capabilities, s };
}
