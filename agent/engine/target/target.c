#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../policy/document/resolve.h"
#include "../../../policy/model/setting.h"
#include "../../../policy/util/oom.h"
#include "unmet_rules.h"

void writers_read(const struct engine *e, struct other_writers *ret)
{
	*ret = e->captured ? e->captured->writers : (struct other_writers){ .count = 0 };
	if (!e->captured && e->backends->find_writers)
		e->backends->find_writers(e->h, ret);
}

/* Asks the host, or whom the document names. */
static bool is_there(const struct engine *e, const struct guard *g, const struct port *port,
		     char why[GUARD_WHY_MAX])
{
	const struct captured_port *p;

	if (!e->captured)
		return g->objects(e->h, port, why);
	p = captured_find(e->captured, port->id.name);
	snprintf(why, GUARD_WHY_MAX, "%s", p ? p->owner.what : "");
	return p && p->owner.who == g->owner;
}

static bool find_owner(const struct engine *e, const struct port *port,
		       const struct config *desired, char ret[LINT_TEXT_MAX])
{
	char why[GUARD_WHY_MAX];

	for (size_t i = 0; i < e->backends->guards.count; i++) {
		const struct guard *g = e->backends->guards.list[i];

		if (!owner_writes(g->owner) || !(g->over & desired->has) ||
		    (g->waived && g->waived(desired)) || !is_there(e, g, port, why))
			continue;
		snprintf(ret, LINT_TEXT_MAX, "%s: %s", why, g->fix);
		return true;
	}
	return false;
}

void writer_check(const struct engine *e, const struct port *port, const struct config *desired,
		  char ret[LINT_TEXT_MAX])
{
	struct other_writers writers;

	ret[0] = '\0';
	if (find_owner(e, port, desired, ret))
		return;
	writers_read(e, &writers);
	for (size_t i = 0; i < writers.count; i++) {
		const struct running_writer *r = &writers.list[i];
		char names[SETTING_NAMES_MAX];

		if (!(r->writer->writes & desired->has))
			continue;
		setting_names(r->writer->writes & desired->has, names);
		snprintf(ret, LINT_TEXT_MAX, "%s (pid %u) also writes %s: %s", r->writer->name,
			 r->pid, names, r->writer->fix);
		return;
	}
}

void targets_free(struct targets *t)
{
	free(t->list);
	*t = (struct targets){ NULL, 0 };
}

void target_refuse(struct target *t, const char *setting, const char *why, const char *fix)
{
	struct refusal *r = &t->refusals[t->refusals_count];

	if (t->refusals_count == REFUSALS_MAX)
		return;
	r->setting = setting;
	r->lint = NULL;
	snprintf(r->why, sizeof(r->why), "%s", why);
	snprintf(r->fix, sizeof(r->fix), "%s", fix ? fix : "");
	t->refusals_count++;
}

void target_refuse_by_lint(struct target *t, const char *setting, const char *why,
			   const struct lint *r)
{
	size_t at = t->refusals_count;

	target_refuse(t, setting, why, r->fix);
	if (t->refusals_count > at)
		t->refusals[at].lint = r->name;
}

const char *target_origin(const struct target *t, unsigned setting, char buf[ORIGIN_TEXT_MAX])
{
	if (!t->rule || !((t->task.desired.has | t->skipped) & SETTING(setting)))
		return NULL;
	return origin_text(t->policy, t->rule, &t->because[setting], buf);
}

/*
 * Moves the agreement desired of the switch into must_agree: it is no setting of the port. The
 * cable of a VF is its PF's.
 */
static void read_peer_of(struct target *t)
{
	if ((t->task.desired.has & SETTING(SETTING_PEER_MUST_AGREE)) && !t->task.port.is_vf)
		t->must_agree = t->task.desired.peer.must_agree;
	t->task.desired.has &= ~SETTING(SETTING_PEER_MUST_AGREE);
	t->task.desired.peer.must_agree = 0;
}

/*
 * Finds the port's rule and its desired settings. Refuses properties that the port does not report,
 * and then desires nothing.
 */
static bool choose(const struct policy *p, struct target *t, struct err *err)
{
	const struct identity *id = &t->task.port.id;
	const char *asks = "match";
	struct err why = { 0 };

	if (rule_for(p->rules, p->count, id, &t->rule, &why)) {
		if (!t->rule)
			return true;
		if (rule_desired(t->rule, id, &t->task.desired, t->because, &why)) {
			read_peer_of(t);
			return true;
		}
		asks = "when";
	}
	if (why.kind == ERR_UNKNOWN) {
		target_refuse(t, asks, why.text, why.fix);
		return true;
	}
	*err = why;
	return err_in(err, "%s: rule %d on %s", p->source, RULE_NUMBER(p, t->rule), id->name);
}

void target_take_policy(struct target *t, const struct policy *p)
{
	t->policy = p;
	t->severities = &p->severities;
	t->capabilities.switch_map = p->switch_map;
	t->capabilities.congestion_control = p->congestion_control;
	t->task.verified_only = congestion_verified(p->congestion_control);
}

const char *target_owner(const struct target *t, unsigned setting)
{
	return t->task.verified_only & SETTING(setting) ? t->policy->congestion_control->owner
							: NULL;
}

bool targets_choose(const struct engine *e, const struct policy *p, const struct inventory *inv,
		    struct targets *ret, struct err *err)
{
	ret->list = calloc(inv->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < inv->count; i++) {
		struct target *t = &ret->list[ret->count];

		t->task.port = inv->ports[i];
		target_take_policy(t, p);
		if (!choose(p, t, err))
			return false;
		if (!t->rule && selection_names(&e->selection, &inv->ports[i].id) == NAMED_BY_NAME)
			return err_set(err, ERR_UNKNOWN, ENOENT, "no rule of %s matches port %s",
				       p->source, inv->ports[i].id.name);
		ret->count += t->rule != NULL;
	}
	if (e->selection.count && !ret->count)
		return err_set(err, ERR_UNKNOWN, ENOENT,
			       "no rule of %s matches a port that %s names", p->source,
			       e->selection.words[0]);
	return true;
}

bool targets_of_all(const struct inventory *inv, struct targets *ret, struct err *err)
{
	ret->list = calloc(inv->count + 1, sizeof(*ret->list));
	if (!ret->list)
		return err_no_memory(err);
	for (size_t i = 0; i < inv->count; i++)
		ret->list[ret->count++].task.port = inv->ports[i];
	return true;
}

bool targets_find(const struct engine *e, const struct policy *p, const struct inventory *inv,
		  struct targets *ret, struct err *err)
{
	struct unmet unmet = unmet_find(e, p, inv, true);

	if (unmet.count == 0)
		return targets_choose(e, p, inv, ret, err);
	*err = unmet.first;
	return false;
}

/*
 * Returns the settings to skip. A rollback skips unreadable ones. A virtual function has its PF's
 * settings, a member of a bond those of the bond's RDMA device on another member.
 * Settings that are read on request are skipped without one.
 */
static setting_set not_here(const struct target *t)
{
	if (!t->rule)
		return t->seen.unsupported | t->seen.unknown;
	return t->seen.unsupported & (t->rule->profile->optional | t->seen.elsewhere |
				      t->seen.not_asked | (t->task.port.is_vf ? EVERY_SETTING : 0));
}

void target_prepare(const struct engine *e, struct target *t)
{
	for (size_t i = 0; i < e->backends->features.count; i++) {
		const struct feature *f = e->backends->features.list[i];
		setting_set wanted = f->owns & t->task.desired.has;
		struct err err = { 0 };

		if (f->prepare && wanted && !f->prepare(e->h, &t->task.port, &err) && t->rule)
			target_refuse(t, setting_first(wanted), err.text, err.fix);
	}
}

/* Notes what lints know of other ports, and of other programs. */
static void look_around(const struct engine *e, struct target *t)
{
	const struct port *port = &t->task.port;
	struct capabilities *c = &t->capabilities;

	c->no_lag[0] = '\0';
	if (port->no_lag)
		no_lag_text(port, c->no_lag);
	if (t->rule)
		writer_check(e, port, &t->task.desired, c->other_writer);
}

static bool has_pcp_trust(const struct config *c)
{
	return (c->has & SETTING(SETTING_TRUST)) && c->trust == TRUST_PCP;
}

static void read_capabilities(const struct engine *e, struct target *t)
{
	e->backends->read_capabilities(e->h, &t->task.port, &t->capabilities);
	if (has_pcp_trust(&t->task.desired) || has_pcp_trust(&t->seen.actual))
		e->backends->read_vf_vlans(e->h, &t->task.port, &t->capabilities);
	if (t->task.desired.has & SETTING(SETTING_MTU))
		e->backends->read_upper(e->h, &t->task.port, &t->capabilities);
	if (t->task.desired.has & SETTING(SETTING_ETS_BANDWIDTH))
		e->backends->read_rate_object(e->h, &t->task.port, &t->capabilities);
	look_around(e, t);
}

/* As read_port() on the host itself: the limit of devices above is read for a desired MTU only. */
static bool take_captured(const struct engine *e, struct target *t, struct err *err)
{
	const struct captured_port *p = captured_find(e->captured, t->task.port.id.name);

	if (!p)
		return err_set(err, ERR_GONE, ENODEV, "no port %s", t->task.port.id.name);
	t->seen = p->seen;
	t->capabilities = p->capabilities;
	if (t->policy)
		target_take_policy(t, t->policy);
	if (!(t->task.desired.has & SETTING(SETTING_MTU)))
		t->capabilities.upper_mtu = t->capabilities.largest_upper_mtu = 0;
	if (!(t->task.desired.has & SETTING(SETTING_ETS_BANDWIDTH)))
		t->capabilities.rate_object[0] = '\0';
	look_around(e, t);
	return true;
}

static bool read_port(const struct engine *e, struct target *t, struct err *err)
{
	const struct port *port = &t->task.port;

	host_cache_begin(e->h);
	if (observe_for_report(e->h, e->backends->features, port, &t->seen, err)) {
		read_capabilities(e, t);
		return observe_end(e->h, port, err);
	}
	host_cache_end(e->h);
	return false;
}

bool target_observe(const struct engine *e, struct target *t, struct err *err)
{
	if (!(e->captured ? take_captured(e, t, err) : read_port(e, t, err)))
		return false;
	if (e->query_firmware)
		observe_on_request(e->h, e->backends->features, &t->task.port, &t->task.desired,
				   &t->seen);
	t->skipped = not_here(t) & t->task.desired.has;
	t->task.desired.has &= ~t->skipped;
	return true;
}

void target_leave_to_lldpad(struct target *t)
{
	struct config *desired = &t->task.desired;
	const struct config *actual = &t->seen.actual;
	setting_set later;

	if (!t->rule || !t->capabilities.lldpad_starts_at_boot)
		return;
	/* The kernel's mode is the same for both; a mode that was not set has no effect. */
	if (desired->dcbx.mode == DCBX_SWITCH && actual->dcbx.mode == DCBX_FIRMWARE)
		desired->dcbx.mode = DCBX_HOST;
	later = lldpad_keeps(config_diff(desired, actual) & actual->has, desired, actual);
	desired->has &= ~later;
	t->skipped |= later;
}

/* Settings that are skipped for another reason cannot be read. */
setting_set target_left_to_lldpad(const struct target *t)
{
	return t->rule ? t->skipped & t->seen.actual.has : 0;
}

const char *target_skip_why(const struct target *t, unsigned setting)
{
	if (!t->rule)
		return t->seen.actual.has & SETTING(setting)
			       ? "it depends on a setting that cannot be read, or cannot be "
				 "written here; its saved value is kept for a later rollback"
			       : "it cannot be read; its saved value is kept for a later rollback";
	if (target_left_to_lldpad(t) & SETTING(setting))
		return "left to lldpad, which starts later";
	if (t->seen.not_asked & SETTING(setting))
		return observation_reason(&t->seen, setting)->text;
	if (t->rule->profile->optional & SETTING(setting))
		return "optional, and the port does not support it";
	return t->task.port.is_vf && !t->task.port.no_interface
		       ? "inherited from the PF"
		       : observation_reason(&t->seen, setting)->text;
}

struct lint_input target_lint_input(const struct target *t)
{
	return (struct lint_input){ &t->seen.actual, t->task.desired.has, &t->capabilities,
				    t->severities };
}
