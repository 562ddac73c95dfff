// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of DCQCN: the reaction point (protocol 1), the notification point (2), and what is
 * common to both (3). A command changes the fields whose bit it sets in field_select; the bits are
 * those of mlx5_ib's cong.c, where bit 4 of (2) stands for both the priority and its mode, and bit
 * 0 of (3) for the DSCP and whether it is valid.
 */
#include "connectx.h"

enum { PROTOCOL_RP = 1, PROTOCOL_NP = 2, PROTOCOL_GENERAL = 3 };

#define RP(name, select, field, initial) \
	{ name, PROTOCOL_RP, select, __mlx5_bit_off(cong_control_r_roce_ecn_rp, field), \
	  __mlx5_bit_sz(cong_control_r_roce_ecn_rp, field), initial }
#define NP(name, select, field, initial) \
	{ name, PROTOCOL_NP, select, __mlx5_bit_off(cong_control_r_roce_ecn_np, field), \
	  __mlx5_bit_sz(cong_control_r_roce_ecn_np, field), initial }

/* By their names in the driver's debugfs, as adapters come up. */
static const struct {
	const char *name;
	u8 protocol, select;
	u16 at;
	u8 width;
	u32 initial;
} parameters[] = {
	RP("rp_clamp_tgt_rate", 1, clamp_tgt_rate, 0),
	RP("rp_clamp_tgt_rate_ati", 2, clamp_tgt_rate_after_time_inc, 1),
	RP("rp_time_reset", 3, rpg_time_reset, 300),
	RP("rp_byte_reset", 4, rpg_byte_reset, 32767),
	RP("rp_threshold", 5, rpg_threshold, 1),
	RP("rp_max_rate", 6, rpg_max_rate, 0),
	RP("rp_ai_rate", 7, rpg_ai_rate, 5),
	RP("rp_hai_rate", 8, rpg_hai_rate, 50),
	RP("rp_min_dec_fac", 9, rpg_min_dec_fac, 50),
	RP("rp_min_rate", 10, rpg_min_rate, 1),
	RP("rp_rate_to_set_on_first_cnp", 11, rate_to_set_on_first_cnp, 0),
	RP("rp_dce_tcp_g", 12, dce_tcp_g, 1019),
	RP("rp_dce_tcp_rtt", 13, dce_tcp_rtt, 1),
	RP("rp_rate_reduce_monitor_period", 14, rate_reduce_monitor_period, 4),
	RP("rp_initial_alpha_value", 15, initial_alpha_value, 1023),
	RP("rp_gd", 16, rpg_gd, 11),
	NP("np_min_time_between_cnps", 2, min_time_between_cnps, 4),
	NP("np_cnp_dscp", 3, cnp_dscp, 48),
	NP("np_cnp_prio_mode", 4, cnp_prio_mode, 1),
	NP("np_cnp_prio", 4, cnp_802p_prio, 6),
	/* The oldest header has no layout of these. */
	{ "rtt_resp_dscp_valid", PROTOCOL_GENERAL, 0, 0x90, 1, 0 },
	{ "rtt_resp_dscp", PROTOCOL_GENERAL, 0, 0x9a, 6, 0 },
};

static_assert(ARRAY_SIZE(parameters) == FW_CC_PARAMETERS);

static void *values_of(struct fw_port *port, u8 protocol)
{
	switch (protocol) {
	case PROTOCOL_RP:
		return port->rp;
	case PROTOCOL_NP:
		return port->np;
	case PROTOCOL_GENERAL:
		return port->general;
	}
	return NULL;
}

static void set(struct fw_port *port, int i, u32 value)
{
	fw_set_bits(values_of(port, parameters[i].protocol), parameters[i].at, parameters[i].width,
		    value);
}

void fw_congestion_init(struct fw_function *fn)
{
	int i;

	for (i = 0; i < FW_CC_PARAMETERS; i++)
		set(&fn->port, i, parameters[i].initial);
	fn->port.ecn_rp = 0xff;
	fn->port.ecn_np = true;
}

static int find(const char *name)
{
	int i;

	for (i = 0; i < FW_CC_PARAMETERS; i++) {
		if (!strcmp(parameters[i].name, name))
			return i;
	}
	return -EINVAL;
}

int fw_cc_set(struct fw_function *fn, const char *name, u32 value)
{
	int i = find(name);

	if (i < 0)
		return i;
	set(&fn->port, i, value);
	return 0;
}

const char *fw_cc_get(const struct fw_function *fn, unsigned int n, u32 *value)
{
	const __be32 *values;

	if (n >= ARRAY_SIZE(parameters))
		return NULL;
	values = values_of((struct fw_port *)&fn->port, parameters[n].protocol);
	*value = be32_to_cpu(values[parameters[n].at / 32]) >>
		(32 - parameters[n].at % 32 - parameters[n].width) &
		GENMASK(parameters[n].width - 1, 0);
	return parameters[n].name;
}

int fw_cc_limit(struct fw_function *fn, const char *name, u32 most)
{
	int i = find(name);

	if (i < 0)
		return i;
	fn->port.cc_most[i] = most;
	return 0;
}

static int query_params(struct fw_command *cmd)
{
	void *values = values_of(&cmd->fn->port,
				 MLX5_GET(query_cong_params_in, cmd->in, cong_protocol));

	if (!values)
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	memcpy(MLX5_ADDR_OF(query_cong_params_out, cmd->out, congestion_parameters), values,
	       sizeof(cmd->fn->port.rp));
	return MLX5_CMD_STAT_OK;
}

/* One value above its limit refuses the whole command. */
static int modify_params(struct fw_command *cmd)
{
	void *in = MLX5_ADDR_OF(modify_cong_params_in, cmd->in, congestion_parameters);
	u8 protocol = MLX5_GET(modify_cong_params_in, cmd->in, cong_protocol);
	u32 select = MLX5_GET(field_select_r_roce_rp,
			      MLX5_ADDR_OF(modify_cong_params_in, cmd->in, field_select),
			      field_select_r_roce_rp);
	u32 taken = 0, value;
	int i;

	if (!values_of(&cmd->fn->port, protocol))
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	for (i = 0; i < FW_CC_PARAMETERS; i++) {
		u32 most = cmd->fn->port.cc_most[i];

		if (parameters[i].protocol != protocol || !(select & BIT(parameters[i].select)))
			continue;
		value = fw_get_bits(in, parameters[i].at, parameters[i].width);
		if (most && value > most)
			return MLX5_CMD_STAT_BAD_PARAM_ERR;
		taken |= BIT(i);
	}
	for (i = 0; i < FW_CC_PARAMETERS; i++) {
		if (taken & BIT(i))
			set(&cmd->fn->port, i,
			    fw_get_bits(in, parameters[i].at, parameters[i].width));
	}
	return MLX5_CMD_STAT_OK;
}

/* The reaction point has a switch for each priority, the notification point one for all of them. */
static int query_status(struct fw_command *cmd)
{
	u8 prio = MLX5_GET(query_cong_status_in, cmd->in, priority) % FW_PRIOS;
	bool on;

	switch (MLX5_GET(query_cong_status_in, cmd->in, cong_protocol)) {
	case PROTOCOL_RP:
		on = cmd->fn->port.ecn_rp & BIT(prio);
		break;
	case PROTOCOL_NP:
		on = cmd->fn->port.ecn_np;
		break;
	default:
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	}
	MLX5_SET(query_cong_status_out, cmd->out, enable, on);
	return MLX5_CMD_STAT_OK;
}

static int modify_status(struct fw_command *cmd)
{
	u8 bit = BIT(MLX5_GET(modify_cong_status_in, cmd->in, priority) % FW_PRIOS);
	bool on = MLX5_GET(modify_cong_status_in, cmd->in, enable);
	struct fw_port *port = &cmd->fn->port;

	switch (MLX5_GET(modify_cong_status_in, cmd->in, cong_protocol)) {
	case PROTOCOL_RP:
		port->ecn_rp = on ? port->ecn_rp | bit : port->ecn_rp & ~bit;
		return MLX5_CMD_STAT_OK;
	case PROTOCOL_NP:
		port->ecn_np = on;
		return MLX5_CMD_STAT_OK;
	}
	return MLX5_CMD_STAT_BAD_PARAM_ERR;
}

/*
 * The notification point, once in min_time_between_cnps at most. The CNP has its own DSCP; its
 * priority is that of the DSCP where ports trust it, else the one that was set.
 */
void fw_congestion_marked(struct fw_function *fn, struct fw_packet *cnp)
{
	struct fw_port *port = &fn->port;
	ktime_t now = ktime_get();

	port->count.ecn_marked++;
	if (!port->ecn_np || !cnp || ktime_us_delta(now, port->last_cnp) <
	    MLX5_GET(cong_control_r_roce_ecn_np, port->np, min_time_between_cnps))
		return;
	port->last_cnp = now;
	port->count.cnp_sent++;
	cnp->path.dscp = MLX5_GET(cong_control_r_roce_ecn_np, port->np, cnp_dscp);
	cnp->path.prio = MLX5_GET(cong_control_r_roce_ecn_np, port->np, cnp_802p_prio);
	cnp->path.ecn = 0;
	fw_roce_send(cnp);
}

/*
 * The reaction point, much simpler than DCQCN: a CNP halves the rate, which then rises again. The guest
 * carries a thousandth of a link's bytes; these numbers are invented for that.
 */
#define FULL_RATE	16000000	/* bytes a second: from there on no rate limits */
#define LEAST_RATE	1000000
#define RISE		500000
#define RISE_MS		10
#define CUT_MS		4	/* one cut in this time */
#define CREDIT_MS	2	/* unused time beyond that is lost */

void fw_congestion_notified(struct fw_function *fn, u8 prio, struct fw_rate *rate)
{
	ktime_t now = ktime_get();

	if (!(fn->port.ecn_rp & BIT(prio))) {
		fn->port.count.cnp_ignored++;
		return;
	}
	fn->port.count.cnp_handled++;
	if (rate->limit && ktime_ms_delta(now, rate->cut_at) < CUT_MS)
		return;
	rate->limit = max_t(u32, (rate->limit ?: FULL_RATE) / 2, LEAST_RATE);
	rate->cut_at = rate->raised_at = rate->next_at = now;
}

bool fw_congestion_lets(struct fw_rate *rate)
{
	ktime_t now;
	u64 rises;

	if (likely(!rate->limit))
		return true;
	now = ktime_get();
	rises = div_u64(ktime_ms_delta(now, rate->raised_at), RISE_MS);
	rate->raised_at = ktime_add_ms(rate->raised_at, rises * RISE_MS);
	if (rate->limit + rises * RISE >= FULL_RATE) {
		rate->limit = 0;
		return true;
	}
	rate->limit += rises * RISE;
	return !ktime_after(rate->next_at, now);
}

void fw_congestion_spend(struct fw_rate *rate, u32 bytes)
{
	ktime_t from = ktime_sub_ms(ktime_get(), CREDIT_MS);

	if (ktime_after(rate->next_at, from))
		from = rate->next_at;
	rate->next_at = ktime_add_ns(from, div_u64((u64)bytes * NSEC_PER_SEC, rate->limit));
}

int fw_congestion_command(struct fw_command *cmd)
{
	switch (cmd->opcode) {
	case MLX5_CMD_OP_QUERY_CONG_PARAMS:
		return query_params(cmd);
	case MLX5_CMD_OP_MODIFY_CONG_PARAMS:
		return modify_params(cmd);
	case MLX5_CMD_OP_QUERY_CONG_STATUS:
		return query_status(cmd);
	case MLX5_CMD_OP_MODIFY_CONG_STATUS:
		return modify_status(cmd);
	}
	return -ENOENT;
}
