/* DCQCN's notification point: the CNPs that tell senders to slow down. */
#include "../policy/model/setting.h"
#include "cc_params.h"
#include "registry.h"

/* Priority before mode: mlx5 clears the mode when the priority is written (cong.c). */
#define CNP_PARAMS(ROW) \
	ROW(CNP_PRIORITY, "np_cnp_prio", "roce_np/cnp_802p_prio") \
	ROW(CNP_PRIORITY_MODE, "np_cnp_prio_mode", NULL) \
	ROW(CNP_DSCP, "np_cnp_dscp", "roce_np/cnp_dscp") \
	ROW(CNP_MIN_INTERVAL_US, "np_min_time_between_cnps", "roce_np/min_time_between_cnps")

/* The two files of one parameter (cong.c). */
static const struct cc_param list[] = { CNP_PARAMS(CC_PARAM_ROW){
	SETTING_CNP_RTT_RESP_DSCP, "rtt_resp_dscp", NULL, "rtt_resp_dscp_valid" } };
static const struct cc_params in_debugfs = { list, COUNT_OF(list), BACK_END_DEBUGFS };
static const struct cc_params in_ofed = { list, COUNT_OF(list), BACK_END_OFED };

#define ALL_CNP (CNP_PARAMS(CC_PARAM_SETTING) SETTING(SETTING_CNP_RTT_RESP_DSCP))

static bool cnp_read_debugfs(struct host *h, const struct port *port, struct config *out,
			     struct err *err)
{
	return cc_params_read(h, port, &in_debugfs, out, err);
}

static bool cnp_write_debugfs(struct host *h, const struct port *port, const struct config *from,
			      const struct config *to, struct err *err)
{
	struct config now = *from;

	if (from->cnp.priority != to->cnp.priority)
		now.cnp.priority_mode = 0;
	return cc_params_write(h, port, &in_debugfs, &now, to, err);
}

static setting_set mode_at_risk(const struct port *port, const struct config *from,
				const struct config *to)
{
	(void)port;
	return from->cnp.priority != to->cnp.priority ? SETTING(SETTING_CNP_PRIORITY_MODE) : 0;
}

static bool cnp_read_ofed(struct host *h, const struct port *port, struct config *out,
			  struct err *err)
{
	return cc_params_read(h, port, &in_ofed, out, err);
}

static bool cnp_write_ofed(struct host *h, const struct port *port, const struct config *from,
			   const struct config *to, struct err *err)
{
	return cc_params_write(h, port, &in_ofed, from, to, err);
}

const struct feature feature_cnp_debugfs = {
	.name = "cnp",
	.phase = PHASE_REACT,
	.owns = ALL_CNP,
	.source = "debugfs cc_params",
	.read = cnp_read_debugfs,
	.write = cnp_write_debugfs,
	.risks = mode_at_risk,
};

const struct feature feature_cnp_ofed = {
	.name = "cnp",
	.phase = PHASE_REACT,
	.owns = ALL_CNP,
	.source = "sysfs ecn/roce_np",
	.read = cnp_read_ofed,
	.write = cnp_write_ofed,
};
