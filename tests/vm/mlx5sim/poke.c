// SPDX-License-Identifier: GPL-2.0
/* Changes settings without a callback, a notification or a link event. */
#include "mlx5sim.h"

typedef int (*poke_fn)(struct sim_port *p, const u64 *v);

static int poke_pfc(struct sim_port *p, const u64 *v)
{
	p->hw->pfc = v[0];
	fw_resize_buffers(p);
	return 0;
}

static int poke_cable(struct sim_port *p, const u64 *v)
{
	p->cable_len = v[0];
	p->hw->cable_m = v[0];
	return 0;
}

static int poke_pause_rx(struct sim_port *p, const u64 *v)
{
	p->hw->rx_pause = v[0];
	fw_resize_buffers(p);
	return 0;
}

static int poke_pause_tx(struct sim_port *p, const u64 *v)
{
	p->hw->tx_pause = v[0];
	fw_resize_buffers(p);
	return 0;
}

static int poke_prio_tc(struct sim_port *p, const u64 *v)
{
	p->hw->prio_tc[v[0]] = v[1];
	return 0;
}

/* Set registers and driver memory so that the driver reads back this TSA. */
static int poke_tsa(struct sim_port *p, const u64 *v)
{
	u8 tc = v[0];

	p->tc_tsa[tc] = v[1];
	switch (v[1]) {
	case IEEE_8021QAZ_TSA_STRICT:
		p->hw->group[tc] = min_t(u8, tc + 1, SIM_GROUP_VENDOR - 2);
		p->hw->bw[tc] = 100;
		return 0;
	case IEEE_8021QAZ_TSA_ETS:
		p->hw->group[tc] = SIM_GROUP_LOWEST;
		return 0;
	case IEEE_8021QAZ_TSA_VENDOR:
		p->hw->group[tc] = SIM_GROUP_VENDOR;
		p->hw->bw[tc] = 100;
		return 0;
	default:
		return -EINVAL;
	}
}

static int poke_bw(struct sim_port *p, const u64 *v)
{
	p->hw->bw[v[0]] = v[1];
	return 0;
}

static int poke_dscp(struct sim_port *p, const u64 *v)
{
	if (!sim_is_mlx5(p))
		return -EOPNOTSUPP;
	sim_app_poke(p, v[0], v[1]);
	return 0;
}

/* Change the register alone: the driver's memory keeps the old map. */
static int poke_qpdpm(struct sim_port *p, const u64 *v)
{
	p->hw->dscp2prio[v[0]] = v[1];
	return 0;
}

static int poke_buffer_size(struct sim_port *p, const u64 *v)
{
	p->hw->buf[v[0]].size = v[1] / SIM_CELL;
	return 0;
}

static int poke_prio_buffer(struct sim_port *p, const u64 *v)
{
	p->hw->prio2buf[v[0]] = v[1];
	return 0;
}

static int poke_mtu(struct sim_port *p, const u64 *v)
{
	WRITE_ONCE(p->dev->mtu, v[0]);
	return 0;
}

static int poke_stall(struct sim_port *p, const u64 *v)
{
	p->hw->stall_critical = v[0];
	return 0;
}

static int poke_maxrate(struct sim_port *p, const u64 *v)
{
	return sim_maxrate_encode(p, v[1], &p->hw->rate[v[0]], &p->hw->rate_unit[v[0]]);
}

static int poke_ecn_rp(struct sim_port *p, const u64 *v)
{
	p->hw->ecn_rp = v[0];
	return 0;
}

static int poke_ecn_np(struct sim_port *p, const u64 *v)
{
	p->hw->ecn_np = v[0];
	return 0;
}

/* Start or stop the firmware's LLDP agent, and update the driver's DCBX mode. */
static int poke_fwlldp(struct sim_port *p, const u64 *v)
{
	if (!sim_kind(p)->lldp)
		return -EOPNOTSUPP;
	p->hw->fwlldp = v[0];
	sim_kind(p)->lldp(p);
	return 0;
}

/* Numeric fields: number of values, and the maximum of each. */
static const struct {
	const char *name;
	int args;
	u64 most[2];
	poke_fn act;
} fields[] = {
	{ "pfc", 1, { 255 }, poke_pfc },
	{ "cable", 1, { 999 }, poke_cable },
	{ "pause_rx", 1, { 1 }, poke_pause_rx },
	{ "pause_tx", 1, { 1 }, poke_pause_tx },
	{ "prio_tc", 2, { 7, 7 }, poke_prio_tc },
	{ "tsa", 2, { 7, 255 }, poke_tsa },
	{ "bw", 2, { 7, 100 }, poke_bw },
	{ "dscp", 2, { 63, 15 }, poke_dscp },
	{ "qpdpm", 2, { 63, 15 }, poke_qpdpm },
	{ "buffer_size", 2, { 7, 65535 * SIM_CELL }, poke_buffer_size },
	{ "prio_buffer", 2, { 7, 7 }, poke_prio_buffer },
	{ "mtu", 1, { SIM_MAX_MTU }, poke_mtu },
	{ "stall", 1, { 65535 }, poke_stall },
	{ "maxrate", 2, { 7, U64_MAX }, poke_maxrate },
	{ "fwlldp", 1, { 1 }, poke_fwlldp },
	{ "ecn_rp", 1, { 255 }, poke_ecn_rp },
	{ "ecn_np", 1, { 1 }, poke_ecn_np },
};

static int poke_trust(struct sim_port *p, const char *word)
{
	if (!strcmp(word, "pcp"))
		p->hw->trust = SIM_TRUST_PCP;
	else if (!strcmp(word, "dscp"))
		p->hw->trust = SIM_TRUST_DSCP;
	else
		return -EINVAL;
	return 0;
}

static int poke_dcbx(struct sim_port *p, const char *word)
{
	if (!sim_is_mlx5(p))
		return -EOPNOTSUPP;
	if (strcmp(word, "host") && strcmp(word, "fw"))
		return -EINVAL;
	sim_dcbx_poke(p, !strcmp(word, "host"));
	return 0;
}

static int poke_cc(struct sim_port *p, const char *name, const char *text)
{
	int param = sim_cc_find(name);
	u32 value;

	if (param < 0 || kstrtou32(text, 0, &value))
		return -EINVAL;
	mutex_lock(&p->cc_lock);
	p->hw->cc[param] = value;
	mutex_unlock(&p->cc_lock);
	return 0;
}

static int poke_number(struct sim_port *p, int argc, char **argv)
{
	u64 v[2];
	int i, n;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strcmp(fields[i].name, argv[0]))
			continue;
		if (argc - 1 != fields[i].args)
			return -EINVAL;
		for (n = 0; n < fields[i].args; n++)
			if (kstrtou64(argv[n + 1], 0, &v[n]) || v[n] > fields[i].most[n])
				return -EINVAL;
		return fields[i].act(p, v);
	}
	return -EINVAL;
}

int sim_poke(struct sim_port *p, int argc, char **argv)
{
	if (!strcmp(argv[0], "trust"))
		return argc == 2 ? poke_trust(p, argv[1]) : -EINVAL;
	if (!strcmp(argv[0], "dcbx"))
		return argc == 2 ? poke_dcbx(p, argv[1]) : -EINVAL;
	if (!strcmp(argv[0], "cc"))
		return argc == 3 ? poke_cc(p, argv[1], argv[2]) : -EINVAL;
	return poke_number(p, argc, argv);
}
