/* Tests of observing a port: the settings that back ends read, and the reasons for the others. */
#include <errno.h>
#include <string.h>

#include "agent/engine/observe.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0" };

static bool has_its_name(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	(void)h;
	(void)ifindex;
	(void)err;
	*ret = (struct link){ .name = "ens1f0np0" };
	return true;
}

static bool has_mtu(struct host *h, const struct port *p, struct config *out, struct err *err)
{
	(void)h;
	(void)p;
	(void)err;
	out->mtu = 9000;
	out->has |= SETTING(SETTING_MTU);
	return true;
}

/* Report a class that does not exist: it must not be used as an index. */
static bool has_class_9(struct host *h, const struct port *p, struct config *out, struct err *err)
{
	(void)h;
	(void)p;
	(void)err;
	out->ets.prio_tc[3] = 9;
	out->has |= SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA);
	return true;
}

static bool has_zero_pause(struct host *h, const struct port *p, struct config *out,
			   struct err *err)
{
	(void)h;
	(void)p;
	(void)err;
	out->has |= SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX);
	return true;
}

#define FAILS(name, kind, code, text) \
	static bool name(struct host *h, const struct port *p, struct config *out, \
			 struct err *err) \
	{ \
		(void)h; \
		(void)p; \
		(void)out; \
		return err_set(err, kind, code, text); \
	}

FAILS(lacks, ERR_UNSUPPORTED, EOPNOTSUPP, "the driver does not report it")
FAILS(lacks_too, ERR_UNSUPPORTED, EOPNOTSUPP, "the other driver is not here")
FAILS(is_denied, ERR_DENIED, EACCES, "permission denied")
FAILS(misses, ERR_MISSING, ENOENT, "the folder is not made")
FAILS(breaks, ERR_UNKNOWN, EIO, "the driver refused")
FAILS(is_gone, ERR_GONE, ENODEV, "no such device")

static bool is_not_in_charge(struct host *h)
{
	(void)h;
	return false;
}

#define PAUSE (SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX))
#define ETS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

static const struct feature mtu = { "mtu", .owns = SETTING(SETTING_MTU), .read = has_mtu },
			    ets = { "ets", .owns = ETS, .read = has_class_9 },
			    no_mtu = { "no mtu", .owns = SETTING(SETTING_MTU), .read = lacks },
			    no_pause = { "no pause", .owns = PAUSE, .read = lacks },
			    other_pause = { "other pause", .owns = PAUSE, .read = lacks_too },
			    denied = { "denied", .owns = PAUSE, .read = is_denied },
			    missing = { "missing", .owns = PAUSE, .read = misses },
			    stand_in = { "stand-in", .owns = PAUSE, .in_charge = is_not_in_charge,
					 .read = lacks },
			    zero_pause = { "zero pause", .owns = PAUSE, .read = has_zero_pause },
			    broken = { "broken", .owns = SETTING(SETTING_PFC_PRIORITIES),
				       .read = breaks, .silent = PAUSE },
			    no_pfc = { "no pfc", .owns = SETTING(SETTING_PFC_PRIORITIES),
				       .read = lacks, .silent = PAUSE },
			    gone = { "gone", .owns = PAUSE, .read = is_gone };

static const struct row {
	const char *sentence;
	const struct feature *list[3];
	setting_set has, unsupported, missing, unknown;
	unsigned setting;
	const char *reason, *speaker; /* that setting's */
	const char *fix;	      /* that reason's; NULL: none */
} rows[] = {
	{ "what was read needs no reason",
	  { &mtu },
	  SETTING(SETTING_MTU),
	  0,
	  0,
	  0,
	  SETTING_MTU,
	  NULL,
	  "mtu",
	  NULL },
	{ "the first back end that reads owns the setting",
	  { &no_mtu, &mtu, &no_mtu },
	  SETTING(SETTING_MTU),
	  0,
	  0,
	  0,
	  SETTING_MTU,
	  NULL,
	  "mtu",
	  NULL },
	{ "of those that lack it the first says why",
	  { &no_pause, &other_pause },
	  0,
	  PAUSE,
	  0,
	  0,
	  SETTING_PAUSE_RX,
	  "the driver does not report it",
	  "no pause",
	  NULL },
	{ "a denied read counts more than a missing file",
	  { &no_pause, &denied },
	  0,
	  0,
	  0,
	  PAUSE,
	  SETTING_PAUSE_TX,
	  "permission denied",
	  "denied",
	  "run losslessctl as root; a locked-down kernel denies it to root as well" },
	{ "a missing setting can be created by the back end that owns it",
	  { &missing, &no_pause },
	  0,
	  0,
	  PAUSE,
	  0,
	  SETTING_PAUSE_RX,
	  "the folder is not made",
	  "missing",
	  NULL },
	{ "an index that cannot be was not read, and a gap is lacking",
	  { &ets },
	  SETTING(SETTING_ETS_TSA),
	  SETTING(SETTING_ETS_BANDWIDTH),
	  0,
	  SETTING(SETTING_ETS_PRIO_TC),
	  SETTING_ETS_PRIO_TC,
	  "the port reports a value that is out of range",
	  "ets",
	  NULL },
	{ "a part that is lacking says so",
	  { &ets },
	  SETTING(SETTING_ETS_TSA),
	  SETTING(SETTING_ETS_BANDWIDTH),
	  0,
	  SETTING(SETTING_ETS_PRIO_TC),
	  SETTING_ETS_BANDWIDTH,
	  "the port has no such parameter",
	  "ets",
	  NULL },
	{ "a back end that is not in charge gives no reason",
	  { &stand_in, &other_pause },
	  0,
	  PAUSE,
	  0,
	  0,
	  SETTING_PAUSE_RX,
	  "the other driver is not here",
	  "other pause",
	  NULL },
	{ "what the driver reads as 0 when a register fails is unknown with it",
	  { &zero_pause, &broken },
	  0,
	  0,
	  0,
	  PAUSE | SETTING(SETTING_PFC_PRIORITIES),
	  SETTING_PAUSE_RX,
	  "the driver refused",
	  "zero pause",
	  NULL },
	{ "and is known where that register is missing",
	  { &zero_pause, &no_pfc },
	  PAUSE,
	  SETTING(SETTING_PFC_PRIORITIES),
	  0,
	  0,
	  SETTING_PAUSE_RX,
	  NULL,
	  "zero pause",
	  NULL },
	{ "a setting without an owner has no reason",
	  { &mtu },
	  SETTING(SETTING_MTU),
	  0,
	  0,
	  0,
	  SETTING_TRUST,
	  NULL,
	  NULL,
	  NULL },
};

static struct features list_of(const struct feature *const list[3])
{
	size_t count = 0;

	while (count < 3 && list[count])
		count++;
	return (struct features){ list, count };
}

static void it_is_seen_so(void **s)
{
	const struct row *row = *s;
	struct features all = list_of(row->list);
	struct host h = { .root = -1, .link = has_its_name };
	struct observation o;
	struct err err = { 0 };
	const struct reason *r;
	const struct feature *f;

	assert_true(observe(&h, all, &port, &o, &err));
	assert_int_equal(o.actual.has, row->has);
	assert_int_equal(o.unsupported, row->unsupported);
	assert_int_equal(o.missing, row->missing);
	assert_int_equal(o.unknown, row->unknown);
	r = observation_reason(&o, row->setting);
	assert_string_equal(r ? r->text : "none", row->reason ? row->reason : "none");
	assert_string_equal(r ? r->fix : "", row->fix ? row->fix : "");
	f = observation_feature(&o, all, row->setting);
	assert_string_equal(f ? f->name : "none", row->speaker ? row->speaker : "none");
}

static void a_port_that_is_gone_is_not_seen(void **s)
{
	static const struct feature *const list[] = { &gone, &mtu };
	struct host h = { .root = -1, .link = has_its_name };
	struct observation o;
	struct err err = { 0 };

	(void)s;
	assert_false(observe(&h, (struct features){ list, 2 }, &port, &o, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_string_equal(err.where, "ens1f0np0: reading gone");
}

/* The interface is in another network namespace: its name in this one would be another port's. */
static void without_an_interface_the_rdma_device_alone_is_read(void **s)
{
	static const struct feature by_rdma = { .name = "by-rdma",
						.owns = SETTING(SETTING_MTU),
						.needs_no_interface = true,
						.read = has_mtu };
	static const struct feature by_name = { .name = "by-name",
						.owns = SETTING(SETTING_LINK_FEC),
						.read = is_gone };
	static const struct feature *const list[] = { &by_rdma, &by_name };
	const struct port pods = { .id.name = "mlx5_4", .no_interface = true };
	struct host h = { .root = -1 };
	struct observation o;
	struct err err = { 0 };

	(void)s;
	assert_true(observe(&h, (struct features){ list, 2 }, &pods, &o, &err));
	assert_true(o.actual.has == SETTING(SETTING_MTU));
	assert_true(o.unsupported == SETTING(SETTING_LINK_FEC));
	assert_string_equal(observation_reason(&o, SETTING_LINK_FEC)->text,
			    "its interface is in another network namespace");
}

/* Reads of a feature that is read only on request. */
static int slow_reads;

static bool read_slowly(struct host *h, const struct port *p, struct config *out, struct err *err)
{
	(void)h;
	(void)p;
	slow_reads++;
	if (slow_reads > 1)
		return err_set(err, ERR_UNKNOWN, 0, "it is broken");
	out->link.up = true;
	out->has |= SETTING(SETTING_LINK_UP);
	return true;
}

static bool reports(const struct config *desired, const struct config *actual, struct err *err)
{
	return desired->link.up == actual->link.up ||
	       err_set(err, ERR_UNSUPPORTED, 0, "the port has no such part");
}

static const struct feature slow = {
	.name = "slow",
	.owns = SETTING(SETTING_LINK_UP),
	.read = read_slowly,
	.on_request = true,
	.reports = reports,
};

static const struct request_row {
	const char *sentence;
	bool asks, up;
	int reads_before;
	setting_set has, unsupported, unknown;
	const char *reason;
} requests[] = {
	{ "a policy without the setting asks nothing", false, false, 0, 0, SETTING(SETTING_LINK_UP),
	  0,
	  "queried only with --firmware: a query takes seconds and writes PCI configuration "
	  "space" },
	{ "what is asked is read", true, true, 0, SETTING(SETTING_LINK_UP), 0, 0, NULL },
	{ "a part that the port lacks is unsupported", true, false, 0, 0, SETTING(SETTING_LINK_UP),
	  0, "the port has no such part" },
	{ "a failure is unknown", true, true, 1, 0, 0, SETTING(SETTING_LINK_UP), "it is broken" },
};

static void it_is_asked_so(void **s)
{
	const struct request_row *row = *s;
	static const struct feature *const list[] = { &slow };
	const struct features all = { list, 1 };
	struct config desired = { .has = row->asks ? SETTING(SETTING_LINK_UP) : 0,
				  .link.up = row->up };
	struct host h = { .root = -1, .link = has_its_name };
	struct observation o;
	struct err err = { 0 };
	const struct reason *r;

	slow_reads = row->reads_before;
	assert_true(observe(&h, all, &port, &o, &err));
	assert_int_equal(slow_reads, row->reads_before);
	assert_true(o.not_asked == slow.owns && o.unsupported == slow.owns);
	observe_on_request(&h, all, &port, &desired, &o);
	assert_int_equal(slow_reads, row->reads_before + row->asks);
	assert_true(o.actual.has == row->has && o.unsupported == row->unsupported);
	assert_true(o.unknown == row->unknown);
	assert_true(o.not_asked == (row->asks ? 0 : slow.owns));
	r = observation_reason(&o, SETTING_LINK_UP);
	assert_string_equal(r ? r->text : "none", row->reason ? row->reason : "none");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, it_is_seen_so);
	SUITE_ADD_ROWS(&s, requests, it_is_asked_so);
	SUITE_ADD(&s, a_port_that_is_gone_is_not_seen);
	SUITE_ADD(&s, without_an_interface_the_rdma_device_alone_is_read);
	return suite_run(&s, "observe");
}
