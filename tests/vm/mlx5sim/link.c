// SPDX-License-Identifier: GPL-2.0
/* The link: comes up some time after an open or a toggle, or stays down. */
#include "mlx5sim.h"

unsigned int sim_link_delay_ms(const struct sim_port *p)
{
	return p->hw->own_carrier_ms ? p->hw->carrier_ms : READ_ONCE(sim_carrier_ms);
}

static void link_work(struct work_struct *work)
{
	struct sim_port *p = container_of(to_delayed_work(work), struct sim_port, link_work);

	if (netif_running(p->dev) && !READ_ONCE(p->carrier_held))
		netif_carrier_on(p->dev);
}

static void count_down_event(struct sim_port *p)
{
	sim_counter_add(p->hw, SIM_CTR_link_down_events_phy, 1);
}

static void lose(struct sim_port *p)
{
	cancel_delayed_work_sync(&p->link_work);
	if (netif_carrier_ok(p->dev))
		count_down_event(p);
	netif_carrier_off(p->dev);
}

void sim_link_init(struct sim_port *p)
{
	INIT_DELAYED_WORK(&p->link_work, link_work);
	netif_carrier_off(p->dev);
}

void sim_link_start(struct sim_port *p)
{
	mod_delayed_work(system_wq, &p->link_work, msecs_to_jiffies(sim_link_delay_ms(p)));
}

void sim_link_stop(struct sim_port *p)
{
	lose(p);
}

/* mlx5_toggle_port_link: down, and up again only if the port was admin up. */
void sim_link_toggle(struct sim_port *p)
{
	if (!netif_running(p->dev) || p->carrier_held)
		return;

	cancel_delayed_work_sync(&p->link_work);
	count_down_event(p);
	netif_carrier_off(p->dev);
	if (p->hw->toggle_stuck)
		WRITE_ONCE(p->carrier_held, true);
	else
		sim_link_start(p);
}

/* A test pulls the cable or plugs it in again. */
void sim_link_hold(struct sim_port *p, bool down)
{
	WRITE_ONCE(p->carrier_held, down);
	if (down)
		lose(p);
	else if (netif_running(p->dev))
		netif_carrier_on(p->dev);
}
