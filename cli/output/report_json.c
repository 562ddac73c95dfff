#include "report_json.h"

#include <stdio.h>

#include "../../policy/document/config_json.h"
#include "../../policy/util/json_util.h"
#include "../captured/captured_bundle.h"
#include "print.h"

json_t *report_new(const char *verb)
{
	return json_pack("{s:o}", "schema", json_sprintf("losslessctl/%s/1", verb));
}

json_t *report_of_host(const struct cli *c, const char *verb)
{
	json_t *doc = report_new(verb);

	source_identify(c, doc);
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
		[DISRUPTS_NONE] = "none", [DISRUPTS_TRAFFIC] = "traffic", [DISRUPTS_LINK] = "link"
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

		source_identify(c, doc);
		print_json(c, doc);
	}
	if (!c->opt.json || *c->output_lost)
		print_failure(c, err);
	return err_exit_code(err);
}

void report_unmet(const struct unmet *u, json_t *doc)
{
	json_object_set_new(doc, "unmet_rules", json_integer((json_int_t)u->count));
	json_object_set_new(doc, "unmet_message",
			    u->count ? json_string(u->first.text) : json_null());
}
