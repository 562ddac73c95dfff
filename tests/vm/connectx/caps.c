// SPDX-License-Identifier: GPL-2.0
/*
 * Capabilities: what decides which paths the driver takes. QUERY_HCA_CAP answers "current" and
 * "maximum"; SET_HCA_CAP changes the current ones. PCAM, MCAM and QCAM say which registers exist.
 */
#include "connectx.h"

#include <linux/moduleparam.h>
#include <linux/slab.h>

static bool eswitch = true;
module_param(eswitch, bool, 0444);
MODULE_PARM_DESC(eswitch, "functions manage their E-Switch, as adapters' do outside a DPU");

#define CAP_SIZE MLX5_UN_SZ_BYTES(hca_cap_union)

/* Layouts that capabilities stand in; REFUSED are what no capability tells the driver. */
enum where { GENERAL, ROCE, DEBUG, PCAM, QCAM, REFUSED };

#define BIT_OF(layout, field) __mlx5_bit_off(layout, field)

/* Capabilities that differ between firmwares, by the names of the control; some are of two bits. */
static const struct {
	const char *name;
	enum where where;
	u16 at;
	bool off;		/* the bit of a firmware without it */
} switches[] = {
	{ "ets", GENERAL, BIT_OF(cmd_hca_cap, ets) },
	{ "dcbx", GENERAL, BIT_OF(cmd_hca_cap, dcbx) },
	{ "sbcam", GENERAL, BIT_OF(cmd_hca_cap, sbcam_reg) },
	{ "cc", GENERAL, BIT_OF(cmd_hca_cap, cc_query_allowed) },
	{ "cc", GENERAL, BIT_OF(cmd_hca_cap, cc_modify_allowed) },
	{ "eight_classes", GENERAL, BIT_OF(cmd_hca_cap, max_tc) },
	{ "eight_classes", GENERAL, BIT_OF(cmd_hca_cap, max_tc) + 1, true },	/* four */
	{ "rdma", GENERAL, BIT_OF(cmd_hca_cap, roce) },
	{ "roce_param", GENERAL, BIT_OF(cmd_hca_cap, roce_rw_supported) },
	{ "rtt", ROCE, 7 },		/* roce_cc_general: only the younger header has it */
	{ "stall", DEBUG, BIT_OF(debug_cap, stall_detect) },
	{ "buffer", PCAM,
	  BIT_OF(pcam_reg, port_access_reg_cap_mask.regs_5000_to_507f.pbmc) },
	{ "buffer", PCAM,
	  BIT_OF(pcam_reg, port_access_reg_cap_mask.regs_5000_to_507f.pptb) },
	{ "pplm", PCAM,
	  BIT_OF(pcam_reg, port_access_reg_cap_mask.regs_5000_to_507f.pplm) },
	{ "buf_ownership", PCAM, BIT_OF(pcam_reg, feature_cap_mask) + 0x53 },	/* likewise */
	{ "qpts", QCAM, BIT_OF(qcam_reg, qos_access_reg_cap_mask.reg_cap.qpts) },
	{ "qpts", QCAM, BIT_OF(qcam_reg, qos_access_reg_cap_mask.reg_cap.qpdpm) },
	{ "pfc", REFUSED, FW_PFC },
	{ "pauseparam", REFUSED, FW_PAUSE },
	{ "maxrate", REFUSED, FW_MAXRATE },
};

const char *fw_caps_name(unsigned int n)
{
	return n < ARRAY_SIZE(switches) ? switches[n].name : NULL;
}

int fw_caps_switch(struct fw_function *fn, const char *name, bool on)
{
	int i, err = -EINVAL;

	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		if (strcmp(switches[i].name, name))
			continue;
		assign_bit(i, fn->caps_off, !on);
		err = 0;
	}
	return err;
}

static void switch_off(struct fw_function *fn, enum where where, void *layout)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		if (switches[i].where == where && test_bit(i, fn->caps_off))
			fw_set_bits(layout, switches[i].at, 1, switches[i].off);
	}
}

bool fw_refuses(struct fw_function *fn, enum fw_refusal what)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		if (switches[i].where == REFUSED && switches[i].at == what)
			return test_bit(i, fn->caps_off);
	}
	return false;
}

#define GEN(field, value) MLX5_SET(cmd_hca_cap, cap, field, value)
#define ETH(field, value) MLX5_SET(per_protocol_networking_offload_caps, cap, field, value)

static void sizes(void *cap)
{
	GEN(log_max_srq_sz, 15);
	GEN(log_max_qp_sz, 15);
	GEN(log_max_qp, 17);
	GEN(log_max_srq, 16);
	GEN(log_max_cq_sz, 22);
	GEN(log_max_cq, 24);
	GEN(log_max_eq_sz, 22);
	GEN(log_max_eq, 7);
	GEN(max_num_eqs, 60);
	GEN(log_max_mkey, 24);
	GEN(max_indirection, 32);
	GEN(log_max_mrw_sz, 63);
	GEN(log_max_bsf_list_size, 0);
	GEN(log_max_klm_list_size, 16);
	/* Programs ask for what the first says, mlx5_ib checks it against the second. */
	GEN(log_max_ra_req_qp, 4);
	GEN(log_max_ra_res_qp, 4);
	GEN(log_max_ra_req_dc, 4);
	GEN(log_max_ra_res_dc, 4);
	GEN(max_qp_cnt, 255);
	GEN(log_max_msg, 30);
	GEN(max_wqe_sz_sq, 1024);
	GEN(max_wqe_sz_rq, 512);
	GEN(max_wqe_sz_sq_dc, 256);
	GEN(log_max_mcg, 21);
	GEN(max_qp_mcg, 240);
	GEN(log_max_transport_domain, 24);
	GEN(log_max_pd, 24);
	GEN(log_max_xrcd, 24);
	GEN(log_max_rq, 20);
	GEN(log_max_sq, 20);
	GEN(log_max_tir, 20);
	GEN(log_max_tis, 20);
	GEN(log_max_rmp, 16);
	GEN(log_max_rqt, 20);
	GEN(log_max_rqt_size, 11);
	GEN(log_max_tis_per_sq, 3);
	GEN(log_max_stride_sz_rq, 13);
	GEN(log_min_stride_sz_rq, 4);
	GEN(log_max_stride_sz_sq, 6);
	GEN(log_min_stride_sz_sq, 6);
	GEN(log_max_wq_sz, 15);
	GEN(log_max_vlan_list, 12);
	GEN(log_max_current_mc_list, 7);
	GEN(log_max_current_uc_list, 7);
	GEN(log_max_l2_table, 15);
	GEN(log_bf_reg_size, 9);
	GEN(log_pg_sz, 12);
	GEN(uar_sz, 0);
	GEN(gid_table_size, 0);		/* InfiniBand: 8 */
	GEN(pkey_table_size, 0);
	GEN(local_ca_ack_delay, 16);
	GEN(stat_rate_support, 0x10);
	GEN(device_frequency_mhz, FW_KHZ / 1000);
	GEN(device_frequency_khz, FW_KHZ);
	GEN(max_flow_counter_15_0, 0x8000);
}

static void general(struct fw_function *fn, void *cap, bool maximum)
{
	sizes(cap);
	GEN(vhca_id, fn->index + 1);
	GEN(native_port_num, fw_uplink(fn)->index % 2 + 1);
	GEN(num_ports, 1);
	GEN(port_type, fn->infiniband ? MLX5_CAP_PORT_TYPE_IB : MLX5_CAP_PORT_TYPE_ETH);
	GEN(ib_virt, fn->infiniband);
	GEN(vport_group_manager, !fw_is_virtual(fn));
	/* With InfiniBand the driver has no E-Switch, and believes this all the same. */
	GEN(eswitch_manager, !fw_is_virtual(fn) && !fn->infiniband && fn->flash.manages_eswitch);
	GEN(lag_master, !fw_is_virtual(fn));
	GEN(lag_tx_port_affinity, 1);
	GEN(num_lag_ports, 2);
	GEN(cqe_version, 1);
	GEN(compact_address_vector, 1);
	GEN(rc, 1);
	GEN(uc, 1);
	GEN(ud, 1);
	GEN(xrc, 1);
	GEN(apm, 1);
	/* BlueFlame would make mlx5_ib wait for completions of a test without giving up the CPU. */
	GEN(bf, 0);
	GEN(driver_version, 1);
	GEN(cq_moderation, 1);
	GEN(cq_period_start_from_cqe, 1);
	GEN(cq_resize, 1);
	GEN(cq_oi, 1);
	GEN(cq_eq_remap, 1);
	GEN(sctr_data_cqe, 1);
	GEN(block_lb_mc, 1);
	GEN(pad_tx_eth_packet, 1);
	GEN(end_pad, 1);
	GEN(cmdif_checksum, maximum ? 3 : 0);
	GEN(eth_net_offloads, !fn->infiniband);
	GEN(nic_flow_table, 1);
	GEN(basic_cyclic_rcv_wqe, 1);
	GEN(disable_local_lb_uc, 1);
	GEN(disable_local_lb_mc, 1);
	GEN(roce, !fn->infiniband);
	GEN(roce_rw_supported, 1);
	GEN(atomic, 1);
	GEN(vport_counters, 1);
	GEN(out_of_seq_cnt, 1);
	GEN(retransmission_q_counters, 1);
	GEN(enhanced_error_q_counters, 1);
	GEN(roce_accl, 1);
	GEN(modify_rq_counter_set_id, 1);
	GEN(rq_delay_drop, 1);
	GEN(general_notification_event, 1);
	GEN(port_module_event, 1);
	GEN(nic_vport_change_event, 1);
	GEN(fast_teardown, 1);
	GEN(vnic_env_int_rq_oob, 1);
	GEN(vnic_env_queue_counters, 1);
	GEN(nic_receive_steering_discard, 1);
	GEN(eth_wqe_too_small, 1);
	fw_set_bits(cap, 0x335, 1, 1);	/* pcie_reset_using_hotreset_method */
	/* Capabilities that losslessctl is about. */
	GEN(ets, 1);
	GEN(qos, 1);
	GEN(dcbx, 1);
	GEN(max_tc, 8);
	GEN(pcam_reg, 1);
	GEN(mcam_reg, 1);
	GEN(qcam_reg, 1);
	GEN(sbcam_reg, 1);
	GEN(cc_query_allowed, 1);
	GEN(cc_modify_allowed, 1);
	GEN(ports_check, 1);
	GEN(debug, 1);
	/* mlx5_ib would fill its cache with 6,000 memory keys, which takes seconds here. */
	GEN(umr_modify_entity_size_disabled, 1);
}

static void ethernet(struct fw_function *fn, void *cap)
{
	ETH(csum_cap, 1);
	ETH(vlan_cap, 1);
	ETH(wqe_vlan_insert, 1);
	ETH(self_lb_en_modifiable, 1);
	ETH(max_lso_cap, 18);
	ETH(wqe_inline_mode, fn->model->inline_l2 ? MLX5_CAP_INLINE_MODE_L2 :
	    MLX5_CAP_INLINE_MODE_NOT_REQUIRED);
	ETH(rss_ind_tbl_cap, 11);
	ETH(reg_umr_sq, 1);
	ETH(scatter_fcs, 1);
	ETH(cqe_checksum_full, 1);
}

/* All fields can be matched. */
static void flow_table(void *prop)
{
	MLX5_SET(flow_table_prop_layout, prop, ft_support, 1);
	MLX5_SET(flow_table_prop_layout, prop, flow_counter, 1);
	MLX5_SET(flow_table_prop_layout, prop, flow_modify_en, 1);
	MLX5_SET(flow_table_prop_layout, prop, modify_root, 1);
	MLX5_SET(flow_table_prop_layout, prop, identified_miss_table_mode, 1);
	MLX5_SET(flow_table_prop_layout, prop, flow_table_modify, 1);
	MLX5_SET(flow_table_prop_layout, prop, log_max_ft_size, 24);
	MLX5_SET(flow_table_prop_layout, prop, max_ft_level, 64);
	MLX5_SET(flow_table_prop_layout, prop, log_max_ft_num, 16);
	MLX5_SET(flow_table_prop_layout, prop, log_max_flow_counter, 16);
	MLX5_SET(flow_table_prop_layout, prop, log_max_destination, 6);
	MLX5_SET(flow_table_prop_layout, prop, log_max_flow, 24);
	memset(MLX5_ADDR_OF(flow_table_prop_layout, prop, ft_field_support), 0xff,
	       MLX5_ST_SZ_BYTES(flow_table_fields_supported));
	memset(MLX5_ADDR_OF(flow_table_prop_layout, prop, ft_field_bitmask_support), 0xff,
	       MLX5_ST_SZ_BYTES(flow_table_fields_supported));
}

static void roce(void *cap)
{
	MLX5_SET(roce_cap, cap, sw_r_roce_src_udp_port, 1);
	MLX5_SET(roce_cap, cap, l3_type, MLX5_ROCE_L3_TYPE_IPV4_CAP | MLX5_ROCE_L3_TYPE_IPV6_CAP);
	MLX5_SET(roce_cap, cap, roce_version,
		 MLX5_ROCE_VERSION_1_CAP | MLX5_ROCE_VERSION_2_CAP);
	MLX5_SET(roce_cap, cap, r_roce_dest_udp_port, 4791);
	MLX5_SET(roce_cap, cap, r_roce_min_src_udp_port, 0xc000);
	MLX5_SET(roce_cap, cap, r_roce_max_src_udp_port, 0xffff);
	fw_set_bits(cap, 7, 1, 1);	/* roce_cc_general */
	MLX5_SET(roce_cap, cap, roce_address_table_size, ARRAY_SIZE(((struct fw_function *)0)->gid));
}

static void fill_caps(struct fw_function *fn, int type, void *cap, bool maximum)
{
	switch (type) {
	case MLX5_CAP_GENERAL:
		general(fn, cap, maximum);
		switch_off(fn, GENERAL, cap);
		break;
	case MLX5_CAP_ETHERNET_OFFLOADS:
		ethernet(fn, cap);
		break;
	case MLX5_CAP_FLOW_TABLE:
		flow_table(MLX5_ADDR_OF(flow_table_nic_cap, cap, flow_table_properties_nic_receive));
		flow_table(MLX5_ADDR_OF(flow_table_nic_cap, cap, flow_table_properties_nic_transmit));
		/* For RoCE of the uplink in switchdev mode. */
		flow_table(MLX5_ADDR_OF(flow_table_nic_cap, cap,
					flow_table_properties_nic_receive_rdma));
		MLX5_SET(flow_table_nic_cap, cap,
			 flow_table_properties_nic_receive_rdma.table_miss_action_domain, 1);
		break;
	case MLX5_CAP_ESWITCH_FLOW_TABLE:
		/* No metadata: the rules of the E-Switch match source ports. */
		flow_table(MLX5_ADDR_OF(flow_table_eswitch_cap, cap,
					flow_table_properties_nic_esw_fdb));
		flow_table(MLX5_ADDR_OF(flow_table_eswitch_cap, cap,
					flow_table_properties_esw_acl_ingress));
		flow_table(MLX5_ADDR_OF(flow_table_eswitch_cap, cap,
					flow_table_properties_esw_acl_egress));
		break;
	case MLX5_CAP_ESWITCH:
		MLX5_SET(e_switch_cap, cap, nic_vport_node_guid_modify, 1);
		MLX5_SET(e_switch_cap, cap, nic_vport_port_guid_modify, 1);
		MLX5_SET(e_switch_cap, cap, vport_cvlan_strip, 1);
		MLX5_SET(e_switch_cap, cap, vport_cvlan_insert_if_not_exist, 1);
		break;
	case MLX5_CAP_ROCE:
		roce(cap);
		switch_off(fn, ROCE, cap);
		break;
	case MLX5_CAP_DEBUG:
		MLX5_SET(debug_cap, cap, stall_detect, 1);
		switch_off(fn, DEBUG, cap);
		break;
	case MLX5_CAP_ATOMIC:
		/* Or mlx5_ib says that there are no atomic operations. */
		MLX5_SET(atomic_caps, cap, supported_atomic_req_8B_endianness_mode_1, 1);
		MLX5_SET(atomic_caps, cap, atomic_operations, 7);
		MLX5_SET(atomic_caps, cap, atomic_size_qp, 8);
		break;
	}
}

/* Also what SET_HCA_CAP changed, except for what only a cold boot resets. */
void fw_caps_reset(struct fw_function *fn)
{
	int type;

	fw_infiniband_reset(fn);
	for (type = 0; type < MLX5_CAP_NUM; type++) {
		memset(fn->cap_cur[type], 0, CAP_SIZE);
		memset(fn->cap_max[type], 0, CAP_SIZE);
		fill_caps(fn, type, fn->cap_cur[type], false);
		fill_caps(fn, type, fn->cap_max[type], true);
	}
}

int fw_caps_init(struct fw_function *fn)
{
	int type;

	fn->flash.manages_eswitch = eswitch;
	for (type = 0; type < MLX5_CAP_NUM; type++) {
		fn->cap_cur[type] = kvzalloc(CAP_SIZE, GFP_KERNEL);
		fn->cap_max[type] = kvzalloc(CAP_SIZE, GFP_KERNEL);
		if (!fn->cap_cur[type] || !fn->cap_max[type])
			return -ENOMEM;
	}
	fw_caps_reset(fn);
	return 0;
}

void fw_caps_free(struct fw_function *fn)
{
	int type;

	for (type = 0; type < MLX5_CAP_NUM; type++) {
		kvfree(fn->cap_cur[type]);
		kvfree(fn->cap_max[type]);
	}
}

int fw_query_hca_cap(struct fw_command *cmd)
{
	unsigned int type = cmd->op_mod >> 1;
	void *cap = MLX5_ADDR_OF(query_hca_cap_out, cmd->out, capability);

	if (type >= MLX5_CAP_NUM)
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	memcpy(cap, cmd->op_mod & 1 ? cmd->fn->cap_cur[type] : cmd->fn->cap_max[type], CAP_SIZE);
	return MLX5_CMD_STAT_OK;
}

int fw_set_hca_cap(struct fw_command *cmd)
{
	unsigned int type = cmd->op_mod >> 1;
	const void *in;

	if (type >= MLX5_CAP_NUM)
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	in = MLX5_ADDR_OF(set_hca_cap_in, cmd->in, capability);
	/* The driver fills in what can be set and leaves the rest zero: take no more than that. */
	if (type == MLX5_CAP_ATOMIC)
		MLX5_SET(atomic_caps, cmd->fn->cap_cur[type], atomic_req_8B_endianness_mode,
			 MLX5_GET(atomic_caps, in, atomic_req_8B_endianness_mode));
	else
		memcpy(cmd->fn->cap_cur[type], in, CAP_SIZE);
	return MLX5_CMD_STAT_OK;
}

int fw_reg_pcam(struct fw_function *fn, void *reg)
{
	MLX5_SET(pcam_reg, reg, port_access_reg_cap_mask.regs_5000_to_507f.pbmc, 1);
	MLX5_SET(pcam_reg, reg, port_access_reg_cap_mask.regs_5000_to_507f.pptb, 1);
	MLX5_SET(pcam_reg, reg, port_access_reg_cap_mask.regs_5000_to_507f.ppcnt, 1);
	MLX5_SET(pcam_reg, reg, port_access_reg_cap_mask.regs_5000_to_507f.pplm, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.pfcc_mask, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.ppcnt_discard_group, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.ppcnt_statistical_group, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.rx_buffer_fullness_counters, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.per_lane_error_counters, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.ptys_connector_type, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.ptys_extended_ethernet,
		 fn->model->ext);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.fec_50G_per_lane_in_pplm, 1);
	MLX5_SET(pcam_reg, reg, feature_cap_mask.enhanced_features.rx_icrc_encapsulated_counter, 1);
	/* buffer_ownership, and fec_100G_per_lane_in_pplm */
	fw_set_bits(MLX5_ADDR_OF(pcam_reg, reg, feature_cap_mask), 0x53, 1, 1);
	fw_set_bits(MLX5_ADDR_OF(pcam_reg, reg, feature_cap_mask), 0x48, 1, 1);
	switch_off(fn, PCAM, reg);
	return MLX5_CMD_STAT_OK;
}

/* The groups after the first have no registers. */
int fw_reg_mcam(struct fw_function *fn, u8 group, void *reg)
{
	if (group)
		return MLX5_CMD_STAT_OK;
	MLX5_SET(mcam_reg, reg, mng_feature_cap_mask.enhanced_features.pcie_performance_group, 1);
	MLX5_SET(mcam_reg, reg, mng_feature_cap_mask.enhanced_features.pcie_outbound_stalled, 1);
	MLX5_SET(mcam_reg, reg, mng_feature_cap_mask.enhanced_features.tx_overflow_buffer_pkt, 1);
	MLX5_SET(mcam_reg, reg, mng_feature_cap_mask.enhanced_features.mcia_32dwords, 1);
	MLX5_SET(mcam_reg, reg, mng_feature_cap_mask.enhanced_features.reset_state, 1);
	/* mfrl */
	fw_set_bits(MLX5_ADDR_OF(mcam_reg, reg, mng_access_reg_cap_mask), 0x57, 1, 1);
	MLX5_SET(mcam_reg, reg, mng_access_reg_cap_mask.access_regs.mcqs, 1);
	MLX5_SET(mcam_reg, reg, mng_access_reg_cap_mask.access_regs.mcqi, 1);
	return MLX5_CMD_STAT_OK;
}

int fw_reg_qcam(struct fw_function *fn, void *reg)
{
	MLX5_SET(qcam_reg, reg, qos_access_reg_cap_mask.reg_cap.qpts, 1);
	MLX5_SET(qcam_reg, reg, qos_access_reg_cap_mask.reg_cap.qpdpm, 1);
	/* qetcr_qshr_max_bw_val_msb: the driver of 7.3 then writes rates of 16 bits. */
	if (fn->model->best_mbps > 400000)
		fw_set_bits(MLX5_ADDR_OF(qcam_reg, reg, qos_feature_cap_mask), 0x7b, 1, 1);
	switch_off(fn, QCAM, reg);
	return MLX5_CMD_STAT_OK;
}
