#include "drift_cause.h"

#include <stdio.h>

#include "../journal/last_run.h"
#include "../target/target.h"

#define PAUSE	(SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX))
#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))
#define ETS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | \
	 SETTING(SETTING_ETS_BANDWIDTH) | SETTING(SETTING_ETS_RECO_PRIO_TC) | \
	 SETTING(SETTING_ETS_RECO_TSA) | SETTING(SETTING_ETS_RECO_BANDWIDTH))
#define MARKING \
	(SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) | \
	 SETTING(SETTING_APP_ENTRIES) | SETTING(SETTING_APP_TRUST))
#define BY_DCBNL \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_CABLE_M) | ETS | MARKING | \
	 BUFFERS | SETTING(SETTING_MAXRATE_TC_MBPS))
#define NOT_THE_DRIVERS (SETTING(SETTING_HOST_TCP_ECN) | SETTING(SETTING_VLAN_EGRESS))

#define BY_PROGRAM "a program on this host, "

/*
 * The first matching row wins. A wider row lower down covers side effects: mlx5 clears global pause
 * when it sets PFC, and sizes buffers by PFC, pause and MTU.
 */
static const struct {
	enum clue clue;
	setting_set explains;
	const char *writer;
} rows[] = {
	{ CLUE_DRIVER, EVERY_SETTING & ~NOT_THE_DRIVERS, "driver re-initialised" },
	{ CLUE_MTU, SETTING(SETTING_MTU), BY_PROGRAM "which set the link's MTU" },
	{ CLUE_ETHTOOL, PAUSE | SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	  BY_PROGRAM "through ethtool" },
	{ CLUE_DCB, BY_DCBNL | PAUSE, BY_PROGRAM "through the kernel's DCB interface" },
	{ CLUE_ETHTOOL, BUFFERS, BY_PROGRAM "through ethtool" },
	{ CLUE_MTU, BUFFERS, BY_PROGRAM "which set the link's MTU" },
};

setting_set cause_driver_resets(void)
{
	return rows[0].explains;
}

const char *cause_by_clues(unsigned clues, enum setting_id setting)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((clues & rows[i].clue) && (rows[i].explains & SETTING(setting)))
			return rows[i].writer;
	return NULL;
}

/* Settings that DCBX daemons write, and those that depend on them. */
#define DAEMON_SETTINGS \
	(SET_BY_DCBX | SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_DSCP_REST) | \
	 SETTING(SETTING_TRUST) | SETTING(SETTING_APP_ENTRIES) | SETTING(SETTING_DCBX_MODE))

/* Finds the port's last run. Returns the settings that it can have changed in the window. */
static setting_set changed_by_run(const struct engine *e, const struct change_window *w,
				  struct last_run *ret)
{
	setting_set set = 0;

	if ((w->clues & CLUE_DRIVER) || !last_run_find(e->h, w->port, ret))
		return 0;
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (last_run_explains(e->h, ret, k, w->from_ms, w->until_ms))
			set |= SETTING(k);
	return set;
}

setting_set cause_own_run(const struct engine *e, const struct change_window *w)
{
	struct last_run run;

	return changed_by_run(e, w, &run);
}

static const struct owner *find_owner(const struct engine *e, const struct port *port,
				      struct owner_cache *cache)
{
	struct err quiet = { 0 };

	if (!cache->known && !e->backends->find_owner(e->h, port, &cache->owner, &quiet))
		cache->owner = (struct owner){ .who = OWNER_NOBODY };
	cache->known = true;
	return &cache->owner;
}

/*
 * True if the owner likely wrote: the kernel announces a daemon's writes, but not the firmware's.
 */
static bool is_owners(const struct engine *e, const struct change_window *w,
		      struct owner_cache *cache, unsigned setting)
{
	bool announced = w->clues & CLUE_DCB;

	if ((w->clues & CLUE_DRIVER) || !(DAEMON_SETTINGS & SETTING(setting)) ||
	    !owner_writes(find_owner(e, w->port, cache)->who))
		return false;
	return cache->owner.who == OWNER_FIRMWARE ? !announced : announced;
}

/* Settings whose changes the kernel announces. */
static setting_set announced_settings(void)
{
	setting_set set = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].clue != CLUE_DRIVER)
			set |= rows[i].explains;
	return set;
}

/* A management program that runs is the likely writer, unless an announcement is missing. */
static const struct running_writer *find_other(const struct engine *e,
					       const struct change_window *w,
					       struct owner_cache *cache, unsigned setting)
{
	if ((w->clues & CLUE_DRIVER) ||
	    ((announced_settings() & SETTING(setting)) && !cause_by_clues(w->clues, setting)))
		return NULL;
	if (!cache->writers_known)
		writers_read(e, &cache->writers);
	cache->writers_known = true;
	return other_writers_of(&cache->writers, setting);
}

static const char *writer_text(const char *name, unsigned pid, char buf[WRITER_MAX])
{
	snprintf(buf, WRITER_MAX, pid ? "%s (pid %u)" : "%s", name, pid);
	return buf;
}

const char *cause_writer(const struct engine *e, const struct change_window *w,
			 struct owner_cache *cache, unsigned setting, char buf[WRITER_MAX])
{
	const char *by_clues = cause_by_clues(w->clues, setting);
	const struct running_writer *other;
	struct last_run run;

	if (changed_by_run(e, w, &run) & SETTING(setting))
		return last_run_text(&run, buf);
	if (is_owners(e, w, cache, setting))
		return writer_text(owner_name(cache->owner.who), cache->owner.pid, buf);
	other = find_other(e, w, cache, setting);
	if (other)
		return writer_text(other->writer->name, other->pid, buf);
	return writer_text(by_clues ? by_clues : "unknown", 0, buf);
}

void cause_by_settings(const struct engine *e, const struct target *t, const struct feature *f,
		       char ret[LIKELY_CAUSE_MAX])
{
	ret[0] = '\0';
	if (f->likely_cause && e->h)
		f->likely_cause(e->h, &t->task.port, &t->task.desired, &t->seen.actual, ret);
}
