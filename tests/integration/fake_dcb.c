/*
 * mlx5's DCB callbacks: they check and write in the driver's order (en_dcbnl.c of 6.1).
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "policy/model/config.h"
#include "fake.h"

/* An injected fault: the callback does nothing, all of its work, or only its first stages. */
struct strike {
	bool fails;
	enum fault fault;
	int code;
};

/* The kernel reports a missing device before it calls the driver. */
static bool skips(const struct strike *s)
{
	return s->fails && (s->fault == FAULT_REFUSED || s->fault == FAULT_DEAF ||
			    (s->fault == FAULT_LATE && s->code == ENODEV));
}

static int answer(const struct strike *s)
{
	return s->fails && s->fault != FAULT_DEAF ? -s->code : 0;
}

#define CELL	128
#define TOTAL	1015808
#define MAX_MTU 9978

void fake_lay_buffers(struct hardware *hw)
{
	if (hw->written)
		return;
	memset(hw->buffer_size, 0, sizeof(hw->buffer_size));
	for (int p = 0; p < 8; p++)
		hw->prio_buffer[p] = hw->pfc >> p & 1;
	hw->buffer_size[0] = hw->pfc ? 130944 : 262016;
	hw->buffer_size[1] = hw->pfc ? 130944 : 0;
	hw->lossless_buffers = hw->pfc ? 1 << 1 : (hw->pause_rx || hw->pause_tx) << 0;
}

/* calculate_xoff(): a link that is down has no speed, and counts as 40 Gb/s. */
static uint32_t xoff_of(const struct fake *f)
{
	uint32_t gbps = f->back_at && f->now < f->back_at ? 40 : FAKE_SPEED_GBPS;

	return (301 + 216 * f->hw.cable_m / 100) * gbps + 272 * f->hw.mtu / 100;
}

/* update_buffer_lossy() */
static uint8_t lossless_buffers(uint8_t priorities, const uint8_t *map)
{
	uint8_t lossless = 0;

	for (int p = 0; p < 8; p++)
		if (priorities & (1 << p))
			lossless |= (uint8_t)(1 << map[p]);
	return lossless;
}

/* update_xoff_threshold() */
static bool has_room(const struct fake *f, const uint32_t *size, uint8_t lossless)
{
	for (int b = 0; b < 8; b++)
		if ((lossless & (1 << b)) && size[b] < xoff_of(f) + MAX_MTU + CELL)
			return false;
	return true;
}

/*
 * The thresholds of buffers follow PFC and the cable: with 6.1 once a program has asked for
 * buffers, with 6.12 if they are not the firmware's (mlx5_query_port_buffer_ownership()).
 */
static int follow_with_buffers(struct fake *f, uint8_t old_pfc, uint16_t old_cable_m)
{
	struct hardware *hw = &f->hw;
	uint8_t lossless = hw->lossless_buffers;
	bool fits = true;

	if (f->asks_for_owner ? !hw->written : !hw->manual)
		return 0;
	/* The new cable comes first, with the buffers that have been lossless so far. */
	if (hw->cable_m != old_cable_m)
		fits = has_room(f, hw->buffer_size, lossless);
	if (hw->pfc != old_pfc)
		lossless = lossless_buffers(hw->pfc, hw->prio_buffer);
	if (lossless != hw->lossless_buffers || xoff_of(f) != hw->xoff)
		fits &= has_room(f, hw->buffer_size, lossless);
	else if (hw->cable_m == old_cable_m)
		return 0;
	if (!fits) {
		hw->cable_m = old_cable_m;
		return -ENOMEM;
	}
	hw->lossless_buffers = lossless;
	hw->xoff = xoff_of(f);
	hw->written = true;
	return 0;
}

static int set_pfc(struct fake *f, const void *payload, const struct strike *s)
{
	struct ieee_pfc copy, *k = &copy; /* attributes are aligned to 4, its counters to 8 */
	struct hardware *hw = &f->hw;
	uint16_t old_cable_m = hw->cable_m;
	uint8_t old_pfc = hw->pfc;
	int code;

	memcpy(&copy, payload, sizeof(copy));
	if (skips(s))
		return answer(s);
	if (k->pfc_en != old_pfc) {
		hw->pfc = k->pfc_en;
		hw->pause_rx = hw->pause_rx && f->keeps_pause;
		hw->pause_tx = hw->pause_tx && f->keeps_pause;
		fake_lay_buffers(hw);
		fake_flap(f);
	}
	/* The buffer stage fails after the mask is in force. */
	if (s->fails && s->fault == FAULT_LATE)
		return -ENOMEM;
	if (f->takes_any_cable || (k->delay > 0 && k->delay < 1000))
		hw->cable_m = k->delay;
	code = follow_with_buffers(f, old_pfc, old_cable_m);
	return code ? code : answer(s);
}

/* The driver checks the map with the current sizes before it reads new ones (port_buffer.c). */
static int set_buffer(struct fake *f, const struct dcbnl_buffer *k, const struct strike *s)
{
	struct hardware *hw = &f->hw;
	bool moves = memcmp(k->prio2buffer, hw->prio_buffer, sizeof(hw->prio_buffer)) != 0;
	/* Global pause makes all priorities lossless (fill_pfc_en()). */
	uint8_t priorities = hw->pause_rx || hw->pause_tx ? 0xff : hw->pfc;
	uint8_t lossless = hw->lossless_buffers;
	uint32_t size[8], total = 0;

	if (skips(s))
		return answer(s);
	for (int b = 0; b < 8; b++) {
		size[b] = k->buffer_size[b] / CELL * CELL;
		total += k->buffer_size[b];
	}
	if (!moves && memcmp(size, hw->buffer_size, sizeof(size)) == 0)
		return answer(s);
	hw->manual = true;
	if (moves)
		lossless = lossless_buffers(priorities, k->prio2buffer);
	if (lossless != hw->lossless_buffers && !has_room(f, hw->buffer_size, lossless))
		return -ENOMEM;
	if (total > TOTAL)
		return -EINVAL;
	if (!has_room(f, size, lossless))
		return -ENOMEM;
	memcpy(hw->buffer_size, size, sizeof(size));
	hw->lossless_buffers = lossless;
	hw->xoff = xoff_of(f);
	hw->written = true;
	if (s->fails && s->fault == FAULT_LATE)
		return -s->code;
	memcpy(hw->prio_buffer, k->prio2buffer, sizeof(hw->prio_buffer));
	return answer(s);
}

static int set_maxrate(struct fake *f, const void *payload, const struct strike *s)
{
	struct ieee_maxrate copy, *k = &copy; /* attributes are aligned to 4, its rates to 8 */

	memcpy(&copy, payload, sizeof(copy));
	if (skips(s))
		return answer(s);
	for (int i = 0; i < 8; i++) {
		uint64_t step = k->tc_maxrate[i] <= 25500000 ? 100000 : 1000000;

		if (k->tc_maxrate[i] > 255000000)
			return -EINVAL;
		f->hw.maxrate[i] = k->tc_maxrate[i] && k->tc_maxrate[i] < step
					   ? step
					   : k->tc_maxrate[i] / step * step;
	}
	return answer(s);
}

static bool ets_adds_up(const struct ieee_ets *k)
{
	unsigned sum = 0, any = 0;

	for (int i = 0; i < 8; i++)
		if (k->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS) {
			sum += k->tc_tx_bw[i];
			any = 1;
		}
	return !any || sum == 100;
}

static int set_ets(struct fake *f, const struct ieee_ets *k, const struct strike *s)
{
	if (skips(s))
		return answer(s);
	for (int i = 0; i < 8; i++)
		if (k->prio_tc[i] >= 8)
			return -EINVAL;
	for (int i = 0; i < 8; i++)
		if (k->tc_tsa[i] == IEEE_8021QAZ_TSA_CB_SHAPER)
			return -EOPNOTSUPP;
	if (!ets_adds_up(k))
		return -EINVAL;
	memcpy(f->hw.prio_tc, k->prio_tc, sizeof(k->prio_tc));
	if (s->fails && s->fault == FAULT_LATE)
		return -s->code; /* priorities were written one by one before this */
	memcpy(f->hw.tsa, k->tc_tsa, sizeof(k->tc_tsa));
	memcpy(f->hw.bw, k->tc_tx_bw, sizeof(k->tc_tx_bw));
	return answer(s);
}

static int set_app(struct fake *f, const struct dcb_app *a, const struct strike *s)
{
	if (a->selector != IEEE_8021QAZ_APP_SEL_DSCP || a->protocol >= 64)
		return -EINVAL;
	if (f->hw.count == 0)
		f->hw.trusts_dscp = true;
	if (f->hw.dscp2prio[a->protocol] != a->priority) {
		if (s->fails && s->fault == FAULT_LATE) {
			f->hw.trusts_dscp = false; /* the count and the list stay */
			return -s->code;
		}
		f->hw.dscp2prio[a->protocol] = a->priority;
	}
	if (f->hw.entry[a->protocol] == DSCP_NONE)
		f->hw.count++;
	f->added[a->protocol] = ++f->adds; /* the driver deletes the old entry first */
	f->hw.entry[a->protocol] = (int8_t)a->priority;
	return 0;
}

static int delete_app(struct fake *f, const struct dcb_app *a, const struct strike *s)
{
	if (f->hw.count == 0 || f->hw.dscp2prio[a->protocol] != a->priority ||
	    f->hw.entry[a->protocol] != a->priority)
		return -ENOENT;
	f->hw.entry[a->protocol] = DSCP_NONE;
	if (s->fails && s->fault == FAULT_LATE) {
		f->hw.trusts_dscp = false; /* the count and the map stay */
		return -s->code;
	}
	f->hw.dscp2prio[a->protocol] = 0;
	if (--f->hw.count == 0)
		f->hw.trusts_dscp = false;
	return 0;
}

/* Change entry by entry, as the kernel does: a refusal leaves earlier entries in place. */
static int change_apps(struct fake *f, const struct nlattr *table, int cmd, const struct strike *s)
{
	const struct nlattr *a;
	int code = 0;

	if (skips(s))
		return answer(s);
	mnl_attr_for_each_nested (a, table) {
		const struct dcb_app *app = mnl_attr_get_payload(a);

		code = cmd == DCB_CMD_IEEE_SET ? set_app(f, app, s) : delete_app(f, app, s);
		if (code)
			return code;
	}
	return answer(s);
}

static int change_ieee(struct fake *f, const struct nlattr *ieee, int cmd, const struct strike *s)
{
	const struct nlattr *a;
	int code = 0;

	mnl_attr_for_each_nested (a, ieee) {
		const void *v = mnl_attr_get_payload(a);

		if (f->no_setter & (1u << mnl_attr_get_type(a)))
			continue;
		switch (mnl_attr_get_type(a)) {
		case DCB_ATTR_IEEE_PFC:
			code = set_pfc(f, v, s);
			break;
		case DCB_ATTR_IEEE_ETS:
			code = set_ets(f, v, s);
			break;
		case DCB_ATTR_DCB_BUFFER:
			code = set_buffer(f, v, s);
			break;
		case DCB_ATTR_IEEE_MAXRATE:
			code = set_maxrate(f, v, s);
			break;
		case DCB_ATTR_IEEE_APP_TABLE:
			code = change_apps(f, a, cmd, s);
			break;
		default: /* the driver ignores unknown attributes with success */
			break;
		}
		if (code)
			return code;
	}
	return 0;
}

static uint8_t set_dcbx(struct fake *f, uint8_t byte, const struct strike *s)
{
	if (!skips(s)) {
		if (byte && (!(byte & DCB_CAP_DCBX_HOST) || (byte & DCB_CAP_DCBX_LLD_MANAGED)))
			return 1;
		f->hw.dcbx = byte ? byte : f->hw.dcbx & ~DCB_CAP_DCBX_HOST;
	}
	return answer(s) != 0;
}

static void put_ets(struct nlmsghdr *n, const struct hardware *hw)
{
	struct ieee_ets k = { .ets_cap = 8 };

	memcpy(k.prio_tc, hw->prio_tc, sizeof(k.prio_tc));
	memcpy(k.tc_tsa, hw->tsa, sizeof(k.tc_tsa));
	for (int i = 0; i < 8; i++)
		k.tc_tx_bw[i] = hw->tsa[i] == IEEE_8021QAZ_TSA_ETS ? hw->bw[i] : 0;
	mnl_attr_put(n, DCB_ATTR_IEEE_ETS, sizeof(k), &k);
}

/* The DSCP whose entry was added last before the `before`-th; -1: there is none. */
static int added_before(const struct fake *f, const struct hardware *hw, int last)
{
	int best = -1;

	for (int d = 0; d < 64; d++) {
		bool older = last < 0 || f->added[d] < f->added[last] ||
			     (f->added[d] == f->added[last] && d < last);

		if (hw->entry[d] != DSCP_NONE && older &&
		    (best < 0 || f->added[d] >= f->added[best]))
			best = d;
	}
	return best;
}

/* The kernel lists the newest entry first (dcb_app_add()). */
static void put_apps(struct nlmsghdr *n, const struct fake *f, const struct hardware *hw)
{
	struct nlattr *table = mnl_attr_nest_start(n, DCB_ATTR_IEEE_APP_TABLE);

	for (int d = added_before(f, hw, -1); d >= 0; d = added_before(f, hw, d)) {
		struct dcb_app a = { .selector = IEEE_8021QAZ_APP_SEL_DSCP,
				     .protocol = (uint16_t)d,
				     .priority = (uint8_t)hw->entry[d] };

		mnl_attr_put(n, DCB_ATTR_IEEE_APP, sizeof(a), &a);
	}
	mnl_attr_nest_end(n, table);
}

static void put_all(struct nlmsghdr *n, const struct fake *f)
{
	const struct hardware *hw = f->stale ? &f->previous : &f->hw;
	struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = hw->pfc, .delay = hw->cable_m };
	struct dcbnl_buffer buffer = { .total_size = TOTAL };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);

	memcpy(buffer.buffer_size, hw->buffer_size, sizeof(hw->buffer_size));
	memcpy(buffer.prio2buffer, hw->prio_buffer, sizeof(hw->prio_buffer));
	put_ets(n, hw);
	mnl_attr_put(n, DCB_ATTR_IEEE_MAXRATE, sizeof(hw->maxrate), hw->maxrate);
	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	mnl_attr_put(n, DCB_ATTR_DCB_BUFFER, sizeof(buffer), &buffer);
	put_apps(n, f, hw);
	mnl_attr_nest_end(n, ieee);
	mnl_attr_put_u8(n, DCB_ATTR_DCBX, hw->dcbx);
}

static void change(struct fake *f, const struct nlmsghdr *request, int cmd, const struct strike *s,
		   struct nlmsghdr *reply)
{
	const struct nlattr *a;

	mnl_attr_for_each (a, request, sizeof(struct dcbmsg)) {
		if (mnl_attr_get_type(a) == DCB_ATTR_IEEE)
			mnl_attr_put_u8(reply, DCB_ATTR_IEEE, (uint8_t)change_ieee(f, a, cmd, s));
		if (mnl_attr_get_type(a) == DCB_ATTR_DCBX)
			mnl_attr_put_u8(reply, DCB_ATTR_DCBX, set_dcbx(f, mnl_attr_get_u8(a), s));
	}
}

bool fake_dcb(struct fake *f, struct nlmsghdr *request, reply_fn *each, void *arg, struct err *err)
{
	char buf[8192] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	const struct dcbmsg *d = mnl_nlmsg_get_payload(request);
	bool changes = request->nlmsg_type == RTM_SETDCB;
	struct dcbmsg *answered;
	struct strike s = { fake_fails(f, changes), f->fault, f->code };

	answered = mnl_nlmsg_put_extra_header(n, sizeof(*answered));
	answered->cmd = d->cmd;
	if (d->cmd == DCB_CMD_IEEE_GET)
		mnl_attr_put_strz(n, DCB_ATTR_IFNAME, f->port.id.name);
	if (!changes && s.fails && s.fault != FAULT_DEAF)
		return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
	if (changes)
		change(f, request, d->cmd, &s, n);
	else if (d->cmd == DCB_CMD_GDCBX)
		mnl_attr_put_u8(n, DCB_ATTR_DCBX, f->hw.dcbx);
	else
		put_all(n, f);
	return each(n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "bad reply");
}
