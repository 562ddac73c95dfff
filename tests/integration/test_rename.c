/*
 * Tests of ports that are renamed: the engine knows them by ifindex, but most of the kernel takes
 * names. Two ports swap names before each outside call of an apply in turn. Ours ends in sync or
 * unchanged, and a change of the other one is always reported.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/write/run.h"
#include "port_state.h"

#define OTHER	    "ens1f1np1"
#define OTHER_INDEX 3

/* The fake's port and another one; at a call they swap names or get new ones. */
struct world {
	struct fake f;	      /* first; f.hw is the state of the addressed port */
	struct hardware away; /* the state of the other one */
	struct fake inner;    /* the fake's own calls, behind ours */
	unsigned at;	      /* the call before which the names change; 0: never */
	bool swaps;	      /* the other port gets our name; false: no port has it */
};

static struct world *world_of(struct host *h)
{
	return (struct world *)h;
}

static bool moved(const struct world *w)
{
	return w->at && w->f.calls + 1 >= w->at;
}

static const char *our_name(const struct world *w)
{
	return moved(w) ? OTHER : w->f.port.id.name;
}

static const char *other_name(const struct world *w)
{
	if (!moved(w))
		return OTHER;
	return w->swaps ? w->f.port.id.name : "eth7";
}

/* The addressed port's state is in w->f.hw until leave(). */
static bool enter(struct world *w, const char *name, bool *ret_other, struct err *err)
{
	struct hardware ours = w->f.hw;

	*ret_other = strcmp(name, other_name(w)) == 0;
	if (!*ret_other && strcmp(name, our_name(w)) != 0) {
		fake_fails(&w->f, false);
		return err_set(err, ERR_GONE, ENODEV, "%s", strerror(ENODEV));
	}
	if (*ret_other) {
		w->f.hw = w->away;
		w->away = ours;
	}
	return true;
}

static bool leave(struct world *w, bool other, bool ok)
{
	struct hardware theirs = w->f.hw;

	if (other) {
		w->f.hw = w->away;
		w->away = theirs;
	}
	return ok;
}

static int note_name(const struct nlattr *a, void *arg)
{
	if (mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0 && mnl_attr_get_payload_len(a) > 1)
		*(const char **)arg = mnl_attr_get_str(a);
	return MNL_CB_STOP;
}

static int note_header(const struct nlattr *a, void *arg)
{
	mnl_attr_parse_nested(a, note_name, arg);
	return MNL_CB_STOP;
}

/* Both kinds of requests begin with the port's name. */
static const char *name_in(enum bus bus, const struct nlmsghdr *request)
{
	const char *name = "";

	if (bus == BUS_ROUTE)
		mnl_attr_parse(request, sizeof(struct dcbmsg), note_name, &name);
	else
		mnl_attr_parse(request, sizeof(struct genlmsghdr), note_header, &name);
	return name;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	struct world *w = world_of(h);
	bool other;

	if (bus != BUS_ROUTE && bus != BUS_ETHTOOL)
		return w->inner.host.talk(h, bus, request, each, arg, err);
	return enter(w, name_in(bus, request), &other, err) &&
	       leave(w, other, w->inner.host.talk(h, bus, request, each, arg, err));
}

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct world *w = world_of(h);
	bool other;

	return enter(w, port, &other, err) &&
	       leave(w, other, w->inner.host.ethtool(h, port, command, err));
}

static bool look(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct world *w = world_of(h);
	const char *name = ifindex == OTHER_INDEX ? other_name(w) : our_name(w);

	if (!w->inner.host.link(h, ifindex, ret, err))
		return false;
	snprintf(ret->name, sizeof(ret->name), "%.15s", name);
	return true;
}

static bool look_around(struct host *h, struct link_list *ret, struct err *err)
{
	struct world *w = world_of(h);

	(void)err;
	ret->links = calloc(3, sizeof(*ret->links));
	assert_non_null(ret->links);
	ret->count = 3;
	ret->links[2] = fake_vlan(&w->f, w->f.port.ifindex);
	ret->links[0].ifindex = w->f.port.ifindex;
	ret->links[1].ifindex = OTHER_INDEX;
	snprintf(ret->links[0].name, sizeof(ret->links[0].name), "%.15s", our_name(w));
	snprintf(ret->links[1].name, sizeof(ret->links[1].name), "%.15s", other_name(w));
	return true;
}

static struct world begin(bool swaps)
{
	struct world w = { .swaps = swaps };

	fake_init(&w.f);
	w.f.has_rdma_cm = true;
	w.inner = w.f;
	w.away = w.f.hw;
	w.f.host.talk = talk;
	w.f.host.ethtool = ethtool;
	w.f.host.link = look;
	w.f.host.links = look_around;
	return w;
}

struct verify_totals {
	unsigned applied, untouched, back, not_rolled_back;
};

static void judge(const struct world *w, const struct world *before, const struct config *desired,
		  const struct result *r, struct verify_totals *t)
{
	bool in_sync = hardware_has(&w->f.hw, desired),
	     as_was = hardware_is(&w->f.hw, &before->f.hw);
	bool other_as_was = hardware_is(&w->away, &before->away);

	t->applied += r->outcome <= OUTCOME_APPLIED;
	t->untouched += r->outcome == OUTCOME_NOT_ATTEMPTED;
	t->back += r->outcome == OUTCOME_FAILED;
	t->not_rolled_back += r->outcome == OUTCOME_ROLLBACK_FAILED;
	if (r->outcome <= OUTCOME_APPLIED ? !in_sync : !as_was)
		fail_msg("call %u: %s, and it is not (%s)", w->at, outcome_name(r->outcome),
			 r->err.text);
	if (!other_as_was && r->outcome != OUTCOME_ROLLBACK_FAILED)
		fail_msg("call %u: %s, and the other port has changed", w->at,
			 outcome_name(r->outcome));
	if (r->outcome == OUTCOME_ROLLBACK_FAILED && strcmp(r->misdirected, w->f.port.id.name) != 0)
		fail_msg("call %u: the other port is not named: %s", w->at, r->err.fix);
}

static struct verify_totals sweep(struct world first)
{
	struct config desired = parsed(lossless);
	struct verify_totals t = { 0 };

	for (unsigned n = 1;; n++) {
		struct world w = first; /* plain data */
		struct result r;

		w.at = n;
		go(&w.f, &desired, &r);
		if (w.f.calls < n)
			return t;
		judge(&w, &first, &desired, &r, &t);
	}
}

static void two_ports_may_swap_names_at_any_call(void **s)
{
	struct verify_totals t = sweep(begin(true));

	(void)s;
	print_message("# %u applied, %u untouched, %u put back, %u said to be elsewhere\n",
		      t.applied, t.untouched, t.back, t.not_rolled_back);
	assert_true(t.untouched > 20 && t.back > 20 && t.not_rolled_back > 10);
}

static void a_name_that_nobody_takes_strands_nothing(void **s)
{
	struct verify_totals t = sweep(begin(false));

	(void)s;
	print_message("# %u applied, %u untouched, %u put back\n", t.applied, t.untouched, t.back);
	assert_true(t.untouched > 20 && t.back > 20);
	assert_int_equal(t.not_rolled_back, 0);
}

/* Runs both ports with the fake's journal; *ret has the results of ours and of the other one. */
static void run_both(struct world *w, struct config *wants, struct result *ret)
{
	struct task same = { .port = w->f.port, .result = { .outcome = OUTCOME_NOT_ATTEMPTED } };
	struct task t[2] = { same, same };
	struct task *tasks[] = { &t[0], &t[1] };
	struct run r = { .h = &w->f.host, .all = fake_features, .lock = -1 };
	struct observation seen;
	struct err err = { 0 };
	bool ok = true;

	t[1].port.ifindex = OTHER_INDEX;
	snprintf(t[1].port.id.name, sizeof(t[1].port.id.name), OTHER);
	snprintf(t[1].port.id.pci, sizeof(t[1].port.id.pci), "0000:01:00.1");
	for (size_t i = 0; ok && i < 2; i++) {
		ok = observe(&w->f.host, fake_features, &t[i].port, &seen, &err);
		t[i].desired = wants[i];
		run_plan(&r, &t[i], &seen);
	}
	if (ok && run_tasks(&r, tasks, 2, "test", "2026-01-01T00:00:00Z", &err))
		assert_true(t[1].result.outcome <= OUTCOME_APPLIED);
	run_close(&r);
	ret[0] = t[0].result;
	ret[1] = t[1].result;
}

/* Asserts that the reported outcome of a port is true for its whole state. */
static void reported_truly(const struct world *w, const char *whose, const struct result *r,
			   const struct hardware *is, const struct hardware *was,
			   const struct hardware *in_sync)
{
	if (!hardware_is(is, r->outcome <= OUTCOME_APPLIED ? in_sync : was))
		fail_msg("call %u: %s is called %s, and it is not", w->at, whose,
			 outcome_name(r->outcome));
}

/* A write for the other port reaches ours, whose policy does not have that setting. */
static void two_ports_of_a_run_that_swap_names_both_end_as_reported(void **s)
{
	struct config wants[] = { parsed("{\"pause\": {\"rx\": false, \"tx\": false}}"),
				  parsed("{\"pfc\": {\"priorities\": [3], \"cable_m\": 30}}") };
	struct world first = begin(true), done = first; /* plain data */
	unsigned fetched_back = 0, n = 0;
	struct result r[2];

	(void)s;
	run_both(&done, wants, r);
	assert_true(r[0].outcome == OUTCOME_APPLIED && r[1].outcome == OUTCOME_APPLIED);
	assert_int_not_equal(done.f.hw.cable_m, done.away.cable_m);
	while (++n <= done.f.calls) {
		struct world w = first;

		w.at = n;
		run_both(&w, wants, r);
		fetched_back += r[0].outcome == OUTCOME_FAILED && r[0].err.code == ESTALE;
		reported_truly(&w, "ours", &r[0], &w.f.hw, &first.f.hw, &done.f.hw);
		reported_truly(&w, "the other one", &r[1], &w.away, &first.away, &done.away);
	}
	print_message("# %u calls, fetched back at %u\n", n - 1, fetched_back);
	assert_true(fetched_back > 3);
}

static void what_is_read_is_never_another_ports(void **s)
{
	struct world first = begin(true);
	unsigned n;

	(void)s;
	for (n = 1;; n++) {
		struct world w = first; /* plain data */
		struct observation seen;
		struct err err = { 0 };

		w.at = n;
		if (observe(&w.f.host, fake_features, &w.f.port, &seen, &err)) {
			assert_true(w.f.calls < n);
			break;
		}
		assert_int_equal(err.kind, ERR_GONE);
	}
	assert_true(n > 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_ports_may_swap_names_at_any_call),
		cmocka_unit_test(a_name_that_nobody_takes_strands_nothing),
		cmocka_unit_test(two_ports_of_a_run_that_swap_names_both_end_as_reported),
		cmocka_unit_test(what_is_read_is_never_another_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
