#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../policy/util/sanitize.h"
#include "../host/cleanup.h"
#include "../host/log.h"
#include "../host/notify.h"
#include "agent.h"
#include "metrics/metrics.h"

#define LABEL_S 900 /* how long a label holds after the next check is due */

static void publish(struct agent *a, enum agent_output which, const char *path, const char *text)
{
	struct err err = { 0 };

	agent_report_error(a, which,
			   host_publish_file(&a->writer.host, path, text, &err) ? NULL : &err);
}

static enum status worst_by(const struct agent *a,
			    enum status (*judge)(const struct monitored_port *,
						 const struct severities *))
{
	enum status worst = a->monitored_ports.unmet.count ? STATUS_UNKNOWN : STATUS_OK;

	for (size_t i = 0; i < a->monitored_ports.count; i++)
		worst = worse_status(worst,
				     judge(&a->monitored_ports.list[i], &a->policy->severities));
	return worst;
}

/*
 * Writes a feature file of node-feature-discovery, as its documentation has it. The label is about
 * the settings: a symptom may be the fault of another host. It expires if this agent stops, and
 * replaces that of an earlier agent before the first check.
 */
void agent_publish_label(struct agent *a)
{
	const struct daemon_options *o = a->options;
	uint64_t since_s = a->checked_at_s ? a->checked_at_s : (uint64_t)time(NULL);
	enum status worst = a->checked_at_s ? worst_by(a, monitored_port_settings) : STATUS_UNKNOWN;
	char text[128], until[TIMESTAMP_MAX];

	if (!o->label_file)
		return;
	timestamp_text((int64_t)since_s + o->verify_interval_s + LABEL_S, until);
	snprintf(text, sizeof(text), "# +expiry-time=%s\nlosslessctl.in-sync=%s\n", until,
		 worst == STATUS_OK	 ? "true"
		 : worst == STATUS_DRIFT ? "false"
					 : "unknown");
	publish(a, OUTPUT_LABEL, o->label_file, text);
}

static struct agent_status status_of(const struct agent *a)
{
	return (struct agent_status){
		.policy = a->policy,
		.ports = &a->monitored_ports,
		.worst = worst_by(a, monitored_port_status),
		.reloaded = a->reloaded,
		.checked_at_s = a->checked_at_s,
		.now_ms = a->engine.h->now_ms(a->engine.h),
		.recordings = a->recorders.files,
	};
}

void agent_publish_status(struct agent *a)
{
	const struct daemon_options *o = a->options;
	struct agent_status status = status_of(a);
	_free_ char *text = o->status_text(o->arg, &status);
	char name[4 * ID_MAX];

	if (text)
		publish(a, OUTPUT_STATUS, AGENT_STATUS, text);
	agent_publish_label(a);
	/* Keep it on one line: systemd reads a new line as another variable. */
	notify_send(a->notify, "STATUS=%zu port%s, %s: %s", a->monitored_ports.count,
		    a->monitored_ports.count == 1 ? "" : "s",
		    sanitize_text(a->policy->name, name, sizeof(name)),
		    status_words[verdict_word(status.worst)].text);
	a->status_dirty = false;
}

/* Counts at least one for a port that is gone or whose desired settings cannot be resolved. */
static unsigned count_unknown(const struct monitored_port *mp)
{
	setting_set of = mp->gone ? mp->desired.has : mp->unknown;
	unsigned n = (unsigned)__builtin_popcountll(of);

	return !n && (mp->gone || mp->unresolved[0] || mp->invalid) ? 1 : n;
}

static uint32_t speed_of(const struct monitored_port *mp)
{
	bool known = mp->actual.has & SETTING(SETTING_LINK_MIN_SPEED_MBPS);

	return known && mp->port.carrier && !mp->gone ? mp->actual.link.min_speed_mbps : 0;
}

static struct metered meter_port(const struct agent *a, const struct monitored_port *mp)
{
	const struct recorder *recorder = recorders_of_port(&a->recorders, &a->monitored_ports, mp);
	const struct recorded *last = recorded_last(a->recorders.files, &mp->port);

	return (struct metered){
		.port = mp->port.id.name,
		.pci = mp->port.id.pci,
		.rdma = mp->port.id.rdma,
		.compared = mp->checked,
		.in_sync =
			mp->gone ? 0 : (unsigned)__builtin_popcountll(mp->compared & ~mp->differ),
		.drifted = mp->gone ? 0 : (unsigned)__builtin_popcountll(mp->differ),
		.unknown = count_unknown(mp),
		.carrier = mp->port.carrier && !mp->gone,
		.speed_mbps = speed_of(mp),
		.drift = mp->gone ? NULL : &mp->drift,
		.drifts = mp->drifts,
		.repairs = mp->repairs,
		.rolled_back = mp->rolled_back,
		.rollback_failed = mp->rollback_failed,
		.recordings = recorder ? recorder->saved : 0,
		.recorded_at_s = last ? (uint64_t)last->detected_s : 0,
		.findings = mp->gone ? 0 : mp->findings,
		.readiness = mp->gone ? (struct readiness){ 0, 0 } : mp->readiness,
		.errors = (unsigned)__builtin_popcountll(
			findings_of_severity(mp->findings, &a->policy->severities,
					     SEVERITY_CRITICAL)),
		.sample = mp->sampled && !mp->gone ? &mp->sampler.last : NULL,
		.active_symptoms = mp->sampler.active_symptoms,
		.active_symptoms_count = mp->sampler.active_symptoms_count,
	};
}

/* Allocates nothing: make_room() sized `metered` and the page. */
void agent_publish_metrics(struct agent *a)
{
	struct metered_host host = {
		.version = a->options->version,
		.policy = a->policy->name,
		.sha256 = a->policy->sha256,
		.generation = a->policy->generation,
		.verified_at_s = a->checked_at_s,
		.severities = &a->policy->severities,
		.readiness = a->readiness,
		.reloaded = a->reloaded,
		.unfinished = a->unfinished,
		.unmet = a->monitored_ports.unmet.count,
	};

	for (size_t i = 0; i < a->monitored_ports.count; i++)
		a->metered[i] = meter_port(a, &a->monitored_ports.list[i]);
	if (metrics_write(a->page, a->page_room, &host, a->metered, a->monitored_ports.count))
		publish(a, OUTPUT_METRICS, AGENT_DIR "/metrics.prom", a->page);
}

void agent_report_error(struct agent *a, enum agent_output which, const struct err *err)
{
	char *logged = a->last_error[which];

	if (!err) {
		logged[0] = '\0';
		return;
	}
	if (strcmp(logged, err->text) == 0)
		return;
	snprintf(logged, sizeof(a->last_error[which]), "%s", err->text);
	log_event(&a->log, LOG_AGENT_ERROR, (struct topic){ .fix = err->fix }, "%s%s%s", err->text,
		  err->fix[0] ? "; fix: " : "", err->fix);
}
