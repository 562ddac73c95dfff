// SPDX-License-Identifier: GPL-2.0
/* Pause storms: each read of the counters adds the pause since the last one. */
#include <linux/math64.h>

#include "mlx5sim.h"

enum { FRAMES_A_MS = 3, MS_A_TRANSITION = 100 };

static void add(struct sim_hw *hw, unsigned int prio, unsigned int which, u64 n)
{
	sim_counter_add(hw, SIM_CTR_PAUSE + prio * SIM_PAUSE_COUNT + which, n);
}

static void count(struct sim_hw *hw, bool suffered, unsigned int prio, u64 ms, u8 percent)
{
	u64 us = ms * 10 * percent;
	u64 frames = div_u64(us * FRAMES_A_MS, 1000);

	add(hw, prio, suffered ? SIM_P_RX : SIM_P_TX, frames);
	add(hw, prio, suffered ? SIM_P_RX_DURATION : SIM_P_TX_DURATION, us);
	if (suffered)
		add(hw, prio, SIM_P_RX_TRANSITION, div_u64(ms, MS_A_TRANSITION));
}

/* Priorities without PFC are never paused. */
static void settle(struct sim_hw *hw, bool suffered, unsigned int prio)
{
	struct sim_storm *s = &hw->storm[suffered][prio];
	u64 ms;

	if (!s->percent)
		return;
	ms = div_u64(ktime_get_ns() - s->since_ns, NSEC_PER_MSEC);
	s->since_ns += ms * NSEC_PER_MSEC;
	if (hw->pfc & BIT(prio))
		count(hw, suffered, prio, ms, s->percent);
}

void sim_storm_settle(struct sim_hw *hw)
{
	unsigned int prio;

	for (prio = 0; prio < SIM_PRIOS; prio++) {
		settle(hw, false, prio);
		settle(hw, true, prio);
	}
}

/* storm sent|suffered PRIO PERCENT|off */
int sim_storm(struct sim_port *p, int argc, char **argv)
{
	bool suffered = !strcmp(argv[0], "suffered");
	u8 prio, percent = 0;

	if ((!suffered && strcmp(argv[0], "sent")) || kstrtou8(argv[1], 0, &prio) ||
	    prio >= SIM_PRIOS)
		return -EINVAL;
	if (strcmp(argv[2], "off") && (kstrtou8(argv[2], 0, &percent) || !percent || percent > 100))
		return -EINVAL;
	sim_storm_settle(p->hw);
	p->hw->storm[suffered][prio] = (struct sim_storm) { ktime_get_ns(), percent };
	return 0;
}
