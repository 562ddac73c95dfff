#include <fcntl.h>
#include <jansson.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/util/oom.h"
#include "tests/support/history_host.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

struct host_linux history_host;

struct host *const history_h = &history_host.host;

char history_root[] = "/tmp/losslessctl-history-XXXXXX";

void note_record(const struct drift_record *r, void *arg)
{
	struct found_records *f = arg;

	if (f->count++ == 0)
		f->first = *r;
	f->last = *r;
}

struct found_records found_records(void)
{
	struct found_records f = { 0 };
	struct err err = { 0 };

	if (!history_each(history_h, note_record, &f, &f.unread, &err))
		fail_msg("%s", err.text);
	return f;
}

bool try_add(const struct drift_record *r, struct err *err)
{
	json_auto_t *records = json_pack("[o]", history_narrow(r));

	return history_add(history_h, records, err);
}

void add_record(const struct drift_record *r)
{
	struct err err = { 0 };

	if (!try_add(r, &err))
		fail_msg("%s", err.text);
}

off_t history_size(void)
{
	struct stat s;

	assert_int_equal(fstatat(history_h->root, FILE_NAME, &s, 0), 0);
	return s.st_size;
}

struct drift_record drift_record(const char *from, const char *to, enum setting_id setting)
{
	return (struct drift_record){
		.when_s = 1777636803,
		.first_seen_s = 1777636800,
		.lasted_s = 3,
		.port = "ens1f0np0",
		.pci = "0000:3b:00.0",
		.setting = setting,
		.event = HISTORY_REPAIRED,
		.from = config_of(from),
		.to = config_of(to),
		.writer = "lldpad (pid 42)",
	};
}

struct drift_record pfc_drift(void)
{
	return drift_record("{'pfc': {'priorities': []}}", "{'pfc': {'priorities': [3]}}",
			    SETTING_PFC_PRIORITIES);
}

int history_begin(void **s)
{
	(void)s;
	unlinkat(history_h->root, FILE_NAME, 0);
	unlinkat(history_h->root, FILE_NAME ".damaged", 0);
	return 0;
}

bool make_history_root(void)
{
	struct err err = { 0 };

	oom_watch_jansson();
	if (mkdtemp(history_root) && host_linux_open(&history_host, history_root, true, &err))
		return true;
	fprintf(stderr, "%s: %s\n", history_root, err.text);
	return false;
}

int remove_history_root(void)
{
	history_begin(NULL);
	unlinkat(history_h->root, "var/lib/losslessctl", AT_REMOVEDIR);
	unlinkat(history_h->root, "var/lib", AT_REMOVEDIR);
	unlinkat(history_h->root, "var", AT_REMOVEDIR);
	host_linux_close(&history_host);
	return rmdir(history_root);
}
