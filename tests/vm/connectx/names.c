// SPDX-License-Identifier: GPL-2.0
/*
 * Names for people: commands, registers and statuses as mlx5_ifc.h and device.h have them, and
 * the values behind registers that a test can change behind the driver's back.
 */
#include "connectx.h"

#include <linux/ctype.h>

#define COMMAND(name) { #name, MLX5_CMD_OP_##name }

const struct fw_name fw_commands[] = {
	COMMAND(QUERY_HCA_CAP), COMMAND(QUERY_ADAPTER), COMMAND(INIT_HCA), COMMAND(TEARDOWN_HCA),
	COMMAND(ENABLE_HCA), COMMAND(DISABLE_HCA), COMMAND(QUERY_PAGES), COMMAND(MANAGE_PAGES),
	COMMAND(SET_HCA_CAP), COMMAND(QUERY_ISSI), COMMAND(SET_ISSI), COMMAND(SET_DRIVER_VERSION),
	COMMAND(CREATE_MKEY), COMMAND(QUERY_MKEY), COMMAND(DESTROY_MKEY),
	COMMAND(QUERY_SPECIAL_CONTEXTS), COMMAND(CREATE_EQ), COMMAND(DESTROY_EQ),
	COMMAND(QUERY_EQ), COMMAND(CREATE_CQ), COMMAND(DESTROY_CQ), COMMAND(QUERY_CQ),
	COMMAND(MODIFY_CQ), COMMAND(CREATE_QP), COMMAND(DESTROY_QP), COMMAND(RST2INIT_QP),
	COMMAND(INIT2RTR_QP), COMMAND(RTR2RTS_QP), COMMAND(RTS2RTS_QP), COMMAND(SQERR2RTS_QP),
	COMMAND(2ERR_QP), COMMAND(2RST_QP), COMMAND(QUERY_QP), COMMAND(INIT2INIT_QP),
	COMMAND(CREATE_SRQ), COMMAND(DESTROY_SRQ), COMMAND(CREATE_XRC_SRQ),
	COMMAND(DESTROY_XRC_SRQ), COMMAND(QUERY_VPORT_STATE), COMMAND(MODIFY_VPORT_STATE),
	COMMAND(QUERY_ESW_VPORT_CONTEXT), COMMAND(MODIFY_ESW_VPORT_CONTEXT),
	COMMAND(QUERY_NIC_VPORT_CONTEXT), COMMAND(MODIFY_NIC_VPORT_CONTEXT),
	COMMAND(QUERY_ROCE_ADDRESS), COMMAND(SET_ROCE_ADDRESS), COMMAND(QUERY_HCA_VPORT_CONTEXT),
	COMMAND(QUERY_HCA_VPORT_PKEY), COMMAND(QUERY_ESW_FUNCTIONS), COMMAND(QUERY_VNIC_ENV),
	COMMAND(QUERY_VPORT_COUNTER), COMMAND(ALLOC_Q_COUNTER), COMMAND(DEALLOC_Q_COUNTER),
	COMMAND(QUERY_Q_COUNTER), COMMAND(ALLOC_PD), COMMAND(DEALLOC_PD), COMMAND(ALLOC_UAR),
	COMMAND(DEALLOC_UAR), COMMAND(ACCESS_REG), COMMAND(ATTACH_TO_MCG),
	COMMAND(DETACH_FROM_MCG), COMMAND(QUERY_CONG_STATUS), COMMAND(MODIFY_CONG_STATUS),
	COMMAND(QUERY_CONG_PARAMS), COMMAND(MODIFY_CONG_PARAMS), COMMAND(QUERY_CONG_STATISTICS),
	COMMAND(ADD_VXLAN_UDP_DPORT), COMMAND(DELETE_VXLAN_UDP_DPORT),
	COMMAND(SET_L2_TABLE_ENTRY), COMMAND(DELETE_L2_TABLE_ENTRY),
	COMMAND(ALLOC_TRANSPORT_DOMAIN), COMMAND(DEALLOC_TRANSPORT_DOMAIN), COMMAND(CREATE_TIR),
	COMMAND(MODIFY_TIR), COMMAND(DESTROY_TIR), COMMAND(CREATE_SQ), COMMAND(MODIFY_SQ),
	COMMAND(DESTROY_SQ), COMMAND(QUERY_SQ), COMMAND(CREATE_RQ), COMMAND(MODIFY_RQ),
	COMMAND(DESTROY_RQ), COMMAND(QUERY_RQ), COMMAND(CREATE_RMP), COMMAND(MODIFY_RMP),
	COMMAND(DESTROY_RMP), COMMAND(CREATE_TIS), COMMAND(MODIFY_TIS), COMMAND(DESTROY_TIS),
	COMMAND(CREATE_RQT), COMMAND(MODIFY_RQT), COMMAND(DESTROY_RQT),
	COMMAND(SET_FLOW_TABLE_ROOT), COMMAND(CREATE_FLOW_TABLE), COMMAND(DESTROY_FLOW_TABLE),
	COMMAND(MODIFY_FLOW_TABLE), COMMAND(CREATE_FLOW_GROUP), COMMAND(DESTROY_FLOW_GROUP),
	COMMAND(SET_FLOW_TABLE_ENTRY), COMMAND(DELETE_FLOW_TABLE_ENTRY),
	COMMAND(ALLOC_FLOW_COUNTER), COMMAND(DEALLOC_FLOW_COUNTER), COMMAND(QUERY_FLOW_COUNTER),
	COMMAND(QUERY_HCA_VPORT_GID), COMMAND(MODIFY_HCA_VPORT_CONTEXT),
	COMMAND(CREATE_LAG), COMMAND(MODIFY_LAG), COMMAND(QUERY_LAG), COMMAND(DESTROY_LAG),
	COMMAND(CREATE_VPORT_LAG), COMMAND(DESTROY_VPORT_LAG), COMMAND(ALLOC_MODIFY_HEADER_CONTEXT),
	COMMAND(ALLOC_PACKET_REFORMAT_CONTEXT),
	{}
};

#define REGISTER(name) { #name, MLX5_REG_##name }

const struct fw_name fw_registers[] = {
	REGISTER(PAOS), REGISTER(PTYS), REGISTER(PMTU), REGISTER(PFCC), REGISTER(PVLC),
	REGISTER(PPCNT), REGISTER(PPLM), REGISTER(PBMC), REGISTER(PPTB), REGISTER(SBCAM),
	REGISTER(SBPR), REGISTER(SBCM), REGISTER(QTCT), REGISTER(QETCR), REGISTER(QPTS),
	REGISTER(QPDPM), REGISTER(DCBX_PARAM), REGISTER(MCQS), REGISTER(MCQI), REGISTER(PCAM),
	REGISTER(MCAM), REGISTER(QCAM), REGISTER(PCMR), REGISTER(PMLP), REGISTER(MCIA),
	REGISTER(MPCNT), REGISTER(NODE_DESC), REGISTER(HOST_ENDIANNESS), REGISTER(MFRL),
	REGISTER(MLCR), REGISTER(MTPPS), REGISTER(MTUTC), REGISTER(MPEIN), REGISTER(PDDR),
	{}
};

const struct fw_name fw_statuses[] = {
	{ "internal_err", MLX5_CMD_STAT_INT_ERR },
	{ "bad_op", MLX5_CMD_STAT_BAD_OP_ERR },
	{ "bad_param", MLX5_CMD_STAT_BAD_PARAM_ERR },
	{ "bad_sys_state", MLX5_CMD_STAT_BAD_SYS_STATE_ERR },
	{ "bad_res", MLX5_CMD_STAT_BAD_RES_ERR },
	{ "res_busy", MLX5_CMD_STAT_RES_BUSY },
	{ "exceed_lim", MLX5_CMD_STAT_LIM_ERR },
	{ "no_res", MLX5_CMD_STAT_NO_RES_ERR },
	{ "bad_input_len", MLX5_CMD_STAT_BAD_INP_LEN_ERR },
	{}
};

#define FIELD_AT(reg, name, member) \
	{ reg, name, offsetof(struct fw_port, member), 8 * sizeof(((struct fw_port *)0)->member), 1, 0 }
#define EACH_AT(reg, name, array, member) \
	{ reg, name, offsetof(struct fw_port, array[0]member), \
	  8 * sizeof(((struct fw_port *)0)->array[0]member), ARRAY_SIZE(((struct fw_port *)0)->array), \
	  8 * sizeof(((struct fw_port *)0)->array[0]) }
#define IN_LAYOUT(reg, blob, layout, field) \
	{ reg, #field, offsetof(struct fw_port, blob), __mlx5_bit_sz(layout, field), 1, 0, \
	  true, __mlx5_bit_off(layout, field) }

/* The fields that tests change. */
const struct fw_field fw_fields[] = {
	FIELD_AT("PFCC", "pfctx", pfctx),
	FIELD_AT("PFCC", "pfcrx", pfcrx),
	FIELD_AT("PFCC", "pptx", pptx),
	FIELD_AT("PFCC", "pprx", pprx),
	FIELD_AT("PFCC", "device_stall_critical_watermark", stall_critical),
	FIELD_AT("PFCC", "device_stall_minor_watermark", stall_minor),
	FIELD_AT("PFCC", "buf_ownership_sw", buffers_of_host),
	FIELD_AT("PMTU", "admin_mtu", mtu),
	EACH_AT("QTCT", "tclass", prio_tc,),
	EACH_AT("QETCR", "group", tc, .group),
	EACH_AT("QETCR", "bw_allocation", tc, .bw),
	EACH_AT("QETCR", "max_bw_units", tc, .units),
	EACH_AT("QETCR", "max_bw_value", tc, .value),
	FIELD_AT("QPTS", "trust_state", trust),
	EACH_AT("QPDPM", "prio", dscp_prio,),
	EACH_AT("PBMC", "size", buffer, .size),
	EACH_AT("PBMC", "lossy", buffer, .lossy),
	EACH_AT("PBMC", "xoff_threshold", buffer, .xoff),
	EACH_AT("PBMC", "xon_threshold", buffer, .xon),
	FIELD_AT("PPTB", "prio_x_buff", prio_buffer),
	IN_LAYOUT("DCBX_PARAM", dcbx, dcbx_param, version_oper),
	IN_LAYOUT("DCBX_PARAM", dcbx, dcbx_param, version_admin),
	IN_LAYOUT("DCBX_PARAM", dcbx, dcbx_param, willing_admin),
	{}
};

const struct fw_name *fw_name_find(const struct fw_name *table, const char *name)
{
	for (; table->name; table++) {
		if (!strcasecmp(table->name, name))
			return table;
	}
	return NULL;
}

/* Set the field of element INDEX. The caller has checked the index and the value. */
void fw_field_set(struct fw_port *port, const struct fw_field *field, unsigned int index, u32 value)
{
	void *at = (u8 *)port + field->offset + index * field->stride / 8;

	if (field->packed)
		fw_set_bits(at, field->bit, field->width, value);
	else if (field->width == 8)
		*(u8 *)at = value;
	else if (field->width == 16)
		*(u16 *)at = value;
	else
		*(u32 *)at = value;
}

/* The number of letters to insert, remove or change between two words of up to 31 letters. */
static unsigned int distance(const char *a, const char *b)
{
	u8 row[32];
	unsigned int i, j, len = strlen(b), diagonal, above;

	if (len >= ARRAY_SIZE(row))
		return len;
	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 0; a[i]; i++) {
		diagonal = row[0]++;
		for (j = 0; j < len; j++) {
			above = row[j + 1];
			row[j + 1] = min3(diagonal + (tolower(a[i]) != tolower(b[j])), above + 1,
					  row[j] + 1u);
			diagonal = above;
		}
	}
	return row[len];
}

/* Keep WORD in *BEST if it is nearer to WANTED than what is there, and near enough. */
void fw_nearest(const char *wanted, const char *word, struct fw_guess *best)
{
	unsigned int far = distance(wanted, word);

	if (far > max_t(unsigned int, 2, strlen(wanted) / 3) || (best->word && far >= best->far))
		return;
	best->word = word;
	best->far = far;
}
