// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/connectx/state shows registers and objects; /proc/connectx/control takes lines
 *
 *	FUNCTION fail OPCODE[:REGISTER] STATUS [COUNT [SKIP]]	the command fails
 *	FUNCTION deaf OPCODE[:REGISTER] [COUNT]			it succeeds and does nothing
 *	FUNCTION delay OPCODE[:REGISTER] MICROSECONDS		it takes longer
 *	FUNCTION clear						no more of these
 *	FUNCTION cable on|off
 *	FUNCTION error						fatal error: the driver recovers
 *	FUNCTION cold						registers as at power on
 *	FUNCTION mark N						one of N RoCE packets arrives marked
 *	FUNCTION counter NAME N					add N to a counter
 *
 * with numbers as in device.h and driver.h. Faults of ACCESS_REG (0x805) hit writes only.
 */
#include "connectx.h"

#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define MAX_FAULTS	16

enum fault_kind { NO_FAULT, FAIL, DEAF, DELAY };

static struct fault {
	enum fault_kind kind;
	unsigned int function, opcode, reg, status, count, skip, us;
} faults[MAX_FAULTS];
static DEFINE_SPINLOCK(lock);
static struct proc_dir_entry *folder;

static bool hits(struct fault *fault, struct fw_function *fn, u16 opcode, u16 reg, bool write)
{
	if (fault->kind == NO_FAULT || fault->function != fn->index || fault->opcode != opcode ||
	    (fault->reg && fault->reg != reg) || !write)
		return false;
	if (fault->skip) {
		fault->skip--;
		return false;
	}
	return true;
}

bool fw_fault(struct fw_function *fn, u16 opcode, u16 reg, bool write, int *status, u32 *syndrome,
	      bool *deaf, unsigned int *delay_us)
{
	bool failed = false;
	int i;

	spin_lock(&lock);
	for (i = 0; i < MAX_FAULTS; i++) {
		struct fault *fault = &faults[i];

		if (!hits(fault, fn, opcode, reg, write))
			continue;
		if (fault->kind == DELAY)
			*delay_us = fault->us;
		if (fault->kind == DEAF)
			*deaf = true;
		if (fault->kind == FAIL) {
			*status = fault->status;
			*syndrome = 0xabcd00 | fault->opcode;
			failed = true;
		}
		if (fault->count && !--fault->count)
			fault->kind = NO_FAULT;
	}
	spin_unlock(&lock);
	return failed;
}

static int add_fault(const struct fault *new)
{
	int i;

	spin_lock(&lock);
	for (i = 0; i < MAX_FAULTS; i++) {
		if (faults[i].kind == NO_FAULT) {
			faults[i] = *new;
			spin_unlock(&lock);
			return 0;
		}
	}
	spin_unlock(&lock);
	return -ENOSPC;
}

static int set_cable(unsigned int function, bool on)
{
	struct fw_function *fn = fw_functions[function];

	fn->port.cable = on;
	fw_link_update(fn);
	fw_wake();
	return 0;
}

static int add_to_counter(unsigned int function, const char *line)
{
	char name[ETH_GSTRING_LEN];
	long long n;

	if (sscanf(line, "%31s %lli", name, &n) != 2)
		return -EINVAL;
	return fw_counter_add(fw_functions[function], name, n) ? 0 : -EINVAL;
}

static int command(char *line)
{
	struct fault fault = { .count = 1 };
	char verb[16], target[32], *colon;
	int n, numbers[3] = { 0, 1, 0 }, given;

	if (sscanf(line, "%u %15s %n", &fault.function, verb, &n) < 2 ||
	    fault.function >= fw_function_count)
		return -EINVAL;
	line += n;
	if (!strcmp(verb, "cable"))
		return set_cable(fault.function, !strncmp(line, "on", 2));
	if (!strcmp(verb, "error")) {
		fw_functions[fault.function]->iseg->health.synd = 1;
		fw_functions[fault.function]->iseg->health.rfr_severity = 0x80;
		return 0;
	}
	if (!strcmp(verb, "counter"))
		return add_to_counter(fault.function, line);
	if (!strcmp(verb, "mark"))
		return kstrtouint(strim(line), 0, &fw_functions[fault.function]->port.mark_every);
	if (!strcmp(verb, "cold")) {
		fw_port_reset(fw_functions[fault.function]);
		return 0;
	}
	if (!strcmp(verb, "clear")) {
		memset(faults, 0, sizeof(faults));
		return 0;
	}
	if (sscanf(line, "%31s %n", target, &n) < 1)
		return -EINVAL;
	given = sscanf(line + n, "%i %i %i", &numbers[0], &numbers[1], &numbers[2]);
	colon = strchr(target, ':');
	if (colon) {
		*colon = '\0';
		if (kstrtouint(colon + 1, 0, &fault.reg))
			return -EINVAL;
	}
	if (kstrtouint(target, 0, &fault.opcode))
		return -EINVAL;
	if (!strcmp(verb, "fail") && given >= 1) {
		fault.kind = FAIL;
		fault.status = numbers[0];
		fault.count = numbers[1];
		fault.skip = numbers[2];
	} else if (!strcmp(verb, "deaf")) {
		fault.kind = DEAF;
		fault.count = given >= 1 ? numbers[0] : 1;
	} else if (!strcmp(verb, "delay") && given >= 1) {
		fault.kind = DELAY;
		fault.us = numbers[0];
		fault.count = 0;
	} else {
		return -EINVAL;
	}
	return add_fault(&fault);
}

static ssize_t control_write(struct file *file, const char __user *user, size_t size, loff_t *pos)
{
	char *line = size < 256 ? memdup_user_nul(user, size) : ERR_PTR(-EINVAL);
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	err = command(line);
	kfree(line);
	return err ?: size;
}

static const struct proc_ops control_ops = { .proc_write = control_write };

static void show_qos(struct seq_file *out, struct fw_port *port)
{
	int i;

	seq_printf(out, "pfc tx 0x%02x rx 0x%02x pause tx %u rx %u stall %u %u\n", port->pfctx,
		   port->pfcrx, port->pptx, port->pprx, port->stall_critical, port->stall_minor);
	seq_puts(out, "prio_tc");
	for (i = 0; i < FW_PRIOS; i++)
		seq_printf(out, " %u", port->prio_tc[i]);
	seq_puts(out, "\ntc group:bw:units:value");
	for (i = 0; i < FW_PRIOS; i++)
		seq_printf(out, " %u:%u:%u:%u", port->tc[i].group, port->tc[i].bw, port->tc[i].units,
			   port->tc[i].value);
	seq_printf(out, "\ntrust %u\ndscp", port->trust);
	for (i = 0; i < 64; i++)
		seq_printf(out, " %u", port->dscp_prio[i]);
	seq_printf(out, "\nprio_buffer 0x%08x total %u\nbuffer lossy:size:xoff:xon",
		   port->prio_buffer, port->buffer_total);
	for (i = 0; i < 8; i++)
		seq_printf(out, " %u:%u:%u:%u", port->buffer[i].lossy, port->buffer[i].size,
			   port->buffer[i].xoff, port->buffer[i].xon);
	seq_printf(out, "\npools lossless %u lossy %u\n", port->pool_size[0][1],
		   port->pool_size[1][0]);
}

static void show_congestion(struct seq_file *out, struct fw_port *port)
{
	const __be32 *rp = (const void *)port->rp, *np = (const void *)port->np;
	int i;

	seq_puts(out, "rp");
	for (i = 0; i < 28; i++)
		seq_printf(out, " %x", be32_to_cpu(rp[i]));
	seq_puts(out, "\nnp");
	for (i = 0; i < 8; i++)
		seq_printf(out, " %x", be32_to_cpu(np[i]));
	seq_putc(out, '\n');
}

static void show_function(struct seq_file *out, struct fw_function *fn)
{
	struct fw_port *port = &fn->port;
	struct fw_object *object;
	unsigned long id;
	int i, n;

	seq_printf(out, "function %u commands %llu link admin %u oper %u downs %llu mtu %u\n",
		   fn->index, fn->commands, port->admin_up, port->oper_up,
		   port->count.link_down_events, port->mtu);
	show_qos(out, port);
	show_congestion(out, port);
	seq_puts(out, "tx");
	for (i = 0; i < FW_PRIOS; i++)
		seq_printf(out, " %llu", port->count.prio[i].tx_frames);
	seq_puts(out, "\nrx");
	for (i = 0; i < FW_PRIOS; i++)
		seq_printf(out, " %llu", port->count.prio[i].rx_frames);
	seq_puts(out, "\nobjects");
	for (i = 0; i < FW_KINDS; i++) {
		n = 0;
		xa_for_each(&fn->object[i], id, object)
			n++;
		if (n)
			seq_printf(out, " %s:%d", fw_kind_name[i], n);
	}
	seq_puts(out, "\n\n");
}

static int state_show(struct seq_file *out, void *unused)
{
	unsigned int i;

	for (i = 0; i < fw_function_count; i++)
		show_function(out, fw_functions[i]);
	return 0;
}

int fw_control_init(void)
{
	folder = proc_mkdir("connectx", NULL);
	if (!folder)
		return -ENOMEM;
	if (proc_create("control", 0200, folder, &control_ops) &&
	    proc_create_single("state", 0444, folder, state_show))
		return 0;
	fw_control_exit();
	return -ENOMEM;
}

void fw_control_exit(void)
{
	proc_remove(folder);
}
