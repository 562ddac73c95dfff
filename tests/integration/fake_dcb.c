/*
 * mlx5's DCB callbacks: they check and write in the driver's order (en_dcbnl.c of 6.1). Those of
 * ice (ice_dcb_nl.c) differ where a line says so.
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

static bool is_ice(const struct fake *f)
{
	return strcmp(f->port.id.driver, "ice") == 0;
}

/* ice: the first DSCP entry gives each priority its class; without the last, one class has all. */
static void reset_classes(struct fake *f, bool own)
{
	for (int i = 0; i < 8; i++) {
		f->hw.prio_tc[i] = own ? i : 0;
		f->hw.tsa[i] = own || !i ? IEEE_8021QAZ_TSA_ETS : IEEE_8021QAZ_TSA_STRICT;
		f->hw.bw[i] = i ? 0 : 100;
	}
	if (!own)
		f->hw.pfc = 0;
}

static int set_pfc(struct fake *f, const void *payload, const struct strike *s)
{
	struct ieee_pfc copy, *k = &copy; /* attributes are aligned to 4, its counters to 8 */

	memcpy(&copy, payload, sizeof(copy));
	if (skips(s))
		return answer(s);
	if (is_ice(f)) {
		f->hw.pfc = k->pfc_en;
		return answer(s);
	}
	if (k->pfc_en != f->hw.pfc) {
		f->hw.pfc = k->pfc_en;
		f->hw.pause_rx = f->hw.pause_rx && f->keeps_pause;
		f->hw.pause_tx = f->hw.pause_tx && f->keeps_pause;
		fake_flap(f);
	}
	/* The buffer stage fails after the mask is in force. */
	if (s->fails && s->fault == FAULT_LATE)
		return -ENOMEM;
	if (k->delay > 0 && k->delay < 1000)
		f->hw.cable_m = k->delay;
	return answer(s);
}

/* The minimum of a lossless buffer: below the driver's, but enough to test the check. */
#define LOSSLESS_MIN 40000
#define CELL	     128
#define TOTAL	     1015808

static bool has_room(const struct hardware *hw, const uint32_t *size, const uint8_t *map)
{
	for (int p = 0; p < 8; p++)
		if ((hw->pfc & (1 << p)) && size[map[p]] < LOSSLESS_MIN)
			return false;
	return true;
}

/* The driver checks the map with the current sizes before it reads new ones (port_buffer.c). */
static int set_buffer(struct fake *f, const struct dcbnl_buffer *k, const struct strike *s)
{
	struct hardware *hw = &f->hw;
	uint32_t size[8];

	if (skips(s))
		return answer(s);
	for (int b = 0; b < 8; b++)
		size[b] = k->buffer_size[b] / CELL * CELL;
	if (memcmp(size, hw->buffer_size, sizeof(size)) == 0 &&
	    memcmp(k->prio2buffer, hw->prio_buffer, sizeof(hw->prio_buffer)) == 0)
		return answer(s);
	hw->manual = true;
	if (memcmp(k->prio2buffer, hw->prio_buffer, sizeof(hw->prio_buffer)) != 0 &&
	    !has_room(hw, hw->buffer_size, k->prio2buffer))
		return -ENOMEM;
	if (!has_room(hw, size, k->prio2buffer))
		return -ENOMEM;
	memcpy(hw->prio_buffer, k->prio2buffer, sizeof(hw->prio_buffer));
	if (s->fails && s->fault == FAULT_LATE)
		return -s->code;
	memcpy(hw->buffer_size, size, sizeof(size));
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

static bool has_share(const struct ieee_ets *k)
{
	for (int i = 0; i < 8; i++)
		if (k->tc_tx_bw[i])
			return true;
	return false;
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
	if (!is_ice(f) || f->hw.count == 0)
		memcpy(f->hw.prio_tc, k->prio_tc, sizeof(k->prio_tc));
	if (s->fails && s->fault == FAULT_LATE)
		return -s->code; /* priorities were written one by one before this */
	memcpy(f->hw.tsa, k->tc_tsa, sizeof(k->tc_tsa));
	memcpy(f->hw.bw, k->tc_tx_bw, sizeof(k->tc_tx_bw));
	if (is_ice(f) && !has_share(k))
		f->hw.bw[0] = 100;
	return answer(s);
}

static int set_app(struct fake *f, const struct dcb_app *a, const struct strike *s)
{
	if (a->selector != IEEE_8021QAZ_APP_SEL_DSCP || a->protocol >= 64)
		return -EINVAL;
	if (is_ice(f) && f->hw.entry[a->protocol] != DSCP_NONE)
		return -EINVAL; /* it keeps the first priority of a DSCP */
	if (is_ice(f) && f->hw.count == 0)
		reset_classes(f, true);
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
	if (is_ice(f) && f->hw.count == 0)
		reset_classes(f, false);
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
		f->hw.dcbx = byte ? byte : 0x0c;
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

static void put_apps(struct nlmsghdr *n, const struct hardware *hw)
{
	struct nlattr *table = mnl_attr_nest_start(n, DCB_ATTR_IEEE_APP_TABLE);

	for (int d = 63; d >= 0; d--) {
		struct dcb_app a = { .selector = IEEE_8021QAZ_APP_SEL_DSCP,
				     .protocol = (uint16_t)d,
				     .priority = (uint8_t)hw->entry[d] };

		if (hw->entry[d] != DSCP_NONE)
			mnl_attr_put(n, DCB_ATTR_IEEE_APP, sizeof(a), &a);
	}
	mnl_attr_nest_end(n, table);
}

static void put_all(struct nlmsghdr *n, const struct hardware *hw)
{
	struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = hw->pfc, .delay = hw->cable_m };
	struct dcbnl_buffer buffer = { .total_size = TOTAL };
	struct nlattr *ieee = mnl_attr_nest_start(n, DCB_ATTR_IEEE);

	memcpy(buffer.buffer_size, hw->buffer_size, sizeof(hw->buffer_size));
	memcpy(buffer.prio2buffer, hw->prio_buffer, sizeof(hw->prio_buffer));
	mnl_attr_put(n, DCB_ATTR_DCB_BUFFER, sizeof(buffer), &buffer);
	mnl_attr_put(n, DCB_ATTR_IEEE_MAXRATE, sizeof(hw->maxrate), hw->maxrate);
	put_ets(n, hw);
	mnl_attr_put(n, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	put_apps(n, hw);
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
	struct strike s = { fake_fails(f, changes), f->fault, f->code };

	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	if (!changes && s.fails && s.fault != FAULT_DEAF)
		return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
	if (changes)
		change(f, request, d->cmd, &s, n);
	else if (d->cmd == DCB_CMD_GDCBX)
		mnl_attr_put_u8(n, DCB_ATTR_DCBX, f->hw.dcbx);
	else
		put_all(n, f->stale ? &f->previous : &f->hw);
	return each(n, arg) >= 0 || err_set(err, ERR_SYSTEM, EPROTO, "bad reply");
}
