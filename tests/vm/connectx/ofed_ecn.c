// SPDX-License-Identifier: GPL-2.0
/*
 * MLNX_OFED's ecn/ below the netdev: the fields of cc_params under other names, and the switches
 * for each priority that upstream lacks. A file reads all fields, changes its own, and writes them
 * with its select bit. MLNX_OFED parses input with sscanf and never checks it, so junk stores
 * whatever was on the stack; here, a poison.
 */
#include "ofed.h"

#include <linux/slab.h>

enum { POISON = 0x5bad5bad, PROTOCOL_RP = 1, PROTOCOL_NP = 2, PRIOS = 8 };

#define RP(name, select, field) \
	{ name, PROTOCOL_RP, select, __mlx5_bit_off(cong_control_r_roce_ecn_rp, field), \
	  __mlx5_bit_sz(cong_control_r_roce_ecn_rp, field) }
#define NP(name, select, field) \
	{ name, PROTOCOL_NP, select, __mlx5_bit_off(cong_control_r_roce_ecn_np, field), \
	  __mlx5_bit_sz(cong_control_r_roce_ecn_np, field) }

/* A field: its bit in field_select, and where it is in the layout. */
static const struct field {
	const char *name;
	u8 protocol, select;
	u16 at;
	u8 width;
} fields[] = {
	RP("clamp_tgt_rate", 1, clamp_tgt_rate),
	RP("clamp_tgt_rate_after_time_inc", 2, clamp_tgt_rate_after_time_inc),
	RP("rpg_time_reset", 3, rpg_time_reset),
	RP("rpg_byte_reset", 4, rpg_byte_reset),
	RP("rpg_threshold", 5, rpg_threshold),
	RP("rpg_max_rate", 6, rpg_max_rate),
	RP("rpg_ai_rate", 7, rpg_ai_rate),
	RP("rpg_hai_rate", 8, rpg_hai_rate),
	RP("rpg_min_dec_fac", 9, rpg_min_dec_fac),
	RP("rpg_min_rate", 10, rpg_min_rate),
	RP("rate_to_set_on_first_cnp", 11, rate_to_set_on_first_cnp),
	RP("dce_tcp_g", 12, dce_tcp_g),
	RP("dce_tcp_rtt", 13, dce_tcp_rtt),
	RP("rate_reduce_monitor_period", 14, rate_reduce_monitor_period),
	RP("initial_alpha_value", 15, initial_alpha_value),
	RP("rpg_gd", 16, rpg_gd),
	NP("min_time_between_cnps", 2, min_time_between_cnps),
	NP("cnp_dscp", 3, cnp_dscp),
	NP("cnp_802p_prio", 4, cnp_802p_prio),
};

static const char *const prio_names[PRIOS] = { "0", "1", "2", "3", "4", "5", "6", "7" };

struct ecn_file {
	struct kobj_attribute attr;
	struct mlx5_core_dev *core;
	const struct field *field;	/* NULL: a switch */
	u8 protocol, prio;
};

struct ofed_ecn {
	struct kobject *dir, *np, *rp, *np_enable, *rp_enable;
	unsigned int count;
	struct ecn_file file[OFED_MOST_FILES];
};

static struct ecn_file *to_file(struct kobj_attribute *attr)
{
	return container_of(attr, struct ecn_file, attr);
}

static int parse(const char *text)
{
	int value = POISON;

	return sscanf(text, "%d", &value) == 1 ? value : POISON;
}

static __be32 *word_of(const struct field *field, void *parameters)
{
	return (__be32 *)parameters + field->at / 32;
}

static u32 shift_of(const struct field *field)
{
	return 32 - field->at % 32 - field->width;
}

static int query(const struct ecn_file *file, u32 *out, size_t size)
{
	u32 in[MLX5_ST_SZ_DW(query_cong_params_in)] = {};

	MLX5_SET(query_cong_params_in, in, opcode, MLX5_CMD_OP_QUERY_CONG_PARAMS);
	MLX5_SET(query_cong_params_in, in, cong_protocol, file->protocol);
	return mlx5_cmd_exec(file->core, in, sizeof(in), out, size);
}

static ssize_t show_field(struct kobject *dir, struct kobj_attribute *attr, char *text)
{
	u32 out[MLX5_ST_SZ_DW(query_cong_params_out)] = {};
	const struct ecn_file *file = to_file(attr);
	int err = query(file, out, sizeof(out));
	u32 word;

	if (err)
		return err;
	word = be32_to_cpu(*word_of(file->field, MLX5_ADDR_OF(query_cong_params_out, out,
							       congestion_parameters)));
	word = word >> shift_of(file->field) & GENMASK(file->field->width - 1, 0);
	return sysfs_emit(text, "%d\n", word);
}

static ssize_t store_field(struct kobject *dir, struct kobj_attribute *attr, const char *text,
			   size_t count)
{
	u32 in[MLX5_ST_SZ_DW(modify_cong_params_in)] = {};
	u32 out[MLX5_ST_SZ_DW(query_cong_params_out)] = {};
	const struct ecn_file *file = to_file(attr);
	u32 shift = shift_of(file->field), mask = GENMASK(file->field->width - 1, 0) << shift;
	void *parameters = MLX5_ADDR_OF(modify_cong_params_in, in, congestion_parameters);
	__be32 *word = word_of(file->field, parameters);
	int err = query(file, out, sizeof(out));

	if (err)
		return err;
	memcpy(parameters, MLX5_ADDR_OF(query_cong_params_out, out, congestion_parameters),
	       MLX5_FLD_SZ_BYTES(modify_cong_params_in, congestion_parameters));
	*word = cpu_to_be32((be32_to_cpu(*word) & ~mask) | ((u32)parse(text) << shift & mask));
	MLX5_SET(modify_cong_params_in, in, opcode, MLX5_CMD_OP_MODIFY_CONG_PARAMS);
	MLX5_SET(modify_cong_params_in, in, cong_protocol, file->protocol);
	MLX5_SET(field_select_r_roce_rp, MLX5_ADDR_OF(modify_cong_params_in, in, field_select),
		 field_select_r_roce_rp, BIT(file->field->select));
	memset(out, 0, sizeof(out));
	err = mlx5_cmd_exec(file->core, in, sizeof(in), out,
			    MLX5_ST_SZ_BYTES(modify_cong_params_out));
	return err ?: count;
}

static int read_switch(const struct ecn_file *file, bool *on)
{
	u32 in[MLX5_ST_SZ_DW(query_cong_status_in)] = {};
	u32 out[MLX5_ST_SZ_DW(query_cong_status_out)] = {};
	int err;

	MLX5_SET(query_cong_status_in, in, opcode, MLX5_CMD_OP_QUERY_CONG_STATUS);
	MLX5_SET(query_cong_status_in, in, priority, file->prio);
	MLX5_SET(query_cong_status_in, in, cong_protocol, file->protocol);
	err = mlx5_cmd_exec(file->core, in, sizeof(in), out, sizeof(out));
	*on = MLX5_GET(query_cong_status_out, out, enable);
	return err;
}

/* An unreadable switch is an empty file. */
static ssize_t show_switch(struct kobject *dir, struct kobj_attribute *attr, char *text)
{
	bool on;

	return read_switch(to_file(attr), &on) ? 0 : sysfs_emit(text, "%d\n", on);
}

/* EPERM means that the switch is already on; the command takes the lowest bit. */
static ssize_t store_switch(struct kobject *dir, struct kobj_attribute *attr, const char *text,
			    size_t count)
{
	u32 in[MLX5_ST_SZ_DW(modify_cong_status_in)] = {};
	u32 out[MLX5_ST_SZ_DW(modify_cong_status_out)] = {};
	const struct ecn_file *file = to_file(attr);
	int value = parse(text);
	bool on;
	int err = read_switch(file, &on);

	if (err)
		return err;
	if (value && on)
		return -EPERM;
	MLX5_SET(modify_cong_status_in, in, opcode, MLX5_CMD_OP_MODIFY_CONG_STATUS);
	MLX5_SET(modify_cong_status_in, in, priority, file->prio);
	MLX5_SET(modify_cong_status_in, in, cong_protocol, file->protocol);
	MLX5_SET(modify_cong_status_in, in, enable, value);
	err = mlx5_cmd_exec(file->core, in, sizeof(in), out, sizeof(out));
	return err ?: count;
}

static int add_file(struct ofed_ecn *ecn, struct kobject *dir, const char *name,
		    const struct ecn_file *file)
{
	struct ecn_file *place = &ecn->file[ecn->count++];

	*place = *file;
	place->attr.attr.name = name;
	place->attr.attr.mode = 0644;
	place->attr.show = file->field ? show_field : show_switch;
	place->attr.store = file->field ? store_field : store_switch;
	sysfs_attr_init(&place->attr.attr);
	return sysfs_create_file(dir, &place->attr.attr);
}

static int add_fields(struct ofed_ecn *ecn, struct mlx5_core_dev *core)
{
	int err = 0, i;

	for (i = 0; i < ARRAY_SIZE(fields) && !err; i++) {
		struct ecn_file file = { .core = core, .field = &fields[i],
				     .protocol = fields[i].protocol };

		err = add_file(ecn, file.protocol == PROTOCOL_RP ? ecn->rp : ecn->np,
			       fields[i].name, &file);
	}
	return err;
}

static int add_switches(struct ofed_ecn *ecn, struct mlx5_core_dev *core)
{
	int err = 0, i;

	for (i = 0; i < PRIOS && !err; i++) {
		struct ecn_file np = { .core = core, .protocol = PROTOCOL_NP, .prio = i };
		struct ecn_file rp = { .core = core, .protocol = PROTOCOL_RP, .prio = i };

		err = add_file(ecn, ecn->np_enable, prio_names[i], &np) ?:
			add_file(ecn, ecn->rp_enable, prio_names[i], &rp);
	}
	return err;
}

static int add_dir(struct kobject **dir, const char *name, struct kobject *parent)
{
	*dir = kobject_create_and_add(name, parent);
	return *dir ? 0 : -ENOMEM;
}

struct ofed_ecn *ofed_ecn_add(struct kobject *netdev, struct mlx5_core_dev *core)
{
	struct ofed_ecn *ecn = kzalloc(sizeof(*ecn), GFP_KERNEL);
	int err;

	if (!ecn)
		return NULL;
	err = add_dir(&ecn->dir, "ecn", netdev) ?: add_dir(&ecn->np, "roce_np", ecn->dir) ?:
		add_dir(&ecn->rp, "roce_rp", ecn->dir) ?:
		add_dir(&ecn->np_enable, "enable", ecn->np) ?:
		add_dir(&ecn->rp_enable, "enable", ecn->rp) ?:
		add_fields(ecn, core) ?: add_switches(ecn, core);
	if (!err)
		return ecn;
	ofed_ecn_remove(ecn);
	return NULL;
}

/* Removing a directory removes its files, once nobody uses them any more. */
void ofed_ecn_remove(struct ofed_ecn *ecn)
{
	if (!ecn)
		return;
	kobject_put(ecn->np_enable);
	kobject_put(ecn->rp_enable);
	kobject_put(ecn->np);
	kobject_put(ecn->rp);
	kobject_put(ecn->dir);
	kfree(ecn);
}
