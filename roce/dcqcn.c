/* DCQCN's reaction point: how a sender slows down and recovers. */
#include "../policy/model/setting.h"
#include "cc_params.h"
#include "registry.h"

#define RP(id, debugfs, ofed) \
	{ \
		SETTING_DCQCN_##id, "rp_" debugfs, "roce_rp/" ofed \
	}

static const struct cc_param list[] = {
	RP(CLAMP_TGT_RATE, "clamp_tgt_rate", "clamp_tgt_rate"),
	RP(CLAMP_TGT_RATE_AFTER_TIME_INC, "clamp_tgt_rate_ati", "clamp_tgt_rate_after_time_inc"),
	RP(RPG_TIME_RESET, "time_reset", "rpg_time_reset"),
	RP(RPG_BYTE_RESET, "byte_reset", "rpg_byte_reset"),
	RP(RPG_THRESHOLD, "threshold", "rpg_threshold"),
	RP(RPG_AI_RATE, "ai_rate", "rpg_ai_rate"),
	RP(RPG_MAX_RATE, "max_rate", "rpg_max_rate"),
	RP(RPG_HAI_RATE, "hai_rate", "rpg_hai_rate"),
	RP(RPG_MIN_DEC_FAC, "min_dec_fac", "rpg_min_dec_fac"),
	RP(RPG_MIN_RATE, "min_rate", "rpg_min_rate"),
	RP(RATE_TO_SET_ON_FIRST_CNP, "rate_to_set_on_first_cnp", "rate_to_set_on_first_cnp"),
	RP(DCE_TCP_G, "dce_tcp_g", "dce_tcp_g"),
	RP(DCE_TCP_RTT, "dce_tcp_rtt", "dce_tcp_rtt"),
	RP(RATE_REDUCE_MONITOR_PERIOD, "rate_reduce_monitor_period", "rate_reduce_monitor_period"),
	RP(INITIAL_ALPHA_VALUE, "initial_alpha_value", "initial_alpha_value"),
	RP(RPG_GD, "gd", "rpg_gd"),
};

#define COUNT (sizeof(list) / sizeof(list[0]))

static const struct cc_params in_debugfs = { list, COUNT, BACK_END_DEBUGFS };
static const struct cc_params in_ofed = { list, COUNT, BACK_END_OFED };

#define ALL_DCQCN ((SETTING(SETTING_DCQCN_RPG_GD) << 1) - SETTING(SETTING_DCQCN_CLAMP_TGT_RATE))

static bool dcqcn_read_debugfs(struct host *h, const struct port *port, struct config *out,
			       struct err *err)
{
	return cc_params_read(h, port, &in_debugfs, out, err);
}

static bool dcqcn_write_debugfs(struct host *h, const struct port *port, const struct config *from,
				const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &in_debugfs, from, to, err);
}

static bool dcqcn_read_ofed(struct host *h, const struct port *port, struct config *out,
			    struct err *err)
{
	return cc_params_read(h, port, &in_ofed, out, err);
}

static bool dcqcn_write_ofed(struct host *h, const struct port *port, const struct config *from,
			     const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &in_ofed, from, to, err);
}

const struct feature feature_dcqcn_debugfs = {
	.name = "dcqcn",
	.phase = PHASE_REACT,
	.owns = ALL_DCQCN,
	.source = "debugfs cc_params",
	.read = dcqcn_read_debugfs,
	.write = dcqcn_write_debugfs,
};

const struct feature feature_dcqcn_ofed = {
	.name = "dcqcn",
	.phase = PHASE_REACT,
	.owns = ALL_DCQCN,
	.source = "sysfs ecn/roce_rp",
	.read = dcqcn_read_ofed,
	.write = dcqcn_write_ofed,
};
