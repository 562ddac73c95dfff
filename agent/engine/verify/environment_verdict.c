#include "environment_verdict.h"

/* The others are risks: not every job drives queue pairs from its GPUs. */
static bool is_drift(const struct environment_item *item)
{
	return item->lint == lint_of_document(LINT_ENV_OFF_POLICY);
}

enum severity environment_item_severity(const struct environment_verdict *v,
					const struct environment_item *item)
{
	enum severity s;

	if (!item->lint)
		return SEVERITY_INFO;
	s = severity_of_lint(v->severities, lint_index(item->lint));
	return s == SEVERITY_WARNING && v->asked && is_drift(item) ? SEVERITY_CRITICAL : s;
}

size_t environment_verdict_unknown(const struct environment_verdict *v)
{
	size_t count = v->unknown.kind != ERR_NONE;

	for (size_t i = 0; i < v->report.count; i++)
		count += v->report.items[i].is_unknown;
	return count;
}

size_t environment_verdict_count(const struct environment_verdict *v, enum severity s)
{
	size_t count = 0;

	for (size_t i = 0; i < v->report.count; i++)
		count += environment_item_severity(v, &v->report.items[i]) == s;
	return count;
}

enum status environment_verdict_worst(const struct environment_verdict *v)
{
	enum status unknown = environment_verdict_unknown(v) ? STATUS_UNKNOWN : STATUS_OK;

	if (environment_verdict_count(v, SEVERITY_CRITICAL))
		return STATUS_DRIFT;
	return worse_status(unknown, environment_verdict_count(v, SEVERITY_WARNING) ? STATUS_WARNING
										    : STATUS_OK);
}

const char *environment_verdict_message(const struct environment_verdict *v)
{
	if (v->unknown.kind)
		return v->unknown.text;
	return v->note.kind ? v->note.text : NULL;
}
