// SPDX-License-Identifier: GPL-2.0
/* PFC: one mask for both directions, a link toggle on change, and a late buffer stage. */
#include "mlx5sim.h"

int sim_pfc_get(struct sim_port *p, struct ieee_pfc *pfc)
{
	int i;

	pfc->pfc_cap = p->hw->max_tc + 1;
	for (i = 0; i < SIM_PRIOS; i++) {
		const u64 *group = &p->cached[SIM_CTR_PAUSE + i * SIM_PAUSE_COUNT];

		pfc->requests[i] = group[SIM_P_TX];
		pfc->indications[i] = group[SIM_P_RX];
	}
	if (sim_has(p, SIM_CAP_BUFFER))
		pfc->delay = p->hw->nvidia ? p->hw->cable_m : p->cable_len;
	if (!sim_has(p, SIM_CAP_PFC))
		return -EINVAL;
	pfc->pfc_en = p->hw->pfc;
	return 0;
}

/* 6.1 keeps a flag of its own, later kernels ask the firmware who owns the buffers. */
static bool driver_sizes_buffers(const struct sim_port *p)
{
	if (!sim_ownership_query)
		return p->manual_buffer;
	return sim_has(p, SIM_CAP_OWNERSHIP) && p->hw->sw_owned;
}

static int buffer_stage(struct sim_port *p, u32 changed)
{
	int err;

	if (!sim_has(p, SIM_CAP_BUFFER))
		return 0;
	err = sim_verdict(sim_enter(p, SIM_OP_SETPFC_BUFFER));
	if (err)
		return err;
	if (!driver_sizes_buffers(p))
		return 0;
	return sim_buffer_config(p, changed, p->hw->pfc, NULL, NULL);
}

int sim_pfc_set(struct sim_port *p, const struct ieee_pfc *pfc)
{
	u32 old_cable = p->cable_len;
	u32 changed = 0;
	int err;

	if (pfc->pfc_en != p->hw->pfc) {
		err = fw_set_pfc(p, pfc->pfc_en);
		if (err)
			return err;
		if (!p->hw->steady)
			sim_link_toggle(p);
		changed |= SIM_BUF_PFC;
	}

	if (p->hw->nvidia)
		return sim_nvidia_set_cable(p, pfc->delay, changed);

	/* mlx5 takes metres, and silently ignores 0 and 1000 or more. */
	if (pfc->delay && pfc->delay < 1000 && pfc->delay != p->cable_len) {
		p->cable_len = pfc->delay;
		changed |= SIM_BUF_CABLE;
	}

	/* PFC is already written and the link toggled: a failure undoes neither. */
	err = buffer_stage(p, changed);
	if (err && (changed & SIM_BUF_CABLE))
		p->cable_len = old_cable;
	return err;
}
