#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../agent/daemon/metrics.h"
#include "../agent/daemon/sd_notify.h"
#include "../agent/host/cleanup.h"
#include "../policy/document/config_json.h"
#include "../policy/util/oom.h"
#include "../policy/util/sanitize.h"
#include "agent.h"
#include "output/host_identity.h"
#include "output/lint_text.h"
#include "output/report_json.h"
#include "port_report.h"

void agent_report_error(struct agent *a, enum agent_output which, const struct err *err)
{
	char *told = a->last_error[which];

	if (!err) {
		told[0] = '\0';
		return;
	}
	if (strcmp(told, err->text) == 0)
		return;
	snprintf(told, sizeof(a->last_error[which]), "%s", err->text);
	log_say(&a->log, LOG_TROUBLE, NO_TOPIC, "%s", err->text);
}

static void publish(struct agent *a, enum agent_output which, const char *path, const char *text)
{
	struct err err = { 0 };

	agent_report_error(a, which,
			   host_publish_file(&a->writer.host, path, text, &err) ? NULL : &err);
}

static lint_set errors_of(const struct agent *a, const struct monitored_port *w)
{
	return findings_of_severity(w->findings, &a->policy->severities, SEVERITY_ERROR);
}

static bool has_critical_symptom(const struct monitored_port *w)
{
	for (size_t i = 0; i < w->sampler.active_symptoms_count; i++)
		if (w->sampler.active_symptoms[i].severity == SYMPTOM_CRITICAL)
			return true;
	return false;
}

/* As account_status() has it, of the last look and the last window. */
static enum status status_of(const struct agent *a, const struct monitored_port *w)
{
	if (w->gone || !w->looked)
		return STATUS_UNKNOWN;
	if (!w->check_failed && (w->differ || errors_of(a, w)))
		return STATUS_DRIFT;
	if (has_critical_symptom(w))
		return STATUS_SYMPTOM;
	return w->check_failed || w->unclear || w->unsure[0] ? STATUS_UNKNOWN : STATUS_OK;
}

static json_t *drift_to_json(const struct agent *a, const struct monitored_port *w)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);
	json_t *list = json_array();

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		enum drift_state s = drift_state(&w->drift, k);
		struct config desired = w->desired, actual = w->actual;

		if (s != DRIFT_DRIFTED && s != DRIFT_CONTESTED)
			continue;
		setting_drop_equal(&settings[k], &desired, &actual);
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:I, s:o, s:o}", "knob",
						settings[k].path, "state", drift_state_name(s),
						"for_s",
						(json_int_t)((now - w->drift.since_ms[k]) / 1000),
						"want", setting_to_json(&settings[k], &desired),
						"have", setting_to_json(&settings[k], &actual)));
	}
	return list;
}

static json_t *symptoms_to_json(const struct monitored_port *w)
{
	json_t *list = json_array();

	for (size_t i = 0; i < w->sampler.active_symptoms_count; i++) {
		const struct active_symptom *m = &w->sampler.active_symptoms[i];

		if (m->severity == SYMPTOM_IGNORE)
			continue;
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "symptom", m->symptom->name,
						"alarm", symptom_severity_name(m->severity), "look",
						symptom_origin_name(m->origin), "text", m->text));
	}
	return list;
}

static json_t *unclear_to_json(const struct monitored_port *w)
{
	json_t *list = json_array();

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (w->unclear & SETTING(k))
			json_array_append_new(list, json_string(settings[k].path));
	return list;
}

static json_t *monitored_port_to_json(const struct agent *a, const struct monitored_port *w)
{
	struct lint_input in = agent_lint_input(a, w);

	return json_pack("{s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o, s:o*}", "port", w->port.id.name,
			 "verdict", status_words[status_of(a, w)].verdict, "gone", w->gone,
			 "carrier", !w->gone && w->port.carrier, "overruled", w->repair_paused,
			 "drift", drift_to_json(a, w), "unknown", unclear_to_json(w), "symptoms",
			 symptoms_to_json(w), "findings",
			 findings_to_json(&in, w->gone ? 0 : w->findings));
}

/* Of the worst port. */
static const char *verdict_of_all(const struct agent *a)
{
	enum status worst = a->monitored_ports.unmet.count ? STATUS_UNKNOWN : STATUS_OK;

	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		enum status s = status_of(a, &a->monitored_ports.list[i]);

		worst = s > worst ? s : worst;
	}
	return status_words[worst].verdict;
}

static json_t *time_to_json(uint64_t unix_s)
{
	time_t when = (time_t)unix_s;
	char text[32];
	struct tm utc;

	if (!unix_s)
		return json_null();
	gmtime_r(&when, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return json_string(text);
}

/* Of the last look; none while a port was not seen. */
static void add_state(const struct agent *a, json_t *doc)
{
	_free_ struct setup *setups = oom_calloc(a->monitored_ports.count + 1, sizeof(*setups));
	bool seen = setups;

	for (size_t i = 0; setups && i < a->monitored_ports.count; i++) {
		const struct monitored_port *w = &a->monitored_ports.list[i];

		setups[i] = (struct setup){ w->port.id.name, &w->actual };
		seen = seen && w->looked && !w->check_failed && !w->gone;
	}
	identity_add_state(doc, seen ? setups : NULL, a->monitored_ports.count);
}

void agent_publish_status(struct agent *a)
{
	json_auto_t *doc = report_of_host(a->c, "status");
	json_t *ports = json_array();
	_free_ char *text = NULL;
	char name[4 * ID_MAX];

	json_object_set_new(doc, "pid", json_integer(getpid()));
	json_object_set_new(doc, "looked_at", time_to_json(a->looked_at_s));
	json_object_set_new(doc, "mode",
			    json_string(a->policy->mode == MODE_ENFORCE ? "enforce" : "report"));
	json_object_set_new(doc, "policy", report_policy(a->policy));
	json_object_set_new(doc, "reloaded", json_boolean(a->reloaded));
	json_object_set_new(doc, "verdict", json_string(verdict_of_all(a)));
	report_unmet(&a->monitored_ports.unmet, doc);
	add_state(a, doc);
	for (size_t i = 0; i < a->monitored_ports.count; i++)
		json_array_append_new(ports,
				      monitored_port_to_json(a, &a->monitored_ports.list[i]));
	json_object_set_new(doc, "ports", ports);
	text = json_dump_sanitized(doc, JSON_INDENT(2));
	if (text)
		publish(a, OUTPUT_STATUS, AGENT_FOLDER "/status.json", text);
	/* A line of its own would be another variable to systemd. */
	notify_send(a->notify, "STATUS=%zu port%s, %s: %s", a->monitored_ports.count,
		    a->monitored_ports.count == 1 ? "" : "s",
		    sanitize_text(a->policy->name, name, sizeof(name)), verdict_of_all(a));
	a->status_dirty = false;
}

/* Of a port that is gone, or of which nobody knows what is wanted, there is something. */
static unsigned count_unclear(const struct monitored_port *w)
{
	setting_set of = w->gone ? w->desired.has : w->unclear;
	unsigned n = (unsigned)__builtin_popcountll(of);

	return !n && (w->gone || w->unsure[0]) ? 1 : n;
}

static uint32_t speed_of(const struct monitored_port *w)
{
	bool known = w->actual.has & SETTING(SETTING_LINK_MIN_SPEED_MBPS);

	return known && w->port.carrier && !w->gone ? w->actual.link.min_speed_mbps : 0;
}

static struct metered meter_port(const struct agent *a, const struct monitored_port *w)
{
	return (struct metered){
		.port = w->port.id.name,
		.device = w->port.id.rdma,
		.judged = w->looked,
		.as_wished = w->gone ? 0 : (unsigned)__builtin_popcountll(w->judged & ~w->differ),
		.drifted = w->gone ? 0 : (unsigned)__builtin_popcountll(w->differ),
		.unclear = count_unclear(w),
		.carrier = w->port.carrier && !w->gone,
		.speed_mbps = speed_of(w),
		.drift = &w->drift,
		.drifts = w->drifts,
		.repairs = w->repairs,
		.rolled_back = w->rolled_back,
		.stranded = w->stranded,
		.findings = w->gone ? 0 : w->findings,
		.errors = (unsigned)__builtin_popcountll(errors_of(a, w)),
		.sample = w->sampled ? &w->sampler.last : NULL,
		.active_symptoms = w->sampler.active_symptoms,
		.active_symptoms_count = w->sampler.active_symptoms_count,
	};
}

/* No allocation: there are as many metered as the page has room for. */
void agent_publish_metrics(struct agent *a)
{
	struct metered_host host = {
		.version = LOSSLESSCTL_VERSION,
		.policy = a->policy->name,
		.sha256 = a->policy->sha256,
		.generation = a->policy->generation,
		.verified_at_s = a->looked_at_s,
		.severities = &a->policy->severities,
		.reloaded = a->reloaded,
		.unfinished = a->unfinished,
		.unmet = a->monitored_ports.unmet.count,
	};

	for (size_t i = 0; i < a->monitored_ports.count; i++)
		a->metered[i] = meter_port(a, &a->monitored_ports.list[i]);
	if (metrics_write(a->page, a->page_room, &host, a->metered, a->monitored_ports.count))
		publish(a, OUTPUT_METRICS, AGENT_FOLDER "/metrics.prom", a->page);
}
