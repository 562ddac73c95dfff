/*
 * Which settings of one port have drifted, since when, and whether somebody
 * undoes our repairs. Pure: time is an argument, in milliseconds of any clock
 * that does not go back. Plain data: copy it with =, never free it; all zero is
 * a port that has not been looked at.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DRIFT_H
#define LOSSLESSCTL_AGENT_DAEMON_DRIFT_H

#include "../../policy/model/setting.h"

/*
 * A setting is contested once this many repairs were undone within this time, which is long enough
 * for a tool that runs every half hour or hour.
 */
#define DRIFT_UNDONE_MAX 3
#define DRIFT_WINDOW_MS	 (3 * 60 * 60 * 1000u)

/* A setting that drifts more often than this, without a quiet hour between, is contested, too. */
#define DRIFT_RESTLESS_MAX 20

/* How long a contested setting, or one that cannot be repaired, is left alone: twice as long
 * each time. */
#define DRIFT_WAIT_MS	  (60 * 1000u)
#define DRIFT_WAIT_MAX_MS (60 * 60 * 1000u)

/*
 * A port whose driver begins anew is repaired once it has settled: so long after the first time,
 * twice as long after each further one within the hour, so that a driver that never stops is not
 * written to in a tight loop.
 */
#define DRIFT_SETTLE_MS	    1000u
#define DRIFT_SETTLE_MAX_MS (5 * 60 * 1000u)

/* After this long in sync a setting is no longer contested. */
#define DRIFT_PEACE_MS (60 * 60 * 1000u)

enum drift_state {
	DRIFT_IN_SYNC,
	DRIFT_DRIFTED,
	DRIFT_REPAIRED,	 /* by us, less than DRIFT_WINDOW_MS ago */
	DRIFT_CONTESTED, /* whether or not it differs just now */
};

struct drift {
	setting_set differ; /* when they could last be read */
	setting_set repaired, contested;
	uint64_t since_ms[SETTING_COUNT];  /* when the last drift, or the contest, was first seen */
	uint64_t acted_ms[SETTING_COUNT];  /* the last repair */
	uint64_t uneasy_ms[SETTING_COUNT]; /* when it was last not seen in sync */
	uint64_t not_before_ms[SETTING_COUNT];		     /* when it may be repaired */
	uint64_t undone_ms[SETTING_COUNT][DRIFT_UNDONE_MAX]; /* newest first */
	uint8_t undone[SETTING_COUNT];			     /* how many of these there are */
	uint8_t waits[SETTING_COUNT];			     /* how often the wait has doubled */
	uint8_t drifts[SETTING_COUNT];			     /* without an hour between */
	setting_set reset;   /* what the driver may reset until it has settled */
	uint64_t reset_ms;   /* when it last began anew */
	uint64_t settled_ms; /* when it may be written to again; 0: it has settled */
	uint8_t resets;	     /* how often it began anew without an hour between */
};

/* The changes that a check found. No setting is in more than one of them. */
struct drift_changes {
	setting_set drifted;
	setting_set ended;     /* in sync without us, or a contest that is over */
	setting_set contested; /* drifted once too often: undone each time, or by itself */
};

/*
 * The setting was found to be contested, since then, by the agent before this one: it goes on as if
 * it had just been repaired in vain.
 */
void drift_contest(struct drift *d, enum setting_id setting, uint64_t since_ms, uint64_t now_ms);

/*
 * The driver began anew, and may have reset these settings: that is no opponent's work. Nothing is
 * due until the port has settled, and then all of it is.
 */
void drift_reset(struct drift *d, setting_set which, uint64_t now_ms);

/* An operator's run of losslessctl set these otherwise: it is no opponent, and undid no repair. */
void drift_excuse(struct drift *d, setting_set which);

/*
 * Takes in what a look at the port found: the wanted settings that could be read,
 * and those of them that differ. A setting that could not be read keeps its
 * state: unknown is neither drift nor peace.
 */
struct drift_changes drift_look(struct drift *d, setting_set differs, setting_set judged,
				uint64_t now_ms);

/* The drifted settings that may be repaired now; contested ones only now and then. */
setting_set drift_due(const struct drift *d, uint64_t now_ms);

/* We have put these right, and read them back. Settings that had not drifted are passed over. */
void drift_repaired(struct drift *d, setting_set which, uint64_t now_ms);

/* We could not put these right: they are left alone for a while, longer each time. */
void drift_failed(struct drift *d, setting_set which, uint64_t now_ms);

/* The port was plugged in anew, or the policy is another: nothing is known of it. */
void drift_forget(struct drift *d);

/* Where a setting stands. */
enum drift_state drift_state(const struct drift *d, enum setting_id setting);

/* "in_sync", "drifted", "repaired", "contested". */
const char *drift_state_name(enum drift_state s);

#endif
