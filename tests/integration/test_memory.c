/*
 * Tests without memory: every allocation of a verb fails, alone or with all after it. The verb does
 * not crash or leak, exits with a documented code, and its report is true.
 */
#include <libmnl/libmnl.h>
#include <rdma/rdma_netlink.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "policy/document/policy.h"
#include "tests/support/scarce.h"
#include "tests/support/unit.h"
#include "whole.h"
#include "port_state.h"

/* glibc leaks a name that it had no memory to store. Other leaks have an exit code of their own. */
const char *__lsan_default_suppressions(void);
const char *__asan_default_options(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:_nl_normalize_codeset\n";
}

const char *__asan_default_options(void)
{
	return "exitcode=99";
}

#define WANT \
	"{\"mtu\": 9000, \"pause\": {\"rx\": false, \"tx\": false}, \"pfc\": {\"priorities\": " \
	"[3]}," \
	" \"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}"

static const char policy[] =
	"{\"version\": 1, \"profiles\": {\"p\": " WANT "}, \"rules\": [{\"match\": {\"name\": "
	"\"ens*\"}, \"profile\": \"p\", \"set\": {\"mtu\": 9000}}]}";

/* Three rounds are enough for an agent. */
static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	whole->fake.now += wait_ms;
	*ret = (struct event){ .kind = EVENT_NONE };
	if (wait_ms && ++whole->rounds >= 3)
		whole_let_signal_in(SIGTERM);
	else if (wait_ms)
		*ret = (struct event){ .kind = EVENT_DCB, .ifindex = whole->fake.port.ifindex };
	return true;
}

static bool (*talk_without_rdma)(struct host *h, enum bus bus, struct nlmsghdr *request,
				 reply_fn *each, void *arg, struct err *err);

/* Answers with an RDMA device of the port, without details. */
static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	char buf[256] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	int command = request->nlmsg_type & 0x3ff;

	if (bus != BUS_RDMA ||
	    (command != RDMA_NLDEV_CMD_GET && command != RDMA_NLDEV_CMD_PORT_GET))
		return talk_without_rdma(h, bus, request, each, arg, err);
	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
	mnl_attr_put_u32(n, RDMA_NLDEV_ATTR_NDEV_INDEX, whole->fake.port.ifindex);
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0");
	mnl_attr_put_strz(n, RDMA_NLDEV_ATTR_DEV_PROTOCOL, "roce");
	return each(n, arg) >= 0;
}

/* One verb, and the port before it: at its defaults or in sync. */
struct sight {
	const char *sentence;
	char *words[8];
	int code;  /* a clean run's */
	bool done; /* the port is in sync already */
	bool has_rdma;
};

struct shortage {
	unsigned n;
	bool for_good;
};

static void shortage_begins(void *arg)
{
	const struct shortage *s = arg;

	scarce_begin(s->n, s->for_good);
}

static void shortage_ended(void *arg)
{
	(void)arg;
	whole->counted = scarce_end();
}

/* Blanks the time of a document, because two runs are compared. */
static void forget_time(char *document)
{
	static const char key[] = "\"observed_at\":\"";
	char *at = strstr(document, key);

	if (at)
		memset(at + sizeof(key) - 1, '0', sizeof("2026-05-01T12:00:03Z") - 1);
}

static void run(const struct sight *g, unsigned n, bool for_good, struct end *ret)
{
	struct shortage shortage = { n, for_good };
	struct call call = { .input = policy,
			     .begins = shortage_begins,
			     .ended = shortage_ended,
			     .arg = &shortage };

	memcpy(call.words, g->words, sizeof(call.words));
	whole_run(&call, ret);
	forget_time(ret->out);
}

/* The verdict stands, but its report could not be printed, which is reported. */
static bool is_lost(const struct end *e)
{
	return !e->out[0] && strstr(e->err, "standard output: Cannot allocate memory");
}

/* The ports could not be read again after the apply, which is reported. */
static bool lacks_the_hash(const struct end *e)
{
	return strstr(e->out, "\"state_hash\":null") && strstr(e->err, "state_hash is null: ");
}

/* True if the agent's last status reports drift. Removes the status. */
static bool reports_drift(void)
{
	char status[SAYS_MAX];

	if (!whole_document("run/losslessctl/status.json", status))
		return false;
	unlinkat(whole->fake.host.root, "run/losslessctl/status.json", 0);
	return !strstr(status, "\"verdict\": \"in_sync\"") && strstr(status, "\"drift\"");
}

/* An applied port whose journal could not be completed must be reported as such. */
static const char *false_apply(const struct end *e, const struct hardware *before)
{
	struct config desired = parsed(WANT);

	if (hardware_has(&whole->fake.hw, &desired))
		return e->code == 0 || strstr(e->err, "in the journal") ? NULL : "failed, but done";
	if (e->code == 0)
		return "called applied, and it is not";
	return hardware_is(&whole->fake.hw, before) ? NULL : "it failed half way";
}

/* A run with the exit code of a clean one reports the same; any other reports its error. */
static const char *false_end(const struct sight *g, const struct end *clean, const struct end *e,
			     const struct hardware *before)
{
	bool says_all = strcmp(e->out, clean->out) == 0 || is_lost(e) || lacks_the_hash(e);

	if (strcmp(g->words[0], "agent") == 0 && reports_drift())
		return "drift that is not there";
	if (e->code == clean->code)
		return says_all ? NULL : "it says less, and calls it all";
	if (e->code == -1)
		return "it crashed";
	if (e->code == 4 && strstr(e->err, "out of memory\n  not rolled back: "))
		return NULL; /* the rollback lacks memory, which is reported */
	if (e->code != 1 && e->code != 3)
		return "a code that cannot be";
	if (!strstr(e->err, "emory") && !strstr(e->out, "emory"))
		return "it does not say what failed";
	return strcmp(g->words[0], "apply") == 0 ? false_apply(e, before) : NULL;
}

/* Removes the journal of an earlier verb. */
static void forget_files(void)
{
	for (size_t i = 0; i < FAKE_FILES; i++)
		if (strstr(whole->fake.files[i].path, "losslessctl"))
			whole->fake.files[i].path[0] = '\0';
}

/* Lets one allocation after another fail; the short tier skips some. */
static unsigned sweep(const struct sight *g, const struct end *clean, unsigned count, bool for_good)
{
	static struct end end;
	const struct fake first = whole->fake;
	unsigned step = (unsigned)times(1 + count / 16, 1), runs = 0;

	for (unsigned n = 1; n <= count; n += step, runs++) {
		const char *lie;

		run(g, n, for_good, &end);
		lie = false_end(g, clean, &end, &first.hw);
		if (lie)
			fail_msg("allocation %u%s: %s: code %d: %s", n,
				 for_good ? " and all after it" : "", lie, end.code,
				 end.err[0] ? end.err : end.out);
		whole->fake = first;
	}
	return runs;
}

static void any_allocation_may_fail(void **state)
{
	const struct sight *g = *state;
	struct config desired = parsed(WANT);
	static struct end clean;
	struct fake first;
	struct result r;
	unsigned count, runs;

	forget_files();
	if (g->done)
		go(&whole->fake, &desired, &r);
	talk_without_rdma = whole->fake.host.talk;
	if (g->has_rdma)
		whole->fake.host.talk = talk;
	first = whole->fake;
	run(g, 0, false, &clean);
	if (clean.code != g->code)
		fail_msg("code %d: %s%s", clean.code, clean.out, clean.err);
	whole->fake = first;
	count = whole->counted;
	runs = sweep(g, &clean, count, false) + sweep(g, &clean, count, true);
	whole->fake.host.talk = talk_without_rdma;
	print_message("# %u allocations, %u runs\n", count, runs);
}

static const struct sight sights[] = {
	{ "no allocation of check harms", { "check", "-" }, .code = 0 },
	{ "no allocation of show harms", { "show", "--json" }, .code = 0 },
	{ "no allocation of plan harms", { "plan", "--json", "-" }, .code = 2 },
	{ "no allocation of apply harms",
	  { "apply", "--json", "--allow-other-netns", "-" },
	  .code = 0 },
	{ "no allocation of verify harms", { "verify", "--json", "-" }, .done = true },
	{ "no allocation of ready harms", { "ready", "--json", "--all", "-" }, .code = 3 },
	{ "no allocation of env harms", { "env", "-" }, .code = 3, .has_rdma = true },
	{ "no allocation of doctor harms", { "doctor", "--json", "-" }, .code = 3, .done = true },
	{ "no allocation of the agent harms",
	  { "agent", "--allow-other-netns", "-" },
	  .done = true },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, sights, any_allocation_may_fail);
	return whole_tests("memory", &s, next_event);
}
