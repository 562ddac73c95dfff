// SPDX-License-Identifier: GPL-2.0
/* The DCBX mode: the host or the adapter's firmware runs DCBX. Other sets ignore the mode. */
#include "mlx5sim.h"

/* An error here is the callback's status 1, not an errno. */
u8 sim_dcbx_set(struct sim_port *p, u8 mode)
{
	if (mode & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;

	if (!mode && sim_has(p, SIM_CAP_DCBX)) {
		if (!p->dcbx_host)
			return 0;
		p->hw->dcbx_host = false;
		p->hw->willing = true;
		p->dcbx_host = false;
		p->dcbx_cap &= ~DCB_CAP_DCBX_HOST;
		return 0;
	}

	if (!(mode & DCB_CAP_DCBX_HOST))
		return 1;

	if (sim_has(p, SIM_CAP_DCBX)) {
		p->hw->dcbx_host = true;
		p->dcbx_host = true;
	}
	p->dcbx_cap = mode;		/* read back byte for byte */
	return 0;
}

void sim_dcbx_init(struct sim_port *p)
{
	p->dcbx_host = !sim_has(p, SIM_CAP_DCBX) || p->hw->dcbx_host;
	p->dcbx_cap = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE;
	if (p->dcbx_host)
		p->dcbx_cap |= DCB_CAP_DCBX_HOST;
}

/* Set the firmware's mode, and the driver's memory as after an attach. */
void sim_dcbx_poke(struct sim_port *p, bool host)
{
	p->hw->dcbx_host = host;
	sim_dcbx_init(p);
}
