/*
 * Tests that a host and its document give the same results, for random ports, and that each port is
 * in sync with its draft. The seed determines the case.
 */
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/host/cleanup.h"
#include "policy/document/settings_json.h"
#include "policy/model/dscp_map.h"
#include "tests/support/draw.h"
#include "tests/support/unit.h"
#include "whole.h"
#include "port_state.h"

#define FEW  8
#define MANY 500

static struct end here, there; /* too large for a stack */
static char state[PATH_MAX], shown[SAYS_MAX];

static const char *const vlans[] = { NULL };

static struct config drawn(uint64_t seed)
{
	struct draw d = { .vlans = vlans };

	assert_true(draw_setup(&d, seed));
	return d.c;
}

/* Starts with the port as another policy left it. */
static void begin(uint64_t seed)
{
	struct config c = drawn(seed);

	whole->fake.has_rdma_cm = true;
	whole->fake.hw = whole->fake.previous = hardware_of(&c);
}

/* A policy with the setup that `seed` draws; the caller frees it. */
static char *policy_of(uint64_t seed)
{
	struct config c = drawn(seed), spelled = dscp_compact(&c, REST_KEEP);
	json_auto_t *doc =
		json_pack("{s:i, s:s, s:{s:o}, s:[{s:{s:s}, s:s}]}", "version", 1, "name", "drawn",
			  "profiles", "p", config_to_json(&spelled, EVERY_SETTING), "rules",
			  "match", "name", "ens*", "profile", "p");

	return json_dumps(doc, JSON_COMPACT);
}

static void run(struct end *end, const char *input, const char *verb, const char *a, const char *b,
		bool from_document)
{
	struct call call = { .input = input ? input : "" };
	size_t n = 0;

	call.words[n++] = (char *)verb;
	if (a)
		call.words[n++] = (char *)a;
	if (b)
		call.words[n++] = (char *)b;
	if (from_document) {
		call.words[n++] = (char *)"--state";
		call.words[n++] = state;
	}
	whole_run(&call, end);
}

/* Writes a document where --state finds it. */
static void capture(const char *text)
{
	FILE *f;

	snprintf(state, sizeof(state), "%s/run/state.json", whole_root);
	f = fopen(state, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void capture_show(void)
{
	run(&here, NULL, "show", "--json", NULL, false);
	assert_int_equal(here.code, 0);
	memcpy(shown, here.out, sizeof(shown));
	capture(shown);
}

/* A report has the time at which the host was read. */
static void forget_time(char *text)
{
	static const char key[] = "\"observed_at\":\"";
	char *at = strstr(text, key);

	if (at)
		memset(at + sizeof(key) - 1, '0', sizeof("2026-11-23T11:13:14Z") - 1);
}

static void assert_alike(uint64_t seed, const char *what)
{
	forget_time(here.out);
	forget_time(there.out);
	if (here.code != there.code || strcmp(here.out, there.out) != 0)
		fail_msg("seed %" PRIu64 ": %s differs: exit %d and %d:\n%s%s\n%s%s", seed, what,
			 here.code, there.code, here.out, here.err, there.out, there.err);
}

static void alike(uint64_t seed, const char *input, const char *verb, const char *a, const char *b)
{
	run(&here, input, verb, a, b, false);
	run(&there, input, verb, a, b, true);
	assert_alike(seed, verb);
}

static void every_verb_says_the_same_of_a_document(void **s)
{
	(void)s;
	for (uint64_t seed = 1; seed <= (uint64_t)times(FEW, MANY); seed++) {
		_free_ char *policy = policy_of(seed + 1000000);

		begin(seed);
		capture_show();
		run(&there, NULL, "show", "--json", NULL, true);
		if (strcmp(there.out, shown) != 0)
			fail_msg("seed %" PRIu64 ": show differs:\n%s\n%s", seed, shown, there.out);
		alike(seed, NULL, "show", "-v", NULL);
		alike(seed, NULL, "show", NULL, NULL);
		alike(seed, policy, "verify", "-", "--json");
		alike(seed, policy, "plan", "-", "--json");
		alike(seed, policy, "env", "-", "--json");
	}
}

static void a_draft_is_in_sync(void **s)
{
	(void)s;
	for (uint64_t seed = 1; seed <= (uint64_t)times(FEW, MANY); seed++) {
		char draft[SAYS_MAX];

		begin(seed);
		run(&here, NULL, "draft", "--json", NULL, false);
		if (here.code != 0)
			fail_msg("seed %" PRIu64 ": no draft: %s", seed, here.err);
		memcpy(draft, here.out, sizeof(draft));
		run(&here, draft, "check", "-", NULL, false);
		if (here.code != 0)
			fail_msg("seed %" PRIu64 ": %s%s", seed, here.out, draft);
		run(&here, draft, "verify", "-", NULL, false);
		if (here.code != 0)
			fail_msg("seed %" PRIu64 ": %s%s", seed, here.out, draft);
	}
}

/* Bundles of hosts, some by an earlier version (tests/hosts). */
static void a_recorded_host_is_in_sync_with_its_draft(void **s)
{
	DIR *hosts = opendir(HOSTS);
	unsigned count = 0;

	(void)s;
	assert_non_null(hosts);
	for (struct dirent *one; (one = readdir(hosts));) {
		char draft[SAYS_MAX];

		snprintf(state, sizeof(state), HOSTS "/%.64s/bundle.json", one->d_name);
		if (one->d_name[0] == '.' || access(state, R_OK) != 0)
			continue;
		count++;
		run(&there, NULL, "draft", "--json", NULL, true);
		memcpy(draft, there.out, sizeof(draft));
		run(&there, draft, "verify", "-", NULL, true);
		if (there.code != 0)
			fail_msg("%s: %s%s%s", one->d_name, there.out, there.err, draft);
		run(&there, draft, "plan", "-", NULL, true);
		if (there.code != 0)
			fail_msg("%s: %s%s%s", one->d_name, there.out, there.err, draft);
	}
	closedir(hosts);
	assert_true(count >= 8);
}

/* Both members of a bond have one RDMA device, of which the kernel reports the ToS on one of them.
 */
static void a_roce_lag_has_one_environment(void **s)
{
	(void)s;
	snprintf(state, sizeof(state), HOSTS "/connectx-5-lag/bundle.json");
	run(&there, NULL, "env", HOSTS "/../../packaging/policies/nvidia-lossless.json", NULL,
	    true);
	if (there.code != 0 || !strstr(there.out, "NCCL_IB_TC=106\n"))
		fail_msg("%d: %s%s", there.code, there.out, there.err);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, every_verb_says_the_same_of_a_document);
	SUITE_ADD(&s, a_draft_is_in_sync);
	SUITE_ADD(&s, a_recorded_host_is_in_sync_with_its_draft);
	SUITE_ADD(&s, a_roce_lag_has_one_environment);
	return whole_tests("captured", &s, NULL);
}
