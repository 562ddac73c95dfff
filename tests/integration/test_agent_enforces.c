/*
 * Tests of an agent in mode enforce on a fake kernel whose calls fail: the port ends in sync, or
 * the log reports why not.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dcbnl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/engine/journal/journal.h"
#include "agent/engine/journal/pending_confirm.h"
#include "tests/support/unit.h"
#include "whole.h"
#include "port_state.h"

#define DRIFT_ROUND 2
#define LAST_ROUND  30
#define EACH_ROUND  (LAST_ROUND + 1)
#define HASTE	    60 /* a round takes a minute: the agent delays the retry of a failed repair */

#define WANT \
	"{\"mtu\": 9000, \"pause\": {\"rx\": false, \"tx\": false}, \"pfc\": {\"priorities\": " \
	"[3]}, \"ets\": {\"prio_tc\": [0,0,0,3,0,0,6,0]}, " \
	"\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}"
#define POLICY(more) \
	"{\"version\": 1, \"mode\": \"enforce\", \"refresh_headroom\": true, " more \
	"\"profiles\": {\"p\": " WANT "}, \"rules\": [{\"match\": {\"name\": \"ens*\"}, " \
	"\"profile\": \"p\"}]}"
#define MAY_FLAP "\"enforce\": {\"allow_link_flap\": true}, "
#define PENDING	 "/var/lib/losslessctl/journal/pending.json"

static struct config desired;

/* The event of a round of the agent. */
struct round {
	unsigned number;
	void (*happens)(struct fake *f);
	enum event_kind event;
};

static const struct round *rounds; /* the last one has number 0 */

static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	struct fake *f = &whole->fake;

	(void)h;
	(void)err;
	*ret = (struct event){ .kind = EVENT_NONE, .ifindex = f->port.ifindex };
	if (!wait_ms)
		return true;
	f->now += wait_ms * HASTE;
	if (!whole->counted && whole->rounds >= DRIFT_ROUND && hardware_has(&f->hw, &desired))
		whole->counted = f->calls;
	whole->rounds++;
	for (const struct round *r = rounds; r->number; r++)
		if (r->number == whole->rounds || r->number == EACH_ROUND) {
			r->happens(f);
			ret->kind = r->event;
		}
	if (whole->rounds == LAST_ROUND)
		whole_let_signal_in(SIGTERM);
	return true;
}

/* Runs the agent on a port that is in sync. */
static void run_agent(const char *policy, const struct round *what, struct end *ret)
{
	struct call call = { .words = { "agent", "--allow-other-netns", "-" }, .input = policy };

	whole->counted = 0;
	rounds = what;
	whole_run(&call, ret);
}

static int set_up(void **s)
{
	struct result r;

	(void)s;
	desired = parsed(WANT);
	return go(&whole->fake, &desired, &r) ? 0 : -1;
}

/* The end of a log: a message has room for only some lines. */
static const char *end_of(const char *log)
{
	size_t n = strlen(log);

	return n > 700 ? log + n - 700 : log;
}

/* ---- any call may fail ---- */

/* The call that fails, counted from the drift or from the start. */
static struct {
	unsigned call;
	bool at_start;
} fault;

static void drift(struct fake *f)
{
	f->hw.pfc = 1 << 5;
	f->hw.mtu = 1500;
	f->hw.prio_tc[3] = 2;
	if (fault.at_start)
		whole->counted = f->calls;
	f->fail_at = fault.at_start ? 0 : fault.call;
	f->calls = f->writes = 0;
}

static const struct round drifts[] = { { DRIFT_ROUND, drift, EVENT_DCB }, { 0 } };

static const char *false_end(const struct end *e, const struct hardware *before)
{
	if (e->code && fault.at_start)
		return !e->err[0]			      ? "it does not say why it ended"
		       : hardware_is(&whole->fake.hw, before) ? NULL
							      : "it ended, and changed the port";
	if (e->code)
		return "it ended";
	if (!hardware_has(&whole->fake.hw, &desired))
		return "the drift stays";
	if (strstr(e->err, "completing the journal after the last change"))
		return NULL;
	if (fake_file(&whole->fake, PENDING, false))
		return "it left a run that did not end";
	return strstr(e->err, "drift-repaired") ? NULL : "no word of the repair";
}

/* Sweeps with a fault at the n-th call, for every n; the short tier skips some. */
static const struct sweep {
	const char *sentence;
	enum fault fault;
	bool at_start;
	unsigned step;
} sweeps[] = {
	{ "any call of a start may be refused", FAULT_REFUSED, true, 11 },
	{ "any call of a repair may be refused", FAULT_REFUSED, false, 5 },
	{ "any call of a repair may be refused and done", FAULT_LOST, false, 23 },
	{ "any call of a repair may be done in vain", FAULT_DEAF, false, 23 },
	{ "any call of a repair may be half done", FAULT_LATE, false, 23 },
	{ "any value of a repair may come out coarser", FAULT_ROUNDED, false, 31 },
	{ "any look at a repair may be an old one", FAULT_STALE, false, 31 },
};

/* Runs the agent with a fault at the n-th call (0: none). NULL: all that it reports is true. */
static const char *run_with_fault(const struct sweep *s, unsigned n, int code, struct end *ret)
{
	const struct fake first = whole->fake;
	const char *lie;

	fault.call = n;
	fault.at_start = s->at_start;
	whole->fake.fault = s->fault;
	whole->fake.code = code;
	whole->fake.fail_at = s->at_start ? n : 0;
	run_agent(POLICY(MAY_FLAP), drifts, ret);
	lie = false_end(ret, &first.hw);
	whole->fake = first;
	return lie;
}

static void any_call_may_fail(void **state)
{
	static const int codes[] = { EIO, EOPNOTSUPP, ENODEV, EBUSY };
	static struct end end;
	const struct sweep *s = *state;
	unsigned count, step = (unsigned)times(s->step, 1);

	assert_null(run_with_fault(s, 0, 0, &end));
	count = whole->counted;
	assert_true(count > 100);
	for (unsigned n = 1; n <= count; n += step) {
		int code = codes[n / step % COUNT(codes)];
		const char *lie = run_with_fault(s, n, code, &end);

		if (lie)
			fail_msg("call %u, %s: %s: %s", n, strerror(code), lie, end_of(end.err));
	}
}

/* ---- other events ---- */

static void break_writes(struct fake *f)
{
	drift(f);
	f->only_writes = true;
	f->fault = FAULT_LATE;
	f->fail_from = 5; /* the journal and its copy are written, then settings fail */
	f->code = EIO;
}

/* Each failure of the repair of PFC delays the next one. */
static void lose_pfc_and_break(struct fake *f)
{
	f->hw.pfc = 0;
	f->only_writes = true;
	f->fail_from = f->writes + 1;
	f->code = EIO;
}

static void drift_of_marking(struct fake *f)
{
	f->fail_from = 0;
	f->hw.entry[26] = 0;
	f->hw.dscp2prio[26] = 0;
}

static void drift_of_marking_and_ignored_pfc(struct fake *f)
{
	drift_of_marking(f);
	f->no_setter = 1u << DCB_ATTR_IEEE_PFC;
}

static int lock_fd = -1;

static void hold_lock(struct fake *f)
{
	drift(f);
	lock_fd = openat(f->host.root, "run/losslessctl/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	flock(lock_fd, LOCK_EX);
}

static void let_lock_go(struct fake *f)
{
	(void)f;
	close(lock_fd);
}

static void lose_link(struct fake *f)
{
	f->carrier_changes++;
	f->back_at = f->now + 90000;
}

static void lose_link_and_break(struct fake *f)
{
	lose_link(f);
	f->only_writes = true;
	f->fail_from = f->writes + 1;
	f->code = EIO;
}

static void lose_link_and_hold_lock(struct fake *f)
{
	hold_lock(f);
	f->hw = hardware_of(&desired);
	lose_link(f);
}

static void link_is_heard(struct fake *f)
{
	(void)f;
}

static void lose_mtu_for_good(struct fake *f)
{
	f->hw.mtu = 1500;
	f->refuses_mtu = true;
}

static void lose_pfc(struct fake *f)
{
	f->hw.pfc = 0;
}

static void rewrite_pfc(struct fake *f)
{
	f->hw.pfc = f->hw.pfc == 1 << 5 ? 0 : 1 << 5;
}

/* The agent may flap links again, and the next repair of PFC alone is some minutes away. */
#define AFTER_FLAP_PAUSE (DRIFT_ROUND + 12)

/* The agent also writes PFC again at its start, once. */
#define WROTE_AGAIN "the agent wrote PFC again, unchanged"

static const struct happening {
	const char *sentence, *policy;
	struct round rounds[4];
	bool repaired;
	const char *says[2], *never; /* says both, in this order */
} happenings[] = {
	{ "a drift is repaired",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, drift, EVENT_DCB } },
	  true,
	  { "mtu is 9000 again: repaired and verified" },
	  "is not repaired" },
	{ "a link flaps only with leave to",
	  POLICY(""),
	  { { DRIFT_ROUND, drift, EVENT_DCB } },
	  false,
	  { "pfc.priorities is not repaired: the repair flaps the link, and the policy does not "
	    "set "
	    "\"enforce\": {\"allow_link_flap\": true}; the next try is in 1 min" },
	  "pfc.priorities is 3 again" },
	{ "a setting that is never repaired is contested, but not as one whose repairs are "
	  "reverted",
	  POLICY(""),
	  { { EACH_ROUND, rewrite_pfc, EVENT_DCB } },
	  false,
	  { "pfc.priorities is not repaired: the repair flaps the link",
	    "DCB interface); the next repair is delayed; last failure: the repair flaps the link" },
	  "reverted" },
	{ "PFC whose repair is delayed is repaired with the marking",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_pfc_and_break, EVENT_DCB },
	    { AFTER_FLAP_PAUSE, drift_of_marking, EVENT_DCB } },
	  true,
	  { "pfc.priorities is 3 again: repaired and verified",
	    "dscp.prio is 26:3, others 0 again: repaired and verified" },
	  "ROLLBACK FAILED" },
	{ "marking is repaired although PFC may not be",
	  POLICY(""),
	  { { DRIFT_ROUND, lose_pfc_and_break, EVENT_DCB },
	    { AFTER_FLAP_PAUSE, drift_of_marking, EVENT_DCB } },
	  false,
	  { "dscp.prio is 26:3, others 0 again: repaired and verified" },
	  "pfc.priorities is 3 again" },
	{ "marking is repaired although PFC cannot be",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_pfc_and_break, EVENT_DCB },
	    { AFTER_FLAP_PAUSE, drift_of_marking_and_ignored_pfc, EVENT_DCB } },
	  false,
	  { "dscp.prio is 26:3, others 0 again: repaired and verified" },
	  "pfc.priorities is 3 again" },
	{ "PFC is repaired although the MTU, which an apply writes before it, cannot be",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_mtu_for_good, EVENT_DCB },
	    { AFTER_FLAP_PAUSE, lose_pfc, EVENT_DCB } },
	  false,
	  { "pfc.priorities is 3 again: repaired and verified" },
	  "mtu is 9000 again" },
	{ "a rollback that fails is reported as such",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, break_writes, EVENT_DCB } },
	  false,
	  { "ROLLBACK FAILED, the port is partially configured" },
	  "repaired and verified" },
	{ "a repair waits for the end of another run",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, hold_lock, EVENT_DCB }, { DRIFT_ROUND + 9, let_lock_go, EVENT_NONE } },
	  true,
	  { "mtu is 9000 again: repaired and verified" },
	  "is not repaired" },
	{ "headroom follows a link that comes back",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_link, EVENT_LINK },
	    { DRIFT_ROUND + 3, link_is_heard, EVENT_LINK } },
	  true,
	  { WROTE_AGAIN, WROTE_AGAIN },
	  "cannot write PFC again" },
	{ "headroom that cannot follow is reported",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_link_and_break, EVENT_LINK },
	    { DRIFT_ROUND + 3, link_is_heard, EVENT_LINK } },
	  true,
	  { "cannot write PFC again to fit the headroom" },
	  "ROLLBACK FAILED" },
	{ "headroom follows after the end of another run",
	  POLICY(MAY_FLAP),
	  { { DRIFT_ROUND, lose_link_and_hold_lock, EVENT_LINK },
	    { DRIFT_ROUND + 3, link_is_heard, EVENT_LINK },
	    { DRIFT_ROUND + 9, let_lock_go, EVENT_NONE } },
	  true,
	  { WROTE_AGAIN, WROTE_AGAIN },
	  "cannot write PFC again" },
};

static void the_log_is_true(void **s)
{
	static struct end end;
	const struct happening *x = *s;
	const struct fake first = whole->fake;
	const char *says;
	bool repaired;

	fault.call = 0;
	fault.at_start = false;
	run_agent(x->policy, x->rounds, &end);
	repaired = hardware_has(&whole->fake.hw, &desired);
	whole->fake = first;
	says = strstr(end.err, x->says[0]);
	if (says && x->says[1])
		says = strstr(says + 1, x->says[1]);
	if (end.code || !says || strstr(end.err, x->never) || repaired != x->repaired)
		fail_msg("code %d, repaired %d: %s", end.code, repaired, end_of(end.err));
}

/* ---- systemd's watchdog ---- */

/* A policy by which no drift is repaired in this test. */
#define MTU_ALONE \
	"{\"version\": 1, \"mode\": \"enforce\", \"profiles\": {\"p\": {\"mtu\": 9000}}, " \
	"\"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}"

static int open_notify_socket(char ret_name[64])
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int n = snprintf(ret_name, 64, "@losslessctl-test-%d", (int)getpid());

	memcpy(&at.sun_path[1], &ret_name[1], (size_t)n - 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&at,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)n)),
			 0);
	return fd;
}

static unsigned count_pings(int fd)
{
	char text[128];
	unsigned count = 0;
	ssize_t n;

	while ((n = recv(fd, text, sizeof(text) - 1, 0)) > 0) {
		text[n] = '\0';
		count += strcmp(text, "WATCHDOG=1") == 0;
	}
	close(fd);
	return count;
}

static void leave_unconfirmed(const char *name, const char *pci, const char *settings)
{
	struct journal_entry port = { .back = parsed(settings) };
	struct journal j = { .run = { "test", "2026-01-01T00:00:00Z", "apply", "root",
				      .unconfirmed = true } };
	struct err err = { 0 };

	snprintf(port.name, sizeof(port.name), "%s", name);
	snprintf(port.pci, sizeof(port.pci), "%s", pci);
	port.back.exact = port.back.has;
	assert_true(journal_prepare(&whole->fake.host, &err));
	assert_true(journal_add(&j, &port, &err));
	assert_true(journal_save(&whole->fake.host, JOURNAL_PENDING, &j, &err));
	journal_free(&j);
}

/* The link may take a minute to return, and systemd has killed the agent by then. */
static void a_rollback_of_the_agent_keeps_it_alive(void **s)
{
	static const struct round none[] = { { 0 } };
	static struct end end;
	const struct fake first = whole->fake;
	char name[64];
	int fd = open_notify_socket(name);

	(void)s;
	leave_unconfirmed("ens1f0np0", "0000:01:00.0", "{\"pfc\": {\"priorities\": [5]}}");
	setenv("NOTIFY_SOCKET", name, 1);
	run_agent(MTU_ALONE, none, &end);
	unsetenv("NOTIFY_SOCKET");
	if (whole->fake.hw.pfc != 1 << 5 || !strstr(end.err, "it was rolled back"))
		fail_msg("it was not rolled back: %s", end_of(end.err));
	whole->fake = first;
	assert_true(count_pings(fd) > 0);
}

static void lower_mtu(struct fake *f)
{
	f->hw.mtu = 1500;
}

static size_t times_said(const char *log, const char *text)
{
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* Its port is gone: the rollback is said once, and why another port is not repaired. */
static void rollback_is_said_once(bool waits)
{
	static const struct round one[] = { { DRIFT_ROUND, lower_mtu, EVENT_LINK }, { 0 } };
	static const struct pending_confirm wait = { .there = true,
						     .started_at = "2026-01-01T00:00:00Z",
						     .expires_at = "2026-01-01T00:02:00Z",
						     .expires_ms = 1 };
	static struct end end;
	const struct fake first = whole->fake;
	struct err err = { 0 };

	leave_unconfirmed("gone", "0000:99:00.0", "{\"mtu\": 4200}");
	if (waits)
		assert_true(pending_confirm_save(&whole->fake.host, &wait, &err));
	run_agent(MTU_ALONE, one, &end);
	whole->fake = first;
	if (times_said(end.err, "critical apply-rollback-failed") != 1 ||
	    times_said(end.err, "mtu is not repaired: the apply of 2026-01-01T00:00:00Z was not "
				"confirmed, and is not rolled back: run") != 1)
		fail_msg("%s", end_of(end.err));
}

static void a_rollback_that_cannot_end_is_said_once(void **s)
{
	(void)s;
	rollback_is_said_once(false);
}

/* Its watchdog has ended, and left the file of the wait. */
static void so_it_is_beside_the_file_of_its_wait(void **s)
{
	(void)s;
	rollback_is_said_once(true);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, sweeps, any_call_may_fail);
	SUITE_ADD_ROWS(&s, happenings, the_log_is_true);
	SUITE_ADD(&s, a_rollback_of_the_agent_keeps_it_alive);
	SUITE_ADD(&s, a_rollback_that_cannot_end_is_said_once);
	SUITE_ADD(&s, so_it_is_beside_the_file_of_its_wait);
	s.tests[0].setup_func = set_up;
	return whole_tests("agent_enforces", &s, next_event);
}
