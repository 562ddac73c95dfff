#include "configure.h"

#include <errno.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../lldp/peer_compare.h"
#include "detect.h"

#define ARRIVE_MS     20000
#define SENT_MS	      5000 /* lldpad sends within 2 s */
#define POLL_MS	      200
#define SWITCH_PDU_MS 6000

bool lldpad_writes_here(struct host *h)
{
	struct lldpad_process lldpad;

	return lldpad_find(h, &lldpad) && !lldpad.advertise_only;
}

bool lldpad_follows(const struct lldpad *l, const char *port, bool *ret, struct err *err)
{
	char willing[LLDPAD_VALUE_MAX];
	struct err why = { 0 };

	*ret = false;
	if (l->advertise_only)
		return true;
	if (lldpad_get(l, port, LLDPAD_TLV_PFC, "willing", willing, &why)) {
		*ret = strcmp(willing, "no") != 0 && strcmp(willing, "0") != 0;
		return true;
	}
	if (why.kind == ERR_UNSUPPORTED)
		return true;
	*err = why;
	return false;
}

/* For some seconds after the link came up lldpad does not know the switch. */
static bool read_switch_pdu(const struct lldpad *l, const char *port, struct lldp *ret)
{
	uint64_t until = l->h->now_ms(l->h) + SWITCH_PDU_MS;
	struct lldpad_pdu pdu;
	struct err why;

	do {
		why = (struct err){ 0 };
		if (lldpad_get_received(l, port, &pdu, &why))
			return lldp_decode(pdu.bytes, pdu.size, ret, &why);
		host_sleep(l->h, POLL_MS);
	} while (why.kind == ERR_MISSING && l->h->now_ms(l->h) < until);
	return false;
}

bool lldpad_switch_differs(struct host *h, const struct port *port, const struct config *desired)
{
	struct lldpad l;
	struct lldp heard;
	struct config advertised;
	struct err none = { 0 };

	if (!lldpad_open(h, &l, &none) || !read_switch_pdu(&l, port->id.name, &heard))
		return false;
	/* A port follows the switch's ETS only if the switch sends a recommendation. */
	heard.ets = heard.reco;
	if (!(heard.has & LLDP_BIT(LLDP_ETS_RECO)))
		heard.has &= ~LLDP_BIT(LLDP_ETS);
	advertised = lldp_to_config(&heard);
	advertised.has &= desired->has & SET_BY_DCBX;
	return config_diff(&advertised, desired) != 0;
}

bool lldpad_stop_following(const struct lldpad *l, const char *port, struct err *err)
{
	struct lldpad_args no = { .count = 0 };

	lldpad_args_add(&no, "willing", "no");
	return lldpad_set(l, port, LLDPAD_TLV_PFC, &no, err) &&
	       lldpad_set(l, port, LLDPAD_TLV_ETS_CFG, &no, err);
}

/* Both TLVs have the same values; only the configuration says whether the port is willing. */
static bool format_ets(const struct config *to, bool willing, struct lldpad_args *ret_cfg,
		       struct lldpad_args *ret_rec, struct err *err)
{
	if (!lldpad_args_add_ets(ret_rec, to->ets.prio_tc, to->ets.tsa, to->ets.bandwidth, err))
		return false;
	lldpad_args_add(ret_rec, "enableTx", "yes");
	lldpad_args_add(ret_cfg, "willing", willing ? "yes" : "no");
	for (size_t i = 0; i < ret_rec->count; i++)
		lldpad_args_add(ret_cfg, ret_rec->list[i].name, ret_rec->list[i].value);
	return true;
}

/* Validates everything before it sends anything. */
bool lldpad_send_settings(const struct lldpad *l, const char *port, const struct config *to,
			  bool willing, struct err *err)
{
	struct lldpad_args first = { .count = 0 }, pfc = { .count = 0 };
	struct lldpad_args ets = { .count = 0 }, reco = { .count = 0 };

	if (!format_ets(to, willing, &ets, &reco, err))
		return false;
	lldpad_args_add(&first, "willing", willing ? "yes" : "no");
	lldpad_args_add_pfc(&pfc, to->pfc.priorities);
	lldpad_args_add(&pfc, "enableTx", "yes");
	return lldpad_set(l, port, LLDPAD_TLV_PFC, &first, err) &&
	       lldpad_set(l, port, LLDPAD_TLV_ETS_CFG, &ets, err) &&
	       lldpad_set(l, port, LLDPAD_TLV_ETS_REC, &reco, err) &&
	       lldpad_set(l, port, LLDPAD_TLV_PFC, &pfc, err);
}

static bool await_kernel(const struct lldpad *l, const struct port *port, const struct config *to,
			 has_settings_fn *has_settings, unsigned most_ms, struct err *err)
{
	struct host *h = l->h;
	uint64_t until = h->now_ms(h) + most_ms;
	bool there;

	do {
		if (!has_settings(h, port, to, &there, err))
			return false;
		if (there)
			return true;
		if (!lldpad_still_runs(l))
			return lldpad_err_ended(l, err);
		host_sleep(h, POLL_MS);
	} while (h->now_ms(h) < until);
	err_record(err, ERR_VERIFY, EIO,
		   "lldpad accepted the settings, but they are not in effect in the kernel");
	return err_fix(err, "look for the driver's refusal in `dmesg`, as lldpad reads no answer; "
			    "if the link is down, bring it up: lldpad writes only then");
}

/*
 * lldpad writes to the port 15 s after its link came up, and with each LLDPDU. Where it may not
 * send, as after a rollback, a link that stayed up needs the second way; advertise.c ends it.
 */
static bool make_lldpad_write(const struct lldpad *l, const struct port *port,
			      const struct config *to, has_settings_fn *has_settings,
			      struct err *err)
{
	host_report(l->h, PROGRESS_WAIT, port->id.name,
		    "waiting for lldpad to write the settings, up to 15 s");
	if (await_kernel(l, port, to, has_settings, ARRIVE_MS, err))
		return true;
	if (err->kind != ERR_VERIFY)
		return false;
	*err = (struct err){ 0 };
	return lldpad_set_admin(l, port->id.name, LLDPAD_RXTX, err) &&
	       await_kernel(l, port, to, has_settings, SENT_MS, err);
}

bool lldpad_write(struct host *h, const struct port *port, const struct config *from,
		  const struct config *to, has_settings_fn *has_settings, struct err *err)
{
	struct lldpad l;
	struct err quiet = { 0 };

	if (!lldpad_open(h, &l, err))
		return false;
	if (lldpad_send_settings(&l, port->id.name, to, false, err) &&
	    make_lldpad_write(&l, port, to, has_settings, err))
		return true;
	/*
	 * Otherwise lldpad would write the failed values at the next link change, long after the
	 * rollback.
	 */
	if (lldpad_still_runs(&l) && !lldpad_send_settings(&l, port->id.name, from, false, &quiet))
		host_report(h, PROGRESS_WAIT, port->id.name,
			    "lldpad did not accept the previous settings: %s", quiet.text);
	return false;
}
