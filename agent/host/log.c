#include "log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../policy/util/sanitize.h"
#include "sd_notify.h"
#include "timestamp.h"

#define LINE_MAX_BYTES 768
#define TOPIC_MAX      80

/* clang-format off: weight as in syslog(3), 128 random bits (systemd.journal-fields(7)), a word */
static const struct {
	int priority;
	const char *id, *word;
} events[LOG_EVENTS] = {
	[LOG_STARTED] = { 5, "078920dcd5324532904b7ddf2bc0b343", "started" },
	[LOG_STOPPED] = { 5, "817564bd9ae848f9845b49c5f58bff14", "stopped" },
	[LOG_RELOADED] = { 5, "5699ec9af95d4ea088161b33410437f5", "reloaded" },
	[LOG_POLICY_REFUSED] = { 3, "8b5163248409406da3cde6b376d295bf", "policy-refused" },
	[LOG_DRIFT_DETECTED] = { 4, "0237a959a5e04bb49935f409cff3713e", "drifted" },
	[LOG_DRIFT_RESOLVED] = { 6, "0488cc916dbe4827ab0944675474c42c", "ended" },
	[LOG_DRIFT_REPAIRED] = { 5, "6a5af768a58e45b69e93a9967bf79910", "repaired" },
	[LOG_NOT_REPAIRED] = { 4, "d6ea17e5f93e46e1a0f7f5f5ee03a9c5", "not-repaired" },
	[LOG_STRANDED] = { 2, "460a9450b1a1401c85d28a9ab2fcfb80", "stranded" },
	[LOG_DRIFT_CONTESTED] = { 3, "b50a4e3ffb0e42689bb71c8092eebb57", "contested" },
	[LOG_SYMPTOM] = { 4, "5b6d3756bc494984a31d353acb9c2469", "symptom" },
	[LOG_ALARM] = { 3, "8349986d8e264fe3b7bbbc0d0f845519", "alarm" },
	[LOG_SYMPTOM_GONE] = { 6, "ce615456d71c497d871cb1a2dbe049ad", "symptom-gone" },
	[LOG_SYMPTOM_INFO] = { 6, "5b6d3756bc494984a31d353acb9c2469", "symptom" },
	[LOG_PORT_MATCHED] = { 5, "caed262f0b2e48868f52cf655b506a1c", "port" },
	[LOG_PORT_REMOVED] = { 4, "901ecb43f1fc4bfcaf4596f5515af1a8", "gone" },
	[LOG_AGENT_ERROR] = { 3, "d296330475c24657b50c1591c809800d", "trouble" },
	[LOG_APPLY_ROLLED_BACK] = { 4, "01c25dcfdc5e4198883619a6a520d992", "taken-back" },
	[LOG_APPLY_ROLLBACK_FAILED] = { 2, "1083c53b38ad476eb5454ef190f4a688", "not-taken-back" },
	[LOG_FINDING_ERROR] = { 3, "f70f4c806d674092a6925e91305a131b", "finding-detected" },
	[LOG_FINDING_WARNING] = { 4, "f70f4c806d674092a6925e91305a131b", "finding-detected" },
	[LOG_FINDING_CLEARED] = { 6, "f2fa7ca6ce1948a088d74b1903408b51", "finding-cleared" },
	[LOG_READING_FAILED] = { 4, "0422032854b74e6babf47b1cf3fdd18f", "reading-failed" },
	[LOG_READING_RESTORED] = { 6, "d65851ee67a544dbba274a2141f110ea", "reading-restored" },
};
/* clang-format on */

void log_open(struct log *l, const char *socket_name)
{
	l->journal = notify_open(socket_name);
}

void log_close(struct log *l)
{
	if (l->journal >= 0)
		close(l->journal);
	l->journal = -1;
}

static const char *weight(enum log_event e)
{
	return events[e].priority <= 3 ? "error" : events[e].priority == 4 ? "warning" : "info";
}

static void write_plain(enum log_event e, struct topic about, const char *text)
{
	char time_text[TIMESTAMP_MAX];

	fprintf(stderr, "%s %s %s%s%s: %s\n", timestamp_now(time_text), weight(e), events[e].word,
		about.port ? " " : "", about.port ? about.port : "", text);
}

/* journald's native protocol: a datagram of FIELD=value lines (JOURNAL_NATIVE_PROTOCOL.md). */
static bool write_to_journal(const struct log *l, enum log_event e, struct topic about,
			     const char *text)
{
	char fields[LINE_MAX_BYTES + 512];
	int n = snprintf(fields, sizeof(fields),
			 "MESSAGE=%s%s%s\nPRIORITY=%d\nMESSAGE_ID=%s\n"
			 "SYSLOG_IDENTIFIER=losslessctl\nLOSSLESSCTL_EVENT=%s\n"
			 "LOSSLESSCTL_PORT=%s\nLOSSLESSCTL_ITEM=%s\n",
			 about.port ? about.port : "", about.port ? ": " : "", text,
			 events[e].priority, events[e].id, events[e].word,
			 about.port ? about.port : "", about.item ? about.item : "");

	return send(l->journal, fields, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) == n;
}

void log_event(const struct log *l, enum log_event e, struct topic about, const char *fmt, ...)
{
	char raw[LINE_MAX_BYTES], text[LINE_MAX_BYTES], port[TOPIC_MAX], item[TOPIC_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	sanitize_text(raw, text, sizeof(text));
	/* Nothing from outside begins a line or a field of its own. */
	about.port = about.port ? sanitize_text(about.port, port, sizeof(port)) : NULL;
	about.item = about.item ? sanitize_text(about.item, item, sizeof(item)) : NULL;
	if (l->journal < 0 || !write_to_journal(l, e, about, text))
		write_plain(e, about, text);
}
