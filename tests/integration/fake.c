#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dcb/registry.h"
#include "roce/registry.h"
#include "fake_files.h"
#include "fake_requests.h"

/* The list of cli/write_order.h without features that only read or that the fake port lacks. */
static const struct feature *const list[] = {
	&feature_dcbx,		&feature_mtu,	     &feature_pause,	   &feature_buffer,
	&feature_cable,		&feature_pfc_lldpad, &feature_pfc,	   &feature_ets_lldpad,
	&feature_ets,		&feature_reco,	     &feature_maxrate,	   &feature_storm,
	&feature_dcqcn_debugfs, &feature_dcqcn_ofed, &feature_cnp_debugfs, &feature_cnp_ofed,
	&feature_ecn,		&feature_dscp,	     &feature_app,	   &feature_app_trust,
	&feature_vlan,		&feature_roce_mode,  &feature_roce_tos,	   &feature_traffic_class,
	&feature_advertise,
};
const struct features fake_features = { list, sizeof(list) / sizeof(list[0]) };

/* A second connection of this process to a fake. */
static struct {
	const struct host *connection;
	struct fake *to;
} second;

void fake_connect(struct fake *f, struct host *ret)
{
	*ret = f->host;
	second.connection = ret;
	second.to = f;
}

struct fake *fake_of(struct host *h)
{
	return h == second.connection ? second.to : (struct fake *)h;
}

/* Round by a cell, whose size the kernel does not expose: a smaller difference is in sync. */
static uint32_t coarser(uint32_t bytes)
{
	return bytes > 1024 ? bytes - 1024 : bytes;
}

/* Round the numbers that the last change wrote to coarser steps. */
static void round_off(struct hardware *hw, const struct hardware *was)
{
	hw->mtu -= hw->mtu != was->mtu ? hw->mtu % 8 : 0;
	hw->cable_m &= hw->cable_m != was->cable_m ? 0xfff8 : 0xffff;
	hw->storm_ms &= hw->storm_ms != was->storm_ms ? 0xfff0 : 0xffff;
	hw->roce_tos &= hw->roce_tos != was->roce_tos ? 0xfc : 0xff;
	for (int i = 0; i < 8; i++) {
		if (hw->buffer_size[i] != was->buffer_size[i])
			hw->buffer_size[i] = coarser(hw->buffer_size[i]);
		if (hw->maxrate[i] != was->maxrate[i])
			hw->maxrate[i] -= hw->maxrate[i] % 1000000;
	}
	for (int i = 0; i < CC_COUNT; i++)
		hw->cc[i] &= hw->cc[i] != was->cc[i] ? ~3u : ~0u;
}

/* Every call from fail_from on fails, but only one read is stale: else no read would be useful. */
static bool fails_from(const struct fake *f, unsigned n)
{
	return f->fail_from && (f->fault == FAULT_STALE ? n == f->fail_from : n >= f->fail_from);
}

/* True if the n-th call fails; f->fault and f->code give the failure. */
static bool strikes(struct fake *f, unsigned n)
{
	if (f->second.at && n == f->second.at) {
		f->fault = f->second.fault;
		f->code = f->second.code;
		return true;
	}
	return n == f->fail_at || fails_from(f, n);
}

/* Faults that no call reports: a rounded change and a stale read. */
static bool fails_unnoticed(struct fake *f, bool changes)
{
	f->rounds = changes && f->fault == FAULT_ROUNDED;
	f->stale = !changes && f->fault == FAULT_STALE;
	return f->fault == FAULT_ROUNDED || f->fault == FAULT_STALE;
}

bool fake_fails(struct fake *f, bool changes)
{
	unsigned n;

	if (f->rounds)
		round_off(&f->hw, &f->previous);
	f->rounds = f->stale = false;
	if (changes)
		f->previous = f->hw;
	f->calls++;
	f->writes += changes;
	/* Dying after a write is dying before the next call of any kind. */
	if (f->kill_at &&
	    (f->kill_after ? f->writes >= f->kill_at && !(changes && f->writes == f->kill_at)
			   : changes && f->writes == f->kill_at))
		_exit(0);
	if (changes && f->signal_at && f->writes >= f->signal_at)
		f->signal = 2;
	if (f->only_writes && !changes)
		return false;
	n = f->only_writes ? f->writes : f->calls;
	return strikes(f, n) && !fails_unnoticed(f, changes);
}

bool fake_change(struct fake *f, bool *apply, struct err *err)
{
	bool fails = fake_fails(f, true);

	*apply = !fails || f->fault == FAULT_LOST;
	if (!fails || f->fault == FAULT_DEAF)
		return true;
	return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
}

bool fake_look(struct fake *f, struct err *err)
{
	if (!fake_fails(f, false) || f->fault == FAULT_DEAF)
		return true;
	return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
}

void fake_flap(struct fake *f)
{
	f->carrier_changes++;
	f->back_at = f->now + f->carrier_ms;
}

static bool fake_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct fake *f = fake_of(h);

	if (!fake_look(f, err))
		return false;
	if (f->back_at && f->now >= f->back_at && !f->carrier_stuck) {
		f->back_at = 0;
		f->carrier_changes++;
	}
	*ret = (struct link){ .ifindex = ifindex,
			      .mtu = f->hw.mtu,
			      .up = true,
			      .carrier = !f->back_at,
			      .carrier_changes = f->carrier_changes };
	snprintf(ret->name, sizeof(ret->name), "%.15s", f->port.id.name);
	return true;
}

static bool fake_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	struct fake *f = fake_of(h);
	bool apply, ok = fake_change(f, &apply, err);

	(void)ifindex;
	fake_requested("mtu %u", mtu);
	if (f->refuses_mtu)
		return err_set(err, ERR_SYSTEM, EIO, "set the MTU");
	if (apply)
		f->hw.mtu = mtu;
	return ok;
}

/* True if the header of a request to ethtool has ETHTOOL_FLAG_STATS. */
static bool wants_stats(const struct nlmsghdr *request)
{
	const struct nlattr *header =
		mnl_nlmsg_get_payload_offset(request, sizeof(struct genlmsghdr));
	const struct nlattr *a;

	mnl_attr_for_each_nested (a, header)
		if (mnl_attr_get_type(a) == ETHTOOL_A_HEADER_FLAGS)
			return mnl_attr_get_u32(a) & ETHTOOL_FLAG_STATS;
	return false;
}

static void put_pause_stats(struct nlmsghdr *n)
{
	struct nlattr *stats = mnl_attr_nest_start(n, ETHTOOL_A_PAUSE_STATS);

	mnl_attr_put_u64(n, ETHTOOL_A_PAUSE_STAT_TX_FRAMES, 0);
	mnl_attr_put_u64(n, ETHTOOL_A_PAUSE_STAT_RX_FRAMES, 0);
	mnl_attr_nest_end(n, stats);
}

static bool reply_pause(struct fake *f, bool stats, reply_fn *each, void *arg)
{
	char buf[256] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *g;
	struct nlattr *header;

	g = mnl_nlmsg_put_extra_header(n, sizeof(*g));
	*g = (struct genlmsghdr){ .cmd = ETHTOOL_MSG_PAUSE_GET_REPLY,
				  .version = ETHTOOL_GENL_VERSION };
	header = mnl_attr_nest_start(n, ETHTOOL_A_PAUSE_HEADER);
	mnl_attr_put_u32(n, ETHTOOL_A_HEADER_DEV_INDEX, f->port.ifindex);
	mnl_attr_put_strz(n, ETHTOOL_A_HEADER_DEV_NAME, f->port.id.name);
	mnl_attr_nest_end(n, header);
	mnl_attr_put_u8(n, ETHTOOL_A_PAUSE_AUTONEG, 0);
	mnl_attr_put_u8(n, ETHTOOL_A_PAUSE_RX, f->hw.pause_rx);
	mnl_attr_put_u8(n, ETHTOOL_A_PAUSE_TX, f->hw.pause_tx);
	if (stats)
		put_pause_stats(n);
	return each(n, arg) >= 0;
}

static bool set_pause(struct fake *f, const struct nlmsghdr *request, struct err *err)
{
	bool apply, ok = fake_change(f, &apply, err);
	const struct nlattr *a;

	mnl_attr_for_each (a, request, sizeof(struct genlmsghdr)) {
		if (apply && mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_RX)
			f->hw.pause_rx = mnl_attr_get_u8(a);
		if (apply && mnl_attr_get_type(a) == ETHTOOL_A_PAUSE_TX)
			f->hw.pause_tx = mnl_attr_get_u8(a);
	}
	fake_lay_buffers(&f->hw);
	return ok;
}

/* The fake has DCB and global pause; features that need other messages find them unsupported. */
static bool plays(enum bus bus, const struct nlmsghdr *n)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);

	if (bus == BUS_ROUTE)
		return n->nlmsg_type == RTM_GETDCB || n->nlmsg_type == RTM_SETDCB;
	return bus == BUS_ETHTOOL &&
	       (g->cmd == ETHTOOL_MSG_PAUSE_SET || g->cmd == ETHTOOL_MSG_PAUSE_GET);
}

static bool fake_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		      void *arg, struct err *err)
{
	struct fake *f = fake_of(h);
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(request);

	if (bus == BUS_ROUTE && request->nlmsg_type == RTM_GETROUTE)
		return true; /* it has no routes */
	if (!plays(bus, request))
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "not in the fake kernel");
	fake_requested_message(bus, request);
	if (bus == BUS_ROUTE)
		return fake_dcb(f, request, each, arg, err);
	if (g->cmd == ETHTOOL_MSG_PAUSE_SET)
		return set_pause(f, request, err);
	return fake_look(f, err) && reply_pause(f, wants_stats(request), each, arg);
}

static bool fake_ask_lldpad(struct host *h, const char *request, char *reply, size_t size,
			    struct err *err)
{
	(void)h;
	(void)request;
	(void)reply;
	(void)size;
	return err_set(err, ERR_MISSING, ECONNREFUSED, "no lldpad here");
}

static bool fake_signal(struct host *h, unsigned pid, int number, struct err *err)
{
	struct fake *f = fake_of(h);
	bool apply, ok = fake_change(f, &apply, err);

	if (apply) {
		f->sent.pid = pid;
		f->sent.number = number;
		f->sent.count++;
	}
	return ok;
}

static uint64_t fake_now(struct host *h)
{
	return fake_of(h)->now;
}

static void fake_sleep(struct host *h, unsigned ms)
{
	fake_of(h)->now += ms;
}

/* The fake kernel has no events of its own. */
static bool fake_next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)err;
	fake_of(h)->now += wait_ms;
	*ret = (struct event){ .kind = fake_of(h)->signal ? EVENT_SIGNAL : EVENT_NONE };
	return true;
}

static int fake_interrupted(struct host *h)
{
	return fake_of(h)->signal;
}

static void fake_report(struct host *h, enum progress n, const char *port, const char *what)
{
	(void)h;
	(void)n;
	(void)port;
	(void)what;
}

static void power_on(struct hardware *hw)
{
	*hw = (struct hardware){ .dcbx = 0x0d,
				 .mtu = 1500,
				 .pause_rx = true,
				 .pause_tx = true,
				 .cable_m = 7,
				 .roce_mode = ROCE_V2 };
	for (uint8_t i = 0; i < 8; i++) {
		hw->prio_tc[i] = i < 2 ? !i : i;
		hw->tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		hw->bw[i] = 100;
	}
	memset(hw->entry, DSCP_NONE, sizeof(hw->entry));
	for (uint8_t d = 0; d < 64; d++)
		hw->dscp2prio[d] = d >> 3;
	fake_params_power_on(hw);
}

static const struct host fake_host = {
	.root = -1,
	.may_write = true,
	.talk = fake_talk,
	.link = fake_link,
	.set_mtu = fake_set_mtu,
	.ethtool = fake_ethtool,
	.links = fake_links,
	.set_egress = fake_set_egress,
	.next_event = fake_next_event,
	.read_file = fake_read_file,
	.write_file = fake_write_file,
	.make_dir = fake_make_dir,
	.list_dir = fake_list_dir,
	.save_file = fake_save_file,
	.rewrite_file = fake_save_file,
	.publish_file = fake_save_file,
	.move_file = fake_move_file,
	.reserve_room = fake_reserve_room,
	.release_file = fake_release_file,
	.load_module = fake_load_module,
	.signal = fake_signal,
	.ask_lldpad = fake_ask_lldpad,
	.now_ms = fake_now,
	.sleep_ms = fake_sleep,
	.interrupted = fake_interrupted,
	.report = fake_report,
};

void fake_init(struct fake *f)
{
	fake_requests_learn();
	memset(f, 0, sizeof(*f));
	f->host = fake_host;
	f->port = (struct port){ .id = { .name = "ens1f0np0",
					 .pci = "0000:01:00.0",
					 .driver = "mlx5_core",
					 .rdma = "mlx5_0" },
				 .ifindex = 2,
				 .speed_mbps = 1000 * FAKE_SPEED_GBPS,
				 .rdma_port = 1,
				 .up = true,
				 .carrier = true };
	f->now = 1000;
	f->carrier_ms = 500;
	f->code = EINVAL;
	power_on(&f->hw);
	f->previous = f->hw;
	snprintf(fake_file(f, "/proc/sys/kernel/random/boot_id", true)->text, FAKE_TEXT,
		 "this-boot");
}
