/* Fuzz target: the document of --state, a show document or a bundle, for all reading verbs. */
#include <jansson.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../cli/captured/captured_bundle.h"
#include "../../cli/captured/captured_host.h"
#include "../../cli/verbs/verbs.h"
#include "../../policy/document/draft.h"
#include "../../policy/util/oom.h"
#include "fuzz.h"

/* Open a document as the command line does. */
static bool open_text(struct cli *c, const void *text, size_t size)
{
	struct err err = { 0 };
	bool ok;

	*c = (struct cli){ .opt.state = "-", .state_fd = memfd_create("state", MFD_CLOEXEC) };
	MUST(c->state_fd >= 0 && write(c->state_fd, text, size) == (ssize_t)size);
	MUST(lseek(c->state_fd, 0, SEEK_SET) == 0);
	ok = captured_host_open(c, &err);
	close(c->state_fd);
	MUST(ok || err.text[0]);
	return ok;
}

static json_t *show(struct cli *c)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err err = { 0 };
	json_t *doc;

	MUST(inventory_read(&c->engine, EVERY_PORT, &inv, &err));
	MUST(show_document(c, &inv, &doc, &err));
	return doc;
}

/* Show must print the same ports from its own document. */
static void judge_show(struct cli *c)
{
	json_auto_t *first = show(c), *second = NULL;
	_free_ char *text = json_dumps(first, JSON_COMPACT);
	struct cli again;

	MUST(text && open_text(&again, text, strlen(text)));
	second = show(&again);
	MUST(json_equal(json_object_get(first, "ports"), json_object_get(second, "ports")));
	captured_host_free(again.captured);
}

static void judge_draft(const struct target *t)
{
	struct draft d = draft_port(&t->seen.actual, t->seen.unsupported);

	MUST(json_is_object(d.profile));
	json_decref(d.profile);
}

/* Each reading has one of three statuses. */
static void judge_checks(struct cli *c, const struct inventory *inv)
{
	for (enum ready_id id = 0; id < READY_COUNT; id++) {
		bool of_host = ready_checks[id].of_host;

		for (size_t i = 0; i < (of_host ? 1 : inv->count); i++) {
			struct ready_reading r = { .status = READY_NOT_MET };

			captured_ready_read(&c->captured->view, id, of_host ? NULL : &inv->ports[i],
					    &r);
			MUST(r.status == READY_MET || r.status == READY_UNKNOWN ||
			     r.status == READY_NOT_APPLICABLE);
		}
	}
}

static void judge_counters(struct cli *c, const struct targets *all)
{
	const struct thresholds limits = thresholds_defaults();
	_free_ struct counted *counted = NULL;
	unsigned seconds = 0;
	struct err err = { 0 };

	MUST(captured_counters_judge(c->captured, &limits, all, &counted, &seconds, &err));
	for (size_t i = 0; counted && i < all->count; i++)
		MUST(counted[i].count <= SYMPTOMS_MAX);
}

static void judge_parts(struct cli *c)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	_free_ struct compared_peer *found = NULL;
	struct err err = { 0 };

	MUST(inventory_read(&c->engine, EVERY_PORT, &inv, &err));
	MUST(targets_of_all(&inv, &all, &err));
	for (size_t i = 0; i < all.count; i++) {
		MUST(target_observe(&c->engine, &all.list[i], &err));
		judge_draft(&all.list[i]);
	}
	judge_checks(c, &inv);
	judge_counters(c, &all);
	if (!source_peers(c, &all, 0, &found, &err)) {
		MUST(err.kind == ERR_POLICY && err.text[0]);
		return;
	}
	for (size_t i = 0; i < all.count; i++)
		for (enum agreement a = 0; a < AGREE_COUNT; a++)
			MUST(found[i].agreed[a].peer_reason ||
			     found[i].agreed[a].peer_status == PEER_STATUS_AGREES);
}

static void judge_record(const struct drift_record *r, void *arg)
{
	(void)arg;
	MUST(r->setting < SETTING_COUNT && r->event < HISTORY_EVENT_COUNT);
	json_decref(history_to_json(r));
}

static void judge_recording(const struct flight_recording *r, const json_t *document, void *arg)
{
	(void)arg;
	MUST(json_is_object(document) && r->count <= FLIGHT_SAMPLES);
}

static void no_difference(const struct host_difference *d, void *arg)
{
	(void)d;
	(void)arg;
	MUST(!"a host differs from itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct recording_visitor v = { .found = judge_recording };
	struct err quiet = { 0 }, quiet2 = { 0 };
	struct cli c;

	oom_reset();
	if (open_text(&c, data, size)) {
		judge_show(&c);
		judge_parts(&c);
		host_diff_each(c.captured, c.captured, no_difference, NULL);
		(void)!source_history_each(&c, judge_record, NULL, NULL, &quiet);
		(void)!source_recordings_each(&c, &v, &quiet2);
	}
	captured_host_free(c.captured);
	return 0;
}
