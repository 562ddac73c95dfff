#include "judge.h"

/* Returns the known settings whose feature only advises on them. */
static setting_set advised(struct features all, const struct target *t, setting_set known)
{
	setting_set set = 0;

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if ((known & SETTING(k)) && observation_feature(&t->seen, all, k)->is_advice)
			set |= SETTING(k);
	return set;
}

struct judgement judge_settings(struct features all, const struct target *t)
{
	setting_set desired = t->task.desired.has & ~t->skipped;
	setting_set known = desired & t->seen.actual.has & ~t->seen.unsupported;
	setting_set differing = known & config_diff(&t->task.desired, &t->seen.actual);

	return (struct judgement){
		.in_sync = known & ~differing,
		.differing = differing,
		.unsupported = desired & t->seen.unsupported,
		.unknown = desired & ~known & ~t->seen.unsupported,
		.skipped = t->skipped,
		.advised = advised(all, t, known),
	};
}

enum status judge_status(const struct judgement *j, unsigned setting)
{
	setting_set is = SETTING(setting);

	if (j->skipped & is)
		return STATUS_SKIPPED;
	if (j->unsupported & is)
		return STATUS_UNSUPPORTED;
	if (j->unknown & is)
		return STATUS_UNKNOWN;
	if (j->differing & is)
		return j->advised & is ? STATUS_ADVICE : STATUS_DRIFT;
	return STATUS_OK;
}

enum status judge_findings(lint_set findings, const struct severities *s)
{
	if (findings_of_severity(findings, s, SEVERITY_CRITICAL))
		return STATUS_DRIFT;
	return findings_of_severity(findings, s, SEVERITY_WARNING) ? STATUS_WARNING : STATUS_OK;
}

enum status judge_symptom(enum severity a)
{
	static const enum status statuses[] = {
		[SEVERITY_IGNORE] = STATUS_OK,
		[SEVERITY_INFO] = STATUS_ADVICE,
		[SEVERITY_WARNING] = STATUS_WARNING,
		[SEVERITY_CRITICAL] = STATUS_SYMPTOM,
	};

	return statuses[a];
}
