/* Tests of the agent, run as the whole verb on the fake kernel: log, status.json and metrics. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <string.h>

#include "agent/engine/journal/journal.h"
#include "agent/host/log.h"
#include "port_state.h"
#include "tests/support/unit.h"
#include "whole.h"

#define WANT "{\"pfc\": {\"priorities\": [3]}}"

/* The fake kernel reports no speed. */
#define POLICY_WITH(when, rule) \
	"{\"version\": 1, \"profiles\": {\"p\": {\"pfc\": {\"priorities\": [3]}" when "}}, " \
	"\"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"" rule "}]}"
#define POLICY(when) POLICY_WITH(when, "")
#define MISSING	     "}, {\"match\": {\"name\": \"eth9\"}, \"profile\": \"p\", \"required\": true"
#define ABSENT	     "}, {\"match\": {\"name\": \"eth9\"}, \"profile\": \"p\", \"required\": false"
#define BY_SPEED \
	", \"when\": [{\"speed_mbps\": \">=200000\", \"set\": {\"pfc\": {\"cable_m\": 30}}}]"
#define BY_DCB \
	"pfc.priorities is 5, was 3 (likely writer: a program on this host, through the " \
	"kernel's DCB interface)"
#define LAST_ROUND 300 /* rounds of a second without events: the agent verifies ten times */

/*
 * PFC changes with the event `first`; the event `then` arrives only after the port was read. A read
 * waits for the writer's lock, so it returns the new PFC while the event of it still waits.
 */
struct change {
	enum event_kind first, then;
	uint8_t pfc;
	bool restarts; /* the function has another netdev */
	bool is_late;  /* PFC changes with `then`: the read returns the old PFC */
};
static const struct change by_dcb = { EVENT_LINK, EVENT_DCB, 1 << 5, false, false };
static const struct change by_driver = { EVENT_ETHTOOL, EVENT_RDMA, 0, true, false };
static const struct change by_calm_driver = { EVENT_ETHTOOL, EVENT_RDMA, 1 << 3, true, false };
static const struct change late_by_dcb = { EVENT_ETHTOOL, EVENT_DCB, 1 << 5, false, true };

/* Reads of the port fail from round blind_from on, and work from seen_from on; 0: never. */
static const struct row {
	const char *sentence, *policy;
	unsigned blind_from, seen_from;
	const char *of_port, *of_all, *in_sync;
	const char *said;    /* logged once; NULL: nothing */
	unsigned changed_in; /* the round of `change`; 0: never */
	const struct change *change;
} rows[] = {
	{ "in sync", POLICY(""), 0, 0, "in_sync", "in_sync", "1", NULL, 0, NULL },
	{ "another port, which is required, is not there", POLICY_WITH("", MISSING), 0, 0,
	  "in_sync", "unknown", "1", "rule 2 is required", 0, NULL },
	{ "of two ports that a rule wants one is there", POLICY_WITH("", ", \"count\": 2"), 0, 0,
	  "in_sync", "unknown", "1", "rule 1 expects 2 ports, and 1 of this host matches", 0,
	  NULL },
	{ "the one port that a rule wants is there", POLICY_WITH("", ", \"count\": 1"), 0, 0,
	  "in_sync", "in_sync", "1", NULL, 0, NULL },
	{ "another port, which need not be there, is not", POLICY_WITH("", ABSENT), 0, 0, "in_sync",
	  "in_sync", "1", NULL, 0, NULL },
	{ "the desired value is unknown", POLICY(BY_SPEED), 0, 0, "unknown", "unknown", "0",
	  "cannot resolve the desired settings", 0, NULL },
	{ "it cannot be looked at any more", POLICY(""), 2, 0, "unknown", "unknown", "0",
	  "the port cannot be read: no answer", 0, NULL },
	{ "it could not be looked at for a while", POLICY(""), 2, 200, "in_sync", "in_sync", "1",
	  "the port cannot be read: no answer", 0, NULL },
	{ "the event of a write comes after that of the link", POLICY(""), 0, 0, "drift", "drift",
	  "0", BY_DCB, 2, &by_dcb },
	{ "the event of a driver's restart comes after the reading", POLICY(""), 0, 0, "drift",
	  "drift", "0",
	  "the driver re-initialised the port: 1 setting differs from the policy: "
	  "pfc.priorities;",
	  2, &by_driver },
	{ "a driver's restart that resets nothing is reported once", POLICY(""), 0, 0, "in_sync",
	  "in_sync", "1", "the driver re-initialised the port: no setting differs from the policy",
	  2, &by_calm_driver },
	{ "a write during a reading is seen before the next round", POLICY(""), 0, 0, "drift",
	  "drift", "0", BY_DCB, LAST_ROUND - 20, &late_by_dcb },
};
static const struct row *row;

static bool (*link_of_fake)(struct host *h, unsigned ifindex, struct link *ret, struct err *err);

static bool link_or_not(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	if (row->blind_from && whole->rounds >= row->blind_from &&
	    !(row->seen_from && whole->rounds >= row->seen_from))
		return err_set(err, ERR_SYSTEM, ETIMEDOUT, "no answer");
	return link_of_fake(h, ifindex, ret, err);
}

/* True while the second event of the row's change waits. */
static bool second_waits;

static bool event_of_change(struct event *ret)
{
	const struct change *c = row->change;
	bool begins = !second_waits && whole->rounds == row->changed_in;

	*ret = (struct event){ .kind = EVENT_NONE, .ifindex = whole->fake.port.ifindex };
	if (second_waits)
		ret->kind = c->then;
	if (c->is_late ? second_waits : begins)
		whole->fake.hw.pfc = c->pfc;
	if (begins) {
		ret->kind = c->first;
		whole->fake.carrier_changes += c->first == EVENT_LINK ? 2 : 0;
		whole->fake.port.ifindex += c->restarts;
		whole->rounds++;
	}
	second_waits = begins;
	return ret->kind != EVENT_NONE;
}

static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	if (row->change && event_of_change(ret))
		return true;
	*ret = (struct event){ .kind = EVENT_NONE };
	whole->fake.now += wait_ms;
	if (wait_ms && ++whole->rounds == LAST_ROUND)
		whole_let_signal_in(SIGTERM);
	return true;
}

static size_t times_said(const char *log, const char *text)
{
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* The label follows the verdict, and expires 15 minutes after the next check is due. */
static void label_is(const char *verdict, const char *status)
{
	char label[SAYS_MAX], verified_at[TIMESTAMP_MAX], until[TIMESTAMP_MAX], expected[128];
	const char *at = strstr(status, "\n  \"verified_at\": \"");
	int64_t verified_s;

	assert_true(at && sscanf(at, " \"verified_at\": \"%31[^\"]", verified_at) == 1);
	assert_true(timestamp_parse(verified_at, &verified_s));
	snprintf(expected, sizeof(expected), "# +expiry-time=%s\nlosslessctl.in-sync=%s\n",
		 timestamp_text(verified_s + 900, until),
		 strcmp(verdict, "in_sync") == 0 ? "true"
		 : strcmp(verdict, "drift") == 0 ? "false"
						 : "unknown");
	assert_true(whole_document("run/losslessctl/label", label));
	assert_string_equal(label, expected);
}

static void it_says_so(void **s)
{
	static struct end end;
	static char agent_output[SAYS_MAX];
	const struct fake first = whole->fake;
	struct call call = { .words = { "agent", "--allow-other-netns", "-",
					"--nfd=/run/losslessctl/label" } };
	struct config desired = parsed(WANT);
	struct result r;
	char text[128];

	row = *s;
	call.input = row->policy;
	go(&whole->fake, &desired, &r);
	link_of_fake = whole->fake.host.link;
	whole->fake.host.link = link_or_not;
	whole_run(&call, &end);
	whole->fake = first;
	assert_int_equal(end.code, 0);
	assert_true(whole_document("run/losslessctl/status.json", agent_output));
	snprintf(text, sizeof(text), "\n  \"verdict\": \"%s\"", row->of_all);
	assert_non_null(strstr(agent_output, text));
	snprintf(text, sizeof(text), "\n      \"verdict\": \"%s\"", row->of_port);
	assert_non_null(strstr(agent_output, text));
	label_is(row->of_all, agent_output);
	assert_true(whole_document("run/losslessctl/metrics.prom", agent_output));
	snprintf(text, sizeof(text), "losslessctl_port_in_sync{netdev=\"ens1f0np0\"} %s\n",
		 row->in_sync);
	assert_non_null(strstr(agent_output, text));
	assert_int_equal(row->said ? times_said(end.err, row->said) : 1, 1);
}

static const struct row never_set_up = {
	.policy = "{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000, \"dcbx\": {\"mode\": "
		  "\"host\"}, \"pfc\": {\"priorities\": [3]}, \"ets\": {\"prio_tc\": "
		  "[0,0,0,3,0,0,6,0]}}}, \"rules\": [{\"match\": {\"name\": \"ens*\"}, "
		  "\"profile\": \"p\"}]}"
};

static void a_port_that_was_never_set_up_is_reported_in_one_line(void **s)
{
	static struct end end;
	static char paper[SAYS_MAX];
	const struct fake first = whole->fake;
	struct call call = { .words = { "agent", "--allow-other-netns", "-" } };

	(void)s;
	row = &never_set_up;
	call.input = row->policy;
	whole_run(&call, &end);
	whole->fake = first;
	assert_int_equal(end.code, 0);
	assert_int_equal(times_said(end.err, "drift-detected"), 1);
	assert_int_equal(times_said(end.err, "3 settings differ from the policy: mtu, "
					     "pfc.priorities, ets.prio_tc; run"),
			 1);
	assert_true(whole_document("var/lib/losslessctl/drift.jsonl", paper));
	assert_int_equal(times_said(paper, "\"event\":\"detected\""), 3);
	assert_true(whole_document("run/losslessctl/status.json", paper));
	assert_int_equal(times_said(paper, "\"state\": \"drift\""), 3);
}

static void run_agent(const struct row *how, bool json, struct end *ret)
{
	const struct fake first = whole->fake;
	struct call call = { .words = { "agent", "--allow-other-netns", "-",
					json ? "--json" : NULL } };

	row = how;
	call.input = how->policy;
	whole_run(&call, ret);
	whole->fake = first;
	assert_int_equal(ret->code, 0);
}

static void a_drifted_port_has_one_line_at_the_start(void **s)
{
	static struct end end;

	(void)s;
	run_agent(&never_set_up, false, &end);
	assert_int_equal(times_said(end.err, " ens1f0np0: "), 1);
	assert_int_equal(times_said(end.err, "\n"), 3); /* agent-started, the port, agent-stopped */
}

static const struct row matches_nothing = {
	.policy = "{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000}}, \"rules\": "
		  "[{\"match\": {\"name\": \"eth9\"}, \"profile\": \"p\"}]}"
};

static void a_policy_without_ports_is_reported_after_the_start(void **s)
{
	static struct end end;
	const char *started, *error;

	(void)s;
	run_agent(&matches_nothing, false, &end);
	started = strstr(end.err, "agent-started: ");
	error = strstr(end.err, "agent-error: no port of this host matches a rule");
	assert_true(started && error && started < error);
	assert_non_null(strstr(error, "; fix: run `losslessctl show`"));
}

static const struct row invalid = {
	.policy = "{\"version\": 1, \"mode\": \"enforce\", \"profiles\": {\"p\": {\"pause\": "
		  "{\"rx\": true, \"tx\": true}, \"pfc\": {\"priorities\": [3]}}}, \"rules\": "
		  "[{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}"
};

static void an_invalid_policy_is_neither_verified_nor_enforced(void **s)
{
	static struct end end;
	static char paper[SAYS_MAX];

	(void)s;
	run_agent(&invalid, false, &end);
	assert_int_equal(times_said(end.err, "critical finding-detected ens1f0np0: "
					     "pfc-with-global-pause: "),
			 1);
	assert_int_equal(times_said(end.err, "the agent neither verifies nor repairs this port"),
			 1);
	assert_null(strstr(end.err, "drift-"));
	assert_null(strstr(end.err, "repair-"));
	assert_true(whole_document("run/losslessctl/status.json", paper));
	assert_non_null(strstr(paper, "\n      \"verdict\": \"unknown\""));
	assert_non_null(strstr(paper, "\"lint\": \"pfc-with-global-pause\""));
}

/* Leaves the journal of an apply whose confirm watchdog was killed. */
static void leave_unconfirmed(void)
{
	struct config back = parsed(WANT);
	struct journal_entry port = { .name = "ens1f0np0", .back = back };
	struct journal j = { .run = { "test", "2026-01-01T00:00:00Z", "apply", "root",
				      .unconfirmed = true } };
	struct err err = { 0 };

	assert_true(journal_prepare(&whole->fake.host, &err));
	assert_true(journal_add(&j, &port, &err));
	assert_true(journal_save(&whole->fake.host, JOURNAL_PENDING, &j, &err));
	journal_free(&j);
}

/* In mode report nothing is rolled back, so no rollback has failed. */
static void an_apply_that_nobody_confirmed_is_reported_once(void **s)
{
	static struct end end;
	const struct fake first = whole->fake;

	(void)s;
	leave_unconfirmed();
	run_agent(&rows[0], false, &end);
	whole->fake = first;
	assert_int_equal(times_said(end.err, "critical apply-unconfirmed: the apply of "
					     "2026-01-01T00:00:00Z was not confirmed"),
			 1);
	assert_null(strstr(end.err, "rollback-failed"));
}

static const struct row changes_value_again = { .policy = POLICY(""),
						.changed_in = 2,
						.change = &by_dcb };

/* Asserts that each line is a document. Returns the first of an event, which the caller owns. */
static json_t *event_of(char *lines, const char *name)
{
	json_t *found = NULL;

	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		json_auto_t *doc = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

		assert_string_equal(json_string_value(json_object_get(doc, "schema")),
				    "losslessctl/agent/1");
		assert_true(json_is_string(json_object_get(doc, "observed_at")));
		assert_true(json_is_string(json_object_get(doc, "severity")));
		assert_true(json_is_string(json_object_get(doc, "message")));
		if (!found && !strcmp(json_string_value(json_object_get(doc, "event")), name))
			found = json_incref(doc);
	}
	assert_non_null(found);
	return found;
}

/* Asserts that a document has these keys and values. */
static void has(const json_t *doc, const char *expected)
{
	json_auto_t *part = json_loads(expected, 0, NULL);
	const char *key;
	json_t *value;

	json_object_foreach (part, key, value)
		if (!json_equal(json_object_get(doc, key), value))
			fail_msg("%s: %s", key, json_dumps(doc, JSON_COMPACT));
}

static const struct event_row {
	const char *sentence;
	const struct row *row;
	bool set_up; /* the port starts in sync with WANT */
	const char *event, *has;
} event_rows[] = {
	{ "the start names the policy and the mode", &never_set_up, false, "agent-started",
	  "{\"severity\": \"info\", \"priority\": 6, \"mode\": \"report\"}" },
	{ "several drifted settings are a list", &never_set_up, false, "drift-detected",
	  "{\"severity\": \"critical\", \"port\": \"ens1f0np0\", \"settings\": [\"mtu\", "
	  "\"pfc.priorities\", \"ets.prio_tc\"]}" },
	{ "one drifted setting has its values and its likely writer", &changes_value_again, true,
	  "drift-detected",
	  "{\"port\": \"ens1f0np0\", \"setting\": \"pfc.priorities\", \"from\": [3], \"to\": "
	  "[5], \"duration_s\": null, \"likely_writer\": \"a program on this host, through the "
	  "kernel's DCB interface\"}" },
	{ "a port in sync has the number of its rule", &changes_value_again, true, "port-matched",
	  "{\"port\": \"ens1f0np0\", \"rule_number\": 1, \"message\": \"the port matches rule "
	  "1\"}" },
	{ "a finding has its lint and its fix", &invalid, false, "finding-detected",
	  "{\"severity\": \"critical\", \"lint\": \"pfc-with-global-pause\", \"fix\": \"set "
	  "pause.rx and pause.tx to false, or pfc.priorities to []\"}" },
	{ "an error has its fix", &matches_nothing, false, "agent-error",
	  "{\"severity\": \"warning\", \"priority\": 4}" },
};

static void each_event_is_a_json_document(void **s)
{
	static struct end end;
	const struct event_row *e = *s;
	const struct fake first = whole->fake;
	struct config desired = parsed(WANT);
	struct result r;
	json_t *doc;

	if (e->set_up)
		go(&whole->fake, &desired, &r);
	run_agent(e->row, true, &end);
	whole->fake = first;
	assert_null(strstr(end.err, "agent-"));
	doc = event_of(end.out, e->event);
	has(doc, e->has);
	json_decref(doc);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_port_that_was_never_set_up_is_reported_in_one_line);
	SUITE_ADD_ROWS(&s, rows, it_says_so);
	SUITE_ADD(&s, a_drifted_port_has_one_line_at_the_start);
	SUITE_ADD(&s, a_policy_without_ports_is_reported_after_the_start);
	SUITE_ADD(&s, an_apply_that_nobody_confirmed_is_reported_once);
	SUITE_ADD(&s, an_invalid_policy_is_neither_verified_nor_enforced);
	SUITE_ADD_ROWS(&s, event_rows, each_event_is_a_json_document);
	return whole_tests("agent", &s, next_event);
}
