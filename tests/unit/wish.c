#include "wish.h"

#include <assert.h>
#include <jansson.h>
#include <linux/dcbnl.h>
#include <string.h>

#include "../../policy/dscp.h"
#include "../../policy/json.h"
#include "../../policy/knob.h"

const char lossless[] =
	"{\"mtu\": 9000, \"dcbx\": {\"mode\": \"host\"}, \"pause\": {\"rx\": false, \"tx\": false},"
	" \"pfc\": {\"priorities\": [3], \"cable_m\": 30, \"storm_timeout_ms\": \"auto\"},"
	" \"buffer\": {\"size_bytes\": [60000,0,0,131072,0,0,0,0], \"prio_buffer\": "
	"[0,0,0,3,0,0,0,0]},"
	" \"maxrate\": {\"tc_mbps\": [0,0,0,0,0,0,0,12345]},"
	" \"vlan\": {\"egress\": {\"v100\": {\"3\": 3, \"6\": 6}}},"
	" \"cnp\": {\"dscp\": 46, \"priority\": 5}, \"dcqcn\": {\"rpg_time_reset_us\": 250},"
	" \"ets\": {\"prio_tc\": [0,0,0,3,0,0,6,0], \"bandwidth\": [50,0,0,50,0,0,0,0],"
	"   \"tsa\": [\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"strict\",\"ets\"]},"
	" \"dscp\": {\"prio\": {\"26\": 3, \"48\": 6}, \"rest\": 0},"
	" \"roce\": {\"mode\": \"v1\", \"tos\": 106}}";

struct config wish(const char *text)
{
	struct config c = { 0 };
	struct err err = { 0 };
	json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	bool ok = j && config_amend(&c, j, NULL, &err) && dscp_complete(&c, &err);

	assert(ok);
	json_decref(j);
	return c;
}

bool go(struct fake *f, const struct config *want, struct result *ret)
{
	struct observation seen;
	struct plan p;
	struct err err = { 0 };

	*ret = (struct result){ .outcome = OUTCOME_NOT_REACHED };
	if (!observe(&f->host, fake_features, &f->port, &seen, &err) ||
	    (want->has & ~seen.have.has))
		return false;
	plan_make(&p, observation_features(&seen), want, &seen.have);
	return plan_apply(&f->host, fake_features, &f->port, &p, ret);
}

static bool ets_has(const struct hardware *hw, const struct config *want)
{
	static const uint8_t code[] = { 0, 1, 2, 255 };

	for (int i = 0; i < 8; i++)
		if (hw->prio_tc[i] != want->ets.prio_tc[i] ||
		    hw->tsa[i] != code[want->ets.tsa[i]] ||
		    (hw->tsa[i] == 2 && hw->bw[i] != want->ets.bandwidth[i]))
			return false;
	return true;
}

static bool rest_has(const struct hardware *hw, const struct config *want)
{
	unsigned storm = want->pfc.storm_timeout_ms;

	for (int i = 0; i < 8; i++)
		if (hw->buffer_size[i] != want->buffer.size_bytes[i] / 128 * 128 ||
		    hw->prio_buffer[i] != want->buffer.prio_buffer[i] ||
		    hw->maxrate[i] !=
			    knobs[KNOB_MAXRATE_TC_MBPS].becomes(want->maxrate.tc_mbps[i]) *
				    1000ull ||
		    hw->egress[i] != want->vlan.egress[0].pcp[i])
			return false;
	return hw->storm_ms == (storm == STORM_AUTO ? 100 : storm) &&
	       hw->cc[CC_CNP_PRIO] == want->cnp.priority && hw->cc[CC_CNP_PRIO_MODE] == 1;
}

bool hardware_has(const struct hardware *hw, const struct config *want)
{
	if (!rest_has(hw, want))
		return false;
	for (int d = 0; d < DSCPS; d++)
		if (hw->entry[d] != want->dscp.prio[d] || hw->dscp2prio[d] != want->dscp.prio[d])
			return false;
	return hw->mtu == want->mtu && (hw->dcbx & DCB_CAP_DCBX_HOST) &&
	       hw->pause_rx == want->pause.rx && hw->pause_tx == want->pause.tx &&
	       hw->pfc == want->pfc.priorities && hw->cable_m == want->pfc.cable_m &&
	       ets_has(hw, want) && hw->trusts_dscp && hw->count == DSCPS &&
	       hw->roce_mode == want->roce.mode && hw->roce_tos == want->roce.tos;
}

static struct hardware readable(const struct hardware *hw)
{
	struct hardware out = *hw;

	out.dcbx &= DCB_CAP_DCBX_HOST;
	for (int d = 0; d < DSCPS; d++)
		if (out.entry[d] == DSCP_NONE)
			out.dscp2prio[d] = 0;
	for (int i = 0; i < 8; i++)
		if (out.tsa[i] != IEEE_8021QAZ_TSA_ETS)
			out.bw[i] = 0;
	return out;
}

bool hardware_is(const struct hardware *now, const struct hardware *before)
{
	struct hardware a = readable(now), b = readable(before);

	return a.dcbx == b.dcbx && a.mtu == b.mtu && a.pause_rx == b.pause_rx &&
	       a.pause_tx == b.pause_tx && a.pfc == b.pfc && a.cable_m == b.cable_m &&
	       a.trusts_dscp == b.trusts_dscp && a.count == b.count && a.roce_mode == b.roce_mode &&
	       a.roce_tos == b.roce_tos && memcmp(a.prio_tc, b.prio_tc, 8) == 0 &&
	       memcmp(a.tsa, b.tsa, 8) == 0 && memcmp(a.bw, b.bw, 8) == 0 &&
	       memcmp(a.buffer_size, b.buffer_size, sizeof(a.buffer_size)) == 0 &&
	       memcmp(a.prio_buffer, b.prio_buffer, 8) == 0 &&
	       memcmp(a.maxrate, b.maxrate, sizeof(a.maxrate)) == 0 && a.storm_ms == b.storm_ms &&
	       memcmp(a.cc, b.cc, sizeof(a.cc)) == 0 && memcmp(a.egress, b.egress, 8) == 0 &&
	       memcmp(a.entry, b.entry, DSCPS) == 0 && memcmp(a.dscp2prio, b.dscp2prio, DSCPS) == 0;
}
