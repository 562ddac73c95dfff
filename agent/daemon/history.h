/*
 * The history of drift on this host: a file below the state directory, bounded, that survives
 * restarts. A restarted agent learns from it which settings are contested. A record that cannot be
 * written is reported, and the agent continues.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_HISTORY_H
#define LOSSLESSCTL_AGENT_DAEMON_HISTORY_H

#include "../../policy/model/setting.h"
#include "../engine/verify/drift_cause.h"
#include "../host/host.h"

#define HISTORY_MAX	  256	       /* records; the oldest are dropped first */
#define HISTORY_BYTES_MAX (128 * 1024) /* size of the file */
#define HISTORY_SCHEMA	  "losslessctl/drift-record/1"

struct json_t;

enum history_event {
	HISTORY_DETECTED,
	HISTORY_REPAIRED,  /* by the agent */
	HISTORY_RESOLVED,  /* in sync without a repair */
	HISTORY_CONTESTED, /* repairs were reverted */
	HISTORY_EVENT_COUNT
};

/*
 * One line of the history. Only `setting` counts in `from` and `to`; without its `has` bit it is
 * unknown.
 */
struct drift_record {
	int64_t when_s, first_seen_s; /* seconds since 1970, UTC */
	uint64_t lasted_s;	      /* 0: it just began */
	char port[LINK_NAME_MAX];
	char pci[ID_MAX];
	enum setting_id setting;
	enum history_event event;
	struct config from, to;
	char writer[WRITER_MAX]; /* likely writer: "lldpad (pid 42)", "unknown" */
};

/*
 * Returns a record as JSON for the file; a map is reduced to the keys that differ. The caller owns
 * the result.
 */
struct json_t *history_narrow(const struct drift_record *r);

/*
 * Adds an array of records made by history_narrow(). Replaces the file once and atomically; on an
 * error, as of host_save_file() or a full disk, the history is unchanged.
 */
bool history_add(struct host *h, const struct json_t *records, struct err *err) must_check;

/*
 * Calls `each` for every record, oldest first. A missing file has no records. Lines that are no
 * records, or those of a later version, are skipped and counted in *unread, which may be NULL.
 * Errors: as of host_read_file().
 */
bool history_each(struct host *h, void (*each)(const struct drift_record *r, void *arg), void *arg,
		  size_t *unread, struct err *err) must_check;

/* Returns the number of records that were dropped to make room. Errors: as of host_read_file(). */
bool history_dropped(struct host *h, uint64_t *ret, struct err *err) must_check;

/* Returns a record with all its fields as JSON. The caller owns the result. */
struct json_t *history_to_json(const struct drift_record *r);

/* Reads a record, with or without its schema. False: it is another document, or a later version. */
bool history_from_json(const struct json_t *j, struct drift_record *ret) must_check;

/* Returns "detected", "repaired", "resolved" or "contested". */
const char *history_event_name(enum history_event e);

#endif
