/* Tests of the drift history of two agents in succession: each drift is recorded once. */
#include <signal.h>
#include <string.h>

#include "tests/support/unit.h"
#include "whole.h"

#define HISTORY	   "/var/lib/losslessctl/drift.jsonl"
#define LAST_ROUND 300 /* rounds of a second */

static const char policy[] =
	"{\"version\": 1, \"profiles\": {\"p\": {\"mtu\": 9000, \"dcbx\": {\"mode\": \"host\"}, "
	"\"pfc\": {\"priorities\": [3]}}}, \"rules\": [{\"match\": {\"name\": \"ens*\"}, "
	"\"profile\": \"p\"}]}";

static unsigned
	repaired_in; /* the round in which a program sets PFC as the policy asks; 0: never */

static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct event){ .kind = EVENT_NONE, .ifindex = whole->fake.port.ifindex };
	if (repaired_in && whole->rounds == repaired_in) {
		repaired_in = 0;
		whole->fake.hw.pfc = 1 << 3;
		ret->kind = EVENT_DCB;
		return true;
	}
	whole->fake.now += wait_ms;
	if (wait_ms && ++whole->rounds == LAST_ROUND)
		whole_let_signal_in(SIGTERM);
	return true;
}

static void run_agent(struct end *end)
{
	const struct call call = { .input = policy,
				   .words = { "agent", "--allow-other-netns", "-" } };

	whole_run(&call, end);
	assert_int_equal(end->code, 0);
}

static size_t times_said(const char *log, const char *text)
{
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* Copies the time when the drift of PFC was first seen, from the last record of this event. */
static void first_seen_by(const char *history, const char *event, char ret[32])
{
	static const char key[] = "\"first_seen_at\":";
	char start[64];

	*ret = '\0';
	snprintf(start, sizeof(start), "\"setting\":\"pfc.priorities\",\"event\":\"%s\"", event);
	for (const char *at = history; (at = strstr(at, start)); at++) {
		const char *value = strstr(at, key);

		assert_non_null(value);
		snprintf(ret, 32, "%.22s", value + strlen(key));
	}
	assert_string_not_equal(ret, "");
}

static void a_drift_is_recorded_once_and_keeps_its_first_time(void **s)
{
	static struct end end;
	static char history[SAYS_MAX];
	char detected[32], resolved[32];

	(void)s;
	run_agent(&end);
	assert_true(whole_document(&HISTORY[1], history));
	assert_int_equal(times_said(history, "\"event\":\"detected\",\"from\":null"), 2);
	strcpy(fake_file(&whole->fake, HISTORY, true)->text, history);
	repaired_in = 20;
	run_agent(&end);
	assert_true(whole_document(&HISTORY[1], history));
	assert_int_equal(times_said(history, "\"event\":\"detected\""), 2);
	first_seen_by(history, "detected", detected);
	first_seen_by(history, "resolved", resolved);
	assert_string_equal(detected, resolved);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_drift_is_recorded_once_and_keeps_its_first_time);
	return whole_tests("agent_history", &s, next_event);
}
