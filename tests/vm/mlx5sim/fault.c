// SPDX-License-Identifier: GPL-2.0
/* Counts calls, and makes those fail that a test selected. */
#include <linux/delay.h>

#include "mlx5sim.h"

static const struct {
	const char *name;
	unsigned int flags;
} ops[] = {
#define SIM_OP_ROW(id, name, flags) [SIM_OP_##id] = { name, flags },
	SIM_OPS(SIM_OP_ROW)
#undef SIM_OP_ROW
};

static int judge(struct sim_fault *f)
{
	if (!f->err)
		return f->deaf ? SIM_DEAF : 0;
	if (f->skip) {
		f->skip--;
		return f->deaf ? SIM_DEAF : 0;
	}
	if (!f->forever && !f->count)
		return f->deaf ? SIM_DEAF : 0;
	if (!f->forever)
		f->count--;
	return f->err;
}

/*
 * Firmware commands that each read takes (en_dcbnl.c: three registers for each class in
 * ieee_getets; port_buffer.c; port.c; cong.c). getdcbx takes none, as it runs in atomic context.
 */
static const unsigned int commands[SIM_OP_COUNT] = {
	[SIM_OP_GETETS] = 24,	    [SIM_OP_GETMAXRATE] = 1, [SIM_OP_GETPFC] = 1,
	[SIM_OP_GETBUFFER] = 2,	    [SIM_OP_GETPAUSE] = 1,   [SIM_OP_GETTUNABLE] = 1,
	[SIM_OP_GETPAUSESTATS] = 1, [SIM_OP_GETLINK] = 2,    [SIM_OP_GETFEC] = 1,
	[SIM_OP_GETFECSTATS] = 1,   [SIM_OP_CCGET] = 1,	     [SIM_OP_ECNGET] = 1,
	[SIM_OP_HWSTATS] = 1,
};

static void wait_for_firmware(const struct sim_port *p, enum sim_op op)
{
	unsigned int us = p->hw->command_us * commands[op];

	if (us)
		usleep_range(us, us + us / 8 + 1);
}

int sim_enter(struct sim_port *p, enum sim_op op)
{
	struct sim_fault *f = &p->faults.op[op];
	int verdict;

	spin_lock_bh(&p->faults.lock);
	f->calls++;
	verdict = judge(f);
	spin_unlock_bh(&p->faults.lock);
	wait_for_firmware(p, op);
	return verdict;
}

void sim_faults_init(struct sim_port *p)
{
	spin_lock_init(&p->faults.lock);
}

int sim_fault_find(const char *name)
{
	int i;

	for (i = 0; i < SIM_OP_COUNT; i++)
		if (!strcmp(ops[i].name, name))
			return i;
	return -EINVAL;
}

int sim_fault_set(struct sim_port *p, int op, int err, unsigned int count, unsigned int skip,
		  bool forever)
{
	struct sim_fault *f = &p->faults.op[op];

	if (!(ops[op].flags & SIM_OP_FAILS))
		return -EINVAL;

	spin_lock_bh(&p->faults.lock);
	f->err = -err;
	f->count = count;
	f->skip = skip;
	f->forever = forever;
	spin_unlock_bh(&p->faults.lock);
	return 0;
}

int sim_fault_deaf(struct sim_port *p, int op, bool deaf)
{
	if (!(ops[op].flags & SIM_OP_SETS))
		return -EINVAL;

	spin_lock_bh(&p->faults.lock);
	p->faults.op[op].deaf = deaf;
	spin_unlock_bh(&p->faults.lock);
	return 0;
}

u64 sim_fault_calls(struct sim_port *p, enum sim_op op)
{
	u64 calls;

	spin_lock_bh(&p->faults.lock);
	calls = p->faults.op[op].calls;
	spin_unlock_bh(&p->faults.lock);
	return calls;
}

/* Sum the calls of all setters: if the sum does not grow, nothing was written. */
u64 sim_fault_writes(struct sim_port *p)
{
	u64 writes = 0;
	int i;

	for (i = 0; i < SIM_OP_COUNT; i++)
		if (ops[i].flags & SIM_OP_SETS)
			writes += sim_fault_calls(p, i);
	return writes;
}

const char *sim_op_name(enum sim_op op)
{
	return ops[op].name;
}
