/*
 * Tracks the drift of one port's settings: since when, and whether something reverts our repairs.
 * Pure: time is an argument, in milliseconds of any monotonic clock. Plain data: copy it with =,
 * never free it; all zero is a port that was never checked.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DRIFT_H
#define LOSSLESSCTL_AGENT_DAEMON_DRIFT_H

#include "../../policy/model/setting.h"

/*
 * Reverted repairs within a time span that make a setting contested. The span suits tools that run
 * every half hour or hour.
 */
#define DRIFT_UNDONE_MAX 3
#define DRIFT_WINDOW_MS	 (3 * 60 * 60 * 1000u)

/* Maximum number of drifts without a quiet hour between them; more make a setting contested. */
#define DRIFT_RESTLESS_MAX 20

/*
 * Delay between repairs of a contested or unrepairable setting; it doubles each time, up to the
 * maximum.
 */
#define DRIFT_WAIT_MS	  (60 * 1000u)
#define DRIFT_WAIT_MAX_MS (60 * 60 * 1000u)

/* Time in sync after which a setting is no longer contested. */
#define DRIFT_QUIET_MS (60 * 60 * 1000u)

enum drift_state {
	DRIFT_IN_SYNC,
	DRIFT_DRIFTED,
	DRIFT_REPAIRED,	 /* by the agent, less than DRIFT_WINDOW_MS ago */
	DRIFT_CONTESTED, /* even while it is in sync */
};

struct drift {
	setting_set differ; /* at their last successful read */
	setting_set repaired, contested;
	uint64_t since_ms[SETTING_COUNT];	     /* start of the last drift or contest */
	uint64_t acted_ms[SETTING_COUNT];	     /* time of the last repair */
	uint64_t last_out_of_sync_ms[SETTING_COUNT]; /* last time it was not seen in sync */
	uint64_t not_before_ms[SETTING_COUNT];	     /* earliest time of the next repair */
	uint64_t undone_ms[SETTING_COUNT][DRIFT_UNDONE_MAX]; /* newest first */
	uint8_t undone[SETTING_COUNT];			     /* number of entries in undone_ms */
	uint8_t waits[SETTING_COUNT];			     /* how often the delay has doubled */
	uint8_t drifts[SETTING_COUNT]; /* drifts without a quiet hour between them */
	setting_set reset;	       /* settings that the driver may reset until it has settled */
	uint64_t reset_ms;	       /* last driver restart */
	uint64_t settled_ms;	       /* end of the delay after a restart; 0: it has settled */
	uint8_t resets;		       /* restarts without a quiet hour between them */
};

/* Changes found by a check. Each setting is in at most one of the sets. */
struct drift_changes {
	setting_set drifted;   /* or another value than the last one that drifted */
	setting_set ended;     /* in sync without a repair, or contest over */
	setting_set contested; /* repairs reverted too often, or drifted too often */
};

/*
 * Continues a contest that the previous agent recorded since `since_ms`, as if a repair had just
 * been reverted.
 */
void drift_contest(struct drift *d, enum setting_id setting, uint64_t since_ms, uint64_t now_ms);

/*
 * Excludes settings that an operator's run of losslessctl changed; this does not count as a
 * reverted repair.
 */
void drift_ignore(struct drift *d, setting_set which);

/*
 * Records the result of a check: `compared` has the desired settings that could be read, `differs`
 * those of them that drifted, and `moved` those whose value is not that of the last check. A
 * setting that could not be read keeps its state, because unknown is neither drift nor in sync.
 */
struct drift_changes drift_update(struct drift *d, setting_set differs, setting_set compared,
				  setting_set moved, uint64_t now_ms);

/* Returns the drifted settings that may be repaired now; a contested one only after its delay. */
setting_set drift_due(const struct drift *d, uint64_t now_ms);

/* Minutes, rounded up, until the first of these that drifted may be repaired; 0: at once, or never.
 */
unsigned drift_next_min(const struct drift *d, setting_set which, uint64_t now_ms);

/* Records a verified repair. Ignores settings that had not drifted. */
void drift_repaired(struct drift *d, setting_set which, uint64_t now_ms);

/*
 * Records a failed repair; each failure doubles the delay of the next one, except for a setting
 * that was repaired before its time.
 */
void drift_failed(struct drift *d, setting_set which, uint64_t now_ms);

/* Ends the delays after failed repairs, but for contested settings. */
void drift_retry(struct drift *d, setting_set which);

/* Resets all state, for a new port or another policy. */
void drift_forget(struct drift *d);

/* Returns the state of a setting. */
enum drift_state drift_state(const struct drift *d, enum setting_id setting);

/* True if reverted repairs began the contest of a setting, not its restlessness. */
bool drift_was_reverted(const struct drift *d, enum setting_id setting);

/* Returns "in_sync", "drift", "repaired" or "contested". */
const char *drift_state_name(enum drift_state s);

#endif
