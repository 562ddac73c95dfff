/* Fuzz target: the history of drift; each line is a whole record, or is skipped. */
#include <jansson.h>
#include <string.h>

#include "../../agent/daemon/history.h"
#include "../../policy/document/settings_json.h"
#include "fuzz.h"
#include "outside_files.h"

/* Read the text from its beginning at each call, like a file. */
static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)path;
	return outside_answer(outside_of(h)->saved, buf, size, err);
}

struct last {
	struct drift_record r;
	size_t count;
};

static void judge(const struct drift_record *r, void *arg)
{
	struct last *last = arg;
	json_t *j = history_to_json(r);

	MUST(j && json_is_string(json_object_get(j, "likely_writer")));
	json_decref(j);
	last->r = *r;
	last->count++;
}

/* Add the last record again, and check that it is read unchanged. */
static void add_again(struct outside *o, const struct last *before)
{
	struct last after = { .count = 0 };
	json_auto_t *records = json_pack("[o]", history_narrow(&before->r));
	struct err err = { 0 };

	MUST(history_add(&o->host, records, &err));
	MUST(strlen(o->saved) <= HISTORY_BYTES_MAX);
	MUST(history_each(&o->host, judge, &after, NULL, &err));
	MUST(after.count > 0 && after.count <= HISTORY_MAX);
	MUST(after.r.setting == before->r.setting && after.r.event == before->r.event);
	MUST(after.r.when_s == before->r.when_s && after.r.lasted_s == before->r.lasted_s);
	MUST(strcmp(after.r.port, before->r.port) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct last last = { .count = 0 };
	struct outside o;
	struct err err = { 0 };

	outside_begin(&o, NULL, 0);
	o.host.read_file = read_file;
	o.saved = strndup((const char *)data, size);
	MUST(history_each(&o.host, judge, &last, NULL, &err));
	if (last.count > 0)
		add_again(&o, &last);
	outside_end(&o);
	return 0;
}
