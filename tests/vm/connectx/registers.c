// SPDX-License-Identifier: GPL-2.0
/* Registers of the port, which ACCESS_REG reads and writes, and the link. */
#include "connectx.h"

#include <linux/slab.h>

#define PORT_CELLS	8192	/* 1 MiB */
#define INTERNAL_CELLS	256
#define WHOLE_CELLS	2047	/* buffer 0 when it is alone */
#define HALF_CELLS	1023
#define CABLE_M		7
#define MAX_FRAME	10000

/* Bits of PTYS, as the driver's enum mlx5e_link_mode numbers them. */
#define PTYS_100G (BIT(20) | BIT(21) | BIT(22) | BIT(23))
#define PTYS_SLOWER (BIT(1) | BIT(4) | BIT(6) | BIT(7) | BIT(12) | BIT(13) | BIT(15) | BIT(18) | \
		     BIT(27) | BIT(28) | BIT(29) | BIT(30) | BIT(31))
#define PTYS_OPER BIT(20)

typedef int (*reg_handler)(struct fw_function *fn, void *in, void *out, bool write);

static void lay(struct fw_port *port, int i, u16 size, bool lossy)
{
	u16 headroom = DIV_ROUND_UP((301 + 216 * CABLE_M / 100) * 100 + 272 * port->mtu / 100, FW_CELL);
	u16 frame = DIV_ROUND_UP(MAX_FRAME, FW_CELL);

	port->buffer[i].size = size;
	port->buffer[i].lossy = lossy;
	port->buffer[i].xoff = lossy ? 0 : size - headroom;
	port->buffer[i].xon = lossy ? 0 : port->buffer[i].xoff - frame;
}

/*
 * While the host has never written PBMC, the firmware sizes the buffers: what PFC protects gets
 * buffer 1; with global pause buffer 0 is lossless. The sizes are invented.
 */
static void lay_buffers(struct fw_port *port)
{
	u8 lossless = port->pfctx | port->pfcrx;
	u32 shared;
	int i;

	if (port->buffers_of_host)
		return;
	for (i = 0; i < 8; i++) {
		lay(port, i, 0, true);
		port->prio_buffer &= ~(0xf << 4 * i);
		port->prio_buffer |= (lossless >> i & 1) << 4 * i;
	}
	if (lossless) {
		lay(port, 0, HALF_CELLS, true);
		lay(port, 1, HALF_CELLS, false);
	} else {
		lay(port, 0, WHOLE_CELLS, !port->pptx && !port->pprx);
	}
	shared = PORT_CELLS - INTERNAL_CELLS - port->buffer[0].size - port->buffer[1].size;
	port->pool_size[0][1] = shared / 4;
	port->pool_size[1][0] = shared - shared / 4;
}

void fw_port_init(struct fw_function *fn)
{
	struct fw_port *port = &fn->port;
	int i;

	xa_init(&port->other);
	port->cable = true;
	port->mtu = 1522;
	port->pptx = port->pprx = 1;
	port->stall_critical = 8000;
	port->stall_minor = 6800;
	port->trust = 1;
	port->xoff_timer = 0xffff;
	port->xoff_refresh = 0xffff;
	port->buffer_total = PORT_CELLS;
	port->buffer[8].size = INTERNAL_CELLS;
	lay_buffers(port);
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

void fw_port_free(struct fw_function *fn)
{
	unsigned long id;
	void *value;

	xa_for_each(&fn->port.other, id, value)
		kfree(value);
	xa_destroy(&fn->port.other);
}

/* A cold boot, but for the link's administrative state, which the driver sets when it starts. */
void fw_port_reset(struct fw_function *fn)
{
	u8 admin_up = fn->port.admin_up, oper_up = fn->port.oper_up;

	fw_port_free(fn);
	memset(&fn->port, 0, sizeof(fn->port));
	fw_port_init(fn);
	fw_congestion_init(fn);
	fn->port.admin_up = admin_up;
	fn->port.oper_up = oper_up;
}

void fw_port_changed(struct fw_function *fn)
{
	lay_buffers(&fn->port);
}

static void set_oper(struct fw_function *fn, bool up)
{
	if (fn->port.oper_up == up)
		return;
	fn->port.oper_up = up;
	if (!up)
		fn->port.count.link_down_events++;
	fw_port_event(fn, up);
}

/* Both ends have to be up; then the link trains for a while. */
void fw_link_update(struct fw_function *fn)
{
	struct fw_function *peer = fn->peer ?: fn;
	bool want = fn->port.admin_up && peer->port.admin_up && fn->port.cable && peer->port.cable;

	if (!want) {
		fn->link_pending = peer->link_pending = false;
		set_oper(fn, false);
		set_oper(peer, false);
		return;
	}
	if (fn->port.oper_up)
		return;
	fn->link_pending = true;
	fn->link_up_at = ktime_add_ms(ktime_get(), fn->train_ms);
}

bool fw_link_poll(struct fw_function *fn, bool *watch)
{
	*watch |= fn->link_pending;
	if (!fn->link_pending || ktime_before(ktime_get(), fn->link_up_at))
		return false;
	fn->link_pending = false;
	set_oper(fn, true);
	if (fn->peer)
		set_oper(fn->peer, true);
	return true;
}

static int reg_paos(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write && MLX5_GET(paos_reg, in, ase)) {
		fn->port.admin_up = MLX5_GET(paos_reg, in, admin_status) == MLX5_PORT_UP;
		fw_link_update(fn);
	}
	MLX5_SET(paos_reg, out, local_port, 1);
	MLX5_SET(paos_reg, out, admin_status, fn->port.admin_up ? MLX5_PORT_UP : MLX5_PORT_DOWN);
	MLX5_SET(paos_reg, out, oper_status, fn->port.oper_up ? MLX5_PORT_UP : MLX5_PORT_DOWN);
	return MLX5_CMD_STAT_OK;
}

static int reg_ptys(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(ptys_reg, out, local_port, 1);
	MLX5_SET(ptys_reg, out, proto_mask, MLX5_PTYS_EN);
	MLX5_SET(ptys_reg, out, eth_proto_capability, PTYS_100G | PTYS_SLOWER);
	MLX5_SET(ptys_reg, out, eth_proto_admin, PTYS_100G | PTYS_SLOWER);
	MLX5_SET(ptys_reg, out, eth_proto_oper, fn->port.oper_up ? PTYS_OPER : 0);
	MLX5_SET(ptys_reg, out, eth_proto_lp_advertise, fn->port.oper_up ? PTYS_100G : 0);
	MLX5_SET(ptys_reg, out, an_status, fn->port.oper_up ? 1 : 0);
	MLX5_SET(ptys_reg, out, connector_type, 5);	/* a direct attach copper cable */
	return MLX5_CMD_STAT_OK;
}

static int reg_pmtu(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write) {
		fn->port.mtu = MLX5_GET(pmtu_reg, in, admin_mtu);
		lay_buffers(&fn->port);
	}
	MLX5_SET(pmtu_reg, out, local_port, 1);
	MLX5_SET(pmtu_reg, out, max_mtu, MAX_FRAME);
	MLX5_SET(pmtu_reg, out, admin_mtu, fn->port.mtu);
	MLX5_SET(pmtu_reg, out, oper_mtu, fn->port.mtu);
	return MLX5_CMD_STAT_OK;
}

/* PFC by its masks; pause unless the "mask_n" bits protect it. */
static int reg_pfcc(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port;
	u8 mask;

	if (write) {
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
		lay_buffers(port);
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

static int reg_pbmc(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port;
	int i;

	if (write)
		port->buffers_of_host = true;
	MLX5_SET(pbmc_reg, out, local_port, 1);
	MLX5_SET(pbmc_reg, out, xoff_timer_value, port->xoff_timer);
	MLX5_SET(pbmc_reg, out, xoff_refresh, port->xoff_refresh);
	MLX5_SET(pbmc_reg, out, port_buffer_size, port->buffer_total);
	for (i = 0; i < ARRAY_SIZE(port->buffer); i++) {
		void *from = MLX5_ADDR_OF(pbmc_reg, in, buffer[i]);
		void *to = MLX5_ADDR_OF(pbmc_reg, out, buffer[i]);

		if (write && i < 8) {
			port->buffer[i].lossy = MLX5_GET(bufferx_reg, from, lossy);
			port->buffer[i].epsb = MLX5_GET(bufferx_reg, from, epsb);
			port->buffer[i].size = MLX5_GET(bufferx_reg, from, size);
			port->buffer[i].xoff = MLX5_GET(bufferx_reg, from, xoff_threshold);
			port->buffer[i].xon = MLX5_GET(bufferx_reg, from, xon_threshold);
		}
		MLX5_SET(bufferx_reg, to, lossy, port->buffer[i].lossy);
		MLX5_SET(bufferx_reg, to, epsb, port->buffer[i].epsb);
		MLX5_SET(bufferx_reg, to, size, port->buffer[i].size);
		MLX5_SET(bufferx_reg, to, xoff_threshold, port->buffer[i].xoff);
		MLX5_SET(bufferx_reg, to, xon_threshold, port->buffer[i].xon);
	}
	return MLX5_CMD_STAT_OK;
}

static int reg_pptb(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write) {
		u8 changed = MLX5_GET(pptb_reg, in, pm);
		u32 value = MLX5_GET(pptb_reg, in, prio_x_buff);
		int i;

		for (i = 0; i < FW_PRIOS; i++) {
			u32 mask = 0xf << 4 * i;

			if (changed & BIT(i))
				fn->port.prio_buffer = (fn->port.prio_buffer & ~mask) | (value & mask);
		}
	}
	MLX5_SET(pptb_reg, out, local_port, 1);
	MLX5_SET(pptb_reg, out, prio_x_buff, fn->port.prio_buffer);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbcam(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(sbcam_reg, out, cap_total_buffer_size, 20480);
	MLX5_SET(sbcam_reg, out, cap_cell_size, FW_CELL);
	MLX5_SET(sbcam_reg, out, cap_max_pg_buffers, 8);
	MLX5_SET(sbcam_reg, out, cap_num_pool_supported, 2);
	MLX5_SET(sbcam_reg, out, cap_max_tclass_data, 8);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbpr(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 dir = MLX5_GET(sbpr_reg, in, dir) & 1, pool = MLX5_GET(sbpr_reg, in, pool) & 1;

	if (write)
		fn->port.pool_size[dir][pool] = MLX5_GET(sbpr_reg, in, size);
	MLX5_SET(sbpr_reg, out, dir, dir);
	MLX5_SET(sbpr_reg, out, pool, pool);
	MLX5_SET(sbpr_reg, out, size, fn->port.pool_size[dir][pool]);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbcm(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 dir = MLX5_GET(sbcm_reg, in, dir) & 1, buffer = MLX5_GET(sbcm_reg, in, pg_buff) & 15;
	u8 *kept = fn->port.sbcm[dir][buffer];

	if (write)
		memcpy(kept, in, MLX5_ST_SZ_BYTES(sbcm_reg));
	memcpy(out, kept, MLX5_ST_SZ_BYTES(sbcm_reg));
	return MLX5_CMD_STAT_OK;
}

#define PUT64(layout, at, name, value) \
	(*(__be64 *)((u8 *)(at) + MLX5_BYTE_OFF(layout, name##_high)) = cpu_to_be64(value))

static void count_8023(struct fw_counters *count, void *set)
{
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_frames_transmitted_ok, count->tx_frames);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_frames_received_ok, count->rx_frames);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_octets_transmitted_ok, count->tx_bytes);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_octets_received_ok, count->rx_bytes);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_multicast_frames_xmitted_ok,
	      count->tx_multicast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_broadcast_frames_xmitted_ok,
	      count->tx_broadcast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_multicast_frames_received_ok,
	      count->rx_multicast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_broadcast_frames_received_ok,
	      count->rx_broadcast);
}

static void count_prio(struct fw_counters *count, u8 prio, void *set)
{
	PUT64(eth_per_prio_grp_data_layout, set, rx_octets, count->prio[prio].rx_bytes);
	PUT64(eth_per_prio_grp_data_layout, set, rx_frames, count->prio[prio].rx_frames);
	PUT64(eth_per_prio_grp_data_layout, set, tx_octets, count->prio[prio].tx_bytes);
	PUT64(eth_per_prio_grp_data_layout, set, tx_frames, count->prio[prio].tx_frames);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause, count->prio[prio].rx_pause);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause_duration, count->prio[prio].rx_pause_us);
	PUT64(eth_per_prio_grp_data_layout, set, tx_pause, count->prio[prio].tx_pause);
	PUT64(eth_per_prio_grp_data_layout, set, tx_pause_duration, count->prio[prio].tx_pause_us);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause_transition,
	      count->prio[prio].rx_transition);
	PUT64(eth_per_prio_grp_data_layout, set, rx_discards, count->prio[prio].rx_discards);
}

static int reg_ppcnt(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 group = MLX5_GET(ppcnt_reg, in, grp), prio = MLX5_GET(ppcnt_reg, in, prio_tc);
	void *set = MLX5_ADDR_OF(ppcnt_reg, out, counter_set);

	MLX5_SET(ppcnt_reg, out, local_port, 1);
	MLX5_SET(ppcnt_reg, out, grp, group);
	switch (group) {
	case MLX5_IEEE_802_3_COUNTERS_GROUP:
		count_8023(&fn->port.count, set);
		break;
	case MLX5_PER_PRIORITY_COUNTERS_GROUP:
		count_prio(&fn->port.count, prio, set);
		break;
	case MLX5_PHYSICAL_LAYER_COUNTERS_GROUP:
		MLX5_SET(phys_layer_cntrs, set, link_down_events, fn->port.count.link_down_events);
		break;
	}
	return MLX5_CMD_STAT_OK;
}

/* The one component of the firmware is its boot image, at index 0. */
static int reg_mcqs(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(mcqs_reg, out, last_index_flag, 1);
	MLX5_SET(mcqs_reg, out, identifier, 1);
	return MLX5_CMD_STAT_OK;
}

static int reg_mcqi(struct fw_function *fn, void *in, void *out, bool write)
{
	void *data = MLX5_ADDR_OF(mcqi_reg, out, data);

	MLX5_SET(mcqi_reg, out, info_type, MLX5_GET(mcqi_reg, in, info_type));
	MLX5_SET(mcqi_version, data, version, FW_MAJOR << 24 | FW_MINOR << 16 | FW_SUB);
	return MLX5_CMD_STAT_OK;
}

static int reg_pcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_pcam(fn, out);
}

static int reg_mcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_mcam(fn, MLX5_GET(mcam_reg, in, access_reg_group), out);
}

static int reg_qcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_qcam(fn, out);
}

/* FEC: RS for 100G, by hand and in force. */
static int reg_pplm(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(pplm_reg, out, local_port, 1);
	MLX5_SET(pplm_reg, out, fec_mode_active, fn->port.oper_up ? BIT(2) : 0);
	MLX5_SET(pplm_reg, out, fec_override_cap_100g, BIT(0) | BIT(2));
	return MLX5_CMD_STAT_OK;
}

static const struct {
	u16 id;
	reg_handler handler;
} registers[] = {
	{ MLX5_REG_PAOS, reg_paos },
	{ MLX5_REG_PTYS, reg_ptys },
	{ MLX5_REG_PMTU, reg_pmtu },
	{ MLX5_REG_PFCC, reg_pfcc },
	{ MLX5_REG_PVLC, reg_pvlc },
	{ MLX5_REG_PPCNT, reg_ppcnt },
	{ MLX5_REG_PPLM, reg_pplm },
	{ MLX5_REG_PBMC, reg_pbmc },
	{ MLX5_REG_PPTB, reg_pptb },
	{ MLX5_REG_SBCAM, reg_sbcam },
	{ MLX5_REG_SBPR, reg_sbpr },
	{ MLX5_REG_SBCM, reg_sbcm },
	{ MLX5_REG_QTCT, reg_qtct },
	{ MLX5_REG_QETCR, reg_qetcr },
	{ MLX5_REG_QPTS, reg_qpts },
	{ MLX5_REG_QPDPM, reg_qpdpm },
	{ MLX5_REG_DCBX_PARAM, reg_dcbx_param },
	{ MLX5_REG_MCQS, reg_mcqs },
	{ MLX5_REG_MCQI, reg_mcqi },
	{ MLX5_REG_PCAM, reg_pcam },
	{ MLX5_REG_MCAM, reg_mcam },
	{ MLX5_REG_QCAM, reg_qcam },
};

/* A register without a meaning here reads as it was written. */
static int remember(struct fw_command *cmd, u16 id, void *in, void *out, u32 size, bool write)
{
	struct xarray *other = &cmd->fn->port.other;
	u8 *kept = xa_load(other, id);

	if (!kept) {
		fw_say(cmd->fn, "register 0x%x, %u bytes, %s: only remembered\n", id, size,
		       write ? "write" : "read");
		kept = kzalloc(SZ_2K, GFP_KERNEL);
		if (!kept)
			return MLX5_CMD_STAT_NO_RES_ERR;
		xa_store(other, id, kept, GFP_KERNEL);
	}
	if (write)
		memcpy(kept, in, min_t(u32, size, SZ_2K));
	memcpy(out, kept, min_t(u32, size, SZ_2K));
	return MLX5_CMD_STAT_OK;
}

int fw_access_register(struct fw_command *cmd)
{
	u16 id = MLX5_GET(access_register_in, cmd->in, register_id);
	void *in = MLX5_ADDR_OF(access_register_in, cmd->in, register_data);
	void *out = MLX5_ADDR_OF(access_register_out, cmd->out, register_data);
	u32 size = cmd->inlen - MLX5_ST_SZ_BYTES(access_register_in);
	bool write = !cmd->op_mod;
	int i;

	for (i = 0; i < ARRAY_SIZE(registers); i++) {
		if (registers[i].id == id)
			return registers[i].handler(cmd->fn, in, out, write);
	}
	return remember(cmd, id, in, out, size, write);
}
