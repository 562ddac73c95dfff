/* A host with its drift history in a directory of the test. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_HISTORY_HOST_H
#define LOSSLESSCTL_TESTS_SUPPORT_HISTORY_HOST_H

#include "agent/daemon/history.h"
#include "agent/host/host_linux.h"

#define FILE_NAME "var/lib/losslessctl/drift.jsonl"

#define LINE \
	"{\"schema\":\"losslessctl/drift-record/1\"," \
	"\"recorded_at\":\"2026-05-01T12:00:03Z\",\"port\":\"ens1\"," \
	"\"pci\":\"0000:08:00.0\",\"setting\":\"mtu\",\"event\":\"detected\",\"from\":9000," \
	"\"to\":1500,\"likely_writer\":\"unknown\",\"first_seen_at\":\"2026-05-01T12:00:03Z\"," \
	"\"duration_s\":0}\n"

/* The host. */
extern struct host_linux history_host;

/* The same as a struct host. */
extern struct host *const history_h;

/* The directory. */
extern char history_root[];

/* Records that history_each() found. */
struct found_records {
	size_t count, unread;
	struct drift_record first, last;
};

/* Notes a record for history_each(). */
void note_record(const struct drift_record *r, void *arg);

/* All records of the file. */
struct found_records found_records(void);

/* Adds a record. */
bool try_add(const struct drift_record *r, struct err *err);

/* Adds a record, which must succeed. */
void add_record(const struct drift_record *r);

/* The size of the file. */
off_t history_size(void);

/* A record of a drift between two configs. */
struct drift_record drift_record(const char *from, const char *to, enum setting_id setting);

/* A record of PFC that drifted. */
struct drift_record pfc_drift(void);

/* Removes the file. */
int history_begin(void **s);

/* Makes the directory and opens the host. False: that failed, and was printed. */
bool make_history_root(void);

/* Removes the directory. */
int remove_history_root(void);

#endif
