#include "doctor.h"

#include <stdio.h>
#include <string.h>

#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/host/log.h"
#include "../../policy/util/json_util.h"
#include "../captured/captured_bundle.h"
#include "../captured/captured_host.h"
#include "../output/verify_text.h"
#include "../ready/ready_report.h"

/* ---- drift that one `apply` repairs ---- */

/* Names a setting once, also if it is alike on several ports. */
static void name_setting(struct doctor_drift *d, const char *setting)
{
	size_t used = strlen(d->named);

	if (strstr(d->named, setting))
		return;
	if (used + strlen(setting) + 3 > sizeof(d->named)) {
		d->more = true;
		return;
	}
	snprintf(d->named + used, sizeof(d->named) - used, "%s%s", used ? ", " : "", setting);
}

void doctor_drift_add(struct doctor_drift *d, const struct identity *port, const char *setting,
		      const char *cause)
{
	d->settings++;
	if (strcmp(d->finding.last_port, port->name) != 0)
		doctor_finding_add_port(&d->finding, port->name);
	name_setting(d, setting);
	if (!d->cause[0])
		snprintf(d->cause, sizeof(d->cause), "%s", cause);
}

void doctor_drift_report(struct doctor_drift *d, const char *fix, struct doctor_findings *ret)
{
	struct doctor_finding *one = &d->finding;

	if (!d->settings)
		return;
	one->level = DOCTOR_CRITICAL;
	one->from = "verify";
	snprintf(one->subject, sizeof(one->subject), "drift");
	snprintf(one->text, sizeof(one->text), "%zu setting%s: %s%s%s%s", d->settings,
		 d->settings == 1 ? "" : "s", d->named, d->more ? ", and others" : "",
		 d->cause[0] ? "; " : "", d->cause);
	snprintf(one->fix, sizeof(one->fix), "%s", fix);
	doctor_findings_append(ret, one);
}

/* Words of all reports, the command that repairs drift, and the fix where apply is refused. */
struct collecting {
	struct doctor_findings *ret;
	struct doctor_drift drift, refused;
	char apply[DOCTOR_TEXT_MAX], instead[DOCTOR_TEXT_MAX];
};

static enum doctor_level level_of_status(enum status s)
{
	const struct status_word *w = &status_words[status_word(s)];

	if (s == STATUS_OK || s == STATUS_SKIPPED)
		return DOCTOR_LEVELS;
	return w->is_unknown			  ? DOCTOR_UNKNOWN
	       : w->severity == SEVERITY_CRITICAL ? DOCTOR_CRITICAL
	       : w->severity == SEVERITY_WARNING  ? DOCTOR_WARNING
						  : DOCTOR_INFO;
}

static enum doctor_level level_of_severity(enum severity s)
{
	return s == SEVERITY_CRITICAL  ? DOCTOR_CRITICAL
	       : s == SEVERITY_WARNING ? DOCTOR_WARNING
				       : DOCTOR_LEVELS;
}

/* ---- verify ---- */

/* Writes "1500 found, 9000 expected", and the likely cause. */
static void describe_drift(const struct item *i, char text[DOCTOR_TEXT_MAX])
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX];

	setting_change_text(k, i->actual, i->desired, actual, desired);
	snprintf(text, DOCTOR_TEXT_MAX, "%.80s found, %.80s expected%s%.120s", actual, desired,
		 i->likely_cause[0] ? ": " : "", i->likely_cause);
}

static bool apply_repairs(const struct item *i)
{
	return i->kind == ITEM_SETTING && i->status == STATUS_DRIFT && !item_is_unwritable(i);
}

/* Another refusal than the first has a finding of its own, with its own fix. */
static void add_refused(struct collecting *to, const struct identity *port, const struct item *i,
			const char *drift)
{
	char text[DOCTOR_TEXT_MAX];

	snprintf(text, sizeof(text), "1 setting: %s; %s", drift, i->likely_cause);
	doctor_findings_add(to->ret,
			    &(const struct doctor_remark){ DOCTOR_CRITICAL, "verify", "drift", port,
							   text, i->needs });
}

/* Writes "mtu 1500 (expected 9000)"; of a map the entries that differ. */
static void add_drift(struct collecting *to, const struct identity *port, const struct item *i)
{
	const struct setting *k = &settings[__builtin_ctzll(i->about)];
	char desired[SETTING_TEXT_MAX], actual[SETTING_TEXT_MAX], text[256];

	setting_change_text(k, i->actual, i->desired, actual, desired);
	snprintf(text, sizeof(text), "%s %.80s (expected %.80s)", k->path, actual, desired);
	if (i->is_refused && i->needs[0] && to->instead[0] && strcmp(to->instead, i->needs) != 0) {
		add_refused(to, port, i, text);
		return;
	}
	doctor_drift_add(i->is_refused ? &to->refused : &to->drift, port, text, i->likely_cause);
	if (i->needs[0] && i->is_refused)
		snprintf(to->instead, sizeof(to->instead), "%s", i->needs);
}

static void add_item(struct collecting *to, const struct identity *port, const struct item *i)
{
	enum doctor_level level = level_of_status(i->status);
	char text[DOCTOR_TEXT_MAX];

	if (level == DOCTOR_LEVELS)
		return;
	if (apply_repairs(i) || (i->is_refused && i->status == STATUS_DRIFT)) {
		add_drift(to, port, i);
		return;
	}
	snprintf(text, sizeof(text), "%s", item_why(i) ? item_why(i) : "not in sync");
	if (i->kind == ITEM_SETTING && (i->status == STATUS_DRIFT || i->of_host))
		describe_drift(i, text);
	doctor_findings_add(to->ret,
			    &(const struct doctor_remark){
				    level, i->kind == ITEM_SYMPTOM ? "counters" : "verify", i->name,
				    i->of_host ? NULL : port, text, item_fix(i) });
}

static void add_lints(struct collecting *to, const struct identity *port,
		      const struct port_report *a)
{
	struct lint_input in = target_lint_input(a->target);
	lint_set findings = a->findings & ~a->repeated;
	char text[LINT_TEXT_MAX];

	for (size_t i = 0; i < LINTS_MAX; i++)
		if (findings & LINT(i)) {
			enum severity s = severity_of_lint(a->target->severities, i);

			if (level_of_severity(s) == DOCTOR_LEVELS)
				continue;
			doctor_findings_add(to->ret, &(const struct doctor_remark){
							     level_of_severity(s), "verify",
							     lint_at(i)->name, port,
							     finding_message(&in, i, text),
							     lint_at(i)->fix });
		}
}

/* Report host advice once, with the first port. */
static bool is_first_advice(const struct port_report *a, const struct item *i)
{
	return i->status != STATUS_ADVICE || (a->host_advice & i->about);
}

/* Names the windows for which the agent waits, if it would not raise the symptom after this one. */
static const char *symptom_why(const struct item *i, const struct counted *n,
			       char text[DOCTOR_TEXT_MAX])
{
	for (size_t k = 0; k < symptoms_count; k++) {
		const struct hysteresis *w = &symptoms[k].windows;

		if (symptoms[k].name != i->name || i->status == STATUS_SKIPPED || !n ||
		    (n->raised & (1u << k)))
			continue;
		snprintf(text, DOCTOR_TEXT_MAX,
			 "%s; this is one window, the agent reports it after %d of %d", i->why,
			 w->raise, w->of);
		return text;
	}
	return i->why;
}

/* `n` is NULL if nothing was counted: then there is no symptom. */
static void add_symptoms(struct collecting *to, const struct port_report *a,
			 const struct counted *n)
{
	for (size_t i = 0; i < a->count; i++) {
		struct item item = a->items[i];
		char text[DOCTOR_TEXT_MAX];

		if (item.kind != ITEM_SYMPTOM)
			continue;
		item.why = symptom_why(&item, n, text);
		add_item(to, &a->target->task.port.id, &item);
	}
}

static void add_port(struct collecting *to, const struct port_report *a)
{
	const struct target *t = a->target;
	const struct identity *port = &t->task.port.id;

	for (size_t i = 0; i < t->refusals_count; i++)
		doctor_findings_add(to->ret,
				    &(const struct doctor_remark){
					    DOCTOR_UNKNOWN, "verify", t->refusals[i].setting, port,
					    t->refusals[i].why, t->refusals[i].fix });
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].kind != ITEM_SYMPTOM && is_first_advice(a, &a->items[i]))
			add_item(to, port, &a->items[i]);
	add_lints(to, port, a);
}

/* Writes "/etc/nccl.conf:1: ..." if a file or process sets the variable. */
static void describe_variable(const struct environment_item *item, char text[DOCTOR_TEXT_MAX])
{
	char line[24] = "";

	if (item->line)
		snprintf(line, sizeof(line), ":%u", item->line);
	snprintf(text, DOCTOR_TEXT_MAX, "%s%s%s%s", item->source ? item->source->label : "", line,
		 item->source ? ": " : "", item->message);
}

static void add_environment(struct collecting *to, const struct environment_verdict *v)
{
	if (v && v->unknown.kind)
		doctor_findings_add(to->ret, &(const struct doctor_remark){
						     DOCTOR_UNKNOWN, "env", "environment", NULL,
						     v->unknown.text, v->unknown.fix });
	for (size_t i = 0; v && i < v->report.count; i++) {
		const struct environment_item *item = &v->report.items[i];
		enum doctor_level level =
			item->is_unknown ? DOCTOR_UNKNOWN
					 : level_of_severity(environment_item_severity(v, item));
		char text[DOCTOR_TEXT_MAX];

		describe_variable(item, text);
		if (level != DOCTOR_LEVELS)
			doctor_findings_add(to->ret,
					    &(const struct doctor_remark){
						    level, "env", variables[item->variable].name,
						    NULL, text, item->fix });
	}
}

/* A policy of firmware.* alone is not looked at: silence would look like health. */
static bool verified_nothing(const struct verify_run *r)
{
	for (size_t i = 0; i < r->ports.count; i++) {
		const struct port_report *a = &r->ports.list[i];

		for (size_t k = 0; k < a->count; k++)
			if (a->items[k].status != STATUS_SKIPPED)
				return false;
		if (a->target->refusals_count)
			return false;
	}
	return r->ports.count && !r->has_no_policy;
}

void collect_verify(const struct cli *c, const struct verify_run *r, struct doctor_findings *ret)
{
	struct collecting to = { .ret = ret };
	char advice[REPAIR_ADVICE_MAX];

	snprintf(to.apply, sizeof(to.apply), "%s%s",
		 ret->apply_waits ? "confirm or roll back the apply that waits, then " : "",
		 repair_advice(c, r, advice));
	for (size_t i = 0; i < r->ports.count; i++)
		add_symptoms(&to, &r->ports.list[i], r->counted ? &r->counted[i] : NULL);
	for (size_t i = 0; i < r->ports.count; i++)
		add_port(&to, &r->ports.list[i]);
	doctor_drift_report(&to.drift, to.apply, ret);
	doctor_drift_report(&to.refused, to.instead, ret);
	if (r->unmet.count && (r->policy->ready.ignored & READY(READY_PORTS)))
		doctor_findings_add(ret, &(const struct doctor_remark){
						 DOCTOR_UNKNOWN, "verify", "rules", NULL,
						 r->unmet.first.text, r->unmet.first.fix });
	if (verified_nothing(r))
		doctor_findings_add(
			ret, &(const struct doctor_remark){
				     DOCTOR_UNKNOWN, "verify", "settings", NULL,
				     "each setting of these ports is skipped: nothing was "
				     "verified",
				     "run `losslessctl verify --all`, with this policy and these "
				     "ports, for the reasons; --firmware queries firmware.*" });
	add_environment(&to, r->environment);
}

/* ---- the others ---- */

void collect_peers(const struct targets *all, const struct compared_peer *peers,
		   struct doctor_findings *ret)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t a = 0; a < AGREE_COUNT; a++) {
			const struct peer_comparison *p = &peers[i].agreed[a];

			if (p->peer_status == PEER_STATUS_DIFFERS)
				doctor_findings_add(ret, &(const struct doctor_remark){
								 DOCTOR_CRITICAL, "peer",
								 p->peer_reason->name,
								 &all->list[i].task.port.id,
								 p->text, p->peer_reason->fix });
		}
}

void collect_ready(const struct ready_report *r, uint32_t checks, struct doctor_findings *ret)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct ready_row *row = &r->rows[i];
		char text[DOCTOR_TEXT_MAX];

		if (!ready_row_matters(row) || !(checks & READY(row->check - ready_checks)))
			continue;
		snprintf(text, sizeof(text), "%s%s%s", row->actual, row->actual[0] ? ": " : "",
			 row->reason);
		doctor_findings_add(ret,
				    &(const struct doctor_remark){
					    row->status == READY_NOT_MET ? DOCTOR_CRITICAL
									 : DOCTOR_UNKNOWN,
					    "ready", row->check->name,
					    row->port ? &row->port->id : NULL, text, row->fix });
	}
}

static void add_recording(const struct flight_recording *r, const json_t *document, void *arg)
{
	char text[DOCTOR_TEXT_MAX], fix[64], when[TIMESTAMP_MAX];

	(void)document;
	snprintf(text, sizeof(text), "%s on %s at %s: the minutes before it were recorded",
		 r->incident.symptom, r->incident.port,
		 timestamp_text(r->incident.detected_s, when));
	snprintf(fix, sizeof(fix), "run `losslessctl history --recording %u`", r->number);
	doctor_findings_add(arg, &(const struct doctor_remark){ DOCTOR_WARNING, "history",
								"recording", NULL, text, fix });
}

/* The states of a run that has not ended, as `rollback --list` names them: the first counts. */
enum unended {
	UNREADABLE,
	NOT_CAPTURED,
	AWAITS_CONFIRMATION,
	ROLLING_BACK,
	APPLYING,
	INCOMPLETE,
	ENDED
};

static const struct doctor_remark unended_remarks[] = {
	[UNREADABLE] = { DOCTOR_WARNING, "journal", "transaction", NULL,
			 "the journal of applies is not readable",
			 "run the same command with sudo" },
	[NOT_CAPTURED] = { DOCTOR_UNKNOWN, "journal", "transaction", NULL,
			   "the document does not have the journal of applies",
			   "collect the host with bundle, as root" },
	[AWAITS_CONFIRMATION] = { DOCTOR_WARNING, "journal", "confirm", NULL,
				  "an apply waits for its confirmation; until then no other one "
				  "runs",
				  "run `losslessctl confirm`, or `losslessctl rollback`" },
	[ROLLING_BACK] = { DOCTOR_WARNING, "journal", "transaction", NULL,
			   "a run is rolling back: its ports change until it ends",
			   "run the same command again when it has ended" },
	[APPLYING] = { DOCTOR_WARNING, "journal", "transaction", NULL,
		       "a run is applying: its ports change until it ends",
		       "run the same command again when it has ended" },
	[INCOMPLETE] = { DOCTOR_WARNING, "journal", "transaction", NULL, "a run is incomplete",
			 "run `losslessctl rollback`, which rolls an apply back and completes a "
			 "rollback" },
};

static const enum unended unended_of[] = {
	[RUN_INCOMPLETE] = INCOMPLETE,
	[RUN_APPLYING] = APPLYING,
	[RUN_ROLLING_BACK] = ROLLING_BACK,
	[RUN_AWAITS_CONFIRMATION] = AWAITS_CONFIRMATION,
};

static enum unended first_of(enum unended a, enum unended b)
{
	return a < b ? a : b;
}

static enum unended unended_of_host(struct host *h)
{
	_unfinished_ struct unfinished u;
	enum unended ret = ENDED;
	const struct journal_run *run;

	unfinished_find(h, &u);
	if (!u.readable)
		return u.waits ? AWAITS_CONFIRMATION : UNREADABLE;
	for (size_t at = 0; (run = journal_next_run(&u.pending, &at));)
		ret = first_of(ret, unended_of[unfinished_state(h, &u, run)]);
	return ret;
}

static enum unended unended_of_document(const struct captured_host *h)
{
	enum unended ret = ENDED;
	struct err quiet = { 0 };
	const json_t *apply;
	json_t *part;
	size_t i;

	if (!captured_host_part(h, "applies", &part, &quiet))
		return NOT_CAPTURED;
	json_array_foreach (json_object_get(part, "applies"), i, apply)
		for (int s = RUN_INCOMPLETE; s <= RUN_AWAITS_CONFIRMATION; s++)
			if (strcmp(json_text(apply, "state"), run_state_name((enum run_state)s)) ==
			    0)
				ret = first_of(ret, unended_of[s]);
	return ret;
}

static void add_unended(enum unended state, struct doctor_findings *ret)
{
	ret->apply_waits = state == AWAITS_CONFIRMATION;
	if (state != ENDED)
		doctor_findings_add(ret, &unended_remarks[state]);
}

void collect_journal(const struct cli *c, struct doctor_findings *ret)
{
	struct recording_visitor v = { .found = add_recording, .arg = ret };
	struct err quiet = { 0 };

	add_unended(c->captured ? unended_of_document(c->captured) : unended_of_host(c->h), ret);
	(void)!source_recordings_each(c, &v, &quiet);
}

void collect_missing(const char *from, const struct err *why, struct doctor_findings *ret)
{
	if (why->kind)
		doctor_findings_add(ret,
				    &(const struct doctor_remark){ DOCTOR_UNKNOWN, from, from, NULL,
								   why->text, why->fix });
}
