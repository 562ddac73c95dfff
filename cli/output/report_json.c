#include "report_json.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/host/host_facts.h"
#include "../../agent/host/log.h"
#include "../../dcb/owner/other_writers.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/json_util.h"
#include "../../roce/device.h"
#include "../captured/captured_bundle.h"
#include "../captured/captured_host.h"
#include "print.h"
#include "../../agent/engine/verify/state_hash.h"

#define XOFF_FAULT "mlx5-xoff-regression"

/* ---- the host ---- */

static void identity_add(json_t *doc, struct host *h)
{
	struct host_identity id;
	char now[TIMESTAMP_MAX];

	if (!h)
		return;
	host_identify(h, &id);
	json_object_set_new(doc, "host", json_from_text(id.name));
	json_object_set_new(doc, "host_id", json_text_or_null(id.host_id));
	json_object_set_new(doc, "boot_id", json_text_or_null(id.boot_id));
	json_object_set_new(doc, "losslessctl_version", json_string(LOSSLESSCTL_VERSION));
	json_object_set_new(doc, "observed_at", json_string(timestamp_now(now)));
}

void identity_add_state(json_t *doc, const struct setup *setups, size_t count)
{
	char hex[SHA256_HEX];
	bool known = setups && state_hash(setups, count, hex);

	json_object_set_new(doc, "state_hash", known ? json_string(hex) : json_null());
}

static bool has_mlx5(const struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		if (strcmp(inv->ports[i].id.driver, "mlx5_core") == 0)
			return true;
	return false;
}

static json_t *other_writers_to_json(struct host *h)
{
	json_t *list = json_array();
	struct other_writers all;

	other_writers_find(h, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct other_writer *w = all.list[i].writer;

		json_array_append_new(list,
				      json_pack("{s:s, s:i, s:o, s:s}", "name", w->name, "pid",
						(int)all.list[i].pid, "settings",
						setting_paths_to_json(w->writes), "fix", w->fix));
	}
	return list;
}

/* Names of lints, for `explain`. */
static json_t *known_faults(const struct host_facts *p, const struct inventory *inv)
{
	json_t *list = json_array();

	if (p->slows_mlx5 && has_mlx5(inv))
		json_array_append_new(list, json_string(XOFF_FAULT));
	return list;
}

static bool read_host_facts(struct host *h, const struct inventory *inv, json_t **ret,
			    struct err *err)
{
	const char *netns;
	struct host_facts p;

	if (!rdma_netns_mode(h, &netns, err))
		return false;
	host_facts_read(h, &p);
	*ret = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kernel",
			 json_text_or_null(p.kernel), "mlx5",
			 json_text_or_null(has_mlx5(inv) ? mlx5_source_name(p.mlx5) : NULL),
			 "mlx5_version", json_text_or_null(p.mlx5_version), "lockdown",
			 json_text_or_null(p.lockdown), "rdma_netns", json_text_or_null(netns),
			 "known_faults", known_faults(&p, inv), "other_writers",
			 other_writers_to_json(h));
	return true;
}

bool host_facts_to_json(const struct cli *c, const struct inventory *inv, json_t **ret,
			struct err *err)
{
	if (!c->captured)
		return read_host_facts(c->h, inv, ret, err);
	*ret = json_incref(json_object_get(c->captured->document, "platform"));
	return true;
}

/* ---- the host, as text ---- */

static void print_driver(const json_t *facts)
{
	static const char *const texts[] = {
		[MLX5_INBOX] = "inbox mlx5 driver",
		[MLX5_RHEL] = "Red Hat's mlx5 driver",
		[MLX5_NVIDIA] = "NVIDIA's mlx5 driver",
	};
	const char *version = json_text(facts, "mlx5_version");

	for (enum mlx5_source s = MLX5_INBOX; s <= MLX5_NVIDIA; s++)
		if (strcmp(json_text(facts, "mlx5"), mlx5_source_name(s)) == 0)
			print_outside(stdout, ", %s%s%s", texts[s], version[0] ? " " : "", version);
}

static void print_known_faults(const struct cli *c, const json_t *facts)
{
	const json_t *fault;
	size_t i;

	json_array_foreach (json_object_get(facts, "known_faults"), i, fault)
		if (json_is_string(fault) && strcmp(json_string_value(fault), XOFF_FAULT) == 0)
			printf("%sthis kernel's mlx5 driver slows most traffic to a trickle "
			       "(" XOFF_FAULT ")%s\n",
			       c->out.yellow, c->out.reset);
}

static void print_other_writers(const json_t *facts)
{
	const json_t *writer, *path;
	size_t i, k;

	json_array_foreach (json_object_get(facts, "other_writers"), i, writer) {
		char names[SETTING_NAMES_MAX];
		setting_set writes = 0;

		json_array_foreach (json_object_get(writer, "settings"), k, path) {
			const struct setting *s =
				json_is_string(path) ? setting_find(json_string_value(path)) : NULL;

			writes |= s ? SETTING(s - settings) : 0;
		}
		setting_names(writes, names);
		print_outside(stdout, "other writer: %s (pid %d): %s", json_text(writer, "name"),
			      (int)json_integer_value(json_object_get(writer, "pid")), names);
		putchar('\n');
	}
}

bool print_host_facts(const struct cli *c, const struct inventory *inv, struct err *err)
{
	json_auto_t *facts = NULL;

	if (!host_facts_to_json(c, inv, &facts, err))
		return false;
	print_outside(stdout, "host: Linux %s", json_text(facts, "kernel"));
	print_driver(facts);
	if (json_text(facts, "lockdown")[0])
		print_outside(stdout, ", kernel lockdown: %s", json_text(facts, "lockdown"));
	if (json_text(facts, "rdma_netns")[0])
		print_outside(stdout, ", RDMA namespaces: %s", json_text(facts, "rdma_netns"));
	putchar('\n');
	print_known_faults(c, facts);
	print_other_writers(facts);
	return true;
}

void print_port_role(const struct cli *c, const struct port *p, int width)
{
	const struct {
		bool is;
		const char *text;
	} roles[] = {
		{ p->is_bluefield && !p->is_vf, "BlueField: in DPU mode its Arm side configures "
						"this port, and apply is refused" },
		{ p->eswitch_mode == ESWITCH_SWITCHDEV,
		  "uplink of a switch (switchdev): RoCE is on its VFs and SFs" },
		{ p->in_lag, "LAG: one RDMA device for the bond's members" },
		{ p->is_vf, "VF or SF: its PF has the DCB settings" },
		{ p->no_interface,
		  "its interface is in another network namespace: roce.* alone can "
		  "be set here" },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (roles[i].is) {
			print_name(c->to, "role", width);
			fprintf(c->to, "%s%s%s\n", c->out.dim, roles[i].text, c->out.reset);
		}
}

/* ---- documents ---- */

void report_identify(const struct cli *c, json_t *doc)
{
	if (c->captured && c->captured->document)
		captured_host_identify(c->captured, doc);
	else
		identity_add(doc, c->h);
}

json_t *report_new(const char *verb)
{
	return json_pack("{s:o}", "schema", json_sprintf("losslessctl/%s/1", verb));
}

json_t *report_of_host(const struct cli *c, const char *verb)
{
	json_t *doc = report_new(verb);

	report_identify(c, doc);
	return doc;
}

json_t *report_policy(const struct policy *p)
{
	json_t *doc = json_pack("{s:o, s:s}", "name", json_from_text(p->name), "sha256", p->sha256);

	if (p->generation)
		json_object_set_new(doc, "generation", json_integer((json_int_t)p->generation));
	if (p->signer[0])
		json_object_set_new(doc, "signer", json_from_text(p->signer));
	return doc;
}

static json_t *speed(uint32_t mbps)
{
	return mbps ? json_integer(mbps) : json_null();
}

static void add_link(json_t *object, const struct port *p)
{
	json_object_set_new(object, "carrier", json_boolean(p->carrier));
	json_object_set_new(object, "speed_mbps", speed(p->speed_mbps));
	json_object_set_new(object, "best_speed_mbps", speed(p->best_speed_mbps));
}

json_t *report_link(const struct port *p)
{
	json_t *link = json_object();

	add_link(link, p);
	return link;
}

const char *disruption_name(enum disruption d)
{
	static const char *const names[] = {
		[DISRUPTS_NONE] = "none",
		[DISRUPTS_TRAFFIC] = "traffic",
		[DISRUPTS_RDMA] = "rdma",
		[DISRUPTS_LINK] = "link",
	};

	return names[d];
}

/* Reports only what differs: for a DSCP map, the entries that change. */
static json_t *change(const struct target *t, unsigned setting, const struct config *from,
		      const struct config *to)
{
	struct config a = *from, b = *to;
	char origin[ORIGIN_TEXT_MAX];
	json_t *out;

	if (a.has & b.has & SETTING(setting))
		setting_drop_equal(&settings[setting], &a, &b);
	out = json_pack("{s:o, s:o}", "from", setting_to_json(&settings[setting], &a), "to",
			setting_to_json(&settings[setting], &b));
	if (target_origin(t, setting, origin))
		json_object_set_new(out, "origin", json_from_text(origin));
	return out;
}

/* Adds the status of a step, and the error if it failed. */
static void set_status(json_t *out, const struct plan *p, const struct result *r, size_t at)
{
	enum step_status status = step_status(p, r, at);

	json_object_set_new(out, "status", json_string(step_status_name(status)));
	if (status == STEP_FAILED)
		json_object_set_new(out, "message", json_from_text(r->err.text));
}

static json_t *step_to_json(const struct target *t, const struct result *r, size_t at)
{
	const struct plan *p = &t->task.plan;
	const struct step *s = &p->steps[at];
	json_t *changes = json_object();
	json_t *out = json_pack("{s:s, s:s}", "feature", s->feature->name, "disrupts",
				disruption_name(s->disrupts));

	if (r)
		set_status(out, p, r, at);
	if (s->irreversible)
		json_object_set_new(out, "irreversible", json_string(s->irreversible));
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if ((s->change | s->side) & SETTING(i))
			json_object_set_new(changes, settings[i].path,
					    change(t, i, plan_before(p, at), &s->after));
	json_object_set_new(out, "changes", changes);
	return out;
}

json_t *report_steps(const struct target *t, const struct result *r)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < t->task.plan.count; i++)
		json_array_append_new(steps, step_to_json(t, r, i));
	return steps;
}

json_t *report_refusals(const struct refusal *r, size_t count)
{
	json_t *list = count ? json_array() : NULL;

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:s, s:s*, s:o, s:o}", "subject",
						      r[i].setting, "lint", r[i].lint, "message",
						      json_from_text(r[i].why), "fix",
						      json_from_text(r[i].fix)));
	return list;
}

json_t *report_error(const struct err *err)
{
	json_t *out = report_new("error");

	json_object_set_new(out, "kind", json_string(err_kind_name(err->kind)));
	json_object_set_new(out, "where", json_from_text(err->where));
	json_object_set_new(out, "message", json_from_text(err->text));
	if (err->fix[0])
		json_object_set_new(out, "fix", json_from_text(err->fix));
	if (err->at.line) {
		json_object_set_new(out, "pointer", json_string(err->at.pointer));
		json_object_set_new(out, "line", json_integer(err->at.line));
		json_object_set_new(out, "column", json_integer(err->at.column));
	}
	return out;
}

int report_failure(struct cli *c, const struct err *err)
{
	if (c->opt.json) {
		json_t *doc = report_error(err);

		report_identify(c, doc);
		print_json(c, doc);
	}
	if (!c->opt.json || *c->output_lost)
		print_failure(c, err);
	return exit_code_of_err(err);
}

void report_unmet(const struct unmet *u, json_t *doc)
{
	json_object_set_new(doc, "unmet_rules", json_integer((json_int_t)u->count));
	json_object_set_new(doc, "unmet_message",
			    u->count ? json_string(u->first.text) : json_null());
}
