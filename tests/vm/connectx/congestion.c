// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of DCQCN: the reaction point (protocol 1), the notification point (2), and what is
 * common to both (3). A command changes the fields whose bit it sets in field_select; the bits are
 * those of mlx5_ib's cong.c, where bit 4 of (2) stands for both the priority and its mode, and bit
 * 0 of (3) for the DSCP and whether it is valid.
 */
#include "connectx.h"

enum { PROTOCOL_RP = 1, PROTOCOL_NP = 2, PROTOCOL_GENERAL = 3 };

#define TAKE_RP(bit, field) do { \
	if (select & BIT(bit)) \
		MLX5_SET(cong_control_r_roce_ecn_rp, fn->port.rp, field, \
			 MLX5_GET(cong_control_r_roce_ecn_rp, in, field)); \
} while (0)
#define TAKE_NP(bit, field) do { \
	if (select & BIT(bit)) \
		MLX5_SET(cong_control_r_roce_ecn_np, fn->port.np, field, \
			 MLX5_GET(cong_control_r_roce_ecn_np, in, field)); \
} while (0)

/* As adapters come up. */
void fw_congestion_init(struct fw_function *fn)
{
	void *rp = fn->port.rp, *np = fn->port.np;

	MLX5_SET(cong_control_r_roce_ecn_rp, rp, clamp_tgt_rate, 0);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, clamp_tgt_rate_after_time_inc, 1);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_time_reset, 300);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_byte_reset, 32767);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_threshold, 1);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_max_rate, 0);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_ai_rate, 5);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_hai_rate, 50);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_gd, 11);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_min_dec_fac, 50);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rpg_min_rate, 1);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, dce_tcp_g, 1019);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, dce_tcp_rtt, 1);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, rate_reduce_monitor_period, 4);
	MLX5_SET(cong_control_r_roce_ecn_rp, rp, initial_alpha_value, 1023);
	MLX5_SET(cong_control_r_roce_ecn_np, np, min_time_between_cnps, 4);
	MLX5_SET(cong_control_r_roce_ecn_np, np, cnp_dscp, 48);
	MLX5_SET(cong_control_r_roce_ecn_np, np, cnp_prio_mode, 1);
	MLX5_SET(cong_control_r_roce_ecn_np, np, cnp_802p_prio, 6);
	memset(fn->port.cc_enable, 1, sizeof(fn->port.cc_enable));
}

static int modify_rp(struct fw_function *fn, void *in, u32 select)
{
	TAKE_RP(1, clamp_tgt_rate);
	TAKE_RP(2, clamp_tgt_rate_after_time_inc);
	TAKE_RP(3, rpg_time_reset);
	TAKE_RP(4, rpg_byte_reset);
	TAKE_RP(5, rpg_threshold);
	TAKE_RP(6, rpg_max_rate);
	TAKE_RP(7, rpg_ai_rate);
	TAKE_RP(8, rpg_hai_rate);
	TAKE_RP(9, rpg_min_dec_fac);
	TAKE_RP(10, rpg_min_rate);
	TAKE_RP(11, rate_to_set_on_first_cnp);
	TAKE_RP(12, dce_tcp_g);
	TAKE_RP(13, dce_tcp_rtt);
	TAKE_RP(14, rate_reduce_monitor_period);
	TAKE_RP(15, initial_alpha_value);
	TAKE_RP(16, rpg_gd);
	return MLX5_CMD_STAT_OK;
}

static int modify_np(struct fw_function *fn, void *in, u32 select)
{
	TAKE_NP(2, min_time_between_cnps);
	TAKE_NP(3, cnp_dscp);
	TAKE_NP(4, cnp_prio_mode);
	TAKE_NP(4, cnp_802p_prio);
	return MLX5_CMD_STAT_OK;
}

static int query_params(struct fw_command *cmd)
{
	void *out = MLX5_ADDR_OF(query_cong_params_out, cmd->out, congestion_parameters);

	switch (MLX5_GET(query_cong_params_in, cmd->in, cong_protocol)) {
	case PROTOCOL_RP:
		memcpy(out, cmd->fn->port.rp, sizeof(cmd->fn->port.rp));
		return MLX5_CMD_STAT_OK;
	case PROTOCOL_NP:
		memcpy(out, cmd->fn->port.np, sizeof(cmd->fn->port.np));
		return MLX5_CMD_STAT_OK;
	case PROTOCOL_GENERAL:
		memcpy(out, cmd->fn->port.general, sizeof(cmd->fn->port.general));
		return MLX5_CMD_STAT_OK;
	default:
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	}
}

static int modify_params(struct fw_command *cmd)
{
	void *in = MLX5_ADDR_OF(modify_cong_params_in, cmd->in, congestion_parameters);
	u32 select = MLX5_GET(field_select_r_roce_rp,
			      MLX5_ADDR_OF(modify_cong_params_in, cmd->in, field_select),
			      field_select_r_roce_rp);

	switch (MLX5_GET(modify_cong_params_in, cmd->in, cong_protocol)) {
	case PROTOCOL_RP:
		return modify_rp(cmd->fn, in, select);
	case PROTOCOL_NP:
		return modify_np(cmd->fn, in, select);
	case PROTOCOL_GENERAL:
		if (select & BIT(0))	/* the dword with both fields */
			memcpy(cmd->fn->port.general + 0x10, in + 0x10, 4);
		return MLX5_CMD_STAT_OK;
	default:
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	}
}

/*
 * The notification point, once in min_time_between_cnps at most. The CNP has its own DSCP; its
 * priority is that of the DSCP where ports trust it, else the one that was set.
 */
void fw_congestion_packets(struct fw_function *from, struct fw_function *to, u64 packets)
{
	void *np = to->port.np;
	u64 marked;
	u8 dscp, prio, tx, rx;

	if (!to->port.mark_every)
		return;
	packets += to->port.unmarked;
	marked = div_u64_rem(packets, to->port.mark_every, &to->port.unmarked);
	to->port.count.ecn_marked += marked;
	if (!marked || ktime_us_delta(ktime_get(), to->port.last_cnp) <
	    MLX5_GET(cong_control_r_roce_ecn_np, np, min_time_between_cnps))
		return;
	to->port.last_cnp = ktime_get();
	dscp = MLX5_GET(cong_control_r_roce_ecn_np, np, cnp_dscp);
	prio = MLX5_GET(cong_control_r_roce_ecn_np, np, cnp_802p_prio);
	tx = to->port.trust == 2 ? to->port.dscp_prio[dscp] & 7 : prio;
	rx = from->port.trust == 2 ? from->port.dscp_prio[dscp] & 7 : 0;
	fw_count_rdma(to, from, tx, rx, 1, 14 + 20 + 8 + 12 + 16 + 4 + 4);
	to->port.count.cnp_sent++;
	from->port.count.cnp_handled++;
}

int fw_congestion_command(struct fw_command *cmd)
{
	switch (cmd->opcode) {
	case MLX5_CMD_OP_QUERY_CONG_PARAMS:
		return query_params(cmd);
	case MLX5_CMD_OP_MODIFY_CONG_PARAMS:
		return modify_params(cmd);
	}
	return -ENOENT;
}
