#include "observe.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"

/*
 * Returns a default fix: missing privileges are the most common reason, and a back end need not
 * repeat that.
 */
static const char *fix(const struct err *why)
{
	return why->fix[0] || why->kind != ERR_DENIED
		       ? why->fix
		       : "run losslessctl as root; a locked-down kernel denies it to root as well";
}

static void add_reason(struct observation *o, const struct feature *from, setting_set of,
		       const struct err *why)
{
	struct reason *r = &o->reasons[o->reasons_count++];

	*r = (struct reason){ .of = of, .kind = why->kind, .from = from };
	if (why->kind == ERR_ELSEWHERE) {
		r->kind = ERR_UNSUPPORTED;
		o->elsewhere |= of;
	}
	snprintf(r->text, sizeof(r->text), "%.*s", (int)sizeof(r->text) - 1, why->text);
	snprintf(r->fix, sizeof(r->fix), "%.*s", (int)sizeof(r->fix) - 1, fix(why));
	o->lacks_memory = o->lacks_memory || why->code == ENOMEM;
	if (r->kind == ERR_UNSUPPORTED)
		o->unsupported |= of;
	else if (r->kind == ERR_MISSING)
		o->missing |= of;
	else
		o->unknown |= of;
}

/* Handles settings that a back end owns but does not report: an older kernel has fewer files. */
static void add_gap(struct observation *o, const struct feature *f)
{
	struct err why = { .kind = ERR_UNSUPPORTED, .text = "the port has no such parameter" };
	setting_set gap = f->owns & ~o->actual.has;

	if (gap)
		add_reason(o, f, gap, &why);
}

/* Drops a reading with an index out of range, because the index would be used. */
static void drop_impossible(struct observation *o, const struct feature *f)
{
	struct err why = { .kind = ERR_UNKNOWN,
			   .text = "the port reports a value that is out of range" };

	for (size_t k = 0; k < SETTING_COUNT; k++)
		for (size_t i = 0; settings[k].index && i < settings[k].count; i++) {
			if (!(f->owns & o->actual.has & SETTING(k)) ||
			    setting_element(&settings[k], &o->actual, i) <= settings[k].max)
				continue;
			o->actual.has &= ~SETTING(k);
			add_reason(o, f, SETTING(k), &why);
		}
}

static void add_active(struct observation *o, const struct feature *f)
{
	o->active[o->active_count++] = f;
}

/*
 * Resolves reasons of several back ends: a setting that one of them has or failed to read is not
 * unsupported because another lacks it.
 */
static void reconcile_reasons(struct observation *o)
{
	o->missing &= ~o->actual.has;
	o->unknown &= ~(o->actual.has | o->missing);
	o->unsupported &= ~(o->actual.has | o->missing | o->unknown);
}

/* Says why a feature was not read: a fix names the option, and optional settings stay skipped. */
static void add_not_asked(struct observation *o, const struct feature *f)
{
	const struct err why = { .kind = ERR_UNSUPPORTED,
				 .text = "queried only with --firmware: a query takes seconds and "
					 "writes PCI configuration space" };

	add_reason(o, f, f->owns, &why);
	o->not_asked |= f->owns;
}

static bool is_read(const struct feature *f, struct host *h, const struct observation *o)
{
	return !(o->actual.has & f->owns) && (!f->in_charge || f->in_charge(h));
}

/* Pods have the interfaces of VFs and SFs. */
static bool is_within_reach(const struct feature *f, const struct port *port, struct err *err)
{
	return !port->no_interface || f->needs_no_interface ||
	       err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       "its interface is in another network namespace");
}

/* Settings that were read from what the driver now failed to read, without a way to say so. */
static void add_silent(struct observation *o, const struct feature *f, const struct err *why)
{
	for (size_t i = 0; i < o->active_count && why->kind == ERR_UNKNOWN; i++) {
		setting_set silent = o->active[i]->owns & f->silent & o->actual.has;

		if (!silent)
			continue;
		o->actual.has &= ~silent;
		add_reason(o, o->active[i], silent, why);
	}
}

bool observe_features(struct host *h, struct features all, const struct port *port,
		      struct observation *ret, struct err *err)
{
	/* The reasons are thirty kilobytes. */
	memset(ret, 0, offsetof(struct observation, reasons));
	for (size_t i = 0; i < all.count; i++) {
		const struct feature *f = all.list[i];
		struct err why = { 0 };

		if (!is_read(f, h, ret))
			continue;
		if (f->on_request) {
			add_not_asked(ret, f);
			continue;
		}
		if (is_within_reach(f, port, &why) && f->read(h, port, &ret->actual, &why)) {
			add_active(ret, f);
			add_gap(ret, f);
			drop_impossible(ret, f);
			continue;
		}
		if (why.kind == ERR_GONE) {
			*err = why;
			return err_in(err, "%s: reading %s", port->id.name, f->name);
		}
		if (why.kind == ERR_MISSING)
			add_active(ret, f);
		add_reason(ret, f, f->owns, &why);
		add_silent(ret, f, &why);
	}
	reconcile_reasons(ret);
	return true;
}

bool observe_end(struct host *h, const struct port *port, struct err *err)
{
	struct link link;

	host_cache_end(h);
	return err_at(err, host_link(h, port, &link, err), "%s: reading the port", port->id.name);
}

bool observe_for_report(struct host *h, struct features all, const struct port *port,
			struct observation *ret, struct err *err)
{
	if (!observe_features(h, all, port, ret, err))
		return false;
	return !ret->lacks_memory || err_at(err, err_no_memory(err), "%s", port->id.name);
}

bool observe(struct host *h, struct features all, const struct port *port, struct observation *ret,
	     struct err *err)
{
	host_cache_begin(h);
	if (observe_features(h, all, port, ret, err))
		return observe_end(h, port, err);
	host_cache_end(h);
	return false;
}

/* Forgets that a feature was not asked. */
static void forget_reasons(struct observation *o, const struct feature *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < o->reasons_count; i++)
		if (o->reasons[i].from != f)
			o->reasons[kept++] = o->reasons[i];
	o->reasons_count = kept;
	o->not_asked &= ~f->owns;
	o->unsupported &= ~f->owns;
}

void observe_on_request(struct host *h, struct features all, const struct port *port,
			const struct config *desired, struct observation *o)
{
	for (size_t i = 0; i < all.count; i++) {
		const struct feature *f = all.list[i];
		struct err why = { 0 };

		if (!f->on_request || !(f->owns & desired->has))
			continue;
		forget_reasons(o, f);
		if (f->read(h, port, &o->actual, &why) && f->reports(desired, &o->actual, &why)) {
			add_active(o, f);
			continue;
		}
		o->actual.has &= ~f->owns;
		add_reason(o, f, f->owns, &why);
	}
}

struct features observation_features(const struct observation *o)
{
	return (struct features){ o->active, o->active_count };
}

const struct reason *observation_reason(const struct observation *o, unsigned setting)
{
	const struct reason *first = NULL;

	if (o->actual.has & SETTING(setting))
		return NULL;
	for (size_t i = 0; i < o->reasons_count; i++) {
		const struct reason *r = &o->reasons[i];

		if (!(r->of & SETTING(setting)))
			continue;
		/*
		 * Prefer a reason like "permission denied" to "unsupported" from another back end.
		 */
		if (r->kind != ERR_UNSUPPORTED)
			return r;
		first = first ? first : r;
	}
	return first;
}

setting_set observation_elsewhere(const struct observation *o, const struct port *port)
{
	return port->is_vf && !port->no_interface ? o->unsupported : o->elsewhere;
}

const struct feature *observation_feature(const struct observation *o, struct features all,
					  unsigned setting)
{
	const struct reason *r = observation_reason(o, setting);

	for (size_t i = 0; i < o->active_count; i++)
		if (o->active[i]->owns & SETTING(setting))
			return o->active[i];
	if (r)
		return r->from;
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->owns & SETTING(setting))
			return all.list[i];
	return NULL;
}
