// SPDX-License-Identifier: GPL-2.0
/*
 * The command queue: 32 entries of 64 bytes. Sixteen bytes of a command's input and output are in
 * the entry, the rest in chains of mailboxes.
 */
#include "connectx.h"

#include <linux/vmalloc.h>

#define LOG_ENTRIES	5
#define LOG_STRIDE	6
#define QUEUE_SHAPE	(LOG_ENTRIES << 4 | LOG_STRIDE)
#define DELIVERY_BAD_LENGTH	0x7
#define NIC_STATE_SHIFT		8
#define NIC_STATE_MASK		7
#define NIC_STATE_DISABLED	1	/* as in the driver's lib/mlx5.h */
#define NIC_STATE_SW_RESET	7

/* The time that an entry waits whose bell was overwritten by another one. */
#define GRACE_US		50

static u8 *in_buffer, *out_buffer;

int fw_command_init(void)
{
	in_buffer = vmalloc(FW_MAX_MESSAGE);
	out_buffer = vmalloc(FW_MAX_MESSAGE);
	if (in_buffer && out_buffer)
		return 0;
	fw_command_exit();
	return -ENOMEM;
}

void fw_command_exit(void)
{
	vfree(in_buffer);
	vfree(out_buffer);
}

/* Copy LEN bytes from or to a chain of mailboxes. */
static bool copy_chain(struct fw_function *fn, u64 dma, u8 *data, u32 len, bool to_driver)
{
	while (len) {
		struct mlx5_cmd_prot_block *block = dma ? fw_memory(fn, dma) : NULL;
		u32 part = min_t(u32, len, sizeof(block->data));

		if (!block)
			return false;
		if (to_driver)
			memcpy(block->data, data, part);
		else
			memcpy(data, block->data, part);
		data += part;
		len -= part;
		dma = be64_to_cpu(block->next);
	}
	return true;
}

/* Commands that set up and take down the function as a whole. */
static int basic_command(struct fw_command *cmd)
{
	struct fw_function *fn = cmd->fn;

	switch (cmd->opcode) {
	case MLX5_CMD_OP_TEARDOWN_HCA:
		/* The driver may wait for its completion in an event queue that it left behind. */
		fw_objects_drop(fn, true);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_DISABLE_HCA:
		fw_objects_drop(fn, false);
		fw_caps_reset(fn);
		if (fn->forgetful)
			fw_port_reset(fn);
		fn->in_lag = false;
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_ENABLE_HCA:
	case MLX5_CMD_OP_INIT_HCA:
	case MLX5_CMD_OP_SET_ISSI:
	case MLX5_CMD_OP_SET_DRIVER_VERSION:
	case MLX5_CMD_OP_QUERY_PAGES:		/* none needed */
	case MLX5_CMD_OP_MANAGE_PAGES:
	case MLX5_CMD_OP_NOP:
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_ISSI:
		MLX5_SET(query_issi_out, cmd->out, supported_issi_dw0, BIT(1) | BIT(0));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_ADAPTER:
		MLX5_SET(query_adapter_out, cmd->out, query_adapter_struct.ieee_vendor_id, 0x2c9);
		strscpy(MLX5_ADDR_OF(query_adapter_out, cmd->out,
				     query_adapter_struct.vsd_contd_psid), fn->model->psid, 16);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_HCA_CAP:
		return fw_query_hca_cap(cmd);
	case MLX5_CMD_OP_SET_HCA_CAP:
		return fw_set_hca_cap(cmd);
	case MLX5_CMD_OP_ACCESS_REG:
		return fw_access_register(cmd);
	}
	return -ENOENT;
}

static int (*const handlers[])(struct fw_command *cmd) = {
	fw_sriov_command, basic_command, fw_object_command, fw_vport_command,
	fw_congestion_command, fw_counter_command, fw_lag_command, fw_infiniband_command,
};

static int execute(struct fw_command *cmd)
{
	struct fw_function *asker = cmd->fn;
	int i, status = -ENOENT;

	if (!fw_sriov_redirect(cmd, &status)) {
		for (i = 0; i < ARRAY_SIZE(handlers) && status == -ENOENT; i++)
			status = handlers[i](cmd);
	}
	cmd->fn = asker;
	if (status != -ENOENT)
		return status;
	fw_say(cmd->fn, "unknown command 0x%x op_mod 0x%x, %u bytes in, %u out\n", cmd->opcode,
	       cmd->op_mod, cmd->inlen, cmd->outlen);
	return MLX5_CMD_STAT_BAD_OP_ERR;
}

static u16 register_of(const struct fw_command *cmd)
{
	return cmd->opcode == MLX5_CMD_OP_ACCESS_REG ?
		MLX5_GET(access_register_in, cmd->in, register_id) : 0;
}

/* Rings and channels are settings that show as new queues alone. */
static bool is_setting(const struct fw_command *cmd)
{
	return register_of(cmd) || cmd->opcode == MLX5_CMD_OP_MODIFY_CONG_PARAMS ||
		cmd->opcode == MLX5_CMD_OP_MODIFY_CONG_STATUS ||
		cmd->opcode == MLX5_CMD_OP_CREATE_RQ;
}

/* Only registers are read and written by the same command. */
static bool is_read(const struct fw_command *cmd)
{
	return cmd->opcode == MLX5_CMD_OP_ACCESS_REG && cmd->op_mod;
}

static void count(struct fw_command *cmd)
{
	unsigned int i;

	cmd->fn->changes += is_setting(cmd) && !is_read(cmd);
	for (i = 0; fw_commands[i].name; i++) {
		if (fw_commands[i].value != cmd->opcode)
			continue;
		cmd->fn->calls[i]++;
		cmd->fn->changed |= !is_read(cmd) && !strstarts(fw_commands[i].name, "QUERY");
	}
	for (i = 0; register_of(cmd) && fw_registers[i].name; i++) {
		if (fw_registers[i].value == register_of(cmd))
			cmd->fn->register_calls[i][is_read(cmd)]++;
	}
}

static void finish(struct fw_function *fn, struct mlx5_cmd_layout *entry, unsigned int index,
		   u32 eqn, u8 delivery)
{
	struct mlx5_eqe_cmd event = { .vector = cpu_to_be32(BIT(index)) };
	struct fw_object *eq = fw_object_get(fn, FW_EQ, eqn);

	dma_wmb();
	WRITE_ONCE(entry->status_own, delivery << 1);
	/* No event for the command that makes the queue or takes it down. */
	if (eqn && eq)
		fw_eq_event(fn, eq, MLX5_EVENT_TYPE_CMD, 0, &event, sizeof(event));
}

static void answer(struct fw_command *cmd, struct mlx5_cmd_layout *entry, unsigned int index,
		   u32 eqn, int status)
{
	fw_trace(cmd->fn, "command 0x%x op_mod 0x%x reg 0x%x status %d\n", cmd->opcode, cmd->op_mod,
		 register_of(cmd), status);
	MLX5_SET(query_hca_cap_out, cmd->out, status, status);
	MLX5_SET(query_hca_cap_out, cmd->out, syndrome, status ? 0x1000 + cmd->opcode : 0);
	memcpy(entry->out, cmd->out, 16);
	if (cmd->outlen > 16)
		copy_chain(cmd->fn, be64_to_cpu(entry->out_ptr), cmd->out + 16, cmd->outlen - 16, true);
	finish(cmd->fn, entry, index, eqn, 0);
}

/*
 * Run the entry's command, unless a fault makes it wait (SLOW is that it has waited) or leaves it
 * unanswered.
 */
static void run(struct fw_function *fn, struct mlx5_cmd_layout *entry, unsigned int index,
		bool slow)
{
	struct fw_command cmd = {
		.fn = fn, .in = in_buffer, .out = out_buffer,
		.inlen = be32_to_cpu(entry->inlen), .outlen = be32_to_cpu(entry->outlen),
	};
	const struct fw_fault *fault = NULL;
	u32 eqn = fn->command_eqn;

	if (cmd.inlen > FW_MAX_MESSAGE || cmd.outlen > FW_MAX_MESSAGE ||
	    cmd.inlen < 16 || cmd.outlen < 8) {
		finish(fn, entry, index, eqn, DELIVERY_BAD_LENGTH);
		return;
	}
	memcpy(cmd.in, entry->in, 16);
	if (cmd.inlen > 16)
		copy_chain(cmd.fn, be64_to_cpu(entry->in_ptr), cmd.in + 16, cmd.inlen - 16, false);
	memset(cmd.in + cmd.inlen, 0, 64);
	memset(cmd.out, 0, min_t(u32, max_t(u32, cmd.outlen, SZ_8K), FW_MAX_MESSAGE));
	cmd.opcode = MLX5_GET(query_hca_cap_in, cmd.in, opcode);
	cmd.op_mod = MLX5_GET(query_hca_cap_in, cmd.in, op_mod);

	if (!slow) {
		fn->commands++;
		count(&cmd);
		fault = fw_fault(fn, cmd.opcode, register_of(&cmd), is_read(&cmd));
	}
	if (!fault) {
		answer(&cmd, entry, index, eqn, execute(&cmd));
	} else if (fault->kind == FW_FAILS) {
		answer(&cmd, entry, index, eqn, fault->status);
	} else if (fault->kind == FW_IGNORED) {
		answer(&cmd, entry, index, eqn, MLX5_CMD_STAT_OK);
	} else if (fault->kind == FW_SILENT) {
		fn->silent |= BIT(index);
	} else {
		fn->slow |= BIT(index);
		fn->due[index] = ktime_add_us(ktime_get(), fault->us);
	}
}

/* Run those whose time has come. */
static bool run_slow(struct fw_function *fn, u8 *queue)
{
	unsigned long waiting = fn->slow;
	unsigned int index;
	bool busy = false;

	for_each_set_bit(index, &waiting, BIT(LOG_ENTRIES)) {
		if (ktime_before(ktime_get(), fn->due[index]))
			continue;
		fn->slow &= ~BIT(index);
		run(fn, (void *)(queue + (index << LOG_STRIDE)), index, true);
		busy = true;
	}
	return busy;
}

/*
 * The driver reads the queue's shape where it then writes the queue's address, whose low bits are
 * zero. Put the shape back for the next time it asks.
 */
static void latch_address(struct fw_function *fn)
{
	u32 low = be32_to_cpu(READ_ONCE(fn->iseg->cmdq_addr_l_sz));

	if ((low & 0xff) == QUEUE_SHAPE)
		return;
	fn->command_queue = (u64)be32_to_cpu(fn->iseg->cmdq_addr_h) << 32 | (low & PAGE_MASK);
	WRITE_ONCE(fn->iseg->cmdq_addr_l_sz, cpu_to_be32((low & ~0xff) | QUEUE_SHAPE));
}

static void reset(struct fw_function *fn, u32 low)
{
	fw_objects_drop(fn, false);
	fw_caps_reset(fn);
	fn->command_queue = 0;
	fn->silent = fn->slow = fn->overdue = 0;
	fn->iseg->health.synd = 0;
	fn->iseg->health.rfr_severity = 0;
	low &= ~(NIC_STATE_MASK << NIC_STATE_SHIFT);
	low |= NIC_STATE_DISABLED << NIC_STATE_SHIFT;
	WRITE_ONCE(fn->iseg->cmdq_addr_l_sz, cpu_to_be32(low));
}

/*
 * The driver answers a fatal syndrome by disabling the interface (bits 10:8 of the same word),
 * after a reset if the firmware has one; then it starts anew. When the drivers have agreed to a
 * reset, the firmware disables the interface, which they wait for.
 */
static void check_reset(struct fw_function *fn)
{
	u32 low = be32_to_cpu(READ_ONCE(fn->iseg->cmdq_addr_l_sz));
	u32 state = low >> NIC_STATE_SHIFT & NIC_STATE_MASK;
	bool by_driver = fn->iseg->health.synd &&
			 (state == NIC_STATE_DISABLED || state == NIC_STATE_SW_RESET);

	if (!by_driver && !fn->reset_now)
		return;
	reset(fn, low);
	if (fn->reset_now)
		fw_port_cold(fn);
	fn->reset_now = false;
	fw_say(fn, "reset by the %s\n", by_driver ? "driver" : "firmware");
}

/*
 * Two bells rung in a row leave the second one's bit alone. The first one's entry belongs to the
 * adapter all the same, but the driver has to have rung by then: give it time.
 */
bool fw_command_poll(struct fw_function *fn, bool *watch)
{
	unsigned long bells, owned = 0, ready;
	bool busy;
	struct mlx5_cmd_layout *entry;
	unsigned int index;
	u8 *queue;

	latch_address(fn);
	check_reset(fn);
	bells = be32_to_cpu((__force __be32)xchg((__force u32 *)&fn->iseg->cmd_dbell, 0));
	queue = fn->command_queue ? fw_memory(fn, fn->command_queue) : NULL;
	if (!queue)
		return false;
	busy = fn->slow && run_slow(fn, queue);
	*watch |= fn->slow;
	if (!bells && !fn->overdue)
		return busy;
	dma_rmb();
	for (index = 0; index < BIT(LOG_ENTRIES); index++) {
		entry = (void *)(queue + (index << LOG_STRIDE));
		if (READ_ONCE(entry->status_own) & 1)
			owned |= BIT(index);
	}
	fn->silent &= owned & ~bells;	/* the driver gave up, or uses the entry anew */
	fn->slow &= owned & ~bells;
	owned &= ~fn->silent & ~fn->slow;
	ready = owned & bells;
	if (fn->overdue && ktime_us_delta(ktime_get(), fn->overdue_since) > GRACE_US)
		ready |= owned & fn->overdue;
	for_each_set_bit(index, &ready, BIT(LOG_ENTRIES))
		run(fn, (void *)(queue + (index << LOG_STRIDE)), index, false);
	if (owned & ~ready & ~fn->overdue)
		fn->overdue_since = ktime_get();
	fn->overdue = owned & ~ready;
	return fn->overdue;
}
