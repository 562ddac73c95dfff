#include <string.h>

#include "../../policy/document/classes.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/lint/lint.h"
#include "../../policy/document/origin.h"
#include "fuzz.h"
#include "policy.h"
#include "../../policy/document/unreachable_rule.h"

static const struct identity ports[] = {
	{ .name = "ens1f0np0",
	  .pci = "0000:3b:00.0",
	  .driver = "mlx5_core",
	  .rdma = "mlx5_0",
	  .mac = "00:00:5e:00:53:01",
	  .firmware = "28.41.1000 (MT_0000000834)",
	  .speed_mbps = 100000 },
	{ .name = "eth0", .driver = "bnxt_en", .bond = "bond0" },
};

#define PORTS (sizeof(ports) / sizeof(ports[0]))

/* The desired settings can be written as JSON. */
static void judge_json(const struct config *c)
{
	json_t *j = config_to_json(c, EVERY_SETTING);
	char *text = json_dumps(j, JSON_COMPACT);

	MUST(text);
	free(text);
	json_decref(j);
}

static void judge_config(const struct config *c, const struct switch_map *fabric)
{
	static const struct capabilities fast = { .speed_mbps = 400000,
						  .max_mtu = 9978,
						  .pfc_cap = 8 };
	struct capabilities capabilities = fast;
	char text[SETTING_TEXT_MAX], says[LINT_TEXT_MAX];
	const struct lint *r;

	capabilities.switch_map = fabric;
	judge_json(c);
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (c->has & SETTING(i))
			MUST(strlen(setting_text(&settings[i], c, text)) < sizeof(text));
	for (size_t i = 0; (r = lint_at(i)); i++)
		if (lint_fails(r, c, &capabilities))
			MUST(strlen(lint_message(r, c, &capabilities, says)) < sizeof(says) &&
			     says[0]);
}

/* Each desired setting has a place in the policy. */
static void judge_desired(const struct policy *p, const struct port_rule *r,
			  const struct config *desired, const struct because *because)
{
	char origin[ORIGIN_TEXT_MAX];

	judge_config(desired, p->switch_map);
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (desired->has & SETTING(i))
			MUST(strncmp(origin_text(p, r, &because[i], origin), "p.json:", 7) == 0);
	MUST(origin_line(p, r, 0, desired->has) > 0);
}

static void judge_rule(const struct policy *p, const struct port_rule *r)
{
	char source[SOURCE_TEXT_MAX];
	struct because because[SETTING_COUNT];
	struct config desired;

	for (size_t i = 0; i <= r->profile->when_count; i++) {
		struct err err = { 0 };

		if (rule_desired_of(r, i ? 1u << (i - 1) : 0, &desired, because, &err))
			judge_desired(p, r, &desired, because);
		else
			MUST(err.kind == ERR_POLICY && p->is_show_document == false);
	}
	for (unsigned i = 0; r->profile->classes.count && i < SETTING_COUNT; i++)
		if (r->profile->base.has & SETTING(i))
			MUST(strlen(classes_source(&r->profile->classes, i, source)) <
			     sizeof(source));
}

static void judge_ports(const struct policy *p)
{
	for (size_t i = 0; i < PORTS; i++) {
		const struct port_rule *r = NULL;
		struct err err = { 0 };
		struct config desired;

		if (!rule_for(p->rules, p->count, &ports[i], &r, &err))
			MUST(err.kind == ERR_UNKNOWN && r);
		else if (r && !rule_desired(r, &ports[i], &desired, NULL, &err))
			MUST(err.kind == ERR_UNKNOWN || err.kind == ERR_POLICY);
	}
}

static void judge_taken(const struct policy *p)
{
	const struct port_rule **by = NULL;
	struct err err = { 0 };

	MUST(strnlen(p->name, sizeof(p->name)) < sizeof(p->name));
	MUST(unreachable_rules_find(p->rules, p->count, &by, &err));
	for (size_t i = 0; i < p->count; i++) {
		MUST(!by[i] || by[i] > &p->rules[i]);
		judge_rule(p, &p->rules[i]);
	}
	free(by);
	judge_ports(p);
}

static void judge_refusal(const struct err *err)
{
	MUST(err->kind == ERR_POLICY && err->text[0]);
	MUST(err->at.line > 0 && err->at.column > 0);
	MUST(strnlen(err->at.pointer, sizeof(err->at.pointer)) < sizeof(err->at.pointer));
}

void policy_judge(const char *text, size_t size)
{
	struct policy *p = NULL;
	struct err err = { 0 };

	if (policy_parse(&p, text, size, "p.json", &err)) {
		MUST(err.kind == ERR_NONE);
		judge_taken(p);
	} else {
		MUST(!p);
		judge_refusal(&err);
	}
	free(p);
}
