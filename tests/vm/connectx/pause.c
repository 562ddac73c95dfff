// SPDX-License-Identifier: GPL-2.0
/* Pause as the ports count it: storms of the control, and pause of buffers that are full. */
#include "connectx.h"

/* Pause that lasts: the time between its frames, and that between storms' transitions, are invented. */
#define US_A_FRAME		333
#define US_A_TRANSITION		100000

static void count_frames(struct fw_port *port, bool sent, unsigned int prio, u64 frames)
{
	struct fw_counters *count = &port->count;

	if (sent) {
		count->prio[prio].tx_pause += frames;
		count->tx_pause += frames;
		return;
	}
	count->prio[prio].rx_pause += frames;
	count->rx_pause += frames;
}

/* Multiples of STEP that lie between these. */
static u64 steps(u64 before, u64 after, u32 step)
{
	return div_u64(after, step) - div_u64(before, step);
}

static void settle_pause(struct fw_port *port, bool sent, unsigned int prio)
{
	struct fw_storm *storm = &port->storm[sent][prio];
	struct fw_counters *count = &port->count;
	u64 *us = sent ? &count->prio[prio].tx_pause_us : &count->prio[prio].rx_pause_us;
	u64 elapsed, before = *us;

	if (!storm->full && !storm->percent)
		return;
	elapsed = ktime_us_delta(ktime_get(), storm->since);
	storm->since = ktime_add_us(storm->since, elapsed);
	if (!storm->full && !((sent ? port->pfctx : port->pfcrx) & BIT(prio)))
		return;
	*us += storm->full ? elapsed : div_u64(elapsed * storm->percent, 100);
	count_frames(port, sent, prio, steps(before, *us, US_A_FRAME));
	if (!sent && !storm->full)
		count->prio[prio].rx_transition += steps(before, *us, US_A_TRANSITION);
}

void fw_pause_settle(struct fw_port *port)
{
	unsigned int prio;

	for (prio = 0; prio < FW_PRIOS; prio++) {
		settle_pause(port, false, prio);
		settle_pause(port, true, prio);
	}
}

int fw_storm_set(struct fw_function *fn, bool sent, unsigned int prio, unsigned int percent)
{
	if (prio >= FW_PRIOS || percent > 100)
		return -EINVAL;
	settle_pause(&fn->port, sent, prio);
	fn->port.storm[sent][prio].since = ktime_get();
	fn->port.storm[sent][prio].percent = percent;
	return 0;
}

void fw_pause_set(struct fw_port *port, bool sent, unsigned int prio, bool on)
{
	settle_pause(port, sent, prio);
	port->storm[sent][prio].since = ktime_get();
	port->storm[sent][prio].full = on;
	count_frames(port, sent, prio, 1);
	if (!sent && !on)
		port->count.prio[prio].rx_transition++;
}
