/* What mlx5 keeps outside DCB: congestion control files, the storm timeout, and VLAN devices. */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/model/setting.h"
#include "fake.h"

#define CC_PARAMS "/sys/kernel/debug/mlx5/0000:01:00.0/cc_params/"

/* In the order of struct hardware's cc, as they come. */
static const struct {
	const char *name;
	uint32_t comes_as;
	unsigned setting;
} params[CC_COUNT] = {
	[CC_CNP_PRIO] = { "np_cnp_prio", 6, SETTING_CNP_PRIORITY },
	[CC_CNP_PRIO_MODE] = { "np_cnp_prio_mode", 1, SETTING_CNP_PRIORITY_MODE },
	{ "np_cnp_dscp", 48, SETTING_CNP_DSCP },
	{ "np_min_time_between_cnps", 4, SETTING_CNP_MIN_INTERVAL_US },
	{ "rp_clamp_tgt_rate", 0, SETTING_DCQCN_CLAMP_TGT_RATE },
	{ "rp_clamp_tgt_rate_ati", 1, SETTING_DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC },
	{ "rp_time_reset", 300, SETTING_DCQCN_RPG_TIME_RESET },
	{ "rp_byte_reset", 32767, SETTING_DCQCN_RPG_BYTE_RESET },
	{ "rp_threshold", 1, SETTING_DCQCN_RPG_THRESHOLD },
	{ "rp_ai_rate", 5, SETTING_DCQCN_RPG_AI_RATE },
	{ "rp_max_rate", 0, SETTING_DCQCN_RPG_MAX_RATE },
	{ "rp_hai_rate", 50, SETTING_DCQCN_RPG_HAI_RATE },
	{ "rp_min_dec_fac", 50, SETTING_DCQCN_RPG_MIN_DEC_FAC },
	{ "rp_min_rate", 1, SETTING_DCQCN_RPG_MIN_RATE },
	{ "rp_rate_to_set_on_first_cnp", 0, SETTING_DCQCN_RATE_TO_SET_ON_FIRST_CNP },
	{ "rp_dce_tcp_g", 1019, SETTING_DCQCN_DCE_TCP_G },
	{ "rp_dce_tcp_rtt", 1, SETTING_DCQCN_DCE_TCP_RTT },
	{ "rp_rate_reduce_monitor_period", 4, SETTING_DCQCN_RATE_REDUCE_MONITOR_PERIOD },
	{ "rp_initial_alpha_value", 1023, SETTING_DCQCN_INITIAL_ALPHA_VALUE },
	{ "rp_gd", 11, SETTING_DCQCN_RPG_GD },
};

void fake_params_power_on(struct hardware *hw)
{
	for (size_t i = 0; i < CC_COUNT; i++)
		hw->cc[i] = params[i].comes_as;
	hw->storm_ms = 8000;
	hw->buffer_size[0] = 262016;
	hw->egress[3] = 3;
}

unsigned fake_param_setting(size_t i)
{
	return params[i].setting;
}

uint32_t *fake_param(struct fake *f, const char *path)
{
	for (size_t i = 0; i < CC_COUNT; i++)
		if (strncmp(path, CC_PARAMS, sizeof(CC_PARAMS) - 1) == 0 &&
		    strcmp(path + sizeof(CC_PARAMS) - 1, params[i].name) == 0)
			return &f->hw.cc[i];
	return NULL;
}

void fake_param_write(struct fake *f, uint32_t *param, const char *value)
{
	*param = (uint32_t)strtoul(value, NULL, 0);
	if (param == &f->hw.cc[CC_CNP_PRIO])
		f->hw.cc[CC_CNP_PRIO_MODE] = 0;
}

static bool refused(struct fake *f, struct err *err)
{
	return err_set(err, host_err_kind(f->code), f->code, "%s", strerror(f->code));
}

bool fake_ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct fake *f = (struct fake *)h;
	struct ethtool_tunable header;
	char *value = (char *)command + sizeof(header);
	uint16_t ms;
	bool fails;

	(void)port;
	memcpy(&header, command, sizeof(header));
	fails = fake_fails(f, header.cmd == ETHTOOL_STUNABLE);
	if (header.cmd == ETHTOOL_GTUNABLE) {
		memcpy(value, &f->hw.storm_ms, sizeof(f->hw.storm_ms));
		return !fails || f->fault == FAULT_DEAF || refused(f, err);
	}
	memcpy(&ms, value, sizeof(ms));
	if (ms != 0 && ms != PFC_STORM_PREVENTION_AUTO && (ms < 80 || ms > 8000))
		return err_set(err, ERR_SYSTEM, EINVAL, "Invalid argument");
	if (!fails || f->fault == FAULT_LOST)
		f->hw.storm_ms = ms == PFC_STORM_PREVENTION_AUTO ? 100 : ms;
	return !fails || f->fault == FAULT_DEAF || refused(f, err);
}

bool fake_vlans(struct host *h, unsigned lower, struct vlan_list *ret, struct err *err)
{
	struct fake *f = (struct fake *)h;

	(void)lower;
	*ret = (struct vlan_list){ .vlans = { { .ifindex = 3, .map = { .name = "v100" } } },
				   .count = 1 };
	memcpy(ret->vlans[0].map.pcp, f->hw.egress, sizeof(f->hw.egress));
	return !fake_fails(f, false) || f->fault == FAULT_DEAF || refused(f, err);
}

bool fake_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err)
{
	struct fake *f = (struct fake *)h;
	bool fails = fake_fails(f, true);

	if (vlan != 3)
		return err_set(err, ERR_GONE, ENODEV, "no such device");
	if (!fails || f->fault == FAULT_LOST)
		f->hw.egress[prio] = pcp;
	return !fails || f->fault == FAULT_DEAF || refused(f, err);
}
