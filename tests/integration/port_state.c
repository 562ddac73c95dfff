#include "port_state.h"

#include <assert.h>
#include <jansson.h>
#include <linux/dcbnl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model/dscp_map.h"
#include "policy/document/settings_json.h"
#include "policy/model/setting.h"

const char lossless[] =
	"{\"mtu\": 9000, \"dcbx\": {\"mode\": \"host\"}, \"pause\": {\"rx\": false, \"tx\": false},"
	" \"pfc\": {\"priorities\": [3], \"cable_m\": 30, \"storm_timeout_ms\": \"auto\"},"
	" \"buffer\": {\"size_bytes\": [60000,0,0,131072,0,0,0,0], \"prio_buffer\": "
	"[0,0,0,3,0,0,0,0]},"
	" \"maxrate\": {\"tc_mbps\": [0,0,0,0,0,0,0,12345]},"
	" \"vlan\": {\"egress\": {\"v100\": {\"3\": 3, \"6\": 6}}},"
	" \"cnp\": {\"dscp\": 46, \"priority\": 5, \"rtt_resp_dscp\": 46}, \"dcqcn\": "
	"{\"rpg_time_reset_us\": 250},"
	" \"ets\": {\"prio_tc\": [0,0,0,3,0,0,6,0], \"bandwidth\": [50,0,0,50,0,0,0,0],"
	"   \"tsa\": [\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"strict\",\"ets\"]},"
	" \"dscp\": {\"prio\": {\"26\": 3, \"48\": 6}, \"rest\": 0},"
	" \"roce\": {\"mode\": \"v1\", \"tos\": 106}}";

struct config parsed(const char *text)
{
	struct config c = { 0 };
	struct err err = { 0 };
	json_t *j = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	bool ok = j && config_amend(&c, j, NULL, &err) && dscp_complete(&c, &err);

	assert(ok);
	json_decref(j);
	return c;
}

bool go(struct fake *f, const struct config *desired, struct result *ret)
{
	struct observation seen;
	struct plan p;
	struct err err = { 0 };

	*ret = (struct result){ .outcome = OUTCOME_NOT_ATTEMPTED };
	if (!observe(&f->host, fake_features, &f->port, &seen, &err) ||
	    (desired->has & ~seen.actual.has))
		return false;
	plan_make(&p, observation_features(&seen), &f->port, desired, &seen.actual);
	return apply_port(&f->host, fake_features, &f->port, &p, ret);
}

#define CELL 1024

#define PART(field) offsetof(struct hardware, field), sizeof(((struct hardware *)0)->field)

/* Parts of the hardware's state, and their settings. */
static const struct {
	setting_set of;
	size_t at, size;
} parts[] = {
	{ SETTING(SETTING_MTU), PART(mtu) },
	{ SETTING(SETTING_DCBX_MODE), PART(dcbx) },
	{ SETTING(SETTING_PAUSE_RX), PART(pause_rx) },
	{ SETTING(SETTING_PAUSE_TX), PART(pause_tx) },
	{ SETTING(SETTING_PFC_PRIORITIES), PART(pfc) },
	{ SETTING(SETTING_PFC_CABLE_M), PART(cable_m) },
	{ SETTING(SETTING_PFC_STORM_TIMEOUT_MS), PART(storm_ms) },
	{ SETTING(SETTING_BUFFER_SIZE_BYTES), PART(buffer_size) },
	{ SETTING(SETTING_BUFFER_PRIO_BUFFER), PART(prio_buffer) },
	{ SETTING(SETTING_ETS_PRIO_TC), PART(prio_tc) },
	{ SETTING(SETTING_ETS_TSA), PART(tsa) },
	{ SETTING(SETTING_ETS_BANDWIDTH), PART(bw) },
	{ SETTING(SETTING_MAXRATE_TC_MBPS), PART(maxrate) },
	{ SETTING(SETTING_TRUST), PART(trusts_dscp) }, /* the kernel lists only entries */
	{ SETTING(SETTING_DSCP_PRIO), PART(entry) },
	{ SETTING(SETTING_DSCP_PRIO), PART(dscp2prio) },
	{ SETTING(SETTING_VLAN_EGRESS), PART(egress) },
	{ SETTING(SETTING_CNP_RTT_RESP_DSCP), PART(cc[CC_RTT_VALID]) },
	{ SETTING(SETTING_ROCE_MODE), PART(roce_mode) },
	{ SETTING(SETTING_ROCE_TOS), PART(roce_tos) },
};

/* Keeps only the state that can be read and rolled back. */
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
	if (!out.cc[CC_RTT_VALID])
		out.cc[CC_RTT_DSCP] = 0;
	return out;
}

setting_set hardware_differs(const struct hardware *now, const struct hardware *then)
{
	struct hardware a = readable(now), b = readable(then);
	setting_set differ = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (memcmp((char *)&a + parts[i].at, (char *)&b + parts[i].at, parts[i].size) != 0)
			differ |= parts[i].of;
	for (size_t i = 0; i < CC_COUNT; i++)
		if (a.cc[i] != b.cc[i])
			differ |= SETTING(fake_param_setting(i));
	/* CNPs do not take it in mode 1, and no write restores it. */
	if (a.cc[CC_NP_CNP_PRIO_MODE] && b.cc[CC_NP_CNP_PRIO_MODE])
		differ &= ~SETTING(SETTING_CNP_PRIORITY);
	return differ;
}

bool hardware_is(const struct hardware *now, const struct hardware *before)
{
	return !hardware_differs(now, before);
}

static void set_dscps(struct hardware *hw, const struct config *desired)
{
	hw->count = 0;
	for (int d = 0; d < DSCPS; d++) {
		hw->entry[d] = desired->dscp.prio[d];
		hw->dscp2prio[d] = hw->entry[d] == DSCP_NONE ? 0 : (uint8_t)hw->entry[d];
		hw->count += hw->entry[d] != DSCP_NONE;
	}
	hw->trusts_dscp = hw->count > 0;
}

/* The driver's steps: 100 Mb/s below 25.5 Gb/s, 1 Gb/s above, and never down to "no limit". */
static uint64_t limited(uint64_t mbps)
{
	uint64_t step = mbps <= 25500 ? 100 : 1000;

	return (mbps && mbps < step ? step : mbps / step * step) * 1000;
}

static void set_arrays(struct hardware *hw, const struct config *desired)
{
	static const uint8_t code[] = { 0, 1, 2, 255 };

	for (int i = 0; i < 8; i++) {
		hw->prio_tc[i] = desired->ets.prio_tc[i];
		hw->tsa[i] = code[desired->ets.tsa[i]];
		hw->bw[i] = desired->ets.bandwidth[i];
		hw->buffer_size[i] = desired->buffer.size_bytes[i] / 128 * 128;
		hw->prio_buffer[i] = desired->buffer.prio_buffer[i];
		hw->maxrate[i] = limited(desired->maxrate.tc_mbps[i]);
		hw->egress[i] = desired->vlan.egress[0].pcp[i];
	}
}

struct hardware hardware_of(const struct config *desired)
{
	unsigned storm = desired->pfc.storm_timeout_ms;
	struct hardware hw = { .dcbx = DCB_CAP_DCBX_HOST,
			       .mtu = desired->mtu,
			       .pause_rx = desired->pause.rx,
			       .pause_tx = desired->pause.tx,
			       .pfc = desired->pfc.priorities,
			       .cable_m = desired->pfc.cable_m,
			       .storm_ms = (uint16_t)(storm == STORM_AUTO ? 100 : storm),
			       .roce_mode = desired->roce.mode,
			       .roce_tos = desired->roce.tos,
			       .written = true };

	set_dscps(&hw, desired);
	set_arrays(&hw, desired);
	for (size_t i = 0; i < CC_COUNT; i++)
		hw.cc[i] = (uint32_t)setting_element(&settings[fake_param_setting(i)], desired, 0);
	hw.cc[CC_RTT_VALID] = desired->cnp.rtt_resp_dscp != RTT_RESP_DSCP_UNSET;
	if (!hw.cc[CC_RTT_VALID])
		hw.cc[CC_RTT_DSCP] = 0;
	return hw;
}

bool hardware_has(const struct hardware *hw, const struct config *desired)
{
	struct hardware all = hardware_of(desired);

	return !(hardware_differs(hw, &all) & desired->has);
}

/*
 * Sizes within one cell of the policy's are in sync (policy/model/setting_table.def), so none of
 * them was written. A written size is exact.
 */
static bool sizes_were_left(const struct hardware *now, const struct hardware *before,
			    const struct config *desired)
{
	for (int i = 0; i < 8; i++)
		if (now->buffer_size[i] != before->buffer_size[i] ||
		    labs((long)now->buffer_size[i] - (long)desired->buffer.size_bytes[i]) >= CELL)
			return false;
	return true;
}

static bool is_applied(const struct hardware *now, const struct hardware *before,
		       const struct config *desired)
{
	struct config rest = *desired;

	if (sizes_were_left(now, before, desired))
		rest.has &= ~SETTING(SETTING_BUFFER_SIZE_BYTES);
	return hardware_has(now, &rest);
}

const char *false_claim(const struct hardware *now, const struct hardware *before,
			const struct config *desired, const struct result *r)
{
	setting_set changed = hardware_differs(now, before);

	switch (r->outcome) {
	case OUTCOME_UNCHANGED:
	case OUTCOME_APPLIED:
	case OUTCOME_ROLLED_BACK:
	case OUTCOME_AWAITING:
		return is_applied(now, before, desired) ? NULL
							: "it is called applied, and it is not";
	case OUTCOME_NOT_ATTEMPTED:
	case OUTCOME_REFUSED:
		return changed ? "it is called untouched, and it is not" : NULL;
	case OUTCOME_FAILED:
		return changed ? "it is called rolled back, and it is not" : NULL;
	case OUTCOME_ROLLBACK_FAILED:
		return changed & ~r->not_rolled_back
			       ? "a setting that was not rolled back is not named"
			       : NULL;
	}
	return "it has no outcome";
}
