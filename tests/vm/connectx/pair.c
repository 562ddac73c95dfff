// SPDX-License-Identifier: GPL-2.0
/* Queue pairs: what the driver's commands make of their contexts and states. */
#include "connectx.h"

#include <linux/mlx5/qp.h>

#define TAKE(field) MLX5_SET(qpc, qp->context, field, MLX5_GET(qpc, in, field))

static void take_path(struct fw_object *qp, const void *in)
{
	u32 timeout = MLX5_GET(qpc, qp->context, primary_address_path.ack_timeout);

	memcpy(MLX5_ADDR_OF(qpc, qp->context, primary_address_path),
	       MLX5_ADDR_OF(qpc, in, primary_address_path), MLX5_ST_SZ_BYTES(ads));
	if (!MLX5_GET(qpc, in, primary_address_path.ack_timeout))
		MLX5_SET(qpc, qp->context, primary_address_path.ack_timeout, timeout);
}

static void take_access(struct fw_object *qp, const void *in)
{
	TAKE(rre);
	TAKE(rwe);
	TAKE(rae);
}

static void set_counter(struct fw_object *qp, const void *in)
{
	qp->counter_set = MLX5_GET(qpc, in, counter_set_id);
	TAKE(counter_set_id);
}

static void to_ready(struct fw_function *fn, struct fw_object *qp, const void *in)
{
	struct fw_path path;

	take_path(qp, in);
	TAKE(remote_qpn);
	TAKE(mtu);
	TAKE(next_rcv_psn);
	TAKE(min_rnr_nak);
	TAKE(log_rra_max);
	fw_roce_path(qp, &path);
	if (path.qpn)
		fw_roce_trace(fn, qp, &path, "connect");
	qp->transport->expected_psn = MLX5_GET(qpc, qp->context, next_rcv_psn);
}

static void to_send(struct fw_object *qp, const void *in)
{
	struct fw_transport *transport = qp->transport;

	TAKE(next_send_psn);
	TAKE(retry_count);
	TAKE(rnr_retry);
	TAKE(log_sra_max);
	TAKE(primary_address_path.ack_timeout);
	transport->next_psn = MLX5_GET(qpc, qp->context, next_send_psn);
	transport->oldest_psn = transport->next_psn;
	transport->retries = MLX5_GET(qpc, qp->context, retry_count);
	transport->rnr_retries = MLX5_GET(qpc, qp->context, rnr_retry);
}

static void change(struct fw_function *fn, struct fw_object *qp, const void *in, u32 options)
{
	struct fw_path path;

	if (options & MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH) {
		take_path(qp, in);
		fw_roce_path(qp, &path);
		fw_roce_trace(fn, qp, &path, "new path");
	}
	if (options & (MLX5_QP_OPTPAR_RRE | MLX5_QP_OPTPAR_RWE | MLX5_QP_OPTPAR_RAE))
		take_access(qp, in);
	if (options & MLX5_QP_OPTPAR_Q_KEY)
		TAKE(q_key);
	if (options & MLX5_QP_OPTPAR_RNR_TIMEOUT)
		TAKE(min_rnr_nak);
	if (options & MLX5_QP_OPTPAR_COUNTER_SET_ID)
		set_counter(qp, in);
}

int fw_pair_modify(struct fw_command *cmd)
{
	struct fw_object *qp = fw_object_get(cmd->fn, FW_QP,
					     MLX5_GET(init2rtr_qp_in, cmd->in, qpn));
	const void *in = MLX5_ADDR_OF(init2rtr_qp_in, cmd->in, qpc);
	u32 options = MLX5_GET(init2rtr_qp_in, cmd->in, opt_param_mask);

	if (!qp)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	switch (cmd->opcode) {
	case MLX5_CMD_OP_RST2INIT_QP:
	case MLX5_CMD_OP_INIT2INIT_QP:
		TAKE(q_key);
		take_access(qp, in);
		set_counter(qp, in);
		qp->state = MLX5_QP_STATE_INIT;
		break;
	case MLX5_CMD_OP_INIT2RTR_QP:
		to_ready(cmd->fn, qp, in);
		change(cmd->fn, qp, in, options & ~MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH);
		qp->state = MLX5_QP_STATE_RTR;
		break;
	case MLX5_CMD_OP_RTR2RTS_QP:
		to_send(qp, in);
		change(cmd->fn, qp, in, options);
		qp->state = MLX5_QP_STATE_RTS;
		break;
	case MLX5_CMD_OP_RTS2RTS_QP:
	case MLX5_CMD_OP_SQERR2RTS_QP:
		change(cmd->fn, qp, in, options);
		qp->state = MLX5_QP_STATE_RTS;
		break;
	case MLX5_CMD_OP_2ERR_QP:
		qp->state = MLX5_QP_STATE_ERR;
		break;
	case MLX5_CMD_OP_2RST_QP:
		qp->state = MLX5_QP_STATE_RST;
		qp->pi = 0;
		qp->rq_ci = 0;
		memset(qp->transport, 0, sizeof(*qp->transport));
		break;
	}
	MLX5_SET(qpc, qp->context, state, qp->state);
	return MLX5_CMD_STAT_OK;
}
