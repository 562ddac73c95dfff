// SPDX-License-Identifier: GPL-2.0
/* /proc/mlx5sim/<bdf>/state and calls: the actual state, one "field value" a line. */
#include <linux/rtnetlink.h>

#include "mlx5sim.h"

/* Print a line "field v0 v1 ...". */
#define SHOW_ROW(m, field, count, value)			\
do {								\
	int i;							\
								\
	seq_puts(m, field);					\
	for (i = 0; i < (count); i++)				\
		seq_printf(m, " %llu", (u64)(value));		\
	seq_putc(m, '\n');					\
} while (0)

static const char *trust_name(u8 trust)
{
	static const char *const names[] = { "none", "pcp", "dscp" };

	return names[trust];
}

static void show_dcb(struct seq_file *m, const struct sim_port *p)
{
	const struct sim_hw *hw = p->hw;

	seq_printf(m, "dcbx 0x%02x\n", p->dcbx_cap);
	seq_printf(m, "fw_dcbx %s\n", hw->dcbx_host ? "host" : "fw");
	seq_printf(m, "fw_willing %d\n", hw->willing);
	seq_printf(m, "pfc_en 0x%02x\n", hw->pfc);
	seq_printf(m, "cable_len %u\n", p->hw->nvidia ? p->hw->cable_m : p->cable_len);
	seq_printf(m, "pause_rx %d\n", hw->rx_pause);
	seq_printf(m, "pause_tx %d\n", hw->tx_pause);
	seq_printf(m, "stall %u\n", hw->stall_critical);
	seq_printf(m, "stall_minor %u\n", hw->stall_minor);
	seq_printf(m, "trust %s\n", trust_name(hw->trust));
	seq_printf(m, "drv_trust %s\n", trust_name(p->trust));
	seq_printf(m, "app_count %u\n", p->app_count);
	SHOW_ROW(m, "dscp2prio", SIM_DSCPS, hw->dscp2prio[i]);
	SHOW_ROW(m, "drv_dscp2prio", SIM_DSCPS, p->dscp2prio[i]);
	SHOW_ROW(m, "prio_tc", SIM_PRIOS, hw->prio_tc[i]);
	SHOW_ROW(m, "tsa", SIM_TCS, p->tc_tsa[i]);
	SHOW_ROW(m, "group", SIM_TCS, hw->group[i]);
	SHOW_ROW(m, "bw", SIM_TCS, hw->bw[i]);
	SHOW_ROW(m, "maxrate", SIM_TCS, sim_maxrate_decode(hw->rate[i], hw->rate_unit[i]));
}

static void show_buffers(struct seq_file *m, const struct sim_port *p)
{
	const struct sim_hw *hw = p->hw;

	SHOW_ROW(m, "buffer_size", SIM_BUFFERS, hw->buf[i].size * SIM_CELL);
	SHOW_ROW(m, "lossy", SIM_BUFFERS, hw->buf[i].lossy);
	SHOW_ROW(m, "xoff", SIM_BUFFERS, hw->buf[i].xoff * SIM_CELL);
	SHOW_ROW(m, "xon", SIM_BUFFERS, hw->buf[i].xon * SIM_CELL);
	SHOW_ROW(m, "prio2buffer", SIM_PRIOS, hw->prio2buf[i]);
	seq_printf(m, "drv_xoff %u\n", p->xoff);
	seq_printf(m, "manual %d\n", p->manual_buffer);
	seq_printf(m, "fw_buf_owner %s\n", hw->sw_owned ? "software" : "firmware");
	seq_printf(m, "pool_lossy %u\n", hw->epool_cells * SIM_CELL);
	seq_printf(m, "pool_lossless %u\n", hw->ipool_cells * SIM_CELL);
}

static void show_link(struct seq_file *m, struct sim_port *p)
{
	const struct sim_hw *hw = p->hw;

	seq_printf(m, "mtu %u\n", p->dev->mtu);
	seq_printf(m, "speed %u\n", hw->speed);
	seq_printf(m, "autoneg %d\n", hw->autoneg);
	seq_printf(m, "fec %s\n", sim_fec_name(hw->fec));
	seq_printf(m, "admin %s\n", netif_running(p->dev) ? "up" : "down");
	seq_printf(m, "carrier %s\n", netif_carrier_ok(p->dev) ? "up" : "down");
	seq_printf(m, "carrier_held %d\n", p->carrier_held);
	seq_printf(m, "carrier_ms %u\n", sim_link_delay_ms(p));
	seq_printf(m, "command_us %u\n", hw->command_us);
	seq_printf(m, "toggle_stuck %d\n", hw->toggle_stuck);
	seq_printf(m, "kind %s\n", sim_kind(p)->name);
	seq_printf(m, "roce %d\n", p->fn->roce);
	seq_printf(m, "fwlldp %d\n", hw->fwlldp);
	seq_printf(m, "vf %d\n", hw->vf);
	seq_printf(m, "ib %d\n", hw->ib);
	seq_printf(m, "max_tc %u\n", hw->max_tc);
	seq_printf(m, "pause_policy %d\n", hw->pause_policy);
}

static void show_rest(struct seq_file *m, struct sim_port *p)
{
	int i;

	seq_puts(m, "fwcaps");
	for (i = 0; i < SIM_CAP_COUNT; i++)
		if (sim_has(p, i))
			seq_printf(m, " %s", sim_cap_name(i));
	seq_putc(m, '\n');
	for (i = 0; i < SIM_CC_COUNT; i++)
		seq_printf(m, "cc.%s %u\n", sim_cc_name(i), p->hw->cc[i]);
	seq_printf(m, "ecn_rp 0x%02x\n", p->hw->ecn_rp);
	seq_printf(m, "ecn_np %d\n", p->hw->ecn_np);
	seq_printf(m, "link_down_events %llu\n",
		   sim_counter_read(p->hw, SIM_CTR_link_down_events_phy));
	seq_printf(m, "writes %llu\n", sim_fault_writes(p));
}

static int state_show(struct seq_file *m, void *unused)
{
	struct sim_port *p = m->private;

	rtnl_lock();
	seq_printf(m, "netdev %s\n", sim_netdev_there(p) ? p->dev->name : "-");
	seq_printf(m, "index %u\n", p->index);
	show_dcb(m, p);
	show_buffers(m, p);
	show_link(m, p);
	show_rest(m, p);
	rtnl_unlock();
	return 0;
}

static int calls_show(struct seq_file *m, void *unused)
{
	struct sim_port *p = m->private;
	int op;

	for (op = 0; op < SIM_OP_COUNT; op++)
		seq_printf(m, "%s %llu\n", sim_op_name(op), sim_fault_calls(p, op));
	return 0;
}

void sim_state_add(struct sim_port *p)
{
	proc_create_single_data("state", 0400, p->proc, state_show, p);
	proc_create_single_data("calls", 0400, p->proc, calls_show, p);
}
