#include "driver_restart.h"

/* Count the removal and the addition of an RDMA device as one restart. */
static bool is_one_with_the_last(const struct drift *d, uint64_t now_ms)
{
	return d->resets && now_ms < d->reset_ms + DRIVER_SETTLE_MS;
}

void driver_restarted(struct drift *d, setting_set which, uint64_t now_ms)
{
	uint64_t wait;

	if (now_ms >= d->reset_ms + DRIFT_QUIET_MS)
		d->resets = 0;
	if (!is_one_with_the_last(d, now_ms) && d->resets < 16)
		d->resets++;
	wait = (uint64_t)DRIVER_SETTLE_MS << (d->resets - 1);
	d->reset |= which;
	d->reset_ms = now_ms;
	d->settled_ms = now_ms + (wait < DRIVER_SETTLE_MAX_MS ? wait : DRIVER_SETTLE_MAX_MS);
	drift_retry(d, which);
}
