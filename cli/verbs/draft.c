#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../dcb/lldp/peer_compare.h"
#include "../../dcb/peer.h"
#include "../../policy/document/policy.h"
#include "../../policy/document/switch_map_json.h"
#include "../../policy/util/oom.h"
#include "../captured/captured_bundle.h"
#include "../draft/drafted_policy.h"
#include "../draft/from_switch.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/privileges.h"
#include "verbs.h"

struct drafts {
	struct cli *c;
	struct scope of;
	struct compared_peer *peers; /* NULL: the host's own settings */
	struct drafted_port *list;
	size_t count;
	bool leaves_out; /* some ports: a rule for all of a driver would have them, too */
};

static void drafts_free(struct drafts *d)
{
	for (size_t i = 0; i < d->count; i++)
		json_decref(d->list[i].draft.profile);
	free(d->list);
	free(d->peers);
	scope_free(&d->of);
}

/* ---- the options ---- */

static bool is_from_switch(const struct cli *c)
{
	return c->opt.from && strcmp(c->opt.from, "switch") == 0;
}

static bool options_are_possible(const struct cli *c, struct err *err)
{
	const struct options *o = &c->opt;

	if (o->from && strcmp(o->from, "host") != 0 && !is_from_switch(c))
		return err_set(err, ERR_USAGE, EINVAL, "--from takes host or switch, not \"%s\"",
			       o->from);
	if (!o->fabric || switch_map_find(o->fabric))
		return true;
	err_record(err, ERR_USAGE, EINVAL, "--fabric: no fabric is named \"%s\"", o->fabric);
	return err_fix(err, "run `losslessctl explain` to list them");
}

/* ---- the ports ---- */

/* Virtual functions have the settings of their PF: only one that is named is drafted. */
static bool choose_ports(struct drafts *d, struct err *err)
{
	struct targets *all = &d->of.targets;
	size_t found;

	if (!scope_find(d->c, false, &d->of, err))
		return false;
	found = all->count;
	all->count = 0;
	for (size_t i = 0; i < found; i++)
		if (d->c->opt.words_count || !all->list[i].task.port.is_vf)
			all->list[all->count++] = all->list[i];
	d->leaves_out = all->count < found;
	return all->count || err_set(err, ERR_GONE, 0, "no port of this host has DCB or RDMA");
}

static bool observe_ports(struct drafts *d, struct err *err)
{
	struct cli *c = d->c;

	if (!is_from_switch(c))
		return privilege_keep(PRIVILEGE_NONE, err) &&
		       targets_observe(c, &d->of.targets, err);
	return targets_observe(c, &d->of.targets, err) &&
	       source_peers(c, &d->of.targets, c->opt.listen_for_s, &d->peers, err);
}

static const char *why_unset(const struct target *t, unsigned setting)
{
	const struct reason *r = observation_reason(&t->seen, setting);

	return r ? r->text : "it is not known";
}

/* Names all settings that have this reason in one warning. */
static void warn_of_reason(const struct drafts *d, const struct target *t, setting_set same,
			   const char *why)
{
	char names[MESSAGE_MAX / 2] = "", name[SETTING_NAME_MAX];
	size_t count = 0, length = 0;

	for (; length < sizeof(names) && take_name(&same, name); count++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
					   count ? ", " : "", name);
	print_warning(d->c, "%s: %s %s left out: %s", t->task.port.id.name, names,
		      count == 1 ? "is" : "are", why);
}

static void warn_of(const struct drafts *d, const struct target *t, setting_set set,
		    const char *why)
{
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		const char *first = why ? why : why_unset(t, k);
		setting_set same = 0;

		if (!(set & SETTING(k)))
			continue;
		for (unsigned i = k; i < SETTING_COUNT; i++)
			if ((set & SETTING(i)) && (why || strcmp(why_unset(t, i), first) == 0))
				same |= SETTING(i);
		warn_of_reason(d, t, same, first);
		set &= ~same;
	}
}

/* A switch may send LLDP without DCBX, and several neighbours are no switch. */
static bool says_something(const struct compared_peer *peer)
{
	return peer->seen.heard && !peer->seen.expired && peer->seen.senders < 2 &&
	       lldp_to_config(&peer->seen.peer).has;
}

/* Without a map of DSCPs the port keeps its own, as the manual says. */
static void warn_of_silence(const struct drafts *d, const struct target *t, const struct lldp *pdu)
{
	static const enum agreement asked[] = { AGREE_PFC, AGREE_ETS };

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (!(lldp_to_config(pdu).has & agreement_settings(asked[i])))
			print_warning(
				d->c,
				"%s: the switch does not advertise %s: the port's own is drafted",
				t->task.port.id.name, agreement_name(asked[i]));
}

static void draft_of(struct drafts *d, size_t i)
{
	const struct target *t = &d->of.targets.list[i];
	const struct compared_peer *peer = d->peers ? &d->peers[i] : NULL;
	struct drafted_port *p = &d->list[d->count];
	struct config c = t->seen.actual;

	if (peer && !says_something(peer)) {
		print_warning(d->c, "%s: %s: the port is left out", t->task.port.id.name,
			      peer->seen.heard ? peer->agreed[AGREE_PFC].text
					       : "no switch was heard");
		d->leaves_out = true;
		return;
	}
	if (peer) {
		c = config_from_switch(&t->seen.actual, &peer->seen.peer);
		warn_of_silence(d, t, &peer->seen.peer);
	}
	*p = (struct drafted_port){ &t->task.port, draft_port(&c, t->seen.unsupported) };
	d->count++;
	warn_of(d, t, p->draft.outside, "no policy can have its value");
	warn_of(d, t, (p->draft.unset | t->seen.unknown) & ~p->draft.outside & SETUP_SETTINGS,
		NULL);
}

static bool draft_ports(struct drafts *d, struct err *err)
{
	d->list = calloc(d->of.targets.count, sizeof(*d->list));
	if (!d->list)
		return err_no_memory(err);
	for (size_t i = 0; i < d->of.targets.count; i++)
		draft_of(d, i);
	if (d->count)
		return true;
	err_record(err, ERR_UNKNOWN, 0, "no switch was heard with DCBX on any port");
	return err_fix(err, "let the switches send LLDP with DCBX, and %s --listen-for 60",
		       d->c->captured ? "collect another bundle with" : "try");
}

/* ---- the document ---- */

static json_t *comment(const struct drafts *d)
{
	json_auto_t *who = json_object();
	const char *host, *at;

	report_identify(d->c, who);
	host = json_string_value(json_object_get(who, "host"));
	at = json_string_value(json_object_get(who, "observed_at"));
	return json_sprintf("Drafted by losslessctl %s from %s %s, %s.", LOSSLESSCTL_VERSION,
			    d->peers ? "what the switches advertise to" : "the settings of",
			    host ? host : "a host", at ? at : "at an unknown time");
}

/* A draft that this program would refuse is never printed. */
static bool is_a_policy(const json_t *doc, struct err *err)
{
	_free_ char *text = json_dumps(doc, JSON_COMPACT);
	_free_ struct policy *p = NULL;

	if (!text)
		return err_no_memory(err);
	return err_at(err, policy_parse(&p, text, strlen(text), "draft", err),
		      "these settings make no policy");
}

static json_t *document(const struct drafts *d)
{
	json_auto_t *parts =
		drafted_policy(d->list, d->count, d->c->opt.words_count > 0 || d->leaves_out);
	json_t *doc =
		json_pack("{s:i, s:s, s:o}", "version", 1, "name", "draft", "comment", comment(d));

	if (d->c->opt.fabric)
		json_object_set_new(doc, "fabric", json_string(d->c->opt.fabric));
	json_object_update(doc, parts);
	return doc;
}

static int print_policy(const struct drafts *d, struct err *err)
{
	json_auto_t *doc = document(d);

	if (oom_happened())
		return err_no_memory(err) ? 0 : -1;
	if (!is_a_policy(doc, err))
		return -1;
	if (d->c->opt.json)
		print_json(d->c, json_incref(doc));
	else if (!d->c->opt.quiet && !json_text_print(stdout, doc))
		return err_no_memory(err) ? 0 : -1;
	return EXIT_SUCCESS;
}

int verb_draft(struct cli *c, struct err *err)
{
	struct drafts d = { .c = c };
	int code = -1;

	if (options_are_possible(c, err) && scope_open(c, POLICY_NONE, &d.of, err) &&
	    choose_ports(&d, err) && observe_ports(&d, err) && draft_ports(&d, err))
		code = print_policy(&d, err);
	drafts_free(&d);
	return code;
}
