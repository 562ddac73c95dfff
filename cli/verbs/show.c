#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/journal/lost_settings.h"
#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/engine/verify/compare_ports.h"
#include "../../agent/host/cleanup.h"
#include "../../dcb/capabilities.h"
#include "../../dcb/owner/dcbx_owner.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../../roce/gid.h"
#include "../backends.h"
#include "../captured/captured_host.h"
#include "../output/fold.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "verbs.h"

/* One port as it was read. Plain data; borrows the port from the inventory. */
struct shown_port {
	const struct port *port;
	struct observation seen;
	struct capabilities capabilities;
	struct gid_list gids;
	struct owner owner;
	bool has_owner; /* false: the DCBX owner is unknown */
};

/* ---- the document ---- */

static void take_captured(const struct captured_host *h, const struct port *p,
			  struct shown_port *ret)
{
	const struct captured_port *from = captured_find(&h->view, p->id.name);
	const json_t *document = captured_host_port(h, p->id.name);

	ret->port = p;
	ret->seen = from->seen;
	ret->capabilities = from->capabilities;
	ret->has_owner = captured_owner(document, &ret->owner);
	captured_gids(document, &ret->gids);
}

static bool read_port(struct cli *c, const struct port *p, struct shown_port *ret, struct err *err)
{
	struct err quiet = { 0 };

	ret->port = p;
	host_cache_begin(c->h);
	ret->has_owner = owner_find(c->h, p, &ret->owner, &quiet);
	if (!observe_for_report(c->h, all_backends.features, p, &ret->seen, err)) {
		host_cache_end(c->h);
		return false;
	}
	ret->capabilities = (struct capabilities){ 0 };
	capabilities_read(c->h, p, &ret->capabilities);
	capabilities_read_upper(c->h, p, &ret->capabilities);
	if (ret->seen.actual.trust == TRUST_PCP)
		capabilities_read_vf_vlans(c->h, p, &ret->capabilities);
	all_backends.read_rate_object(c->h, p, &ret->capabilities);
	if (!gid_list(c->h, p, &ret->gids, &quiet))
		ret->gids.count = 0;
	lost_settings_reveal(c->h, p, &ret->seen);
	return observe_end(c->h, p, err);
}

/* Fails if the port is gone. */
static bool show_read_port(struct cli *c, const struct port *p, struct shown_port *ret,
			   struct err *err)
{
	if (!c->captured)
		return read_port(c, p, ret, err);
	take_captured(c->captured, p, ret);
	return true;
}

static json_t *gids_to_json(const struct gid_list *gids)
{
	json_t *list = json_array();

	for (size_t i = 0; i < gids->count; i++)
		json_array_append_new(list,
				      json_pack("{s:i, s:s, s:s}", "index",
						(int)gids->gids[i].index, "gid", gids->gids[i].text,
						"type", gids->gids[i].type));
	return list;
}

/*
 * Newer adapters may run an algorithm other than DCQCN. The DCQCN parameters then read and write as
 * usual without effect, and the active algorithm cannot be read: only a program that loads one is
 * certain.
 */
static const char *congestion_control(const struct shown_port *s)
{
	if (s->capabilities.congestion_program[0])
		return "programmable";
	return s->seen.actual.has & SETTING(SETTING_CNP_DSCP) ? "dcqcn_unverified" : NULL;
}

static json_t *device_to_json(const struct shown_port *s)
{
	const struct owner *o = s->has_owner ? &s->owner : NULL;
	const struct port *p = s->port;
	json_t *device = captured_device_to_json(p);

	json_object_set_new(device, "fec",
			    setting_to_json(&settings[SETTING_LINK_FEC], &s->seen.actual));
	json_object_set_new(device, "interface", json_boolean(!p->no_interface));
	json_object_update_new(device,
			       json_pack("{s:s?, s:s?, s:o, s:o}", "congestion_control",
					 congestion_control(s), "dcbx_owner",
					 o ? owner_name(o->who) : NULL, "dcbx_owner_detail",
					 o && o->what[0] ? json_from_text(o->what) : json_null(),
					 "dcbx_firmware_too",
					 o ? json_boolean(o->firmware_too) : json_null()));
	json_object_set_new(device, "gids", gids_to_json(&s->gids));
	return device;
}

/* Other drivers than mlx5 have one maker, and no formula for buffers. */
static json_t *maker_to_json(const struct port *p, enum driver_maker maker)
{
	static const char *const names[] = {
		[MAKER_UNKNOWN] = NULL,
		[MAKER_KERNEL] = "kernel",
		[MAKER_NVIDIA] = "nvidia",
	};
	const char *name = strcmp(p->id.driver, "mlx5_core") == 0 ? names[maker] : NULL;

	return name ? json_string(name) : json_null();
}

/* The limits that lints judge a configuration by (struct capabilities). */
static json_t *capabilities_to_json(const struct port *p, const struct capabilities *f)
{
	json_t *j = captured_limits_to_json(f);

	if (!f->traffic_classes)
		json_object_set_new(j, "credit_based_shaper", json_null());
	json_object_set_new(j, "driver_maker", maker_to_json(p, f->maker));
	return j;
}

static const char *status_of(const struct observation *seen, setting_set one)
{
	return seen->elsewhere & one	 ? "on_another_port"
	       : seen->not_asked & one	 ? "not_queried"
	       : seen->unsupported & one ? "unsupported"
	       : seen->missing & one	 ? "missing"
					 : "unknown";
}

static json_t *unavailable_to_json(const struct observation *seen)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		const struct reason *r = observation_reason(seen, i);

		if (!r || (seen->actual.has & SETTING(i)))
			continue;
		json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o*, s:s}", "setting",
						      settings[i].path, "status",
						      status_of(seen, SETTING(i)), "message",
						      json_from_text(r->text), "fix",
						      r->fix[0] ? json_from_text(r->fix) : NULL,
						      "kernel_interface", r->from->source));
	}
	return list;
}

static json_t *features_to_json(const struct observation *seen)
{
	json_t *list = json_array();

	for (size_t i = 0; i < seen->active_count; i++) {
		json_t *feature = json_object();

		json_object_set_new_nocheck(feature, "feature",
					    json_string_nocheck(seen->active[i]->name));
		json_object_set_new_nocheck(feature, "kernel_interface",
					    json_string_nocheck(seen->active[i]->source));
		json_array_append_new(list, feature);
	}
	return list;
}

static bool same_features(const struct observation *a, const struct observation *b)
{
	return a->active_count == b->active_count &&
	       memcmp(a->active, b->active, a->active_count * sizeof(*a->active)) == 0;
}

static json_t *port_to_json(const struct shown_port *s, json_t *features)
{
	struct config compact = dscp_compact(&s->seen.actual, REST_KEEP);

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "port", s->port->id.name, "device",
			 device_to_json(s), "config", config_to_json(&compact, SETUP_SETTINGS),
			 "features", features, "unavailable_settings",
			 unavailable_to_json(&s->seen), "capabilities",
			 capabilities_to_json(s->port, &s->capabilities));
}

/* Ports in a row that have the same features share one list, which is longer than all settings. */
static json_t *ports_to_json(const struct shown_port *shown, size_t count)
{
	json_t *list = json_array(), *features = NULL;

	for (size_t i = 0; i < count; i++) {
		if (i > 0 && same_features(&shown[i - 1].seen, &shown[i].seen))
			json_incref(features);
		else
			features = features_to_json(&shown[i].seen);
		json_array_append_new(list, port_to_json(&shown[i], features));
	}
	return list;
}

static json_t *others_to_json(const struct inventory *inv)
{
	json_t *list = json_array();

	for (size_t i = 0; i < inv->others_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:s}", "name", inv->others[i].name,
						      "message", inv->others[i].why));
	return list;
}

/* The settings of all ports, to compare them; the caller frees it. NULL: out of memory. */
static struct setup *shown_setups(const struct inventory *inv, const struct shown_port *shown)
{
	struct setup *setups = oom_calloc(inv->count + 1, sizeof(*setups));

	for (size_t i = 0; setups && i < inv->count; i++)
		setups[i] = (struct setup){ .port = inv->ports[i].id.name,
					    .actual = &shown[i].seen.actual,
					    .elsewhere = observation_elsewhere(&shown[i].seen,
									       &inv->ports[i]) };
	return setups;
}

/*
 * Everything that judging a policy offline needs of a host. NULL: the kernel does not answer.
 */
static json_t *show_to_json(const struct cli *c, const struct inventory *inv,
			    const struct shown_port *shown, struct err *err)
{
	_free_ struct setup *setups = shown_setups(inv, shown);
	size_t count = setups ? inv->count : 0; /* out of memory: nothing is printed */
	json_t *facts, *doc;

	if (!host_facts_to_json(c, inv, &facts, err))
		return NULL;
	doc = report_of_host(c, "show");
	identity_add_state(doc, setups, count);
	json_object_set_new(doc, "platform", facts);
	json_object_set_new(doc, "ports", ports_to_json(shown, inv->count));
	json_object_set_new(doc, "port_differences", port_differences_to_json(setups, count));
	json_object_set_new(doc, "ignored_interfaces", others_to_json(inv));
	return doc;
}

bool show_document(struct cli *c, const struct inventory *inv, json_t **ret, struct err *err)
{
	_free_ struct shown_port *shown = oom_calloc(inv->count + 1, sizeof(*shown));

	for (size_t i = 0; shown && i < inv->count; i++)
		if (!show_read_port(c, &inv->ports[i], &shown[i], err))
			return false;
	*ret = shown ? show_to_json(c, inv, shown, err) : NULL;
	return *ret;
}

/* ---- text ---- */

#define GIDS_SHOWN 4

static bool is_plural(const char *unit)
{
	return unit[strlen(unit) - 1] == 's' && !strchr(unit, '/');
}

static void print_value(FILE *to, const struct setting *k, const struct config *c)
{
	char text[SETTING_TEXT_MAX];

	fputs(setting_text(k, c, text), to);
	if (k->unit) /* as in "1 microsecond" */
		fprintf(to, " %.*s",
			(int)strlen(k->unit) - (strcmp(text, "1") == 0 && is_plural(k->unit)),
			k->unit);
}

static void print_missing(const struct cli *c, const struct reason *r)
{
	fprintf(c->to, "%s%s: ", c->out.dim,
		r->kind == ERR_UNSUPPORTED ? "unsupported"
		: r->kind == ERR_MISSING   ? "not created yet"
					   : "unknown");
	print_clean(c->to, r->text);
	fprintf(c->to, "%s\n", c->out.reset);
}

static bool is_dcqcn(unsigned setting)
{
	return strncmp(settings[setting].path, "dcqcn.", 6) == 0;
}

/* Omits recommendations that are not set, because they would fill three lines. */
static bool is_nothing(const struct setting *k, const struct config *c)
{
	if (strcmp(k->default_value, "none") != 0)
		return false;
	for (size_t i = 0; i < k->count; i++)
		if (setting_element(k, c, i) != 0)
			return false;
	return true;
}

static bool is_as_shipped(const struct setting *k, const struct config *c)
{
	int64_t v = setting_element(k, c, 0);

	return k->type == T_BOOL ? (v != 0) == (k->default_value[0] == 't')
				 : v == strtoll(k->default_value, NULL, 10);
}

/* Prints only changed parameters: there are sixteen, and most hosts keep the defaults. */
static void print_dcqcn(const struct cli *c, const struct config *actual, int width)
{
	size_t changed = 0, known = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!is_dcqcn(i) || !(actual->has & SETTING(i)))
			continue;
		known++;
		if (is_as_shipped(&settings[i], actual))
			continue;
		print_name(c->to, settings[i].path, width);
		print_value(c->to, &settings[i], actual);
		fprintf(c->to, "  %s(default: %s)%s\n", c->out.dim, settings[i].default_value,
			c->out.reset);
		changed++;
	}
	if (!known)
		return;
	print_name(c->to, "dcqcn.*", width);
	fprintf(c->to, "%s%zu at their defaults%s\n", c->out.dim, known - changed, c->out.reset);
}

static void add_names(const struct cli *c, struct report_row *row, setting_set left)
{
	char name[SETTING_NAME_MAX], word[SETTING_NAME_MAX + 1];

	while (take_name(&left, name)) {
		snprintf(word, sizeof(word), "%s%c", name, left ? ',' : ':');
		report_row_add(row, 1, c->out.dim, word, c->out.reset);
	}
}

/* The settings of a set that have this reason. */
static setting_set with_reason(const struct observation *seen, setting_set of, const char *text)
{
	setting_set same = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((of & SETTING(i)) && strcmp(observation_reason(seen, i)->text, text) == 0)
			same |= SETTING(i);
	return same;
}

/* Prints one line for each reason: "unsupported  ecn.*: the firmware sets it" */
static void print_by_reason(const struct cli *c, const struct port *p,
			    const struct observation *seen, setting_set left, int width)
{
	const char *name = left & seen->unsupported ? "unsupported" : "unknown";

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		struct report_row row = { .column = (size_t)width + 2,
					  .indent = (size_t)width + 3,
					  .to = c->to };
		setting_set same = left;
		const char *why = "inherited from the PF";

		if (!(left & SETTING(i)))
			continue;
		if (!p->is_vf || p->no_interface || (seen->unknown & SETTING(i))) {
			why = observation_reason(seen, i)->text;
			same = with_reason(seen, left, why);
		}
		fprintf(c->to, "  %-*s", width, name);
		add_names(c, &row, same);
		report_row_add(&row, 1, c->out.dim, why, c->out.reset);
		fputc('\n', c->to);
		left &= ~same;
		name = "";
	}
}

/* The settings that one failed reading makes unknown. */
static setting_set unknown_together(const struct observation *seen)
{
	const setting_set unknown = seen->unknown & SETUP_SETTINGS;
	setting_set together = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((unknown & SETTING(i)) &&
		    (is_dcqcn(i) ||
		     with_reason(seen, unknown, observation_reason(seen, i)->text) != SETTING(i)))
			together |= SETTING(i);
	return together;
}

static void print_gids(const struct cli *c, const struct gid_list *gids, int width)
{
	for (size_t i = 0; i < gids->count && i < GIDS_SHOWN; i++) {
		print_name(c->to, i ? "" : "gids", width);
		print_outside(c->to, "%u %s %s", gids->gids[i].index, gids->gids[i].type,
			      gids->gids[i].text);
		fputc('\n', c->to);
	}
	if (gids->count > GIDS_SHOWN)
		fprintf(c->to, "  %-*s and %zu more\n", width, "", gids->count - GIDS_SHOWN);
}

static void print_setting(const struct cli *c, const struct observation *seen, unsigned i,
			  int width)
{
	const struct reason *r = observation_reason(seen, i);
	bool has = seen->actual.has & SETTING(i);

	if (has || r)
		print_name(c->to, settings[i].path, width);
	if (has) {
		print_value(c->to, &settings[i], &seen->actual);
		fputc('\n', c->to);
	} else if (r) {
		print_missing(c, r);
	}
}

/* The width of the names that are printed of this port. */
static int name_width(const struct cli *c, const struct config *actual)
{
	setting_set printed = 0;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (c->opt.verbose || !is_as_shipped(&settings[i], actual))
			printed |= actual->has & SETTING(i);
	return names_width(printed);
}

/*
 * Prints other software that configures this port, in yellow if it overwrites settings; nothing if
 * `o` is NULL (unknown).
 */
static void print_owner(const struct cli *c, const struct owner *o)
{
	const char *const words[] = {
		[OWNER_FIRMWARE] = "DCBX by firmware",
		[OWNER_LLDPAD] = "DCBX by lldpad",
		[OWNER_LLDPAD_ADVERTISES] = "lldpad advertises",
		[OWNER_LLDPAD_SOCKET] = "lldpad on demand",
		[OWNER_NETWORKMANAGER] = "DCBX by NetworkManager",
	};
	bool writes = o && (o->who == OWNER_LLDPAD || o->who == OWNER_NETWORKMANAGER);

	if (o && o->who != OWNER_NOBODY)
		fprintf(c->to, ", %s%s%s%s", writes ? c->out.yellow : "", words[o->who],
			writes ? c->out.reset : "", o->firmware_too ? " and firmware" : "");
	fputc('\n', c->to);
	if (!o || !o->what[0] ||
	    (!c->opt.verbose && !(o->firmware_too && o->who != OWNER_LLDPAD_SOCKET)))
		return;
	fprintf(c->to, "  %s", c->out.dim);
	print_clean(c->to, o->what);
	fprintf(c->to, "%s\n", c->out.reset);
}

/* Only of a port that is named: it may be named by one of these. */
static void print_alt_names(const struct cli *c, const struct port *p, int width)
{
	const char *all = p->id.alt_names.text;

	if (selection_names(&c->engine.selection, &p->id) != NAMED_BY_NAME)
		return;
	for (const char *n = all; *n; n += strlen(n) + 1) {
		print_name(c->to, n == all ? "alt_names" : "", width);
		print_clean(c->to, n);
		fputc('\n', c->to);
	}
}

/* Prints every setting and reason with --verbose, else a summary. */
static void print_setup(const struct cli *c, const struct shown_port *s)
{
	const struct observation *seen = &s->seen;
	const setting_set together = unknown_together(seen);
	int width = name_width(c, &seen->actual);

	print_port(c, s->port);
	print_owner(c, s->has_owner ? &s->owner : NULL);
	print_port_role(c, s->port, width);
	print_alt_names(c, s->port, width);
	if (s->capabilities.congestion_program[0])
		fprintf(c->to,
			"  %scongestion control by %s, not DCQCN: losslessctl never writes it%s\n",
			c->out.yellow, s->capabilities.congestion_program, c->out.reset);
	if (s->port->carrier) /* the line above says that the link is down */
		print_link_note(c, s->port);
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (UNWRITABLE_SETTINGS & SETTING(i))
			continue;
		if (!c->opt.verbose &&
		    (is_dcqcn(i) || ((seen->unsupported | together) & SETTING(i)) ||
		     is_nothing(&settings[i], &seen->actual)))
			continue;
		print_setting(c, seen, i, width);
	}
	if (!c->opt.verbose) {
		print_dcqcn(c, &seen->actual, width);
		print_by_reason(c, s->port, seen, together, width);
		print_by_reason(c, s->port, seen, seen->unsupported & SETUP_SETTINGS, width);
	}
	print_gids(c, &s->gids, width);
}

/* Ports alike must have the same number and types of GIDs, but not the same GIDs. */
static void print_folded(struct fold *f, const struct shown_port *s)
{
	const struct cli *c = fold_begin(f, s->port);

	for (size_t i = 0; i < s->gids.count && i < GIDS_SHOWN; i++)
		fold_own(f, s->gids.gids[i].text, "its own");
	print_setup(c, s);
	fold_end(f);
}

static bool show_all(struct cli *c, const struct inventory *inv, struct shown_port *shown,
		     struct err *err)
{
	_fold_ struct fold f = { .c = c };
	bool ok = true;

	fold_open(&f, inv->count);
	for (size_t i = 0; ok && i < inv->count; i++) {
		ok = show_read_port(c, &inv->ports[i], &shown[i], err);
		if (ok && !c->opt.json && !c->opt.quiet)
			print_folded(&f, &shown[i]);
	}
	fold_print(&f);
	return ok;
}

static void print_others(const struct cli *c, const struct inventory *inv)
{
	for (size_t i = 0; i < inv->others_count; i++) {
		fputs(c->out.dim, c->to);
		print_outside(c->to, "%s  ignored: %s", inv->others[i].name, inv->others[i].why);
		fprintf(c->to, "%s\n", c->out.reset);
	}
}

static bool print_as_json(const struct cli *c, const struct inventory *inv,
			  const struct shown_port *shown, struct err *err)
{
	json_t *doc = show_to_json(c, inv, shown, err);

	if (!doc)
		return false;
	print_json(c, doc);
	return true;
}

static bool print_rest(const struct cli *c, const struct inventory *inv,
		       const struct shown_port *shown, struct err *err)
{
	_free_ struct setup *setups = shown_setups(inv, shown);

	if (!setups)
		return err_no_memory(err);
	print_port_differences(c, setups, inv->count);
	print_others(c, inv);
	return print_host_facts(c, inv, err);
}

static void warn_of_lldpad(const struct cli *c)
{
	char what[OWNER_WHAT_MAX];

	if (owner_at_next_boot(c->h, what))
		print_warning(c, "%s", what);
}

int verb_show(struct cli *c, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_free_ struct shown_port *shown = NULL;

	if (!cli_open_host(c, false, err) ||
	    !inventory_read(&c->engine, &c->engine.selection, &inv, err))
		return -1;
	shown = malloc((inv.count + 1) * sizeof(*shown));
	if (!shown)
		return err_no_memory(err) ? 0 : -1;
	if (!show_all(c, &inv, shown, err))
		return -1;
	if (c->opt.json ? !print_as_json(c, &inv, shown, err)
			: !c->opt.quiet && !print_rest(c, &inv, shown, err))
		return -1;
	if (c->h) {
		unfinished_warn(&c->engine);
		warn_of_lldpad(c);
	}
	if (inv.count == 0)
		print_warning(c, "no port of this host has DCB or RDMA");
	return EXIT_SUCCESS;
}
