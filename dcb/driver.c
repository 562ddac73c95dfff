#include "driver.h"

#include <errno.h>
#include <string.h>

#define ALWAYS_PRIORITY_0 \
	"deleting a DSCP entry, now or by rollback, maps that DSCP to priority 0, not DSCP >> 3"

static const struct driver drivers[] = {
	/*
	 * en_dcbnl.c: mlx5e_dcbnl_ieee_setpfc() writes the register that also holds global pause,
	 * and toggles the link; mlx5e_set_trust_state() re-creates all channels if the adapter
	 * needs packet headers in its work requests, as ConnectX-4 does
	 * (mlx5e_params_calc_trust_tx_min_inline_mode());
	 * mlx5e_dcbnl_ieee_getmaxrate() requires no capability beyond those of ETS.
	 */
	{ .name = "mlx5_core",
	  .cable_in_metres = true,
	  .pfc_clears_pause = true,
	  .pfc_sizes_buffers = true,
	  .entries_set_trust = true,
	  .rates_with_ets = true,
	  .map_rereads_pfc = true,
	  .pfc = DISRUPTS_LINK,
	  .trust_on_connectx4 = DISRUPTS_TRAFFIC,
	  .dscp_irreversible = ALWAYS_PRIORITY_0 },
	/*
	 * bnxt_dcb.c: a new PFC mask only goes to firmware; new classes close and reopen the
	 * queues.
	 */
	{ .name = "bnxt_en", .only_strict_behind = true, .ets = DISRUPTS_TRAFFIC },
	/*
	 * ice_dcb_lib.c: ice_pf_dcb_cfg() closes and reopens the netdev for each change.
	 * ice_dcb_nl.c: ice_dcbnl_setapp() and ice_dcbnl_delapp() change classes along with the
	 * mode.
	 */
	{ .name = "ice",
	  .trust_resets_classes = true,
	  .pfc = DISRUPTS_TRAFFIC,
	  .ets = DISRUPTS_TRAFFIC,
	  .trust = DISRUPTS_TRAFFIC },
};

/*
 * Assume the worst of an unknown driver, so that a port that carries an SSH session is not
 * disrupted.
 */
static const struct driver unknown = {
	.name = "", .pfc = DISRUPTS_LINK, .ets = DISRUPTS_TRAFFIC, .trust = DISRUPTS_TRAFFIC
};

const struct driver *driver_of(const struct port *port)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++)
		if (strcmp(port->id.driver, drivers[i].name) == 0)
			return &drivers[i];
	return &unknown;
}

bool owns_port_registers(const struct port *port, struct err *err)
{
	return !port->is_vf || err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
				       "the port is a VF or SF: its PF has the setting");
}
