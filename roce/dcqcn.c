/* DCQCN's reaction point: how a sender slows down and recovers. */
#include "../policy/model/setting.h"
#include "cc_params.h"
#include "registry.h"

#define DCQCN_PARAMS(ROW) \
	ROW(DCQCN_CLAMP_TGT_RATE, "rp_clamp_tgt_rate", "roce_rp/clamp_tgt_rate") \
	ROW(DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC, "rp_clamp_tgt_rate_ati", \
	    "roce_rp/clamp_tgt_rate_after_time_inc") \
	ROW(DCQCN_RPG_TIME_RESET, "rp_time_reset", "roce_rp/rpg_time_reset") \
	ROW(DCQCN_RPG_BYTE_RESET, "rp_byte_reset", "roce_rp/rpg_byte_reset") \
	ROW(DCQCN_RPG_THRESHOLD, "rp_threshold", "roce_rp/rpg_threshold") \
	ROW(DCQCN_RPG_AI_RATE, "rp_ai_rate", "roce_rp/rpg_ai_rate") \
	ROW(DCQCN_RPG_MAX_RATE, "rp_max_rate", "roce_rp/rpg_max_rate") \
	ROW(DCQCN_RPG_HAI_RATE, "rp_hai_rate", "roce_rp/rpg_hai_rate") \
	ROW(DCQCN_RPG_MIN_DEC_FAC, "rp_min_dec_fac", "roce_rp/rpg_min_dec_fac") \
	ROW(DCQCN_RPG_MIN_RATE, "rp_min_rate", "roce_rp/rpg_min_rate") \
	ROW(DCQCN_RATE_TO_SET_ON_FIRST_CNP, "rp_rate_to_set_on_first_cnp", \
	    "roce_rp/rate_to_set_on_first_cnp") \
	ROW(DCQCN_DCE_TCP_G, "rp_dce_tcp_g", "roce_rp/dce_tcp_g") \
	ROW(DCQCN_DCE_TCP_RTT, "rp_dce_tcp_rtt", "roce_rp/dce_tcp_rtt") \
	ROW(DCQCN_RATE_REDUCE_MONITOR_PERIOD, "rp_rate_reduce_monitor_period", \
	    "roce_rp/rate_reduce_monitor_period") \
	ROW(DCQCN_INITIAL_ALPHA_VALUE, "rp_initial_alpha_value", "roce_rp/initial_alpha_value") \
	ROW(DCQCN_RPG_GD, "rp_gd", "roce_rp/rpg_gd")

static const struct cc_param list[] = { DCQCN_PARAMS(CC_PARAM_ROW) };
static const struct cc_params in_debugfs = { list, COUNT_OF(list), BACK_END_DEBUGFS };
static const struct cc_params in_ofed = { list, COUNT_OF(list), BACK_END_OFED };

#define ALL_DCQCN (DCQCN_PARAMS(CC_PARAM_SETTING) 0)

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
	.phase = PHASE_CONGESTION,
	.owns = ALL_DCQCN,
	.source = "debugfs cc_params",
	.read = dcqcn_read_debugfs,
	.write = dcqcn_write_debugfs,
};

const struct feature feature_dcqcn_ofed = {
	.name = "dcqcn",
	.phase = PHASE_CONGESTION,
	.owns = ALL_DCQCN,
	.source = "sysfs ecn/roce_rp",
	.read = dcqcn_read_ofed,
	.write = dcqcn_write_ofed,
};
