/* DCQCN's notification point: the CNPs that tell senders to slow down. */
#include "../policy/model/setting.h"
#include "cc_params.h"
#include "registry.h"

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

#define PAIR (SETTING(SETTING_CNP_PRIORITY) | SETTING(SETTING_CNP_PRIORITY_MODE))

static bool pair_differs(const struct config *a, const struct config *b)
{
	return a->cnp.priority != b->cnp.priority || a->cnp.priority_mode != b->cnp.priority_mode;
}

/*
 * One select bit stands for priority and mode, and mlx5_ib sends 0 for the one that a file is not
 * about (cong.c): debugfs reaches each priority with mode 0, and mode 1 with priority 0. Adapters
 * start with mode 1 and another priority.
 */
static bool pair_is_writable(const struct config *c)
{
	return !c->cnp.priority_mode || !c->cnp.priority;
}

/* Writes one file for both: that of the mode if the mode is 1, else that of the priority. */
static bool cnp_write_debugfs(struct host *h, const struct port *port, const struct config *from,
			      const struct config *to, struct err *err)
{
	struct config now = *from;

	if (pair_differs(from, to)) {
		now.cnp.priority = to->cnp.priority ^ !to->cnp.priority_mode;
		now.cnp.priority_mode = 0;
	}
	return cc_params_write(h, port, &in_debugfs, &now, to, err);
}

/*
 * A new priority clears the mode. What firmware makes of the priority 0 that is sent along with
 * mode 1 is not known.
 */
static void cnp_side_effects(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after)
{
	(void)port;
	if (!pair_differs(from, to) || pair_is_writable(to))
		return;
	if (from->cnp.priority_mode)
		after->cnp.priority_mode = 0;
	else
		after->has &= ~SETTING(SETTING_CNP_PRIORITY);
}

static setting_set cnp_risks(const struct config *from, const struct config *to)
{
	return pair_differs(from, to) ? PAIR : 0;
}

/* Rather the mode than the priority, which only mode 0 takes. */
static setting_set cnp_unreachable(const struct config *actual, const struct config *back,
				   setting_set keep)
{
	if ((back->has & PAIR) != PAIR || pair_is_writable(back) ||
	    !(config_diff(back, actual) & PAIR))
		return 0;
	return SETTING(keep & SETTING(SETTING_CNP_PRIORITY) ? SETTING_CNP_PRIORITY_MODE
							    : SETTING_CNP_PRIORITY);
}

static const char *cnp_irreversible(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)port;
	return pair_differs(from, to) && !pair_is_writable(from)
		       ? "the driver cannot write cnp.priority_mode 1 with a priority: rollback "
			 "restores the mode, and only a cold start of the adapter the priority"
		       : NULL;
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
	.phase = PHASE_CONGESTION,
	.owns = ALL_CNP,
	.source = "debugfs cc_params",
	.read = cnp_read_debugfs,
	.write = cnp_write_debugfs,
	.side_effects = cnp_side_effects,
	.risks = cnp_risks,
	.irreversible = cnp_irreversible,
	.unreachable = cnp_unreachable,
};

const struct feature feature_cnp_ofed = {
	.name = "cnp",
	.phase = PHASE_CONGESTION,
	.owns = ALL_CNP,
	.source = "sysfs ecn/roce_np",
	.read = cnp_read_ofed,
	.write = cnp_write_ofed,
};
