/* Tests of the time at which the agent loaded its policy, also after a restart. */
#include <errno.h>

#include "agent/daemon/agent.h"
#include "tests/support/unit.h"

#define THEIRS "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define OURS   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

struct world {
	struct host host;
	char loaded[128]; /* the agent's file; "": no file */
	uint64_t now;
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct world *w = (const struct world *)h;

	assert_non_null(strstr(path, "/run/losslessctl/agent-policy"));
	if (!*w->loaded)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
	snprintf(buf, size, "%s", w->loaded);
	return true;
}

static bool save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct world *w = (struct world *)h;

	(void)err;
	assert_non_null(strstr(path, "/run/losslessctl/agent-policy"));
	snprintf(w->loaded, sizeof(w->loaded), "%s", text);
	return true;
}

static uint64_t now_ms(struct host *h)
{
	return ((struct world *)h)->now;
}

static void an_agent_that_starts_again_goes_on_with_its_policy(void **s)
{
	struct world w = { .host = { .may_write = true,
				     .read_file = read_file,
				     .save_file = save_file,
				     .now_ms = now_ms },
			   .now = 1000 };
	struct policy *p = calloc(1, sizeof(*p));

	(void)s;
	snprintf(p->sha256, sizeof(p->sha256), "%s", OURS);
	assert_int_equal(loaded_policy_since(&w.host, p), 1000);
	w.now = 5000;
	assert_int_equal(loaded_policy_since(&w.host, p), 1000);
	assert_int_equal(loaded_policy_anew(&w.host, p), 5000);
	w.now = 6000;
	assert_int_equal(loaded_policy_since(&w.host, p), 5000);
	snprintf(p->sha256, sizeof(p->sha256), "%s", THEIRS);
	assert_int_equal(loaded_policy_since(&w.host, p), 6000);
	snprintf(w.loaded, sizeof(w.loaded), "torn");
	w.now = 7000;
	assert_int_equal(loaded_policy_since(&w.host, p), 7000);
	free(p);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, an_agent_that_starts_again_goes_on_with_its_policy);
	return suite_run(&s, "restart");
}
