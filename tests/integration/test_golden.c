/*
 * Tests of golden documents: the files that a host of version 1 may have, in golden/v1/host, and a
 * policy with every key. The files never change: each later build reads them as version 1 did.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "agent/daemon/agent.h"
#include "agent/daemon/history.h"
#include "agent/daemon/recording.h"
#include "agent/engine/journal/applies.h"
#include "agent/engine/journal/last_run.h"
#include "agent/engine/journal/policy_generation.h"
#include "agent/engine/journal/lost_settings.h"
#include "agent/engine/journal/pending_confirm.h"
#include "agent/host/cleanup.h"
#include "agent/host/host_linux.h"
#include "policy/document/settings_json.h"
#include "policy/document/policy.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

#define FILES_IN(folder) HOSTS "/../golden/v1/" folder

static struct host_linux golden;
static struct host *const h = &golden.host;
static const struct port port = { .ifindex = 3, .rdma_index = 1, .id = { .pci = "0000:3b:00.0" } };

static struct policy *policy_in(const char *path)
{
	static char text[64 << 10];
	struct policy *p = NULL;
	struct err err = { 0 };
	FILE *f = fopen(path, "r");
	size_t size;

	assert_non_null(f);
	size = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[size] = '\0';
	if (!policy_parse(&p, text, size, path, &err))
		fail_msg("%s: %s", err.where, err.text);
	return p;
}

static void the_policy_has_its_keys(void **s)
{
	_free_ struct policy *p = policy_in(FILES_IN("policy.json"));

	(void)s;
	assert_string_equal(p->name, "golden");
	assert_int_equal(p->generation, 7);
	assert_int_equal(p->mode, MODE_ENFORCE);
	assert_true(p->enforce.allow_link_flap && p->refresh_headroom);
	assert_int_equal(p->thresholds.value[THRESHOLD_WINDOW_S], 20);
	assert_int_equal(p->thresholds.value[THRESHOLD_RECEIVER_NOT_READY_PER_S], 23);
	assert_string_equal(p->switch_map->name, "custom");
	assert_int_equal(p->count, 3);
	assert_int_equal(p->rules[0].ports_count, 2);
	assert_true(p->rules[1].may_match_none);
	assert_int_equal(p->profiles_count, 2);
}

/* Compares each rule with all entries of its "when". */
static void the_policy_means_the_same_settings(void **s)
{
	_free_ struct policy *p = policy_in(FILES_IN("policy.json"));
	json_auto_t *expected = json_load_file(FILES_IN("desired.json"), 0, NULL);
	struct err err = { 0 };

	(void)s;
	for (size_t i = 0; i < p->count; i++) {
		struct config c = { .has = 0 };
		json_auto_t *desired = NULL;

		assert_true(rule_desired_of(&p->rules[i], UINT32_MAX, &c, NULL, &err));
		desired = config_to_json(&c, EVERY_SETTING);
		if (!json_equal(desired, json_array_get(expected, i)))
			fail_msg("rule %zu: %s", i + 1, json_dumps(desired, JSON_COMPACT));
	}
}

static void what_show_printed_is_a_policy(void **s)
{
	_free_ struct policy *p = policy_in(FILES_IN("reports/show.jsonl"));

	(void)s;
	assert_true(p->is_show_document);
	assert_int_equal(p->count, 2);
}

static void a_pending_run_can_be_rolled_back(void **s)
{
	_journal_ struct journal j = { .entries = NULL };
	struct err err = { 0 };
	const struct journal_entry *e;

	(void)s;
	assert_true(journal_peek(h, JOURNAL_PENDING, &j, &err));
	assert_string_equal(j.run.verb, "apply");
	assert_string_equal(j.run.policy, "test");
	assert_string_equal(j.run.user, "root");
	assert_int_equal(strlen(j.run.time), sizeof("2026-05-01T12:00:03Z") - 1);
	assert_true(j.run.unconfirmed);
	e = journal_find(&j, &port);
	assert_non_null(e);
	assert_string_equal(e->name, "ens1f0np0");
	assert_int_equal(e->back.has, SETTING(SETTING_MTU) | SETTING(SETTING_ROCE_TOS));
	assert_int_equal(e->back.mtu, 9000);
	assert_int_equal(e->back.roce.tos, 106);
}

static void all_applies_are_listed(void **s)
{
	static const struct {
		unsigned number;
		bool undone, open;
	} expected[] = { { 5, false, true },
			 { 4, false, false },
			 { 3, false, true },
			 { 2, true, false },
			 { 1, true, false } };
	_applies_ struct applies a;
	struct err err = { 0 };

	(void)s;
	assert_true(applies_load(h, &a, &err));
	assert_int_equal(a.count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_int_equal(a.list[i].number, expected[i].number);
		assert_int_equal(a.list[i].undone, expected[i].undone);
		assert_int_equal(applied_is_open(&a.list[i]), expected[i].open);
		assert_int_equal(a.list[i].damage.kind, ERR_NONE);
	}
	assert_int_equal(a.list[4].journal.entries[0].undone, UNDONE_FAILED);
}

static void an_apply_waits_for_confirmation(void **s)
{
	struct pending_confirm w;
	struct err err = { 0 };

	(void)s;
	assert_true(pending_confirm_load(h, &w, &err));
	assert_true(w.there && !w.not_rolled_back);
	assert_true(w.pid > 1 && w.expires_ms > 600000);
	assert_string_equal(w.policy_name, "test");
	assert_true(strcmp(w.started_at, w.expires_at) < 0);
}

static void the_last_run_is_known(void **s)
{
	struct last_run r;

	(void)s;
	assert_true(last_run_find(h, &port, &r));
	assert_string_equal(r.verb, "apply");
	assert_string_equal(r.user, "root");
	assert_true(r.started_ms && r.ended_ms >= r.started_ms && r.pid && r.settings);
	assert_int_equal(strlen(r.decision.policy), 64);
	assert_int_equal(r.decision.at_ms, r.ended_ms);
}

static void note_event(const struct drift_record *r, void *arg)
{
	unsigned *counts = arg;

	assert_int_equal(r->setting, SETTING_MTU);
	/* The value before a drift that the agent found when it started is not known. */
	assert_true(r->from.mtu || strcmp(r->writer, "unknown") == 0);
	assert_true(r->to.mtu && r->writer[0]);
	assert_true(r->first_seen_s <= r->when_s);
	counts[r->event]++;
}

static void the_history_is_read(void **s)
{
	unsigned counts[HISTORY_EVENT_COUNT] = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(history_each(h, note_event, counts, NULL, &err));
	assert_int_equal(counts[HISTORY_DETECTED], 5);
	assert_int_equal(counts[HISTORY_RESOLVED], 2);
	assert_int_equal(counts[HISTORY_REPAIRED], 3);
	assert_int_equal(counts[HISTORY_CONTESTED], 1);
}

static void a_recording_is_read(void **s)
{
	json_auto_t *doc =
		json_load_file(FILES_IN("host/var/lib/losslessctl/recordings/1.json"), 0, NULL);
	struct flight_recording r;
	struct err err = { 0 };

	(void)s;
	assert_true(recording_from_json(doc, &r, &err));
	assert_string_equal(r.incident.symptom, "pause-storm-sent");
	assert_int_equal(r.count, 1);
	assert_int_equal(r.samples[0].sent_on, 3);
	assert_true(flight_rate(&r.samples[0], RATE_PAUSE_SENT) > 94 && r.samples[0].symptoms);
}

static void lost_settings_are_known(void **s)
{
	struct lost_settings l = lost_settings_of(h, &port);

	(void)s;
	assert_int_equal(l.unseen, SETTING(SETTING_TRUST));
	assert_int_equal(l.stuck, SETTING(SETTING_TRUST));
}

static void an_older_signed_policy_is_refused(void **s)
{
	struct policy p = { .generation = 6, .signer = "root" };
	struct err err = { 0 };

	(void)s;
	assert_false(policy_generation_accept(h, &p, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	p.generation = 7;
	assert_true(policy_generation_accept(h, &p, &err));
}

static void the_agents_policy_keeps_its_age(void **s)
{
	struct policy p = { .name = "" };
	struct err err = { 0 };
	char text[160];

	(void)s;
	assert_true(host_read_file(h, text, sizeof(text), &err, "/run/losslessctl/agent-policy"));
	snprintf(p.sha256, sizeof(p.sha256), "%.64s", text);
	assert_int_equal(loaded_policy_first(h, &p), loaded_policy_since(h, &p));
	assert_int_equal(loaded_policy_first(h, &p), strtoull(text + 64, NULL, 10));
}

int main(void)
{
	static struct suite s;
	struct err err = { 0 };
	int failed;

	if (!host_linux_open(&golden, FILES_IN("host"), false, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	SUITE_ADD(&s, the_policy_has_its_keys);
	SUITE_ADD(&s, the_policy_means_the_same_settings);
	SUITE_ADD(&s, what_show_printed_is_a_policy);
	SUITE_ADD(&s, a_pending_run_can_be_rolled_back);
	SUITE_ADD(&s, all_applies_are_listed);
	SUITE_ADD(&s, an_apply_waits_for_confirmation);
	SUITE_ADD(&s, the_last_run_is_known);
	SUITE_ADD(&s, the_history_is_read);
	SUITE_ADD(&s, a_recording_is_read);
	SUITE_ADD(&s, lost_settings_are_known);
	SUITE_ADD(&s, an_older_signed_policy_is_refused);
	SUITE_ADD(&s, the_agents_policy_keeps_its_age);
	failed = suite_run(&s, "golden documents");
	host_linux_close(&golden);
	return failed;
}
