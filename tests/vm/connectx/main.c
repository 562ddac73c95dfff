// SPDX-License-Identifier: GPL-2.0
/*
 * Module and "firmware": one thread that looks at the doorbells of all functions. The driver
 * writes them to plain memory, so that nothing traps. Probes at the functions that ring them wake
 * the thread; while programs ring by themselves, and while queues work, it looks again and again.
 */
#include "connectx.h"

#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <uapi/linux/sched/types.h>
#include <linux/slab.h>

struct fw_function *fw_functions[FW_MAX_FUNCTIONS];
unsigned int fw_function_count;
unsigned int carrier_ms = 20;
bool trace;

static unsigned int ports = 2;
static ulong base;
static unsigned int device = 0x1019;
static unsigned int look_us = 250;
static unsigned int watch_us = 2000;
static unsigned int rest_us = 100000;

module_param(ports, uint, 0444);
MODULE_PARM_DESC(ports, "PCI functions with a port each, cross-connected in pairs");
module_param(base, ulong, 0444);
MODULE_PARM_DESC(base, "memory for the BARs, above what the kernel has (mem=)");
module_param(device, uint, 0444);
module_param(carrier_ms, uint, 0644);
module_param(look_us, uint, 0644);
MODULE_PARM_DESC(look_us, "time between looks at the doorbells while there is traffic");
module_param(watch_us, uint, 0644);
MODULE_PARM_DESC(watch_us, "the same after a change, or while a queue waits for a doorbell that no probe sees");
module_param(rest_us, uint, 0644);
MODULE_PARM_DESC(rest_us, "the same while there is none");
module_param(trace, bool, 0644);

static struct task_struct *thread;

/* Reasons to wake the thread: a command of a driver, or anything else. */
enum { RANG_COMMAND = BIT(0), RANG_ALL = BIT(1) };
static atomic_t rung;
static ktime_t traffic_at, change_at;	/* the last of each; commands that only read are neither */

/* The timer of the adapter and its sign of life. */
static void tick(struct fw_function *fn)
{
	u64 now = div_u64(ktime_get_ns() * (FW_KHZ / 1000), 1000);

	fn->iseg->internal_timer_h = cpu_to_be32(now >> 32);
	fn->iseg->internal_timer_l = cpu_to_be32(now);
	fn->iseg->health_counter = cpu_to_be32(now >> 12);
}

static bool look_at_commands(struct fw_function *fn, bool *watch)
{
	bool busy;

	if (xchg(&fn->cut_off, false)) {
		fw_objects_drop(fn, false);
		fw_caps_reset(fn);
	}
	busy = fw_command_poll(fn, watch);
	if (!xchg(&fn->changed, false))
		return busy;
	change_at = ktime_get();
	return true;
}

static bool look_at_queues(struct fw_function *fn, bool *watch)
{
	tick(fn);
	if (!(fw_transmit_poll(fn, watch) | fw_cq_poll(fn, watch)))
		return false;
	traffic_at = ktime_get();
	return true;
}

static bool look_at(struct fw_function *fn, bool all, bool *watch)
{
	bool busy = look_at_commands(fn, watch);

	return all ? busy | look_at_queues(fn, watch) : busy;
}

/* True if there may be more to do. Sets *watch if some queue's next doorbell wakes nobody. */
static bool look(bool all, bool *watch)
{
	bool busy = fw_control_poll();
	unsigned int i, v;

	for (i = 0; i < fw_function_count; i++) {
		struct fw_function *fn = fw_functions[i];

		busy |= look_at(fn, all, watch);
		for (v = 0; v < FW_VFS; v++) {
			if (fn->vf[v] && fn->vf[v]->enabled)
				busy |= look_at(fn->vf[v], all, watch);
		}
		busy |= fw_link_poll(fn, watch);
		busy |= fw_counter_poll(fn);
	}
	return busy;
}

static unsigned int pause_us(bool watch)
{
	ktime_t now = ktime_get();

	if (ktime_ms_delta(now, traffic_at) < 20)
		return look_us;
	return watch || ktime_ms_delta(now, change_at) < 20 ? watch_us : rest_us;
}

/* Most commands only read: after those the queues wait for their own time. */
static int firmware(void *unused)
{
	ktime_t next = 0;

	while (!kthread_should_stop()) {
		bool all = atomic_xchg(&rung, 0) & RANG_ALL || !ktime_before(ktime_get(), next);
		bool watch = false;

		if (look(all, &watch)) {
			next = 0;
			cond_resched();
			continue;
		}
		if (all || watch)
			next = ktime_add_us(ktime_get(), pause_us(watch));
		set_current_state(TASK_IDLE);
		if (!atomic_read(&rung) && !kthread_should_stop())
			schedule_hrtimeout_range(&next, 50000, HRTIMER_MODE_ABS);
		__set_current_state(TASK_RUNNING);
	}
	return 0;
}

static void ring(int who)
{
	atomic_or(who, &rung);
	if (thread)
		wake_up_process(thread);
}

void fw_wake(void)
{
	ring(RANG_ALL);
}

/* The driver rang the bell of a command, or wrote another register of a device. */
static int register_written(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	ring(RANG_COMMAND);
	return 0;
}

static struct kretprobe command_bell = {
	.kp.symbol_name = "iowrite32be",
	.handler = register_written,
	.maxactive = 16,
};

static int about_to_send(struct kprobe *probe, struct pt_regs *regs)
{
	fw_wake();
	return 0;
}

/* Functions that ring the bell of a send queue, in modules that come later. */
static struct kprobe send_bell[] = {
	{ .symbol_name = "mlx5e_xmit", .pre_handler = about_to_send },
	{ .symbol_name = "mlx5_ib_post_send", .pre_handler = about_to_send },
};
static const char *const send_module[ARRAY_SIZE(send_bell)] = { "mlx5_core", "mlx5_ib" };

static int module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;
	int i, err;

	for (i = 0; i < ARRAY_SIZE(send_bell); i++) {
		struct kprobe *bell = &send_bell[i];

		if (strcmp(module->name, send_module[i]))
			continue;
		if (state == MODULE_STATE_COMING) {
			bell->addr = NULL;
			bell->flags = 0;
			err = register_kprobe(bell);
			if (err)
				pr_warn("connectx: no probe at %s (%d)\n", bell->symbol_name, err);
		}
		if (state == MODULE_STATE_GOING && bell->addr)
			unregister_kprobe(bell);
	}
	return NOTIFY_OK;
}

static struct notifier_block module_block = { .notifier_call = module_changed };

static int bells_init(void)
{
	int err = register_kretprobe(&command_bell);

	if (err)
		pr_warn("connectx: no probe (%d), commands wait for the next look\n", err);
	return register_module_notifier(&module_block);
}

static void bells_exit(void)
{
	unregister_module_notifier(&module_block);
	unregister_kretprobe(&command_bell);
}

static void init_segment(struct fw_function *fn)
{
	memset(fn->bar_map, 0, FW_BAR_SIZE);
	fn->iseg = fn->bar_map;
	fn->iseg->cmdif_rev_fw_sub = cpu_to_be32(5 << 16 | FW_SUB);
	fn->iseg->initializing = cpu_to_be32(BIT(30));	/* done; a reset by the driver is supported */
}

static void function_free(struct fw_function *fn)
{
	int i;

	if (!fn)
		return;
	for (i = 0; i < FW_VFS; i++)
		function_free(fn->vf[i]);
	fw_objects_drop(fn, false);
	fw_port_free(fn);
	fw_caps_free(fn);
	fw_packets_forget(fn);
	fw_queue_free(fn);
	if (fn->bar_map)
		iounmap((void __iomem *)fn->bar_map);
	kvfree(fn);
}

/* Those of virtual functions follow all others; below a bridge, those of their own port. */
static unsigned int bar_of(unsigned int nth)
{
	unsigned int vf = nth - ports;

	if (!express)
		return nth;
	return nth < ports ? nth * (1 + FW_VFS) : vf + vf / FW_VFS + 1;
}

struct fw_function *fw_function_create(unsigned int nth, struct fw_function *pf)
{
	static const u8 mac[ETH_ALEN] = { 0xb8, 0x59, 0x9f, 0xc0, 0xff, 0x00 };
	struct fw_function *fn = kvzalloc(sizeof(*fn), GFP_KERNEL);
	int i, err = -ENOMEM;

	if (!fn)
		return ERR_PTR(-ENOMEM);
	fn->index = nth;
	fn->pf = pf;
	fn->bar = base + bar_of(nth) * FW_BAR_SIZE;
	if (!pf) {
		ether_addr_copy(fn->mac, mac);
		fn->mac[5] = nth;
	}
	for (i = 0; i < FW_KINDS; i++)
		xa_init_flags(&fn->object[i], XA_FLAGS_ALLOC);
	xa_init(&fn->seen);
	fw_queue_init(fn);
	/* The driver's mappings must have the same memory type, or its ioremap() fails. */
	fn->bar_map = (void __force *)ioremap(fn->bar, FW_BAR_SIZE);
	if (!fn->bar_map)
		goto failed;
	init_segment(fn);
	err = fw_function_set_model(fn, pf ? pf->model->device : device);
	if (err)
		goto failed;
	fw_function_init_config(fn);
	err = fw_caps_init(fn);
	if (err)
		goto failed;
	fw_vport_init(fn);
	fw_port_init(fn);
	fw_congestion_init(fn);
	return fn;

failed:
	function_free(fn);
	return ERR_PTR(err);
}

static void functions_free(void)
{
	unsigned int i;

	for (i = 0; i < FW_MAX_FUNCTIONS; i++)
		function_free(fw_functions[i]);
}

static int functions_create(void)
{
	struct fw_function *fn;
	unsigned int i;

	for (i = 0; i < ports; i++) {
		fn = fw_function_create(i, NULL);
		if (IS_ERR(fn))
			return PTR_ERR(fn);
		fw_functions[i] = fn;
	}
	for (i = 0; i + 1 < ports; i += 2) {
		fw_functions[i]->peer = fw_functions[i + 1];
		fw_functions[i + 1]->peer = fw_functions[i];
	}
	fw_function_count = ports;
	return fw_sriov_init();
}

/*
 * Above the threads of interrupts, which begin at 50: that of AER starts the driver anew, whose first
 * commands are polled for (poll_timeout()) without giving up the CPU.
 */
static void outrun_drivers(struct task_struct *task)
{
	const struct sched_attr attr = {
		.size = sizeof(attr), .sched_policy = SCHED_FIFO, .sched_priority = 60,
	};

	WARN_ON_ONCE(sched_setattr_nocheck(task, &attr));
}

static int __init start(void)
{
	int err;

	if (ports > FW_MAX_FUNCTIONS || (ports && !base) || (express && ports != 2))
		return -EINVAL;
	err = fw_command_init();
	if (err)
		return err;
	err = fw_wire_init();
	if (err)
		goto no_wire;
	err = functions_create();
	if (err)
		goto no_functions;
	thread = kthread_run(firmware, NULL, "connectx");
	if (IS_ERR(thread)) {
		err = PTR_ERR(thread);
		goto no_functions;
	}
	outrun_drivers(thread);
	err = bells_init();
	if (err)
		goto no_bells;
	err = fw_control_init();
	if (err)
		goto no_control;
	err = ports ? fw_bus_create(base) : 0;
	if (err)
		goto no_bus;
	return 0;

no_bus:
	fw_control_exit();
no_control:
	bells_exit();
no_bells:
	kthread_stop(thread);
no_functions:
	functions_free();
	fw_wire_exit();
no_wire:
	fw_command_exit();
	return err;
}

static void __exit stop(void)
{
	if (ports)
		fw_bus_destroy();
	fw_control_exit();
	bells_exit();
	kthread_stop(thread);
	functions_free();
	fw_wire_exit();
	fw_command_exit();
}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("Simulated ConnectX adapters for the unmodified mlx5 driver");
MODULE_LICENSE("GPL");
