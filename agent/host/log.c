#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../policy/util/sanitize.h"
#include "../../policy/util/status_word.h"
#include "notify.h"

/* ---- times ---- */

#define FORMAT "%Y-%m-%dT%H:%M:%SZ"

const char *timestamp_text(int64_t when_s, char buf[TIMESTAMP_MAX])
{
	time_t when = (time_t)when_s;
	struct tm utc;

	if (when != when_s || !gmtime_r(&when, &utc) || !strftime(buf, TIMESTAMP_MAX, FORMAT, &utc))
		buf[0] = '\0';
	return buf;
}

/* Only as it is written: strptime() would take much else. */
bool timestamp_parse(const char *text, int64_t *ret_s)
{
	struct tm utc = { 0 };
	char again[TIMESTAMP_MAX];

	if (!strptime(text, FORMAT, &utc))
		return false;
	*ret_s = timegm(&utc);
	return strcmp(timestamp_text(*ret_s, again), text) == 0;
}

const char *timestamp_now(char buf[TIMESTAMP_MAX])
{
	return timestamp_text(time(NULL), buf);
}

/* ---- log ---- */

#define LINE_MAX_BYTES 768
#define TOPIC_MAX      80

#define CRITICAL SEVERITY_CRITICAL
#define WARNING	 SEVERITY_WARNING
#define INFO	 SEVERITY_INFO

/* A severity, 128 random bits (systemd.journal-fields(7)), a word. */
static const struct {
	enum severity severity;
	const char *id, *word;
} events[LOG_EVENTS] = {
	[LOG_AGENT_STARTED] = { INFO, "078920dcd5324532904b7ddf2bc0b343", "agent-started" },
	[LOG_AGENT_STOPPED] = { INFO, "817564bd9ae848f9845b49c5f58bff14", "agent-stopped" },
	[LOG_POLICY_RELOADED] = { INFO, "5699ec9af95d4ea088161b33410437f5", "policy-reloaded" },
	[LOG_POLICY_REFUSED] = { WARNING, "8b5163248409406da3cde6b376d295bf", "policy-refused" },
	[LOG_DRIFT_DETECTED] = { CRITICAL, "0237a959a5e04bb49935f409cff3713e", "drift-detected" },
	[LOG_DRIFT_RESOLVED] = { INFO, "0488cc916dbe4827ab0944675474c42c", "drift-resolved" },
	[LOG_DRIFT_REPAIRED] = { INFO, "6a5af768a58e45b69e93a9967bf79910", "drift-repaired" },
	[LOG_REPAIR_REFUSED] = { WARNING, "d6ea17e5f93e46e1a0f7f5f5ee03a9c5", "repair-refused" },
	[LOG_REPAIR_FAILED] = { CRITICAL, "1f6867de363c41c486e44a7702d48e94", "repair-failed" },
	[LOG_REPAIR_ROLLBACK_FAILED] = { CRITICAL, "460a9450b1a1401c85d28a9ab2fcfb80",
					 "repair-rollback-failed" },
	[LOG_REPAIR_PAUSED] = { WARNING, "03bef88e4fc34f91bb27c8c9644b027e", "repair-paused" },
	[LOG_DRIFT_CONTESTED] = { CRITICAL, "b50a4e3ffb0e42689bb71c8092eebb57", "drift-contested" },
	[LOG_SYMPTOM_CRITICAL] = { CRITICAL, "5b6d3756bc494984a31d353acb9c2469",
				   "symptom-detected" },
	[LOG_SYMPTOM_WARNING] = { WARNING, "5b6d3756bc494984a31d353acb9c2469", "symptom-detected" },
	[LOG_SYMPTOM_INFO] = { INFO, "5b6d3756bc494984a31d353acb9c2469", "symptom-detected" },
	[LOG_SYMPTOM_CLEARED] = { INFO, "ce615456d71c497d871cb1a2dbe049ad", "symptom-cleared" },
	[LOG_PORT_MATCHED] = { INFO, "caed262f0b2e48868f52cf655b506a1c", "port-matched" },
	[LOG_HEADROOM_REFRESHED] = { INFO, "3b30818dfe024a3fa2632a35e8bb7eb5",
				     "headroom-refreshed" },
	[LOG_PORT_REMOVED] = { WARNING, "901ecb43f1fc4bfcaf4596f5515af1a8", "port-removed" },
	[LOG_AGENT_ERROR] = { WARNING, "d296330475c24657b50c1591c809800d", "agent-error" },
	[LOG_APPLY_ROLLED_BACK] = { WARNING, "01c25dcfdc5e4198883619a6a520d992",
				    "apply-rolled-back" },
	[LOG_APPLY_ROLLBACK_FAILED] = { CRITICAL, "1083c53b38ad476eb5454ef190f4a688",
					"apply-rollback-failed" },
	[LOG_APPLY_UNCONFIRMED] = { CRITICAL, "c51287e39b2445f292f56dd978b7a165",
				    "apply-unconfirmed" },
	[LOG_FINDING_CRITICAL] = { CRITICAL, "f70f4c806d674092a6925e91305a131b",
				   "finding-detected" },
	[LOG_FINDING_WARNING] = { WARNING, "f70f4c806d674092a6925e91305a131b", "finding-detected" },
	[LOG_FINDING_CLEARED] = { INFO, "f2fa7ca6ce1948a088d74b1903408b51", "finding-cleared" },
	[LOG_READING_FAILED] = { WARNING, "0422032854b74e6babf47b1cf3fdd18f", "reading-failed" },
	[LOG_READING_RESTORED] = { INFO, "d65851ee67a544dbba274a2141f110ea", "reading-restored" },
	[LOG_RECORDING_SAVED] = { INFO, "ddc0c1363f9442deae73ff80d5af205d", "recording-saved" },
	[LOG_RECORDING_WITHHELD] = { INFO, "efeaa613b6ff4dfe88acefefb8d16cb9",
				     "recording-withheld" },
	[LOG_DRIVER_REINITIALIZED] = { WARNING, "13b6d2933fbb092adec33c1b6fbdf87d",
				       "driver-reinitialized" },
};

const struct log_field log_fields[] = {
	{ "port", "LOSSLESSCTL_PORT=", offsetof(struct topic, port) },
	{ "setting", "LOSSLESSCTL_SETTING=", offsetof(struct topic, setting) },
	{ "symptom", "LOSSLESSCTL_SYMPTOM=", offsetof(struct topic, symptom) },
	{ "lint", "LOSSLESSCTL_LINT=", offsetof(struct topic, lint) },
	{ "severity", "LOSSLESSCTL_SEVERITY=", offsetof(struct topic, severity) },
	{ "origin", NULL, offsetof(struct topic, origin) },
	{ "fix", NULL, offsetof(struct topic, fix) },
	{ "likely_writer", NULL, offsetof(struct topic, likely_writer) },
};
const size_t log_fields_count = sizeof(log_fields) / sizeof(log_fields[0]);

const char *log_field_value(const struct topic *about, const struct log_field *f)
{
	return *(const char *const *)((const char *)about + f->offset);
}

void log_open(struct log *l, const char *socket_name)
{
	*l = (struct log){ .journal = notify_open(socket_name) };
}

void log_close(struct log *l)
{
	if (l->journal >= 0)
		close(l->journal);
	l->journal = -1;
}

static void write_plain(const struct log_entry *e, const char *port)
{
	char time_text[TIMESTAMP_MAX];

	fprintf(stderr, "%s %s %s%s%s: %s\n", timestamp_now(time_text), e->severity, e->event,
		port ? " " : "", port ? port : "", e->message);
}

struct entry {
	char text[2 * LINE_MAX_BYTES];
	size_t used;
};

/* Adds a field; an empty one is left out. */
static void add_field(struct entry *e, const char *key, const char *value)
{
	size_t room = sizeof(e->text) - e->used;
	int n = value && value[0] ? snprintf(e->text + e->used, room, "%s%s\n", key, value) : 0;

	if (n > 0 && (size_t)n < room)
		e->used += (size_t)n;
}

/* Sanitizes the name, so that it begins no field of its own. */
static void add_name(struct entry *e, const char *key, const char *name)
{
	char text[TOPIC_MAX];

	add_field(e, key, name ? sanitize_text(name, text, sizeof(text)) : NULL);
}

static void add_topic(struct entry *e, const struct topic *about)
{
	for (size_t i = 0; i < log_fields_count; i++)
		if (log_fields[i].journal)
			add_name(e, log_fields[i].journal, log_field_value(about, &log_fields[i]));
}

/* journald's native protocol: a datagram of FIELD=value lines (JOURNAL_NATIVE_PROTOCOL.md). */
static bool write_to_journal(const struct log *l, enum log_event e, const struct log_entry *what,
			     const char *port)
{
	struct entry entry = { .used = 0 };
	char message[LINE_MAX_BYTES + TOPIC_MAX], priority[] = "0";

	if (l->journal < 0)
		return false;
	snprintf(message, sizeof(message), "%s%s%s", port ? port : "", port ? ": " : "",
		 what->message);
	priority[0] = (char)('0' + what->priority);
	add_field(&entry, "MESSAGE=", message);
	add_field(&entry, "PRIORITY=", priority);
	add_field(&entry, "MESSAGE_ID=", events[e].id);
	add_field(&entry, "SYSLOG_IDENTIFIER=", "losslessctl");
	add_field(&entry, "LOSSLESSCTL_EVENT=", what->event);
	add_topic(&entry, what->about);
	return send(l->journal, entry.text, entry.used, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)entry.used;
}

void log_event(const struct log *l, enum log_event e, struct topic about, const char *fmt, ...)
{
	char raw[LINE_MAX_BYTES], text[LINE_MAX_BYTES], clean[TOPIC_MAX];
	struct log_entry entry = { events[e].word, text, severity_name(events[e].severity),
				   severity_syslog(events[e].severity), &about };
	/* Nothing from outside begins a line or a field of its own. */
	const char *port = about.port ? sanitize_text(about.port, clean, sizeof(clean)) : NULL;
	bool logged;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	sanitize_text(raw, text, sizeof(text));
	logged = write_to_journal(l, e, &entry, port);
	logged = (l->report && l->report(l->arg, &entry)) || logged;
	if (!logged)
		write_plain(&entry, port);
}
