#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "agent.h"

/* Holds the SHA-256 of the policy, the time of its last load and that of its first. */
#define PATH "/run/losslessctl/agent-policy"

/* False if another policy or none was loaded. */
static bool read_times(struct host *h, const struct policy *p, uint64_t *ret_since,
		       uint64_t *ret_first)
{
	char text[160], sha256[65];
	struct err quiet = { 0 };

	return host_read_file(h, text, sizeof(text), &quiet, PATH) &&
	       sscanf(text, "%64s %" SCNu64 " %" SCNu64, sha256, ret_since, ret_first) == 3 &&
	       strcmp(sha256, p->sha256) == 0;
}

uint64_t loaded_policy_first(struct host *h, const struct policy *p)
{
	uint64_t since, first;

	return read_times(h, p, &since, &first) ? first : h->now_ms(h);
}

uint64_t loaded_policy_anew(struct host *h, const struct policy *p)
{
	uint64_t now = h->now_ms(h);
	char text[160];
	struct err quiet = { 0 };

	snprintf(text, sizeof(text), "%s %" PRIu64 " %" PRIu64 "\n", p->sha256, now,
		 loaded_policy_first(h, p));
	(void)!host_save_file(h, PATH, text, &quiet);
	return now;
}

uint64_t loaded_policy_since(struct host *h, const struct policy *p)
{
	uint64_t since, first;

	return read_times(h, p, &since, &first) ? since : loaded_policy_anew(h, p);
}

uint64_t agent_predecessor_ms(const struct agent *a)
{
	int64_t now = (int64_t)a->engine.h->now_ms(a->engine.h), ago;
	struct timespec wall;
	struct stat s;

	if (fstatat(a->engine.h->root, &AGENT_STATUS[1], &s, AT_SYMLINK_NOFOLLOW) < 0 ||
	    clock_gettime(CLOCK_REALTIME, &wall) < 0)
		return 0;
	ago = (int64_t)(wall.tv_sec - s.st_mtim.tv_sec) * 1000 +
	      (wall.tv_nsec - s.st_mtim.tv_nsec) / 1000000;
	return ago >= 0 && now > ago ? (uint64_t)(now - ago) : 0;
}

/*
 * Records younger than `loaded_s` are of this boot and this policy. A later record than now means
 * that the clock was set back. All are Unix time.
 */
struct recall {
	struct agent *agent;
	int64_t loaded_s, now_s;
};

static struct monitored_port *monitored_port_of(const struct monitored_ports *all,
						const struct drift_record *r)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct identity *id = &all->list[i].port.id;

		if (id->pci[0] ? strcmp(id->pci, r->pci) == 0 : strcmp(id->name, r->port) == 0)
			return &all->list[i];
	}
	return NULL;
}

static void recall_drift(struct monitored_port *mp, const struct drift_record *r, uint64_t since_ms)
{
	mp->recalled |= SETTING(r->setting);
	mp->first_seen_s[r->setting] = r->first_seen_s;
	mp->first_seen_ms[r->setting] = since_ms;
}

/*
 * Replays a record. A contested setting is repaired now and then; any other event ends the contest.
 * A drift that lasts is not recorded again.
 */
static void recall_record(const struct drift_record *r, void *arg)
{
	const struct recall *re = arg;
	struct monitored_port *mp = monitored_port_of(&re->agent->monitored_ports, r);
	uint64_t now = re->agent->engine.h->now_ms(re->agent->engine.h);
	uint64_t ago = re->now_s > r->first_seen_s ? (uint64_t)(re->now_s - r->first_seen_s) : 0;
	uint64_t since = now > ago * 1000 ? now - ago * 1000 : 0;

	if (!mp || r->when_s <= re->loaded_s || r->when_s > re->now_s)
		return;
	mp->recalled &= ~SETTING(r->setting);
	if (r->event == HISTORY_DETECTED)
		recall_drift(mp, r, since);
	if (r->event == HISTORY_REPAIRED)
		return;
	mp->drift.contested &= ~SETTING(r->setting);
	if (r->event == HISTORY_CONTESTED && mp->desired.has & SETTING(r->setting))
		drift_contest(&mp->drift, r->setting, since, now);
}

static void report_contested(struct agent *a, const struct monitored_port *mp)
{
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (mp->drift.contested & SETTING(k))
			log_event(&a->log, LOG_DRIFT_CONTESTED,
				  monitored_port_topic(mp, settings[k].path),
				  "%s is still contested: the next repair is delayed",
				  settings[k].path);
}

void agent_recall(struct agent *a)
{
	uint64_t loaded_ago_ms =
		a->engine.h->now_ms(a->engine.h) - loaded_policy_first(&a->writer.host, a->policy);
	int64_t now_s = (int64_t)time(NULL);
	struct recall re = { a, now_s - (int64_t)(loaded_ago_ms / 1000), now_s };
	struct err err = { 0 };

	if (!history_each(a->engine.h, recall_record, &re, NULL, &err))
		agent_report_error(a, OUTPUT_HISTORY, &err);
	for (size_t i = 0; i < a->monitored_ports.count; i++)
		report_contested(a, &a->monitored_ports.list[i]);
}
