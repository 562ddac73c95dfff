/*
 * What drifted on this host, when, and what became of it: a file below the
 * state folder that is bounded and survives restarts. An agent that
 * starts finds there which settings are contested. A record that cannot be written is
 * reported, and the agent goes on.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DRIFT_HISTORY_H
#define LOSSLESSCTL_AGENT_DAEMON_DRIFT_HISTORY_H

#include "../../policy/model/setting.h"
#include "../engine/verify/likely_cause.h"
#include "../host/host.h"

#define HISTORY_MAX	  256	       /* records; the oldest goes first */
#define HISTORY_BYTES_MAX (128 * 1024) /* the whole file */
#define HISTORY_SCHEMA	  "losslessctl/drift/1"

struct json_t;

enum history_event {
	HISTORY_DRIFTED,
	HISTORY_REPAIRED,  /* by us */
	HISTORY_ENDED,	   /* in sync without us */
	HISTORY_CONTESTED, /* our repairs were undone */
	HISTORY_EVENT_COUNT
};

/* One line of it. Of `from` and `to` one setting counts; without its `has` bit it is unknown. */
struct drift_record {
	int64_t when_s, first_seen_s; /* seconds since 1970, UTC */
	uint64_t lasted_s;	      /* 0: it has only begun */
	char port[LINK_NAME_MAX];
	char pci[ID_MAX];
	enum setting_id setting;
	enum history_event event;
	struct config from, to;
	char writer[WRITER_MAX]; /* who did it, likely: "lldpad (pid 42)", "unknown" */
};

/* A record as the file has it: of a map only what differs. The caller owns the result. */
struct json_t *history_narrow(const struct drift_record *r);

/*
 * Adds an array of records, as history_narrow() makes them. The file is replaced
 * once, and as a whole. Errors: as host_save_file(), a full disk among them; the
 * history is then as before.
 */
bool history_add(struct host *h, const struct json_t *records, struct err *err) must_check;

/*
 * Calls `each` for every record, oldest first. A line that is not a whole
 * record is passed over; no file is no record. Errors: as host_read_file().
 */
bool history_each(struct host *h, void (*each)(const struct drift_record *r, void *arg), void *arg,
		  struct err *err) must_check;

/* A record with all that it has. The caller owns the result. */
struct json_t *history_to_json(const struct drift_record *r);

/* "drifted", "repaired", "ended", "contested". */
const char *history_event_name(enum history_event e);

#endif
