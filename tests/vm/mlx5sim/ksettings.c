// SPDX-License-Identifier: GPL-2.0
/* Link speed and modes. A change toggles the link; an unknown speed is SPEED_UNKNOWN. */
#include "mlx5sim.h"

static const struct {
	u32 speed;
	unsigned int mode;
} modes[] = {
	{ SPEED_10000, ETHTOOL_LINK_MODE_10000baseCR_Full_BIT },
	{ SPEED_25000, ETHTOOL_LINK_MODE_25000baseCR_Full_BIT },
	{ SPEED_40000, ETHTOOL_LINK_MODE_40000baseCR4_Full_BIT },
	{ SPEED_50000, ETHTOOL_LINK_MODE_50000baseCR_Full_BIT },
	{ SPEED_100000, ETHTOOL_LINK_MODE_100000baseCR4_Full_BIT },
	{ SPEED_200000, ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT },
	{ SPEED_400000, ETHTOOL_LINK_MODE_400000baseCR4_Full_BIT },
};

/* The adapter's supported speeds as bits of the table. */
u32 sim_speeds(const struct sim_hw *hw)
{
	u32 speeds = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (modes[i].speed <= hw->best_speed)
			speeds |= BIT(i);
	return speeds;
}

/* Set the speed that the peer negotiates; a higher one than supported becomes supported. */
void sim_speed_set(struct sim_hw *hw, u32 speed)
{
	bool all = hw->advertised == sim_speeds(hw);

	hw->speed = speed;
	hw->best_speed = max(hw->best_speed, speed);
	if (all)
		hw->advertised = sim_speeds(hw);
}

bool sim_speed_valid(u32 speed)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (modes[i].speed == speed)
			return true;
	return false;
}

static void fill_modes(unsigned long *mask, u32 speeds)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (speeds & BIT(i))
			__set_bit(modes[i].mode, mask);
	__set_bit(ETHTOOL_LINK_MODE_FIBRE_BIT, mask);
	__set_bit(ETHTOOL_LINK_MODE_Pause_BIT, mask);
}

int sim_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *ks)
{
	struct sim_port *p = sim_port(dev);
	bool up = netif_carrier_ok(dev);
	int entered = sim_enter(p, SIM_OP_GETLINK);

	if (entered)
		return sim_verdict(entered);

	ethtool_link_ksettings_zero_link_mode(ks, supported);
	ethtool_link_ksettings_zero_link_mode(ks, advertising);
	fill_modes(ks->link_modes.supported, sim_speeds(p->hw));
	__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, ks->link_modes.supported);
	fill_modes(ks->link_modes.advertising, p->hw->advertised);
	if (p->hw->autoneg)
		__set_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, ks->link_modes.advertising);

	ks->base.autoneg = p->hw->autoneg ? AUTONEG_ENABLE : AUTONEG_DISABLE;
	ks->base.port = PORT_DA;
	ks->base.speed = up ? p->hw->speed : SPEED_UNKNOWN;
	ks->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	return 0;
}

/* The requested speeds as bits of the table; 0 if the table has none of them. */
static u32 wanted_speeds(const struct ethtool_link_ksettings *ks)
{
	u32 speeds = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (ks->base.autoneg == AUTONEG_ENABLE ?
		    test_bit(modes[i].mode, ks->link_modes.advertising) :
		    modes[i].speed == ks->base.speed)
			speeds |= BIT(i);
	return speeds;
}

/* The peer takes the speed in use if it is still offered, else the highest. */
static u32 agreed_speed(const struct sim_hw *hw, u32 speeds)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if ((speeds & BIT(i)) && modes[i].speed == hw->speed)
			return hw->speed;
	return modes[fls(speeds) - 1].speed;
}

int sim_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *ks)
{
	struct sim_port *p = sim_port(dev);
	bool autoneg = ks->base.autoneg == AUTONEG_ENABLE;
	int entered = sim_enter(p, SIM_OP_SETLINK);
	u32 speeds;

	if (entered)
		return sim_verdict(entered);

	speeds = wanted_speeds(ks) & sim_speeds(p->hw);
	if (!speeds)
		return -EINVAL;
	if (autoneg == p->hw->autoneg && speeds == p->hw->advertised)
		return 0;

	p->hw->autoneg = autoneg;
	p->hw->advertised = speeds;
	p->hw->speed = agreed_speed(p->hw, speeds);
	sim_link_toggle(p);
	return 0;
}
