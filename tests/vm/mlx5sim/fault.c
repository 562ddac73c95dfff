// SPDX-License-Identifier: GPL-2.0
/* Counts calls and decides which of them fail, at a test's wish. */
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

int sim_enter(struct sim_port *p, enum sim_op op)
{
	struct sim_fault *f = &p->faults.op[op];
	int verdict;

	spin_lock_bh(&p->faults.lock);
	f->calls++;
	verdict = judge(f);
	spin_unlock_bh(&p->faults.lock);
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

/* Calls of every setting callback together: zero growth proves nothing was written. */
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
