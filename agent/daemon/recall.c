#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "agent.h"
#include "loaded_policy.h"

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

/* Records younger than `loaded_s` are of this boot and this policy. Both times are Unix time. */
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

	if (!mp || r->when_s <= re->loaded_s)
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

	if (!history_each(a->engine.h, recall_record, &re, &err))
		agent_report_error(a, OUTPUT_HISTORY, &err);
	for (size_t i = 0; i < a->monitored_ports.count; i++)
		report_contested(a, &a->monitored_ports.list[i]);
}
