// SPDX-License-Identifier: GPL-2.0
/* PFC, pause, classes, shares and rates, trust, DCBX. */
#include "connectx.h"

void fw_qos_init(struct fw_port *port)
{
	int i;

	port->pptx = port->pprx = 1;
	port->stall_critical = 8000;
	port->stall_minor = 6800;
	port->trust = 1;
	for (i = 0; i < FW_PRIOS; i++) {
		port->prio_tc[i] = i == 0 ? 1 : i == 1 ? 0 : i;
		port->tc[i].group = i;
		port->tc[i].bw = 100;
	}
	for (i = 0; i < 64; i++)
		port->dscp_prio[i] = i >> 3;
	MLX5_SET(dcbx_param, port->dcbx, dcbx_cee_cap, 1);
	MLX5_SET(dcbx_param, port->dcbx, dcbx_ieee_cap, 1);
	MLX5_SET(dcbx_param, port->dcbx, max_application_table_size, 16);
	MLX5_SET(dcbx_param, port->dcbx, version_oper, 0);	/* the host's */
	MLX5_SET(dcbx_param, port->dcbx, num_of_tc_oper, 8);
}

static bool pause_meets_pfc(const struct fw_port *port, void *in)
{
	bool pause = (MLX5_GET(pfcc_reg, in, pptx) && !MLX5_GET(pfcc_reg, in, pptx_mask_n)) ||
		     (MLX5_GET(pfcc_reg, in, pprx) && !MLX5_GET(pfcc_reg, in, pprx_mask_n));

	return pause && (port->pfctx || port->pfcrx);
}

/* A firmware without PFC has no use for its masks, nor one without pause for those bits. */
static bool refused(struct fw_function *fn, void *in, bool write)
{
	if (!write)
		return false;
	if (MLX5_GET(pfcc_reg, in, prio_mask_tx) || MLX5_GET(pfcc_reg, in, prio_mask_rx))
		return fw_refuses(fn, FW_PFC);
	if (MLX5_GET(pfcc_reg, in, pptx_mask_n))
		return false;
	return fw_refuses(fn, FW_PAUSE) ||
		(pause_meets_pfc(&fn->port, in) && fn->port.pause_policy == FW_PAUSE_IS_REFUSED);
}

/* PFC by its masks; pause unless the "mask_n" bits protect it. */
static int reg_pfcc(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port;
	u8 mask;

	if (refused(fn, in, write))
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	if (write) {
		if (pause_meets_pfc(port, in) && port->pause_policy == FW_PAUSE_ENDS_PFC)
			port->pfctx = port->pfcrx = 0;
		if (!MLX5_GET(pfcc_reg, in, pptx_mask_n))
			port->pptx = MLX5_GET(pfcc_reg, in, pptx);
		if (!MLX5_GET(pfcc_reg, in, pprx_mask_n))
			port->pprx = MLX5_GET(pfcc_reg, in, pprx);
		mask = MLX5_GET(pfcc_reg, in, prio_mask_tx);
		port->pfctx = (port->pfctx & ~mask) | (MLX5_GET(pfcc_reg, in, pfctx) & mask);
		mask = MLX5_GET(pfcc_reg, in, prio_mask_rx);
		port->pfcrx = (port->pfcrx & ~mask) | (MLX5_GET(pfcc_reg, in, pfcrx) & mask);
		if (MLX5_GET(pfcc_reg, in, critical_stall_mask))
			port->stall_critical = MLX5_GET(pfcc_reg, in, device_stall_critical_watermark);
		if (MLX5_GET(pfcc_reg, in, minor_stall_mask))
			port->stall_minor = MLX5_GET(pfcc_reg, in, device_stall_minor_watermark);
		fw_buffer_lay(port);
	}
	MLX5_SET(pfcc_reg, out, local_port, 1);
	MLX5_SET(pfcc_reg, out, pptx, port->pptx);
	MLX5_SET(pfcc_reg, out, pprx, port->pprx);
	MLX5_SET(pfcc_reg, out, pfctx, port->pfctx);
	MLX5_SET(pfcc_reg, out, pfcrx, port->pfcrx);
	fw_set_bits(out, 4, 2, port->buffers_of_host ? 2 : 1);	/* buf_ownership */
	MLX5_SET(pfcc_reg, out, device_stall_critical_watermark, port->stall_critical);
	MLX5_SET(pfcc_reg, out, device_stall_minor_watermark, port->stall_minor);
	return MLX5_CMD_STAT_OK;
}

static int reg_pvlc(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(pvlc_reg, out, vl_hw_cap, 4);
	MLX5_SET(pvlc_reg, out, vl_admin, 4);
	MLX5_SET(pvlc_reg, out, vl_operational, 4);
	return MLX5_CMD_STAT_OK;
}

static int reg_qtct(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 prio = MLX5_GET(qtct_reg, in, prio);

	if (write)
		fn->port.prio_tc[prio] = MLX5_GET(qtct_reg, in, tclass);
	MLX5_SET(qtct_reg, out, port_number, 1);
	MLX5_SET(qtct_reg, out, prio, prio);
	MLX5_SET(qtct_reg, out, tclass, fn->port.prio_tc[prio]);
	return MLX5_CMD_STAT_OK;
}

static int reg_qetcr(struct fw_function *fn, void *in, void *out, bool write)
{
	int i;

	MLX5_SET(qetc_reg, out, port_number, 1);
	for (i = 0; i < FW_PRIOS; i++) {
		void *from = MLX5_ADDR_OF(qetc_reg, in, tc_configuration[i]);
		void *to = MLX5_ADDR_OF(qetc_reg, out, tc_configuration[i]);

		if (write && MLX5_GET(ets_tcn_config_reg, from, r) && fw_refuses(fn, FW_MAXRATE))
			return MLX5_CMD_STAT_BAD_PARAM_ERR;
		if (write && MLX5_GET(ets_tcn_config_reg, from, g))
			fn->port.tc[i].group = MLX5_GET(ets_tcn_config_reg, from, group);
		if (write && MLX5_GET(ets_tcn_config_reg, from, b))
			fn->port.tc[i].bw = MLX5_GET(ets_tcn_config_reg, from, bw_allocation);
		if (write && MLX5_GET(ets_tcn_config_reg, from, r)) {
			fn->port.tc[i].units = MLX5_GET(ets_tcn_config_reg, from, max_bw_units);
			fn->port.tc[i].value = MLX5_GET(ets_tcn_config_reg, from, max_bw_value);
		}
		MLX5_SET(ets_tcn_config_reg, to, group, fn->port.tc[i].group);
		MLX5_SET(ets_tcn_config_reg, to, bw_allocation, fn->port.tc[i].bw);
		MLX5_SET(ets_tcn_config_reg, to, max_bw_units, fn->port.tc[i].units);
		MLX5_SET(ets_tcn_config_reg, to, max_bw_value, fn->port.tc[i].value);
	}
	return MLX5_CMD_STAT_OK;
}

static int reg_qpts(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write)
		fn->port.trust = MLX5_GET(qpts_reg, in, trust_state);
	MLX5_SET(qpts_reg, out, local_port, 1);
	MLX5_SET(qpts_reg, out, trust_state, fn->port.trust);
	return MLX5_CMD_STAT_OK;
}

static int reg_qpdpm(struct fw_function *fn, void *in, void *out, bool write)
{
	int i;

	MLX5_SET(qpdpm_reg, out, local_port, 1);
	for (i = 0; i < 64; i++) {
		void *from = MLX5_ADDR_OF(qpdpm_reg, in, dscp[i]);
		void *to = MLX5_ADDR_OF(qpdpm_reg, out, dscp[i]);

		if (write && MLX5_GET16(qpdpm_dscp_reg, from, e))
			fn->port.dscp_prio[i] = MLX5_GET16(qpdpm_dscp_reg, from, prio);
		MLX5_SET16(qpdpm_dscp_reg, to, prio, fn->port.dscp_prio[i]);
	}
	return MLX5_CMD_STAT_OK;
}

static int reg_dcbx_param(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write) {
		u8 admin = MLX5_GET(dcbx_param, in, version_admin);

		MLX5_SET(dcbx_param, fn->port.dcbx, version_admin, admin);
		MLX5_SET(dcbx_param, fn->port.dcbx, version_oper, admin);
		MLX5_SET(dcbx_param, fn->port.dcbx, willing_admin,
			 MLX5_GET(dcbx_param, in, willing_admin));
	}
	memcpy(out, fn->port.dcbx, sizeof(fn->port.dcbx));
	MLX5_SET(dcbx_param, out, port_number, 1);
	return MLX5_CMD_STAT_OK;
}

const struct fw_register fw_qos_registers[] = {
	{ MLX5_REG_PFCC, reg_pfcc },
	{ MLX5_REG_PVLC, reg_pvlc },
	{ MLX5_REG_QTCT, reg_qtct },
	{ MLX5_REG_QETCR, reg_qetcr },
	{ MLX5_REG_QPTS, reg_qpts },
	{ MLX5_REG_QPDPM, reg_qpdpm },
	{ MLX5_REG_DCBX_PARAM, reg_dcbx_param },
	{}
};
