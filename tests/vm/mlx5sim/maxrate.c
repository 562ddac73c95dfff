// SPDX-License-Identifier: GPL-2.0
/* Rate limits: a small number and a unit, so values read back are rounded down. */
#include <linux/math64.h>

#include "mlx5sim.h"

#define KBPS_100M	100000ULL
#define KBPS_1G		1000000ULL

static bool wide(const struct sim_port *p)
{
	return sim_has(p, SIM_CAP_MAXRATE16);
}

/* Older kernels had the border at 26G and stored the overflowing value in a byte. */
static int encode_legacy(u64 kbps, u16 *value, u8 *unit)
{
	if (kbps < 26 * KBPS_1G) {
		*value = (u8)div_u64(kbps, KBPS_100M);
		*value = *value ?: 1;
		*unit = SIM_RATE_100M;
	} else {
		*value = (u8)div_u64(kbps, KBPS_1G);
		*unit = SIM_RATE_1G;
	}
	return 0;
}

int sim_maxrate_encode(struct sim_port *p, u64 kbps, u16 *value, u8 *unit)
{
	u64 most = wide(p) ? 65535 : 255;

	if (!kbps) {
		*value = 0;
		*unit = SIM_RATE_NONE;
		return 0;
	}
	if (sim_legacy)
		return encode_legacy(kbps, value, unit);
	if (kbps <= most * KBPS_100M) {
		*value = div_u64(kbps, KBPS_100M) ?: 1;
		*unit = SIM_RATE_100M;
	} else if (kbps <= most * KBPS_1G) {
		*value = div_u64(kbps, KBPS_1G);
		*unit = SIM_RATE_1G;
	} else {
		return -EINVAL;
	}
	return 0;
}

u64 sim_maxrate_decode(u16 value, u8 unit)
{
	switch (unit) {
	case SIM_RATE_100M:
		return value * KBPS_100M;
	case SIM_RATE_1G:
		return value * KBPS_1G;
	default:
		return 0;
	}
}

int sim_maxrate_get(struct sim_port *p, struct ieee_maxrate *r)
{
	int i;

	if (!sim_has(p, SIM_CAP_ETS) || !sim_has(p, SIM_CAP_MAXRATE))
		return -EOPNOTSUPP;
	for (i = 0; i <= p->hw->max_tc; i++)
		r->tc_maxrate[i] = sim_maxrate_decode(p->hw->rate[i], p->hw->rate_unit[i]);
	return 0;
}

int sim_maxrate_set(struct sim_port *p, const struct ieee_maxrate *r)
{
	u16 value[SIM_TCS];
	u8 unit[SIM_TCS];
	int err, i;

	for (i = 0; i <= p->hw->max_tc; i++) {
		err = sim_maxrate_encode(p, r->tc_maxrate[i], &value[i], &unit[i]);
		if (err)
			return err;
	}
	if (!sim_has(p, SIM_CAP_ETS) || !sim_has(p, SIM_CAP_MAXRATE))
		return -EOPNOTSUPP;
	memcpy(p->hw->rate, value, (p->hw->max_tc + 1) * sizeof(value[0]));
	memcpy(p->hw->rate_unit, unit, p->hw->max_tc + 1);
	return 0;
}
