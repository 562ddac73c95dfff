// SPDX-License-Identifier: GPL-2.0
/* ETS: priority to traffic class, group and bandwidth, with mlx5's partially written states. */
#include "mlx5sim.h"

/* mlx5 leaves these uninitialised for a TSA it does not know; make that visible. */
enum { POISON_GROUP = 0xd, POISON_BW = 93 };

static bool is_ets(const struct ieee_ets *ets, int tc)
{
	return ets->tc_tsa[tc] == IEEE_8021QAZ_TSA_ETS;
}

/* Correct the remembered TSA by what the registers imply. */
static void infer_tsa(struct sim_port *p, const struct ieee_ets *ets)
{
	bool group_6 = false;
	int i;

	for (i = 0; i <= p->hw->max_tc; i++)
		if (p->hw->group[i] == SIM_GROUP_VENDOR - 1)
			group_6 = true;

	for (i = 0; i <= p->hw->max_tc; i++) {
		if (ets->tc_tx_bw[i] < 100)
			p->tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		else if (p->hw->group[i] == SIM_GROUP_VENDOR && !group_6)
			p->tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
	}
}

void sim_reco_keep(struct sim_port *p, const struct ieee_ets *ets)
{
	p->reco = *ets;
}

/* Return the recommendation and willing, which mlx5 and bnxt drop. */
void sim_reco_show(const struct sim_port *p, struct ieee_ets *ets)
{
	if (!p->hw->reco)
		return;
	ets->willing = p->reco.willing;
	memcpy(ets->tc_reco_bw, p->reco.tc_reco_bw, sizeof(ets->tc_reco_bw));
	memcpy(ets->tc_reco_tsa, p->reco.tc_reco_tsa, sizeof(ets->tc_reco_tsa));
	memcpy(ets->reco_prio_tc, p->reco.reco_prio_tc, sizeof(ets->reco_prio_tc));
}

int sim_ets_get(struct sim_port *p, struct ieee_ets *ets)
{
	const struct sim_hw *hw = p->hw;
	bool zero_bw = false;
	int i;

	if (!sim_has(p, SIM_CAP_ETS))
		return -EOPNOTSUPP;

	ets->ets_cap = hw->max_tc + 1;
	for (i = 0; i < (sim_legacy ? ets->ets_cap : SIM_PRIOS); i++)
		ets->prio_tc[i] = hw->prio_tc[i];

	for (i = 0; i < ets->ets_cap; i++) {
		ets->tc_tx_bw[i] = hw->bw[i];
		if (p->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS &&
		    hw->group[i] == SIM_GROUP_LOWEST + 1)
			zero_bw = true;
	}
	for (i = 0; zero_bw && i < ets->ets_cap; i++)
		if (hw->group[i] == SIM_GROUP_LOWEST)
			ets->tc_tx_bw[i] = 0;

	infer_tsa(p, ets);
	memcpy(ets->tc_tsa, p->tc_tsa, sizeof(ets->tc_tsa));

	for (i = 0; !sim_legacy && i < ets->ets_cap; i++)
		if (ets->tc_tx_bw[i] == 100 && !is_ets(ets, i))
			ets->tc_tx_bw[i] = 0;
	sim_reco_show(p, ets);
	return 0;
}

int sim_ets_validate(struct sim_port *p, const struct ieee_ets *ets)
{
	bool have_ets = false;
	int sum = 0;
	int i;

	for (i = 0; i < SIM_PRIOS; i++)
		if (ets->prio_tc[i] >= SIM_PRIOS)
			return -EINVAL;

	for (i = 0; !sim_legacy && i < SIM_TCS; i++)
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_CB_SHAPER)
			return -EOPNOTSUPP;

	for (i = 0; i < SIM_TCS; i++) {
		if (!is_ets(ets, i))
			continue;
		have_ets = true;
		sum += ets->tc_tx_bw[i];
	}
	return have_ets && sum != 100 ? -EINVAL : 0;
}

/* Zero-percent ETS classes form group 0, the other ETS classes group 1, strict ones above. */
static void build_groups(const struct ieee_ets *ets, u8 *group, int max_tc)
{
	bool any_ets = false, zero_bw = false;
	int strict, i;

	for (i = 0; i <= max_tc; i++) {
		any_ets |= is_ets(ets, i);
		zero_bw |= is_ets(ets, i) && !ets->tc_tx_bw[i];
	}
	strict = SIM_GROUP_LOWEST + any_ets + zero_bw;

	for (i = 0; i <= max_tc; i++) {
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_VENDOR:
			group[i] = SIM_GROUP_VENDOR;
			break;
		case IEEE_8021QAZ_TSA_STRICT:
			group[i] = strict++;
			break;
		case IEEE_8021QAZ_TSA_ETS:
			group[i] = SIM_GROUP_LOWEST + (ets->tc_tx_bw[i] && zero_bw);
			break;
		default:
			group[i] = POISON_GROUP;
			break;
		}
	}
}

static void build_bw(const struct ieee_ets *ets, u8 *bw, int max_tc)
{
	int zeroes = 0, last = -1;
	int i;

	for (i = 0; i <= max_tc; i++) {
		if (!is_ets(ets, i) || ets->tc_tx_bw[i])
			continue;
		zeroes++;
		last = i;
	}
	for (i = 0; i <= max_tc; i++) {
		if (is_ets(ets, i))
			bw[i] = ets->tc_tx_bw[i] ?: 100 / zeroes;
		else if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_VENDOR ||
			 ets->tc_tsa[i] == IEEE_8021QAZ_TSA_STRICT)
			bw[i] = 100;
		else
			bw[i] = POISON_BW;
	}
	if (last >= 0)
		bw[last] += 100 % zeroes;
}

/* One register write per priority: an error in the middle leaves the earlier ones written. */
static int write_prio_tc(struct sim_port *p, const struct ieee_ets *ets)
{
	int err, i;

	for (i = 0; i < SIM_PRIOS; i++) {
		if (ets->prio_tc[i] > p->hw->max_tc)
			return -EINVAL;
		err = sim_verdict(sim_enter(p, SIM_OP_SETETS_PARTIAL));
		if (err)
			return err;
		p->hw->prio_tc[i] = ets->prio_tc[i];
	}
	return 0;
}

int sim_ets_write(struct sim_port *p, const struct ieee_ets *ets)
{
	int max_tc = p->hw->max_tc;
	u8 group[SIM_TCS], bw[SIM_TCS];
	int err;

	build_groups(ets, group, max_tc);
	build_bw(ets, bw, max_tc);

	err = write_prio_tc(p, ets);
	if (err)
		return err;
	err = sim_verdict(sim_enter(p, SIM_OP_SETETS_GROUP));
	if (err)
		return err;
	memcpy(p->hw->group, group, max_tc + 1);
	err = sim_verdict(sim_enter(p, SIM_OP_SETETS_BW));
	if (err)
		return err;
	memcpy(p->hw->bw, bw, max_tc + 1);
	memcpy(p->tc_tsa, ets->tc_tsa, sizeof(p->tc_tsa));
	return 0;
}

int sim_ets_set(struct sim_port *p, const struct ieee_ets *ets)
{
	int err;

	if (!sim_has(p, SIM_CAP_ETS))
		return -EOPNOTSUPP;

	err = sim_ets_validate(p, ets);
	err = err ?: sim_ets_write(p, ets);
	if (!err)
		sim_reco_keep(p, ets);
	return err;
}

/* Every attach sets all classes to VENDOR and swaps priorities 0 and 1. */
void sim_ets_init(struct sim_port *p)
{
	struct ieee_ets ets = {};
	int i;

	if (!sim_has(p, SIM_CAP_ETS))
		return;

	for (i = 0; i <= p->hw->max_tc; i++) {
		ets.tc_tx_bw[i] = 100;
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_VENDOR;
		ets.prio_tc[i] = i;
	}
	if (p->hw->max_tc) {
		ets.prio_tc[0] = 1;
		ets.prio_tc[1] = 0;
	}
	if (sim_ets_write(p, &ets))
		netdev_err(p->dev, "failed to init ETS\n");
}
