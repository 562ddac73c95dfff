#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../agent/daemon/daemon.h"
#include "../../agent/daemon/history.h"
#include "../../agent/host/cleanup.h"
#include "../../agent/host/log.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/oom.h"
#include "../output/lint_text.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* ---- events ---- */

static void add_texts(json_t *doc, const struct topic *about)
{
	for (size_t i = 0; i < log_fields_count; i++) {
		const char *value = log_field_value(about, &log_fields[i]);

		if (value && value[0])
			json_object_set_new(doc, log_fields[i].key, json_from_text(value));
	}
}

/* Adds the keys of a record of the history that the event lacks. */
static void add_drift(json_t *doc, const struct drift_record *r)
{
	static const char *const keys[] = { "from", "to", "likely_writer", "first_seen_at",
					    "duration_s" };
	json_auto_t *record = history_narrow(r);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set(doc, keys[i], json_object_get(record, keys[i]));
}

static void add_policy(json_t *doc, const struct policy *p)
{
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "mode",
			    json_string(p->mode == MODE_ENFORCE ? "enforce" : "report"));
}

/*
 * Prints one event as a document on a line of its own, and flushes it. `arg` is the struct cli.
 * False if it could not be printed. A reporter of struct log.
 */
static bool event_print(void *arg, const struct log_entry *e)
{
	json_auto_t *doc = report_of_host(arg, "agent");
	_free_ char *text = NULL;

	json_object_set_new(doc, "event", json_string(e->event));
	json_object_set_new(doc, "severity", json_string(e->severity));
	json_object_set_new(doc, "priority", json_integer(e->priority));
	json_object_set_new(doc, "message", json_from_text(e->message));
	add_texts(doc, e->about); /* the severity of a symptom or lint replaces the event's */
	if (e->about->rule_number)
		json_object_set_new(doc, "rule_number", json_integer(e->about->rule_number));
	if (e->about->settings)
		json_object_set_new(doc, "settings", setting_paths_to_json(e->about->settings));
	if (e->about->drift)
		add_drift(doc, e->about->drift);
	if (e->about->policy)
		add_policy(doc, e->about->policy);
	text = json_dump_sanitized(doc, JSON_COMPACT);
	return text && puts(text) >= 0 && fflush(stdout) == 0;
}

/* ---- status ---- */

static json_t *time_to_json(uint64_t unix_s)
{
	char text[TIMESTAMP_MAX];

	return unix_s ? json_string(timestamp_text(unix_s, text)) : json_null();
}

/* Converts a time of the host's monotonic clock. */
static uint64_t unix_time(uint64_t at_ms, uint64_t now_ms)
{
	return (uint64_t)time(NULL) - (now_ms - at_ms) / 1000;
}

static json_t *drift_to_json(const struct monitored_port *mp, uint64_t now_ms)
{
	json_t *list = json_array();

	for (unsigned k = 0; k < SETTING_COUNT && !mp->gone; k++) {
		enum drift_state s = drift_state(&mp->drift, k);
		struct config desired = mp->desired, actual = mp->actual;

		if (s != DRIFT_DRIFTED && s != DRIFT_CONTESTED)
			continue;
		setting_drop_equal(&settings[k], &desired, &actual);
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:o, s:o, s:o}", "setting", settings[k].path,
					"state", drift_state_name(s), "first_seen_at",
					time_to_json(unix_time(mp->drift.since_ms[k], now_ms)),
					"desired", setting_to_json(&settings[k], &desired),
					"actual", setting_to_json(&settings[k], &actual)));
	}
	return list;
}

static json_t *symptoms_to_json(const struct monitored_port *mp)
{
	json_t *list = json_array();

	for (size_t i = 0; i < mp->sampler.active_symptoms_count && !mp->gone; i++) {
		const struct active_symptom *m = &mp->sampler.active_symptoms[i];

		if (m->severity == SEVERITY_IGNORE)
			continue;
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "symptom", m->symptom->name,
						"severity", severity_name(m->severity), "origin",
						symptom_origin_name(m->origin), "message",
						m->text));
	}
	return list;
}

static json_t *last_recording_to_json(const struct agent_status *s, const struct monitored_port *mp)
{
	const struct recorded *last = recorded_last(s->recordings, &mp->port);

	if (!last)
		return json_null();
	return json_pack("{s:i, s:o, s:o}", "number", (int)(last - s->recordings) + 1, "symptom",
			 json_from_text(last->symptom), "detected_at",
			 time_to_json((uint64_t)last->detected_s));
}

static json_t *port_to_json(const struct agent_status *s, const struct monitored_port *mp)
{
	struct lint_input in = monitored_port_lint_input(mp, &s->policy->severities);

	return json_pack(
		"{s:s, s:s, s:b, s:b, s:b, s:o, s:o, s:o, s:o*, s:o}", "port", mp->port.id.name,
		"verdict",
		status_words[verdict_word(monitored_port_status(mp, &s->policy->severities))].name,
		"present", !mp->gone, "carrier", !mp->gone && mp->port.carrier, "repair_paused",
		mp->repair_paused, "drifted_settings", drift_to_json(mp, s->now_ms),
		"unknown_settings", setting_paths_to_json(mp->unknown), "symptoms",
		symptoms_to_json(mp), "findings",
		findings_to_json(&in, mp->gone ? 0 : mp->findings), "last_recording",
		last_recording_to_json(s, mp));
}

/* Adds the digest of the last check; null if any port could not be checked. */
static void add_state(const struct monitored_ports *all, json_t *doc)
{
	_free_ struct setup *setups = oom_calloc(all->count + 1, sizeof(*setups));
	bool seen = setups;

	for (size_t i = 0; setups && i < all->count; i++) {
		struct monitored_port *mp = &all->list[i];

		setups[i] = (struct setup){ .port = mp->port.id.name,
					    .actual = &mp->actual,
					    .digest = mp->digest };
		seen = seen && mp->checked && !mp->check_failed && !mp->gone;
	}
	identity_add_state(doc, seen ? setups : NULL, all->count);
}

static char *status_text(void *arg, const struct agent_status *s)
{
	json_auto_t *doc = report_of_host(arg, "status");
	json_t *ports = json_array();

	json_object_set_new(doc, "pid", json_integer(getpid()));
	json_object_set_new(doc, "verified_at", time_to_json(s->checked_at_s));
	json_object_set_new(doc, "mode",
			    json_string(s->policy->mode == MODE_ENFORCE ? "enforce" : "report"));
	json_object_set_new(doc, "policy", report_policy(s->policy));
	json_object_set_new(doc, "last_reload_successful", json_boolean(s->reloaded));
	json_object_set_new(doc, "verdict", json_string(status_words[verdict_word(s->worst)].name));
	report_unmet(&s->ports->unmet, doc);
	add_state(s->ports, doc);
	for (size_t i = 0; i < s->ports->count; i++)
		json_array_append_new(ports, port_to_json(s, &s->ports->list[i]));
	json_object_set_new(doc, "ports", ports);
	return json_dump_sanitized(doc, JSON_INDENT(2));
}

/* ---- agent ---- */

/* systemd sets $JOURNAL_STREAM if standard error is connected to the journal. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat s;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* Half of systemd's timeout, as sd_watchdog_enabled(3) recommends; 0: not meant for this process.
 */
static unsigned watchdog_ms(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	if (!usec || (pid && strtoll(pid, NULL, 10) != getpid()))
		return 0;
	return (unsigned)(strtoull(usec, NULL, 10) / 2000);
}

static json_t *recording_head(void *arg)
{
	return report_of_host(arg, "recording");
}

/* The file is written to as long as the agent runs, from any directory. */
static bool check_label_file(const char *path, struct err *err)
{
	return !path || (path[0] == '/' && strlen(path) < PATH_TEXT_MAX) ||
	       err_set(err, ERR_USAGE, EINVAL,
		       "--nfd %s: not an absolute path of at most %d characters", path,
		       PATH_TEXT_MAX - 1);
}

int verb_agent(struct cli *c, struct err *err)
{
	struct policy *p = NULL;
	struct daemon_options o = {
		.root = c->opt.root,
		.version = LOSSLESSCTL_VERSION,
		.verify_interval_s = c->opt.verify_interval_s,
		.sample_interval_s = c->opt.sample_interval_s,
		.notify_socket = getenv("NOTIFY_SOCKET"),
		.watchdog_ms = watchdog_ms(),
		.log_to_journal = stderr_is_journal(),
		.label_file = c->opt.nfd,
		.report_event = c->opt.json ? event_print : NULL,
		.status_text = status_text,
		.recording_head = recording_head,
		.arg = c,
	};

	if (!check_label_file(c->opt.nfd, err) || !cli_open_host(c, false, err))
		return -1;
	if (!cli_check_netns(c, err))
		return -1;
	if (!policy_open(c, &p, err))
		return -1;
	o.engine = c->engine;
	return daemon_run(&o, &p, err) ? EXIT_SUCCESS : -1;
}
