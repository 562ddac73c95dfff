#include "job_topics.h"

#include <stdio.h>
#include <string.h>

#include "../../policy/document/job_json.h"
#include "../../policy/document/ready_checks.h"
#include "../../policy/job/environment_report.h"

bool topic_check_entry(size_t i, struct entry *ret)
{
	if (i >= READY_COUNT)
		return false;
	*ret = (struct entry){ ready_checks[i].name, ready_checks[i].doc, "check", NULL };
	return true;
}

void topic_check_fields(struct explain_page *p, size_t i)
{
	const struct ready_check *c = &ready_checks[i];
	char range[READY_RANGE_TEXT], fixes[READY_FIXES_TEXT];

	ready_range_text(c, range);
	page_text(p, "of", "scope", c->of_host ? "host" : "port");
	page_json(p, "unit", c->unit ? json_string(c->unit) : json_null());
	page_text(p, "value", "range", range);
	page_text(p, "default", "default", c->default_value ? c->default_value : "only reported");
	page_text(p, "read", "kernel_interface", c->source);
	page_text(p, "why", "rationale", c->reason);
	page_text(p, "fix", "fix", ready_fixes_text(c, fixes));
}

/* "ready.pci-link" as well. */
bool topic_is_check(size_t i, const char *name)
{
	return strcmp(ready_checks[i].name, name) == 0 || strcmp(ready_checks[i].path, name) == 0;
}

bool topic_job_key_entry(size_t i, struct entry *ret)
{
	if (i >= JOB_KEYS)
		return false;
	*ret = (struct entry){ job_keys[i].path, job_keys[i].doc, "policy key", NULL };
	return true;
}

void topic_job_key_fields(struct explain_page *p, size_t i)
{
	if (job_keys[i].type != KEY_NUMBER)
		return;
	page_number(p, "minimum", "minimum", (unsigned)job_keys[i].min);
	page_number(p, "maximum", "maximum", (unsigned)job_keys[i].max);
}

bool topic_variable_entry(size_t i, struct entry *ret)
{
	if (i >= VARIABLE_COUNT)
		return false;
	*ret = (struct entry){ variables[i].name, variables[i].doc, "variable", NULL };
	return true;
}

void topic_variable_fields(struct explain_page *p, size_t i)
{
	const struct variable *v = &variables[i];
	char since[32];

	snprintf(since, sizeof(since), "NCCL %u.%u", v->since / 100, v->since % 100);
	page_text(p, "read by", "library",
		  v->of_ucx	   ? "UCX"
		  : v->nvidia_only ? "NCCL"
				   : "NCCL and RCCL");
	page_text(p, "since", "since", v->since ? since : NULL);
}

bool topic_trap_entry(size_t i, struct entry *ret)
{
	if (i + 1 >= TRAP_COUNT)
		return false;
	*ret = (struct entry){ trap_name((enum trap)(i + 1)), trap_texts[i + 1].why, "trap", NULL };
	return true;
}

void topic_trap_fields(struct explain_page *p, size_t i)
{
	page_text(p, "fix", "fix", trap_texts[i + 1].fix);
}
